"""Names for chunks that come from their text alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from types import MappingProxyType

from holdfast.markdown.chunk import Chunk

__all__ = ["chunk_ids", "text_hash"]


def chunk_ids(path: str, chunks: Sequence[Chunk], above: Mapping[str, int] = MappingProxyType({})) -> list[str]:
    """An id for each chunk of the note at `path`; it stays the same when lines above the chunk move.

    `above` tells how often their texts stand in chunks that come before these.
    """
    seen = dict(above)
    # The path's length goes first, so that no path and text can be mistaken for another pair.
    place = f"{len(path)}:{path}"
    ids = []
    for chunk in chunks:
        text = chunk.text
        earlier = seen.get(text, 0)
        seen[text] = earlier + 1
        ids.append(sha256(f"{place}:{earlier}:{text}".encode("utf-8", "surrogatepass")).hexdigest()[:16])
    return ids


def text_hash(text: str) -> str:
    """The key under which a text's vectors are kept, in whatever note it stands."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
