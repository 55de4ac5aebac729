"""A tenant's notes ↔ a directory, byte for byte: as with an editor, nothing is overwritten that nobody has seen.

What both sides had last is remembered by hashes (state/sync.json of the directory). A note that changed on one side is
taken over by the other; one that changed on both stays as it is on both until its owner chooses.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from holdfast.checkpoints.change import Authorship, change_unrecorded
from holdfast.checkpoints.note_change import change_note
from holdfast.errors import BadArgument, DatabaseAway, HoldfastError, NotConfirmed, NoteChangedOutside, NoteNotFound
from holdfast.guard.origin import Origin
from holdfast.guard.paths import NotePath
from holdfast.value import Value

if TYPE_CHECKING:
    from holdfast.clock import Clock
    from holdfast.notes.file_workspace import FileWorkspace
    from holdfast.postgres.postgres_workspace import PostgresWorkspace

__all__ = ["DirectorySync", "Keep", "SyncPass", "conflict_hints"]

_MANIFEST: Final = "state/sync.json"
_LOCK: Final = ".sync.lock"
_WAIT: Final = 30.0  # seconds; another agent's list takes some milliseconds to be written
_FEW: Final = 1  # notes that may go without anybody's word; more only where they are at most half


class Keep(StrEnum):
    """Says which side's bytes hold where both changed."""

    NEITHER = "neither"
    MINE = "mine"
    THEIRS = "theirs"


class SyncPass(Value):
    """Holds what one pass did: paths written and removed in the directory, saved and removed in the database."""

    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    saved: tuple[str, ...] = ()
    removed_there: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    """Those that changed on both sides."""
    asides: tuple[tuple[str, str], ...] = ()
    """Where in the directory the database's bytes of such a note are; of one that was deleted there are none."""
    refused: tuple[tuple[str, str], ...] = ()
    """Those that could not be taken over now, and why."""

    @property
    def is_idle(self) -> bool:
        """True if nothing was to do, apart from what waits for its owner."""
        return not (self.written or self.removed or self.saved or self.removed_there or self.refused)


class DirectorySync:
    """The notes of one agent of a tenant, and a directory with the same tree as a home."""

    def __init__(self, remote: PostgresWorkspace, local: FileWorkspace, clock: Clock) -> None:
        self._remote, self._local, self._clock = remote, local, clock
        self._read: dict[str, tuple[tuple[int, int, int], str]] = {}

    def run(self, *, keep: Keep = Keep.NEITHER, many: bool = False) -> SyncPass:
        """Bring both sides together once; `many` says that more than half of the notes may be removed."""
        base, (here, skipped), there = self._base(), self._here(), self._remote.hashes()
        if not many:
            _refuse_many(base, here | skipped, "the directory", "the database")
            _refuse_many(base, there, "the database", "the directory")
        outcomes: dict[str, list[Any]] = {name: [] for name in SyncPass.fields}
        # What is no note there now, such as a link or a file that is too large, is not gone: both sides stay.
        outcomes["refused"] += sorted(skipped.items())
        for path in sorted({*base, *here, *there} - skipped.keys()):
            known, mine, theirs = base.get(path, ""), here.get(path, ""), there.get(path, "")
            try:
                what, held = self._settle(path, known, mine, theirs, keep)
            except (NoteChangedOutside, NoteNotFound):
                continue  # it changes just now: the next pass sees what it has become
            except DatabaseAway:
                self._store(base)  # what was done until now is known to both sides
                raise
            except HoldfastError as error:
                outcomes["refused"].append((path, str(error)))
                continue
            if what:
                outcomes[what].append(path)
            if what == "conflicts" and theirs:
                outcomes["asides"].append((path, _conflict_path(path, theirs)))
            if held:
                base[path] = held
            else:
                base.pop(path, None)
        self._store(base)
        return SyncPass(**{name: tuple(paths) for name, paths in outcomes.items()})

    def _settle(self, path: str, known: str, mine: str, theirs: str, keep: Keep) -> tuple[str, str]:
        """Do what one path needs; return what that was, and the hash that both sides have from now on."""
        if mine == theirs:
            return "", mine
        if mine == known or (theirs != known and keep is Keep.THEIRS):
            if theirs:
                change_unrecorded(self._local, NotePath(path), self._their_bytes(path, theirs), expected_hash=mine)
                return "written", theirs
            change_unrecorded(self._local, NotePath(path), None, expected_hash=mine)
            return "removed", ""
        if theirs == known or keep is Keep.MINE:
            data = self._local.read(NotePath(path)).data if mine else None
            if data is not None and hashlib.sha256(data).hexdigest() != mine:
                raise NoteChangedOutside(path, mine, "")
            change_note(
                self._remote,
                NotePath(path),
                lambda _: data,
                Authorship(Origin.OUTSIDE, "sync", self._clock, "edited in a directory"),
                expected_hash=theirs,
            )
            return ("saved", mine) if mine else ("removed_there", "")
        if theirs:
            self._local.replace_file(_conflict_path(path, theirs), self._their_bytes(path, theirs))
        return "conflicts", known

    def _their_bytes(self, path: str, expected: str) -> bytes:
        note = self._remote.read(NotePath(path))
        if note.hash != expected:
            raise NoteChangedOutside(path, expected, note.hash)
        return note.data

    def _here(self) -> tuple[dict[str, str], dict[str, str]]:
        """Return the hashes of the notes in the directory, and why other files there are none.

        A file that looks as it did is not read again.
        """
        found: dict[str, str] = {}
        walk = self._local.walk()
        with self._local.reader() as read:
            for note in walk.found:
                if note.source != "memory":
                    continue
                look = (note.size, note.mtime_ns, note.ctime_ns)
                seen = self._read.get(note.path)
                if seen is None or seen[0] != look:
                    try:
                        held = read(note)
                    except NoteNotFound:
                        continue
                    seen = (look if held.settled else (-1, 0, 0)), held.hash
                    self._read[note.path] = seen
                found[note.path] = seen[1]
        return found, {skipped.path: skipped.why for skipped in walk.skipped}

    def _base(self) -> dict[str, str]:
        data = self._local.read_file(_MANIFEST)
        if data is None:
            return {}
        try:
            held = json.loads(data)
            whose, notes = held["tenant"], dict(held["notes"].get(self._remote.agent, {}))
        except (ValueError, TypeError, KeyError, AttributeError):
            whose, notes = self._remote.tenant, {}  # without it nothing is lost: what differs is a conflict
        if whose != self._remote.tenant:
            raise BadArgument("DIR", f"it is the directory of the tenant {whose!r}; choose another")
        return {str(path): str(digest) for path, digest in notes.items()}

    def _store(self, base: dict[str, str]) -> None:
        """Write down what both sides have, beside what other agents' do, each of which may be synced by now."""
        with self._local.named_lock(_LOCK, _MANIFEST, _WAIT):
            before = self._local.read_file(_MANIFEST)
            try:
                others = json.loads(before or b"{}").get("notes", {})
            except (ValueError, AttributeError):
                others = {}
            held = {"tenant": self._remote.tenant, "notes": {**others, self._remote.agent: base}}
            data = json.dumps(held, indent=0, sort_keys=True).encode()
            if before != data:
                self._local.replace_file(_MANIFEST, data)


def _conflict_path(path: str, theirs: str) -> str:
    """Return where the database's bytes of a note are put that both sides changed."""
    name = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in path.lower())
    return f"state/theirs/{theirs[:8]}-{name[-80:].strip('-')}.md"


def _refuse_many(base: dict[str, str], held: dict[str, str], gone_from: str, also_from: str) -> None:
    """Raise where most notes are gone from a side: a directory may be on a disk that is not there today."""
    gone = [path for path in base if path not in held]
    if len(gone) > _FEW and 2 * len(gone) > len(base):
        why = f"{len(gone):,} of {len(base):,} notes are gone from {gone_from}, and would go from {also_from} too"
        raise NotConfirmed("changed", why)


def conflict_hints(done: SyncPass) -> Iterator[str]:
    """Yield what their owner may do about notes that changed on both sides."""
    asides = dict(done.asides)
    for path in done.conflicts:
        if path in asides:
            yield f"{path} changed on both sides; theirs is {asides[path]}. Mend it, then --keep mine or theirs."
        else:
            yield f"{path} was changed on one side and deleted on the other; --keep mine or theirs says which holds."
