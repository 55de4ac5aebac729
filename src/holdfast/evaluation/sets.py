"""What a labelled set is: notes to write, questions to ask, and where in the notes the answers stand."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from random import Random
from types import MappingProxyType
from typing import NamedTuple

__all__ = ["Collection", "Gold", "LabelledSet", "Level", "Question", "one_line", "sampled"]

_SEED = 5


class Level(StrEnum):
    """What counts as one answer."""

    LINE = "line"
    """The line itself; in a conversation, the turn."""
    NOTE = "note"
    """The note around it; in a conversation, the session."""


class Gold(NamedTuple):
    """Where an answer stands: a whole note, lines of it, or wherever the text is."""

    path: str
    first: int = 0
    """Counted from 1; 0 is the whole note."""
    last: int = 0
    text: str = ""


class Question(NamedTuple):
    """What is asked, and every place that answers it."""

    text: str
    category: str
    gold: tuple[Gold, ...]


class Collection(NamedTuple):
    """Notes that are searched together, and what is asked of them."""

    name: str
    notes: Mapping[str, str]
    """Path to Markdown."""
    questions: tuple[Question, ...]
    turns: Mapping[str, frozenset[int]] = MappingProxyType({})
    """The lines of each note that are one possible answer each, where there are such."""
    asked: float | None = None
    """When the questions are asked, in seconds since 1970; None is now."""


class LabelledSet(NamedTuple):
    """A set under the name that the command line knows it by."""

    name: str
    title: str
    collections: tuple[Collection, ...]
    levels: tuple[Level, ...] = (Level.NOTE,)


def one_line(text: str) -> str:
    """The text with every run of white space as one space: what becomes a bullet or a heading must be one line."""
    return " ".join(text.split())


def sampled(labelled: LabelledSet, count: int | None) -> LabelledSet:
    """The same with `count` of its questions, always the same ones; all notes stay, else it would get easier."""
    every = [(place, asked) for place, one in enumerate(labelled.collections) for asked in one.questions]
    if count is None or count >= len(every):
        return labelled
    kept = Random(_SEED).sample(every, count)  # noqa: S311 - it must be the same every time
    collections = tuple(
        one._replace(questions=tuple(asked for at, asked in kept if at == place))
        for place, one in enumerate(labelled.collections)
    )
    return labelled._replace(collections=tuple(one for one in collections if one.questions))
