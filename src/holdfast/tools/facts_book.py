"""The notes of facts of one agent: read as they are now, and changed in one go under one lock."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from typing import TypeAlias

from holdfast.checkpoints.change import Change, apply, settle
from holdfast.checkpoints.place import Place, for_writing
from holdfast.errors import BadText, HoldfastError, NoteChangedOutside, NoteNotFound, TooLarge, UnsafeFile
from holdfast.facts.fact import Fact
from holdfast.facts.storing import NOTES, Notes, all_facts
from holdfast.guard.paths import changeable
from holdfast.guard.text import MAX_NOTE_BYTES, decode
from holdfast.tools.rooms import Rooms
from holdfast.tools.targets import target

__all__ = ["Steps", "facts_now", "read_notes", "today", "write_notes"]

_ATTEMPTS = 3

Steps: TypeAlias = Sequence[tuple[str, bytes | None]]
"""The notes to write, one after the other; a note may come more than once."""


def today(rooms: Rooms) -> date:
    """The day it is where the owner is."""
    return datetime.fromtimestamp(rooms.clock.now(), UTC).astimezone().date()


def read_notes(rooms: Rooms) -> tuple[dict[str, bytes | None], dict[str, HoldfastError]]:
    """The bytes of the notes of facts, and why some can't be read: one that is damaged must not hide the others."""
    notes: dict[str, bytes | None] = {}
    damaged: dict[str, HoldfastError] = {}
    for path in NOTES:
        notes[path] = None
        try:
            data = rooms.workspace.read(path).data
            decode(data)
        except NoteNotFound:
            continue
        except (BadText, TooLarge, UnsafeFile) as error:
            damaged[path] = error
        else:
            notes[path] = data
    return notes, damaged


def facts_now(rooms: Rooms) -> list[Fact]:
    """Every fact there is, as its note tells it now."""
    return all_facts(read_notes(rooms)[0])


def write_notes(rooms: Rooms, decide: Callable[[Notes], Steps], *, tool: str, reason: str) -> tuple[list[Change], str]:
    """Let somebody decide about the notes as they are, and write what comes of it; no other process writes in between.

    Gives the changes, and what is to be said about them. Steps that change nothing are left out. A person's editor asks
    for no lock: where a note is no longer what was read, the decision is made again.
    """
    made: list[Change] = []
    late: list[str] = []
    with rooms.workspace.lock(), for_writing(rooms.workspace) as place:
        settle(place)
        for attempt in range(_ATTEMPTS):
            try:
                _step(rooms, place, decide, made, tool, reason)
                break
            except NoteChangedOutside as error:
                if made:  # what is done is done, and is to be told
                    late.append(f"{error.path} was changed by somebody else just now, and is as they left it")
                    break
                if attempt == _ATTEMPTS - 1:
                    raise
    late += [rooms.note_changed(change) for change in {change.path: change for change in made}.values()]
    return made, "; ".join(dict.fromkeys(filter(None, late)))


def _step(
    rooms: Rooms, place: Place, decide: Callable[[Notes], Steps], made: list[Change], tool: str, reason: str
) -> None:
    notes, damaged = read_notes(rooms)
    steps = decide(notes)
    # All of them before any: half of it must not happen because the other half may not.
    for path, data in steps:
        if path in damaged:
            raise damaged[path]
        if data is not None and len(data) > MAX_NOTE_BYTES:
            raise TooLarge(f"note {path}", len(data), MAX_NOTE_BYTES)
        target(path, rooms.settings.memory.agent_write_mode)
    for path, data in steps:
        if data == notes[path]:
            continue
        made.append(
            apply(
                place,
                changeable(path),
                lambda _, data=data: data,  # type: ignore[misc]
                origin=rooms.origin,
                tool=tool,
                reason=reason,
                expected_hash=_hash(notes[path]),
                clock=rooms.clock,
            )
        )
        notes[path] = data


def _hash(data: bytes | None) -> str:
    return "" if data is None else hashlib.sha256(data).hexdigest()
