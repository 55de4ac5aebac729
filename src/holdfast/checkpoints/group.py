"""Several notes changed as one: all of it or nothing, and taken back with one command.

Each change of a group says how many there are to be. Where a writer died before the last one, the next writer takes
back those that it had made; a note that a person has edited since is left as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing, suppress
from typing import NamedTuple

from holdfast.checkpoints.change import Change, Edit, Part, apply, note_to_change
from holdfast.checkpoints.change_history import changes, stored_bytes
from holdfast.checkpoints.checkpoint_store import Place
from holdfast.checkpoints.journal import Kind
from holdfast.clock import Clock
from holdfast.errors import BadPath, CheckpointDamaged, HoldfastError, NoteChangedOutside, TooLarge, UnsafeFile
from holdfast.guard.origin import Origin
from holdfast.guard.paths import readable
from holdfast.guard.write_gate import OWNER

__all__ = ["Step", "apply_group", "recover", "standing_of"]


class Step(NamedTuple):
    """What one note becomes (None: there shall be none), and the hash of what it is now, "" where there is none.

    Without a hash (None) it is not asked for.
    """

    path: str
    data: bytes | None
    expected_hash: str | None
    undoes: str | None = None


def apply_group(
    place: Place, steps: Sequence[Step], *, origin: Origin, tool: str, reason: str, clock: Clock
) -> list[Change]:
    """Make all these changes in their order, or none; the caller holds the lock and has settled the journal."""
    for step in steps:  # before the first of them: half of a group must not happen because the other may not
        place.workspace.gate.require(note_to_change(place.workspace, step.path, is_known=step.undoes is not None))
    made: list[Change] = []
    try:
        for number, step in enumerate(steps, 1):
            first_id = made[0].id if made else ""
            made.append(
                apply(
                    place,
                    note_to_change(place.workspace, step.path, is_known=step.undoes is not None),
                    _made(step.data),
                    origin=origin,
                    tool=tool,
                    reason=reason,
                    expected_hash=step.expected_hash,
                    clock=clock,
                    undoes=step.undoes,
                    is_known=step.undoes is not None,
                    part=Part(first_id, number, len(steps)) if len(steps) > 1 else None,
                )
            )
    except BaseException:
        # If this fails too, the next writer settles it.
        with suppress(HoldfastError):
            recover(place)
        raise
    return made


def recover(place: Place) -> None:
    """Take back the steps of a group that was not finished; the caller holds the lock, and no change is open."""
    last, change = place.journal.latest()
    # Only the end of the journal can be unfinished: what follows it, or cleared some of it away, settled it first.
    if last is None or change is None or last.id != change.id or not change.group:
        return
    if last.kind is Kind.done and 0 < change.step == change.steps:
        return
    # Whoever comes next takes back what a dead writer left, and puts in nothing of their own: no gate stops that.
    place = place._replace(workspace=place.workspace.with_gate(OWNER))
    for each in standing_of(place, change.group):
        with suppress(NoteChangedOutside, CheckpointDamaged, TooLarge, UnsafeFile, BadPath):
            old = stored_bytes(place, each, each.before)
            apply(
                place,
                readable(each.path),
                _made(old),
                origin=next((one for one in Origin if one == each.origin), Origin.OUTSIDE),
                tool="undo",
                reason=f"took back {each.id}: the rest of it never happened",
                expected_hash=each.after or "",
                clock=_Then(each.at),
                undoes=each.id,
                part=Part(each.group, 0, 0),
                is_known=True,
            )


def standing_of(place: Place, group: str) -> list[Change]:
    """The changes of a group that nobody took back, the newest first."""
    undone: set[str] = set()
    found: list[Change] = []
    with closing(changes(place)) as newest_first:
        for change in newest_first:
            if change.undoes is not None and change.id not in undone:
                undone.add(change.undoes)
            if change.group == group and change.step and change.id not in undone:
                found.append(change)
            if change.id == group:
                break
    return found


class _Then(NamedTuple):
    """A clock that stands at the time of what is taken back: nobody who knows a better one is here."""

    at: float

    def now(self) -> float:
        return self.at

    def monotonic(self) -> float:
        return self.at


def _made(data: bytes | None) -> Edit:
    """The edit after which a note has these bytes, whatever it had."""
    return lambda _: data
