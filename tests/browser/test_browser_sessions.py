"""Conversations in a real browser, with the scripted model behind the server: streamed, stopped, seen through."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import provider_chat_openai
import provider_faults as faults
import pytest
from browser.visitor import Visitor
from provider_chat_script import ChatScript, Said
from provider_server import ProviderServer
from surfaces.http.serving import served

sync_api = pytest.importorskip("playwright.sync_api", reason="NO PAGE WAS SEEN IN A BROWSER: run `make browser`")
expect = sync_api.expect

COMPLETIONS = "/v1/chat/completions"


class Talk(NamedTuple):
    """Somebody in front of a conversation, and the model behind it."""

    visitor: Visitor
    provider: ProviderServer
    script: ChatScript

    def say(self, text: str) -> None:
        field = self.visitor.page.get_by_label("Say something …")
        field.fill(text)
        field.press("Enter")

    @property
    def last(self) -> Any:
        return self.visitor.page.locator(".message.assistant").last


@pytest.fixture
def talk(tmp_path: Path, chromium: Any, window: Any) -> Iterator[Talk]:
    script = ChatScript()
    with ProviderServer() as provider:
        provider.add(provider_chat_openai.routes(script))
        llm = {"PROVIDER": "custom", "MODEL": "m", "BASE_URL": provider.url, "API_KEY": provider.key}
        more = {f"HOLDFAST_LLM_{name}": value for name, value in llm.items()}
        with served(tmp_path / "home", **more) as web, Visitor(chromium, web, window=window) as visitor:
            visitor.enter()
            yield Talk(visitor, provider, script)


def test_an_answer_is_shown_and_kept(talk: Talk) -> None:
    visitor = talk.visitor
    talk.script.say("The launch is on **Monday**.")
    visitor.open("/sessions")
    visitor.page.get_by_label("Name of a new session").fill("talk")
    visitor.press("Begin")
    talk.say("When is the launch?")
    expect(talk.last).to_contain_text("The launch is on Monday.")
    expect(talk.last.locator("strong")).to_have_text("Monday")
    visitor.page.reload()
    expect(visitor.page.locator(".message.user")).to_contain_text("When is the launch?")
    expect(talk.last).to_contain_text("The launch is on Monday.")
    visitor.open("/sessions")
    expect(visitor.page.get_by_role("link", name="talk", exact=True)).to_be_visible()


def test_an_answer_is_seen_before_it_is_whole_and_stopped(talk: Talk) -> None:
    visitor = talk.visitor
    talk.provider.script(faults.STREAM_STALL, on=COMPLETIONS)
    talk.script.say("Once upon a time there was a long story.")
    visitor.open("/sessions/talk")
    talk.say("Tell me a story")
    expect(talk.last).to_contain_text("Once")
    expect(talk.last).not_to_contain_text("long story")
    visitor.press("Stop")
    expect(visitor.page.get_by_text("Stopped. What was said until then is kept.")).to_be_visible()
    talk.provider.reset()
    talk.script.reset()
    talk.script.say("Here I am.")
    talk.say("Are you there?")
    expect(talk.last).to_contain_text("Here I am.")  # nothing holds the session


def test_a_tool_writes_a_note_and_the_page_says_so(talk: Talk) -> None:
    visitor = talk.visitor
    save = {"content": "- The cat is Miso.", "file": "memory/pets.md"}
    talk.script.say(Said("One moment. ", calls=(("memory_save", save),)), "Noted.")
    visitor.open("/sessions/talk")
    talk.say("My cat is Miso")
    expect(talk.last).to_contain_text("Noted.")
    expect(visitor.page.get_by_text("Calls memory_save").first).to_be_visible()
    assert "Miso" in visitor.text("memory/pets.md")
    visitor.open("/history")
    expect(visitor.page.locator("table.rows").first).to_contain_text("agent")


def test_a_failure_is_told_and_the_turn_can_be_tried_again(talk: Talk) -> None:
    visitor = talk.visitor
    talk.provider.script(faults.status(401), on=COMPLETIONS)
    visitor.open("/sessions/talk")
    talk.say("Hello")
    expect(visitor.button("Try again")).to_be_visible()
    expect(visitor.page.get_by_role("alert")).not_to_contain_text(talk.provider.key)
    talk.provider.reset()
    talk.script.say("Hello to you.")
    visitor.press("Try again")
    expect(talk.last).to_contain_text("Hello to you.")


def test_the_context_view_adds_up_to_what_is_sent(talk: Talk) -> None:
    visitor = talk.visitor
    visitor.write("memory/a.md", "words\n")
    talk.script.say("Noted.")
    visitor.open("/sessions/talk")
    talk.say("Remember this conversation")
    expect(talk.last).to_contain_text("Noted.")
    visitor.page.get_by_role("navigation", name="Sides").get_by_role("link", name="Context").click()
    rows = visitor.page.get_by_role("region", name="What it is made of").locator("tbody tr")
    expect(rows.last).to_contain_text("Sum")
    expect(visitor.page.get_by_role("heading", name="About")).to_be_visible()
    # Both at one moment: the page is drawn anew when what is sent changes, such as by what the turn left behind.
    heading, *texts = visitor.page.evaluate(
        "['main h2', 'main tbody td:nth-child(3)'].flatMap(one => [...document.querySelectorAll(one)])"
        ".map(one => one.innerText).filter(text => /^About|^[\\d,]+$/.test(text))"
    )
    numbers = [int(text.replace(",", "")) for text in texts]
    assert sum(numbers[:-1]) == numbers[-1] > 0
    assert heading.startswith(f"About {numbers[-1]:,} of")
    expect(visitor.page.get_by_role("img", name="free")).to_be_visible()


def test_frozen_memory_says_so_and_is_refreshed(talk: Talk) -> None:
    visitor = talk.visitor
    mode = {"chat.prompt_memory_mode": "frozen-at-session-start"}
    visitor.web.call("PATCH", "/api/v1/settings", {"changes": mode})
    (visitor.web.home / "MEMORY.md").write_text("- The cat is Miso.\n")
    talk.script.say("Yes.")
    visitor.open("/sessions/talk")
    talk.say("Do you know my cat?")
    expect(talk.last).to_contain_text("Yes.")
    toolbar = visitor.page.get_by_role("group", name="Session")
    expect(toolbar).to_contain_text("frozen")
    (visitor.web.home / "MEMORY.md").write_text("- The cat is Nori.\n")
    visitor.open("/sessions/talk/context")
    words = visitor.page.get_by_role("region", name="Word for word")
    expect(words).to_contain_text("Miso")
    visitor.press("Refresh", toolbar)
    expect(visitor.toast).to_contain_text("read anew")
    expect(words).to_contain_text("Nori")


def test_new_keeps_the_conversation_as_a_note(talk: Talk) -> None:
    visitor = talk.visitor
    talk.script.say("The launch is on Monday.")
    visitor.open("/sessions/talk")
    talk.say("When is the launch?")
    expect(talk.last).to_contain_text("Monday")
    talk.say("/reset")
    expect(visitor.toast).to_contain_text("Kept as memory/sessions/")
    expect(visitor.page.get_by_text("Nothing was said yet")).to_be_visible()
    visitor.toast.get_by_role("link").click()
    expect(visitor.page.locator(".markdown")).to_contain_text("Monday")


def test_a_slash_shows_the_commands(talk: Talk) -> None:
    visitor = talk.visitor
    visitor.open("/sessions/talk")
    visitor.page.get_by_label("Say something …").press_sequentially("/con")
    expect(visitor.page.get_by_role("listbox", name="Commands").get_by_role("option")).to_have_count(1)
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.get_by_role("heading", name="What it is made of")).to_be_visible()


def test_a_value_of_the_state_is_removed_and_taken_back(talk: Talk) -> None:
    visitor = talk.visitor
    visitor.web.call("PUT", "/api/v1/sessions/talk/state/todo/next", {"value": {"step": 3}})
    visitor.open("/sessions/talk/state")
    expect(visitor.page.locator("table.rows")).to_contain_text('{"step":3}')
    visitor.press("Remove")
    expect(visitor.page.get_by_text("No values")).to_be_visible()
    visitor.press("Undo", visitor.toast)
    expect(visitor.page.locator("table.rows")).to_contain_text('{"step":3}')


def test_without_a_model_the_page_says_what_to_set(visitor: Visitor) -> None:
    visitor.open("/sessions/talk")
    expect(visitor.page.get_by_text("No language model is set")).to_be_visible()
    expect(visitor.page.get_by_text("Nothing was said yet")).to_be_visible()
    expect(visitor.page.get_by_text("Say something below")).to_have_count(0)  # there is no field
