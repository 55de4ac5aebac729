"""purge: what was deleted from a note is gone for good, from checkpoints and from the index."""

from __future__ import annotations

import os

from holdfast.checkpoints.prune import Pruned, purge
from holdfast.tools.rooms import Rooms
from holdfast.tools.targets import recorded

__all__ = ["purge_note"]


def purge_note(rooms: Rooms, path: str) -> Pruned:
    """Drop every checkpoint of one note, and every trace of deleted text in the index."""
    dropped = purge(rooms.workspace, path=recorded(rooms.workspace, path) or path)
    if os.path.exists(rooms.index_path):
        rooms.sync()
        rooms.database.scrub()
        rooms.usage.forget(rooms.database.hashes())
    return dropped
