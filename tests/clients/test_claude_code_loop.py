"""Claude Code, for real: `claude -p` with our hooks and our server, against a scripted model."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from clients.endpoint import Endpoint
from clients.loop import begun, program
from clients.talk import FERRY, HARBOUR, Talk, script_of, turns

FULL = 190_000
"""Nearly all of the window of MODEL."""
MODEL = "claude-sonnet-4-5"
FLAGS = ("--output-format", "json", "--model", MODEL, "--autocompact", "100k", "--allowedTools", "mcp__holdfast")
QUIET = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_AUTOUPDATER": "1",
}


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    claude, said = program("claude"), turns(FULL)
    with (
        Endpoint(script_of(said)) as endpoint,
        begun(tmp_path_factory.mktemp("claude"), "claude-code", endpoint) as loop,
    ):
        loop.remember(FERRY, HARBOUR)
        loop.connect()
        model = {"ANTHROPIC_API_KEY": "loop", "ANTHROPIC_BASE_URL": endpoint.url, **QUIET}
        begin, save, boat, steers, last = said
        printed = loop.run(claude, "-p", begin.prompt, *FLAGS, **model)
        session = json.loads(printed)["session_id"]
        for prompt in (save.prompt, "/compact", boat.prompt, steers.prompt):
            loop.run(claude, "-p", prompt, "--resume", session, *FLAGS, **model)
        asked = len(endpoint.received)
        loop.run(claude, "-p", last.prompt, *FLAGS, **model)
        yield Talk(loop, said, endpoint.received[:asked], endpoint.received[asked:])


def test_claude_code_goes_through_the_whole_talk_with_our_tools(talk: Talk) -> None:
    talk.check_script()


def test_claude_code_calls_our_hooks_when_a_session_starts_goes_on_is_compacted_and_ends(talk: Talk) -> None:
    sources = [sent["source"] for sent in talk.loop.hooks("session-start")]
    assert sources.count("startup") == 2
    assert sources.count("resume") == 4
    assert sources.count("compact") == 2
    # One that was asked for, and one in the middle of a turn.
    assert [sent["trigger"] for sent in talk.loop.hooks("pre-compact")] == ["manual", "auto"]
    assert len(talk.loop.hooks("session-end")) == 6
    assert [sent["prompt"] for sent in talk.loop.hooks("user-prompt")] == [turn.prompt for turn in talk.turns]


def test_claude_code_is_told_what_answers_a_prompt_before_its_model_is_asked(talk: Talk) -> None:
    talk.check_recall()


def test_what_a_user_of_claude_code_asks_to_remember_is_in_memory_once(talk: Talk) -> None:
    talk.check_saved()


def test_the_note_of_a_session_of_claude_code_holds_each_message_once(talk: Talk) -> None:
    talk.check_notes()


def test_stored_text_reaches_the_model_of_claude_code_only_in_fences(talk: Talk) -> None:
    talk.check_fences()
