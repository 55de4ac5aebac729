"""Every peer's hits before one judge, the one of `holdfast eval`.

By note: the note that holds an answer is among the first k distinct notes. By line: every row (a turn, a bullet) that a
hit holds takes a place of its own, as in docs/quality.md; a hit holds the rows on the lines it names or, where it names
none, those whose text it gave. By text: an answer's row stands in the first 2,000 characters that were given, whoever
gave them and however they were cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from peer_answers import Given

from holdfast.evaluation.metrics import DEPTH, any_at
from holdfast.evaluation.ranked_ids import gold_ids, ranked_ids
from holdfast.evaluation.sets import Collection, Level, Question
from holdfast.search.hit import Hit

__all__ = ["READ", "Judged", "Scores", "judge", "note_of", "totals"]

READ = 2_000  # characters of what is given that a prompt has room for
_PIECE = 30  # characters of a row that tell it from others, where a hit begins or ends inside it
_MARKS = re.compile(r"[*_`#>]+")


class Judged(NamedTuple):
    """The ranked ids of one answer, and what counts."""

    notes: list[str]
    lines: list[str]
    read: bool
    gold_notes: frozenset[str]
    gold_lines: frozenset[str]


class Scores(NamedTuple):
    """Shares of the questions."""

    questions: int
    note_5: float
    note_10: float
    line_5: float
    line_10: float
    read: float
    """An answer stands in the first characters."""
    nothing: float
    """Nothing was given at all."""


def judge(collection: Collection, question: Question, given: Sequence[Given]) -> Judged:
    """One answer at every level."""
    placed = [(path, one) for one in given if (path := note_of(one.path, collection.notes)) is not None]
    hits = [_hit(path, one, collection) for path, one in placed]
    return Judged(
        ranked_ids(hits, question, collection.turns, Level.NOTE),
        ranked_ids(hits, question, collection.turns, Level.LINE),
        _is_read(collection, question, placed),
        gold_ids(question, Level.NOTE),
        gold_ids(question, Level.LINE),
    )


def totals(answers: Iterable[Judged]) -> Scores:
    """The means over questions; at least one."""
    every = list(answers)

    def share(values: Iterator[float]) -> float:
        return round(sum(values) / len(every), 4)

    return Scores(
        len(every),
        share(any_at(one.notes, one.gold_notes, 5) for one in every),
        share(any_at(one.notes, one.gold_notes, DEPTH) for one in every),
        share(any_at(one.lines, one.gold_lines, 5) for one in every),
        share(any_at(one.lines, one.gold_lines, DEPTH) for one in every),
        share(float(one.read) for one in every),
        share(float(not one.notes) for one in every),
    )


def note_of(named: str, notes: Mapping[str, str]) -> str | None:
    """The note that a peer means: by its whole path, or by what it is called below the folder; None for a stranger."""
    if named in notes:
        return named
    parts = named.replace("\\", "/").casefold().strip("/")
    fitting = [path for path in notes if _fits(path.casefold(), parts)]
    return max(fitting, key=len, default=None)


def _fits(path: str, named: str) -> bool:
    below = path.partition("/")[2]
    return named in (path, below) or named.endswith("/" + path)


def _hit(path: str, one: Given, collection: Collection) -> Hit:
    """A hit on the lines that are named, or on the rows whose text was given; on none of them where there are none."""
    spans = [one.lines] if one.lines is not None else list(_rows_given(path, one.text, collection))
    (first, last), *more = spans or [(0, 0)]
    return Hit(
        chunk_id="",
        path=path,
        start_line=first,
        end_line=last,
        score=0.0,
        vector_score=None,
        text_score=None,
        snippet=one.text,
        citation=None,
        source="",
        ranges=tuple(more),
    )


def _rows_given(path: str, text: str, collection: Collection) -> Iterator[tuple[int, int]]:
    lines = collection.notes[path].split("\n")
    whole, pieces = _plain(text), _pieces(text)
    for first, last in sorted(collection.turns.get(path, {}).items()):
        if _holds(whole, pieces, " ".join(lines[first - 1 : last])):
            yield first, last


def _is_read(collection: Collection, question: Question, placed: Sequence[tuple[str, Given]]) -> bool:
    left = READ
    for path, one in placed:
        text = one.text[:left]
        left -= len(text)
        whole, pieces = _plain(text), _pieces(text)
        for gold in question.gold:
            if gold.path == path and gold.first:
                lines = collection.notes[path].split("\n")[gold.first - 1 : gold.last]
                if _holds(whole, pieces, " ".join(lines)):
                    return True
        if left <= 0:
            break
    return False


def _holds(whole: str, pieces: Sequence[str], row: str) -> bool:
    """Whether a text holds a row: all of it, or a piece of it that is cut off at the text's end or beginning."""
    said = _plain(row)
    return bool(said) and (said in whole or any(piece in said for piece in pieces))


def _pieces(text: str) -> list[str]:
    """The first and the last line of a text, which may be parts of a row, where they are long enough to tell."""
    lines = [plain for line in text.split("\n") if (plain := _plain(line).strip("… ."))]
    return [line for line in {*lines[:1], *lines[-1:]} if len(line) >= _PIECE]


def _plain(text: str) -> str:
    """Without what Markdown adds, on one line, in small letters: a peer may show a note in another dress."""
    return " ".join(_MARKS.sub("", text).casefold().removeprefix("- ").split())
