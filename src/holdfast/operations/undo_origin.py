"""undo_origin: take back everything that came from one origin, and keep what everybody else wrote.

Facts and lines of dreams go by their marks, wherever they stand by now; the rest goes by the checkpoints, line by line.
All of it is one group of changes, so one `undo` brings it back.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime
from functools import cache
from typing import TYPE_CHECKING, Annotated, Final

from holdfast.approval.prompt_gate import asks_owner
from holdfast.checkpoints.change import Change, digest_of, note_to_change
from holdfast.checkpoints.change_history import stored_bytes
from holdfast.checkpoints.checkpoint_store import CheckpointStore
from holdfast.checkpoints.group import Step, apply_group
from holdfast.checkpoints.note_change import locked_store
from holdfast.checkpoints.revert import Reversal, revert_change
from holdfast.checkpoints.squash import Run, outside_edits, runs_by_note
from holdfast.context.context import Context
from holdfast.errors import (
    BadArgument,
    BadPath,
    BadText,
    CheckpointDamaged,
    NoteChangedOutside,
    NoteNotFound,
    NotPermitted,
    TooLarge,
    UnsafeFile,
)
from holdfast.guard.argument_types import check_choice
from holdfast.guard.origin import Origin
from holdfast.guard.paths import INBOX, readable_path, writable_path
from holdfast.guard.signature import OneOf
from holdfast.guard.text_rules import decode
from holdfast.markdown.fact_row import category_of
from holdfast.named_tuple import NamedTuple
from holdfast.operations.undo_report import BackOf, TookBack

if TYPE_CHECKING:
    from holdfast.facts.fact import Fact

__all__ = ["BackOf", "TookBack", "undo_origin"]

_ID: Final = re.compile(rb"<!-- fact id=(\S+) ")  # as marks are written
_OWNERS: Final = (Origin.USER, Origin.API)  # those that the command line and the library stamp
_DATED: Final = (Origin.USER, Origin.OUTSIDE)
_ATTEMPTS: Final = 3
_ONE_BY_ONE: Final = 8  # notes; for more the index is brought up to date once
_UNREADABLE: Final = (BadPath, BadText, CheckpointDamaged, TooLarge, UnsafeFile)


class _UndoScope(NamedTuple):
    """Says what is to be taken back."""

    origin: Origin
    since: date | None
    until: date | None
    whole_notes: bool

    def on(self, day: date | None) -> bool:
        """Say whether a day lies in the time that is meant; one that is not known does where no time is named."""
        if day is None:
            return self.since is None and self.until is None
        return (self.since is None or day >= self.since) and (self.until is None or day <= self.until)

    def at(self, moment: float) -> bool:
        """The same for a moment, on the owner's calendar."""
        return self.on(_day(moment))


def undo_origin(
    ctx: Context,
    origin: Annotated[str, "Whose changes: import, mcp_tool, agent, auto_capture …", OneOf(tuple(Origin))],
    *,
    since: Annotated[str | None, "Only from this day on."] = None,
    until: Annotated[str | None, "Only up to this day."] = None,
    whole_notes: Annotated[bool, "Also notes that were made outside in that time."] = False,
    dry_run: Annotated[bool, "Only show what would go."] = False,
) -> TookBack:
    """Take back every change of an origin, since a day or up to one; only the owner may.

    What was edited outside has no checkpoint of its own: it is found where Holdfast had written the note before. A note
    that it never wrote has nothing to go back to; with `whole_notes` it goes, if it was changed in that time.
    """
    if ctx.origin not in _OWNERS:
        raise NotPermitted("Only the owner takes back what came from somewhere; ask them to do it.")
    asked = _scope(ctx, origin, since, until, whole_notes)
    if asked.origin in _DATED and asks_owner(ctx):
        raise NotPermitted("Only the owner takes back what the owner wrote; ask them to do it.")
    for attempt in range(_ATTEMPTS):
        try:
            return _undo_scope(ctx, asked, dry_run=dry_run)
        except NoteChangedOutside:  # an editor asks for no lock; look again
            if attempt == _ATTEMPTS - 1:
                raise
    raise AssertionError("a loop that ends inside")


def _scope(ctx: Context, origin: str, since: str | None, until: str | None, whole_notes: bool) -> _UndoScope:
    from holdfast.operations.changes_page import day_range

    check_choice("origin", origin, Origin)
    now = datetime.fromtimestamp(ctx.clock.now(), UTC).astimezone()
    first, last = day_range(ctx, since, until, now)
    if first is not None and last is not None and first > last:
        raise BadArgument("since", f"{first} is after {last}")
    if origin in _DATED and first is None:
        raise BadArgument("since", f"name a day: else everything of the origin {origin} that there is would go")
    if whole_notes and origin != Origin.OUTSIDE:
        raise BadArgument("whole_notes", "it is about notes that were made outside; other origins have checkpoints")
    return _UndoScope(Origin(origin), first, last, whole_notes)


def _undo_scope(ctx: Context, asked: _UndoScope, *, dry_run: bool) -> TookBack:
    with locked_store(ctx.workspace) as store:
        work = _Work(ctx, store, asked)
        work.facts()
        work.memory()
        work.lines()
        steps = work.steps()
        ids: list[Change] = []
        if steps and not dry_run:
            reason = f"took back what came from {asked.origin}" + (f" since {asked.since}" if asked.since else "")
            ids = apply_group(store, steps, ctx.authorship("undo", reason))
    done = TookBack(asked.origin, asked.since, asked.until, dry_run, work.changed_notes(), work.untouched())
    return done.replace(checkpoint_ids=tuple(change.id for change in ids), because=_index_changes(ctx, ids))


class _Work:
    """The notes as they are and as they are to be, while one rollback is put together under the lock."""

    def __init__(self, ctx: Context, store: CheckpointStore, asked: _UndoScope) -> None:
        self._ctx, self._store, self._scope = ctx, store, asked
        self._now: dict[str, bytes | None] = {}
        self._new: dict[str, bytes | None] = {}
        self._counts: dict[str, BackOf] = {}
        self._reworded: dict[str, set[bytes]] = {}  # ids
        self.left: list[BackOf] = []

    def facts(self) -> None:
        """Take out the facts whose marks say this origin; what was typed by hand has none."""
        # Late, as below: a plain `undo` reads the declaration of this operation, and no facts.
        from holdfast.facts.facts_book import fact_note_paths
        from holdfast.facts.origin_removal import without_facts

        if self._scope.origin is Origin.OUTSIDE:
            return
        notes = {path: self._current_bytes(path) for path in fact_note_paths(self._ctx) if self._readable(path)}
        words: Callable[[], dict[str, set[str]]] = cache(self._words)
        remaining = without_facts(notes, lambda fact: self._is_unwanted(fact, words))
        for path, data in remaining.changes.items():
            gone = sum(fact.path == path for fact in remaining.gone)
            back = sum(fact.path == path for fact in remaining.again)
            self._becomes(path, data, gone, back, 0)

    def _is_unwanted(self, fact: Fact, words: Callable[[], dict[str, set[str]]]) -> bool:
        """Say whether a fact is to go; one that somebody has reworded since is theirs, and stays."""
        if fact.origin is not self._scope.origin or not self._scope.on(fact.observed):
            return False
        # Where no checkpoint tells what the origin wrote, the mark decides alone.
        if fact.text in words().get(fact.id, {fact.text}):
            return True
        self._becomes(fact.path, self._current_bytes(fact.path), 0, 0, 1)
        self._reworded.setdefault(fact.path, set()).add(fact.id.encode())
        return False

    def _words(self) -> dict[str, set[str]]:
        """Return what this origin made facts say, by their ids; in all the time that there are checkpoints of."""
        from holdfast.facts.origin_removal import words_added

        words_by_id: dict[str, set[str]] = {}
        of_facts = (run for path, runs in self._runs(always=True).items() if category_of(path) for run in runs)
        for run in of_facts:
            with suppress(*_UNREADABLE):  # then the mark decides, as where there is no checkpoint
                before = stored_bytes(self._store, run.first, run.before)
                for fact_id, words in words_added(before, stored_bytes(self._store, run.last, run.after)).items():
                    words_by_id.setdefault(fact_id, set()).update(words)
        return words_by_id

    def memory(self) -> None:
        """Take out the lines that dreaming, or an approval, brought into MEMORY.md from this origin."""
        from holdfast.dreaming.memory_lines import own_lines, with_changes
        from holdfast.facts.facts_book import today

        path = self._ctx.workspace.spot(writable_path("MEMORY.md")).path
        if self._is_owners(path) or not self._readable(path):
            return
        data = self._current_bytes(path)
        marks = {line.id: line.claim.mark for line in own_lines(data)}
        ids = {
            fact_id
            for fact_id, mark in marks.items()
            if mark is not None and mark.origin is self._scope.origin and self._scope.on(mark.observed)
        }
        if ids:
            self._becomes(path, with_changes(data, today(self._ctx), removed=ids), len(ids), 0, 0)

    def lines(self) -> None:
        """Reverse, note by note and the newest first, what the checkpoints tell of."""
        if self._scope.origin is not Origin.OUTSIDE:
            for path, runs in self._runs().items():
                self._try_note(path, lambda path=path, runs=runs: self._reverse(path, runs))  # type: ignore[misc]
            return
        between, last, unsure = outside_edits(self._store, self._scope.at)
        for path, change in last.items():
            self._try_note(
                path,
                lambda path=path, change=change: self._reverse_outside(path, change, between.get(path, [])),  # type: ignore[misc]
            )
        reason = "it was edited outside, but nobody knows when; an earlier --since takes that back too"
        self.left += [BackOf(path, because=reason) for path in dict.fromkeys(unsure)]
        self._whole_notes(set(last))

    def _reverse(self, path: str, runs: list[Run]) -> None:
        from holdfast.facts.origin_removal import added_below, is_gone

        for run in runs:
            before = self._stored_note(path, run.first, run.before)
            after = self._stored_note(path, run.last, run.after)
            # The marks have seen to it; comparing each of thousands of versions would take minutes.
            if category_of(path) is not None and is_gone(added_below(before, after), self._current_bytes(path)):
                continue
            reversal = _revert_kindly(self._current_bytes(path), before, after)
            self._becomes(path, reversal.data, reversal.gone, reversal.back, reversal.kept)

    def _stored_note(self, path: str, change: Change, bytes_hash: str | None) -> bytes | None:
        """Return a note as it was, without the facts that stay: neither their words nor their marks are reversed."""
        data, theirs = stored_bytes(self._store, change, bytes_hash), self._reworded.get(path)
        if not theirs or data is None:
            return data
        return b"".join(line for line in data.splitlines(keepends=True) if _id_in(line) not in theirs)

    def _runs(self, *, always: bool = False) -> dict[str, list[Run]]:
        return runs_by_note(self._store, self._scope.origin, (lambda _: True) if always else self._scope.at)

    def _reverse_outside(self, path: str, last: Change, runs: list[Run]) -> None:
        held = self._current_bytes(path)
        outside = self._now[path]  # and not what the marks have made of it by now
        if digest_of(outside) != last.after and self._scope.at(self._changed_at(path)):
            reversal = _revert_kindly(held, stored_bytes(self._store, last, last.after), outside)
            self._becomes(path, reversal.data, reversal.gone, reversal.back, reversal.kept)
        self._reverse(path, runs)

    def _whole_notes(self, known: set[str]) -> None:
        """Notes that Holdfast never wrote: there is nothing to go back to."""
        for note in self._ctx.workspace.walk().found:
            if note.source != "memory" or note.path in known or not self._scope.at(note.mtime_ns / 1e9):
                continue
            if self._scope.whole_notes:
                self._try_note(note.path, lambda path=note.path: self._remove(path))  # type: ignore[misc]
            else:
                reason = "no checkpoint knows what it was before; --whole-notes removes it"
                self.left.append(BackOf(note.path, because=reason))

    def _remove(self, path: str) -> None:
        held = self._current_bytes(path) or b""
        self._becomes(path, None, sum(1 for line in held.splitlines() if line.strip()), 0, 0)

    def steps(self) -> list[Step]:
        """Return what is to be written: lines that come back before lines that go, so that a fact is never nowhere."""
        changed = [path for path in self._new if self._new[path] != self._now[path]]
        changed.sort(key=lambda path: (self._counts[path].back == 0, path))
        return [Step(path, self._new[path], digest_of(self._now[path]) or "") for path in changed]

    def changed_notes(self) -> tuple[BackOf, ...]:
        """Return what became of each note that changes, by its path."""
        changed = sorted(path for path in self._new if self._new[path] != self._now[path])
        return tuple(self._counts[path].replace(exists=self._new[path] is not None) for path in changed)

    def untouched(self) -> tuple[BackOf, ...]:
        """Notes that are left as they are, and why."""
        reason = "somebody has edited since what came from there"
        same = (path for path, count in self._counts.items() if count.kept and self._new[path] == self._now[path])
        return (*self.left, *(self._counts[path].replace(because=reason) for path in sorted(same)))

    def _current_bytes(self, path: str) -> bytes | None:
        if path not in self._now:
            try:
                self._now[path] = self._ctx.workspace.read(path).data
            except NoteNotFound:
                self._now[path] = None
            self._new[path] = self._now[path]
        return self._new[path]

    def _changed_at(self, path: str) -> float:
        try:
            return self._ctx.workspace.read(path).mtime_ns / 1e9
        except NoteNotFound:  # removed outside, at a time that is not known: as if it were now
            return self._ctx.clock.now()

    def _is_owners(self, path: str) -> bool:
        """Say whether a note is left out because only the owner takes changes of it back; says so once."""
        if not asks_owner(self._ctx) or not (readable_path(path).is_prompt_memory or path == INBOX):
            return False
        if all(left.path != path for left in self.left):
            self.left.append(BackOf(path, because="only the owner takes changes of it back"))
        return True

    def _becomes(self, path: str, data: bytes | None, gone: int, back: int, kept: int) -> None:
        note_to_change(self._ctx.workspace, path)  # the owner's folders are nobody else's
        held = self._counts.get(path, BackOf(path))
        self._counts[path] = held.replace(gone=held.gone + gone, back=held.back + back, kept=held.kept + kept)
        self._new[path] = data

    def _readable(self, path: str) -> bool:
        try:
            decode(self._current_bytes(path) or b"")
        except _UNREADABLE as error:
            self.left.append(BackOf(path, because=str(error)))
            return False
        return True

    def _try_note(self, path: str, work: Callable[[], None]) -> None:
        """One note that is damaged, or not ours to write, must not keep the others from being cleared."""
        if self._is_owners(path):
            return
        held = self._new.get(path)
        try:
            work()
        except _UNREADABLE as error:
            if path in self._new:
                self._new[path] = held
            self.left.append(BackOf(path, because=str(error)))


def _revert_kindly(now: bytes | None, before: bytes | None, after: bytes | None) -> Reversal:
    """Revert a change, unless somebody removed its note since or made another: among many, theirs is the last word."""
    if now is None and after is not None:
        return Reversal(None)
    if after is None and now is not None:
        return Reversal(now, kept=len((before or b"").splitlines()))
    return revert_change(now, before, after)


def _index_changes(ctx: Context, changes: list[Change]) -> str:
    if len(changes) > _ONE_BY_ONE:
        from holdfast.operations.exchange_export import index_once

        return index_once(ctx)
    return ctx.notes_changed(changes)


def _day(moment: float) -> date | None:
    try:
        return datetime.fromtimestamp(moment, UTC).astimezone().date()
    except (ValueError, OverflowError, OSError):
        return None


def _id_in(line: bytes) -> bytes:
    match = _ID.search(line)
    return match[1] if match else b""
