"""Notes in a real browser: come in, make, edit, rename, delete, undo, and meet somebody else's change."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browser.visitor import Visitor
from surfaces.http.serving import Served

sync_api = pytest.importorskip("playwright.sync_api", reason="NO PAGE WAS SEEN IN A BROWSER: run `make browser`")
expect = sync_api.expect


def test_a_link_lets_in_once_and_the_next_browser_is_told_the_way(web: Served, chromium: Any) -> None:
    with Visitor(chromium, web) as first, Visitor(chromium, web) as second:
        link = first.link()
        first.page.goto(link)
        expect(first.title).to_have_text("Welcome")
        assert "#" not in first.page.url and "enter" not in first.page.url  # the code is not left in the address
        second.page.goto(link)
        expect(second.title).to_have_text("This browser is not let in yet")
        expect(second.page.get_by_text("holdfast ui", exact=True)).to_be_visible()
        expect(second.page.get_by_role("alert")).to_be_visible()


def test_who_has_no_link_sees_how_to_get_one_and_goes_on_by_itself(web: Served, chromium: Any) -> None:
    with Visitor(chromium, web) as visitor:
        visitor.open("/notes")
        expect(visitor.title).to_have_text("This browser is not let in yet")
        other = visitor.tab()
        other.goto(visitor.link())
        expect(other.get_by_role("heading", level=1)).to_have_text("Welcome")
        expect(visitor.page.get_by_role("searchbox", name="Filter notes")).to_be_visible()


def test_a_link_that_is_not_one_is_refused(web: Served, chromium: Any) -> None:
    with Visitor(chromium, web) as visitor:
        visitor.page.goto(f"{web.url}/enter#not-a-code")
        expect(visitor.page.get_by_role("alert")).to_contain_text("holdfast ui")


def test_a_note_is_made_edited_and_taken_back(visitor: Visitor) -> None:
    page = visitor.page
    visitor.open("/notes")
    visitor.press("New note")
    page.get_by_label("Path").fill("memory/garden.md")
    visitor.press("New note", page.get_by_role("dialog"))
    expect(visitor.editor).to_be_visible()
    visitor.type_at_end("\n- Tomatoes by the south wall.")
    page.keyboard.press("Control+s")
    expect(page.locator(".markdown")).to_contain_text("Tomatoes by the south wall.")
    assert visitor.text("memory/garden.md").endswith("- Tomatoes by the south wall.")
    visitor.press("Undo", visitor.toast)
    expect(visitor.toast).to_contain_text("Undone.")
    expect(page.locator(".markdown")).not_to_contain_text("Tomatoes")
    assert "Tomatoes" not in visitor.text("memory/garden.md")
    visitor.press("Redo", visitor.toast)
    expect(page.locator(".markdown")).to_contain_text("Tomatoes")
    origin = visitor.web.call("GET", "/api/v1/history?limit=1").json["checkpoints"][0]["origin"]
    assert origin == "user"  # the owner acts, not a program


def test_a_note_is_renamed_deleted_and_brought_back(visitor: Visitor) -> None:
    page = visitor.page
    visitor.write("memory/old.md", "# Old\n\nWords.\n")
    visitor.open_note("memory/old.md")
    visitor.press("Rename")
    page.get_by_label("Path").fill("memory/new.md")
    visitor.press("Rename", page.get_by_role("dialog"))
    expect(visitor.title).to_have_text("memory/new.md")
    assert not (visitor.web.home / "memory/old.md").exists()
    visitor.press("Undo", visitor.toast)
    expect(visitor.title).to_have_text("memory/old.md")
    visitor.press("Redo", visitor.toast)
    expect(visitor.title).to_have_text("memory/new.md")
    visitor.press("Delete")
    expect(visitor.toast).to_contain_text("Deleted memory/new.md.")
    assert not (visitor.web.home / "memory/new.md").exists()
    visitor.press("Undo", visitor.toast)
    expect(visitor.toast).to_contain_text("Undone.")
    assert visitor.text("memory/new.md") == "# Old\n\nWords.\n"
    expect(page.get_by_role("treeitem", name=re.compile("new"))).to_be_visible()


def test_a_draft_outlives_the_page(visitor: Visitor) -> None:
    visitor.write("memory/a.md", "# A\n")
    visitor.open_note("memory/a.md", "?edit=1")
    visitor.type_at_end("half a thought")
    visitor.page.reload()
    expect(visitor.editor).to_contain_text("half a thought")
    visitor.press("Later")
    expect(visitor.page.get_by_text("You have an unsaved draft")).to_be_visible()
    assert "half" not in visitor.text("memory/a.md")


def test_what_may_not_be_saved_is_refused_at_its_line(visitor: Visitor) -> None:
    visitor.write("memory/a.md", "# A\n")
    visitor.open_note("memory/a.md", "?edit=1")
    visitor.type_at_end("\ntoken = ghp_" + "a1B2" * 9)
    visitor.press("Save")
    expect(visitor.page.get_by_role("alert")).to_be_visible()
    expect(visitor.page.locator(".cm-refused")).to_be_visible()
    assert "ghp_" not in visitor.text("memory/a.md")


def conflict(visitor: Visitor) -> None:
    """Edit a note while somebody else writes it, and try to save."""
    visitor.write("memory/plan.md", "# Plan\n\none\n\ntwo\n\nthree\n")
    visitor.open_note("memory/plan.md", "?edit=1")
    visitor.type_at_end("mine\n")
    visitor.write("memory/plan.md", "# Plan\n\nONE of theirs\n\ntwo\n\nthree\n")
    expect(visitor.page.get_by_text("was changed by")).to_be_visible()  # at once, not at the save
    visitor.press("Save")
    expect(visitor.page.get_by_role("alertdialog")).to_be_visible()
    assert "mine" not in visitor.text("memory/plan.md")


def test_a_conflict_ends_with_both(visitor: Visitor) -> None:
    conflict(visitor)
    visitor.press("Keep both")
    expect(visitor.editor).to_contain_text("ONE of theirs")
    expect(visitor.page.get_by_text("Nothing is saved yet")).to_be_visible()
    assert "mine" not in visitor.text("memory/plan.md")
    visitor.press("Save")
    expect(visitor.page.locator(".markdown")).to_contain_text("mine")
    assert visitor.text("memory/plan.md") == "# Plan\n\nONE of theirs\n\ntwo\n\nthree\nmine\n"


def test_a_conflict_with_ones_own_other_tab_says_so(visitor: Visitor) -> None:
    visitor.write("memory/plan.md", "one\n")
    visitor.open_note("memory/plan.md", "?edit=1")
    visitor.type_at_end("mine\n")
    visitor.web.page().call("PUT", "/notes/memory/plan.md", {"content": "two\n"})
    expect(visitor.page.get_by_text("by yourself, in another tab")).to_be_visible()
    visitor.press("Look at both")
    expect(visitor.page.get_by_role("alertdialog")).to_contain_text("This note was changed meanwhile")


def test_a_conflict_ends_with_mine(visitor: Visitor) -> None:
    conflict(visitor)
    visitor.press("Keep mine")
    expect(visitor.page.locator(".markdown")).to_contain_text("mine")
    assert visitor.text("memory/plan.md") == "# Plan\n\none\n\ntwo\n\nthree\nmine\n"
    visitor.press("Undo", visitor.toast)
    expect(visitor.page.locator(".markdown")).to_contain_text("ONE of theirs")


def test_a_conflict_ends_with_theirs(visitor: Visitor) -> None:
    conflict(visitor)
    sides = visitor.page.locator(".conflict table.diff")
    expect(sides).to_have_class("diff beside")
    visitor.page.set_viewport_size({"width": 390, "height": 844})
    expect(sides).to_have_class("diff")  # one below the other, where two columns have no room
    visitor.page.set_viewport_size({"width": 1280, "height": 800})
    visitor.press("Take theirs")
    expect(visitor.editor).to_contain_text("ONE of theirs")
    expect(visitor.button("Save")).to_be_disabled()
    visitor.press("Close")
    expect(visitor.page.locator(".markdown")).to_contain_text("ONE of theirs")
    assert "mine" not in visitor.text("memory/plan.md")


def test_a_note_that_was_deleted_meanwhile_can_be_made_again(visitor: Visitor) -> None:
    visitor.write("memory/plan.md", "one\n")
    visitor.open_note("memory/plan.md", "?edit=1")
    visitor.type_at_end("mine\n")
    visitor.web.call("DELETE", "/api/v1/notes/memory/plan.md")
    expect(visitor.page.get_by_text("This note was deleted while you edit it")).to_be_visible()
    visitor.press("Save")
    visitor.press("Save mine")
    expect(visitor.page.locator(".markdown")).to_contain_text("mine")
    assert visitor.text("memory/plan.md") == "one\nmine\n"


def test_a_clean_note_shows_what_somebody_else_wrote_and_takes_it_back(visitor: Visitor) -> None:
    visitor.write("memory/plan.md", "one\n")
    visitor.open_note("memory/plan.md")
    expect(visitor.page.locator(".markdown")).to_contain_text("one")
    visitor.write("memory/plan.md", "two\n")
    expect(visitor.page.locator(".markdown")).to_contain_text("two")
    visitor.press("Undo", visitor.page.get_by_role("status").filter(has_text="Changed by"))
    expect(visitor.page.locator(".markdown")).to_contain_text("one")
    assert visitor.text("memory/plan.md") == "one\n"


def test_another_tab_shows_a_save(visitor: Visitor) -> None:
    visitor.write("memory/plan.md", "one\n")
    visitor.open_note("memory/plan.md", "?edit=1")
    other = visitor.tab()
    other.goto(f"{visitor.web.url}/notes/memory/plan.md")
    expect(other.locator(".markdown")).to_contain_text("one")
    visitor.page.bring_to_front()  # a page that nobody looks at is drawn seldom
    visitor.type_at_end("two\n")
    visitor.press("Save")
    expect(other.locator(".markdown")).to_contain_text("two")


def test_links_lead_to_notes_and_back(visitor: Visitor) -> None:
    visitor.write("memory/a.md", "# A\n\nSee [the other](b.md).\n")
    visitor.write("memory/b.md", "# B\n\nWords.\n")
    visitor.open_note("memory/a.md")
    visitor.page.get_by_role("link", name="the other").click()
    expect(visitor.title).to_have_text("memory/b.md")
    expect(visitor.page.get_by_role("complementary")).to_contain_text("memory/a.md#3")


def test_of_a_long_note_a_part_is_drawn_around_the_line_that_is_meant_and_more_on_a_button(visitor: Visitor) -> None:
    paragraphs = "".join(f"Paragraph {number}.\n\n" for number in range(1500))
    items = "".join(f"- Item {number}.\n" for number in range(3000))
    rows = "".join(f"| row {number} | {number} |\n" for number in range(500))
    text = f"# Long\n\n{paragraphs}## The list\n\n{items}\n## The table\n\n| a | b |\n|---|---|\n{rows}"
    (visitor.web.home / "memory").mkdir(parents=True, exist_ok=True)
    (visitor.web.home / "memory" / "long.md").write_text(text)
    line = text[: text.index("- Item 2000.")].count("\n") + 1
    visitor.open(f"/notes/memory/long.md#L{line}")
    page, marked = visitor.page, visitor.page.locator(".markdown .marked")
    expect(marked).to_have_text("Item 2000.")
    expect(marked).to_be_in_viewport()
    drawn = page.locator(".markdown li, .markdown p, .markdown tr")
    assert drawn.count() < 700
    page.keyboard.press("e")
    expect(visitor.editor).to_contain_text("Item 2000.")  # who corrects a line need not look for it again
    page.keyboard.press("Escape")
    expect(marked).to_be_in_viewport()
    first = page.locator(".markdown li").first.get_attribute("data-line")
    page.get_by_role("button", name="Show earlier").click()
    expect(page.locator(f".markdown [data-line='{first}']")).to_be_in_viewport()  # what was read stays where it was
    expect(page.locator(f".markdown [data-line='{line - 500}']")).to_contain_text("Item 1500.")
    page.get_by_role("complementary").get_by_role("link", name="The table").click()
    expect(page.get_by_role("heading", name="The table")).to_be_in_viewport()
    assert drawn.count() < 700
    page.get_by_role("button", name="Show more").click()
    expect(page.get_by_text("row 499")).to_be_attached()
    expect(page.get_by_role("button", name="Show more")).to_have_count(0)
    page.keyboard.press("e")
    expect(visitor.editor).to_contain_text("row ")
    page.keyboard.press("Escape")
    visitor.go("/notes/memory/long.md")
    expect(page.get_by_text("Paragraph 0.")).to_be_visible()
    assert drawn.count() < 700
    visitor.go("/")
    expect(visitor.title).to_have_text("Today")  # not empty, although nothing of it has a history
