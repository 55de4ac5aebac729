"""Several notes changed as one: all of it or nothing, and taken back with one command.

Each change of a group says how many there are to be. Where a writer died before the last one, the next writer takes
back those that it had made; a note that a person has edited since is left as it is.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from contextlib import closing, suppress

from holdfast.checkpoints.change import (
    Authorship,
    Change,
    GroupStep,
    earlier_changes,
    note_before,
    note_to_change,
    put_note,
)
from holdfast.checkpoints.change_history import changes, stored_bytes
from holdfast.checkpoints.checkpoint_store import CheckpointStore
from holdfast.checkpoints.journal import Kind
from holdfast.errors import BadPath, CheckpointDamaged, HoldfastError, NoteChangedOutside, TooLarge, UnsafeFile
from holdfast.guard.origin import Origin
from holdfast.guard.paths import readable_path
from holdfast.guard.write_gate import OWNER
from holdfast.named_tuple import NamedTuple

__all__ = [
    "Step",
    "apply_group",
    "authorship_of_rest",
    "changes_as_one",
    "changes_by_group",
    "undo_unfinished_group",
    "unreverted_changes",
]


class Step(NamedTuple):
    """The new bytes of one note (None removes it), and the hash that it must have now.

    The hash is "" where there must be no note; None asks for nothing.
    """

    path: str
    data: bytes | None
    expected_hash: str | None
    undoes: str | None = None


def apply_group(
    store: CheckpointStore,
    steps: Sequence[Step],
    authorship: Authorship,
    *,
    are_known: bool = False,
) -> list[Change]:
    """Make all these changes in their order, or none; the caller holds the lock and has settled the journal.

    `are_known` says that the paths are from the journal, as those of steps that undo something are.
    """
    paths = [
        note_to_change(store.workspace, step.path, is_known=are_known or step.undoes is not None) for step in steps
    ]
    for path in paths:  # before the first of them: half of a group must not happen because the other may not
        store.workspace.gate.require(path)
    earlier = earlier_changes(store)
    if earlier:
        return earlier
    applied: list[Change] = []
    try:
        for number, (step, path) in enumerate(zip(steps, paths, strict=True), 1):
            is_known = are_known or step.undoes is not None
            note = note_before(store, path, expected_hash=step.expected_hash, is_known=is_known)
            part = None
            if len(steps) > 1:
                part = GroupStep(applied[0].id if applied else "", number, len(steps))
            applied.append(put_note(store, note, step.data, authorship, undoes=step.undoes, part=part))
    except BaseException:
        # If this fails too, the next writer settles it.
        with suppress(HoldfastError):
            undo_unfinished_group(store)
        raise
    return applied


def undo_unfinished_group(store: CheckpointStore) -> None:
    """Take back the steps of a group that was not finished; the caller holds the lock, and no change is open."""
    last, change = store.journal.latest()
    # Only the last group of the journal can be unfinished: every later writer, and whatever clears the journal, settles
    # it first.
    if last is None or change is None or last.id != change.id or not change.group:
        return
    if last.kind is Kind.done and 0 < change.step == change.steps:
        return
    # The next writer only takes back what a dead one left, and adds nothing of its own, so no gate stops it.
    store = store._replace(workspace=store.workspace.with_gate(OWNER))
    for applied in unreverted_changes(store, change.group):
        with suppress(NoteChangedOutside, CheckpointDamaged, TooLarge, UnsafeFile, BadPath):
            old = stored_bytes(store, applied, applied.before)
            note = note_before(store, readable_path(applied.path), expected_hash=applied.after or "", is_known=True)
            part = GroupStep(applied.group, 0, 0)
            put_note(store, note, old, authorship_of_rest(applied), undoes=applied.id, part=part)


def authorship_of_rest(applied: Change) -> Authorship:
    """Return who takes back a change whose group was never finished: its own author, at its own time."""
    origin = next((origin for origin in Origin if origin == applied.origin), Origin.OUTSIDE)
    reason = f"took back {applied.id}: the rest of it never happened"
    return Authorship(origin, "undo", _FixedClock(applied.at), reason)


def unreverted_changes(store: CheckpointStore, group: str) -> list[Change]:
    """Return the changes of a group that nobody took back, newest first."""
    undone: set[str] = set()
    standing: list[Change] = []
    with closing(changes(store)) as newest_first:
        for change in newest_first:
            if change.undoes is not None and change.id not in undone:
                undone.add(change.undoes)
            if change.group == group and change.step and change.id not in undone:
                standing.append(change)
            if change.id == group:
                break
    return standing


def changes_as_one(store: CheckpointStore, change: Change) -> list[Change]:
    """Return all changes that were made as one with this one, itself too, newest first; undone or not."""
    if not change.group:
        return [change]
    return changes_by_group(store, {change.group}, change.id)[change.group]


def changes_by_group(store: CheckpointStore, groups: Set[str], also: str = "") -> dict[str, list[Change]]:
    """Return the changes of each of these groups, newest first, undone or not, in one look at the journal."""
    together: dict[str, list[Change]] = {group: [] for group in groups}
    begun: set[str] = set()
    if not groups:
        return together
    named = next(iter(groups)) if len(groups) == 1 else ""
    with closing(changes(store, f'"group":"{named}'.encode())) as newest_first:
        for member in newest_first:
            # A change that took back the steps of a dead writer belongs to the group, but is no step of it.
            if member.group in together and (member.step or member.id == also):
                together[member.group].append(member)
            if member.id in together:
                begun.add(member.id)
                if len(begun) == len(together):
                    break
    return together


class _FixedClock(NamedTuple):
    """A clock that stands at the time of the change that is taken back: nothing here knows a better one."""

    at: float

    def now(self) -> float:
        """Return that time."""
        return self.at

    def monotonic(self) -> float:
        """Return the same."""
        return self.at
