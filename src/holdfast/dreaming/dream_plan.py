"""Decisions about MEMORY.md, one after the other → a plan that keeps to the room there is and to the day's numbers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date

from holdfast.context.context import Context
from holdfast.dreaming.claim import Claim
from holdfast.dreaming.memory_lines import Addition, Line, added_on, characters, with_changes
from holdfast.dreaming.merge_decision import Action, Decision, last_said_day
from holdfast.dreaming.report import Candidate
from holdfast.errors import BadText
from holdfast.named_tuple import NamedTuple

__all__ = ["PassedCandidate", "PromotionPlan"]


class PassedCandidate(NamedTuple):
    """A candidate that has passed the gates; `forced` is the line whose place it takes whatever else there is."""

    candidate: Candidate
    claim: Claim
    forced: Line | None = None


class PromotionPlan:
    """Takes decisions one after the other, as long as there is room and the day's number is not reached."""

    def __init__(
        self, ctx: Context, data: bytes | None, day: date, run: str, lines: Sequence[Line], gone_today: int
    ) -> None:
        self._deep = ctx.settings.dreaming_deep
        most = ctx.settings.prompt.max_chars_per_file
        self._data = data
        self._most, self._most_own = most, int(most * self._deep.memory_share)
        self._today = added_on(data, day)
        self._day, self._run = day, run
        self._lines = [line for line in lines if line.own]
        # By the day, as the number of those that come: or a loop of runs would empty the note.
        self._loss = max(1, int(self._deep.max_loss * (len(self._lines) + gone_today))) - gone_today
        self.candidates: list[Candidate] = []
        self.added: list[Addition] = []
        self.renewed: list[str] = []
        self.removed: list[str] = []
        self.retired: list[str] = []

    def drop(self, forgotten: Collection[str]) -> None:
        """Take out lines whose facts were forgotten."""
        for line in self._lines:
            if line.id in forgotten and len(self.removed) + len(self.retired) < self._loss:
                self.retired.append(line.id)

    def take(self, entry: PassedCandidate, decision: Decision, alive: set[str]) -> None:
        """Put one decision into the plan."""
        prior = entry.forced or decision.prior
        shown = entry.candidate
        if any(addition.id == shown.id for addition in self.added):
            return
        if entry.forced is not None and decision.action is Action.MERGE:
            self._drop(entry, entry.forced)
        elif decision.action is Action.MERGE and prior is not None:
            if prior.own and prior.id not in self.removed:
                self.renewed.append(prior.id)
            self.candidates.append(shown.replace(outcome="merged", because=decision.rule))
        elif entry.forced is None and decision.action in (Action.ASK, Action.OLD):
            if prior is not None:
                where = f"MEMORY.md#{prior.claim.line}"
            else:
                where = "MEMORY.md"
            if prior is not None and not prior.own:
                who = "a person wrote"
            else:
                who = "says otherwise and is as new"
            waiting = decision.action is Action.ASK
            if waiting:
                reason = f"{where}, which {who}, contradicts it"
            else:
                reason = f"{where} is newer"
            self.candidates.append(shown.replace(outcome="waiting" if waiting else "old", because=reason))
        else:
            superseding = entry.forced is not None or decision.action is Action.SUPERSEDE
            if entry.forced is not None:
                rule = f"superseded:{entry.forced.id}"
            else:
                rule = decision.rule
            if superseding:
                self._add(entry, prior, rule, alive)
            else:
                self._add(entry, None, "", alive)

    def _drop(self, entry: PassedCandidate, prior: Line) -> None:
        """Take out a line whose successor stands there already."""
        if len(self.removed) + len(self.retired) < self._loss and prior.id not in self.removed:
            self.removed.append(prior.id)
            rule = f"superseded:{prior.id}"
            self.candidates.append(entry.candidate.replace(outcome="superseded", because=rule, replaced=(prior.id,)))

    def _add(self, entry: PassedCandidate, prior: Line | None, rule: str, alive: set[str]) -> None:
        shown, mark = entry.candidate, entry.claim.mark
        replaces = (prior.id,) if prior is not None else ()
        addition = Addition(
            shown.text,
            shown.id,
            shown.origin,
            entry.claim.place,
            self._run,
            last_said_day(mark, entry.claim.day) or self._day,
            mark.importance if mark is not None else None,
            replaces,
            rule,
        )
        if entry.forced is None and self._today + len(self.added) >= self._deep.limit:
            self.candidates.append(shown.replace(outcome="below", because=f"{self._deep.limit} a day is the most"))
            return
        if prior is not None and (prior.id in self.removed or len(self.removed) + len(self.retired) >= self._loss):
            self.candidates.append(shown.replace(outcome="no room", because="enough lines have gone today"))
            return
        if not self._fits(addition, prior, alive):
            self.candidates.append(shown.replace(outcome="no room", because="MEMORY.md is as long as it may be"))
            return
        self.added.append(addition)
        if prior is not None:
            self.removed.append(prior.id)
        self.candidates.append(
            shown.replace(outcome="superseded" if prior else "promoted", because=rule, replaced=replaces)
        )

    def _fits(self, addition: Addition, prior: Line | None, alive: set[str]) -> bool:
        """Say whether a line more fits; lines that nobody asked for in a month make room, oldest first."""
        idle = sorted(
            (line for line in self._lines if self._is_idle(line, alive) and line is not prior),
            key=lambda line: last_said_day(line.claim.mark, None) or date.min,
        )
        gone: list[str] = []
        # Measured on what would be written: by an estimate the next run could find room where this one found none.
        while not self._is_within(addition, {*gone, *((prior.id,) if prior is not None else ())}):
            if not idle or len(self.removed) + len(self.retired) + len(gone) >= self._loss:
                return False
            gone.append(idle.pop(0).id)
        self.retired += gone
        return True

    def _is_within(self, addition: Addition, gone: set[str]) -> bool:
        try:
            data = with_changes(
                self._data,
                self._day,
                added=[*self.added, addition],
                removed={*self.removed, *self.retired, *gone},
                renewed=self.renewed,
            )
        except BadText:
            return True  # who writes it finds the same, and tells
        whole, own = characters(data)
        return whole <= self._most and own <= self._most_own

    def _is_idle(self, line: Line, alive: set[str]) -> bool:
        said_day = last_said_day(line.claim.mark, None)
        old = said_day is not None and (self._day - said_day).days > self._deep.max_age_days
        touched = line.id in self.removed or line.id in self.retired or line.id in self.renewed
        return old and line.claim.key not in alive and not touched
