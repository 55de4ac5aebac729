"""The map of the notes, made from the vectors that answer searches."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from holdfast.context.context import Context
from holdfast.context.index_repair import heal_once

if TYPE_CHECKING:
    from holdfast.embeddings.embedder import SpaceKey
    from holdfast.index.note_map import NoteMap

__all__ = ["map_view"]


def map_view(ctx: Context) -> NoteMap:
    """Return where notes lie by meaning: a point a note, and groups with names; made from the vectors of the index."""
    from holdfast.index.note_map import NoteMap, note_map

    if ctx.chain is None:
        return NoteMap(because="Vectors are switched off (memory.disable_rag).")
    space = _serving_space(ctx)
    if space is None:
        return NoteMap(because="Nothing is indexed yet.")
    return heal_once(ctx, lambda: note_map(ctx.database.vectors(space)))


def _serving_space(ctx: Context) -> SpaceKey | None:
    """The space that answers searches; a look must not begin one."""
    if ctx.chain is None or not os.path.exists(ctx.index_path):
        return None
    known = ctx.database.spaces()
    return next((space for link in ctx.chain.links if (space := link.known_space()) in known), None)
