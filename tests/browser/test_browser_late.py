"""What comes late in a real browser: the line of events, an answer that a newer one has overtaken, another key."""

from __future__ import annotations

from typing import Any

import pytest
from browser.visitor import Visitor

sync_api = pytest.importorskip("playwright.sync_api", reason="NO PAGE WAS SEEN IN A BROWSER: run `make browser`")
expect = sync_api.expect

EVENTS = "**/api/v1/events"
SEE_THE_DOOR = """() => {
  window.wasAtTheDoor = false;
  const look = () => { window.wasAtTheDoor ||= Boolean(document.querySelector("main.lost")); };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}"""


class Held:
    """Requests of a page that wait until they are let go."""

    def __init__(self, page: Any, pattern: str) -> None:
        self._page, self._pattern = page, pattern
        self.routes: list[Any] = []
        page.route(pattern, self._hold)

    def _hold(self, route: Any) -> None:
        self.routes.append(route)

    def let_go(self) -> None:
        """Let all of them go, and hold no more."""
        for route in self.routes:
            route.continue_()
        self._page.unroute(self._pattern, self._hold)


def test_what_is_written_before_the_line_is_there_is_shown_when_it_comes(visitor: Visitor) -> None:
    visitor.write("memory/plan.md", "the first words\n")
    line = Held(visitor.page, EVENTS)
    visitor.open_note("memory/plan.md")
    expect(visitor.page.locator(".markdown")).to_contain_text("the first words")
    visitor.write("memory/plan.md", "the second words\n")
    line.let_go()
    expect(visitor.page.locator(".markdown")).to_contain_text("the second words")


def test_what_the_page_writes_itself_is_shown_without_a_line(visitor: Visitor) -> None:
    visitor.write("memory/plan.md", "the first words\n")
    line = Held(visitor.page, EVENTS)
    visitor.open_note("memory/plan.md")
    visitor.press("Edit")
    visitor.type_at_end("and some more\n")
    visitor.page.keyboard.press("Control+s")
    expect(visitor.page.locator(".markdown")).to_contain_text("and some more")
    visitor.press("Undo", visitor.toast)
    expect(visitor.page.locator(".markdown")).not_to_contain_text("and some more")
    visitor.press("Redo", visitor.toast)
    expect(visitor.page.locator(".markdown")).to_contain_text("and some more")
    line.let_go()


def test_who_comes_in_anew_is_refused_nothing(visitor: Visitor) -> None:
    refused: list[str] = []
    visitor.page.on("response", lambda answer: refused.append(answer.url) if answer.status == 401 else None)
    asked = Held(visitor.page, "**/api/v1/**")
    with visitor.page.expect_response(lambda answer: answer.request.method == "POST" and answer.url.endswith("/enter")):
        visitor.page.goto(visitor.link())
    asked.let_go()
    expect(visitor.page.get_by_role("img", name="Live: changes show at once")).to_be_visible()
    assert refused == []


def test_a_call_that_another_tab_has_overtaken_at_the_door_is_made_again(visitor: Visitor) -> None:
    visitor.write("memory/plan.md", "the first words\n")
    visitor.open("/")
    expect(visitor.title).to_have_text("Today")
    visitor.page.evaluate(SEE_THE_DOOR)
    asked = Held(visitor.page, "**/api/v1/notes/**")
    with visitor.page.expect_request("**/api/v1/notes/**"):
        visitor.go("/notes/memory/plan.md")
    other = visitor.tab()
    other.goto(visitor.link())
    other.get_by_role("link", name="Holdfast, to the start page").wait_for()
    asked.let_go()
    expect(visitor.page.locator(".markdown")).to_contain_text("the first words")
    assert not visitor.page.evaluate("window.wasAtTheDoor")


def test_a_plan_that_comes_after_the_words_were_changed_is_not_shown(visitor: Visitor) -> None:
    visitor.write("memory/plan.md", "- The office is in Berlin.\n- The dog is called Rex.\n")
    visitor.open("/forget")
    visitor.page.get_by_label("This is the exact text").check()
    field = visitor.page.get_by_label("The exact text", exact=True)
    field.fill("The office is in Berlin.")
    asked = Held(visitor.page, "**/api/v1/forget")
    with visitor.page.expect_request("**/api/v1/forget"):
        visitor.press("Show the plan")
    field.fill("The dog is called Rex.")
    asked.let_go()
    expect(visitor.button("Show the plan")).to_be_enabled()
    expect(visitor.page.locator("table.rows")).to_have_count(0)
    visitor.press("Show the plan")
    expect(visitor.page.locator("table.rows")).to_contain_text("The dog is called Rex.")
    expect(visitor.page.locator("table.rows")).not_to_contain_text("Berlin")


def test_older_changes_of_one_note_are_not_put_behind_those_of_another(visitor: Visitor) -> None:
    visitor.write("memory/other.md", "other\n")
    for number in range(101):
        visitor.write("memory/plan.md", f"words {number}\n")
    visitor.open("/history?path=memory/plan.md")
    more = visitor.button("Older changes")
    asked = Held(visitor.page, "**/api/v1/history?**before=**")
    with visitor.page.expect_request("**/api/v1/history?**before=**"):
        more.click()
    with visitor.page.expect_event("requestfailed", lambda request: "before=" in request.url):
        visitor.go("/history?path=memory/other.md")
    expect(visitor.page.locator("tbody tr")).to_have_count(1)
    asked.let_go()
    visitor.go("/history?path=memory/plan.md")
    expect(visitor.page.locator("tbody tr")).to_have_count(100)
    more.click()
    expect(visitor.page.locator("tbody tr")).to_have_count(101)


def test_what_is_half_typed_in_a_filter_stays_while_others_write(visitor: Visitor) -> None:
    visitor.write("memory/one.md", "one\n")
    visitor.open("/history")
    rows = visitor.page.locator("tbody tr")
    expect(rows).to_have_count(1)
    field = visitor.page.get_by_role("group", name="Filters").get_by_label("Note")
    field.fill("memory/t")
    visitor.write("memory/two.md", "two\n")
    expect(rows).to_have_count(2)
    expect(field).to_have_value("memory/t")
    field.fill("memory/two.md")
    field.press("Enter")
    expect(rows).to_have_count(1)


def test_a_page_that_can_not_be_drawn_says_so_and_takes_no_other_along(visitor: Visitor) -> None:
    asked: list[str] = []
    visitor.page.on("request", lambda request: asked.append(request.url))
    visitor.page.route("**/api/v1/status", lambda route: route.fulfill(json={}))
    visitor.open("/status")
    expect(visitor.title).to_have_text("This page can't be shown")
    expect(visitor.page.get_by_role("alert")).to_contain_text("Something went wrong in this page")
    assert len([url for url in asked if url.endswith("/api/v1/status")]) < 5  # nor is it asked over and over
    visitor.page.get_by_role("link", name="Search").click()
    expect(visitor.title).to_have_text("Search")
    visitor.page.unroute("**/api/v1/status")
    visitor.page.get_by_role("link", name="Status").click()
    expect(visitor.title).to_have_text("Status")


def test_a_note_that_is_too_large_is_told_where_it_is_opened_and_where_memory_says_how_it_is(visitor: Visitor) -> None:
    (visitor.web.home / "memory").mkdir(parents=True, exist_ok=True)
    (visitor.web.home / "memory" / "big.md").write_bytes(b"- line about the otter\n" * 200_000)
    visitor.open_note("memory/big.md")
    visitor.page.set_viewport_size({"width": 390, "height": 844})
    expect(visitor.page.get_by_role("link", name="All notes")).to_be_visible()  # there is no tree beside it
    visitor.page.set_viewport_size({"width": 1280, "height": 800})
    expect(visitor.page.get_by_role("alert")).to_contain_text("Split it into smaller pieces")
    visitor.open("/status")
    expect(visitor.page.locator(".notice", has_text="1 check could be better")).to_be_visible()
    expect(visitor.page.locator("tr", has_text="memory/big.md")).to_contain_text("no search finds them")
