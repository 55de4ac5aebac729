"""Weighed words → one FTS5 expression. Every word is quoted: no text that anybody typed is ever syntax.

BM25 scores each row that some word stands in, so a common word costs as much as all others together and says the
least. Where that is so, the rare words alone say which rows are candidates, and the common ones are only scored there:
`(rare) AND (rare OR common)`. FTS5 then skips from candidate to candidate in the common words' rows. A word counts as
often as it is written, and rare ones stand in both halves, so common ones are written twice in theirs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from holdfast.index.store_contract import Word
from holdfast.named_tuple import NamedTuple

__all__ = ["MatchExpression", "WordCount", "expression", "quoted", "weight_of"]

# How often a heavy word counts. Twice is not enough for an id without pieces (a commit) to outweigh a question's
# other words in a few notes of ten thousand; three times is, with every seed that was tried.
_HEAVY = 4

# `_FIRST` and `_ROOM` are for 10,000 rows and grow with the square root of their number. Leaving words out is paid for
# in long questions: short ones keep their top ten, those of twenty words or pairs change below the first hit.
_MOST_WORDS = 32  # and as many more as stand in few rows; without an end, forty words cost seven times what four do
_CHEAP = 20_000  # rows that words beyond those may have together
_FEW = 5_000  # rows that cost nothing worth saving
_FIRST = 2_000  # rows that the rare words may have together
_ROOM = 16_000  # rows that the common ones may have
_ROOM_BY_ID = 2_000  # beside an id
_LEAST = 100  # candidates: the pool of a search
_PAGE = 50  # candidates beside those of an id
_MANY = 300  # candidates: enough to choose from, if the words that found them are
# The rare words are enough when they have this share of what all words tell (by BM25's measure), or are this many.
_SHARE = 0.5
_ENOUGH = 6


class WordCount(NamedTuple):
    """A word, and how many rows it stands in (at most, for several words in a row)."""

    word: Word
    rows: int


class MatchExpression(NamedTuple):
    """The expression that FTS5 is asked for, and how often an ordinary word is written in it."""

    match: str
    scale: int = 1


def quoted(text: str, *, prefix: bool = False) -> str:
    """Return a word or several in a row as FTS5 takes them literally."""
    return '"' + text.replace('"', '""') + '"' + ("*" if prefix else "")


def weight_of(word: Word) -> float:
    """Return how much of the best possible score a word is; one that only stands in for others is none of it."""
    if word.light:
        return 0.0
    if not word.heavy:
        return 1.0
    return float(_HEAVY)


def expression(counted: Sequence[WordCount], total: int) -> MatchExpression | None:
    """Return what to ask FTS5 for, given how many rows there are; None when no word stands anywhere."""
    growth = math.sqrt(max(1.0, total / 10_000))
    words = _telling(sorted((counted_word for counted_word in counted if counted_word.rows), key=_rows), total)
    if not words:
        return None
    # An id that stands there decides: the others only fill the page behind it.
    by_id = any(counted_word.word.heavy for counted_word in words)
    rare = _candidates(words, total, growth, by_id=by_id)
    first, rest = words[:rare], words[rare:]
    while sum(map(_rows, rest)) > (_ROOM_BY_ID if by_id else _ROOM) * growth:
        rest.pop()
    if sum(map(_rows, rest)) <= sum(map(_rows, first)):
        if any(counted_word.word.light for counted_word in first + rest):
            scale = 2
        else:
            scale = 1
        return MatchExpression(_join_with_or(first + rest, scale), scale)
    # A light word counts half, and must be written in both halves.
    if any(counted_word.word.light for counted_word in first):
        scale = 4
    else:
        scale = 2
    once = " OR ".join(quoted(word.text, prefix=word.prefix) for word, _ in first)
    return MatchExpression(
        f"({once}) AND ({_join_with_or(first, scale, written=1)} OR {_join_with_or(rest, scale)})", scale
    )


def _rows(counted_word: WordCount) -> int:
    return counted_word.rows


def _telling(rarest: Sequence[WordCount], total: int) -> list[WordCount]:
    """Return the words worth asking for: the rarest, as many as are cheap, and never none."""
    # BM25 counts a word that half of the rows hold as nothing, so leaving it out changes no order.
    common = max(_FEW, total // 2)
    words, rows = list(rarest[:1]), 0
    for counted_word in rarest[1:]:
        rows += counted_word.rows
        if counted_word.rows > common or (len(words) >= _MOST_WORDS and rows > _CHEAP):
            break
        words.append(counted_word)
    return words


def _candidates(words: Sequence[WordCount], total: int, growth: float, *, by_id: bool) -> int:
    """Return how many of the words, rarest first, are enough to find the candidates."""
    tells = [max(0.0, math.log((max(total - rows, 0) + 0.5) / (rows + 0.5))) for _, rows in words]
    least, many = (_PAGE, _PAGE) if by_id else (_LEAST, _MANY)
    wanted, gain, found = _SHARE * sum(tells), 0.0, 0
    for place, ((_, rows), tell) in enumerate(zip(words, tells, strict=True)):
        if found >= many and (gain >= wanted or place >= _ENOUGH):
            return place
        if found >= least and found + rows > _FIRST * growth:
            return place
        gain, found = gain + tell, found + rows
    return len(words)


def _join_with_or(words: Sequence[WordCount], scale: int, *, written: int = 0) -> str:
    """Return the words, each as often as it counts, less what is written of it already."""
    parts: list[str] = []
    for word, _ in words:
        times = scale
        if word.heavy:
            times = _HEAVY * scale
        elif word.light:
            times = max(1, scale // 2)
        parts += [quoted(word.text, prefix=word.prefix)] * max(1, times - written)
    return " OR ".join(parts)
