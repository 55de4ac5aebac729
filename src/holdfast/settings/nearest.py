"""A misspelt name in; the name that was most likely meant out. Imported only to explain an error."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

from holdfast.settings.definitions import KEYS, TABLES

__all__ = ["nearest_name", "nearest_path", "nearest_variable", "printable"]

# Below these, a suggestion misleads more than it helps ("memory.qmd" is not "memory.sync").
_ALIKE = 0.7
_VERY_ALIKE = 0.75
# Longer than any name of ours; comparing costs the square of the length.
_LONGEST = 80


def printable(text: str, longest: int = _LONGEST) -> str:
    """The text, short and without what could steer a terminal, for an error message."""
    clean = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text[:longest])
    return clean + "…" if len(text) > longest else clean


def nearest_name(name: str, names: Iterable[str], alike: float = _ALIKE) -> str | None:
    """The most similar of the names, upper and lower case, `-` and `_` apart; None if none is similar."""
    wanted = _folded(name)
    best, best_score = None, 0.0
    for candidate in names:
        folded = _folded(candidate)
        score = SequenceMatcher(None, wanted, folded, autojunk=False).ratio()
        if len(wanted) >= 4 and folded.startswith(wanted):  # "debounce" for "debounce_ms"
            score = max(score, _VERY_ALIKE)
        if score > best_score:
            best, best_score = candidate, score
    return best if best_score >= alike else None


def nearest_path(path: str) -> str | None:
    """The key or table that was most likely meant: of its neighbours, of all, by its last part alone."""
    paths = [*(key.path for key in KEYS), *sorted(TABLES)]
    table, _, name = path[-4 * _LONGEST :].rpartition(".")
    beside = {p.rpartition(".")[2]: p for p in paths if p.rpartition(".")[0] == table}
    sibling = nearest_name(name, beside)
    if sibling is not None:
        return beside[sibling]
    # Neighbours have had their turn, and the tables around are spelt right: both share too much with the path.
    around = {*beside.values(), *(p for p in paths if path.startswith(p + "."))}
    whole = nearest_name(path, (p for p in paths if p not in around), _VERY_ALIKE)
    if whole is not None:
        return whole
    ends = {p.rpartition(".")[2]: p for p in reversed(paths)}
    end = nearest_name(name, ends, _VERY_ALIKE)
    return None if end is None else ends[end]


def nearest_variable(name: str) -> str | None:
    """The environment variable that was most likely meant."""
    return nearest_name(name, [key.environment for key in KEYS], _VERY_ALIKE)


def _folded(name: str) -> str:
    return name[-4 * _LONGEST :].lower().replace("-", "").replace("_", "")
