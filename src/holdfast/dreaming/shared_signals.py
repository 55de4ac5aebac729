"""The decisions of dreaming for an agent that several servers answer for: kept with its notes, not beside one index.

Which lines answered which questions is counted by each server for itself. What the owner rejected, what waits for them,
and when the last run was, holds for all.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from holdfast.errors import DatabaseAway
from holdfast.index.sqlite.signal_table import Ran, Signals, Verdict
from holdfast.notes.staleness import tell_stale
from holdfast.postgres.presence import AWAY

if TYPE_CHECKING:
    from holdfast.transcripts.state import StateStore

__all__ = ["SharedSignals"]

_SESSION: Final = "dreams"
_VERDICTS: Final = "dream-verdicts"
_RUN: Final = "dream-run"


class SharedSignals(Signals):
    """The counts beside this server's index, and the decisions of all."""

    def __init__(self, path: str, state: StateStore, agent: str) -> None:
        super().__init__(path)
        self._state, self._agent = state, agent

    def decide(self, verdicts: Sequence[Verdict]) -> None:
        """Keep what became of some lines."""
        for verdict in verdicts:
            self._state.set(self._agent, _SESSION, _VERDICTS, verdict.claim, list(verdict), verdict.at)

    def verdicts(self) -> Mapping[str, Verdict]:
        """Return what became of each line that anything was decided about; a reader does without while nobody knows."""
        try:
            rows = self._state.list(self._agent, _SESSION, _VERDICTS)
        except DatabaseAway:
            if not tell_stale(AWAY):
                raise
            return {}
        return {row.key: Verdict._make(row.value) for row in rows}

    def ran(self, run: Ran) -> None:
        """Keep when all of dreaming ran."""
        self._state.set(self._agent, _SESSION, _RUN, _RUN, [run.at, sorted(run.state)], run.at)

    def last_run(self) -> Ran | None:
        """Return when all of dreaming last ran, on whichever server."""
        held = self._state.get(self._agent, _SESSION, _RUN, _RUN)
        return None if held is None else Ran(held[0], frozenset(held[1]))

    def places(self) -> list[tuple[str, str]]:
        """Return each line that is counted or decided about, with the note it was found in."""
        decided = [(verdict.claim, verdict.path) for verdict in self.verdicts().values()]
        return [*super().places(), *decided]

    def forget(self, gone: Collection[tuple[str, str]]) -> None:
        """Drop what is known of lines that stand no more where they were found."""
        super().forget(gone)
        places = set(gone)
        for verdict in self.verdicts().values():
            if (verdict.claim, verdict.path) in places:
                self._state.delete(self._agent, _SESSION, _VERDICTS, verdict.claim)
