"""purge: what was deleted from a note is gone for good, from checkpoints and from the index."""

from __future__ import annotations

import os

from holdfast.checkpoints.retention import Pruned, prune, purge
from holdfast.errors import HoldfastError
from holdfast.guard.paths import readable
from holdfast.qmd.index_removal import remove_index
from holdfast.tools.approval import refuse_moving
from holdfast.tools.index_repair import heal_once
from holdfast.tools.rooms import Rooms
from holdfast.tools.save_target import recorded

__all__ = ["prune_old", "purge_note"]


def purge_note(rooms: Rooms, path: str) -> Pruned:
    """Drop every checkpoint of one note, and every trace of deleted text in the index."""
    path = recorded(rooms.workspace, path) or path
    refuse_moving(rooms, readable(path))
    dropped = purge(rooms.workspace, path=path)
    remove_index(rooms.workspace)
    if os.path.exists(rooms.index_path):
        from holdfast.index.sync import sync_notes
        from holdfast.tools.dream_counts import forget_counts

        rooms.sync()
        chunking, tokenizer = rooms.settings.chunking, rooms.settings.fts.tokenizer.value

        def index_anew() -> None:
            # Unchanged as it may be: whose words they are was known from what is gone now.
            serving = rooms.database.serving()
            if serving is not None and serving.state(path) is not None:
                sync_notes(rooms.index.on_disk(), rooms.workspace, chunking, [path], tokenizer=tokenizer)

        heal_once(rooms, index_anew)
        heal_once(rooms, lambda: rooms.index.on_disk().scrub())
        forget_counts(rooms)
    return dropped


def prune_old(rooms: Rooms) -> str:
    """Drop checkpoints beyond what the settings keep, without anybody's asking; says why not, where that failed."""
    keep = rooms.settings.checkpoints
    try:
        prune(rooms.workspace, keep_days=keep.keep_days, keep_count=keep.keep_count)
    except HoldfastError as error:
        return f"old checkpoints could not be dropped yet: {getattr(error, 'why', None) or error}"
    return ""
