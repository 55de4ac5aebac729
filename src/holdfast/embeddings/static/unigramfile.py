"""The model file of a table with SentencePiece's pieces: mapped, never unpickled; the same model gives the same bytes.

Layout, little-endian: 8 bytes of magic; a uint32 with the header's length; the header, JSON in UTF-8 (name, rows,
columns, floor, least coverage, the offset and length of each part); zeros to the next multiple of 64; then the parts,
each at such a multiple: the pieces, sorted, one a line; their costs, uint16; their scales, uint16; the table, int8, row
after row; the character map, as SentencePiece has it; and what follows from these and takes long to work out: the
characters that join others in the map; the two characters that pieces start with, and the longest piece of each, uint8;
the signs. A row of scale 0 is a piece that texts are cut with and that the model knows nothing of.
"""

from __future__ import annotations

import json
import mmap
import zlib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from holdfast.embeddings.static.charmap import CharMap, joining_characters
from holdfast.embeddings.static.unigram import SPACE, Unigram, find_signs, longest_by_start
from holdfast.errors import ProviderFailed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["MAGIC", "UnigramFile", "is_unigram_file", "read", "write"]

MAGIC = b"HOLDVEC2"
_HEADER_BYTES = 512
_ALIGNMENT = 64


class UnigramFile(NamedTuple):
    """What a model is made of; the table and the character map are views of the mapped file."""

    name: str
    floor: int
    pieces: list[str]
    costs: NDArray[np.uint16]
    scales: NDArray[np.uint16]
    table: NDArray[np.int8]
    charmap: bytes | memoryview
    least_coverage: int = (
        40  # per cent of a text's letters and digits that must be in known pieces, or it has no vector
    )
    joining: str = ""
    longest: Mapping[str, int] = MappingProxyType({})
    signs: str = ""


def is_unigram_file(path: Path) -> bool:
    """Whether the file begins as one of this kind."""
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def read(path: Path, checksum: int | None = None) -> UnigramFile:
    """Map the file; raises `ProviderFailed` when it is not there, not whole, or not of this CRC-32."""
    import numpy as np

    try:
        with path.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if mapped[:8] != MAGIC:
            raise ValueError("it does not begin as a model file does")
        if checksum is not None and zlib.crc32(mapped) != checksum:
            raise ValueError("its checksum is wrong; install Holdfast again")
        header = json.loads(mapped[12 : 12 + int.from_bytes(mapped[8:12], "little")])
        rows, columns = header["rows"], header["columns"]
        content = memoryview(mapped)
        parts = {name: content[first : first + size] for name, (first, size) in header["parts"].items()}
        pieces = str(parts["pieces"], "utf-8").split("\n")
        if len(pieces) != rows:
            raise ValueError("it has not as many pieces as rows")
        return UnigramFile(
            header["name"],
            header["floor"],
            pieces,
            np.frombuffer(parts["costs"], "<u2", rows),
            np.frombuffer(parts["scales"], "<u2", rows),
            np.frombuffer(parts["table"], np.int8, rows * columns).reshape(rows, columns),
            parts["charmap"],
            header["least_coverage"],
            str(parts["joining"], "utf-8"),
            dict(zip(str(parts["starts"], "utf-8").split("\n"), parts["lengths"], strict=True)),
            str(parts["signs"], "utf-8"),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ProviderFailed("local", f"the model file can't be read: {error}") from error


def write(path: Path, model: UnigramFile) -> None:
    """Write a model file, its rows sorted by piece and without needless ones; the parts that follow are worked out."""
    import numpy as np

    _check_pieces(model.pieces)
    longest = longest_by_start(model.pieces)
    needless = Unigram(model.pieces, model.costs.tolist(), CharMap(b"", ""), longest, "").needless()
    kept = (row for row in range(len(model.pieces)) if row not in needless)
    order = np.array(sorted(kept, key=model.pieces.__getitem__), np.int64)
    pieces = [model.pieces[row] for row in order.tolist()]
    charmap = bytes(model.charmap)
    longest = longest_by_start(pieces)
    parts = {
        "pieces": "\n".join(pieces).encode("utf-8"),
        "costs": model.costs[order].astype("<u2").tobytes(),
        "scales": model.scales[order].astype("<u2").tobytes(),
        "table": model.table[order].tobytes(),
        "charmap": charmap,
        "joining": joining_characters(charmap).encode("utf-8"),
        "starts": "\n".join(longest).encode("utf-8"),
        "lengths": bytes(longest.values()),
        "signs": find_signs(pieces).encode("utf-8"),
    }
    places: dict[str, tuple[int, int]] = {}
    at = _HEADER_BYTES
    for name, part in parts.items():
        places[name] = (at, len(part))
        at += _padded(len(part))
    header: dict[str, object] = {"name": model.name, "floor": model.floor, "parts": places}
    header |= {"rows": len(pieces), "columns": model.table.shape[1], "least_coverage": model.least_coverage}
    text = json.dumps(header, sort_keys=True).encode("utf-8")
    with path.open("wb") as file:
        file.write((MAGIC + len(text).to_bytes(4, "little") + text).ljust(_HEADER_BYTES, b"\0"))
        for part in parts.values():
            file.write(part.ljust(_padded(len(part)), b"\0"))


def _check_pieces(pieces: list[str]) -> None:
    if len(set(pieces)) != len(pieces) or not all(pieces):
        raise ValueError("pieces must differ from each other, and none may be empty")
    if any("\n" in piece or " " in piece for piece in pieces):
        raise ValueError("a piece must have no space and no end of line")
    if any(SPACE in piece[1:] for piece in pieces):
        raise ValueError("a piece must not reach over a space: texts are cut there first")


def _padded(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT
