"""Putting a note back. Each restore and each undo is itself a change, so it can be undone as well."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing

from holdfast.checkpoints.change import Change, apply, note_to_change, settle
from holdfast.checkpoints.change_history import changes, find, stored_bytes
from holdfast.checkpoints.checkpoint_store import Place, for_writing
from holdfast.checkpoints.group import Step, apply_group, standing_of
from holdfast.clock import Clock
from holdfast.errors import CheckpointNotFound
from holdfast.guard.origin import Origin
from holdfast.notes.workspace import Workspace

__all__ = ["Permit", "restore", "undo", "undo_changes", "undo_together"]

Permit = Callable[[Sequence[Change]], None]
"""Is shown the changes that are about to be taken back, under the lock; what it raises keeps them."""


def restore(
    workspace: Workspace,
    id: str,  # noqa: A002 - the name in the journal
    *,
    origin: Origin,
    tool: str = "checkpoint_restore",
    reason: str = "",
    clock: Clock,
    expected_hash: str | None = None,
    permit: Permit | None = None,
) -> Change:
    """Put a note back to the bytes it had before a change; delete it if it did not exist then."""
    with workspace.lock(), for_writing(workspace) as place:
        settle(place)
        change = find(workspace, id)
        if permit is not None:
            permit([change])
        old = stored_bytes(place, change, change.before)
        return apply(
            place,
            note_to_change(workspace, change.path, is_known=True),
            lambda _: old,
            origin=origin,
            tool=tool,
            reason=reason or f"restored the note as it was before {change.id}",
            expected_hash=expected_hash,
            clock=clock,
            is_known=True,
        )


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
    permit: Permit | None = None,
) -> list[Change]:
    """The same with all that were made as one with that change, or none of them; the newest comes first.

    Who names a note means that note: then only its own change is taken back.
    """
    with workspace.lock(), for_writing(workspace) as place:
        settle(place)
        change = _last_standing(place, path)
        together = standing_of(place, change.group) if change.group and path is None else [change]
        if permit is not None:
            permit(together)
        steps = [
            Step(each.path, stored_bytes(place, each, each.before), None if force else (each.after or ""), each.id)
            for each in together
        ]
        reason = f"undid {change.group if len(steps) > 1 else change.id}"
        return apply_group(place, steps, origin=origin, tool="undo", reason=reason, clock=clock)


def undo_changes(
    workspace: Workspace,
    ids: Sequence[str],
    *,
    origin: Origin,
    clock: Clock,
    force: bool = False,
    permit: Permit | None = None,
) -> list[Change]:
    """Take back just these changes, all of them or none, and give what did that, the newest first.

    An undo is a change too: taking that back brings back what it had undone. Refuses with NoteChangedOutside where a
    note is no longer what these changes made it, unless `force`.
    """
    with workspace.lock(), for_writing(workspace) as place:
        settle(place)
        meant = {change.id: change for change in (find(workspace, named) for named in ids)}
        newest_first = sorted(meant.values(), key=lambda change: -change.seq)
        if permit is not None:
            permit(newest_first)
        steps = [
            Step(each.path, stored_bytes(place, each, each.before), None if force else (each.after or ""), each.id)
            for each in newest_first
        ]
        reason = f"undid {newest_first[0].group if len(steps) > 1 else newest_first[0].id}".rstrip()
        return apply_group(place, steps, origin=origin, tool="undo", reason=reason, clock=clock)


def _last_standing(place: Place, path: str | None) -> Change:
    undone: set[str] = set()
    with closing(changes(place)) as newest_first:
        for change in newest_first:
            if change.undoes is not None:
                # An undo that was taken back, because its writer died halfway, has undone nothing.
                if change.id not in undone:
                    undone.add(change.undoes)
            # A change that left the note as it was has nothing to take back.
            elif change.id not in undone and change.before != change.after and path in (None, change.path):
                return change
    raise CheckpointNotFound("last change" if path is None else f"last change of {path}")
