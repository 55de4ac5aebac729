"""A picture of a page as a PNG with a palette: a page has few colours, and a third of the bytes does."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

__all__ = ["pixels_of", "small_png"]

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_COLOURS: Final = 256


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_SIGNATURE)
    while at < len(data):
        (size,) = struct.unpack_from(">I", data, at)
        yield data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        at += size + 12


def pixels_of(data: bytes) -> Any:
    """The red, green and blue of a PNG with 8 bits a channel, as a browser writes it."""
    chunks = list(_chunks(data))
    width, height, depth, kind = struct.unpack_from(">IIBB", chunks[0][1])
    assert depth == 8 and kind in (2, 6), (depth, kind)
    channels = 3 if kind == 2 else 4
    raw = zlib.decompress(b"".join(held for name, held in chunks if name == b"IDAT"))
    rows = np.frombuffer(raw, dtype=np.uint8).reshape(height, 1 + width * channels)
    made = np.zeros((height + 1, width + 1, channels), dtype=np.int32)  # with what stands before the first
    for at in range(height):
        _unfilter(made, at + 1, int(rows[at, 0]), rows[at, 1:].reshape(width, channels).astype(np.int32))
    return made[1:, 1:, :3].astype(np.uint8)


def _unfilter(made: Any, at: int, kind: int, row: Any) -> None:
    if kind in (0, 2):
        made[at, 1:] = (row + (made[at - 1, 1:] if kind == 2 else 0)) & 255
        return
    if kind == 1:
        made[at, 1:] = np.cumsum(row, axis=0) & 255
        return
    above, line = made[at - 1].tolist(), [[0] * row.shape[1]]
    for place, values in enumerate(row.tolist(), 1):
        left, up, corner = line[-1], above[place], above[place - 1]
        line.append([(one + _guess(kind, *held)) & 255 for one, *held in zip(values, left, up, corner, strict=True)])
    made[at] = line


def _guess(kind: int, left: int, up: int, corner: int) -> int:
    if kind == 3:
        return (left + up) // 2
    near = left + up - corner
    return min((left, up, corner), key=lambda one: abs(near - one))


def small_png(data: bytes) -> bytes:
    """The same picture with the colours that it has most of, others drawn with the nearest of these."""
    pixels = pixels_of(data)
    height, width, _ = pixels.shape
    flat = pixels.reshape(-1, 3).astype(np.int64)
    codes, inverse, counts = np.unique(
        flat[:, 0] << 16 | flat[:, 1] << 8 | flat[:, 2], return_inverse=True, return_counts=True
    )
    colours = np.stack([codes >> 16, codes >> 8 & 255, codes & 255], axis=1)
    palette = colours[_chosen(colours, counts)]
    nearest = np.concatenate(
        [np.square(some[:, None] - palette).sum(axis=2).argmin(axis=1) for some in np.array_split(colours, 64)]
    )
    indices = nearest[inverse].astype(np.uint8).reshape(height, width)
    lines = np.concatenate([np.zeros((height, 1), dtype=np.uint8), indices], axis=1).tobytes()
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", palette.astype(np.uint8).tobytes()),
        (b"IDAT", zlib.compress(lines, 9)),
        (b"IEND", b""),
    ]
    return _SIGNATURE + b"".join(
        struct.pack(">I", len(held)) + name + held + struct.pack(">I", zlib.crc32(name + held)) for name, held in parts
    )


def _chosen(colours: Any, counts: Any) -> Any:
    """The most frequent colour of each corner of the cube of colours, as many corners as there may be colours."""
    for bits in range(6, 1, -1):
        corners = colours >> (8 - bits)
        keys = corners[:, 0] << 12 | corners[:, 1] << 6 | corners[:, 2]
        order = np.lexsort((-counts, keys))
        first = order[np.concatenate([[True], np.diff(keys[order]) != 0])]
        if len(first) <= _COLOURS:
            return first
    return np.argsort(-counts, kind="stable")[:_COLOURS]
