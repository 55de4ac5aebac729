"""A small model file of the recorded pieces, its vectors drawn by lot."""

from __future__ import annotations

import json
import lzma
import unicodedata
from pathlib import Path

import numpy as np

from holdfast.embeddings.static.piece_blocks import SPACE
from holdfast.embeddings.static.static_embedder import PART_DIMENSIONS
from holdfast.embeddings.static.unigramfile import UnigramFile

__all__ = ["small_model"]

_RECORDED = Path(__file__).parent.parent / "data" / "unigram"


def _says_nothing(piece: str) -> bool:
    """Whether a piece is a space, or one letter of an alphabet."""
    syllabic = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL")
    is_letter = len(piece) == 1 and piece.isalpha() and not unicodedata.name(piece).startswith(syllabic)
    return is_letter or piece == SPACE


def small_model() -> UnigramFile:
    """The model; its rows are not in order."""
    recorded = json.loads((_RECORDED / "recorded.json").read_text(encoding="utf-8"))
    lot = np.random.default_rng(0)
    order = lot.permutation(len(recorded["pieces"])).tolist()
    pieces = [recorded["pieces"][row] for row in order]
    costs = np.array(recorded["costs"], np.uint16)[order]
    scales = lot.integers(100, 65_535, len(pieces)).astype(np.uint16)
    scales[[_says_nothing(piece) for piece in pieces]] = 0
    table = lot.integers(-7, 8, (len(pieces), PART_DIMENSIONS - 1)).astype(np.int8)
    charmap = lzma.decompress((_RECORDED / "charmap.xz").read_bytes())
    english = lot.integers(-127, 128, len(pieces)).astype(np.int8)
    bridge = lot.integers(-127, 128, (PART_DIMENSIONS - 1, PART_DIMENSIONS - 1)).astype(np.int8)
    return UnigramFile("holdfast-static-small", 2_200_000, pieces, costs, scales, table, charmap, english, 65, bridge)
