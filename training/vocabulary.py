"""Which of the teacher's pieces the table keeps: those that some language uses most, and every character they need."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sentencepiece import SentencePieceProcessor

import spm

__all__ = ["ROWS", "choose"]

ROWS = 56_000  # of 255 + 12 bytes each: within 16 MB with the map of characters
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff]")
_HALF = 0.5  # of a language's share is counted in the text, the rest in its words by frequency
_NO_PIECE = frozenset({"▁(ˈ"})  # the one piece that joins letters and signs; without it words are cut alone


def choose(
    texts: list[str],
    tongues: list[int],
    words: list[tuple[str, str, float]],
    teaching: tuple[Path, Path],
    folder: Path,
) -> int:
    """Write the SentencePiece model of the kept pieces, and the teacher's weights without what no text here needs."""
    teacher, weights = teaching
    every, scores, charmap = spm.pieces(teacher)
    cut = SentencePieceProcessor(model_file=str(teacher))
    share = np.zeros(len(every))
    single = np.zeros(len(every), bool)
    single[[number for number, piece in enumerate(every) if len(piece.removeprefix("▁")) <= 1]] = True
    seen = np.zeros(len(every), bool)
    parts: dict[str | int, list[tuple[str, float]]] = {}
    for text, tongue in zip(texts, tongues, strict=True):
        parts.setdefault(tongue, []).append((text, 1.0))
    for language, word, often in words:
        parts.setdefault(language, []).append((word, often))
    for part in parts.values():
        mine: Counter[int] = Counter()
        for first in range(0, len(part), 50_000):
            batch = part[first : first + 50_000]
            for ids, (_, often) in zip(cut.encode([text for text, _ in batch]), batch, strict=True):
                for number in ids:
                    mine[number] += often
        numbers = np.fromiter(mine.keys(), np.int64)
        counts = np.fromiter(mine.values(), np.float64)
        seen[numbers] = True
        share[numbers] = np.maximum(share[numbers], _HALF * counts / counts.sum())
    # What no text here uses is ranked by the teacher's own scores, far below what is used.
    rank = share + np.exp(np.array(scores)) * 1e-3
    rank[single & seen] += 1
    rank[: spm.SPECIAL] = -1
    rank[[number for number, piece in enumerate(every) if piece in _NO_PIECE]] = -1
    kept = np.argsort(-rank, kind="stable")[:ROWS]
    rows = sorted((every[number], round(-scores[number] * spm.STEPS)) for number in kept.tolist())
    spm.write(rows, charmap, folder / "subset.model")
    seen[kept] = True
    seen[: spm.SPECIAL] = True
    # Words of these are strung together without spaces, which may call on any piece.
    seen[[number for number, piece in enumerate(every) if _UNSPACED.search(piece)]] = True
    _trim(weights, seen, folder / "trimmed.npz")
    return len(rows)


def _trim(weights: Path, seen: NDArray[np.bool_], target: Path) -> None:
    """The weights with zeros for the pieces not seen: half the size, to be carried."""
    with np.load(weights, allow_pickle=False) as stored:
        parts = {name: stored[name] for name in stored.files}
    blocks = sum(name[0] == "q" for name in parts)
    for block in range(blocks):
        known = seen[block::blocks]
        rows = parts[f"q{block + 1}"]
        rows[: len(known)][~known] = 0
    np.savez_compressed(target, **parts)
