"""checkpoint_restore: put a note back to what it was before a change."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from holdfast.checkpoints.change import Change
from holdfast.checkpoints.history import find
from holdfast.checkpoints.restore import restore, undo_together
from holdfast.guard.origin import Origin
from holdfast.guard.paths import INBOX, readable
from holdfast.tools.approval import refuse_stepping_back
from holdfast.tools.rooms import Rooms
from holdfast.tools.sight import refuse_unseen
from holdfast.tools.targets import recorded
from holdfast.value import Value

__all__ = ["Restored", "checkpoint_restore", "undo_last"]


class Restored(Value):
    """What was put back, and the checkpoint that undoes this in turn."""

    path: str
    checkpoint_id: str
    existed: bool
    because: str = ""
    also: tuple[str, ...] = ()
    """Other notes that were put back with it, because they had been changed as one."""

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
        if self.because:
            shown["because"] = self.because
        return shown


def checkpoint_restore(
    rooms: Rooms,
    id: Annotated[str, "The checkpointId of the change to go back before."],  # noqa: A002 - the seeds' name
) -> Restored:
    """Put a note back to what it was before a change. This is a change too, and can be undone the same way."""
    meant = find(rooms.workspace, id)
    if rooms.origin is not Origin.USER or rooms.session is not None:
        refuse_unseen(rooms, meant.path)
    # Not by the id that was given: the beginning of one may be that of another change by now.
    permit = partial(refuse_stepping_back, rooms)
    made = restore(rooms.workspace, meant.id, origin=rooms.origin, clock=rooms.clock, permit=permit)
    return _finished(rooms, made, meant.id)


def undo_last(rooms: Rooms, path: str | None = None, *, force: bool = False) -> Restored:
    """Take back the last change that has not been taken back yet, with all that were made as one with it."""
    path = recorded(rooms.workspace, path)
    permit = partial(refuse_stepping_back, rooms)
    made = undo_together(rooms.workspace, path=path, origin=rooms.origin, clock=rooms.clock, force=force, permit=permit)
    told = [_finished(rooms, each, each.undoes) for each in made]
    late = "; ".join(dict.fromkeys(each.because for each in told if each.because))
    return told[0].replace(because=late, also=tuple(each.path for each in told[1:]))


def _finished(rooms: Rooms, made: Change, undone: str | None) -> Restored:
    late = rooms.note_changed(made)
    if undone is not None and (readable(made.path).is_prompt_memory or made.path == INBOX):
        from holdfast.tools.dream_undo import wait_again

        wait_again(rooms, find(rooms.workspace, undone))
    return Restored(made.path, made.id, made.after is not None, late)
