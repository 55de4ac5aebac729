"""A pattern of many signs → the same pattern, which looks where words begin and not at every letter for every sign."""

from __future__ import annotations

__all__ = ["at_words"]

_WORD_START = r"\b"
_GROUP = "(?:"


def at_words(pattern: str) -> str:
    """The pattern with those of its alternatives put together that begin with a word; which is found first can change.

    Only for patterns that are asked whether and where they are found, and not how far.
    """
    parts = _alternatives(pattern)
    words = [part[len(_WORD_START) :] for part in parts if part.startswith(_WORD_START)]
    others = [part for part in parts if not part.startswith(_WORD_START)]
    if len(words) < 2:
        return pattern
    return "|".join([*others, rf"\b(?:{_by_letter(words)})"])


def _by_letter(words: list[str]) -> str:
    """The alternatives by the letter they begin with: a word is compared with those of its own letter."""
    same: dict[str, list[str]] = {}
    rest: list[str] = []
    for word in words:
        first = _first_letters(word)
        if first is None:
            rest.append(word)
        elif len(first) == 1 and word[0].isalpha() and not _counted(word, 1):
            same.setdefault(word[0], []).append(word[1:])
        else:
            begun = word
            if word.startswith(_GROUP) and not _counted(word, _closes(word) + 1):
                end = _closes(word)
                begun = f"{_GROUP}{_by_letter(_alternatives(word[len(_GROUP) : end]))}){word[end + 1 :]}"
            rest.append(f"(?=[{''.join(sorted(first))}]){begun}")
    grouped = [letter + (f"(?:{'|'.join(ends)})" if len(ends) > 1 else ends[0]) for letter, ends in same.items()]
    return "|".join([*grouped, *rest])


def _first_letters(word: str) -> frozenset[str] | None:
    """The letters that an alternative can begin with; None where that takes more than a look."""
    if word[:1].isalpha() and not _counted(word, 1):
        return frozenset(word[0].lower())
    if not word.startswith(_GROUP) or _counted(word, _closes(word) + 1):
        return None
    found: set[str] = set()
    for choice in _alternatives(word[len(_GROUP) : _closes(word)]):
        first = _first_letters(choice)
        if first is None:
            return None
        found |= first
    return frozenset(found)


def _counted(word: str, at: int) -> bool:
    """Say whether what ends there can be missing, or come twice."""
    return word[at : at + 1] in ("?", "*", "+", "{")


def _closes(pattern: str) -> int:
    """Return where the group closes with which a pattern begins."""
    depth, at = 0, 0
    while at < len(pattern):
        sign = pattern[at]
        if sign == "\\":
            at += 1
        elif sign == "[":
            at = pattern.index("]", at + 2)
        elif sign == "(":
            depth += 1
        elif sign == ")":
            depth -= 1
            if depth == 0:
                return at
        at += 1
    return len(pattern)


def _alternatives(pattern: str) -> list[str]:
    """Return what stands between the bars that are in no group and in no class."""
    parts: list[str] = []
    depth, start, at = 0, 0, 0
    while at < len(pattern):
        sign = pattern[at]
        if sign == "\\":
            at += 1
        elif sign == "[":
            at = pattern.index("]", at + 2)  # "]" cannot stand first in one of ours
        elif sign == "(":
            depth += 1
        elif sign == ")":
            depth -= 1
        elif sign == "|" and depth == 0:
            parts.append(pattern[start:at])
            start = at + 1
        at += 1
    return [*parts, pattern[start:]]
