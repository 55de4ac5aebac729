"""OpenCode, for real: `opencode run` with our server, against a scripted model. It has no hooks that run commands."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from clients.endpoint import Endpoint
from clients.loop import begun, program
from clients.script import SUMMARY
from clients.talk import FERRY, HARBOUR, Talk, script_of, turns

FULL = 99_000
WINDOW = {"context": 100_000, "output": 4_000}
FLAGS = ("--format", "json", "--auto")
QUIET = {
    "OPENCODE_DISABLE_AUTOUPDATE": "1",
    "OPENCODE_DISABLE_MODELS_FETCH": "1",
    "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
    "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
}


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    opencode, said = program("opencode"), turns(FULL)
    with (
        Endpoint(script_of(said)) as endpoint,
        begun(tmp_path_factory.mktemp("opencode"), "opencode", endpoint) as loop,
    ):
        loop.remember(FERRY, HARBOUR)
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "options": {"baseURL": f"{endpoint.url}/v1", "apiKey": "loop"},
            "models": {"scripted": {"tool_call": True, "limit": WINDOW}},
        }
        settings = loop.person / ".config" / "opencode" / "opencode.json"
        settings.parent.mkdir(parents=True)
        settings.write_text(
            json.dumps(
                {
                    "autoupdate": False,
                    "share": "disabled",
                    "permission": "allow",
                    "model": "loop/scripted",
                    "small_model": "loop/scripted",
                    "provider": {"loop": provider},
                }
            )
        )
        loop.connect()
        begin, *more, last = said
        loop.run(opencode, "run", *FLAGS, begin.prompt, **QUIET)
        for turn in more:
            loop.run(opencode, "run", *FLAGS, "--continue", turn.prompt, **QUIET)
        asked = len(endpoint.received)
        loop.run(opencode, "run", *FLAGS, last.prompt, **QUIET)
        yield Talk(loop, said, endpoint.received[:asked], endpoint.received[asked:])


def test_opencode_goes_through_the_whole_talk_with_our_tools(talk: Talk) -> None:
    talk.check_script()


def test_opencode_compacts_and_goes_on_with_our_tools(talk: Talk) -> None:
    compacted = [request for request in talk.first if SUMMARY in json.dumps(request.body, ensure_ascii=False)]
    assert any(request.body.get("tools") for request in compacted)


def test_what_a_user_of_opencode_asks_to_remember_waits_for_approval_once(talk: Talk) -> None:
    # Nobody tells us what was typed there.
    talk.check_saved("memory/inbox.md")


def test_nothing_is_kept_of_a_session_of_opencode(talk: Talk) -> None:
    assert talk.loop.notes() == {}


def test_stored_text_reaches_the_model_of_opencode_only_in_fences(talk: Talk) -> None:
    talk.check_fences()
