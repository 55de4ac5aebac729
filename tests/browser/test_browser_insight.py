"""Dreams by run, your own questions, the map; and trouble from outside: a late link, a silent provider, a big file."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path
from typing import Any

import provider_faults as faults
import pytest
from browser.visitor import Visitor
from commandline import SCRIPT
from provider_server import ProviderServer
from surfaces.http.serving import served

sync_api = pytest.importorskip("playwright.sync_api", reason="NO PAGE WAS SEEN IN A BROWSER: run `make browser`")
expect = sync_api.expect

LATER = """
import os, time
real = time.time
time.time = lambda: real() + (601 if os.path.exists({flag!r}) else 0)
"""


def dream_of_roses(visitor: Visitor) -> str:
    """Have something to dream of, and dream; gives the run."""
    owner = visitor.web.page()
    owner.call("PATCH", "/settings", {"changes": {"dreaming.deep.min_recall_count": 1}})
    owner.call("PUT", "/notes/memory/habits.md", {"content": "- The owner waters the roses every Friday.\n"})
    for question in ("when are the roses watered", "what does the owner do every Friday"):
        owner.call("POST", "/search", {"query": question})
    return str(owner.call("POST", "/dreams", {}).json["run"])


def test_a_run_says_why_and_is_rolled_back_brought_back_and_rolled_back_again(visitor: Visitor) -> None:
    run = dream_of_roses(visitor)
    memory = visitor.web.home / "MEMORY.md"
    assert "roses" in memory.read_text()
    visitor.open("/dreams")
    shown = visitor.page.locator(".dream-run")
    expect(shown).to_contain_text("Into MEMORY.md as")
    expect(shown.get_by_role("link", name="memory/habits.md#1")).to_be_visible()
    visitor.press(f"Roll back run {run}")
    expect(visitor.toast).to_contain_text("rolled back")
    expect(shown).to_contain_text("rolled back")
    assert not memory.exists() or "roses" not in memory.read_text()
    visitor.press("Undo", visitor.toast)
    expect(visitor.button(f"Roll back run {run}")).to_be_visible()
    assert "roses" in memory.read_text()
    visitor.press(f"Roll back run {run}")
    expect(shown).to_contain_text("rolled back")


def test_questions_are_drafted_asked_and_a_miss_says_why(visitor: Visitor) -> None:
    page = visitor.page
    visitor.write("memory/garden.md", "# Garden plan\n\n- Tomatoes are watered on Mondays in the small greenhouse.\n")
    visitor.open("/quality")
    expect(page.get_by_text("No questions yet")).to_be_visible()
    visitor.press("Draft 20 from my notes")
    expect(visitor.toast).to_contain_text("drafted")
    page.get_by_label("Question", exact=True).fill("what about the harbour master")
    page.get_by_label("Answer in").fill("memory/gone.md#3")
    visitor.press("Add")
    expect(visitor.toast).to_contain_text("There is no note memory/gone.md.")
    expect(page.get_by_role("row", name="harbour master")).to_contain_text("There is no note memory/gone.md.")
    visitor.press("Ask them all")
    expect(page.get_by_role("heading", name="How")).to_be_visible()
    expect(page.locator("table.misses")).to_contain_text("There is no note memory/gone.md any more")
    visitor.press("Remove: what about the harbour master")
    expect(visitor.toast).to_contain_text("Question removed.")
    expect(visitor.button("Remove: what about the harbour master")).to_have_count(0)
    visitor.press("Undo", visitor.toast)
    expect(visitor.button("Remove: what about the harbour master")).to_be_visible()


def test_a_hit_is_kept_as_the_answer_of_its_question(visitor: Visitor) -> None:
    visitor.write("memory/ferry.md", "# Ferry\n\n- The ferry to Naxos leaves at noon.\n")
    visitor.open("/search?q=when%20does%20the%20ferry%20leave")
    visitor.press("This answers it")
    expect(visitor.toast).to_contain_text("Question kept.")
    visitor.open("/quality")
    expect(visitor.page.get_by_role("row", name="when does the ferry leave")).to_contain_text("memory/ferry.md")


def test_the_map_is_drawn_with_a_list_that_says_the_same(visitor: Visitor) -> None:
    page = visitor.page
    for name in ("garden", "kitchen", "server", "travel", "music"):
        visitor.write(f"memory/{name}.md", f"# {name.title()}\n\nAll about the {name} and nothing else.\n")
    visitor.web.call("POST", "/api/v1/sync", {})
    visitor.open("/map")
    expect(page.get_by_role("img", name="Map of 5 notes")).to_be_visible()
    drawn = "canvas => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some(Boolean)"
    page.wait_for_function(drawn, arg=page.locator("canvas").element_handle())  # it is there before it is drawn
    groups = page.get_by_role("region", name="Groups and their notes").locator("summary")
    listed = set()
    for at in range(groups.count()):
        groups.nth(at).click()
        links = groups.nth(at).locator("xpath=..").locator(".note-link")  # of this group: the last may still be open
        expect(links.first).to_be_visible()
        listed |= set(links.all_inner_texts())
    assert {"memory/garden.md", "memory/music.md"} <= listed


def test_a_map_of_nothing_says_so(visitor: Visitor) -> None:
    visitor.open("/map")
    expect(visitor.page.get_by_text("Nothing to draw yet")).to_be_visible()


def test_a_link_that_is_older_than_ten_minutes_is_refused(tmp_path: Path, chromium: Any) -> None:
    flag = tmp_path / "later"
    program = LATER.format(flag=str(flag)) + SCRIPT
    with (
        served(tmp_path / "home", program=program, python=sys.executable) as web,
        Visitor(chromium, web) as visitor,
    ):
        link = visitor.link()
        flag.touch()  # ten minutes pass
        visitor.page.goto(link)
        expect(visitor.page.get_by_role("alert")).to_contain_text("older than ten minutes")
        expect(visitor.page.get_by_text("holdfast ui", exact=True)).to_be_visible()


def test_a_provider_that_says_nothing_is_not_waited_for_without_end(tmp_path: Path, chromium: Any) -> None:
    with (
        ProviderServer() as providers,
        served(tmp_path / "home", HOLDFAST_LLM_TIMEOUT_SECONDS="1") as web,
        Visitor(chromium, web) as visitor,
    ):
        providers.always(faults.HANG, on=".*")
        visitor.enter()
        visitor.open("/settings")
        visitor.page.locator("#set-llm-provider").select_option("custom")
        visitor.page.locator("#set-llm-model").fill("tiny")
        visitor.page.locator("#set-llm-base_url").fill(providers.url)
        visitor.page.locator("#set-llm-api_key").fill(providers.key)
        test = visitor.page.locator(".provider-pair .test").last
        visitor.press("Test", test)
        expect(test).to_contain_text("It does not answer.", timeout=30_000)
        assert providers.key not in test.inner_text()
        providers.reset()


def test_an_import_of_sixty_megabytes_is_shown_and_one_that_is_too_large_refused(
    visitor: Visitor, tmp_path: Path
) -> None:
    large, too_large = tmp_path / "notes.zip", tmp_path / "more.zip"
    with zipfile.ZipFile(large, "w", zipfile.ZIP_STORED) as packed:
        packed.writestr("vault/ferry.md", "# Ferry\n\nThe ferry leaves at noon.\n")
        packed.writestr("vault/picture.png", bytes(60_000_000))  # what a folder of notes is full of
    too_large.write_bytes(bytes(64 * 1024 * 1024 + 1))
    visitor.open("/exchange")
    field = visitor.page.locator("input[type=file]")
    field.set_input_files(too_large)
    visitor.press("Preview")
    expect(visitor.page.get_by_role("alert")).to_be_visible(timeout=60_000)
    field.set_input_files(large)
    visitor.press("Preview")
    expect(visitor.page.locator(".preview")).to_contain_text("ferry", timeout=60_000)
    visitor.press("Bring it in")
    expect(visitor.toast).to_contain_text("Imported.", timeout=60_000)
    visitor.press("Undo", visitor.toast)
    expect(visitor.toast).to_contain_text("Undone.")
    assert "ferry" not in "".join(path.read_text() for path in (visitor.web.home / "memory").rglob("*.md"))
