"""A labelled set: notes to write, questions to ask, and where in the notes the answers stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from random import Random
from types import MappingProxyType

from holdfast.errors import BadArgument
from holdfast.named_tuple import NamedTuple

__all__ = [
    "SEED",
    "Collection",
    "Gold",
    "LabelledSet",
    "Level",
    "Question",
    "in_one_home",
    "one_line",
    "only_slice",
    "sampled",
    "with_foreign",
]

SEED = 5
"""Which questions a sample holds, unless another is asked for."""

_FOREIGN = 300  # questions without an answer, over all collections


class Level(StrEnum):
    """The unit that counts as one answer."""

    LINE = "line"
    """The line itself; in a conversation, the turn."""
    NOTE = "note"
    """The note around it; in a conversation, the session."""


class Gold(NamedTuple):
    """The place of an answer: a whole note, lines of it, or wherever the text is."""

    path: str
    first: int = 0
    """Counted from 1; 0 is the whole note."""
    last: int = 0
    text: str = ""


class Question(NamedTuple):
    """A question, and every place that answers it."""

    text: str
    category: str
    gold: tuple[Gold, ...]
    slices: tuple[str, ...] = ()
    """Other groups than its category that it is counted in."""
    stale: tuple[Gold, ...] = ()
    """What was true once: it must not stand before the answer."""
    before: int | None = None
    """Notes whose place in the collection's order is this or later were not there yet when it was asked."""
    context: tuple[str, ...] = ()
    """What was said just before, oldest first."""
    asked: float | None = None
    """When it is asked, in seconds since 1970; None is when its collection is."""


class Collection(NamedTuple):
    """Notes that are searched together, and what is asked of them."""

    name: str
    notes: Mapping[str, str]
    """Path to Markdown."""
    questions: tuple[Question, ...]
    turns: Mapping[str, Mapping[int, int]] = MappingProxyType({})
    """The first line of each row of each note and its last one, where a row is one possible answer."""
    asked: float | None = None
    """When the questions are asked, in seconds since 1970; None is now."""
    order: Mapping[str, int] = MappingProxyType({})
    """The place of each note in time, where some question was asked before the last of them."""

    def later(self, question: Question) -> frozenset[str]:
        """Return the notes that were not there yet when the question was asked."""
        if question.before is None:
            return frozenset()
        return frozenset(path for path, place in self.order.items() if place >= question.before)


class LabelledSet(NamedTuple):
    """A set under the name that the command line knows it by."""

    name: str
    title: str
    collections: tuple[Collection, ...]
    levels: tuple[Level, ...] = (Level.NOTE,)
    shape: str = ""
    """How its rows were written as notes, where there is more than one way."""


def one_line(text: str) -> str:
    """Return the text with every run of white space as one space.

    What becomes a bullet or a heading must be one line.
    """
    return " ".join(text.split())


def sampled(labelled: LabelledSet, count: int | None, seed: int = SEED) -> LabelledSet:
    """Return the same with `count` of its questions, always the same ones; all notes stay, else it would get easier."""
    every = [(place, asked) for place, collection in enumerate(labelled.collections) for asked in collection.questions]
    if count is None or count >= len(every):
        return labelled
    kept = Random(seed).sample(every, count)  # noqa: S311 - it must be the same every time
    return _with_questions(
        labelled, [[asked for at, asked in kept if at == place] for place in range(len(labelled.collections))]
    )


def only_slice(labelled: LabelledSet, name: str | None) -> LabelledSet:
    """Return the same with the questions of one category or slice alone."""
    if name is None:
        return labelled
    kept = [
        [asked for asked in collection.questions if name in (asked.category, *asked.slices)]
        for collection in labelled.collections
    ]
    if not any(kept):
        known = dict.fromkeys(
            group
            for collection in labelled.collections
            for asked in collection.questions
            for group in (asked.category, *asked.slices)
        )
        raise BadArgument("only", f"{labelled.title} has no questions {name!r}; it has {', '.join(sorted(known))}")
    return _with_questions(labelled, kept)


def with_foreign(labelled: LabelledSet, foreign: LabelledSet, seed: int = SEED) -> LabelledSet:
    """Return the same, where each collection is also asked questions of other ones, to which it has no answer."""
    chance = Random(seed)  # noqa: S311 - it must be the same every time
    count = -(-_FOREIGN // len(labelled.collections))
    asked: list[list[Question]] = []
    for collection in labelled.collections:
        elsewhere = [
            question
            for source in foreign.collections
            if foreign.name != labelled.name or source.name != collection.name
            for question in source.questions
        ]
        if not elsewhere:
            raise BadArgument("foreign", f"{foreign.title} has no questions that {labelled.title} has no answer to")
        drawn = chance.sample(elsewhere, min(count, len(elsewhere)))
        asked.append([*collection.questions, *(Question(question.text, "foreign", ()) for question in drawn)])
    return _with_questions(labelled, asked)


def in_one_home(labelled: LabelledSet) -> LabelledSet:
    """Return the same with all collections as one, each in a folder of its own: more to tell apart."""
    if any(collection.order for collection in labelled.collections):
        raise BadArgument("together", f"{labelled.title} has questions from before some of its notes: not in one home")
    notes: dict[str, str] = {}
    turns: dict[str, Mapping[int, int]] = {}
    questions: list[Question] = []
    for collection in labelled.collections:
        paths = {path: _in_folder(path, collection.name) for path in collection.notes}
        notes |= {paths[path]: text for path, text in collection.notes.items()}
        turns |= {paths[path]: held for path, held in collection.turns.items()}
        questions += [
            asked._replace(
                gold=tuple(gold._replace(path=paths[gold.path]) for gold in asked.gold),
                stale=tuple(gold._replace(path=paths[gold.path]) for gold in asked.stale),
            )
            for asked in collection.questions
        ]
    moments = [collection.asked for collection in labelled.collections if collection.asked is not None]
    together = Collection("together", notes, tuple(questions), turns, max(moments, default=None))
    return labelled._replace(collections=(together,))


def _in_folder(path: str, folder: str) -> str:
    above, _, name = path.rpartition("/")
    return f"{above}/{folder}/{name}"


def _with_questions(labelled: LabelledSet, kept: Sequence[Sequence[Question]]) -> LabelledSet:
    """Return the same with these questions of each collection; a collection without any is left out."""
    collections = [
        collection._replace(questions=tuple(asked))
        for collection, asked in zip(labelled.collections, kept, strict=True)
        if asked
    ]
    return labelled._replace(collections=tuple(collections))
