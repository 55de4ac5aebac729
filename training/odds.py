"""How English each piece is: how much likelier it is in English than in the other languages, by their word lists.

A text's pieces together say which table a question goes by. The lists have fifteen languages; Romanian, Vietnamese and
Greek are in none of them, and are told apart as well.
"""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sources import WORK
from table import subset_rows

__all__ = ["STEPS", "english_odds"]

STEPS = 16  # to a natural logarithm
_LATIN = ("de", "es", "fr", "it", "nl", "pl", "pt", "tr")
_WRITTEN = (
    (str.lower, 0.8),
    (str.capitalize, 0.18),
    (str.upper, 0.02),
)  # the lists are in small letters, texts are not
_UNSEEN = 1e-6  # share of a language that a piece has at the least


def english_odds(model: Path, rows: int) -> NDArray[np.int8]:
    """The odds of every row of the SentencePiece model, in steps; beside all languages, or those in Latin script."""
    lines = lzma.decompress((WORK / "languages" / "words.xz").read_bytes()).decode("utf-8").splitlines()
    listed = [line.split("\t") for line in lines]
    shares: dict[str, NDArray[np.float64]] = {}
    for write, often in _WRITTEN:
        cut = subset_rows([write(word) for _, word, _ in listed], model)
        for (language, _, frequency), pieces in zip(listed, cut, strict=True):
            share = shares.setdefault(language, np.zeros(rows))
            for piece in pieces:
                share[piece] += often * float(frequency)
    shares = {language: share / share.sum() for language, share in shares.items()}
    others = np.mean([share for language, share in shares.items() if language != "en"], axis=0)
    latin = np.mean([shares[language] for language in _LATIN], axis=0)
    odds = np.log((shares["en"] + _UNSEEN) / (np.maximum(others, latin) + _UNSEEN))
    return np.clip(np.rint(odds * STEPS), -127, 127).astype(np.int8)
