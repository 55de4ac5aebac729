"""prune and purge: old checkpoints go, and what was deleted from a note is gone for good, from the index too."""

from __future__ import annotations

import os
from typing import Annotated

from holdfast.approval.prompt_gate import refuse_moving
from holdfast.checkpoints.retention import Pruned, prune, purge
from holdfast.context.context import Context
from holdfast.context.index_repair import heal_once
from holdfast.context.save_target import recorded_path
from holdfast.guard.paths import readable_path
from holdfast.qmd.index_removal import remove_index

__all__ = ["prune_checkpoints", "purge_note"]


def prune_checkpoints(ctx: Context) -> Pruned:
    """Drop checkpoints that are older and more than the settings keep."""
    keep = ctx.settings.checkpoints
    return prune(ctx.workspace, keep_days=keep.keep_days, keep_count=keep.keep_count)


def purge_note(ctx: Context, path: Annotated[str, "The note whose checkpoints go."]) -> Pruned:
    """Drop every checkpoint of one note, and every trace of deleted text in the index."""
    path = recorded_path(ctx.workspace, path) or path
    refuse_moving(ctx, readable_path(path))
    dropped = purge(ctx.workspace, path=path)
    remove_index(ctx.workspace)
    if os.path.exists(ctx.index_path):
        from holdfast.dreaming.dream_counts import forget_counts
        from holdfast.index.sync import sync_notes

        ctx.sync()

        def index_anew() -> None:
            # Unchanged as it may be: whose words they are was known from what is gone now.
            serving = ctx.database.serving()
            if serving is not None and serving.state(path) is not None:
                sync_notes(ctx.index.on_disk(), ctx.note_source, [path])

        heal_once(ctx, index_anew)
        heal_once(ctx, lambda: ctx.index.on_disk().scrub())
        forget_counts(ctx)
    return dropped
