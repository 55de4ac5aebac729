"""The part of a memory that an operation is one of: its facts, its notes, a session of it, that session's state."""

from __future__ import annotations

from typing import Any

from holdfast.errors import BadArgument
from holdfast.guard.operation import Part
from holdfast.memory import Memory
from holdfast.sessions.conversation import Session
from holdfast.transcripts.state import BoundState, without_own

__all__ = ["is_of_session", "part_of"]


def is_of_session(kind: type[Part] | None) -> bool:
    """Say whether a part is a session, or one that a session has."""
    return kind in (Session, BoundState)


def part_of(kind: type[Part], memory: Memory, session: Session | None) -> Any:
    """Return the part of a kind as whoever asks over the network has it; `facts.` is the prefix of `memory.facts`."""
    if kind is Memory:
        return memory
    if not is_of_session(kind):
        return getattr(memory, kind.prefix.removesuffix("."))
    if session is None:
        raise BadArgument("session", "this is asked of a session, and none is named")
    return session if kind is Session else without_own(session.state)
