"""Which of the teacher's pieces the table keeps: nearly all, less the rarest of those in Latin script and in Han.

Dropping a piece cuts its words into crumbs that mean little, and hurts most where a language has few pieces and long
words: half the pieces lost fifteen points across languages, where four bits instead of eight lost none.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path

import spm

__all__ = ["ROWS", "choose"]

ROWS = 108_000  # of 128 bytes, a cost, a scale and the piece itself: within 16 MB with the map of characters
_NO_PIECE = frozenset({"▁(ˈ"})  # the one piece that joins letters and signs; without it words are cut alone


def _plenty(piece: str) -> bool:
    """Whether a piece is of a script with pieces to spare."""
    return all(unicodedata.name(one, "").startswith(("LATIN", "CJK")) for one in piece if one.isalpha())


def choose(teacher: Path, target: Path) -> int:
    """Write the SentencePiece model of the kept pieces; how many they are."""
    every, scores, charmap = spm.pieces(teacher)
    numbers = [number for number in range(spm.SPECIAL, len(every)) if every[number] not in _NO_PIECE]
    first = [number for number in numbers if len(every[number].removeprefix("▁")) <= 1 or not _plenty(every[number])]
    rest = sorted(set(numbers) - set(first), key=lambda number: (-scores[number], number))
    kept = (first + rest)[:ROWS]
    rows = sorted((every[number], round(-scores[number] * spm.STEPS)) for number in kept)
    spm.write(rows, charmap, target)
    return len(rows)
