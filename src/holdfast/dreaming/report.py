"""Describe what a run did, as the lines about it in `memory/dreams/<day>.md`.

It names places, and not words: what is forgotten in a note is not left behind here, and nothing feeds on itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Final

from holdfast.dreaming.deep_phase import LineScore
from holdfast.dreaming.signals import Recall
from holdfast.guard.origin import Origin
from holdfast.plural import count_of
from holdfast.value import Shown, Value

__all__ = ["FOLDER", "Candidate", "Dream", "Found", "describe_recall", "report_path", "section"]

FOLDER: Final = "memory/dreams/"
_TOLD: Final = ("promoted", "merged", "superseded", "waiting", "refused", "no room")
_MOST_PLACES: Final = 8


class Candidate(Value):
    """A line that was looked at for MEMORY.md, and what became of it."""

    id: str
    text: str
    place: str
    outcome: str
    """promoted, merged, superseded, waiting, refused, no room, old or below."""
    because: str = ""
    origin: Origin | None = None
    score: LineScore | None = None
    recall: Recall | None = None
    replaced: tuple[str, ...] = ()
    claim: str = ""
    fresh: bool = True
    """Whether no earlier run has told of it."""

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        shown: dict[str, Any] = {
            "id": self.id,
            "text": self.text,
            "place": self.place,
            "outcome": self.outcome,
            "origin": self.origin.value if self.origin is not None else None,
        }
        if self.because:
            shown["because"] = self.because
        if self.replaced:
            shown["replaced"] = list(self.replaced)
        if self.score is not None:
            shown |= {"score": self.score.total, "parts": dict(self.score.parts)}
        if self.recall is not None:
            shown |= {"recalls": self.recall.times, "questions": self.recall.queries, "days": len(self.recall.days)}
        return shown


class Found(Shown):
    """Says what came back over several days, and where it stands."""

    text: str
    places: tuple[str, ...]
    days: int
    strength: float


class Dream(Value):
    """Says what one run did, or would do; `because` says what it left out."""

    run: str
    day: date
    gathered: int = 0
    new: int = 0
    """Of those gathered, how many no run had seen before."""
    patterns: tuple[Found, ...] = ()
    new_patterns: int = 0
    candidates: tuple[Candidate, ...] = ()
    retired: tuple[str, ...] = ()
    """The ids of lines that left MEMORY.md to make room, or because their fact was forgotten."""
    report: str = ""
    checkpoint_ids: tuple[str, ...] = ()
    dry_run: bool = False
    because: str = ""
    stopped: bool = False
    """Whether it gave way to somebody before it was done."""

    @property
    def changed(self) -> bool:
        """True if there is anything to tell that earlier runs have not told."""
        has_news = any(candidate.fresh and candidate.outcome in _TOLD for candidate in self.candidates)
        return bool(self.new or self.new_patterns or self.retired or has_news)

    def of(self, outcome: str) -> list[Candidate]:
        """The candidates with this outcome."""
        return [candidate for candidate in self.candidates if candidate.outcome == outcome]

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        return {
            "run": self.run,
            "day": self.day.isoformat(),
            "dry_run": self.dry_run,
            "light": {"gathered": self.gathered, "new": self.new},
            "rem": [pattern.to_json() for pattern in self.patterns],
            "deep": [candidate.to_json() for candidate in self.candidates],
            "retired": list(self.retired),
            "report": self.report or None,
            "checkpointIds": list(self.checkpoint_ids),
            "because": self.because,
            "stopped": self.stopped,
        }


def report_path(day: date) -> str:
    """The note that tells of the runs of a day."""
    return f"{FOLDER}{day.isoformat()}.md"


def section(dream: Dream, moment: datetime) -> str:
    """Return the lines about one run."""
    lines = [f"## Run {dream.run} at {moment:%H:%M}", ""]
    if dream.new:
        lines.append(f"- Light: {dream.new} new candidates of {dream.gathered}.")
    if dream.new_patterns:
        lines += [
            f"- REM: on {count_of(shown.days, 'day')}, strength {shown.strength:.2f}: {_list_places(shown.places)}."
            for shown in dream.patterns
        ]
    for name in _TOLD:
        lines += [f"- {_describe(candidate)}" for candidate in dream.of(name) if candidate.fresh]
    if dream.retired:
        lines.append(f"- Left MEMORY.md, forgotten or to make room: {', '.join(dream.retired)}.")
    if any(dream.of(name) for name in ("promoted", "superseded", "merged")) or dream.retired:
        lines.append(f"- Undo with `holdfast dream --rollback {dream.run}`.")
    if dream.because:
        lines.append(f"- Left out: {dream.because}.")
    return "\n".join(lines) + "\n"


def describe_recall(recall: Recall) -> str:
    """Return how often a line was found, by how many questions and on how many days."""
    times, days = count_of(recall.times, "time"), count_of(len(recall.days), "day")
    return f"found {times}, by {count_of(recall.queries, 'question')}, on {days}"


def _describe(candidate: Candidate) -> str:
    if candidate.score is not None:
        score = f", score {candidate.score.total:.2f}"
    else:
        score = ""
    if candidate.because:
        reason = f" ({candidate.because})"
    else:
        reason = ""
    how = ""
    if candidate.recall is not None:
        how = f": {describe_recall(candidate.recall)}"
    match candidate.outcome:
        case "waiting":
            way = f"`holdfast inbox approve {candidate.id}` or `reject {candidate.id}`"
            return f"Waiting: {candidate.place}{score}{reason}. {way}."
        case "superseded":
            gone = ", ".join(candidate.replaced)
            return f"Into MEMORY.md as {candidate.id}, in the place of {gone}: {candidate.place}{score}{reason}."
        case "promoted":
            return f"Into MEMORY.md as {candidate.id}: {candidate.place}{score}{how}."
        case "merged":
            return f"In MEMORY.md already: {candidate.place}{score}{reason}."
        case "refused":
            return f"Refused: {candidate.place}{reason}."
    return f"No room in MEMORY.md: {candidate.place}{score}{reason}."


def _list_places(places: Sequence[str]) -> str:
    more = len(places) - _MOST_PLACES
    return ", ".join(places[:_MOST_PLACES]) + (f" and {more} more" if more > 0 else "")
