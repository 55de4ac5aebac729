"""A text to be added to a note → the part of it that the note does not have yet.

A model that is asked to save what matters writes the same line again in the next hour, or twice in one turn, and a
person saves what they saved before. A sentence is the same with or without a bullet, in other case, with other
punctuation at its end (`sentence_key`), and with "Remember that" before it (`claim_words`); any other word more or
less makes it another. The same words under another heading say something else ("likes tea", of two people), and stay;
without any heading they are looked for in the whole note. What somebody saves is not looked for in lists that a line
leads in: "Never:" makes something else of an item.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import dedent

from holdfast.markdown.block_diff import is_plain_claim
from holdfast.markdown.fact_mark import read
from holdfast.markdown.lines import split_lines
from holdfast.markdown.list_item import ITEM
from holdfast.markdown.request_words import claim_words
from holdfast.markdown.statements import blocks_in, strict_sentences
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

__all__ = ["Novelty", "below", "find_novelty", "only_new"]

_HEADING = compile_late(r"#{1,6}(\s|$)")
_DASH = compile_late(r"\s*[-*+]\s+")
_CODE = compile_late(r"\s*(`{3,}|~{3,})")
_LABEL = 7  # deeper than any heading
_FRAMES = ("|", ">", "<")  # a table, a quotation and HTML are compared as a whole


class _Unit(NamedTuple):
    """Lines that stand or fall together: a heading, a list item with what is below it, a paragraph, a block of code.

    `depth` is above 0 for what only says what the next ones are about: a heading, a line that ends in a colon.
    """

    start: int
    end: int
    depth: int
    words: str
    about: str
    leader: str
    """The line that leads in the list of which it is an item."""
    keys: tuple[str, ...]
    """Its keys for comparison: of the whole, and then of its sentences."""


class Novelty(NamedTuple):
    """The part of a text that is new to a note, and the note's lines (from 1) that say the rest."""

    text: str
    known_at: tuple[int, ...] = ()


class _Sayings:
    """The sayings of a note, with the line of each.

    With `in_led_lists`, an item that a line leads in counts as said too.
    """

    def __init__(self, units: Sequence[_Unit], *, in_led_lists: bool) -> None:
        self._in_led_lists = in_led_lists
        self._below: dict[tuple[str, str], int] = {}
        self._anywhere: dict[str, int] = {}
        for unit in units:
            self.add(unit)
        last = units[-1] if units else None
        # An item that comes below a note goes on with the list that the note ends in.
        self._open_list = ""
        if last is not None:
            if last.depth == _LABEL:
                label = last.words
            else:
                label = ""
            self._open_list = last.leader or label

    def add(self, unit: _Unit) -> None:
        """Take a unit for one that the note has."""
        for key in unit.keys:
            if not unit.depth:
                self._below.setdefault((unit.about, key), unit.start + 1)
            if self._in_led_lists or not unit.leader:
                self._anywhere.setdefault(key, unit.start + 1)

    def line_of(self, unit: _Unit) -> int:
        """The line that says what a unit says, or the first of those that say its sentences; 0 where one is new."""
        whole, *sentences = unit.keys
        if line := self._line(unit, whole):
            return line
        lines = [self._line(unit, sentence) for sentence in sentences]
        return lines[0] if lines and all(lines) else 0

    def _line(self, unit: _Unit, key: str) -> int:
        if line := self._below.get((unit.about, key), 0):
            return line
        if unit.about:
            return 0
        return self._anywhere.get(key, 0) or self._below.get((self._open_list, key), 0)


def find_novelty(old: str, new: str) -> Novelty:
    """Return the part of a text to be saved that is new to a note.

    A text of sentences and bullets goes in without those that the note has. Any other is a document, which would say
    something else with a hole in it: it goes in whole, unless the note has all of it.
    """
    novelty = _compare(old, new, is_asked_for=True)
    if not novelty.known_at:
        return Novelty(new)
    is_whole = not all(map(is_plain_claim, blocks_in(new)))
    if is_whole and (novelty.text or _headings(new) - _headings(old)):
        return Novelty(new)
    return novelty


def _headings(text: str) -> set[str]:
    """Return all units that could be a heading, also one that nothing stands below."""
    return {unit.words for unit in _units(split_lines(text)) if _depth(unit.words)}


def only_new(old: str, new: str) -> str:
    """Return the new text without units that the old one has or that come twice.

    Headings of nothing go too.
    """
    return _compare(old, new, is_asked_for=False).text


def _compare(old: str, new: str, *, is_asked_for: bool) -> Novelty:
    """Return the part of a text that is new.

    A text that somebody asked to have saved may say the same twice, and loses less.
    """
    lines = dedent(new.replace("\r\n", "\n")).split("\n")
    known = _Sayings(_units(split_lines(old)), in_led_lists=not is_asked_for)
    known_at: list[int] = []
    kept: set[int] = set()
    headings: list[_Unit] = []
    for unit in _units(lines):
        if unit.depth:
            # one that stands deeper than the last is below it; any other takes its place
            headings = [heading for heading in headings if heading.depth < unit.depth] + [unit]
        elif line := known.line_of(unit):
            known_at.append(line)
        else:
            if not is_asked_for:
                known.add(unit)
            for part in (*headings, unit):
                kept.update(range(part.start, part.end))
            headings.clear()
    text = _join_kept(lines, kept) if kept else ""
    return Novelty(text, tuple(dict.fromkeys(known_at)))


def _join_kept(lines: list[str], kept: set[int]) -> str:
    """The lines that are kept, with an empty one wherever there was one between two of them."""
    joined: list[str] = []
    gap = False
    for number, line in enumerate(lines):
        if number in kept:
            if gap and joined:
                joined.append("")
            joined.append(line)
            gap = False
        elif not line.strip():
            gap = True
    return "\n".join(joined)


def below(old: str, new: str) -> str:
    """The new text as it goes below the old one: with an empty line between, unless a list goes on."""
    last = old.rstrip("\r\n").rpartition("\n")[2]
    if not old.strip() or old.endswith(("\n\n", "\r\n\r\n")) or (ITEM.match(last) and re.match(r"[-*+] ", new)):
        return new
    return f"\n{new}"


def _units(lines: list[str]) -> list[_Unit]:
    units: list[_Unit] = []
    at, about, leader = 0, "", ""
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        end = _unit_end(lines, at)
        words = " ".join(" ".join(map(_without_mark, lines[at:end])).split())
        depth = _depth(words)
        if not ITEM.match(lines[at]):
            leader = ""
        units.append(_Unit(at, end, depth, words, about, leader, _keys(lines[at:end], words)))
        if depth:
            about = words
            leader = words if depth == _LABEL else ""
        at = end
    return [_settle_heading(unit, units[place + 1 : place + 2]) for place, unit in enumerate(units)]


def _settle_heading(unit: _Unit, following: list[_Unit]) -> _Unit:
    """Take a heading that nothing stands below for a statement of its own."""
    alone = not following or 0 < following[0].depth <= unit.depth
    if unit.depth and alone:
        return unit._replace(depth=0, about="")
    return unit


def _keys(lines: list[str], words: str) -> tuple[str, ...]:
    if _CODE.match(lines[0]) or _HEADING.match(words):
        return (words,)
    marker = _DASH.match(words)
    bare = words[marker.end() :] if marker else words
    is_nested = any(map(ITEM.match, lines[1:]))
    if is_nested or bare.startswith(_FRAMES):
        return (claim_words(bare),)
    return (claim_words(bare), *map(claim_words, strict_sentences(bare)))


def _without_mark(line: str) -> str:
    """A line without the marks of facts in it, which only Holdfast writes."""
    while "<!--" in line and (marked := read(line)).mark is not None:
        line = marked.words
    return line


def _depth(words: str) -> int:
    if _HEADING.match(words):
        return len(words) - len(words.lstrip("#"))
    if words.endswith(":") and not ITEM.match(words) and not _CODE.match(words):
        return _LABEL
    return 0


def _unit_end(lines: list[str], at: int) -> int:
    """Return where the unit that begins at a line ends."""
    if _HEADING.match(lines[at]):
        return at + 1
    fence = _CODE.match(lines[at])
    end = at + 1
    if fence:
        while end < len(lines) and not lines[end].strip().startswith(fence[1]):
            end += 1
        return min(len(lines), end + 1)
    item = ITEM.match(lines[at])
    while end < len(lines) and lines[end].strip():
        deeper = item is not None and _indent(lines[end]) > _indent(lines[at])
        if not deeper and (_HEADING.match(lines[end]) or ITEM.match(lines[end]) or _CODE.match(lines[end])):
            break
        end += 1
    return end


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
