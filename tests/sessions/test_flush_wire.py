"""The silent turn over real HTTP with every API, with a provider that breaks, and with a process that is killed."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import provider_faults as faults
import pytest
from provider_chat_kinds import KINDS, ChatKind
from provider_chat_script import ChatScript, Said
from provider_faults import Fault, status
from provider_server import ProviderServer
from sessions.turns import talk

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.llm.scripted_model import ScriptedModel

every_kind = pytest.mark.parametrize("kind", KINDS, ids=str)
NOON = 1_780_000_000.0
NOTE = "memory/2026-05-28.md"

KILLED = """
import os, signal, sys
from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.llm.chat_model import Answer, Stop, ToolCall
from holdfast.llm.scripted_model import ScriptedModel

def kill(request):
    os.kill(os.getpid(), signal.SIGKILL)

write = Answer("", (ToolCall("c1", "write_file", {"path": "memory/YYYY-MM-DD.md", "content": "- one"}),), Stop.TOOLS)
lines = {"asked": [kill], "wrote": [write, kill], "done": [write, "NO_REPLY", kill]}[sys.argv[1]]
settings = {"compaction.mode": "summary"}
with Memory.open(sys.argv[2], settings=settings, clock=FakeClock(1_780_000_000.0)) as memory:
    memory.session().compact(ScriptedModel(*lines), keep_tokens=200)
"""


def opened(provider: ProviderServer, kind: ChatKind) -> Memory:
    settings = {
        "llm.provider": kind.name,
        "llm.model": kind.model,
        "llm.base_url": provider.url,
        "llm.api_key": provider.key,
    }
    return Memory.open(settings=settings, clock=FakeClock(NOON))


def wrote(content: object, path: str = "memory/YYYY-MM-DD.md") -> Said:
    return Said("", calls=(("write_file", {"path": path, "content": content}),))


@every_kind
def test_the_turn_works_over_every_api(
    home: Path, kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    script.say(wrote("- no", "../x.md"), wrote("- The user drinks tea."), wrote("- The user drinks tea."), "NO_REPLY")
    with opened(provider, kind) as memory, memory.session() as session:
        talk(session, 20)
        done = session.compact(keep_tokens=300)
        assert done.flush is not None and done.flush.paths == (NOTE,) and done.flush.steps == 4
        assert done.flush.usage.input_tokens > 0
        assert memory.spent.requests == 4 and memory.spent.usage == done.flush.usage
        assert memory.spent.cost is None
    assert (home / NOTE).read_text() == "- The user drinks tea.\n"
    assert len(provider.asked(kind.path)) == 4


@every_kind
@pytest.mark.fault
@pytest.mark.parametrize("fault", [status(400), status(401), faults.HTML, faults.STREAM_ENDS, faults.EMPTY], ids=str)
def test_a_provider_that_breaks_costs_a_reason_and_nothing_else(
    home: Path, fault: Fault, kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    provider.always(fault)
    with opened(provider, kind) as memory, memory.session() as session:
        talk(session, 20)
        before = session.messages()
        done = session.compact(keep_tokens=300)
        assert done.removed and done.flush is not None and done.flush.failed
        assert provider.key not in str(done) and provider.key not in str(
            [*session.state.list(), *session.state.list("flush")]
        )
        assert session.messages() == before
    assert not (home / NOTE).exists()


@pytest.mark.promise("P12")
@every_kind
def test_no_secret_of_the_conversation_goes_over_the_wire(
    home: Path, kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    secret = "ghp_" + "Zk3vQ8xW1nR5tY7uI9oP2aS4dF6gH0jL1zXc"[:36]
    script.say("NO_REPLY", f"The token is {secret}.")
    with opened(provider, kind) as memory, memory.session() as session:
        session.append("user", f"my token is {secret}")
        talk(session, 10)
        session.compact(keep_tokens=300)
    assert all(secret not in seen.body.decode() for seen in provider.requests)


@pytest.mark.fault
@pytest.mark.parametrize("moment", ["asked", "wrote", "done"])
def test_a_process_that_is_killed_makes_no_second_flush_of_the_next_one(home: Path, moment: str) -> None:
    with Memory.open(clock=FakeClock(NOON)) as memory, memory.session() as session:
        talk(session, 20)
        said = session.messages()
    ended = subprocess.run([sys.executable, "-c", KILLED, moment, str(home)], check=False, capture_output=True)
    assert ended.returncode == -signal.SIGKILL, ended.stderr.decode()
    with Memory.open(clock=FakeClock(NOON)) as memory, memory.session() as session:
        assert session.messages() == said and session.transcript.cycle == 0
        again = ScriptedModel(always="NO_REPLY")
        assert session.before_compaction(again, force=True).ran == (moment == "asked"), "where it wrote nothing"
        assert session.compact(again, keep_tokens=200).removed > 0
        assert session.before_compaction(again, force=True).ran, "the next cycle has a turn of its own"
    note = home / NOTE
    assert (note.read_text() if note.exists() else "") == ("" if moment == "asked" else "- one\n")
