"""Many tabs, races, the keyboard alone, what comes in and goes out, days, dreams and colours, in a real browser."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

import pytest
from browser.visitor import Visitor

sync_api = pytest.importorskip("playwright.sync_api", reason="NO PAGE WAS SEEN IN A BROWSER: run `make browser`")
expect = sync_api.expect

RACES = 12  # tests/surfaces/web/test_web_races.py has more than two hundred


def test_twelve_tabs_are_live_at_once(visitor: Visitor) -> None:
    visitor.write("memory/plan.md", "one\n")
    tabs = [visitor.page, *(visitor.tab() for _ in range(11))]
    for tab in tabs:
        tab.goto(f"{visitor.web.url}/notes/memory/plan.md")
        expect(tab.locator(".markdown")).to_contain_text("one")
    visitor.write("memory/plan.md", "two\n")
    for tab in tabs:
        expect(tab.locator(".markdown")).to_contain_text("two")
    tabs[0].close()  # perhaps the one that listened for all
    visitor.write("memory/plan.md", "three\n")
    for tab in tabs[1:]:
        expect(tab.locator(".markdown")).to_contain_text("three")


def test_whoever_saves_second_never_overwrites_unseen(visitor: Visitor) -> None:
    visitor.write("memory/race.md", "0\n")
    for at in range(RACES):
        visitor.open_note("memory/race.md", "?edit=1")
        visitor.type_at_end(f"page {at}\n")
        # The other one writes while the save is on its way: before it, after it, or between.
        visitor.button("Save").evaluate("button => { setTimeout(() => button.click()); }")
        other = {"content": f"other {at}", "file": "memory/race.md", "append": True}
        assert visitor.web.call("POST", "/api/v1/notes", other).status in (200, 201)
        conflict, reader = visitor.page.get_by_role("alertdialog"), visitor.page.locator(".note-body .markdown")
        expect(conflict.or_(reader).first).to_be_visible()
        if conflict.count():
            visitor.page.get_by_role("button", name=re.compile("^Keep both")).click()
            visitor.press("Save")
            expect(reader).to_be_visible()
    last = visitor.text("memory/race.md")
    assert all(f"page {at}\n" in last and f"other {at}" in last for at in range(RACES)), last


def test_a_note_is_found_edited_and_undone_with_the_keyboard_alone(visitor: Visitor) -> None:
    page, keys = visitor.page, visitor.page.keyboard
    visitor.write("memory/garden.md", "# Garden\n")
    visitor.open("/")
    expect(page.get_by_role("link", name="Notes", exact=True)).to_be_visible()
    keys.press("Control+k")
    keys.insert_text("garden")
    expect(page.get_by_role("dialog")).to_contain_text("memory/garden.md")
    keys.press("Enter")
    expect(visitor.title).to_have_text("memory/garden.md")
    keys.press("e")
    expect(visitor.editor).to_be_focused()
    keys.press("Control+End")
    keys.insert_text("Roses.\n")
    keys.press("Control+s")
    expect(page.locator(".markdown")).to_contain_text("Roses.")
    keys.press("u")
    expect(page.locator(".markdown")).not_to_contain_text("Roses.")
    expect(page.locator(".visually-hidden[aria-live=polite]").first).to_have_text("Undone.")  # said aloud too
    assert visitor.text("memory/garden.md") == "# Garden\n"


def test_the_first_stop_of_the_tab_key_leads_to_the_page(visitor: Visitor) -> None:
    visitor.open("/history")
    expect(visitor.title).to_have_text("History")
    visitor.page.evaluate("document.body.focus()")
    visitor.page.keyboard.press("Tab")
    expect(visitor.page.get_by_role("link", name="Skip to the page")).to_be_focused()
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.locator("main")).to_be_focused()


def test_an_import_is_shown_first_then_brought_in_and_taken_back(visitor: Visitor, tmp_path: Path) -> None:
    visitor.open("/exchange")
    held = {"name": "trip.md", "mimeType": "text/markdown", "buffer": b"# Trip\n\nThe ferry leaves at noon.\n"}
    visitor.page.locator("input[type=file]").set_input_files(held)
    visitor.press("Preview")
    preview = visitor.page.locator(".preview")
    expect(preview.locator("dt")).to_have_text(["It is from", "Notes"])  # and no keys of the API
    expect(preview).to_contain_text("notes in Markdown")
    expect(preview.locator("li")).to_have_text("memory/trip.md · new")
    assert "ferry" not in "".join(path.read_text() for path in (visitor.web.home / "memory").glob("*.md"))
    visitor.press("Bring it in")
    expect(visitor.toast).to_contain_text("Imported.")
    assert "ferry" in "".join(path.read_text() for path in (visitor.web.home / "memory").rglob("*.md"))
    visitor.press("Undo", visitor.toast)
    expect(visitor.toast).to_contain_text("Undone.")
    assert "ferry" not in "".join(path.read_text() for path in (visitor.web.home / "memory").rglob("*.md"))


def test_everything_goes_out_as_one_file(visitor: Visitor, tmp_path: Path) -> None:
    visitor.write("memory/plan.md", "the plan\n")
    visitor.open("/exchange")
    with visitor.page.expect_download() as waiting:
        visitor.press("Notes as zip")
    waiting.value.save_as(tmp_path / "out.zip")
    with zipfile.ZipFile(tmp_path / "out.zip") as packed:
        assert any(name.endswith("memory/plan.md") for name in packed.namelist())
    with visitor.page.expect_download() as waiting:
        visitor.press("Facts and notes as JSONL")
    waiting.value.save_as(tmp_path / "out.jsonl")
    assert [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]


def test_a_day_shows_its_note_and_its_changes(visitor: Visitor) -> None:
    today = visitor.web.call("GET", "/api/v1/whoami").json["today"]
    visitor.write(f"memory/{today}.md", "Rain all day.\n")
    visitor.open(f"/days/{today}")
    expect(visitor.title).to_have_text("Calendar: Today")
    expect(visitor.page.locator("main")).to_contain_text("Rain all day.")
    expect(visitor.page.locator("table.rows")).to_contain_text(f"memory/{today}.md")


def test_a_dry_dream_changes_nothing_and_says_so(visitor: Visitor) -> None:
    visitor.write("memory/plan.md", "- The launch is on Monday.\n")
    visitor.open("/dreams")
    visitor.press("Dry run")
    expect(visitor.page.get_by_role("heading", name="What a run would do")).to_be_visible()
    assert not (visitor.web.home / "MEMORY.md").exists()


def test_checkpoints_are_dropped_for_good_only_with_a_typed_word(visitor: Visitor) -> None:
    visitor.write("memory/plan.md", "one\n")
    visitor.write("memory/plan.md", "two\n")
    visitor.open("/history?path=memory/plan.md")
    visitor.press("Drop its checkpoints …")
    expect(visitor.page.get_by_text("2 checkpoints of memory/plan.md would go")).to_be_visible()
    expect(visitor.button("Drop them for good")).to_be_disabled()
    visitor.page.get_by_label("Type “purge” to go on").fill("purge")
    visitor.press("Drop them for good")
    expect(visitor.toast).to_contain_text("2 checkpoints dropped for good.")
    assert visitor.text("memory/plan.md") == "two\n"


def test_dark_is_kept(visitor: Visitor) -> None:
    visitor.open("/")
    visitor.page.get_by_label("Colours").select_option("dark")
    expect(visitor.page.locator("html")).to_have_attribute("data-theme", "dark")
    visitor.page.reload()
    expect(visitor.page.locator("html")).to_have_attribute("data-theme", "dark")


def test_hidden_characters_are_drawn(visitor: Visitor) -> None:
    (visitor.web.home / "memory").mkdir(exist_ok=True)
    (visitor.web.home / "memory" / "odd.md").write_text("safe\u202etxt.exe\u200b\n", encoding="utf-8")
    visitor.open_note("memory/odd.md")
    expect(visitor.page.locator(".hidden-char")).to_have_count(2)
    expect(visitor.page.locator(".hidden-char").first).to_contain_text("U+202E")


def test_another_program_of_the_owner_is_revoked(visitor: Visitor) -> None:
    visitor.open("/settings/browser")
    rows = visitor.page.get_by_role("row")
    expect(rows.filter(has_text="this one")).to_have_count(1)
    other = visitor.web.page()
    visitor.page.reload()
    rows.filter(has_not_text="this one").get_by_role("button", name="Revoke").click()
    expect(visitor.toast).to_contain_text("It is let in no more.")
    assert other.call("GET", "/whoami").status == 401


def test_ten_thousand_notes_are_a_short_list_in_the_page(visitor: Visitor) -> None:
    folder = visitor.web.home / "memory"
    folder.mkdir(exist_ok=True)
    for at in range(10_000):
        (folder / f"note-{at:05}.md").write_text("x\n")
    visitor.open("/notes")
    expect(visitor.page.get_by_text("10,000 notes")).to_be_visible()
    assert visitor.page.get_by_role("treeitem").count() <= 60
    visitor.page.get_by_role("searchbox", name="Filter notes").fill("note-09999")
    expect(visitor.page.get_by_role("treeitem", name="note-09999")).to_be_visible()
    assert visitor.page.get_by_role("treeitem").count() <= 3
