"""Tell what a search gives back."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from holdfast.guard.media import is_image
from holdfast.guard.origin import Origin
from holdfast.guard.paths import INBOX
from holdfast.markdown.fact_row import Fact
from holdfast.markdown.speakers import Voice
from holdfast.value import Value

__all__ = ["CONTRIBUTIONS", "DOUBT", "EVIDENCE", "FAINT", "UNLIKELY", "WAITS", "Hit", "Mode", "Results"]

UNLIKELY = "nothing here seems to answer this; the nearest:"
"""The line above hits none of which is likely."""

DOUBT = "unlikely"
"""The mark of a hit that is unlikely."""
FAINT = 0.15
"""How near something is, 0 to 1, that is hardly nearer than what has nothing to do with the question: within about one
spread of the background, of the six that are near in any home."""
WAITS = "waits for approval"
"""How a hit is marked that nobody has approved yet."""


CONTRIBUTIONS = (
    *("text", "vector", "neighbours", "note", "expand", "closer", "context"),
    *("exact", "time", "recency", "importance", "access", "project", "superseded", "limit", "rerank"),
    *("answer", "day", "newer"),
)
"""The parts of `explain` that add up to the score; the others say where those come from."""

EVIDENCE = ("held", "above", "met", "named", "of_time", "evidence")
"""The parts of `explain` that say how likely a hit is."""


class Mode(StrEnum):
    """Says which rankings answered."""

    HYBRID = "hybrid"
    KEYWORD = "keyword"
    VECTOR = "vector"


class Hit(Value):
    """Lines of a note that answer a question, from the one that answers best on; `chunk_id` reads the whole chunk.

    The snippet may show more of the note than these lines, where they say little by themselves.
    """

    chunk_id: str
    path: str
    start_line: int
    end_line: int
    score: float
    vector_score: float | None
    text_score: float | None
    snippet: str
    citation: str | None
    source: str
    headings: tuple[str, ...] = ()
    explain: Mapping[str, float] = MappingProxyType({})
    confidence: float = 0.0
    """How likely the hit answers, from 0 to 1."""
    likely: bool = True
    """Whether more speaks for it than for what questions from elsewhere find here."""
    fact: Fact | None = None
    """What is known of it, where the lines are a fact."""
    origin: Origin | None = None
    """Whose words the lines are, of several the one trusted least; None where nobody can tell."""
    voice: Voice = Voice.UNKNOWN
    """Whose turn of a conversation the lines are."""
    ranges: tuple[tuple[int, int], ...] = ()
    """The first and last lines of all passages of the note that were found, best first."""
    newer: str = ""
    """Where a newer line stands that says something else of the same thing, as `path#line`."""
    older: str = ""
    """Where an older line stands that these say something else than."""
    snippet_line: int = 0
    """Which line of the snippet, from 0, is the one that answers: `start_line` of the note."""

    @property
    def media(self) -> str:
        """`image` where the words were read in one, which is shown by its path; empty for a note."""
        if is_image(self.path):
            return "image"
        return ""

    @property
    def waits(self) -> bool:
        """Say whether the lines stand in the inbox: nobody has approved them yet."""
        return self.path == INBOX

    @property
    def own_score(self) -> float:
        """Return what the lines score by themselves, without what their neighbours and their note lend them."""
        return self.score - self.explain.get("neighbours", 0.0) - self.explain.get("note", 0.0)

    @property
    def found_by(self) -> str:
        """Say what brought it: its words, its meaning (a note in another language shares none), both, or its time."""
        if self.text_score is None:
            if self.vector_score is None:
                return "time"
            return "meaning"
        if self.vector_score is None:
            return "words"
        return "words and meaning"

    @property
    def is_faint(self) -> bool:
        """Say whether the lines hold no word of the question, and are hardly nearer to it than any others."""
        return self.text_score is None and self.vector_score is not None and self.vector_score < FAINT

    def to_json(self, *, explain: bool = False) -> dict[str, Any]:
        """Return the shape that every surface shows."""
        shown: dict[str, Any] = {
            "chunk_id": self.chunk_id,
            "path": self.path,
            "start_line": self.start_line,
            "end_line": self.end_line,
            "score": self.score,
            "confidence": round(self.confidence, 4),
            "likely": self.likely,
            "vector_score": self.vector_score,
            "text_score": self.text_score,
            "snippet": self.snippet,
            "citation": self.citation,
            "source": self.source,
            "origin": None if self.origin is None else self.origin.value,
        }
        if self.media:
            shown["media"] = self.media
        if len(self.ranges) > 1:
            shown["ranges"] = [list(lines) for lines in self.ranges]
        if self.newer:
            shown["newer"] = self.newer
        if self.older:
            shown["older"] = self.older
        if self.waits:
            shown["waits"] = True
        if self.fact is not None:
            shown["fact"] = _shown(self.fact)
        if explain:
            shown["found_by"] = self.found_by
            shown["headings"] = list(self.headings)
            shown["explain"] = dict(self.explain)
        return shown


class Results(Value):
    """The hits, how they were found, and why not otherwise."""

    query: str
    mode: Mode
    because: str
    results: tuple[Hit, ...]
    provider: str | None
    model: str | None
    took_ms: float
    partial: bool = False
    """Whether a provider did not answer in time, so that what it knows is missing."""
    backend: str = "builtin"
    """Who answered: `builtin`, or `qmd`."""
    window: str = ""
    """The days that an event in the question stands for ("before the launch"), and which note says so."""

    @property
    def likely(self) -> bool:
        """Say whether some hit is likely to answer; without hits nothing is."""
        return any(hit.likely for hit in self.results)

    def to_json(self, *, explain: bool = False) -> dict[str, Any]:
        """Return the shape that every surface shows."""
        shown: dict[str, Any] = {
            "query": self.query,
            "backend": str(self.backend),
            "mode": self.mode.value,
            "because": self.because,
            "partial": self.partial,
            "likely": self.likely,
            "results": [hit.to_json(explain=explain) for hit in self.results],
            "provider": self.provider,
            "model": self.model,
            "took_ms": round(self.took_ms, 3),
        }
        if explain and self.window:
            return {**shown, "window": self.window}
        return shown


def _shown(fact: Fact) -> dict[str, Any]:
    days = {name: getattr(fact, name) for name in ("observed", "valid_from", "valid_until")}
    return {
        "id": fact.id or None,
        "category": fact.category.value,
        "importance": fact.importance,
        "origin": fact.origin.value,
        **{name: day.isoformat() if day is not None else None for name, day in days.items()},
        "superseded": fact.superseded,
    }
