"""What the seeds ask of a page, beyond what the other files do: its rows of settings, facts, upkeep and silent work."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from browser.visitor import Visitor
from embeddings.local.hub_server import running
from sessions.turns import wrote
from surfaces.http.serving import served

from holdfast import Memory
from holdfast.llm.scripted_model import ScriptedModel

sync_api = pytest.importorskip("playwright.sync_api", reason="NO PAGE WAS SEEN IN A BROWSER: run `make browser`")
expect = sync_api.expect


def test_settings_of_memory_say_what_answers_a_search_and_how_much_there_is(visitor: Visitor) -> None:
    visitor.write("memory/plan.md", "# Plan\n\nThe launch is on Monday.\n")
    visitor.open("/settings")
    card = visitor.page.locator("dl.pairs").filter(has_text="holdfast-static-2")
    expect(card).to_contain_text("1 note")
    expect(card).to_contain_text("by words and meaning")


def test_a_control_that_means_nothing_now_is_off_says_why_and_keeps_its_value(visitor: Visitor) -> None:
    visitor.web.page().call("PATCH", "/settings", {"changes": {"chat.prompt_memory_mode": "frozen-at-session-start"}})
    visitor.open("/settings")
    knob = visitor.page.locator("#set-chat-prompt_memory_mode")
    visitor.page.locator("#set-memory-style").select_option("search-only")
    expect(knob).to_be_disabled()
    expect(visitor.page.locator("#set-chat-prompt_memory_mode-why")).to_be_visible()
    expect(knob).to_have_value("frozen-at-session-start")
    visitor.page.locator("#set-memory-style").select_option("hybrid")
    expect(knob).to_be_enabled()


def test_facts_are_narrowed_by_category_origin_and_a_day_in_the_past(visitor: Visitor) -> None:
    visitor.web.page().call("POST", "/facts", {"text": "The owner prefers tea.", "category": "preference"})
    visitor.web.call("POST", "/api/v1/facts", {"text": "The office is in Munich.", "category": "fact"})
    visitor.open("/facts")
    rows = visitor.page.locator("table.rows tbody tr")
    expect(rows).to_have_count(2)
    chips = visitor.page.locator(".filter-chip")
    category, origin = (chips.filter(has_text=name).locator("select") for name in ("Category", "Origin"))
    category.select_option("preference")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("tea")
    category.select_option("")
    origin.select_option("api")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Munich")
    origin.select_option("")
    visitor.page.get_by_label("As of").press("Home")  # a year ago, by the keyboard
    expect(visitor.page.get_by_text("No fact held on that day")).to_be_visible()
    visitor.page.get_by_label("As of").press("End")
    expect(rows).to_have_count(2)


def test_all_vectors_are_made_anew_and_the_room_for_facts_is_told(visitor: Visitor) -> None:
    visitor.write("memory/plan.md", "# Plan\n\nThe launch is on Monday.\n")
    visitor.open("/exchange")
    expect(visitor.page.locator("section", has_text="Capacity").last).to_contain_text("0 facts of 5,000")
    visitor.press("Reindex")
    expect(visitor.page.locator("section").filter(has=visitor.page.locator("#reindex"))).to_contain_text("done")


def test_a_flush_and_a_compaction_are_lines_of_the_transcript_and_no_messages(visitor: Visitor) -> None:
    with Memory.open(visitor.web.home) as memory, memory.session("talk") as session:
        for number in range(6):
            session.append("user", f"Question {number}: where does the otter swim?")
            session.append("assistant", f"Answer {number}: in the river.")
        session.before_compaction(ScriptedModel(wrote("- The user asks about otters."), "NO_REPLY"), force=True)
        session.compact(keep_tokens=20)
    visitor.open("/sessions/talk")
    quiet = visitor.page.locator("li.quiet-line")
    shortened = quiet.filter(has_text="shortened: what was said before")
    expect(shortened).to_have_count(1)
    shortened.locator("summary").click()
    expect(shortened).to_contain_text("It began with: Question 0")
    saved = quiet.filter(has_text="saved what matters")
    expect(saved.get_by_role("link")).to_have_text(re.compile(r"memory/\d{4}-\d\d-\d\d\.md"))
    expect(visitor.page.locator("li.message")).to_have_count(12)


def test_hits_say_who_answered_and_why_it_was_not_who_was_chosen(visitor: Visitor) -> None:
    visitor.write("memory/plan.md", "# Plan\n\nThe launch is on Monday.\n")
    visitor.open("/search?q=launch")
    head = visitor.page.locator(".result-head")
    expect(head).to_contain_text("by words and meaning · local / holdfast-static-2")
    expect(visitor.page.locator(".notice.warn")).to_have_count(0)
    visitor.web.page().call("PATCH", "/settings", {"changes": {"memory.provider": "ollama"}})  # nobody listens there
    visitor.open("/search?q=launch")
    expect(visitor.page.locator(".notice.warn")).to_contain_text("local / holdfast-static-2 answers meanwhile")


def test_a_model_that_is_downloaded_says_on_the_page_how_far_it_is(tmp_path: Path, chromium: Any, window: Any) -> None:
    weights = Random(7).randbytes(3_000_000)
    settings = {"memory.provider": "local", "memory.local.model_path": "hf:owner/repo/model.gguf"}
    with (
        running() as hub,
        served(tmp_path / "home", HF_ENDPOINT=hub.endpoint) as web,
        Visitor(chromium, web, window=window) as visitor,
    ):
        hub.add("owner/repo/model.gguf", weights)
        hub.cuts, hub.holds = [1_500_000], True
        visitor.be_let_in()
        visitor.open("/status")
        expect(visitor.page.get_by_text("No job ran")).to_be_visible()
        web.page().call("PATCH", "/settings", {"changes": settings})
        row = visitor.page.locator("section", has=visitor.page.locator("#jobs")).locator("tr")
        expect(row).to_contain_text("Downloading model.gguf (kB)")
        expect(row).to_contain_text(re.compile(r"1,\d\d\d of 3,000"))
        expect(row).to_contain_text("running")
        hub.hold.set()  # the line breaks, and the rest is asked for
        expect(row).to_contain_text("done")
        assert [seen.headers.get("Range", "") for seen in hub.asked("GET")] == ["", "bytes=1500000-"]
    kept = (tmp_path / "home").glob("state/models/**/model.gguf")
    assert [path.read_bytes() for path in kept] == [weights]
