"""The settings of search: how a query is answered, and what lifts or lowers a hit."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final, TypeVar

from holdfast.settings.declaration import Section, choice, fixed, listed, number, switch, text, texts, whole
from holdfast.settings.llm_settings import for_task

__all__ = [
    "SEARCH_PARTS",
    "BoostSettings",
    "MmrSettings",
    "RerankSettings",
    "SearchSettings",
    "TemporalDecaySettings",
    "WeekStart",
]


class WeekStart(StrEnum):
    """The day that a week begins with; `auto` is as in the country of the locale."""

    AUTO = "auto"
    MONDAY = "monday"
    SATURDAY = "saturday"
    SUNDAY = "sunday"


_Declared = TypeVar("_Declared")
_PARTS: Final = ("context", "closer", "typos", "time", "newest_first", "answer_first")
_LIFTS: Final = ("recency", "importance", "access", "project")
SEARCH_PARTS: Final = (*_PARTS, *_LIFTS)
"""What `memory.search.skip` can name."""


def _part_flaw(name: str) -> str | None:
    if name in SEARCH_PARTS:
        return None
    return f"it must be one of {', '.join(SEARCH_PARTS)}"


def _skippable(declared: _Declared, part: str) -> _Declared:
    """Declare a part of a search that `memory.search.skip` leaves out; a lift of 0 or false did so before."""
    instead = f'Name "{part}" in memory.search.skip to leave it out.'
    return listed(declared, part, "memory.search.skip", when=0, instead=instead)


class SearchSettings(Section, table="memory.search"):
    """The settings of an answer to a query; the two weights always add up to 1."""

    max_results: int = whole(6, "How many hits a search returns.", 1, 100)
    min_score: float = number(0.0, "Hits with a lower score are left out.", 0, 1)
    min_confidence: float = number(
        0.0, "Hits that are less likely to answer are left out; at 0 they are given and marked.", 0, 1
    )
    candidate_multiplier: int = whole(
        4,
        "Keywords and vectors each bring this many times 12 candidates to the merge, however many hits are wanted.",
        1,
        20,
    )
    vector_weight: float = number(0.5, "How much a vector score counts; the two weights are scaled to add up to 1.", 0)
    text_weight: float = number(0.5, "How much a keyword score counts; the two weights are scaled to add up to 1.", 0)
    hybrid: bool = switch(
        True, "Use keywords and vectors together; when false, only vectors are used where there are any."
    )
    context: bool = _skippable(switch(True, "Score a line together with its neighbours and its note."), "context")
    closer: bool = _skippable(
        switch(
            True, "Compare the best candidates with the question word by word, with the model that comes with Holdfast."
        ),
        "closer",
    )
    typos: bool = _skippable(switch(True, "Also look for words that differ by a letter from one no note has."), "typos")
    time: bool = _skippable(
        switch(
            True, "Let `last week`, `in March` or `before the launch` in a question find and lift notes of that time."
        ),
        "time",
    )
    newest_first: bool = _skippable(
        switch(True, "Put a line before an older one that says something else of the same thing."), "newest_first"
    )
    answer_first: bool = _skippable(
        switch(True, "Put what followed a question before the question itself, where the same was asked before."),
        "answer_first",
    )
    week_start: WeekStart = fixed(
        choice(
            WeekStart.AUTO,
            "What `last week` begins with: `auto` goes by the country of the locale, and is Monday else.",
        ),
        "It goes by the country of the locale now (LC_TIME, LANG).",
    )
    skip: tuple[str, ...] = texts(
        (),
        "What a search leaves out: `context` scores a line with its neighbours and its note, `closer` compares the "
        "best candidates with the question word by word, `typos` finds words that differ by a letter, `time` reads "
        "`last week`, `newest_first` puts a line before an older one about the same thing, `answer_first` an answer "
        "before its question; `recency`, `importance`, `access` and `project` lift hits by their age, the importance "
        "of a fact, how often they were read, and the project at hand.",
        flaw=_part_flaw,
    )
    expand: bool = for_task(
        switch(False, "Where the first search leaves room, ask for other ways to ask, and search with them too."),
        "expand",
    )
    llm_timeout_ms: int = fixed(
        whole(
            10_000,
            "How long a search waits for the language model that expands or reranks, before it answers without.",
            50,
            600_000,
        )
    )
    snippet_chars: int = fixed(whole(700, "The longest snippet, in characters.", 80, 700))

    def settle(self, held: dict[str, Any]) -> None:
        """Leave out what is to be skipped, and scale the weights, however the value was made."""
        held.update((part, False) for part in self.skip if part in _PARTS)
        largest = max(self.vector_weight, self.text_weight)
        # Weights that already add up are left alone, so that `replace` on another field moves no digit.
        if largest <= 0 or abs(self.vector_weight + self.text_weight - 1) < 1e-12:
            return
        # Dividing by the larger one first keeps 1e308 + 1e308 from becoming infinite.
        vector, text = self.vector_weight / largest, self.text_weight / largest
        held["vector_weight"], held["text_weight"] = vector / (vector + text), text / (vector + text)


class MmrSettings(Section, table="memory.search.mmr"):
    """The switch that lets hits which repeat each other give way to others."""

    enabled: bool = switch(False, "Let hits that repeat an earlier one give way to others.")
    relevance: float = fixed(
        number(0.7, "How much relevance counts against being different (the lambda of MMR).", 0, 1)
    )


class RerankSettings(Section, table="memory.search.rerank"):
    """A model of the owner's that reads the best candidates again, on this machine."""

    model: str | None = text(
        None,
        "A directory with an ONNX cross-encoder, which judges the best candidates again on this machine; where "
        "`memory.llm_reranking` is on and there is a language model, that one does.",
        example="~/models/ms-marco-MiniLM-L6-v2",
    )


class TemporalDecaySettings(Section, table="memory.search.temporal_decay"):
    """The speed at which dated notes lose weight, if they do."""

    enabled: bool = _skippable(
        switch(True, "Lift newer notes a little: dated ones by their date, sessions and extra paths by their age."),
        "recency",
    )
    half_life_days: int = fixed(whole(30, "After how many days that lift is half.", 1, 36_500))


class BoostSettings(Section, table="memory.search.boost"):
    """The lift that importance, use and the project at hand give a hit, 0 to 1."""

    importance: float = _skippable(
        number(0.5, "How much it lifts a fact to be important, and lowers it to be unimportant.", 0, 1), "importance"
    )
    access: float = _skippable(number(0.3, "How much it lifts a chunk to be found often.", 0, 1), "access")
    project: float = _skippable(
        number(0.5, "How much it lifts a note to belong to the project at hand.", 0, 1), "project"
    )
