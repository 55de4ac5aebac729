"""Pack a fitted table into the model file: int8 rows, integer scales, the vocabulary, the evidence floor.

Run: python training/pack.py TABLE.npz... [--languages] [--floor 3.5] [--out FILE]. Several tables fitted from one
start are averaged, which keeps what they agree on and forgets what each learned by heart. Pieces in scripts that the
English teacher does not read are given no vector, so that a text made of them is left to keywords.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import unicodedata
from pathlib import Path

import numpy as np
from holdfast.embeddings.static import unigramfile
from holdfast.embeddings.static.modelfile import ModelFile, read, write
from holdfast.embeddings.static.piece_hashes import PieceHashes
from holdfast.embeddings.static.piece_index import index_of
from holdfast.embeddings.static.static_embedder import STATIC_1, STATIC_2
from numpy.typing import NDArray

import spm
from bridge import fit_bridge
from odds import english_odds
from sources import VOCABULARY, WORK
from table import FIRST


def legible(piece: str) -> bool:
    """Whether the teacher, which learned English, can make sense of a piece: Latin, Greek, digits, signs."""
    if piece.startswith("[") and len(piece) > 1:
        return False
    for character in piece.removeprefix("##"):
        if character.isalpha() and not unicodedata.name(character, "").startswith(
            ("LATIN", "GREEK", "MICRO", "SCRIPT")
        ):
            return False
    return True


def averaged(tables: list[Path], most: int = 127) -> tuple[NDArray[np.int8], NDArray[np.float64]]:
    """(rows up to `most`, scales) of the mean of several tables: 127 for eight bits, 7 for four."""
    loaded = [np.load(table) for table in tables]
    mean = sum(one["rows"].astype(np.float64) * one["scales"][:, None] for one in loaded) / len(loaded)
    scales = np.maximum(np.abs(mean).max(1) / most, 1e-12)
    return np.rint(mean / scales[:, None]).astype(np.int8), scales


def pack(rows: NDArray[np.int8], scales: NDArray[np.float64], floor: float) -> ModelFile:
    """The model of an int8 table and its float scales; `floor` is in median norms of a known piece."""
    numbers = json.loads(VOCABULARY.read_text(encoding="utf-8"))["model"]["vocab"]
    pieces = sorted(numbers, key=numbers.__getitem__)
    known = np.array([legible(piece) for piece in pieces])
    whole = np.rint(scales * known / scales[known].max() * 65535).astype(np.uint16)
    norms = np.linalg.norm(rows[known].astype(np.float64), axis=1) * whole[known]
    # Pieces without a vector keep their place, and zeros: the file compresses better, and nothing can read them.
    table = np.where((whole > 0)[:, None], rows, 0).astype(np.int8)
    return ModelFile(STATIC_1.name, round(floor * float(np.median(norms))), numbers["[UNK]"], pieces, whole, table)


def pack_many(rows: NDArray[np.int8], scales: NDArray[np.float64], floor: float, target: Path) -> None:
    """The model of sixteen languages: the pieces of the subset with their costs, and the map of characters."""
    subset = WORK / "languages" / "subset.model"
    pieces, scores, charmap = spm.pieces(subset)
    costs = np.rint(-np.array(scores[FIRST:]) * spm.STEPS).astype(np.uint16)
    whole = np.rint(scales / scales.max() * 65535).astype(np.uint16)
    norms = np.linalg.norm(rows.astype(np.float64), axis=1) * whole
    evidence = round(floor * float(np.median(norms[whole > 0])))
    whole[[lone(piece) for piece in pieces[FIRST:]]] = 0
    odds = english_odds(subset, len(rows))
    made = unigramfile.UnigramFile(STATIC_2.name, evidence, pieces[FIRST:], costs, whole, rows, charmap, odds)
    unigramfile.write(target, made)
    unigramfile.write(target, made._replace(bridge=fit_bridge(target)))


def lone(piece: str) -> bool:
    """Whether a piece is a letter of an alphabet by itself, or a space: languages that nobody taught are spelled so.

    It gets no vector, and a text of such pieces is not known. On XQuAD the sixteen languages lose nothing by it.
    """
    return piece == "▁" or (
        len(piece) == 1
        and piece.isalpha()
        and not unicodedata.name(piece, "").startswith(("CJK", "HIRAGANA", "KATAKANA", "HANGUL"))
    )


def main() -> None:
    """Pack one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", type=Path, nargs="+")
    parser.add_argument("--floor", type=float, default=3.5)
    parser.add_argument("--out", type=Path, default=Path(STATIC_1.parts[0].path))
    parser.add_argument("--languages", action="store_true")
    options = parser.parse_args()
    if options.languages:
        pack_many(*averaged(options.tables, 7), options.floor, options.out)
        index = PieceHashes.bytes_of(unigramfile.read(options.out).pieces.lines)
    else:
        write(options.out, pack(*averaged(options.tables), options.floor))
        index = index_of(read(options.out).pieces)
    options.out.with_suffix(".pieces").write_bytes(index)
    print(options.out.name, options.out.stat().st_size, hashlib.sha256(options.out.read_bytes()).hexdigest())


if __name__ == "__main__":
    main()
