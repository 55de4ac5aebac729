"""Vectors for the test server: the same for the same model, task and text, on every machine and in every run."""

from __future__ import annotations

import hashlib
import math
import struct
from collections.abc import Sequence

__all__ = ["float32", "packed_floats", "tokens", "vector"]


def vector(model: str, text: str, task: str, dimensions: int) -> list[float]:
    """A vector of length one whose numbers are exact in 32 bits, so that JSON and base64 say the same."""
    seed = f"{model}\x00{task}\x00{text}".encode("utf-8", "surrogatepass")
    raw = struct.unpack(f"<{dimensions}h", hashlib.shake_128(seed).digest(2 * dimensions))
    norm = math.sqrt(sum(number * number for number in raw)) or 1.0
    return float32([number / norm for number in raw])


def float32(numbers: Sequence[float]) -> list[float]:
    """The numbers as 32 bits hold them."""
    return list(struct.unpack(f"<{len(numbers)}f", packed_floats(numbers)))


def packed_floats(numbers: Sequence[float]) -> bytes:
    """Little-endian float32, the form behind OpenAI's base64."""
    return struct.pack(f"<{len(numbers)}f", *numbers)


def tokens(text: str) -> int:
    """A rough count, as providers bill it."""
    return max(1, len(text) // 4, len(text.split()))
