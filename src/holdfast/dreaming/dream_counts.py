"""The lines that searches left for dreaming → counts of which lines of the notes answered which questions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

from holdfast.context.context import Context
from holdfast.context.search_signals import line_checksum
from holdfast.dreaming.claim import claims_in
from holdfast.dreaming.dream_sources import text_of
from holdfast.dreaming.signals import is_counted, is_source
from holdfast.index.sqlite.read_counts import spool_beside
from holdfast.index.sqlite.signal_table import LineAnswer, Signals, signals_beside
from holdfast.index.sqlite.spool import Spool
from holdfast.markdown.lines import blank, split_lines
from holdfast.named_tuple import NamedTuple

__all__ = ["fold_answers", "forget_counts", "held_signals", "signals_of", "spool_of"]

_MOST_NOTES: Final = 2_000  # that one folding reads
_MOST_ANSWERS: Final = 6  # a search leaves no more, whatever else a line says
_LATEST: Final = 2**40  # no clock of ours says so, and what it can't tell is no day


class _SearchRecord(NamedTuple):
    """One search, as it left it: the question's checksum, when, and for each note the score and the lines' names."""

    query: str
    at: int
    answers: tuple[tuple[str, float, tuple[int, ...]], ...]


def spool_of(ctx: Context) -> Spool:
    """Return what searches have left."""
    return Spool(spool_beside(ctx.index_path))


def signals_of(ctx: Context) -> Signals:
    """Return what was asked for, and what became of it; with all that searches have left until now."""
    fold_answers(ctx)
    return held_signals(ctx)


def held_signals(ctx: Context) -> Signals:
    """Return the same without a look at what searches have left."""
    workspace, place = ctx.workspace, signals_beside(ctx.index_path)
    if workspace.local is workspace:
        return Signals(place)
    from holdfast.dreaming.shared_signals import SharedSignals

    return SharedSignals(place, ctx.state_store, workspace.agent)


def fold_answers(ctx: Context) -> int:
    """Count what searches have left; says how many answers that were. What stands in no note any more is dropped."""
    with spool_of(ctx).taken() as lines:
        notes = _Notes(ctx)
        rows = [row for line in lines for row in _rows(notes, _read(line))]
        Signals(signals_beside(ctx.index_path)).record(rows)
    return len(rows)


def forget_counts(ctx: Context) -> None:
    """Drop the counts of every text that is in no note any more: a hash is a trace, too."""
    fold_answers(ctx)
    signals, notes = held_signals(ctx), _Notes(ctx)
    signals.forget([(claim, path) for claim, path in signals.places() if claim not in notes.claims(path)])
    ctx.usage.forget(ctx.database.hashes())


def _read(line: str) -> _SearchRecord | None:
    """Return what a line says; None for one that is torn or not ours."""
    try:
        query, at, answers = json.loads(line)
        kept = tuple(
            (str(path), min(1.0, max(0.0, float(score))), tuple(int(name) for name in names))
            for path, score, names in answers[:_MOST_ANSWERS]
        )
        if 0 <= int(at) < _LATEST:
            return _SearchRecord(str(query)[:16], int(at), kept)
        return None
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return None


def _rows(notes: _Notes, left: _SearchRecord | None) -> Iterator[LineAnswer]:
    if left is None:
        return
    day = datetime.fromtimestamp(left.at, UTC).astimezone().date().isoformat()
    counted: set[str] = set()
    # The note that a line comes from before MEMORY.md, where it may have been put since.
    for path, score, names in sorted(left.answers, key=lambda answer: not is_source(answer[0])):
        if is_counted(path):
            known = notes.named(path)
        else:
            known = {}
        for claim in (known[name] for name in names if name in known):
            if claim not in counted:
                counted.add(claim)
                yield LineAnswer(claim, left.query, day, path, score, float(left.at))


class _Notes:
    """Reads each note once."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._known: dict[str, dict[int, str]] = {}
        self._claims: dict[str, frozenset[str]] = {}

    def named(self, path: str) -> dict[int, str]:
        """The claims of a note as it is now, by the names of their lines."""
        if path not in self._known:
            text = None
            if len(self._known) < _MOST_NOTES:
                text = text_of(self._ctx, path)
            self._known[path] = {} if text is None else _claims_by_name(text, path)
        return self._known[path]

    def claims(self, path: str) -> frozenset[str]:
        """The claims of a note as it is now."""
        if path not in self._claims:
            self._claims[path] = frozenset(self.named(path).values())
        return self._claims[path]


def _claims_by_name(text: str, path: str) -> dict[int, str]:
    lines, claims = split_lines(text), claims_in(text, path)
    begins = Counter(claim.line for claim in claims)
    blocks: dict[int, str] = {}
    for claim in claims:
        blocks.setdefault(line_checksum(claim.text), claim.key)
        if begins[claim.line] == 1:  # of a long paragraph each sentence is a claim
            for line in _block(lines, claim.line, begins):
                blocks.setdefault(line_checksum(line), claim.key)
    return blocks


def _block(lines: Sequence[str], first: int, begins: Container[int]) -> Iterator[str]:
    """A claim's first line, and those that go on with it."""
    yield lines[first - 1]
    for number in range(first + 1, len(lines) + 1):
        if number in begins or blank(lines[number - 1]):
            return
        yield lines[number - 1]
