"""Codex, for real: `codex exec` with our hooks and our server, against a scripted model."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from clients.endpoint import Endpoint
from clients.loop import begun, program
from clients.talk import FERRY, HARBOUR, Talk, script_of, turns

FULL = 60_000
SETTINGS = """
model = "scripted"
model_provider = "loop"
model_auto_compact_token_limit = 30000
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
analytics.enabled = false

[model_providers.loop]
name = "loop"
base_url = "{url}/v1"
wire_api = "responses"
"""
FLAGS = ("--skip-git-repo-check", "--dangerously-bypass-hook-trust", "--json")


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    codex, said = program("codex"), turns(FULL)
    with (
        Endpoint(script_of(said)) as endpoint,
        begun(tmp_path_factory.mktemp("codex"), "codex", endpoint) as loop,
    ):
        loop.remember(FERRY, HARBOUR)
        settings = loop.person / ".codex" / "config.toml"
        settings.parent.mkdir()
        settings.write_text(SETTINGS.format(url=endpoint.url))
        loop.connect()
        begin, *more, last = said
        printed = loop.run(codex, "exec", *FLAGS, begin.prompt)
        (thread,) = [line["thread_id"] for line in loop.lines(printed) if line["type"] == "thread.started"]
        for turn in more:
            loop.run(codex, "exec", "resume", *FLAGS, thread, turn.prompt)
        asked = len(endpoint.received)
        loop.run(codex, "exec", *FLAGS, last.prompt)
        yield Talk(loop, said, endpoint.received[:asked], endpoint.received[asked:])


def test_codex_goes_through_the_whole_talk_with_our_tools(talk: Talk) -> None:
    talk.check_script()


def test_codex_calls_our_hooks_when_a_session_starts_goes_on_is_compacted_and_ends(talk: Talk) -> None:
    sources = [sent["source"] for sent in talk.loop.hooks("session-start")]
    assert sources.count("startup") == 2
    assert sources.count("resume") == 3
    assert sources.count("compact") == 1
    assert len(talk.loop.hooks("pre-compact")) == 1
    assert len(talk.loop.hooks("session-end")) == 5
    assert [sent["prompt"] for sent in talk.loop.hooks("user-prompt")] == [turn.prompt for turn in talk.turns]


def test_codex_is_told_what_answers_a_prompt_before_its_model_is_asked(talk: Talk) -> None:
    talk.check_recall()


def test_what_a_user_of_codex_asks_to_remember_is_in_memory_once(talk: Talk) -> None:
    talk.check_saved()


def test_the_note_of_a_session_of_codex_holds_each_message_once(talk: Talk) -> None:
    talk.check_notes()


def test_stored_text_reaches_the_model_of_codex_only_in_fences(talk: Talk) -> None:
    talk.check_fences()
