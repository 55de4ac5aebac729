"""A misspelt name in; the name that was most likely meant out. Imported only to explain an error."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

__all__ = ["nearest_name", "nearest_path", "nearest_variable", "printable"]

# Below these, a suggestion misleads more than it helps ("memory.sql" is not "memory.sync").
_ALIKE = 0.7
_VERY_ALIKE = 0.75
_THE_SAME = 0.9  # but for a sign or two: "llm.api.key"
_FEW = 3  # keys of one name, of which the first is the most used; "enabled" is the name of many
# What people call a table or a key by whose name they know it elsewhere.
_TABLES_CALLED = dict.fromkeys(("embedding", "embeddings", "openai", "gemini", "ollama"), "memory") | {"index": "store"}
_NAMES_CALLED = {"limit": "max_results", "top_k": "max_results", "topk": "max_results"}
# Longer than any name of ours; comparing costs the square of the length.
_LONGEST = 80


def printable(text: str, longest: int = _LONGEST) -> str:
    """The text, short and without what could steer a terminal, for an error message."""
    clean = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text[:longest])
    if len(text) > longest:
        return clean + "…"
    return clean


def nearest_name(name: str, names: Iterable[str], alike: float = _ALIKE) -> str | None:
    """The most similar of the names, upper and lower case, `-` and `_` apart; None if none is similar."""
    wanted = _fold_name(name)
    best, best_score = None, 0.0
    for candidate in names:
        folded = _fold_name(candidate)
        score = SequenceMatcher(None, wanted, folded, autojunk=False).ratio()
        if len(wanted) >= 4 and folded.startswith(wanted):  # "debounce" for "debounce_ms"
            score = max(score, _VERY_ALIKE)
        if score > best_score:
            best, best_score = candidate, score
    return best if best_score >= alike else None


def nearest_path(path: str, paths: Sequence[str]) -> str | None:
    """The key or table that was most likely meant; None where nothing is near in spelling, or in what it is about.

    Of its neighbours first, then of all by the whole path, then by its last part in a table that has to do with the one
    that was named. A last part alone says little: `search.limit` is not `dreaming.light.limit`.
    """
    *tables, name = path[-4 * _LONGEST :].split(".")
    tables = [_TABLES_CALLED.get(table, table) for table in tables]
    name = _NAMES_CALLED.get(name, name)
    table = ".".join(tables)
    beside = {p.rpartition(".")[2]: p for p in paths if p.rpartition(".")[0] == table}
    sibling = nearest_name(name, beside)
    if sibling is not None:
        return beside[sibling]
    for depth in range(len(tables) - 1, 0, -1):  # of that very name in a table around it
        around_it = ".".join((*tables[:depth], name))
        if around_it in paths:
            return around_it
    # Neighbours have had their turn, and the tables around are spelt right: both share too much with the path.
    around = {*beside.values(), *(p for p in paths if path.startswith(p + "."))}
    others = [p for p in paths if p not in around]
    whole = nearest_name(f"{table}.{name}", others, _VERY_ALIKE)
    if whole is not None and _is_meant(table, name, whole):
        return whole
    related = [p for p in others if _is_related(tables, p.split(".")[:-1])]
    end = nearest_name(name, (p.rpartition(".")[2] for p in related), _VERY_ALIKE)
    named_so = [p for p in related if p.rpartition(".")[2] == end]
    if 0 < len(named_so) <= _FEW:
        return named_so[0]
    return None


def _is_meant(table: str, name: str, path: str) -> bool:
    """Say whether both halves of a path are alike, or all of it nearly is.

    A long table makes any two paths look alike.
    """
    path_table, _, path_name = path.rpartition(".")
    if nearest_name(f"{table}.{name}", [path], _THE_SAME):
        return True
    is_as_deep = table.count(".") == path_table.count(".")
    return bool(is_as_deep and nearest_name(name, [path_name]) and nearest_name(table, [path_table]))


def _is_related(asked: Sequence[str], tables: Sequence[str]) -> bool:
    """Say whether a key's tables have to do with those that were named: one of them is the same, or none was named."""
    return not asked or any(nearest_name(table, tables, _VERY_ALIKE) for table in asked)


def nearest_variable(name: str, variables: Iterable[str]) -> str | None:
    """The environment variable that was most likely meant."""
    return nearest_name(name, variables, _VERY_ALIKE)


def _fold_name(name: str) -> str:
    return name[-4 * _LONGEST :].lower().replace("-", "").replace("_", "")
