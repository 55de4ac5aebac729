"""The background of a home: how near a question is to any note, above which a similarity must stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from holdfast.index.sqlite.connection import Connection
from holdfast.index.sqlite.matrix import background_of
from holdfast.index.sqlite.quantization import ByteVectors

if TYPE_CHECKING:
    from typing import TypeAlias

    WithVectors: TypeAlias = Callable[[Sequence[Sequence[Any]]], dict[int, bytes]]

__all__ = ["Background"]

_FEW = 16  # vectors, for which half of what they say of the background is believed
_ANY_SPREAD = 0.1  # of the similarities of unrelated texts, with the models that were looked at
_SAMPLE = 512  # enough for a median that is right to about a hundredth


class Background:
    """Compares with a sample of the vectors of one space; few notes may all be about one thing.

    The sample is drawn by hash, so that a rebuild draws the same one.
    """

    def __init__(self, connection: Connection, space: int, dimensions: int, with_vectors: WithVectors) -> None:
        """`with_vectors` gives the vectors of rows of SQLite."""
        self._connection = connection
        self._space = space
        self._dimensions = dimensions
        self._with_vectors = with_vectors
        self._sample: tuple[tuple[int, int], ByteVectors | None] | None = None

    def of(self, edition: int, has_vector: str, vector: bytes) -> tuple[float, float]:
        """Return the median similarity to a sample of the notes, and its spread.

        `has_vector` is SQL for whether a chunk `c` has the vector `v`. Few notes say little of what is unrelated: the
        fewer there are, the nearer both stay to what any two texts have.
        """
        version = self._connection.version()
        if self._sample is None or self._sample[0] != version:
            self._sample = version, self._draw(edition, has_vector)
        block = self._sample[1]
        if block is None:
            return 0.0, _ANY_SPREAD
        middle, spread = background_of(vector, block)
        trust = len(block.steps) / (len(block.steps) + _FEW)
        return max(0.0, trust * middle), (trust * spread**2 + (1.0 - trust) * _ANY_SPREAD**2) ** 0.5

    def _draw(self, edition: int, has_vector: str) -> ByteVectors | None:
        # Vectors of texts that are gone are kept for a while, but say nothing of what is here.
        rows = self._connection.all(
            "SELECT v.id, v.vector FROM vectors v WHERE v.space = ? AND v.vector != x'' AND EXISTS "
            f"(SELECT 1 FROM e{edition}_chunks c WHERE {has_vector}) ORDER BY v.hash LIMIT ?",
            (self._space, _SAMPLE),
        )
        found = self._with_vectors(rows)
        if not found:
            return None
        codes, steps = ByteVectors.of([found[row] for row, _ in rows if row in found], self._dimensions)
        return ByteVectors(codes.astype("<f4"), steps)  # every question is compared with it: a megabyte
