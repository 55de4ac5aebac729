"""What a run of dreaming writes: all of its notes as one change, which carries the run's name."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final, NamedTuple

from holdfast.checkpoints.change import Change, settle
from holdfast.checkpoints.checkpoint_store import for_writing
from holdfast.checkpoints.group import Step, apply_group
from holdfast.errors import NoteNotFound
from holdfast.guard.paths import changeable, writable
from holdfast.tools.rooms import Rooms

__all__ = ["TOOL", "Writing", "bytes_of", "hash_of", "memory_bytes", "reason_of", "write_run"]

TOOL: Final = "dream"


class Writing(NamedTuple):
    """What becomes of a note that was read; None where there was none, or shall be none."""

    path: str
    old: bytes | None
    new: bytes | None


def reason_of(run: str) -> str:
    """What the checkpoints of a run say."""
    return f"dream {run}"


def memory_bytes(rooms: Rooms) -> bytes | None:
    """MEMORY.md as it is now."""
    return bytes_of(rooms, rooms.workspace.spot(writable("MEMORY.md")).path)


def bytes_of(rooms: Rooms, path: str) -> bytes | None:
    """A note as it is now; None where there is none."""
    try:
        return rooms.workspace.read(changeable(path)).data
    except NoteNotFound:
        return None


def write_run(rooms: Rooms, run: str, writings: Sequence[Writing]) -> tuple[list[Change], str]:
    """Write the notes that change, all or none, where each is still what was read; and what is to be said about it."""
    steps = [Step(one.path, one.new, hash_of(one.old) or "") for one in writings if one.new != one.old]
    if not steps:
        return [], ""
    with rooms.workspace.lock(), for_writing(rooms.workspace) as place:
        settle(place)
        made = apply_group(place, steps, origin=rooms.origin, tool=TOOL, reason=reason_of(run), clock=rooms.clock)
    late = [rooms.note_changed(change) for change in made]
    return made, "; ".join(dict.fromkeys(filter(None, late)))


def hash_of(data: bytes | None) -> str | None:
    """What a checkpoint calls these bytes."""
    return None if data is None else hashlib.sha256(data).hexdigest()
