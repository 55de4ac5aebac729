"""A provider's answer → bytes that may be stored, or a refusal of the whole answer.

A NaN makes every comparison false and puts a list in no order at all; a vector of another length compares
silently with a part of itself. Both are stopped here, before anything is stored.
"""

from __future__ import annotations

import math
from typing import Any

from holdfast.embeddings.embedder import Embedded, SpaceKey
from holdfast.errors import BadVectors

__all__ = ["pack_vectors"]


def pack_vectors(answer: Embedded, asked: int, expected: SpaceKey) -> list[bytes]:
    """Return the vectors as unit-length little-endian float32; b"" where the model has none for a text."""
    import numpy as np

    if answer.space != expected:
        raise BadVectors(expected.provider, f"it answered as {answer.space.model!r}, not as {expected.model!r}")
    if len(answer.vectors) != asked:
        raise BadVectors(expected.provider, f"it gave {len(answer.vectors)} vectors for {asked} texts")
    if asked == 1 and (done := _pack_sound_vector(answer.vectors[0], expected.dimensions)) is not None:
        return [done]
    rows = [b""] * asked
    places = [place for place, vector in enumerate(answer.vectors) if vector is not None]
    if not places:
        return rows
    try:
        with np.errstate(over="ignore"):  # a number too large becomes infinite, and is refused below
            block = np.array([answer.vectors[place] for place in places], dtype="<f4")
    except (ValueError, TypeError) as error:  # rows of different lengths, or not numbers at all
        why = f"its vectors are not all numbers of shape ({expected.dimensions},)"
        raise BadVectors(expected.provider, why) from error
    if block.shape != (len(places), expected.dimensions):
        raise BadVectors(expected.provider, f"a vector has shape {block.shape[1:]}, not ({expected.dimensions},)")
    norms = np.sqrt(np.square(block, dtype="<f8").sum(axis=1))
    if not np.isfinite(norms).all():
        raise BadVectors(expected.provider, "a vector has a number that is not finite")
    if not norms.all():
        raise BadVectors(expected.provider, "a vector is all zeros")
    # A vector that has its length keeps its bytes, the same on every machine.
    off = np.abs(norms - 1.0) > 1e-6
    block[off] /= norms[off, None].astype("<f4")
    packed, width = block.tobytes(), block.itemsize * expected.dimensions
    for number, place in enumerate(places):
        rows[place] = packed[number * width : (number + 1) * width]
    return rows


def _pack_sound_vector(vector: Any, dimensions: int) -> bytes | None:
    """Return the bytes of one vector that is as it should be, as a question's almost always is; None for any other."""
    import numpy as np

    if not isinstance(vector, np.ndarray) or vector.shape != (dimensions,) or vector.dtype != "<f4":
        return None
    length = math.sqrt(float(np.square(vector, dtype="<f8").sum()))
    if abs(length - 1.0) <= 1e-6:
        return vector.tobytes()
    return None
