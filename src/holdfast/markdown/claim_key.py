"""The name of a claim: a hash that is the same for the same words, however they are written."""

from __future__ import annotations

from hashlib import sha256
from typing import Final
from unicodedata import normalize

__all__ = ["key_of"]

_QUOTES: Final = str.maketrans("’‘“”„–—", '\'\'"""--')
_EDGES: Final = " .!…;,:\"'«»"


def key_of(text: str) -> str:
    """The name of a claim: the same for the same words, however they are written."""
    flat = normalize("NFKC", text).translate(_QUOTES).casefold()
    bare = " ".join(flat.split()).strip(_EDGES)
    return sha256(bare.encode("utf-8", "surrogatepass")).hexdigest()[:32]
