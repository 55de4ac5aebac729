"""The rest of the flows in a real browser: the door, kinds of settings, long histories, a narrow screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browser.visitor import Visitor
from surfaces.http.serving import Served, served

sync_api = pytest.importorskip("playwright.sync_api", reason="NO PAGE WAS SEEN IN A BROWSER: run `make browser`")
expect = sync_api.expect

MOST_LINKS = 16  # that wait to be used; a newer one takes the place of the oldest


def setting(visitor: Visitor, key: str) -> Any:
    return visitor.page.locator(f"#set-{key.replace('.', '-')}")


def test_a_link_that_newer_ones_pushed_out_is_refused(web: Served, chromium: Any) -> None:
    with Visitor(chromium, web) as visitor:
        first = visitor.link()
        for _ in range(MOST_LINKS):
            visitor.link()
        visitor.page.goto(first)
        expect(visitor.page.get_by_role("alert")).to_contain_text("holdfast ui")


def test_a_stolen_cookie_alone_sees_nothing(visitor: Visitor, chromium: Any) -> None:
    with Visitor(chromium, visitor.web) as thief:
        thief.context.add_cookies(visitor.context.cookies())
        thief.open("/notes")
        expect(thief.title).to_have_text("This browser is not let in yet")
        asked = "fetch('/api/v1/tree').then(answer => answer.status)"
        assert thief.page.evaluate(asked) == 401


def test_who_comes_by_a_name_of_the_network_is_told_that_the_line_is_plain(tmp_path: Path, chromium: Any) -> None:
    name = "memory.localhost"  # which leads here, and is none of those that only this machine can use
    with served(tmp_path / "home", "--allow-host", name) as web, Visitor(chromium, web) as visitor:
        link = visitor.link()
        web.url = web.url.replace("127.0.0.1", name)
        visitor.page.goto(link.replace("127.0.0.1", name))
        expect(visitor.page.get_by_role("alert")).to_contain_text("This line is not encrypted")


def test_a_refused_address_says_the_way_in(web: Served, chromium: Any) -> None:
    with Visitor(chromium, web) as visitor:
        visitor.open("/api/v1/notes")
        expect(visitor.title).to_have_text("This page can't be shown")
        way = visitor.page.get_by_role("paragraph").filter(has_text="Open Holdfast, or run")
        expect(way.get_by_text("holdfast ui", exact=True)).to_be_visible()


def test_an_address_that_leads_nowhere_says_so(visitor: Visitor) -> None:
    visitor.open("/nowhere")
    expect(visitor.page.get_by_text("There is no page of the web app at this address.")).to_be_visible()
    expect(visitor.page.get_by_text("holdfast ui")).to_have_count(0)  # who is let in need not be let in again
    visitor.page.get_by_role("link", name="Open Holdfast").click()
    expect(visitor.page.locator(".shell")).to_be_visible()
    visitor.open("/notes/memory/none.md")
    expect(visitor.page.get_by_text("There is no such note")).to_be_visible()
    visitor.page.get_by_role("link", name="Write it").click()
    visitor.type_at_end("now there is\n")
    visitor.press("Save")
    expect(visitor.page.locator(".markdown")).to_contain_text("now there is")


def test_today_says_who_changed_what_and_what_waits(visitor: Visitor) -> None:
    visitor.write("memory/plan.md", "one\n")
    visitor.web.call("POST", "/api/v1/notes", {"content": "The office moved to Munich."})
    visitor.open("/")
    expect(visitor.page.locator("main")).to_contain_text("memory/plan.md")
    visitor.page.get_by_role("link", name="One line waits for your yes.").click()
    expect(visitor.title).to_have_text("Inbox")
    expect(visitor.page.locator(".inbox > li")).to_have_count(1)


@pytest.mark.parametrize(
    ("table", "key", "value", "line"),
    [
        ("memory", "memory.citations", "off", 'citations = "off"'),
        ("capture", "capture.enabled", False, "enabled = false"),
        ("memory.search", "memory.search.max_results", "12", "max_results = 12"),
        ("memory", "memory.model", "tiny", 'model = "tiny"'),
    ],
)
def test_each_kind_of_setting_is_changed_and_reset(
    visitor: Visitor, table: str, key: str, value: Any, line: str
) -> None:
    visitor.open(f"/settings/all/{table}")
    field = setting(visitor, key)
    field.wait_for()
    if isinstance(value, bool):
        field.set_checked(value)
    elif field.evaluate("field => field.tagName") == "SELECT":
        field.select_option(value)
    else:
        field.fill(value)
    visitor.press("Save")
    expect(visitor.toast).to_contain_text("1 setting saved.")
    assert line in visitor.text("holdfast.toml")
    visitor.page.locator(".setting", has=field).get_by_role("button", name="Reset to default").click()
    visitor.press("Save")
    expect(visitor.page.locator(".save-line")).to_have_count(0)
    assert line not in visitor.text("holdfast.toml")


def test_a_secret_is_written_and_never_read_back(visitor: Visitor) -> None:
    secret = "sk-this-is-not-shown-again"
    visitor.open("/settings")
    setting(visitor, "memory.api_key").fill(secret)
    visitor.press("Show the diff of holdfast.toml")
    expect(visitor.page.locator(".toml-diff")).to_contain_text("[hidden]")
    visitor.press("Save")
    expect(visitor.toast).to_contain_text("saved")
    visitor.page.reload()
    expect(setting(visitor, "memory.api_key")).to_have_value("")
    expect(setting(visitor, "memory.api_key")).to_have_attribute("placeholder", "set; type to replace it")
    assert secret not in visitor.page.content() and secret in visitor.text("holdfast.toml")


def test_a_broken_settings_file_is_told_and_mended(visitor: Visitor) -> None:
    (visitor.web.home / "holdfast.toml").write_text("[memory\n")
    visitor.open("/settings")
    expect(visitor.page.get_by_role("alert").first).to_contain_text("holdfast.toml can’t be used")
    (visitor.web.home / "holdfast.toml").write_text("[memory]\n")
    visitor.page.reload()
    expect(setting(visitor, "memory.style")).to_be_visible()
    expect(visitor.page.get_by_role("alert")).to_have_count(0)


def test_a_setting_is_found_by_its_words(visitor: Visitor) -> None:
    visitor.open("/settings")
    visitor.page.get_by_role("searchbox", name="Find a setting").fill("max_results")
    expect(setting(visitor, "memory.search.max_results")).to_be_visible()
    expect(setting(visitor, "memory.style")).to_have_count(0)


def test_a_long_history_is_read_in_parts(visitor: Visitor) -> None:
    for at in range(110):
        visitor.write("memory/plan.md", f"{at}\n")
    visitor.open("/history")
    rows = visitor.page.locator("table.rows tbody tr")
    expect(rows).to_have_count(100)
    visitor.press("Older changes")
    expect(rows).to_have_count(110)
    visitor.page.get_by_role("group", name="Filters").get_by_label("Who").select_option("user")
    expect(visitor.page.get_by_text("No change fits")).to_be_visible()


def test_both_texts_of_a_change_stand_beside_each_other(visitor: Visitor) -> None:
    visitor.write("memory/plan.md", "the old words\n")
    made = visitor.write("memory/plan.md", "the new words\n")
    visitor.open(f"/history/{made['checkpointId']}")
    visitor.press("Side by side")
    expect(visitor.button("Side by side")).to_have_attribute("aria-pressed", "true")
    expect(visitor.page.locator("main")).to_contain_text("old")
    expect(visitor.page.locator("main")).to_contain_text("new")


def test_a_narrow_screen_has_a_menu(web: Served, chromium: Any) -> None:
    with Visitor(chromium, web, viewport={"width": 390, "height": 844}, has_touch=True) as visitor:
        visitor.enter()
        nav = visitor.page.get_by_role("navigation", name="Pages")
        expect(nav).to_be_hidden()
        visitor.press("Menu")
        nav.get_by_role("link", name="Search").tap()
        expect(visitor.title).to_have_text("Search")
        expect(nav).to_be_hidden()


def test_on_a_narrow_screen_names_are_whole_and_save_is_in_sight(visitor: Visitor) -> None:
    visitor.write("memory/plan.md", "one\n")
    visitor.page.set_viewport_size({"width": 390, "height": 844})
    visitor.open_note("memory/plan.md", "?edit=1")
    expect(visitor.button("Save")).to_be_in_viewport(ratio=1)
    visitor.go("/")
    visitor.page.keyboard.press("Control+k")
    entries = visitor.page.get_by_role("option")
    expect(entries).to_have_count(12)
    assert max(entry.bounding_box()["height"] for entry in entries.all()) < 40
    visitor.page.set_viewport_size({"width": 1280, "height": 800})


def test_a_profile_is_saved_and_taken_back(visitor: Visitor) -> None:
    visitor.open("/settings/profile")
    form = visitor.page.locator("form.setting").filter(has_text="Location")
    form.get_by_role("textbox").fill("Lisbon")
    visitor.press("Save", form)
    expect(visitor.toast).to_contain_text("Profile saved.")
    assert "Lisbon" in visitor.text("USER.md")
    visitor.press("Undo", visitor.toast)
    expect(visitor.toast).to_contain_text("Undone.")
    assert "Lisbon" not in visitor.text("USER.md")


def test_whose_line_it_is_leads_to_its_change(visitor: Visitor) -> None:
    visitor.write("memory/plan.md", "by a program\n")
    visitor.open_note("memory/plan.md")
    mark = visitor.page.get_by_role("link", name="From line 1: API. See the change.")
    expect(mark).to_be_visible()
    mark.click()
    expect(visitor.button("Undo this change")).to_be_visible()


def test_a_note_is_asked_for_by_its_path_in_search(visitor: Visitor) -> None:
    visitor.write("memory/one.md", "The sail was mended.\n")
    visitor.open("/search?q=sail&path=memory/one.md")
    expect(visitor.page.locator(".hit")).to_have_count(1)
    visitor.page.reload()
    expect(visitor.page.get_by_role("searchbox", name="Search memory")).to_have_value("sail")
    expect(visitor.page.locator(".hit")).to_have_count(1)
