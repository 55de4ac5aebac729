"""A text as one line of plain letters, so that nothing that only wraps, hides or spaces out its words hides them."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

__all__ = ["flattened"]

_PLAIN: Final = str.maketrans("’‘ʼ´`ıİ", "'''''iI")  # an apostrophe is one, and an "i" without its dot is read as one
_WRAPPING: Final = re.compile(r"[*_~\"“”„«»]+")
_SPELT_OUT: Final = re.compile(r"(?<!\w)(?:\w[ .·-]){4,40}\w(?!\w)")


def flattened(text: str) -> str:
    """Return a text as one line of plain letters: without what only wraps, hides or spaces out its words."""
    seen = text
    if not text.isascii():
        shown = "".join(sign for sign in unicodedata.normalize("NFKC", text) if unicodedata.category(sign) != "Cf")
        seen = unicodedata.normalize("NFC", shown)
    plain = _WRAPPING.sub("", seen.translate(_PLAIN))
    joined = _SPELT_OUT.sub(lambda found: re.sub(r"[ .·-]", "", found[0]), plain)
    return " ".join(joined.split())
