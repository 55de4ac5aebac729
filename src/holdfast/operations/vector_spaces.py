"""spaces: which vectors there are, how much of the notes each space covers, and how to drop one."""

from __future__ import annotations

import os
from typing import Annotated

from holdfast.context.context import Context
from holdfast.context.index_repair import heal_once
from holdfast.embeddings.embedder import SpaceKey
from holdfast.errors import BadArgument
from holdfast.value import Shown

__all__ = ["Space", "drop_space", "spaces"]


class Space(Shown):
    """One space; `number` is its place in the list, which `drop` takes."""

    number: int
    provider: str
    model: str
    endpoint: str
    dimensions: int
    texts: int
    embedded: int
    vectors: int
    current: bool


def spaces(ctx: Context) -> list[Space]:
    """Return every space of vectors in the index, and how much of the notes each covers, oldest first."""
    if not os.path.exists(ctx.index_path):
        return []
    return heal_once(ctx, lambda: _spaces(ctx))


def _spaces(ctx: Context) -> list[Space]:
    current = None
    if ctx.chain:
        current = ctx.chain.first.known_space()
    listed: list[Space] = []
    for number, key in enumerate(ctx.database.spaces(), 1):
        vectors = ctx.database.vectors(key)
        texts, embedded = vectors.coverage()
        listed.append(Space(number, *key, texts, embedded, vectors.count(), key == current))
    return listed


def drop_space(ctx: Context, which: Annotated[str, "Its number in the list, or its provider/model."]) -> Space:
    """Drop the space with this number, or of this `provider/model`; gives what it was."""
    all_spaces = spaces(ctx)
    named = [space for space in all_spaces if which in (str(space.number), f"{space.provider}/{space.model}")]
    if len(named) != 1:
        there = ", ".join(f"{space.number} ({space.provider}/{space.model})" for space in all_spaces) or "none"
        if named:
            reason = "more than one space is called that; use its number"
        else:
            reason = f"there is no such space; there are: {there}"
        raise BadArgument("space", reason)
    (space,) = named
    waiting = ctx.database.waiting(SpaceKey(space.provider, space.model, space.endpoint, space.dimensions))
    if waiting:
        raise BadArgument("space", f"{waiting:,} of its texts are in a batch job; `holdfast index` collects them first")
    ctx.index.on_disk().drop_space(SpaceKey(space.provider, space.model, space.endpoint, space.dimensions))
    return space
