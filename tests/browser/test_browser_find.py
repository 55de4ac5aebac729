"""Find, decide and take back in a real browser: search with what a score is made of, inbox, history."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any
from urllib.parse import urlsplit

import pytest
from browser.visitor import Visitor

from holdfast import Memory
from holdfast.dreaming.claim import claims_in
from holdfast.dreaming.dream_counts import signals_of
from holdfast.index.sqlite.signal_table import Verdict

sync_api = pytest.importorskip("playwright.sync_api", reason="NO PAGE WAS SEEN IN A BROWSER: run `make browser`")
expect = sync_api.expect


def search(visitor: Visitor, words: str) -> None:
    visitor.open("/search")
    visitor.page.get_by_role("searchbox", name="Search memory").fill(words)


def test_hits_come_as_one_types_and_their_parts_add_up(visitor: Visitor) -> None:
    page = visitor.page
    visitor.write("memory/garden.md", "# Garden\n\nThe tomatoes stand by the south wall.\n")
    visitor.write("memory/boat.md", "# Boat\n\nThe sail was mended in April.\n")
    search(visitor, "where do the tomatoes stand")
    first = page.locator(".hit").first
    expect(first).to_contain_text("memory/garden.md")
    expect(first.locator("mark").first).to_have_text("tomatoes")
    first.locator(".bar-button").click()
    rows = first.locator("table").first.locator("tbody tr")
    expect(rows.last).to_contain_text("Sum")
    values = [float(text) for text in rows.locator("td").all_inner_texts()]
    hit = visitor.web.call(
        "POST", "/api/v1/search", {"query": "where do the tomatoes stand", "max_results": 20, "explain": True}
    ).json["results"][0]
    assert abs(values[-1] - hit["score"]) < 0.0001  # four places are shown
    assert abs(sum(values[:-1]) - values[-1]) < 0.0001 * len(values)
    page.keyboard.press("Escape")
    first.get_by_role("link").first.click()
    expect(visitor.title).to_have_text("memory/garden.md")


def test_as_many_hits_come_as_a_screen_shows_and_the_rest_for_who_asks(visitor: Visitor) -> None:
    page = visitor.page
    for number in range(13):
        visitor.write(f"memory/heron-{number}.md", f"Heron {number} nests by lake {number}.\n")
    search(visitor, "heron")
    hits, more = page.locator(".hit"), page.get_by_role("button", name="More hits")
    expect(hits).to_have_count(10)
    more.click()
    expect(hits).to_have_count(13)
    expect(more).to_have_count(0)
    last = hits.last.get_by_role("link").first
    last.scroll_into_view_if_needed()
    scrolled = page.evaluate("window.scrollY")
    last.click()
    expect(page.locator(".markdown")).to_contain_text("Heron")
    assert page.evaluate("window.scrollY") == 0 < scrolled
    page.go_back()  # to all of them, and to where one was
    expect(hits).to_have_count(13)
    page.wait_for_function("place => Math.abs(window.scrollY - place) < 3", arg=scrolled)
    expect(more).to_have_count(0)
    page.get_by_role("searchbox").fill("heron 7")
    expect(more).to_be_visible()
    expect(hits).to_have_count(10)


def test_only_the_last_question_counts_and_back_leads_to_it(visitor: Visitor) -> None:
    page = visitor.page
    visitor.write("memory/harbour.md", "The harbour opens on Monday.\n")
    visitor.write("memory/garden.md", "The garden needs water on Friday.\n")
    held: list[Any] = []
    page.route("**/api/v1/search", lambda route: held.append(route), times=1)  # the first answer is late
    visitor.open("/search")
    field = page.get_by_role("searchbox")
    field.fill("harbour opens")
    field.fill("garden water")
    expect(page.locator(".hit").first).to_contain_text("The garden needs water")
    assert held[0].request.failure  # nobody waits for it any more
    expect(page).to_have_url(re.compile("q=garden"))
    field.fill("garden water Friday")
    expect(page.locator("section[aria-busy=false] mark", has_text="Friday")).to_be_visible()
    field.press("Enter")
    expect(visitor.title).to_have_text("memory/garden.md")
    page.go_back()
    expect(field).to_have_value("garden water Friday")


def test_a_page_asks_for_each_thing_once(visitor: Visitor) -> None:
    asked: Counter[str] = Counter()
    visitor.write("memory/harbour.md", "The harbour opens on Monday.\n")
    visitor.page.on("request", lambda request: asked.update([urlsplit(request.url).path]))
    visitor.open("/notes")
    expect(visitor.page.get_by_role("treeitem", name="harbour")).to_be_visible()
    expect(visitor.page.get_by_role("img", name="Live")).to_be_visible()
    assert {"/api/v1/tree", "/api/v1/inbox", "/api/v1/whoami"} <= asked.keys()
    assert [path for path, times in asked.items() if times > 1] == []


def test_a_filter_narrows_and_is_cleared(visitor: Visitor) -> None:
    visitor.write("memory/one.md", "The sail was mended.\n")
    visitor.write("memory/two.md", "The sail was torn.\n")
    search(visitor, "sail")
    hits = visitor.page.locator(".hit")
    expect(hits).to_have_count(2)
    field = visitor.page.get_by_role("group", name="Filters").get_by_label("Path")
    field.press_sequentially("memory/tw")  # it follows as one types
    expect(hits).to_have_count(1)
    expect(hits).to_contain_text("memory/two.md")
    expect(visitor.page).to_have_url(re.compile("path=memory%2Ftw"))
    visitor.press("Clear the filters")
    expect(hits).to_have_count(2)


def test_emptiness_is_honest(visitor: Visitor) -> None:
    visitor.write("memory/boat.md", "The sail was mended in April.\n")
    search(visitor, "quarterly revenue of the Lisbon office")
    shown = visitor.page.get_by_text(re.compile("Nothing (here answers this|was found)"))
    expect(shown).to_be_visible()


def wait(visitor: Visitor, *texts: str) -> None:
    for text in texts:
        assert visitor.web.call("POST", "/api/v1/notes", {"content": text}).json["waits"] is True
    visitor.open("/inbox")


def entry(visitor: Visitor, text: str) -> object:
    return visitor.page.locator(".inbox > li").filter(has_text=text)


def test_what_waits_is_approved_and_waits_again_after_undo(visitor: Visitor) -> None:
    wait(visitor, "The office moved to Munich.")
    visitor.press("Approve", entry(visitor, "Munich"))
    expect(visitor.toast).to_contain_text("Approved")
    assert "Munich" in visitor.text("MEMORY.md")
    expect(visitor.page.get_by_text("Nothing waits")).to_be_visible()
    visitor.press("Undo", visitor.toast)
    expect(entry(visitor, "Munich")).to_be_visible()


def test_an_approval_shows_both_its_notes_and_whose_words_they_are_and_is_restored_as_one(visitor: Visitor) -> None:
    wait(visitor, "The office moved to Munich.")
    visitor.press("Approve", entry(visitor, "Munich"))
    expect(visitor.toast).to_contain_text("Approved")
    visitor.go("/history?path=MEMORY.md")
    row = visitor.page.locator("tbody tr").first
    expect(row).to_contain_text("you words of API")
    row.get_by_role("link", name="approved in the inbox").click()
    expect(visitor.title).to_have_text("A change of 2 notes")
    notes = visitor.page.locator(".changed-note")
    for note in ("MEMORY.md", "memory/inbox.md"):  # each with both its texts
        expect(notes.filter(has=visitor.page.get_by_role("heading", name=note)).locator(".diff")).to_contain_text(
            "Munich"
        )
    visitor.press(
        "Restore this note alone", notes.filter(has=visitor.page.get_by_role("heading", name="memory/inbox.md"))
    )
    expect(visitor.toast).to_contain_text("Restored.")
    assert "Munich" in visitor.text("MEMORY.md") and "Munich" in visitor.text("memory/inbox.md")
    visitor.press("Undo", visitor.toast)
    expect(visitor.toast).to_contain_text("Undone.")
    visitor.press("Restore what was before")
    expect(visitor.toast).to_contain_text("Restored.")
    assert not (visitor.web.home / "MEMORY.md").exists() and "Munich" in visitor.text("memory/inbox.md")
    visitor.press("Undo", visitor.toast)
    expect(visitor.toast).to_contain_text("Undone.")
    assert "Munich" in visitor.text("MEMORY.md") and not (visitor.web.home / "memory/inbox.md").exists()
    visitor.press("Close", visitor.toast)  # what is said next has the same words
    visitor.press("Undo this change")
    expect(visitor.toast).to_contain_text("Undone.")
    assert not (visitor.web.home / "MEMORY.md").exists() and "Munich" in visitor.text("memory/inbox.md")


def test_what_waits_is_approved_in_other_words(visitor: Visitor) -> None:
    wait(visitor, "The budget is 10,000 euros.")
    visitor.press("Edit", entry(visitor, "budget"))
    visitor.page.get_by_label("The words it is to have").fill("The budget is 12,000 euros.")
    visitor.press("Approve as edited")
    expect(visitor.toast).to_contain_text("Approved")
    assert "12,000" in visitor.text("MEMORY.md") and "10,000" not in visitor.text("MEMORY.md")
    visitor.go("/history?path=MEMORY.md")
    expect(visitor.page.locator("tbody tr").first).to_contain_text("you edited words of API")


def test_what_waits_is_rejected_and_taken_back(visitor: Visitor) -> None:
    wait(visitor, "The cat is called Miso.")
    visitor.press("Reject", entry(visitor, "Miso"))
    expect(visitor.toast).to_contain_text("Rejected")
    expect(visitor.page.get_by_text("Nothing waits")).to_be_visible()
    visitor.press("Undo", visitor.toast)
    expect(entry(visitor, "Miso")).to_be_visible()


def test_a_dreams_proposal_is_rejected_and_waits_again(visitor: Visitor) -> None:
    visitor.write("memory/dreamt.md", "- The harbour opens at nine on weekdays.\n")
    with Memory.open(visitor.web.home) as memory:
        (claim,) = claims_in(memory.notes.read("memory/dreamt.md").text, "memory/dreamt.md")
        verdict = Verdict(claim.key, "proposed", "p1proposal", "memory/dreamt.md", "r1", 1.0)
        signals_of(memory.ctx).decide([verdict])
    visitor.open("/inbox")
    expect(entry(visitor, "harbour")).to_contain_text("from a dream")
    visitor.press("Reject", entry(visitor, "harbour"))
    expect(visitor.page.get_by_text("Nothing waits")).to_be_visible()
    visitor.press("Undo", visitor.toast)
    expect(entry(visitor, "harbour")).to_be_visible()


def test_several_are_decided_with_the_keyboard_and_each_is_undone_alone_from_history(visitor: Visitor) -> None:
    wait(visitor, "The office moved to Munich.", "The cat is called Miso.", "The sail is red.")
    left = visitor.page.locator(".inbox > li")
    expect(left).to_have_count(3)
    for key, count in (("a", 2), ("x", 1), ("a", 0)):
        visitor.page.keyboard.press(key)
        expect(left).to_have_count(count)
    expect(visitor.page.get_by_text("Nothing waits")).to_be_visible()
    assert not (visitor.web.home / "memory/inbox.md").exists()
    visitor.go("/history")
    for what in ("approved", "rejected"):  # the first approval, then the rejection between the two
        visitor.page.locator("tbody tr", has_text=f"{what} in the inbox").last.get_by_role("button").click()
        expect(visitor.toast).to_contain_text("Undone.")
        visitor.press("Close", visitor.toast)
    assert "Munich" not in visitor.text("MEMORY.md") and "red" in visitor.text("MEMORY.md")
    waiting = [entry["text"] for entry in visitor.web.page().call("GET", "/inbox").json["entries"]]
    assert sorted(waiting) == ["The cat is called Miso.", "The office moved to Munich."]


def test_an_old_text_is_restored_and_that_is_undone(visitor: Visitor) -> None:
    page = visitor.page
    visitor.write("memory/plan.md", "one\n")
    visitor.write("memory/plan.md", "two\n")
    visitor.write("memory/plan.md", "three\n")
    visitor.open("/history?path=memory/plan.md")
    rows = page.locator("table.rows tbody tr")
    expect(rows).to_have_count(3)
    rows.nth(1).get_by_role("link").first.click()
    expect(page.locator("main")).to_contain_text("one")
    expect(visitor.button("Undo this change")).to_be_disabled()  # the note was changed since
    visitor.press("Restore what was before")
    expect(visitor.toast).to_contain_text("Restored. With it went 1 later change.")
    assert visitor.text("memory/plan.md") == "one\n"
    visitor.press("Undo", visitor.toast)
    expect(visitor.toast).to_contain_text("Undone.")
    assert visitor.text("memory/plan.md") == "three\n"


def test_the_last_change_is_undone_from_its_page(visitor: Visitor) -> None:
    visitor.write("memory/plan.md", "one\n")
    made = visitor.write("memory/plan.md", "two\n")
    visitor.open(f"/history/{made['checkpointId']}")
    visitor.press("Undo this change")
    expect(visitor.toast).to_contain_text("Undone.")
    assert visitor.text("memory/plan.md") == "one\n"


def test_all_of_an_origin_is_taken_back_after_it_was_shown(visitor: Visitor) -> None:
    visitor.write("memory/theirs.md", "by a program\n")
    visitor.open("/history")
    visitor.press("Take back an origin")
    visitor.page.locator(".panel select").select_option("api")
    visitor.press("Show what would go")
    plan = visitor.page.locator(".panel")
    expect(plan).to_contain_text("memory/theirs.md")
    assert (visitor.web.home / "memory/theirs.md").exists()
    plan.locator(".button.danger").click()
    expect(visitor.toast).to_be_visible()
    assert not (visitor.web.home / "memory/theirs.md").exists()
    visitor.press("Undo", visitor.toast)
    expect(visitor.toast).to_contain_text("Undone.")
    assert visitor.text("memory/theirs.md") == "by a program\n"


def test_a_note_is_found_by_ctrl_k_and_pages_by_two_keys(visitor: Visitor) -> None:
    visitor.write("memory/garden.md", "# Garden\n")
    visitor.open("/")
    expect(visitor.page.get_by_role("navigation", name="Pages")).to_be_visible()
    visitor.page.keyboard.press("Control+k")
    visitor.page.keyboard.insert_text("garden")
    expect(visitor.page.get_by_role("dialog")).to_contain_text("memory/garden.md")
    visitor.page.keyboard.press("Enter")
    expect(visitor.title).to_have_text("memory/garden.md")
    visitor.page.keyboard.press("g")
    visitor.page.keyboard.press("h")
    expect(visitor.title).to_have_text("History")
    visitor.page.keyboard.press("?")
    expect(visitor.page.get_by_role("dialog")).to_contain_text("Ctrl")


def test_an_older_change_is_taken_out_of_its_row_and_what_came_later_stays(visitor: Visitor) -> None:
    visitor.write("memory/plan.md", "# Plan\n\none\n")
    visitor.write("memory/plan.md", "# Plan\n\none\n\ntwo\n")
    visitor.write("memory/plan.md", "# Plan\n\none\n\ntwo\n\nthree\n")
    visitor.open("/history?path=memory/plan.md")
    rows = visitor.page.locator("table.rows tbody tr")
    expect(rows).to_have_count(3)
    rows.nth(1).get_by_role("button").click()
    expect(visitor.toast).to_contain_text("Undone.")
    assert visitor.text("memory/plan.md").split() == ["#", "Plan", "one", "three"]
    expect(rows).to_have_count(4)
    expect(rows.nth(2).get_by_role("button")).to_have_count(0)  # it is undone
    visitor.press("Redo", visitor.toast)
    expect(visitor.toast).to_contain_text("Done again.")
    assert visitor.text("memory/plan.md") == "# Plan\n\none\n\ntwo\n\nthree\n"


def test_an_older_change_whose_lines_were_changed_since_is_restored_in_two_clicks(visitor: Visitor) -> None:
    for text in ("one\n", "two\n", "three\n"):
        visitor.write("memory/plan.md", text)
    visitor.open("/history?path=memory/plan.md")
    rows = visitor.page.locator("table.rows tbody tr")
    expect(rows).to_have_count(3)
    why = "The same lines of memory/plan.md were changed since."
    expect(rows.nth(1).get_by_role("button")).to_be_disabled()
    expect(rows.nth(1).get_by_role("button")).to_have_attribute("title", why)
    rows.nth(1).locator("td.word a").click()
    expect(visitor.button("Undo this change")).to_be_disabled()
    expect(visitor.page.get_by_text(why)).to_be_visible()
    visitor.press("Restore what was before")
    expect(visitor.toast).to_contain_text("Restored.")
    assert visitor.text("memory/plan.md") == "one\n"
