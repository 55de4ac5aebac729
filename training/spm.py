"""The teacher's SentencePiece model: its pieces and scores, and a model of some of them, written as the runtime cuts.

A cost is the rounded score (2,048 steps to one), so that the shortest path is found in exact integers everywhere.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

__all__ = ["SPECIAL", "STEPS", "pieces", "write"]

STEPS = 2048
SPECIAL = 6  # the teacher's first ids are no pieces: unknown, begin, end, three spare


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at, value, shift = at + 1, value | (byte & 127) << shift, shift + 7
        if byte < 128:
            return value, at


def _fields(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The length-delimited and fixed fields of a protobuf message; plain numbers are passed over."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        size = {1: 8, 5: 4}.get(tag & 7, 0)
        if tag & 7 == 0:
            _, at = _varint(data, at)
            continue
        if tag & 7 == 2:
            size, at = _varint(data, at)
        yield tag >> 3, data[at : at + size]
        at += size


def pieces(model: Path) -> tuple[list[str], list[float], bytes]:
    """(pieces, scores, the compiled map of characters) of a SentencePiece model."""
    found: list[str] = []
    scores: list[float] = []
    charmap = b""
    for field, value in _fields(model.read_bytes()):
        if field == 1:
            parts = dict(_fields(value))
            found.append(parts[1].decode("utf-8"))
            scores.append(struct.unpack("<f", parts[2])[0] if 2 in parts else 0.0)
        elif field == 3:
            charmap = dict(_fields(value))[2]
    return found, scores, charmap


def _message(field: int, content: bytes) -> bytes:
    size, head = len(content), bytearray([field << 3 | 2])
    while size > 127:
        head.append(size & 127 | 128)
        size >>= 7
    return bytes([*head, size]) + content


def write(rows: list[tuple[str, int]], charmap: bytes, target: Path) -> None:
    """A unigram model of (piece, cost) rows; the id of a row is its number and three."""
    parts = [
        _message(1, _message(1, piece.encode()) + b"\x15" + struct.pack("<f", 0.0) + bytes([0x18, kind]))
        for piece, kind in (("<unk>", 2), ("<s>", 3), ("</s>", 3))
    ]
    parts += [
        _message(1, _message(1, piece.encode()) + b"\x15" + struct.pack("<f", -cost / STEPS)) for piece, cost in rows
    ]
    normal = _message(1, b"nmt_nfkc") + _message(2, charmap) + b"\x18\x01\x20\x01\x28\x01"
    target.write_bytes(b"".join(parts) + _message(2, b"\x18\x01") + _message(3, normal))
