"""The frozen values of dreaming: what is gathered, what counts as a pattern, and what may reach MEMORY.md."""

from __future__ import annotations

from holdfast.value import Value

__all__ = ["DeepSettings", "DreamWeights", "DreamingSettings", "LightSettings", "RemSettings"]


class DreamingSettings(Value):
    """Whether questions are counted for it, when it runs by itself, and what one run may take."""

    enabled: bool = True
    llm: bool = True
    idle_minutes: int = 15
    every_hours: int = 24
    max_seconds: int = 60
    max_tokens: int = 8000


class LightSettings(Value):
    """The first phase: what was written and said lately, each once."""

    lookback_days: int = 2
    limit: int = 100
    dedupe_similarity: float = 0.9


class RemSettings(Value):
    """The second phase: what comes back over several days."""

    lookback_days: int = 7
    limit: int = 10
    min_strength: float = 0.75


class DeepSettings(Value):
    """The third phase: what is asked for often enough to be in every prompt."""

    limit: int = 10
    min_score: float = 0.75
    min_recall_count: int = 3
    min_unique_queries: int = 3
    min_days: int = 2
    half_life_days: int = 14
    max_age_days: int = 30
    max_snippet_tokens: int = 160
    max_loss: float = 0.25
    memory_share: float = 0.5


class DreamWeights(Value):
    """How much each part of a score counts."""

    relevance: float = 0.30
    frequency: float = 0.24
    diversity: float = 0.15
    recency: float = 0.15
    consolidation: float = 0.10
    concepts: float = 0.06
    light: float = 0.06
    rem: float = 0.09
