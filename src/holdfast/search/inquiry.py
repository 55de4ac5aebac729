"""Hold what is asked, and with whose help: everything that a stage of a search may look at, fixed before the first."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from holdfast.embeddings.chain import Chain
from holdfast.errors import BadArgument
from holdfast.index.store_contract import StoredChunk
from holdfast.named_tuple import NamedTuple
from holdfast.search.candidate import Candidate
from holdfast.search.frequent_words import PieceCosts
from holdfast.search.query import Question
from holdfast.settings.memory_settings import MemorySettings
from holdfast.settings.search_settings import MmrSettings, SearchSettings
from holdfast.value import Value

if TYPE_CHECKING:
    from holdfast.search.note_weights import Weighing
    from holdfast.search.query_expansion import Expander
    from holdfast.search.rerank import Reranker
    from holdfast.search.scope import Scope

__all__ = ["MAX_RESULTS", "Candidates", "Inquiry", "LookCloser", "Stage"]

MAX_RESULTS = 100

LookCloser: TypeAlias = Callable[[str, Sequence[tuple[str, str]]], list[float] | None]
"""The question, and texts with their hashes → how well each text meets the question, or None."""


class Inquiry(Value):
    """A question with its settings, its scope and those who may be asked for help."""

    query: str
    question: Question
    memory: MemorySettings
    settings: SearchSettings
    chain: Chain | None = None
    look_closer: LookCloser | None = None
    piece_costs: PieceCosts | None = None
    expander: Expander | None = None
    reranker: Reranker | None = None
    weighing: Weighing | None = None
    mmr: MmrSettings = MmrSettings()
    scope: Scope | None = None
    since: float = math.inf
    """When the question came, on the monotonic clock: a provider has as long as the settings say from then on."""
    max_results: int | None = None
    min_score: float | None = None
    min_confidence: float | None = None
    by_passage: bool = False
    """Whether each passage is a hit of its own; otherwise those of one note are one."""
    context: tuple[str, ...] = ()
    """What was said before the question, oldest first: what "the second one" is of."""

    @property
    def limit(self) -> int:
        """The most hits."""
        if self.max_results is None:
            return self.settings.max_results
        return self.max_results

    @property
    def least(self) -> float:
        """The score below which nothing is given."""
        if self.min_score is None:
            return self.settings.min_score
        return self.min_score

    @property
    def least_confidence(self) -> float:
        """The confidence below which nothing is given."""
        if self.min_confidence is None:
            return self.settings.min_confidence
        return self.min_confidence

    def check(self) -> None:
        """Raise BadArgument for limits that can't be."""
        if not isinstance(self.limit, int) or not 1 <= self.limit <= MAX_RESULTS:
            raise BadArgument("max_results", f"{self.limit} is not between 1 and {MAX_RESULTS}")
        if not 0.0 <= self.least <= 1.0:
            raise BadArgument("min_score", f"{self.least} is not between 0 and 1")
        if not 0.0 <= self.least_confidence <= 1.0:
            raise BadArgument("min_confidence", f"{self.least_confidence} is not between 0 and 1")


class Candidates(NamedTuple):
    """Holds what was found so far, best first, with the passages behind it, and what is to be said of the search."""

    ranked: Sequence[Candidate]
    chunks: Mapping[int, StoredChunk]
    said: tuple[str, ...] = ()
    partial: bool = False
    days: Sequence[StoredChunk] = ()
    """Passages of the time that the question names, whatever they say."""
    day_scores: Mapping[int, float] = MappingProxyType({})
    """What those score that hold of the question what it says besides the time."""
    elsewhere: float = 0.0
    """What passages of other times score for that at best."""
    newer: Mapping[int, int] = MappingProxyType({})
    """For rows that a newer one says something else than, which one that is."""

    @property
    def older(self) -> Mapping[int, int]:
        """For rows that say something else than older ones, the one of those that stands first."""
        found: dict[int, int] = {}
        if not self.newer:  # as almost always; every hit asks
            return found
        for candidate in self.ranked:
            if (newer := self.newer.get(candidate.fused.row)) is not None:
                found.setdefault(newer, candidate.fused.row)
        return found

    def saying(self, *said: str) -> Candidates:
        """Return the same, with more to be said."""
        return self._replace(said=(*self.said, *filter(None, said)))


Stage: TypeAlias = Callable[[Candidates], Candidates]
