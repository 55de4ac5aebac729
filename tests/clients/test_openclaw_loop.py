"""OpenClaw, for real: `openclaw agent --local` with our server, against a scripted model. Hooks of ours it has none."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from clients.endpoint import Endpoint
from clients.loop import begun, program
from clients.script import SUMMARY
from clients.talk import FERRY, HARBOUR, Talk, script_of, turns

FULL = 99_000
WINDOW = 100_000


def search_and_call(tool: str, arguments: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return how OpenClaw has a tool of a server called: through one of its own; it shows its model no others."""
    return "tool_call", {"id": f"holdfast__{tool}", "args": arguments}


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    openclaw, said = program("openclaw"), turns(FULL, search_and_call, after=FULL)
    with (
        Endpoint(script_of(said)) as endpoint,
        begun(tmp_path_factory.mktemp("openclaw"), "openclaw", endpoint) as loop,
    ):
        loop.remember(FERRY, HARBOUR)
        provider = {
            "baseUrl": f"{endpoint.url}/v1",
            "apiKey": "loop",
            "api": "openai-completions",
            "models": [{"id": "scripted", "name": "scripted", "contextWindow": WINDOW, "maxTokens": 4_000}],
        }
        agent = {"model": {"primary": "loop/scripted"}, "workspace": str(loop.project), "skipBootstrap": True}
        settings = loop.person / ".openclaw" / "openclaw.json"
        settings.parent.mkdir()
        settings.write_text(
            json.dumps(
                {
                    "update": {"checkOnStart": False},
                    "agents": {"defaults": agent},
                    "models": {"mode": "merge", "providers": {"loop": provider}},
                }
            )
        )
        loop.connect()
        *begin, last = said
        session = str(uuid.uuid4())
        for turn in begin:
            loop.run(openclaw, "agent", "--local", "--json", "--session-id", session, "--message", turn.prompt)
        asked = len(endpoint.received)
        session = str(uuid.uuid4())
        loop.run(openclaw, "agent", "--local", "--json", "--session-id", session, "--message", last.prompt)
        yield Talk(loop, said, endpoint.received[:asked], endpoint.received[asked:])


def test_openclaw_goes_through_the_whole_talk_with_our_tools(talk: Talk) -> None:
    talk.check_script()


def test_openclaw_compacts_and_goes_on(talk: Talk) -> None:
    compacted = [request for request in talk.first if SUMMARY in json.dumps(request.body, ensure_ascii=False)]
    assert any(talk.turns[-2].prompt in json.dumps(request.body) for request in compacted)


def test_what_a_user_of_openclaw_asks_to_remember_waits_for_approval_once(talk: Talk) -> None:
    # Nobody tells us what was typed there.
    talk.check_saved("memory/inbox.md")


def test_nothing_is_kept_of_a_session_of_openclaw(talk: Talk) -> None:
    assert talk.loop.notes() == {}


def test_stored_text_reaches_the_model_of_openclaw_only_in_fences(talk: Talk) -> None:
    talk.check_fences()
