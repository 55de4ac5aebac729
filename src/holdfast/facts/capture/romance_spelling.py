"""French, Spanish and Portuguese as people type them in a hurry → the spelling that the patterns are written in.

By ear ("soi jubilao", "jabite"), cut short ("jsuis", "vc", "xq") and as it is spoken ("agricultô"). Accents that were
left out are no matter here: the patterns themselves fit words without them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

__all__ = ["READINGS"]

_FRENCH: Final = (
    ("j'habite", r"\bj'?h?abite?\b"),
    ("j'", r"\bj(?=(?:ai|ha|a[bdimp]|ut|év|ét|ap|en |ens)[a-zà-ÿ]*)(?!amais|adis|argon|apon)"),
    ("je ", r"\bj'?(?=[bcdfglmnpqrstv][a-zà-ÿ']{2,40}\b)"),
    ("suis", r"\b(?:sui|chui[st]?)\b"),
    ("m'appelle", r"\bm'?app?el+e?\b"),
    ("s'appelle", r"\bs'?app?el+e\b"),
    ("pas", r"\bpa\b"),
    ("que", r"\b(?:ke|q)\b"),
    ("qui", r"\bki\b"),
    ("habite", r"\b(?:abite|habit)\b"),
    ("allergique", r"\ball?erg?j?i(?:que|k)\b"),
    ("travaille", r"\btravail(?= (?:à|a|chez|comme|en|au|dans|pour)\b)"),
)
_SPANISH: Final = (
    ("soy", r"\bsoi\b"),
    ("estoy", r"\bestoi\b"),
    ("vivo", r"\b(?:bibo|bivo|vibo)\b"),
    ("tengo", r"\b(?:tngo|tenjo)\b"),
    ("llamo", r"\byamo\b"),
    ("llama", r"\byama\b"),
    ("hablo", r"\bablo\b"),
    ("hago", r"\bago\b"),
    ("trabajo", r"\b(?:trabago|travajo|trabjo)\b"),
    ("hijo", r"\bijo\b"),
    ("hija", r"\bija\b"),
    ("hermano", r"\bermano\b"),
    ("hermana", r"\bermana\b"),
    ("mujer", r"\bmuger\b"),
    ("muy", r"\bmui\b"),
    ("que", r"\b(?:ke|q|k)\b"),
    ("porque", r"\b(?:xq|pq|xk)\b"),
    ("también", r"\b(?:tb|tmb)\b"),
    ("alérgico", r"\baler[gj]i[ck]o\b"),
    ("alérgica", r"\baler[gj]i[ck]a\b"),
    ("ado", r"(?<=[a-zñ]{3})ao\b"),
)
_PORTUGUESE: Final = (
    ("sou", r"\bsô\b"),
    ("tenho", r"\btenhu\b"),
    ("moro", r"\bmoru\b"),
    ("gosto", r"\bgostu\b"),
    ("trabalho", r"\b(?:trabai[ou]|trabalhu)\b"),
    ("mulher", r"\bmui?é\b"),
    ("filho", r"\bfio\b"),
    ("filha", r"\bfia\b"),
    ("me chamo", r"\bmi chamo\b"),
    ("você", r"\b(?:vc|voce|ocê)\b"),
    ("também", r"\b(?:tbm|tb)\b"),
    ("porque", r"\b(?:pq|pk)\b"),
    ("não", r"\b(?:nao|naum|n)\b"),
    ("é", r"\beh\b"),
    ("mãe", r"\bmae\b"),
    ("irmã", r"\birma\b"),
    ("plantei", r"\bprantei\b"),
    ("or", r"(?<=[a-zç]{4})ô\b"),
)


def _reading(alike: tuple[tuple[str, str], ...]) -> Callable[[str], tuple[str, ...]]:
    every = re.compile("|".join(f"({pattern})" for _, pattern in alike), re.IGNORECASE)

    def read(words: str) -> tuple[str, ...]:
        put = every.sub(lambda found: alike[(found.lastindex or 1) - 1][0], words)
        return (words,) if put == words else (words, put)

    return read


READINGS: Final[Mapping[str, Callable[[str], tuple[str, ...]]]] = {
    "fr": _reading(_FRENCH),
    "es": _reading(_SPANISH),
    "pt": _reading(_PORTUGUESE),
}
"""How a clause is put before it is compared with the forms, by language: as it stands, and in the usual spelling."""
