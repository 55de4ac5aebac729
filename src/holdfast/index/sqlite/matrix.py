"""All vectors of one space as one matrix: the quickest answer.

The rows on file are memory-mapped, so a cold process pays only for the pages it reads; vectors that SQLite alone has
wait in a small tail in memory until a file is written again. Rows that have since gone are sifted out by whoever asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from holdfast.index.sqlite.matrix_file import MappedFile, map_file
from holdfast.index.sqlite.quantization import ByteVectors
from holdfast.named_tuple import NamedTuple

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy as np

    from holdfast.index.sqlite.shortlist import Codes

    Rows: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]

__all__ = ["EXACT_UP_TO", "Matrix", "background_of", "engine_for", "similarities"]

# Up to here every row is compared, which reads 15 MB and takes some 3 ms; of more, codes choose the few that are.
EXACT_UP_TO = 30_000
_BYTES_READ = 128_000_000  # of vectors on file that are in memory at once, for who does not keep them
_FIRST_FEW = 8  # questions after which a process is taken for one that will be asked many
_GRAIN = 2e-6  # scores this near to each other may be equal once they are rounded


def engine_for(count: int, exact_up_to: int = EXACT_UP_TO) -> str:
    """Return how a matrix with this number of rows answers, once they are on file."""
    if count <= exact_up_to:
        return "numpy-exact"
    return "numpy-shortlist"


def similarities(vector: bytes, block: ByteVectors) -> list[float]:
    """Return the cosines of one unit vector with a few others, rounded as those of a matrix are."""
    import numpy as np

    return _round_cosines(_clean_cosines(block.cosines(np.frombuffer(vector, dtype="<f4"))))


def background_of(vector: bytes, block: ByteVectors) -> tuple[float, float]:
    """Return the median similarity to these, the higher one of two, and the standard deviation."""
    import numpy as np

    half = len(block.steps) // 2
    found = block.cosines(np.frombuffer(vector, dtype="<f4"))
    middle, spread = _round_cosines(np.array([np.partition(found, half)[half], found.std()]))
    return middle, spread


def _round_cosines(scores: Any) -> list[float]:
    """Round cosines, because the last bits of a dot product depend on the shape of the block it is in."""
    rounded: list[float] = scores.astype("<f8").round(6).tolist()
    return rounded


def _clean_cosines(scores: Any) -> Any:
    """Return cosines that can be compared: of a file that was damaged, a vector may be anything."""
    import numpy as np

    # As `nan_to_num` and `clip` would have it, at a fifth of the time for a few hundred.
    return np.minimum(np.maximum(np.where(np.isfinite(scores), scores, np.float32(-1.0)), -1.0), 1.0)


def _in_order(found: list[tuple[int, float]], limit: int) -> list[tuple[int, float]]:
    """Return the best rows, ties by row number."""
    return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:limit]


class _Block(NamedTuple):
    rows: Rows
    vectors: ByteVectors
    codes: Codes | None = None
    file: MappedFile | None = None


class Matrix:
    """Unit vectors with their row numbers; answers "which rows are nearest"."""

    def __init__(self, dimensions: int, bytes_read: int = _BYTES_READ) -> None:
        import numpy as np

        self.dimensions = dimensions
        self._rows_read = bytes_read // dimensions
        self._blocks: list[_Block] = []
        self.on_file = 0
        self._np = np
        self._asked = 0
        self._place_of: Any = None

    @property
    def count(self) -> int:
        """Return how many rows there are."""
        return sum(len(block.rows) for block in self._blocks)

    @property
    def engine(self) -> str:
        """Return how it answers now."""
        return engine_for(1, 0 if any(block.codes is not None for block in self._blocks) else 1)

    def load(self, path: str, uid: str) -> bool:
        """Map a file, if it is of this space and whole; says whether it is. Files come before any other rows."""
        mapped = map_file(path, uid, self.dimensions)
        if mapped is None:
            return False
        self._blocks.append(_Block(mapped.rows, mapped.vectors, mapped.codes, mapped))
        self.on_file += len(mapped.rows)
        return True

    def append(self, rows: Sequence[tuple[int, bytes]]) -> None:
        """Add rows that are in no file, in ascending order."""
        if not rows:
            return
        np = self._np
        numbers = np.fromiter((row for row, _ in rows), dtype="<i8", count=len(rows))
        block = _Block(numbers, ByteVectors.of([vector for _, vector in rows], self.dimensions))
        if self.count > self.on_file:  # keep one tail, however many appends it took
            tail = self._blocks.pop()
            joined = map(np.concatenate, zip(tail.vectors, block.vectors, strict=True))
            block = _Block(np.concatenate((tail.rows, block.rows)), ByteVectors(*joined))
        self._blocks.append(block)

    def nearest(self, vector: bytes, limit: int, *, keep: bool = True) -> list[tuple[int, float]]:
        """Return row numbers by cosine similarity, best first; ties by row number.

        The similarities are exact; of many rows, one in a hundred of the nearest may be missing. Without `keep`, a
        large file is read piece by piece and let go: a few rows here and there bring all of it into memory.
        """
        query = self._np.frombuffer(vector, dtype="<f4")
        found: list[tuple[int, float]] = []
        for block in self._blocks:
            places = None
            if block.codes is not None:
                places = block.codes.promising(query, limit)
            found += self._best_of(block, places, query, limit, keep=keep)
        return _in_order(found, limit)

    def nearest_each(self, vectors: Sequence[bytes], limit: int) -> list[list[tuple[int, float]]]:
        """Return the same as `nearest` of each of many vectors, and none is missing; a file is let go of as it is read.

        All are compared with all rows in products of matrices, which choose the rows that are compared as `nearest`
        compares them: the last bits of such a product depend on its shape.
        """
        from holdfast.index.sqlite.vector_product import promising_each

        if not vectors:
            return []
        np = self._np
        queries = np.stack([np.frombuffer(vector, dtype="<f4") for vector in vectors])
        found: list[list[tuple[int, float]]] = [[] for _ in vectors]
        for block in self._blocks:
            release = None
            if block.file is not None and block.codes is not None:
                release = block.file.release
            chosen = promising_each(block.vectors, queries, limit, release)
            for number, places in enumerate(chosen):
                found[number] += self._best_of(block, places, queries[number], limit, keep=False)
        return [_in_order(own, limit) for own in found]

    def _best_of(self, block: _Block, places: Any, query: Any, limit: int, *, keep: bool) -> list[tuple[int, float]]:
        """Return the best rows of a block, or of some places of it, and all that may tie with the last of them."""
        np = self._np
        if places is None:
            cosines = block.vectors.cosines(query)
        else:
            cosines = self._cosines_at(block, places, query, keep=keep)
        scores = _clean_cosines(cosines)
        if len(scores) > limit:
            # Everything that ties with the last one kept must stay in, or the cut would be arbitrary.
            edge = np.partition(scores, len(scores) - limit)[len(scores) - limit]
            best = np.flatnonzero(scores >= edge - _GRAIN)
        else:
            best = np.arange(len(scores))
        rows = block.rows[best if places is None else places[best]]
        return list(zip(rows.tolist(), _round_cosines(scores[best]), strict=True))

    def _cosines_at(self, block: _Block, places: Any, query: Any, *, keep: bool) -> Any:
        """Return the cosines of some rows of a block, given in their order."""
        vectors = block.vectors
        count, some = len(vectors.steps), self._rows_read
        if keep or block.file is None or count <= some:
            return vectors.cosines(query, places)
        cuts = places.searchsorted(range(0, count + some, some)).tolist()
        found: list[Any] = []
        for first, last in pairwise(cuts):
            found.append(vectors.cosines(query, places[first:last]))
            block.file.release()
        return self._np.concatenate(found)

    def _places(self, rows: Rows, wanted: Rows) -> tuple[Any, Any]:
        """Return where some rows stand among those of a block, and which of them do."""
        np = self._np
        first, last = int(rows[0]), int(rows[-1])
        if last - first + 1 == len(rows):  # none has gone
            places = wanted - first
            return places, (places >= 0) & (places < len(rows))
        # The numbers in a damaged file may be anything.
        if self._asked < _FIRST_FEW or rows is not self._blocks[0].rows or not len(rows) <= last <= 8 * len(rows):
            self._asked += 1
            places = rows.searchsorted(wanted)
            here = places < len(rows)
            here[here] = rows[places[here]] == wanted[here]
            return places, here
        if self._place_of is None or len(self._place_of) != last + 1:
            # Four bytes a row, for a process that answers many questions: looking each up takes ten times as long.
            self._place_of = np.full(last + 1, -1, dtype="<i4")
            sound = np.flatnonzero((rows >= 0) & (rows <= last))
            self._place_of[rows[sound]] = sound
        places = self._place_of[np.minimum(wanted, last)]
        return places, (places >= 0) & (wanted <= last)

    def cosines(self, vector: bytes, numbers: Sequence[int] | Rows) -> list[float]:
        """Return the similarities of these rows, in their order; NaN for one that is not there."""
        np = self._np
        query, wanted = np.frombuffer(vector, dtype="<f4"), np.asarray(numbers, dtype="<i8")
        found = np.full(len(wanted), np.nan)
        for block in self._blocks:
            places, here = self._places(block.rows, wanted)
            if here.all():
                return _round_cosines(_clean_cosines(block.vectors.cosines(query, places)))
            found[here] = _clean_cosines(block.vectors.cosines(query, places[here]))
        return _round_cosines(found)

    def gathered(self, numbers: Sequence[int]) -> tuple[list[int], ByteVectors]:
        """Return the vectors of these rows, in their order, with the numbers of those that are there."""
        np = self._np
        wanted = np.asarray(numbers, dtype="<i8")
        codes = np.empty((len(wanted), self.dimensions), dtype=np.int8)
        steps, there = np.empty(len(wanted), dtype="<f4"), np.zeros(len(wanted), dtype=bool)
        for block in self._blocks:
            places, here = self._places(block.rows, wanted)
            if here.any():
                codes[here], steps[here] = block.vectors.codes[places[here]], block.vectors.steps[places[here]]
                there |= here
        return wanted[there].tolist(), ByteVectors(codes[there], steps[there])

    def release(self, *, only_large: bool = False) -> None:
        """Release the pages that were read of the files from this process's memory; reading them again costs time."""
        for block in self._blocks:
            if block.file is not None and (not only_large or len(block.rows) > self._rows_read):
                block.file.release()
