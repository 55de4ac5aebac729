"""The keys of dreaming; `keys.py` takes them into its list. The numbers are those of OpenClaw's dreaming."""

from __future__ import annotations

from typing import Final

from holdfast.settings.setting_key import Key, Kind

__all__ = ["DREAM_KEYS"]

_YEAR: Final = 366


def _light(name: str, kind: Kind, description: str, least: float, most: float) -> Key:
    return Key(f"dreaming.light.{name}", kind, description, least, most, room_name="dreaming_light")


def _rem(name: str, kind: Kind, description: str, least: float, most: float) -> Key:
    return Key(f"dreaming.rem.{name}", kind, description, least, most, room_name="dreaming_rem")


def _deep(name: str, kind: Kind, description: str, least: float, most: float) -> Key:
    return Key(f"dreaming.deep.{name}", kind, description, least, most, room_name="dreaming_deep")


def _weight(name: str, description: str) -> Key:
    return Key(f"dreaming.weights.{name}", Kind.NUMBER, description, 0, 1, room_name="dreaming_weights")


DREAM_KEYS: Final[tuple[Key, ...]] = (
    Key(
        "dreaming.enabled",
        Kind.SWITCH,
        "Count, by hashes, which lines answer which questions on which days, and dream while nothing else happens; "
        "without it `holdfast dream` has nothing to go by.",
    ),
    Key(
        "dreaming.llm",
        Kind.SWITCH,
        "Let the language model of `[llm]` decide what says the same as a line of MEMORY.md or takes its place; it "
        "writes nothing.",
    ),
    Key(
        "dreaming.idle_minutes",
        Kind.WHOLE,
        "After how many minutes in which nothing happened `holdfast watch` or `holdfast serve` may dream.",
        0,
        1440,
    ),
    Key(
        "dreaming.every_hours",
        Kind.WHOLE,
        "How many hours lie between two such runs at the least; 0: never by itself.",
        0,
        8784,
    ),
    Key("dreaming.max_seconds", Kind.WHOLE, "How long a run may take, the model included.", 1, 3600),
    Key("dreaming.max_tokens", Kind.WHOLE, "About how many tokens the model may read in a run.", 500, 1_000_000),
    _light("lookback_days", Kind.WHOLE, "How many days of daily notes and conversations are gathered.", 1, _YEAR),
    _light("limit", Kind.WHOLE, "How many candidates are gathered in a run.", 1, 10_000),
    _light("dedupe_similarity", Kind.NUMBER, "From which share of common words on two of them are one.", 0.5, 1),
    _rem("lookback_days", Kind.WHOLE, "Over how many days something is looked for that comes back.", 2, _YEAR),
    _rem("limit", Kind.WHOLE, "How many such patterns a run finds.", 1, 1000),
    _rem("min_strength", Kind.NUMBER, "How strong a pattern must be: on how many days, and in how like words.", 0, 1),
    _deep("limit", Kind.WHOLE, "How many lines go into MEMORY.md in a day.", 1, 1000),
    _deep("min_score", Kind.NUMBER, "The score that such a line needs.", 0, 1),
    _deep("min_recall_count", Kind.WHOLE, "How often it must have been found; a question counts once a day.", 1, 1000),
    _deep("min_unique_queries", Kind.WHOLE, "By how many different questions.", 1, 1000),
    _deep("min_days", Kind.WHOLE, "On how many different days.", 1, _YEAR),
    _deep("half_life_days", Kind.WHOLE, "After how many days without a question its recency has halved.", 1, 3660),
    _deep("max_age_days", Kind.WHOLE, "After how many such days it is no candidate any more.", 1, 3660),
    _deep("max_snippet_tokens", Kind.WHOLE, "How long it may be, in tokens.", 10, 1000),
    _deep(
        "max_loss",
        Kind.NUMBER,
        "Which share of the lines that dreaming put into MEMORY.md may go in a day; one always may.",
        0,
        1,
    ),
    _deep(
        "memory_share",
        Kind.NUMBER,
        "Which share of `memory.prompt.max_chars_per_file` those lines may fill.",
        0,
        1,
    ),
    _weight("relevance", "How much it counts how well a line answered."),
    _weight("frequency", "How much it counts how often it was found."),
    _weight("diversity", "How much it counts by how many questions."),
    _weight("recency", "How much it counts how lately."),
    _weight("consolidation", "How much it counts on how many days, and how far apart they are."),
    _weight("concepts", "How much it counts how many telling words it has."),
    _weight("light", "How much is added for what was written or said lately."),
    _weight("rem", "How much is added for what belongs to a pattern."),
)
