"""MEMORY.md as it is now, and as a run found and left it → the note without that run; what was done since stays.

A line that the run took out comes back only if nothing speaks against it by now: another line may have its place, and
what it was taken from may have been forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from holdfast.dreaming.memory_lines import Addition, Line, lines_in, own_lines, with_changes
from holdfast.dreaming.merge_decision import Action, by_rules
from holdfast.named_tuple import NamedTuple

__all__ = ["Reversal", "without_run"]


class Reversal(NamedTuple):
    """The note without the run; `whole` says that it is what it was before, to the byte."""

    data: bytes | None
    whole: bool = False
    out: tuple[str, ...] = ()
    """The ids of lines that the run took out and that do not come back."""


def without_run(
    now: bytes | None,
    before: bytes | None,
    after: bytes | None,
    run: str,
    day: date,
    is_told: Callable[[Line], bool],
) -> Reversal:
    """The note without the lines of a run that nobody edited, and with those that it took out.

    `is_told` says whether what a line was taken from still says so. What somebody else took out or edited since is not
    looked at: only the run's own doing is undone.
    """
    left = {(line.id, line.claim.key) for line in own_lines(after)}
    removed = [line for line in own_lines(before) if (line.id, line.claim.key) not in left]
    still_true = [line for line in removed if is_told(line)]
    if now == after and len(still_true) == len(removed):
        return Reversal(before, whole=True)
    if now is None and after is not None:
        return Reversal(None, out=tuple(line.id for line in removed))  # who removed the note wants none of it back
    here = lines_in(now)
    others = [line for line in here if not (line.own and line.run == run)]
    back = [line for line in still_true if _has_room(line, others)]
    data = with_changes(
        now,
        day,
        added=[_addition_of(line) for line in back],
        removed={line.id for line in here if line.own and line.run == run},
    )
    known = {line.id for line in back}
    return Reversal(data, out=tuple(line.id for line in removed if line.id not in known))


def _has_room(line: Line, others: Sequence[Line]) -> bool:
    """Say whether nothing stands there that says the same, says otherwise, or took this line's place and was edited."""
    marks = (other.claim.mark for other in others)
    taken = any(mark is not None and line.id in mark.supersedes for mark in marks)
    return not taken and by_rules(line.claim, others).action is Action.KEEP


def _addition_of(line: Line) -> Addition:
    mark = line.claim.mark
    assert mark is not None  # a line without one is nobody's but its writer's
    return Addition(
        line.claim.text,
        line.id,
        mark.origin,
        line.source,
        line.run,
        mark.observed,
        mark.importance,
        mark.supersedes,
        mark.rule,
    )
