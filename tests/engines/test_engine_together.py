"""Two servers of one tenant, or two processes on one home, at the same moment: as if one had come after the other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial

import pytest
from at_once import at_once
from dreaming.asking import NOTE, NOW, TEA, asked_for
from engines.engine import Engine

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.dreaming.dream_undo import ask_again
from holdfast.errors import BadArgument
from holdfast.guard.origin import Origin
from holdfast.operations.inbox_decision import Decided

ROUNDS = 12


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(NOW)


@pytest.fixture
def pair(engine: Engine, clock: FakeClock) -> Iterator[tuple[Memory, Memory]]:
    settings = {"memory.disable_rag": True}
    with ExitStack() as held:
        first, second = (
            held.enter_context(engine.memory(server=server, origin=Origin.USER, settings=settings, clock=clock))
            for server in ("first", "second")
        )
        yield first, second


def text_of(memory: Memory, path: str) -> str:
    found = memory.notes.read_all([path])
    return found[path].text if path in found else ""


def test_a_session_that_is_exported_while_it_is_forgotten_leaves_no_export(pair: tuple[Memory, Memory]) -> None:
    exporter, owner = pair
    for number in range(ROUNDS):
        session = exporter.session(f"talk-{number}")
        session.append("user", f"The zeppelin {number} lands at dawn.")
        at_once(session.export, owner.session(f"talk-{number}").forget)
        assert owner.notes.list("memory/sessions/") == [], number
        assert session.messages() == []


def test_of_two_who_begin_a_session_as_another_kind_one_is_refused(pair: tuple[Memory, Memory]) -> None:
    for number in range(ROUNDS):
        kinds = zip(pair, ("direct", "group"), strict=True)
        sessions = [memory.session(f"talk-{number}", kind=kind) for memory, kind in kinds]
        outcomes = at_once(*(partial(session.append, "user", "Hello.") for session in sessions))
        assert [isinstance(outcome, BadArgument) for outcome in outcomes].count(True) == 1, number
        kind = "group" if isinstance(outcomes[0], BadArgument) else "direct"
        assert [memory.session(f"talk-{number}").kind for memory in pair] == [kind, kind]


def test_of_two_who_shorten_a_conversation_none_leaves_out_what_the_other_keeps(pair: tuple[Memory, Memory]) -> None:
    for number in range(ROUNDS):
        first, second = (memory.session(f"talk-{number}") for memory in pair)
        said = [first.append("user", f"message {at}") for at in range(8)]
        at_once(partial(first.compacted, summary="one"), partial(second.compacted, kept_from=said[2].id, summary="two"))
        assert said[-1] in first.context(), number


def test_what_the_owner_rejects_does_not_wait_again(pair: tuple[Memory, Memory]) -> None:
    owner, other = pair
    tools = other.tools(Origin.MCP_TOOL)
    for number in range(ROUNDS):
        text = f"Launch number {number} moved to March."
        tools.call("memory_save", {"content": text})
        (entry,) = owner.inbox.list()
        at_once(partial(owner.inbox.reject, entry.id), partial(tools.call, "memory_save", {"content": text}))
        assert owner.inbox.list() == [], number


def test_of_two_who_decide_about_a_proposal_one_does(pair: tuple[Memory, Memory], clock: FakeClock) -> None:
    first, second = pair
    first.tools(Origin.IMPORT).call("memory_save", {"content": f"- {TEA}\n", "file": NOTE})
    asked_for(first, clock)
    (proposal,) = first.dreams.run().of("waiting")
    for number in range(ROUNDS):
        approved, rejected = at_once(
            partial(first.inbox.approve, proposal.id), partial(second.inbox.reject, proposal.id)
        )
        assert isinstance(approved, Decided) != isinstance(rejected, Decided), number
        assert (TEA in text_of(second, "MEMORY.md")) == isinstance(approved, Decided), number
        if isinstance(approved, Decided):
            first.undo(checkpoint_ids=approved.checkpoint_ids)
        else:
            ask_again(first.ctx, proposal.id)
