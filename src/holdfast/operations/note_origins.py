"""A note → whose each of its lines is, and which change brought it: runs of lines that are alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from holdfast.context.context import Context
from holdfast.named_tuple import NamedTuple
from holdfast.operations.checkpoints_list import moment
from holdfast.value import Shown

if TYPE_CHECKING:
    from holdfast.index.chunk_origins import Line

__all__ = ["NoteOrigins", "Run", "note_origins"]


class Run(NamedTuple):
    """Lines `first` to `last` of a note, counted from 1; origin and checkpoint are "" where nobody knows."""

    first: int
    last: int
    origin: str = ""
    checkpoint: str = ""
    at: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        when = None
        if self.checkpoint:
            when = moment(self.at)
        return {
            "from": self.first,
            "to": self.last,
            "origin": self.origin or None,
            "checkpoint": self.checkpoint or None,
            "at": when.isoformat(timespec="seconds") if when else None,
        }


class NoteOrigins(Shown):
    """All lines of a note, in their order."""

    path: str
    hash: str
    runs: tuple[Run, ...]


def note_origins(ctx: Context, path: Annotated[str, "MEMORY.md or memory/<name>.md."]) -> NoteOrigins:
    """Return whose each line of a note is, and which change brought it."""
    from holdfast.context.line_origins import LineOrigins

    note = ctx.workspace.read(path)
    lines = LineOrigins(ctx).by_line(note)
    known = [line for line in lines if line is not None]
    # a blank line goes with what stands above it, the first ones with what is below
    last = None
    if known:
        last = known[0]
    runs: list[Run] = []
    for number, line in enumerate(lines, 1):
        last = line or last
        run = _run(number, last)
        if runs and run[2:] == runs[-1][2:]:
            runs[-1] = runs[-1]._replace(last=number)
        else:
            runs.append(run)
    return NoteOrigins(note.path, note.hash, tuple(runs))


def _run(number: int, line: Line | None) -> Run:
    if line is None:
        return Run(number, number)
    if line.origin is None:
        origin = ""
    else:
        origin = line.origin.value
    change = line.change
    return Run(number, number, origin, *((change.id, change.at) if change is not None else ()))
