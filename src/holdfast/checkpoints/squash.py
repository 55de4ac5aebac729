"""The journal → what one origin did to each note: its changes in a row as one, from the bytes before to those after.

An edit made outside has no line in the journal. It shows as a gap: one change left other bytes than the next one found,
or than there are now.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from itertools import pairwise

from holdfast.checkpoints.change import Change
from holdfast.checkpoints.change_history import changes
from holdfast.checkpoints.checkpoint_store import CheckpointStore, open_for_reading
from holdfast.guard.origin import Origin
from holdfast.named_tuple import NamedTuple
from holdfast.notes.workspace import Workspace

__all__ = ["Run", "Since", "changed_since", "outside_edits", "runs_by_note"]

_HOUSEKEEPING_TOOL = "session_export"
"""The tool whose removals are housekeeping: exports that are older than the settings keep do not come back."""


class Run(NamedTuple):
    """Consecutive changes of a note as one: its hashes before and after, the first change and the last."""

    path: str
    before: str | None
    after: str | None
    first: Change
    last: Change


class Since(NamedTuple):
    """The fate of a note after a change: how many changes stand, and whether it was edited outside."""

    changes: int = 0
    outside: bool = False


def changed_since(workspace: Workspace, first: Change, last: Change) -> Since:
    """Return what lies between two changes of a note; nothing where the last one left the note as it was."""
    if last.before == last.after:
        return Since()
    between: list[Change] = []
    with open_for_reading(workspace) as store:
        if store is None:
            return Since()
        with closing(changes(store)) as newest_first:
            for change in newest_first:
                if change.seq <= first.seq:
                    break
                if change.path == first.path and change.seq < last.seq:
                    between.append(change)
    taken_back: set[str] = set()
    count = 0
    for change in between:
        if change.undoes is not None and change.id not in taken_back:
            taken_back.add(change.undoes)
        elif change.undoes is None and change.id not in taken_back and change.before != change.after:
            count += 1
    chain = (first, *between[::-1], last)
    return Since(count, any(older.after != newer.before for older, newer in pairwise(chain)))


def runs_by_note(store: CheckpointStore, origin: Origin, wanted: Callable[[float], bool]) -> dict[str, list[Run]]:
    """Return, by note, what an origin did in the wanted time and still stands, newest first."""
    runs_by_path: dict[str, list[Run]] = {}
    for path, of_note in _changes_by_note(store).items():
        runs: list[Run] = []
        for previous, change in zip((None, *of_note), of_note, strict=False):
            ours = (
                change.words_of == origin
                and wanted(change.at)
                and not (change.tool == _HOUSEKEEPING_TOOL and not change.after)
            )
            if not ours or change.before == change.after:
                continue
            # Only changes without a gap between them are the same run: others may have written in a gap, and theirs
            # must stay.
            if runs and runs[-1].last is previous and runs[-1].after == change.before:
                runs[-1] = runs[-1]._replace(after=change.after, last=change)
            else:
                runs.append(Run(path, change.before, change.after, change, change))
        if runs:
            runs_by_path[path] = runs[::-1]
    return runs_by_path


def outside_edits(
    store: CheckpointStore, wanted: Callable[[float], bool]
) -> tuple[dict[str, list[Run]], dict[str, Change], list[str]]:
    """Return, by note, what was edited outside between changes of ours.

    Also returns the last change of every note, and the paths that are not sure.

    An edit lies between two changes, at a time that nobody knows: it counts where both are of the time that is wanted.
    """
    runs_by_path: dict[str, list[Run]] = {}
    last: dict[str, Change] = {}
    unsure: list[str] = []
    for path, of_note in _changes_by_note(store, undone=True).items():
        runs: list[Run] = []
        for older, newer in pairwise(of_note):
            if older.after == newer.before:
                continue
            if wanted(older.at) and wanted(newer.at):
                runs.append(Run(path, older.after, newer.before, older, newer))
            elif wanted(newer.at):
                unsure.append(path)
        if runs:
            runs_by_path[path] = runs[::-1]
        last[path] = of_note[-1]
    return runs_by_path, last, unsure


def _changes_by_note(store: CheckpointStore, *, undone: bool = False) -> dict[str, list[Change]]:
    """Return the changes of each note in their order.

    Without `undone`, changes that were taken back and their undos are left out.
    """
    taken_back: set[str] = set()
    by_note: dict[str, list[Change]] = {}
    with closing(changes(store)) as newest_first:
        for change in newest_first:
            if not undone and change.undoes is not None:
                if change.id not in taken_back:
                    taken_back.add(change.undoes)
            elif undone or change.id not in taken_back:
                by_note.setdefault(change.path, []).append(change)
    return {path: of_note[::-1] for path, of_note in by_note.items()}
