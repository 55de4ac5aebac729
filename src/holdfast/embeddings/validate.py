"""What a provider answered → bytes that may be stored, or a refusal of the whole answer.

A NaN makes every comparison false and puts a list in no order at all; a vector of another length compares
silently with a part of itself. Both are stopped here, before anything is stored.
"""

from __future__ import annotations

from holdfast.embeddings.embedder import Embedded, SpaceKey
from holdfast.errors import BadVectors

__all__ = ["packed"]


def packed(answer: Embedded, asked: int, expected: SpaceKey) -> list[bytes]:
    """The vectors as unit-length little-endian float32; b"" where the model has none for a text."""
    import numpy as np

    if answer.space != expected:
        raise BadVectors(expected.provider, f"it answered as {answer.space.model!r}, not as {expected.model!r}")
    if len(answer.vectors) != asked:
        raise BadVectors(expected.provider, f"it gave {len(answer.vectors)} vectors for {asked} texts")
    rows: list[bytes] = []
    for vector in answer.vectors:
        if vector is None:
            rows.append(b"")
            continue
        row = np.asarray(vector, dtype="<f4")
        if row.shape != (expected.dimensions,):
            raise BadVectors(expected.provider, f"a vector has shape {row.shape}, not ({expected.dimensions},)")
        norm = float(np.linalg.norm(row.astype("<f8")))
        if not np.isfinite(norm):
            raise BadVectors(expected.provider, "a vector has a number that is not finite")
        if norm == 0.0:
            raise BadVectors(expected.provider, "a vector is all zeros")
        if abs(norm - 1.0) > 1e-6:  # a vector that has its length keeps its bytes, the same on every machine
            row = (row / np.float32(norm)).astype("<f4")
        rows.append(row.tobytes())
    return rows
