"""Gemini CLI, for real: `gemini -p` with our hooks and our server, against a scripted model."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from clients.endpoint import Endpoint
from clients.loop import begun, program
from clients.talk import FERRY, HARBOUR, Talk, script_of, turns

FULL = 700_000
"""More than half of the window of MODEL: where it compresses."""
MODEL = "gemini-2.5-pro"
SETTINGS = {
    "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "security": {"auth": {"selectedType": "gemini-api-key"}},
}
FLAGS = ("--skip-trust", "--yolo", "--model", MODEL, "--output-format", "json")


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    gemini, said = program("gemini"), turns(FULL)
    with (
        Endpoint(script_of(said)) as endpoint,
        begun(tmp_path_factory.mktemp("gemini"), "gemini-cli", endpoint) as loop,
    ):
        loop.remember(FERRY, HARBOUR)
        settings = loop.person / ".gemini" / "settings.json"
        settings.parent.mkdir()
        settings.write_text(json.dumps(SETTINGS))
        loop.connect()
        model = {"GEMINI_API_KEY": "loop", "GOOGLE_GEMINI_BASE_URL": endpoint.url}
        begin, *more, last = said
        loop.run(gemini, *FLAGS, "--prompt", begin.prompt, **model)
        for turn in more:
            loop.run(gemini, *FLAGS, "--resume", "latest", "--prompt", turn.prompt, **model)
        asked = len(endpoint.received)
        loop.run(gemini, *FLAGS, "--prompt", last.prompt, **model)
        yield Talk(loop, said, endpoint.received[:asked], endpoint.received[asked:])


def test_gemini_cli_goes_through_the_whole_talk_with_our_tools(talk: Talk) -> None:
    talk.check_script()


def test_gemini_cli_calls_our_hooks_when_a_session_starts_goes_on_is_compressed_and_ends(talk: Talk) -> None:
    sources = [sent["source"] for sent in talk.loop.hooks("session-start")]
    assert sources == ["startup", "resume", "resume", "resume", "startup"]
    assert len(talk.loop.hooks("session-end")) == 5
    # It calls this one before every request, whether it compresses or not.
    assert len(talk.loop.hooks("pre-compact")) >= len(talk.turns)
    assert any("<state_snapshot>" in json.dumps(request.body) for request in talk.first)


def test_gemini_cli_is_told_what_answers_a_prompt_before_its_model_is_asked(talk: Talk) -> None:
    talk.check_recall()


def test_what_a_user_of_gemini_cli_asks_to_remember_is_in_memory_once(talk: Talk) -> None:
    talk.check_saved()


def test_the_note_of_a_session_of_gemini_cli_holds_each_message_once(talk: Talk) -> None:
    talk.check_notes()


def test_stored_text_reaches_the_model_of_gemini_cli_only_in_fences(talk: Talk) -> None:
    talk.check_fences()
