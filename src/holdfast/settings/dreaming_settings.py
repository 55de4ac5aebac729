"""The settings of dreaming: when it runs, and what may reach MEMORY.md; the numbers are those of OpenClaw."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

from holdfast.settings.declaration import Section, choice, fixed, number, switch, whole
from holdfast.settings.llm_settings import for_task

__all__ = ["DeepSettings", "DreamMode", "DreamWeights", "DreamingSettings", "LightSettings", "RemSettings"]


_SCORE_OF_FIND: Final = 0.375  # so that three finds need the 0.75 of OpenClaw, and one needs nothing


class DreamMode(StrEnum):
    """The moment at which Holdfast dreams by itself, if it does."""

    IDLE = "idle"
    EAGER = "eager"
    BY_HAND = "by-hand"
    OFF = "off"


def _mode_of_switch(enabled: bool, before: DreamMode) -> DreamMode | None:
    if not enabled:
        return DreamMode.OFF
    if before is DreamMode.OFF:
        return DreamMode.IDLE
    return None


def _mode_of_hours(hours: int, before: DreamMode) -> DreamMode | None:
    if hours == 0 and before is not DreamMode.OFF:
        return DreamMode.BY_HAND
    return None


def _mode_of_minutes(minutes: int, before: DreamMode) -> DreamMode | None:
    if minutes == 0 and before is DreamMode.IDLE:
        return DreamMode.EAGER
    return None


class DreamingSettings(Section, table="dreaming"):
    """The switch of dreaming, the times at which it runs by itself, and what one run may take."""

    mode: DreamMode = choice(
        DreamMode.IDLE,
        "When `holdfast watch` and `holdfast serve` dream: `idle` is once a day, after 15 minutes in which nothing "
        "happened, `eager` as soon as nothing happens, `by-hand` never, only `holdfast dream` does; `off` also stops "
        "counting, by hashes, which lines answer which questions on which days, and then there is nothing to go by.",
    )
    enabled: bool = fixed(
        switch(True, "Count which lines answer which questions, and dream."),
        'Set dreaming.mode to "off" to end it.',
        heir="dreaming.mode",
        carry=_mode_of_switch,
    )
    llm: bool = for_task(
        switch(True, "Let the model decide what says the same as a line of MEMORY.md or takes its place."), "dreaming"
    )
    idle_minutes: int = fixed(
        whole(15, "After how many minutes in which nothing happened it dreams.", 0, 1440),
        'It is fixed at 15 now; dreaming.mode = "eager" waits for none.',
        heir="dreaming.mode",
        carry=_mode_of_minutes,
    )
    every_hours: int = fixed(
        whole(24, "How many hours lie between two such runs at the least; 0: never by itself.", 0, 8784),
        'It is fixed at 24 now; dreaming.mode = "by-hand" is never.',
        heir="dreaming.mode",
        carry=_mode_of_hours,
    )
    max_seconds: int = fixed(whole(60, "How long a run may take, the model included.", 1, 3600))
    max_tokens: int = fixed(whole(8000, "About how many tokens the model may read in a run.", 500, 1_000_000))

    def settle(self, held: dict[str, Any]) -> None:
        """Do as the mode says."""
        if self.mode is DreamMode.OFF:
            held["enabled"] = False
        elif self.mode is DreamMode.BY_HAND:
            held["every_hours"] = 0
        elif self.mode is DreamMode.EAGER:
            held["idle_minutes"] = 0


class LightSettings(Section, table="dreaming.light"):
    """The first phase: what was written and said lately, each once."""

    lookback_days: int = fixed(whole(2, "How many days of daily notes and conversations are gathered.", 1, 366))
    limit: int = fixed(whole(100, "How many candidates are gathered in a run.", 1, 10_000))
    dedupe_similarity: float = fixed(number(0.9, "From which share of common words on two of them are one.", 0.5, 1))


class RemSettings(Section, table="dreaming.rem"):
    """The second phase: what comes back over several days."""

    lookback_days: int = fixed(whole(7, "Over how many days something is looked for that comes back.", 2, 366))
    limit: int = fixed(whole(10, "How many such patterns a run finds.", 1, 1000))
    min_strength: float = fixed(
        number(0.75, "How strong a pattern must be: on how many days, and in how like words.", 0, 1)
    )


class DeepSettings(Section, table="dreaming.deep"):
    """The third phase: what is asked for often enough to be in every prompt."""

    limit: int = fixed(whole(10, "How many lines go into MEMORY.md in a day.", 1, 1000))
    min_score: float = fixed(number(0.75, "The score that such a line needs.", 0, 1))
    min_recall_count: int = whole(
        3,
        "How often a line must have been found before it goes into MEMORY.md, by three different questions and on two "
        "days where this is 3 or more; a question counts once a day.",
        1,
        1000,
    )
    min_unique_queries: int = fixed(whole(3, "By how many different questions.", 1, 1000))
    min_days: int = fixed(whole(2, "On how many different days.", 1, 366))
    half_life_days: int = fixed(whole(14, "After how many days without a question its recency has halved.", 1, 3660))
    max_age_days: int = fixed(whole(30, "After how many such days it is no candidate any more.", 1, 3660))
    max_snippet_tokens: int = fixed(whole(160, "How long it may be, in tokens.", 10, 1000))
    max_loss: float = fixed(
        number(0.25, "Which share of the lines that dreaming put into MEMORY.md may go in a day; one always may.", 0, 1)
    )
    memory_share: float = fixed(
        number(0.5, "Which share of `memory.prompt.max_chars_per_file` those lines may fill.", 0, 1)
    )

    def settle(self, held: dict[str, Any]) -> None:
        """Ask for no more questions, days or score than so few finds can have."""
        found = self.min_recall_count
        if found >= type(self).min_recall_count:
            return
        held["min_unique_queries"] = min(self.min_unique_queries, found)
        held["min_days"] = min(self.min_days, found)
        held["min_score"] = min(self.min_score, _SCORE_OF_FIND * (found - 1))


class DreamWeights(Section, table="dreaming.weights"):
    """The weights of the parts of a score."""

    relevance: float = fixed(number(0.30, "How much it counts how well a line answered.", 0, 1))
    frequency: float = fixed(number(0.24, "How much it counts how often it was found.", 0, 1))
    diversity: float = fixed(number(0.15, "How much it counts by how many questions.", 0, 1))
    recency: float = fixed(number(0.15, "How much it counts how lately.", 0, 1))
    consolidation: float = fixed(number(0.10, "How much it counts on how many days, and how far apart they are.", 0, 1))
    concepts: float = fixed(number(0.06, "How much it counts how many telling words it has.", 0, 1))
    light: float = fixed(number(0.06, "How much is added for what was written or said lately.", 0, 1))
    rem: float = fixed(number(0.09, "How much is added for what belongs to a pattern.", 0, 1))
