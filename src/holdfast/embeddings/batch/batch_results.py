"""The lines of a result file → vectors by row.

What was computed is paid for, so one bad line must not cost the others: it is left out, and asked for directly later.
A file that holds nothing readable at all is no result but a broken answer, and can be fetched again for nothing.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable
from typing import Any

from holdfast.embeddings.embedder import Embedded
from holdfast.embeddings.remote.remote_embedder import RemoteEmbedder
from holdfast.errors import BadAnswer, BadVectors, ProviderRefused
from holdfast.guard.strict_json import refuse_constant

__all__ = ["MOST_BYTES", "Answers", "encode_lines", "gather", "is_gone"]

MOST_BYTES = 256 * 1024 * 1024  # of a result file; the jobs are cut so that theirs stay well below it
_DOWNLOADS = 2

# A line of a result file → the id of its row and the answer to it, as a direct call would have had it; None: an error
Answers = Callable[[dict[str, Any]], tuple[Any, Any] | None]


def encode_lines(lines: Iterable[dict[str, Any]]) -> bytes:
    """Return the lines as a file for the provider."""
    # a lone surrogate of a note can't be UTF-8; it becomes a question mark, as in a direct call
    return b"".join(
        json.dumps(line, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace") + b"\n" for line in lines
    )


def is_gone(refusal: ProviderRefused) -> bool:
    """Say whether the provider says that it has no such job or file: deleted, or kept no longer."""
    return refusal.why.startswith("HTTP 404")


def gather(
    embedder: RemoteEmbedder, download: Callable[[], bytes], answer_of: Answers, expected: int
) -> dict[str, bytes]:
    """Return the vectors in a file of `expected` good lines or more.

    A file that was cut off is downloaded once more.
    """
    best = _Gathering(embedder)
    for _ in range(_DOWNLOADS):
        gathering = _Gathering(embedder)
        for line in io.BytesIO(download()):
            gathering.take(line, answer_of)
        best = max(best, gathering, key=lambda gathered: len(gathered.found))
        if not gathering.broken and gathering.read >= expected:
            break
    if not best.found and not gathering.read and (gathering.broken or expected):
        raise BadAnswer(embedder.provider, "the results of the batch job can't be read")
    return best.found


class _Gathering:
    """The vectors of one file, as its lines come in."""

    def __init__(self, embedder: RemoteEmbedder) -> None:
        self.found: dict[str, bytes] = {}
        self.read = 0
        self.broken = 0
        self._refused: set[str] = set()
        self._embedder = embedder
        self._space = embedder.space
        self._model = embedder.reported

    def take(self, line: bytes, answer_of: Answers) -> None:
        if not line.strip():
            return
        try:
            found = json.loads(line, parse_constant=refuse_constant)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            self.broken += 1
            return
        self.read += 1
        pair = answer_of(found)
        if pair is not None and isinstance(pair[0], str):
            self._keep(pair[0], pair[1])

    def _keep(self, row: str, answer: Any) -> None:
        try:
            vector = self._vector(answer)
        except (BadAnswer, BadVectors):
            vector = b""
        # two vectors for one text: which of them is right, nobody can tell
        if not vector or row in self._refused or self.found.get(row, vector) != vector:
            self._refused.add(row)
            self.found.pop(row, None)
        else:
            self.found[row] = vector

    def _vector(self, answer: Any) -> bytes:
        from holdfast.embeddings.vector_check import pack_vectors

        reading = self._embedder.read_answer(answer, 1)
        (vector,) = pack_vectors(Embedded(self._space, reading.rows), 1, self._space)
        self._model = self._model or reading.model
        if reading.model not in (None, self._model):
            raise BadVectors(self._embedder.provider, "it was answered by another model than the rest")
        return vector
