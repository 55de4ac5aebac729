"""The text of a note or of a chunk → its claims: what each bullet, or each short paragraph, says in one line.

A claim is known by a hash of its normalised words, so that it stays the same in whatever note it stands, and counts
that belong to it need no words. Headings, code, tables and quotations are none; nor is what is struck through.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from holdfast.index.analyzer import SHARED_ANALYSER
from holdfast.markdown.claim_key import key_of
from holdfast.markdown.fact_row import bullet_words, is_struck
from holdfast.markdown.front_matter import front_end
from holdfast.markdown.lines import blank, split_lines
from holdfast.markdown.list_item import ITEM
from holdfast.markdown.outline import Fence, scan
from holdfast.markdown.sentences import sentences
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late
from holdfast.search.small_words import SMALL_WORDS

if TYPE_CHECKING:
    from holdfast.markdown.fact_mark import Mark

__all__ = ["LONGEST", "SHORTEST", "Claim", "claims_in", "likeness", "stems"]

SHORTEST: Final = 8
"""Characters of the shortest claim."""

LONGEST: Final = 4000
_PARAGRAPH: Final = 280  # characters; a longer paragraph says several things
_NONE: Final = compile_late(r"[ \t]*(?:[|>]|<!--|(?:[-*_][ \t]*){3,}$)")
_QUOTES: Final = str.maketrans("’‘“”„–—", '\'\'"""--')
_EDGES: Final = " .!…;,:\"'«»"
_SMALL: Final = frozenset(SHARED_ANALYSER.index(" ".join(SMALL_WORDS)).split())


class Claim(NamedTuple):
    """One thing that a note says, in one line; `line` counts from 1, and `day` is the note's, where it has one."""

    key: str
    text: str
    path: str
    line: int
    mark: Mark | None = None
    day: date | None = None

    @property
    def place(self) -> str:
        """Return where it stands, as a citation names it."""
        return f"{self.path}#{self.line}"


@lru_cache(maxsize=20_000)
def stems(text: str) -> frozenset[str]:
    """The telling words of a text, as the index knows them."""
    words = frozenset(SHARED_ANALYSER.index(text[:LONGEST]).split())
    return words - _SMALL or words


def likeness(first: frozenset[str], other: frozenset[str]) -> float:
    """The share of common words, 0 to 1."""
    both = len(first | other)
    return len(first & other) / both if both else 0.0


def claims_in(text: str, path: str, day: date | None = None, first_line: int = 1) -> list[Claim]:
    """The claims of a text, in their order; the text may be a whole note or a piece of one."""
    lines = split_lines(text)
    if first_line == 1:
        begin = front_end(lines)
    else:
        begin = 0
    fences: list[Fence] = []
    skipped: set[int] = set()
    for heading in scan(lines, begin, fences):
        skipped.update(range(heading.start, heading.end))
    for start, end in fences:
        skipped.update(range(start, end))
    claims: list[Claim] = []
    for start, block in _blocks(lines, begin, skipped):
        words, mark = _split_mark(block[0])
        if is_struck(words):
            continue
        bullet = ITEM.match(words) is not None
        whole = " ".join((bullet_words(words), *(line.strip() for line in block[1:])))
        claims += [
            Claim(key_of(text), text, path, first_line + start, mark, day)
            for text in _split_block(" ".join(whole.split()), bullet=bullet)
            if SHORTEST <= len(text) <= LONGEST and stems(text)
        ]
    return claims


def _split_mark(line: str) -> tuple[str, Mark | None]:
    if "<!--" not in line:
        return line, None
    from holdfast.markdown.fact_mark import read  # most lines have none, and a search should not wait for its patterns

    return read(line)


def _blocks(lines: Sequence[str], begin: int, skipped: set[int]) -> Iterator[tuple[int, list[str]]]:
    """Each bullet with the lines that go on with it, and each paragraph."""
    at = begin
    while at < len(lines):
        if at in skipped or blank(lines[at]) or _NONE.match(lines[at]):
            at += 1
            continue
        start, block = at, [lines[at]]
        at += 1
        while at < len(lines) and at not in skipped and not blank(lines[at]) and not _NONE.match(lines[at]):
            if ITEM.match(lines[at]):
                break
            block.append(lines[at])
            at += 1
        yield start, block


def _split_block(text: str, *, bullet: bool) -> list[str]:
    if bullet or len(text) <= _PARAGRAPH:
        return [text]
    return [text[start:end] for start, end in sentences(text)]
