"""What waits for the owner, and somebody else at the same moment: it comes out as if one had come after the other."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path

from at_once import at_once
from dreaming.asking import NOTE, NOW, TEA, asked_for, prompt

from holdfast import Memory
from holdfast.checkpoints.change_id import use_change_id
from holdfast.checkpoints.journal import first_id
from holdfast.clock import FakeClock
from holdfast.dreaming.dream_undo import ask_again
from holdfast.errors import FactNotFound
from holdfast.guard.origin import Origin
from holdfast.guard.paths import INBOX
from holdfast.operations.inbox_decision import Decided

ROUNDS = 30


def pair(home: Path, held: ExitStack, clock: FakeClock | None = None) -> tuple[Memory, Memory]:
    settings = {"memory.disable_rag": True}
    first, second = (
        held.enter_context(Memory.open(home, origin=Origin.USER, settings=settings, clock=clock)) for _ in range(2)
    )
    return first, second


def waiting(home: Path) -> str:
    path = home / INBOX
    return path.read_text() if path.exists() else ""


def approve_all(memory: Memory) -> None:
    """Whatever waits, also what comes to wait meanwhile; what somebody decides about first is left to them."""
    for _ in range(3):
        for entry in memory.inbox.list():
            with suppress(FactNotFound):
                memory.inbox.approve(entry.id)


def test_what_the_owner_rejects_does_not_wait_again_because_somebody_saves_it_just_then(home: Path) -> None:
    with ExitStack() as held:
        owner, other = pair(home, held)
        tools = other.tools(Origin.MCP_TOOL)
        for number in range(ROUNDS):
            text = f"Launch number {number} moved to March."
            tools.call("memory_save", {"content": text})
            (entry,) = owner.inbox.list()
            at_once(
                partial(owner.inbox.reject, entry.id),
                partial(tools.call, "memory_save", {"content": text}),
            )
            assert text not in waiting(home), number


def test_what_the_owner_approves_does_not_wait_beside_it_because_somebody_writes_it_just_then(home: Path) -> None:
    with ExitStack() as held:
        owner, other = pair(home, held)
        notes = other.notes.by(Origin.AGENT)
        for number in range(ROUNDS):
            text = f"Launch number {number} moved to March."
            memory = prompt(home)
            notes.write("MEMORY.md", f"{memory}- {text}\n")
            (entry,) = owner.inbox.list()
            at_once(
                partial(owner.inbox.approve, entry.id),
                partial(notes.write, "MEMORY.md", f"{memory}- {text}\n"),
            )
            assert text in prompt(home)
            assert text not in waiting(home), number


def test_who_edits_an_entry_is_told_what_became_of_it_although_it_is_approved_just_then(home: Path) -> None:
    with ExitStack() as held:
        first, second = pair(home, held)
        for number in range(ROUNDS):
            first.tools(Origin.MCP_TOOL).call("memory_save", {"content": f"Launch {number} moved."})
            (entry,) = first.inbox.list()

            words = f"Launch {number} was moved to May."
            edited, _ = at_once(partial(first.inbox.edit, entry.id, words), partial(approve_all, second))
            if isinstance(edited, Decided):
                assert edited.entry.text == words
                assert edited.entry.origin is Origin.USER
            approve_all(first)


def test_of_two_who_decide_about_a_proposal_at_once_one_does(home: Path) -> None:
    clock = FakeClock(NOW)
    with Memory.open(home, origin=Origin.USER, clock=clock) as memory:
        memory.tools(Origin.IMPORT).call("memory_save", {"content": f"- {TEA}\n", "file": NOTE})
        asked_for(memory, clock)
        (proposal,) = memory.dreams.run().of("waiting")
    with ExitStack() as held:
        first, second = pair(home, held, clock)
        for number in range(ROUNDS):
            approved, rejected = at_once(
                partial(first.inbox.approve, proposal.id), partial(second.inbox.reject, proposal.id)
            )
            assert isinstance(approved, Decided) != isinstance(rejected, Decided), number
            assert (TEA in prompt(home)) == isinstance(approved, Decided), number
            if isinstance(approved, Decided):
                first.undo(checkpoint_ids=approved.checkpoint_ids)
            else:
                ask_again(first.ctx, proposal.id)
            assert [entry.id for entry in first.inbox.list()] == [proposal.id], number


def test_an_undo_that_is_sent_twice_asks_again_about_what_was_rejected_only_once(home: Path) -> None:
    with ExitStack() as held:
        owner, other = pair(home, held)
        tools = other.tools(Origin.MCP_TOOL)
        for number in range(ROUNDS):
            text = f"Launch number {number} moved to March."
            tools.call("memory_save", {"content": text})
            (entry,) = owner.inbox.list()
            (rejection,) = owner.inbox.reject(entry.id).checkpoint_ids
            key = first_id()

            def undo(memory: Memory, key: str = key, rejection: str = rejection) -> None:
                with use_change_id(key):
                    memory.undo(checkpoint_ids=[rejection])

            def undo_and_reject(entry: str = entry.id, undo: Callable[[Memory], None] = undo) -> None:
                undo(owner)
                owner.inbox.reject(entry)

            at_once(undo_and_reject, partial(undo, other))
            tools.call("memory_save", {"content": text})
            assert text not in waiting(home), number
