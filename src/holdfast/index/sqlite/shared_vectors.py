"""The vectors that other agents of the same home have already paid for.

A vector depends on nothing but the text and the model, so an agent that holds the same text may have it: the hash is
the proof. Each agent still keeps its own copy, so that one index can be deleted without a thought for the others.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

import apsw

if TYPE_CHECKING:
    from holdfast.index.sqlite.vectors import Vectors

__all__ = ["Neighbours"]

_WAIT_MS = 200


class Neighbours:
    """Looks into the index files that a pattern finds, but for our own; a file that can't be read has nothing."""

    def __init__(self, pattern: str, own: str) -> None:
        self._pattern = pattern
        self._own = own

    def __call__(self, vectors: Vectors, hashes: Sequence[str]) -> list[tuple[str, bytes]]:
        """Return the vectors of these texts that are in the same space of another agent's index."""
        import glob

        found: dict[str, bytes] = {}
        for file in sorted(glob.glob(self._pattern)):
            missing = [text_hash for text_hash in hashes if text_hash not in found]
            if missing and os.path.abspath(file) != os.path.abspath(self._own):
                found.update(_vectors_in(file, vectors, missing))
        return list(found.items())


def _vectors_in(file: str, vectors: Vectors, hashes: Sequence[str]) -> list[tuple[str, bytes]]:
    try:
        with closing(apsw.Connection(file, flags=apsw.SQLITE_OPEN_READONLY)) as raw:
            raw.set_busy_timeout(_WAIT_MS)
            rows: list[Any] = raw.execute(
                "SELECT v.hash, v.vector FROM spaces s JOIN json_each(?5) j "
                "JOIN vectors v ON v.space = s.id AND v.hash = j.value "
                "WHERE s.provider = ?1 AND s.model = ?2 AND s.endpoint = ?3 AND s.dimensions = ?4",
                (*vectors.space, json.dumps(list(hashes))),
            ).fetchall()
    except apsw.Error:
        return []  # not an index, or one that is just being mended: then the provider is asked
    numbers = vectors.space.dimensions
    return [(text_hash, vector) for text_hash, vector in rows if len(vector) in (0, numbers, 4 * numbers)]
