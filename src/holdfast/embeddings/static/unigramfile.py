"""The model file of a table with SentencePiece's pieces: mapped, never unpickled; the same model gives the same bytes.

Layout, little-endian: 8 bytes of magic; a uint32 with the header's length; the header, JSON in UTF-8 (name, rows,
columns, floor, least coverage, the offset and length of each part); zeros to the next multiple of 64; then the parts,
each at such a multiple: the pieces, one a line, block after block (`piece_blocks`), in each the cheapest first; their
costs, uint16; their scales, uint16; how English each is, int8; the table, two numbers from -7 to 7 a byte, row after
row; the bridge to the English table, int8, row after row; the character map, as SentencePiece has it; and what follows
from these and takes long to work out: the characters that join others in the map; the two characters that pieces start
with, one a line; the longest piece of each, uint8; the signs; where each block begins, five uint32. A row of scale 0 is
a piece that texts are cut with and that the model knows nothing of.
"""

from __future__ import annotations

import json
import mmap
from itertools import accumulate, groupby
from typing import TYPE_CHECKING

from holdfast.embeddings.static.charmap import CharMap, joining_characters
from holdfast.embeddings.static.modelfile import map_file
from holdfast.embeddings.static.nibbles import NibbleTable, pack_nibbles
from holdfast.embeddings.static.piece_blocks import SPACE, Block, PieceBlocks, block_of, longest_by_start
from holdfast.embeddings.static.unigram import Unigram, find_signs
from holdfast.errors import ProviderFailed
from holdfast.named_tuple import NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from holdfast.embeddings.static.modelfile import StrPath

__all__ = ["MAGIC", "MappedUnigramFile", "UnigramFile", "is_unigram_file", "read", "write"]

MAGIC = b"HOLDVEC2"
_HEADER_BYTES = 512
_ALIGNMENT = 64


class UnigramFile(NamedTuple):
    """The parts of a model."""

    name: str
    floor: int
    pieces: list[str]
    costs: NDArray[np.uint16]
    scales: NDArray[np.uint16]
    table: NDArray[np.int8]
    charmap: bytes
    english: NDArray[np.int8]
    """How much likelier a piece is in English than elsewhere: sixteenths of a natural logarithm."""
    least_coverage: int = 75  # per cent of a text's letters and digits that must be in known pieces
    bridge: NDArray[np.int8] | None = None
    """The matrix from a text's vector here to what the English table would say of it; None where nobody fitted one."""


class MappedUnigramFile(NamedTuple):
    """A model that was read: views of the mapped file, and what was worked out of it before."""

    name: str
    floor: int
    pieces: PieceBlocks
    costs: NDArray[np.uint16]
    scales: NDArray[np.uint16]
    table: NibbleTable
    charmap: memoryview
    english: NDArray[np.int8]
    bridge: NDArray[np.int8] | None
    least_coverage: int
    joining: str
    signs: str
    mapped: mmap.mmap

    def unpack(self) -> UnigramFile:
        """Return the whole of it, as it was written."""
        return UnigramFile(
            self.name,
            self.floor,
            self.pieces.all(),
            self.costs,
            self.scales,
            self.table[:],
            bytes(self.charmap),
            self.english,
            self.least_coverage,
            self.bridge,
        )


def is_unigram_file(path: StrPath) -> bool:
    """Say whether the file begins as one of this kind."""
    try:
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def read(path: StrPath) -> MappedUnigramFile:
    """Map the file; raises `ProviderFailed` when it is not there or not whole."""
    import numpy as np

    try:
        mapped = map_file(path, MAGIC)
        header = json.loads(mapped[12 : 12 + int.from_bytes(mapped[8:12], "little")])
        rows, columns = header["rows"], header["columns"]
        content = memoryview(mapped)
        parts = {name: content[first : first + size] for name, (first, size) in header["parts"].items()}
        if any(len(parts[name]) < size for name, (_, size) in header["parts"].items()):
            raise ValueError("it is cut short")
        blocks = np.frombuffer(parts["blocks"], "<u4").reshape(-1, len(Block._fields)).tolist()
        pieces = PieceBlocks(
            parts["pieces"], parts["starts"], parts["lengths"], [Block._make(block) for block in blocks]
        )
        bridge = np.frombuffer(parts["bridge"], np.int8)
        table = np.frombuffer(parts["table"], np.uint8).reshape(rows, -(-columns // 2))
        return MappedUnigramFile(
            header["name"],
            header["floor"],
            pieces,
            np.frombuffer(parts["costs"], "<u2", rows),
            np.frombuffer(parts["scales"], "<u2", rows),
            NibbleTable(table, columns),
            parts["charmap"],
            np.frombuffer(parts["english"], np.int8, rows),
            bridge.reshape(columns, columns) if len(bridge) else None,
            header["least_coverage"],
            str(parts["joining"], "utf-8"),
            str(parts["signs"], "utf-8"),
            mapped,
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ProviderFailed("local", f"the model file can't be read: {error}") from error


def write(path: Path, model: UnigramFile) -> None:
    """Write a model file, its rows in order and without needless ones; the parts that follow are worked out."""
    import numpy as np

    _check_pieces(model.pieces)
    costs = model.costs.tolist()
    needless = Unigram(PieceBlocks.of(model.pieces), costs, CharMap(b"", ""), "").needless()
    kept = [row for row in range(len(model.pieces)) if row not in needless]
    # What is common lies together, so that less of the file is ever looked at.
    kept.sort(key=lambda row: (block_of(model.pieces[row]), costs[row], model.pieces[row]))
    order = np.array(kept, np.int64)
    pieces = [model.pieces[row] for row in kept]
    longest = longest_by_start(pieces)
    starts = sorted(longest, key=lambda start: (block_of(start), start))
    parts = {
        "pieces": _lines(pieces),
        "costs": model.costs[order].astype("<u2").tobytes(),
        "scales": model.scales[order].astype("<u2").tobytes(),
        "english": model.english[order].astype(np.int8).tobytes(),
        "table": pack_nibbles(model.table[order]).tobytes(),
        "bridge": b"" if model.bridge is None else model.bridge.tobytes(),
        "charmap": model.charmap,
        "joining": joining_characters(model.charmap).encode("utf-8"),
        "starts": _lines(starts),
        "lengths": bytes(longest[start] for start in starts),
        "signs": find_signs(pieces).encode("utf-8"),
        "blocks": np.array(_blocks(pieces, starts), "<u4").tobytes(),
    }
    places: dict[str, tuple[int, int]] = {}
    at = _HEADER_BYTES
    for name, part in parts.items():
        places[name] = (at, len(part))
        at += _pad_size(len(part))
    header: dict[str, object] = {"name": model.name, "floor": model.floor, "parts": places}
    header |= {"rows": len(pieces), "columns": model.table.shape[1], "least_coverage": model.least_coverage}
    text = json.dumps(header, sort_keys=True).encode("utf-8")
    with path.open("wb") as file:
        file.write((MAGIC + len(text).to_bytes(4, "little") + text).ljust(_HEADER_BYTES, b"\0"))
        for part in parts.values():
            file.write(part.ljust(_pad_size(len(part)), b"\0"))


def _lines(items: list[str]) -> bytes:
    return "".join(f"{item}\n" for item in items).encode("utf-8")


def _blocks(pieces: list[str], starts: list[str]) -> list[Block]:
    """Return where each block begins, and last of all where the lists end."""
    piece_bytes = [0, *accumulate(len(piece.encode("utf-8")) + 1 for piece in pieces)]
    start_bytes = [0, *accumulate(len(start.encode("utf-8")) + 1 for start in starts)]
    start_counts = {code: len(list(group)) for code, group in groupby(starts, block_of)}
    blocks: list[Block] = []
    piece = start = 0
    for code, group in groupby(pieces, block_of):
        blocks.append(Block(code, piece, piece_bytes[piece], start, start_bytes[start]))
        piece += len(list(group))
        start += start_counts.get(code, 0)
    return [*blocks, Block(0, piece, piece_bytes[piece], start, start_bytes[start])]


def _check_pieces(pieces: list[str]) -> None:
    if len(set(pieces)) != len(pieces) or not all(pieces):
        raise ValueError("pieces must differ from each other, and none may be empty")
    if any("\n" in piece or " " in piece for piece in pieces):
        raise ValueError("a piece must have no space and no end of line")
    if any(SPACE in piece[1:] for piece in pieces):
        raise ValueError("a piece must not reach over a space: texts are cut there first")


def _pad_size(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT
