"""The model file: a header, the vocabulary, one scale a row, the table; mapped, never unpickled.

Layout, little-endian: 8 bytes of magic; a uint32 with the header's length; the header, JSON in UTF-8 (name, rows,
columns, unknown, floor, the offsets of the parts); zeros to the next multiple of 64; then the parts: the pieces, one
a line; the scales, uint16; the table, int8, row after row. A row of scale 0 is a piece the model knows nothing of.
"""

from __future__ import annotations

import json
import mmap
import zlib
from typing import TYPE_CHECKING

from holdfast.errors import ProviderFailed
from holdfast.named_tuple import NamedTuple

if TYPE_CHECKING:
    import os
    from pathlib import Path
    from typing import TypeAlias

    import numpy as np
    from numpy.typing import NDArray

    # Not pathlib's: a search would wait three milliseconds for what that imports.
    StrPath: TypeAlias = str | os.PathLike[str]

__all__ = ["MAGIC", "MappedModelFile", "ModelFile", "map_file", "read", "release_pages", "verify_checksum", "write"]

MAGIC = b"HOLDVEC1"
_READ_AT_ONCE = 1 << 18


class ModelFile(NamedTuple):
    """The parts of a model."""

    name: str
    floor: int
    unknown: int
    pieces: list[str]
    scales: NDArray[np.uint16]
    table: NDArray[np.int8]


class MappedModelFile(NamedTuple):
    """A model that was read: the table is a view of the mapped file."""

    name: str
    floor: int
    unknown: int
    lines: bytes
    """The pieces, one a line."""
    scales: NDArray[np.uint16]
    table: NDArray[np.int8]
    mapped: mmap.mmap
    least_coverage: int = 40  # per cent of a text's letters and digits that must be in known pieces; not in the file

    @property
    def pieces(self) -> list[str]:
        """Every piece, in order."""
        return self.lines.decode("utf-8").split("\n")[:-1]


def map_file(path: StrPath, magic: bytes) -> mmap.mmap:
    """Map a file; raises ValueError when it does not begin with the magic."""
    with open(path, "rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    if mapped[:8] != magic:
        raise ValueError("it does not begin as a model file does")
    return mapped


def verify_checksum(path: StrPath, checksum: int) -> None:
    """Raise `ProviderFailed` unless the file has this CRC-32."""
    found = 0
    try:
        # Read, not through the map: what is never looked at again shall not count as this process's memory.
        with open(path, "rb") as file:
            while block := file.read(_READ_AT_ONCE):
                found = zlib.crc32(block, found)
    except OSError as error:
        raise ProviderFailed("local", f"the model file can't be read: {error}") from error
    if found != checksum:
        raise ProviderFailed("local", "the model file's checksum is wrong; install Holdfast again")


def release_pages(mapped: mmap.mmap | None) -> None:
    """Let go of a mapped file's pages; the system has them at hand, but they don't count as this process's memory."""
    if mapped is not None and hasattr(mmap, "MADV_DONTNEED"):  # not on Windows
        mapped.madvise(mmap.MADV_DONTNEED)


def read(path: StrPath) -> MappedModelFile:
    """Map the file; raises `ProviderFailed` when it is not there or not whole."""
    import numpy as np

    try:
        mapped = map_file(path, MAGIC)
        header = json.loads(mapped[12 : 12 + int.from_bytes(mapped[8:12], "little")])
        rows, columns = header["rows"], header["columns"]
        lines = mapped[header["pieces"] : header["scales"]].rstrip(b"\0") + b"\n"
        scales = np.frombuffer(mapped, "<u2", rows, header["scales"])
        table = np.frombuffer(mapped, np.int8, rows * columns, header["table"]).reshape(rows, columns)
        if lines.count(b"\n") != rows:
            raise ValueError("it has not as many pieces as rows")
        return MappedModelFile(header["name"], header["floor"], header["unknown"], lines, scales, table, mapped)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ProviderFailed("local", f"the model file can't be read: {error}") from error


def write(path: Path, model: ModelFile) -> None:
    """Write a model file; the same model gives the same bytes."""
    parts = ["\n".join(model.pieces).encode("utf-8"), model.scales.astype("<u2").tobytes(), model.table.tobytes()]
    header: dict[str, str | int] = {"name": model.name, "floor": model.floor, "unknown": model.unknown}
    header |= {"rows": model.table.shape[0], "columns": model.table.shape[1]}
    # The header is padded to a fixed room, so that the offsets in it don't move it.
    at = 512
    for name, part in zip(("pieces", "scales", "table"), parts, strict=True):
        header[name] = at
        at += -(-len(part) // 64) * 64
    text = json.dumps(header, sort_keys=True).encode("utf-8")
    with path.open("wb") as file:
        file.write((MAGIC + len(text).to_bytes(4, "little") + text).ljust(512, b"\0"))
        for part in parts:
            file.write(part.ljust(-(-len(part) // 64) * 64, b"\0"))
