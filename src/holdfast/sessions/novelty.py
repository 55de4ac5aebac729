"""A text to be added to a note → the part of it that the note does not have yet.

A model that is asked to save what matters writes the same line again in the next hour, or twice in one turn. The same
words under another heading say something else ("likes tea", of two people), and stay; without any heading they are
looked for in the whole note.
"""

from __future__ import annotations

import re
from textwrap import dedent
from typing import NamedTuple

__all__ = ["below", "only_new"]

_HEADING = re.compile(r"#{1,6}(\s|$)")
_BULLET = re.compile(r"\s*([-*+]|\d{1,9}[.)])\s+")
_CODE = re.compile(r"\s*(`{3,}|~{3,})")
_LABEL = 7  # deeper than any heading


class _Unit(NamedTuple):
    """Lines that stand or fall together: a heading, a list item with what is below it, a paragraph, a block of code.

    `depth` is above 0 for what only says what the next ones are about: a heading, a line that ends in a colon.
    """

    start: int
    end: int
    depth: int
    words: str
    about: str


def only_new(old: str, new: str) -> str:
    """The new text without units that the old one has, word for word, and without headings that nothing follows."""
    lines = dedent(new.replace("\r\n", "\n")).split("\n")
    there = _units(old.replace("\r\n", "\n").split("\n"))
    known = {(unit.about, unit.words) for unit in there if not unit.depth}
    anywhere = {unit.words for unit in there}
    kept: set[int] = set()
    headings: list[_Unit] = []
    for unit in _units(lines):
        if unit.depth:
            # one that stands deeper than the last is below it; any other takes its place
            headings = [one for one in headings if one.depth < unit.depth] + [unit]
        elif (unit.about, unit.words) not in known and (unit.about or unit.words not in anywhere):
            known.add((unit.about, unit.words))
            for one in (*headings, unit):
                kept.update(range(one.start, one.end))
            headings.clear()
    if not kept:
        return ""
    return _joined(lines, kept)


def _joined(lines: list[str], kept: set[int]) -> str:
    """The lines that are kept, with an empty one wherever there was one between two of them."""
    found: list[str] = []
    gap = False
    for number, line in enumerate(lines):
        if number in kept:
            if gap and found:
                found.append("")
            found.append(line)
            gap = False
        elif not line.strip():
            gap = True
    return "\n".join(found)


def below(old: str, new: str) -> str:
    """The new text as it goes below the old one: with an empty line between, unless a list goes on."""
    last = old.rstrip("\r\n").rpartition("\n")[2]
    if not old.strip() or old.endswith(("\n\n", "\r\n\r\n")) or (_BULLET.match(last) and re.match(r"[-*+] ", new)):
        return new
    return f"\n{new}"


def _units(lines: list[str]) -> list[_Unit]:
    found: list[_Unit] = []
    at, about = 0, ""
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        end = _end(lines, at)
        words = " ".join(" ".join(lines[at:end]).split())
        depth = _depth(words)
        found.append(_Unit(at, end, depth, words, about))
        about = words if depth else about
        at = end
    return [_settled(unit, found[place + 1 : place + 2]) for place, unit in enumerate(found)]


def _settled(unit: _Unit, following: list[_Unit]) -> _Unit:
    """A heading that nothing stands below is itself what is said."""
    alone = not following or 0 < following[0].depth <= unit.depth
    return unit._replace(depth=0, about="") if unit.depth and alone else unit


def _depth(words: str) -> int:
    if _HEADING.match(words):
        return len(words) - len(words.lstrip("#"))
    return _LABEL if words.endswith(":") and not _BULLET.match(words) and not _CODE.match(words) else 0


def _end(lines: list[str], at: int) -> int:
    """Where the unit that begins at a line ends."""
    if _HEADING.match(lines[at]):
        return at + 1
    fence = _CODE.match(lines[at])
    end = at + 1
    if fence:
        while end < len(lines) and not lines[end].strip().startswith(fence[1]):
            end += 1
        return min(len(lines), end + 1)
    item = _BULLET.match(lines[at])
    while end < len(lines) and lines[end].strip():
        deeper = item is not None and _indent(lines[end]) > _indent(lines[at])
        if not deeper and (_HEADING.match(lines[end]) or _BULLET.match(lines[end]) or _CODE.match(lines[end])):
            break
        end += 1
    return end


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
