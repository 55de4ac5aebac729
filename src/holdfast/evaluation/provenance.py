"""The constants of search, with the sets each was chosen on: on all others, a figure is one that nobody tuned to.

A constant is chosen on some sets and reported on others. Whoever chooses one anew names the sets here.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["chosen_on"]

_WEIGHTS = "weights"
_WORDS = "word lists, stems"
_SCALES = "scales of passages and notes"
_CONFIDENCE = "confidence"
_MODEL = "recipe and weights of the embedded model"
_COMMON = "what common words of a language count for"
_ENTRIES = "what entries of a list borrow"

_CHOSEN: Mapping[str, tuple[str, ...]] = {
    "locomo": (_WEIGHTS, _WORDS, _SCALES, _CONFIDENCE),
    "scifact": (_WEIGHTS, _WORDS, _SCALES),
    "xquad": (f"{_WEIGHTS} (English)", _WORDS, _MODEL, _COMMON, _CONFIDENCE),
    "xquad-across": (_MODEL, _COMMON, _CONFIDENCE),
    "xquad-mixed": (_MODEL, _COMMON),
    **dict.fromkeys(("squad-es-dev", "squad-it-test", "cnil-fr", "madial-zh"), (_COMMON,)),
    "docs": (_WEIGHTS, _WORDS, _SCALES),
    # All of these were in view when the scales of November 2026 were chosen: none of them is held back.
    **dict.fromkeys(("timeqa-train", "ikat-ptkb", "madial-en"), (_SCALES, _ENTRIES)),
    "product-docs": (_SCALES,),
    "covid-faq-de": (_SCALES, _COMMON),
    **dict.fromkeys(("friendsqa", "prefeval-memory"), (_SCALES, _CONFIDENCE)),
    "covid-faq-en": (_SCALES, _CONFIDENCE, _ENTRIES),
    "realmem": (_SCALES, _CONFIDENCE, "what recall takes along", "what is small talk in a message"),
    "tau2-banking": ("what is small talk in a message", "what a page is about"),
    "household": (_CONFIDENCE, _ENTRIES),
    "one-liners": ("confidence of small homes", _ENTRIES),
    "fact-update": ("what a newer line replaces",),
    "mtrag-un": (_SCALES, "how much the turns before a question add"),
}
"""Of each set that chose something, what it chose."""


def chosen_on(name: str) -> str:
    """Return what was chosen on a set, in words; "" where nothing was."""
    return ", ".join(_CHOSEN.get(name, ()))
