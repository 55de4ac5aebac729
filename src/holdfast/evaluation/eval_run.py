"""Ask every question of a set and score what comes back: Holdfast in each way, and the floor, on the same notes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import signature
from typing import Any

from holdfast.context.note_search import search_without
from holdfast.errors import BadArgument
from holdfast.evaluation.baseline import Floor
from holdfast.evaluation.calibration import Calibration, Judged, calibration_of
from holdfast.evaluation.configurations import Way
from holdfast.evaluation.fixed_clock import FixedClock
from holdfast.evaluation.metrics import DEPTH, Scores, mean, mrr, percentile
from holdfast.evaluation.path_cover import cover
from holdfast.evaluation.ranked_ids import gold_ids, ranked_ids, rows_of, stale_ids
from holdfast.evaluation.sets import Collection, LabelledSet, Level, Question
from holdfast.memory import Memory
from holdfast.named_tuple import NamedTuple
from holdfast.progress import Progress
from holdfast.search.hit import Hit, Results
from holdfast.value import Value

__all__ = ["FLOOR", "Outcome", "evaluate", "floor_of", "go_to_question", "search_question"]

FLOOR = "floor"
_HITS = 30
_MOST = 100
_MISSES = 1_000
_MANY, _TINY = 12, 20  # groups, and questions of one
_OTHERS = "others"

Opening = Callable[[Collection, Way], Memory]


class Miss(NamedTuple):
    """A question whose answers were not found, or not first: what was expected, and what came instead."""

    question: str
    category: str
    rank: int
    """Of the first answer; 0 when none was among the first ten."""
    gold: tuple[str, ...]
    found: tuple[str, ...]


class Outcome(Value):
    """The outcome of one way on one set at one level."""

    set: str
    way: str
    level: Level
    overall: Scores
    categories: Mapping[str, Scores]
    p50_ms: float
    p95_ms: float
    modes: Mapping[str, int]
    """How many questions were answered from keywords, from vectors, or from both."""
    misses: tuple[Miss, ...]
    shape: str = ""
    """How the notes were written, where there is more than one way."""
    newer_first: float | None = None
    """Of the questions whose answer was another one once, the share that has it above every older one."""
    calibration: Calibration | None = None
    """What the confidence of first hits is worth; the floor has none."""

    def to_json(self, *, misses: int = 0) -> dict[str, object]:
        """Return the shape that every surface shows."""
        shown: dict[str, object] = {
            "set": self.set,
            "way": self.way,
            "level": self.level.value,
            "shape": self.shape,
            "overall": self.overall.to_json(),
            "categories": {name: scores.to_json() for name, scores in self.categories.items()},
            "p50_ms": round(self.p50_ms, 3),
            "p95_ms": round(self.p95_ms, 3),
            "modes": dict(self.modes),
        }
        if self.newer_first is not None:
            shown["newer_first"] = round(self.newer_first, 4)
        if self.calibration is not None:
            shown["calibration"] = self.calibration.to_json()
        if misses:
            shown["misses"] = [
                {**miss._asdict(), "gold": list(miss.gold), "found": list(miss.found)} for miss in self.misses[:misses]
            ]
        return shown


class _Asked(NamedTuple):
    question: Question
    ranked: list[str]
    gold: frozenset[str]
    stale: frozenset[str] = frozenset()
    confidence: float = 0.0
    """What the first hit says of itself."""
    marked: bool = False
    """Whether there is no hit, or the first is said to be unlikely."""

    @property
    def judged(self) -> Judged:
        return Judged(
            bool(self.gold), self.ranked[:1] != [] and self.ranked[0] in self.gold, self.confidence, self.marked
        )


class _Tally:
    """The tally over a set's questions, for one way and level."""

    def __init__(self) -> None:
        self.asked: list[_Asked] = []
        self.took: list[float] = []
        self.modes: dict[str, int] = {}

    def outcome(self, labelled: LabelledSet, way: str, level: Level) -> Outcome:
        groups: dict[str, list[_Asked]] = {}
        answerable = [answer for answer in self.asked if answer.gold]
        for answer in answerable:
            for group in (answer.question.category, *answer.question.slices):
                groups.setdefault(group, []).append(answer)
        return Outcome(
            set=labelled.name,
            way=way,
            level=level,
            overall=_scores(answerable),
            categories={category: _scores(group) for category, group in sorted(_join_tiny_groups(groups).items())},
            p50_ms=percentile(self.took, 0.5),
            p95_ms=percentile(self.took, 0.95),
            modes=dict(sorted(self.modes.items())),
            misses=tuple(_misses(answerable)),
            shape=labelled.shape,
            newer_first=_newer_first(answerable),
            calibration=None if way == FLOOR else calibration_of(answer.judged for answer in self.asked),
        )


def evaluate(
    labelled: LabelledSet,
    ways: Sequence[Way],
    opening: Opening,
    *,
    levels: Sequence[Level] | None = None,
    progress: Progress | None = None,
    context: bool = False,
) -> Iterator[Outcome]:
    """Yield every way on a set, one outcome for each level; `opening` opens a memory that holds a collection's notes.

    With `context`, what was said before a question is given with it.
    """
    if context and "context" not in signature(Memory.search).parameters:
        raise BadArgument("context", "search takes no context in this version")
    wanted = [level for level in labelled.levels if levels is None or level in levels]
    total = sum(len(collection.questions) for collection in labelled.collections)
    for way in ways:
        tallies = {level: _Tally() for level in wanted}
        done = 0
        for collection in labelled.collections:
            with opening(collection, way) as memory:
                memory.sync(progress=progress)
                memory.search(collection.questions[0].text)  # what is loaded once is not the question's cost
                for question in collection.questions:
                    _ask(memory, collection, question, tallies, context=context)
                    done += 1
                    if progress is not None and done % 20 == 0:
                        progress(f"{labelled.title}, {way.name}", done, total)
        yield from (tally.outcome(labelled, way.name, level) for level, tally in tallies.items())


def floor_of(
    labelled: LabelledSet, *, levels: Sequence[Level] | None = None, progress: Progress | None = None
) -> Iterator[Outcome]:
    """Yield the floor on the same notes and questions."""
    total = sum(len(collection.questions) for collection in labelled.collections)
    for level in labelled.levels:
        if levels is not None and level not in levels:
            continue
        if level is Level.LINE and not any(collection.turns for collection in labelled.collections):
            continue  # which lines of a note are one answer each is not known
        tally = _Tally()
        for collection in labelled.collections:
            floor = Floor(rows_of(collection, level))
            for question in collection.questions:
                began = time.perf_counter()
                ranked = floor.search(question.text, without=collection.later(question))
                tally.took.append((time.perf_counter() - began) * 1000)
                tally.asked.append(_Asked(question, ranked, gold_ids(question, level), stale_ids(question, level)))
                if progress is not None and len(tally.asked) % 100 == 0:
                    progress(f"{labelled.title}, {FLOOR}", len(tally.asked), total)
        yield tally.outcome(labelled, FLOOR, level)


def _ask(
    memory: Memory, collection: Collection, question: Question, tallies: Mapping[Level, _Tally], *, context: bool
) -> None:
    without = go_to_question(memory, collection, question)
    began = time.perf_counter()
    found = search_question(memory, question, without, _HITS, context=context)
    took = (time.perf_counter() - began) * 1000
    hits: Sequence[Hit] = found.results
    further: Sequence[Hit] | None = None
    for level, tally in tallies.items():
        ranked = ranked_ids(hits, question, collection.turns, level)
        if len(ranked) < DEPTH and len(hits) == _HITS:
            # Thirty hits from a few notes: ask for more, outside the time that is measured.
            further = further or search_question(memory, question, without, _MOST, context=context).results
            ranked = ranked_ids(further, question, collection.turns, level)
        gold, stale = gold_ids(question, level), stale_ids(question, level)
        confidence = 0.0
        if hits:
            confidence = hits[0].confidence
        marked = not hits or not getattr(hits[0], "likely", True)
        tally.asked.append(_Asked(question, ranked, gold, stale, confidence, marked))
        tally.took.append(took)
        tally.modes[found.mode.value] = tally.modes.get(found.mode.value, 0) + 1


def go_to_question(memory: Memory, collection: Collection, question: Question) -> tuple[str, ...]:
    """Set the clock to when a question was asked; returns paths that hold all notes written later, to leave out."""
    clock = memory.ctx.clock
    if question.asked is not None and isinstance(clock, FixedClock):
        clock.move_to(question.asked)
    later = collection.later(question)
    if later:
        return cover(later, collection.notes.keys() - later)
    return ()


def search_question(
    memory: Memory, question: Question, without: tuple[str, ...], limit: int, *, context: bool = False
) -> Results:
    """Search for the answer to a question; with `context`, by what was said before it too."""
    if context and question.context:
        given: dict[str, Any] = {"context": list(question.context)}
    else:
        given = {}
    if not without:
        return memory.search(question.text, max_results=limit, by_passage=True, **given)
    return search_without(memory.ctx, question.text, limit, without, by_passage=True, **given)


def _join_tiny_groups(groups: Mapping[str, list[_Asked]]) -> dict[str, list[_Asked]]:
    """Return the groups, the tiny ones among many as one: a share of three questions says nothing."""
    if len(groups) > _MANY:
        tiny = [name for name, held in groups.items() if len(held) < _TINY]
    else:
        tiny = []
    if len(tiny) < 2:
        return dict(groups)
    rest = [answer for name in tiny for answer in groups[name]]
    return {**{name: held for name, held in groups.items() if name not in tiny}, _OTHERS: rest}


def _scores(asked: Sequence[_Asked]) -> Scores:
    return mean((answer.ranked, answer.gold) for answer in asked)


def _newer_first(asked: Sequence[_Asked]) -> float | None:
    """Return the share that has an answer above every stale one; None where no question has a stale one."""
    pairs = [answer for answer in asked if answer.stale]
    right = sum(
        next((name in answer.gold for name in answer.ranked if name in answer.gold | answer.stale), False)
        for answer in pairs
    )
    if not pairs:
        return None
    return right / len(pairs)


def _misses(asked: Sequence[_Asked]) -> Iterator[Miss]:
    """Yield the worst first; what was answered at the first place is none."""
    ranks = [(round(1 / gain) if (gain := mrr(answer.ranked, answer.gold)) else 0, answer) for answer in asked]
    worst = sorted((pair for pair in ranks if pair[0] != 1), key=lambda pair: -(pair[0] or DEPTH + 1))
    for rank, answer in worst[:_MISSES]:
        yield Miss(
            answer.question.text, answer.question.category, rank, tuple(sorted(answer.gold)), tuple(answer.ranked[:3])
        )
