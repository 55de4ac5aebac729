"""The hits of a search → the ranked list of distinct ids that the metrics look at.

Where turns are counted, every turn that a hit's lines hold takes a place of its own, in the order of the lines, from
the line that the hit cites: who returns ten turns as one hit has used up ten places. A hit that holds no turn takes a
place too. Where notes are counted, a note stands at the place of its best hit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from holdfast.evaluation.metrics import DEPTH
from holdfast.evaluation.sets import Collection, Gold, Level, Question, one_line
from holdfast.search.hit import Hit

__all__ = ["gold_ids", "holds", "line_spans", "ranked_ids", "rows_of", "stale_ids"]


def gold_ids(question: Question, level: Level) -> frozenset[str]:
    """Return the ids that answer a question."""
    return frozenset(gold.path if level is Level.NOTE and gold.path else _id_of(gold) for gold in question.gold)


def stale_ids(question: Question, level: Level) -> frozenset[str]:
    """Return the ids that must not stand before the answer."""
    return gold_ids(question._replace(gold=question.stale), level)


def ranked_ids(
    hits: Sequence[Hit], question: Question, turns: Mapping[str, Mapping[int, int]], level: Level
) -> list[str]:
    """Return at most ten distinct ids, best first."""
    if all(_id_of(gold) == gold.path or (level is Level.NOTE and gold.path) for gold in question.gold):
        each = iter(hit.path for hit in hits)
    elif turns:
        each = (name for hit in hits for name in _turns(hit, turns.get(hit.path, {})))
    else:
        each = (name for hit in hits for name in _places(hit, question.gold))
    return list(dict.fromkeys(each))[:DEPTH]


def holds(hit: Hit, gold: Gold) -> bool:
    """Say whether a hit shows what was expected."""
    if gold.path and hit.path != gold.path:
        return False
    if gold.text:
        return one_line(gold.text).casefold() in one_line(hit.snippet).casefold()
    return not gold.first or any(start <= gold.last and gold.first <= end for start, end in line_spans(hit))


def rows_of(collection: Collection, level: Level) -> Iterator[tuple[str, str]]:
    """Yield the same notes as rows for the floor: a row for each possible answer."""
    for path, text in collection.notes.items():
        if level is Level.NOTE or not collection.turns:
            yield path, text
            continue
        lines = text.split("\n")
        for first, last in sorted(collection.turns[path].items()):
            yield f"{path}#{first}", "\n".join(lines[first - 1 : last])


def _id_of(gold: Gold) -> str:
    if gold.text:
        return f"{gold.path}#{one_line(gold.text).casefold()}"
    if gold.first:
        return f"{gold.path}#{gold.first}"
    return gold.path


def line_spans(hit: Hit) -> Sequence[tuple[int, int]]:
    """Return the runs of lines that a hit shows, best first."""
    return [(hit.start_line, hit.end_line), *hit.ranges]


def _turns(hit: Hit, turns: Mapping[int, int]) -> Iterator[str]:
    held = [
        first
        for start, end in line_spans(hit)
        for first, last in sorted(turns.items())
        if start <= last and first <= end
    ]
    yield from (f"{hit.path}#{line}" for line in held or [hit.start_line])


def _places(hit: Hit, golds: Sequence[Gold]) -> Iterator[str]:
    held = [_id_of(gold) for gold in golds if holds(hit, gold)]
    yield from held or [f"{hit.path}#{hit.start_line}-{hit.end_line}"]
