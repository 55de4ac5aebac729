"""The house in a real browser: settings, facts, what is forgotten, two agents, a server that goes and comes back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import provider_faults as faults
import pytest
from browser.visitor import Visitor
from provider_server import ProviderServer
from surfaces.http.serving import Served, begun, served

sync_api = pytest.importorskip("playwright.sync_api", reason="NO PAGE WAS SEEN IN A BROWSER: run `make browser`")
expect = sync_api.expect


@pytest.fixture(scope="module")
def providers() -> Iterator[ProviderServer]:
    with ProviderServer() as server:
        yield server


def setting(visitor: Visitor, key: str) -> Any:
    return visitor.page.locator(f"#set-{key.replace('.', '-')}")


def test_a_setting_is_changed_with_its_diff_and_taken_back(visitor: Visitor) -> None:
    visitor.open("/settings/all/memory.search")
    setting(visitor, "memory.search.max_results").fill("9")
    visitor.press("Show the diff of holdfast.toml")
    expect(visitor.page.locator(".toml-diff")).to_contain_text("+max_results = 9")
    assert not (visitor.web.home / "holdfast.toml").exists()
    visitor.press("Save")
    expect(visitor.toast).to_contain_text("1 setting saved.")
    assert "max_results = 9" in visitor.text("holdfast.toml")
    visitor.press("Undo", visitor.toast)
    expect(visitor.toast).to_contain_text("Undone.")
    assert not (visitor.web.home / "holdfast.toml").exists()  # as before


def test_a_value_that_does_not_fit_is_refused_and_kept_in_the_form(visitor: Visitor) -> None:
    visitor.open("/settings/all/memory.search")
    setting(visitor, "memory.search.max_results").fill("100000")
    visitor.press("Save")
    expect(visitor.page.get_by_role("alert")).to_contain_text("max_results")
    expect(setting(visitor, "memory.search.max_results")).to_have_value("100000")
    visitor.press("Discard", visitor.page.locator(".save-line"))
    expect(setting(visitor, "memory.search.max_results")).not_to_have_value("100000")


def test_memory_comes_first_with_six_switches_and_the_two_knobs(visitor: Visitor) -> None:
    page = visitor.page
    visitor.open("/settings")
    glance = page.locator("table.glance tbody tr")
    expect(glance).to_have_count(6)
    page.get_by_role("switch", name="Enable Memory").uncheck()
    expect(setting(visitor, "memory.style")).to_have_value("off")
    expect(setting(visitor, "chat.prompt_memory_mode")).to_be_disabled()
    expect(page.locator("#set-chat-prompt_memory_mode-why")).to_be_visible()  # and it says why
    visitor.press("Save")
    expect(visitor.toast).to_contain_text("saved")
    assert 'style = "off"' in visitor.text("holdfast.toml")


def test_what_the_environment_holds_is_locked_and_says_by_what(tmp_path: Path, chromium: Any) -> None:
    with (
        served(tmp_path / "home", HOLDFAST_MEMORY_CITATIONS="off") as web,
        Visitor(chromium, web) as visitor,
    ):
        visitor.enter()
        visitor.open("/settings")
        expect(setting(visitor, "memory.citations")).to_be_disabled()
        expect(visitor.page.locator("#set-memory-citations-why")).to_contain_text("HOLDFAST_MEMORY_CITATIONS")


def test_a_recipe_fills_the_form(visitor: Visitor) -> None:
    visitor.open("/settings")
    visitor.page.get_by_role("row", name="Search-only long-term memory").get_by_role("button").click()
    expect(setting(visitor, "memory.style")).to_have_value("search-only")
    visitor.press("Save")
    expect(visitor.toast).to_contain_text("saved")
    assert "search-only" in visitor.text("holdfast.toml")


def test_a_provider_is_tried_before_it_is_saved(visitor: Visitor, providers: ProviderServer) -> None:
    providers.reset()
    visitor.open("/settings")
    setting(visitor, "memory.provider").select_option("custom")
    setting(visitor, "memory.model").fill("tiny")
    setting(visitor, "memory.base_url").fill(providers.url)
    setting(visitor, "memory.api_key").fill(providers.key)
    test = visitor.page.locator(".provider-pair .test").first
    visitor.press("Test", test)
    expect(test).to_contain_text("It answers.")
    expect(test).to_contain_text("8 dimensions")
    providers.always(faults.status(401), on=".*")
    visitor.press("Test", test)
    expect(test).to_contain_text("It does not answer.")
    assert providers.key not in test.inner_text()
    assert not (visitor.web.home / "holdfast.toml").exists() or providers.key not in visitor.text("holdfast.toml")


def test_a_fact_is_kept_archived_and_put_in_force_again(visitor: Visitor) -> None:
    page = visitor.page
    visitor.open("/facts")
    page.get_by_label("A fact, in one sentence").fill("The owner prefers tea to coffee.")
    visitor.press("Keep")
    expect(page.locator("table.rows")).to_contain_text("prefers tea")
    page.get_by_role("link", name="The owner prefers tea to coffee.").click()
    visitor.press("Archive")
    expect(visitor.toast).to_contain_text("Moved to the archive.")
    visitor.press("Put in force again")
    expect(visitor.toast).to_contain_text("It is in force again.")
    expect(visitor.button("Archive")).to_be_visible()
    visitor.press("Forget")
    expect(visitor.toast).to_contain_text("Forgotten.")
    visitor.press("Undo", visitor.toast)
    expect(page.locator("table.rows")).to_contain_text("prefers tea")


def test_a_fact_that_replaces_another_shows_how_it_changed(visitor: Visitor) -> None:
    for text in ("The owner lives in Lisbon.", "The owner lives in Porto now."):
        made = visitor.web.call("POST", "/api/v1/facts", {"text": text}).json
    visitor.open(f"/facts/{made['id']}")
    expect(visitor.page.locator(".chain")).to_contain_text("Lisbon")
    visitor.open("/facts?as_of=2020-01-01")
    expect(visitor.page.get_by_text("No fact held on that day")).to_be_visible()


def test_only_what_was_ticked_is_forgotten_and_it_can_be_undone(visitor: Visitor) -> None:
    page = visitor.page
    visitor.write("memory/a.md", "- The picnic is on Sunday.\n- Stay.\n")
    visitor.write("memory/b.md", "- The picnic is on Sunday.\n- Stay.\n")
    visitor.open("/forget")
    page.get_by_label("This is the exact text").check()
    page.get_by_label("The exact text", exact=True).fill("The picnic is on Sunday.")
    visitor.press("Show the plan")
    rows = page.locator("table.rows tbody tr")
    expect(rows).to_have_count(2)
    rows.filter(has_text="memory/b.md").get_by_role("checkbox").uncheck()
    visitor.press("Forget 1 line")
    expect(visitor.toast).to_contain_text("1 line forgotten.")
    assert visitor.text("memory/a.md") == "- Stay.\n" and "picnic" in visitor.text("memory/b.md")
    visitor.press("Undo", visitor.toast)
    expect(visitor.toast).to_contain_text("Undone.")
    assert "picnic" in visitor.text("memory/a.md")


def plan_to_forget_everywhere(visitor: Visitor, text: str) -> None:
    visitor.open("/forget")
    visitor.page.get_by_label("This is the exact text").check()
    visitor.page.get_by_label("Everywhere").check()
    visitor.page.get_by_label("The exact text", exact=True).fill(text)
    visitor.press("Show the plan")


def test_everywhere_needs_a_typed_word(visitor: Visitor) -> None:
    page = visitor.page
    visitor.write("memory/a.md", "- The code is swordfish.\n- Stay.\n")
    plan_to_forget_everywhere(visitor, "The code is swordfish.")
    expect(visitor.button("Forget 1 line for good")).to_be_disabled()
    page.get_by_label("Type “forget” to go on").fill("forget")
    visitor.press("Forget 1 line for good")
    expect(page.get_by_role("heading", name="1 line forgotten.")).to_be_visible()
    assert visitor.text("memory/a.md") == "- Stay.\n"


def test_everywhere_clears_what_only_checkpoints_still_hold(visitor: Visitor) -> None:
    page = visitor.page
    visitor.write("memory/a.md", "- The code is swordfish.\n- Stay.\n")
    visitor.write("memory/a.md", "- Stay.\n")
    plan_to_forget_everywhere(visitor, "The code is swordfish.")
    expect(page.get_by_text("No line of a note says that now")).to_be_visible()
    page.get_by_label("Type “forget” to go on").fill("forget")
    page.get_by_role("button", name=re.compile("^Clear [0-9]+ places? for good$")).click()
    expect(page.get_by_role("heading", name=re.compile("^[0-9]+ places? cleared[.]$"))).to_be_visible()


def test_the_slash_key_leads_to_the_field_that_searches_from_any_page(visitor: Visitor) -> None:
    visitor.open("/status")
    expect(visitor.page.get_by_role("heading", name="Status", exact=True)).to_be_visible()
    visitor.page.keyboard.press("/")
    expect(visitor.page.locator("input[type=search][data-main]")).to_be_focused()


def test_two_agents_have_notes_of_their_own(visitor: Visitor) -> None:
    page = visitor.page
    visitor.write("memory/mine.md", "of the main one\n")
    visitor.write("memory/theirs.md", "of the coder\n", agent="coder")
    visitor.open("/notes")
    page.get_by_label("Agent").select_option("coder")
    expect(page.get_by_role("treeitem", name="theirs")).to_be_visible()
    expect(page.get_by_role("treeitem", name="mine")).to_have_count(0)
    page.get_by_role("treeitem", name="theirs").click()
    expect(page.locator(".markdown")).to_contain_text("of the coder")
    assert "agent=coder" in page.url
    page.get_by_label("Agent").select_option("main")
    expect(page.get_by_role("treeitem", name="mine")).to_be_visible()


def test_a_page_lives_on_when_its_server_was_killed_and_came_back(tmp_path: Path, chromium: Any) -> None:
    first = begun(tmp_path / "home")
    with Visitor(chromium, first) as visitor:
        visitor.enter()
        visitor.write("memory/plan.md", "one\n")
        visitor.open_note("memory/plan.md", "?edit=1")
        visitor.type_at_end("two\n")
        first.process.kill()
        first.stop()
        visitor.press("Save")
        expect(visitor.page.get_by_role("alert").first).to_contain_text("The server does not answer.")
        expect(visitor.page.get_by_role("img", name="The line is down")).to_be_visible()
        second = begun_again(first)
        try:
            expect(visitor.page.get_by_role("img", name="Live")).to_be_visible()
            visitor.press("Save")
            expect(visitor.page.locator(".markdown")).to_contain_text("two")
            assert visitor.text("memory/plan.md") == "one\ntwo\n"
            visitor.web = second
            visitor.write("memory/plan.md", "three\n")
            expect(visitor.page.locator(".markdown")).to_contain_text("three")  # the line of events goes on
        finally:
            second.stop()


def begun_again(before: Served) -> Served:
    """A server of the same home at the same port."""
    return begun(before.home, "--port", str(before.port))


def test_who_leaves_is_let_in_no_more_and_leaves_nothing_behind(visitor: Visitor) -> None:
    kept = "() => Object.values(localStorage).join()"
    visitor.write("memory/plan.md", "# Plan\n")
    visitor.open_note("memory/plan.md", "?edit=1")
    visitor.type_at_end("half a thought")
    visitor.page.reload()
    expect(visitor.editor).to_contain_text("half a thought")
    assert "half a thought" in visitor.page.evaluate(kept)
    visitor.open("/settings/browser")
    visitor.press("Leave")
    expect(visitor.title).to_have_text("This browser is not let in yet")
    assert visitor.page.evaluate(kept) == ""
    visitor.open("/notes")
    expect(visitor.title).to_have_text("This browser is not let in yet")


def test_a_name_is_kept_in_the_profile(visitor: Visitor) -> None:
    visitor.open("/settings/profile")
    visitor.page.get_by_label("Name", exact=True).fill("Ada")
    visitor.press("Save", visitor.page.locator("form.setting").first)
    expect(visitor.toast).to_contain_text("Profile saved.")
    assert "Ada" in visitor.text("USER.md")


def test_the_status_says_that_all_is_well(visitor: Visitor) -> None:
    visitor.write("memory/a.md", "words\n")
    visitor.open("/status")
    expect(visitor.page.get_by_role("status").first).to_contain_text("All is well: 1 note")
    visitor.press("Sync")
    expect(visitor.page.get_by_role("region", name="Jobs")).to_contain_text("done")
