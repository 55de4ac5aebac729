"""Putting a note back. Each restore and each undo is itself a change, so it can be undone as well."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from hashlib import sha256

from holdfast.checkpoints.change import Authorship, Change, earlier_changes
from holdfast.checkpoints.change_history import changes, find_change, stored_bytes
from holdfast.checkpoints.checkpoint_store import CheckpointStore
from holdfast.checkpoints.group import Step, apply_group, changes_as_one, unreverted_changes
from holdfast.checkpoints.note_change import locked_store
from holdfast.checkpoints.revert import revert_change
from holdfast.clock import Clock
from holdfast.errors import CheckpointNotFound, NoteChangedOutside, NoteNotFound
from holdfast.guard.origin import Origin
from holdfast.notes.workspace import Workspace

__all__ = ["Around", "restore_together", "undo", "undo_changes", "undo_together"]

Around = Callable[[Sequence[Change]], AbstractContextManager[None]]
"""Entered under the lock with the changes that are about to be taken back; an error that it raises then keeps them.

Left under the lock once they are. A request that is sent again takes nothing back, and enters nothing.
"""


def restore_together(
    workspace: Workspace,
    id: str,  # noqa: A002 - the name in the journal
    authorship: Authorship,
    *,
    expected_hash: str | None = None,
    around: Around | None = None,
    alone: bool = False,
) -> list[Change]:
    """Put a note back to the bytes it had before a change, or delete it if it did not exist then.

    All notes that were changed as one with it go back with it, or none; the change of the named note comes first, and
    `expected_hash` is of that one. `alone` leaves the others as they are.
    """
    with locked_store(workspace) as store:
        earlier = earlier_changes(store)
        if earlier:
            return earlier
        meant = find_change(workspace, id)
        together = [meant] if alone else changes_as_one(store, meant)
        with _entered(around, together):
            # Newest first, so of several changes of one note the oldest says what it was.
            before = {change.path: change for change in together}
            paths = sorted(before, key=lambda path: path != meant.path)
            steps = [
                Step(
                    path,
                    stored_bytes(store, before[path], before[path].before),
                    _hash_wanted(path, meant, expected_hash),
                )
                for path in paths
            ]
            default = f"restored the note as it was before {meant.id}"
            if len(steps) > 1:
                default = f"restored {len(steps)} notes as they were before {meant.group}"
            authorship = authorship._replace(reason=authorship.reason or default)
            return apply_group(store, steps, authorship, are_known=True)


def _hash_wanted(path: str, meant: Change, expected_hash: str | None) -> str | None:
    if path == meant.path:
        return expected_hash
    return None


def undo(workspace: Workspace, *, path: str | None = None, origin: Origin, clock: Clock, force: bool = False) -> Change:
    """Revert the last change that was neither an undo nor undone; each further call steps back once more.

    Refuses with NoteChangedOutside when the note is no longer what that change made it, unless `force`.
    """
    return undo_together(workspace, path=path, origin=origin, clock=clock, force=force)[0]


def undo_together(
    workspace: Workspace,
    *,
    path: str | None = None,
    origin: Origin,
    clock: Clock,
    force: bool = False,
    around: Around | None = None,
) -> list[Change]:
    """Do the same with all changes of that change's group, or none; the newest comes first.

    Who names a note means that note: then only its own change is taken back.
    """
    with locked_store(workspace) as store:
        earlier = earlier_changes(store)
        if earlier:
            return earlier
        change = _last_unreverted(store, path)
        if change.group and path is None:
            together = unreverted_changes(store, change.group)
        else:
            together = [change]
        with _entered(around, together):
            steps = _steps_back(store, together, force=force)
            reason = f"undid {change.group if len(steps) > 1 else change.id}"
            return apply_group(store, steps, Authorship(origin, "undo", clock, reason))


def _entered(around: Around | None, changes: Sequence[Change]) -> AbstractContextManager[None]:
    if around is None:
        return nullcontext()
    return around(changes)


def _steps_back(store: CheckpointStore, changes: Sequence[Change], *, force: bool) -> list[Step]:
    """Return a step for each change that makes its note what it was; with `force`, whatever the note is now."""
    return [
        Step(
            change.path,
            stored_bytes(store, change, change.before),
            None if force else (change.after or ""),
            change.id,
        )
        for change in changes
    ]


def undo_changes(
    workspace: Workspace,
    ids: Sequence[str],
    *,
    origin: Origin,
    clock: Clock,
    force: bool = False,
    keep_later: bool = False,
    around: Around | None = None,
) -> list[Change]:
    """Take back just these changes, all or none, and return the undoing changes, newest first.

    What was made as one with one of them goes with it, unless it was taken back already.
    An undo is a change too: taking that back brings back what it had undone. Refuses with NoteChangedOutside where a
    note is no longer what these changes made it, unless `force`; with `keep_later` only where what was changed since
    stands in the way, line by line, and keeps the rest of it.
    """
    with locked_store(workspace) as store:
        earlier = earlier_changes(store)
        if earlier:
            return earlier
        chosen = {change.id: change for change in (find_change(workspace, change_id) for change_id in ids)}
        for group in {change.group for change in chosen.values() if change.group}:
            chosen |= {change.id: change for change in unreverted_changes(store, group)}
        newest_first = sorted(chosen.values(), key=lambda change: -change.seq)
        with _entered(around, newest_first):
            merges = keep_later and not force and len({member.path for member in newest_first}) == len(newest_first)
            steps = _steps_back(store, newest_first, force=force)
            if merges:
                steps = [_among_later(store, member, step) for member, step in zip(newest_first, steps, strict=True)]
            reason = f"undid {newest_first[0].group if len(steps) > 1 else newest_first[0].id}".rstrip()
            return apply_group(store, steps, Authorship(origin, "undo", clock, reason))


def _among_later(store: CheckpointStore, member: Change, step: Step) -> Step:
    """The step that takes a change out of a note that was changed since; NoteChangedOutside where that can't be."""
    now = _bytes_now(store.workspace, member.path)
    if now is not None:
        found = sha256(now).hexdigest()
    else:
        found = ""
    if found == (member.after or ""):
        return step
    reversal = revert_change(now, step.data, stored_bytes(store, member, member.after))
    if reversal.kept or reversal.data == now:
        raise NoteChangedOutside(member.path, member.after or "", found)
    return step._replace(data=reversal.data, expected_hash=found)


def _bytes_now(workspace: Workspace, path: str) -> bytes | None:
    try:
        return workspace.read(path).data
    except NoteNotFound:
        return None


def _last_unreverted(store: CheckpointStore, path: str | None) -> Change:
    undone: set[str] = set()
    with closing(changes(store)) as newest_first:
        for change in newest_first:
            if change.undoes is not None:
                # An undo that was taken back, because its writer died halfway, has undone nothing.
                if change.id not in undone:
                    undone.add(change.undoes)
            # A change that left the note as it was has nothing to take back.
            elif change.id not in undone and change.before != change.after and path in (None, change.path):
                return change
    raise CheckpointNotFound("last change" if path is None else f"last change of {path}")
