"""Many questions and all vectors: products of matrices say which few rows each question is nearest to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from holdfast.index.sqlite.quantization import ByteVectors

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy as np

    Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

__all__ = ["promising_each"]

_AT_ONCE = 2048  # rows: as numbers of four bytes some megabytes
_GROUPS = 128  # of these rows: the best of each say what the nearest reach at least
_RELEASED = 131_072  # rows of a file that are in memory at once
_SLACK = 1e-4  # what a product may be off, many times over


def promising_each(
    vectors: ByteVectors, queries: Array, limit: int, release: Callable[[], None] | None = None
) -> list[Array]:
    """Return for each question the places, ascending, of rows among which the `limit` nearest are.

    What is read of a file is given back with `release`.
    """
    import numpy as np

    count, asked = len(vectors.steps), len(queries)
    turned = np.ascontiguousarray(queries.T)
    edges = np.full(asked, -np.inf, dtype="<f4")
    numbers = np.empty((min(count, _AT_ONCE), queries.shape[1]), dtype="<f4")
    found: list[tuple[Array, Array, Array]] = []
    for start in range(0, count, _AT_ONCE):
        some = min(_AT_ONCE, count - start)
        steps = vectors.steps[start : start + some]
        numbers[:some] = vectors.codes[start : start + some]
        scores = numbers[:some] @ turned
        scores *= steps[:, None]
        damaged = ~np.isfinite(steps)
        if damaged.any():
            scores[damaged] = -1.0
        edges = np.maximum(edges, _least(scores, limit))
        places, questions = np.nonzero(scores >= edges - np.float32(_SLACK))
        found.append((questions, places + start, scores[places, questions]))
        if release is not None and (start + some) % _RELEASED == 0:
            release()
    if release is not None:
        release()
    questions, places, reached = (np.concatenate(parts) for parts in zip(*found, strict=True))
    still = reached >= edges[questions] - np.float32(_SLACK)
    questions, places = questions[still], places[still]
    order = np.argsort(questions, kind="stable")
    cuts = np.searchsorted(questions[order], np.arange(1, asked))
    return np.split(places[order], cuts)


def _least(scores: Array, limit: int) -> Array:
    """Return what the `limit` best rows reach at least, for each question: the best of so many groups of rows do."""
    import numpy as np

    whole = len(scores) // _GROUPS * _GROUPS
    if not whole or limit > _GROUPS:
        return np.full(scores.shape[1], -np.inf, dtype="<f4")
    best = scores[:whole].reshape(-1, _GROUPS, scores.shape[1]).max(axis=0)
    least: Array = np.partition(best, _GROUPS - limit, axis=0)[_GROUPS - limit]
    return least
