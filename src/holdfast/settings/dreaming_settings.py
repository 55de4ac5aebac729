"""The settings of dreaming: when it runs, and what may reach MEMORY.md; the numbers are those of OpenClaw."""

from __future__ import annotations

from holdfast.settings.declaration import Section, fixed, number, switch, whole

__all__ = ["DeepSettings", "DreamWeights", "DreamingSettings", "LightSettings", "RemSettings"]


class DreamingSettings(Section, table="dreaming"):
    """The switch of dreaming, the times at which it runs by itself, and what one run may take."""

    enabled: bool = switch(
        True,
        "Count, by hashes, which lines answer which questions on which days, and dream while nothing else "
        "happens; without it `holdfast dream` has nothing to go by.",
    )
    llm: bool = switch(
        True,
        "Let the language model of `[llm]` decide what says the same as a line of MEMORY.md or takes its place; "
        "it writes nothing.",
    )
    idle_minutes: int = whole(
        15, "After how many minutes in which nothing happened `holdfast watch` or `holdfast serve` may dream.", 0, 1440
    )
    every_hours: int = whole(24, "How many hours lie between two such runs at the least; 0: never by itself.", 0, 8784)
    max_seconds: int = fixed(whole(60, "How long a run may take, the model included.", 1, 3600))
    max_tokens: int = fixed(whole(8000, "About how many tokens the model may read in a run.", 500, 1_000_000))


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

    limit: int = whole(10, "How many lines go into MEMORY.md in a day.", 1, 1000)
    min_score: float = number(0.75, "The score that such a line needs.", 0, 1)
    min_recall_count: int = whole(3, "How often it must have been found; a question counts once a day.", 1, 1000)
    min_unique_queries: int = whole(3, "By how many different questions.", 1, 1000)
    min_days: int = whole(2, "On how many different days.", 1, 366)
    half_life_days: int = fixed(whole(14, "After how many days without a question its recency has halved.", 1, 3660))
    max_age_days: int = fixed(whole(30, "After how many such days it is no candidate any more.", 1, 3660))
    max_snippet_tokens: int = fixed(whole(160, "How long it may be, in tokens.", 10, 1000))
    max_loss: float = fixed(
        number(0.25, "Which share of the lines that dreaming put into MEMORY.md may go in a day; one always may.", 0, 1)
    )
    memory_share: float = fixed(
        number(0.5, "Which share of `memory.prompt.max_chars_per_file` those lines may fill.", 0, 1)
    )


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
