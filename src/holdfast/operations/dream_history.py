"""The runs of dreaming that changed a note: when, what, why by their own report, and whether they were taken back."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import closing, suppress
from datetime import UTC, datetime
from typing import Annotated, Any, Final

from holdfast.checkpoints.change import Change
from holdfast.checkpoints.change_history import changes
from holdfast.checkpoints.checkpoint_store import open_for_reading
from holdfast.context.context import Context
from holdfast.dreaming.dream_change import TOOL
from holdfast.dreaming.report import FOLDER
from holdfast.errors import HoldfastError
from holdfast.guard.argument_types import check_whole_number
from holdfast.operations.note_access import Notes
from holdfast.value import Shown

__all__ = ["DreamRun", "dream_reports", "dream_runs"]

_MOST_RUNS: Final = 200
_MOST_REPORTS: Final = 1000

_SECTION: Final = re.compile(r"^## Run (\S+)")
_UNDO: Final = "- Undo with "  # the page has a button for that


class DreamRun(Shown):
    """One run; `why` are the lines of its report, without those that only tell how to undo it."""

    run: str
    at: str
    origin: str
    report: str | None
    notes: tuple[str, ...]
    why: tuple[str, ...]
    rolled_back: bool
    checkpoint_ids: tuple[str, ...]


def dream_runs(
    ctx: Context,
    limit: Annotated[int, f"How many, 1 to {_MOST_RUNS}."] = 30,
    before: Annotated[str | None, "Only runs older than this one."] = None,
) -> list[DreamRun]:
    """Return the runs that changed a note, newest first: what each changed and why, and whether it was undone."""
    check_whole_number("limit", limit, 1, _MOST_RUNS)
    grouped: dict[str, list[Change]] = {}
    undone: set[str] = set()
    with open_for_reading(ctx.workspace) as store:
        if store is None:
            return []
        with closing(changes(store)) as newest_first:
            for change in newest_first:
                if change.undoes is not None:
                    if change.id not in undone:
                        undone.add(change.undoes)
                elif change.tool == TOOL:
                    run = change.reason.partition(" ")[2]
                    if run not in grouped and len(grouped) > limit and (before is None or before in grouped):
                        break
                    grouped.setdefault(run, []).append(change)
    names = list(grouped)
    if before in grouped:
        names = names[names.index(before) + 1 :]
    reports: dict[str, dict[str, tuple[str, ...]]] = {}
    return [_run(ctx, name, grouped[name], undone, reports) for name in names[:limit]]


def dream_reports(
    ctx: Context,
    limit: Annotated[int, f"How many, 1 to {_MOST_REPORTS}."] = 30,
    offset: Annotated[int, "How many to skip, from the newest."] = 0,
) -> dict[str, Any]:
    """Return the notes in which runs told what they did, the newest day first."""
    check_whole_number("limit", limit, 1, _MOST_REPORTS)
    check_whole_number("offset", offset, 0)
    found = Notes(ctx).page(FOLDER, limit=_MOST_REPORTS)
    reports = [note.to_json() for note in reversed(found.notes)]
    return {"total": found.total, "offset": offset, "reports": reports[offset : offset + limit]}


def _run(
    ctx: Context, run: str, made: list[Change], undone: set[str], reports: dict[str, dict[str, tuple[str, ...]]]
) -> DreamRun:
    report = next((change.path for change in made if change.path.startswith(FOLDER)), None)
    if report is not None and report not in reports:
        reports[report] = _sections(ctx, report)
    return DreamRun(
        run=run,
        at=datetime.fromtimestamp(made[0].at, UTC).isoformat(),
        origin=made[0].origin,
        report=report,
        notes=tuple(change.path for change in made if change.path != report),
        why=reports[report].get(run, ()) if report is not None else (),
        rolled_back=all(change.id in undone for change in made),
        checkpoint_ids=tuple(change.id for change in made),
    )


def _sections(ctx: Context, path: str) -> dict[str, tuple[str, ...]]:
    """The lines of a report by run; none where it is gone or can't be read."""
    with suppress(HoldfastError):
        return _lines_by_run(Notes(ctx).read(path).text.split("\n"))
    return {}


def _lines_by_run(lines: Iterable[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    current: list[str] = []
    for line in lines:
        section = _SECTION.match(line)
        if section is not None:
            current = found.setdefault(section[1], [])
        elif line.startswith("- ") and not line.startswith(_UNDO):
            current.append(line[2:])
    return {run: tuple(changes) for run, changes in found.items()}
