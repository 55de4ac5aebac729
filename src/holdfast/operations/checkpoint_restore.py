"""checkpoint_restore: put notes back to what they were before a change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Annotated, Any

from holdfast.approval.prompt_gate import APPROVAL_TOOL, refuse_stepping_back
from holdfast.checkpoints.change import Change
from holdfast.checkpoints.change_history import find_change
from holdfast.checkpoints.checkpoint_store import open_for_reading
from holdfast.checkpoints.erasure_mark import erased_up_to
from holdfast.checkpoints.group import changes_as_one, unreverted_changes
from holdfast.checkpoints.rollback import restore_together, undo_together
from holdfast.checkpoints.rollback import undo_changes as take_back
from holdfast.checkpoints.squash import changed_since
from holdfast.context.context import Context
from holdfast.context.save_target import recorded_path
from holdfast.context.session_visibility import require_readable
from holdfast.errors import BadArgument, ForgottenForGood
from holdfast.guard.origin import Origin
from holdfast.operations.tool_schema import FOR_PROGRAMS, ToolName
from holdfast.value import Value

__all__ = ["Restored", "checkpoint_restore", "undo_changes", "undo_last"]

_MOST = 1000  # changes that are taken back at a time
_OF_INBOX = (APPROVAL_TOOL, "dream")  # the second is that of dreaming.dream_change, which few commands load


class Restored(Value):
    """Says what was put back, and the checkpoint that undoes this in turn."""

    path: str
    checkpoint_id: str
    existed: bool
    because: str = ""
    also: tuple[str, ...] = ()
    """Other notes that were put back with it, because they had been changed as one."""
    left: tuple[str, ...] = ()
    """Other notes that had been changed as one with it, and stay as they are."""
    tool: str = ""
    """What had made the change that was taken back."""
    checkpoint_ids: tuple[str, ...] = ()
    """All that undo this in turn, where it took more than one."""
    later: int = 0
    """How many later changes of these notes went with the one that was meant."""
    outside: bool = False
    """Whether what was edited outside since went, too."""

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        shown: dict[str, Any] = {
            "restored": True,
            "path": self.path,
            "exists": self.existed,
            "checkpointId": self.checkpoint_id,
        }
        if self.also:
            shown["also"] = list(self.also)
        if self.left:
            shown["left"] = list(self.left)
        if self.later:
            shown["later"] = self.later
        if self.outside:
            shown["outside"] = True
        if self.because:
            shown["because"] = self.because
        return shown


def checkpoint_restore(
    ctx: Context,
    checkpoint: Annotated[str, "The checkpointId of the change to go back before.", ToolName("id")],
    *,
    alone: Annotated[
        bool, "Only its own note; others that were changed as one with it stay as they are.", FOR_PROGRAMS
    ] = False,
) -> Restored:
    """Put a note back to what it was before a change, with all that were changed as one with it, or none of them.

    This is a change too, and can be undone the same way.
    """
    meant = find_change(ctx.workspace, checkpoint)
    together = [meant] if alone else _made_as_one(ctx, meant)
    if ctx.origin is not Origin.USER or ctx.session is not None:
        for change in together:
            require_readable(ctx, change.path)
    # Not by the id that was given: the beginning of one may be that of another change by now.
    around = partial(_permitted_and_told, ctx)
    changes = restore_together(
        ctx.workspace, meant.id, ctx.authorship("checkpoint_restore"), around=around, alone=alone
    )
    late = ctx.notes_changed(changes)
    newest = {change.path: change for change in reversed(together)}
    since = [changed_since(ctx.workspace, newest[change.path], change) for change in changes if change.path in newest]
    first = changes[0]
    return Restored(
        first.path,
        first.id,
        first.after is not None,
        late,
        also=tuple(change.path for change in changes[1:]),
        checkpoint_ids=tuple(change.id for change in changes),
        later=sum(note.changes for note in since),
        outside=any(note.outside for note in since),
    )


def undo_last(
    ctx: Context,
    path: Annotated[str | None, "The last change of this note; else of any."] = None,
    *,
    force: Annotated[bool, "Also when the note was changed outside since."] = False,
    checkpoint_ids: Annotated[
        Sequence[str] | None,
        "Just these changes, as one, with what was made as one with them; an undo is a change too.",
    ] = None,
    keep_later: Annotated[
        bool, "With `checkpoint_ids`: keep what was changed since, unless it is the same lines."
    ] = False,
) -> Restored:
    """Take back the last change that has not been taken back yet, with all that were made as one with it.

    With `checkpoint_ids`, take back just these as one; with `keep_later`, what was changed since stays where it can.
    """
    if checkpoint_ids is not None:
        if path is not None:
            raise BadArgument("path", "the changes are named already; leave it out")
        return undo_changes(ctx, checkpoint_ids, force=force, keep_later=keep_later)
    path = recorded_path(ctx.workspace, path)

    def around(meant: Sequence[Change]) -> AbstractContextManager[None]:
        # Under the lock: something may have been forgotten for good while that was waited for.
        if path is None and not force and meant[0].seq <= erased_up_to(ctx.workspace):
            raise ForgottenForGood
        return _permitted_and_told(ctx, meant)

    changes = undo_together(ctx.workspace, path=path, origin=ctx.origin, clock=ctx.clock, force=force, around=around)
    restored, undone = _report_undo(ctx, changes)
    return restored.replace(left=_other_notes(ctx, undone))


def undo_changes(ctx: Context, ids: Sequence[str], *, force: bool = False, keep_later: bool = False) -> Restored:
    """Take back just the changes with these ids, as one; where one of them was an undo, that brings back what it undid.

    What was made as one with one of them goes with it.
    NoteChangedOutside where a note was changed since, unless `force`; with `keep_later` only where lines of it were.
    """
    if not 1 <= len(ids) <= _MOST:
        raise BadArgument("checkpoint_ids", f"give between 1 and {_MOST} of them")
    around = partial(_permitted_and_told, ctx)
    changes = take_back(
        ctx.workspace, ids, origin=ctx.origin, clock=ctx.clock, force=force, keep_later=keep_later, around=around
    )
    restored, _ = _report_undo(ctx, changes)
    return restored


@contextmanager
def _permitted_and_told(ctx: Context, changes: Sequence[Change]) -> Iterator[None]:
    """Refuse to take back what may not be, and tell the inbox once it is; all under the lock.

    Told later, a request that was sent again, or a slow one, would undo what the owner decided about it since.
    """
    refuse_stepping_back(ctx, changes)
    yield
    for change in changes:
        _tell_inbox(ctx, change)


def _report_undo(ctx: Context, changes: Sequence[Change]) -> tuple[Restored, Change]:
    """Index the notes of changes that took others back; gives the answer, and the first that was taken back."""
    late = ctx.notes_changed(changes)
    undone = [find_change(ctx.workspace, change.undoes) for change in changes if change.undoes is not None]
    first = changes[0]
    restored = Restored(
        first.path,
        first.id,
        first.after is not None,
        late,
        also=tuple(change.path for change in changes[1:]),
        tool=undone[0].tool,
        checkpoint_ids=tuple(change.id for change in changes),
    )
    return restored, undone[0]


def _made_as_one(ctx: Context, change: Change) -> list[Change]:
    """The changes that were made as one with this one, itself too, newest first."""
    with open_for_reading(ctx.workspace) as store:
        if store is None:
            return [change]
        return changes_as_one(store, change)


def _other_notes(ctx: Context, undone: Change) -> tuple[str, ...]:
    """The other notes of a change that was one of several."""
    if not undone.group:
        return ()
    with open_for_reading(ctx.workspace) as store:
        if store is None:
            return ()
        return tuple(sorted({each.path for each in unreverted_changes(store, undone.group)}))


def _tell_inbox(ctx: Context, undone: Change) -> None:
    """Let the inbox follow, where what was decided about its entries, or a run that proposed some, is taken back."""
    if undone.tool in _OF_INBOX or undone.undoes is not None:
        from holdfast.dreaming.dream_undo import wait_again

        wait_again(ctx, undone)
