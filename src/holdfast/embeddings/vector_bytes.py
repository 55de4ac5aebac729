"""Vectors as they are kept: one signed byte a number, a quarter of what a provider gives (scalar quantization).

A unit vector is its bytes, divided by their length; so nothing but the bytes has to be kept. The largest number gets
the largest byte. What that rounds away changes a cosine by half a thousandth on average, and by three at the most
(800 paragraphs of docs/ and one question, by the embedded model). An index that an older Holdfast wrote has four bytes
a number: both are read, and told apart by how long they are.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["quantize"]

_LARGEST = 127


def quantize(vectors: Sequence[bytes], dimensions: int) -> Sequence[bytes]:
    """Turn vectors of four bytes a number into bytes; one that is bytes already, or empty, stays as it is."""
    import numpy as np

    long = [place for place, vector in enumerate(vectors) if len(vector) not in (0, dimensions)]
    if not long:
        return vectors
    block = np.frombuffer(b"".join(vectors[place] for place in long), dtype="<f4").reshape(len(long), dimensions)
    largest = np.abs(block).max(axis=1, keepdims=True)
    codes = np.rint(block * (np.float32(_LARGEST) / np.where(largest > 0, largest, 1))).astype(np.int8).tobytes()
    kept = list(vectors)
    for number, place in enumerate(long):
        kept[place] = codes[number * dimensions : (number + 1) * dimensions]
    return kept
