"""The workspace: an open home, seen by one agent. The only door to files."""

from __future__ import annotations

import os
import posixpath
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from copy import copy
from types import TracebackType
from typing import Self

from holdfast.errors import BadPath, Busy, HoldfastError, NoteChangedOutside, NoteNotFound, StorageFailed
from holdfast.guard.paths import NotePath, agent_id, readable
from holdfast.guard.text_rules import MAX_NOTE_BYTES
from holdfast.guard.write_gate import OWNER, WriteGate
from holdfast.notes.atomic_write import (
    NewFile,
    ensure,
    new_mode,
    put,
    refuse_twin,
    refuse_twins,
    sweep,
    sync_directory,
    take_away,
    written_temps,
)
from holdfast.notes.disk import Disk
from holdfast.notes.home import open_home
from holdfast.notes.layout import MAIN, Spot, extra_roots, find_spot, find_under, root_parts
from holdfast.notes.lock_file import held
from holdfast.notes.note import Found, Note, Walk, found_at
from holdfast.notes.safe_open import DIRECTORY, Contents, again, directory, failing, read_whole, shut
from holdfast.notes.walk import walk

__all__ = ["Workspace"]

_FILE_LOCK = ".files.lock"  # no agent's id starts with a dot
_OWN_FILE = re.compile(r"holdfast\.toml|USER\.md|state(?:/[a-z0-9_][a-z0-9_.-]*)+", re.ASCII)
_MAX_OWN_FILE = 64 * 1024 * 1024


class _Handle:
    """What all views of one open workspace share: the home's descriptor, and the thread that holds the lock."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.holder: int | None = None


class Workspace:
    """An open home, seen by one agent. Close it, or use it in a `with`."""

    def __init__(self, home: str, agent: str, extras: tuple[str, ...], disk: Disk, fd: int) -> None:
        self.home, self.agent, self.disk = home, agent, disk
        self.state = f"{home}/state"
        self.extras = extras
        self.gate = OWNER
        """Which notes whoever holds this may change; the room checkpoints asks it before every change."""
        self.reads_media = False
        """Whether a walk looks for images too."""
        self._handle = _Handle(fd)

    @classmethod
    def open(
        cls,
        home: str | os.PathLike[str],
        agent: str = "main",
        *,
        extra_paths: Sequence[str] = (),
        disk: Disk | None = None,
    ) -> Workspace:
        """Open a home, make what is missing of it, and sweep temps that a dead writer left."""
        agent_id(agent)
        disk = disk or Disk()
        place = posixpath.normpath(posixpath.join(os.getcwd(), os.fspath(home)))
        extras = extra_roots(extra_paths, posixpath.join(place, *root_parts(agent)))
        fd = open_home(disk, place)
        workspace = cls(place, agent, extras, disk, fd)
        try:
            workspace._sweep()
        except BaseException:
            workspace.close()
            raise
        return workspace

    @property
    def home_fd(self) -> int:
        """The open directory of the home; -1 once it is closed."""
        return self._handle.fd

    def behind(self, gate: WriteGate) -> Workspace:
        """The same open workspace for somebody who may change only what this gate allows."""
        other = copy(self)
        other.gate = gate
        return other

    def beside(self, extras: Sequence[str]) -> Workspace:
        """The same open workspace with other extra paths, to read below them."""
        other = copy(self)
        other.extras = tuple(extras)
        return other

    def close(self) -> None:
        """Let go of the home; safe to call twice."""
        fd, self._handle.fd = self._handle.fd, -1
        if fd >= 0:
            shut(self.disk, fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Reading

    def spot(self, path: NotePath) -> Spot:
        """Where a note lies; its `path` is memory.md when that stands in for MEMORY.md."""
        return find_spot(self.disk, self.home_fd, self.agent, readable(path.text))

    def read(self, path: NotePath | str) -> Note:
        """Read a note whole: a path in the workspace, or an absolute path below an extra path."""
        text = path.text if isinstance(path, NotePath) else path
        with self._door(path) as (fd, name):
            return _note(text, read_whole(self.disk, fd, name, text, MAX_NOTE_BYTES))

    def exists(self, path: NotePath | str) -> bool:
        """Whether anything stands at a note's path."""
        try:
            with self._door(path) as (fd, name), failing(name, "look at", missing=True):
                again(self.disk.lstat, name, dir_fd=fd)
        except NoteNotFound:
            return False
        return True

    def notes_in(self, folder: str, wanted: Callable[[str], object]) -> list[Found]:
        """The notes of a folder whose paths are wanted, in no order: a walk through the whole home for a few takes
        long."""
        found: list[Found] = []
        with suppress(FileNotFoundError):
            parts = (*root_parts(self.agent), folder)
            with directory(self.disk, self.home_fd, parts, folder) as fd, failing(folder, "list"):
                for name in again(self.disk.names, fd):
                    if wanted(path := f"{folder}/{name}"):
                        with suppress(FileNotFoundError):
                            found.append(found_at(path, again(self.disk.lstat, name, dir_fd=fd)))
        return found

    @contextmanager
    def reader(self) -> Iterator[Callable[[Found | NotePath], Note]]:
        """Read many notes, that a walk found or by their paths; the directory of the last one stays open for the next.

        What a walk found it has looked at; by a path, there may be anything.
        """
        kept, kept_fd = "", -1

        def read(note: Found | NotePath) -> Note:
            nonlocal kept, kept_fd
            path = readable(note.text).text if isinstance(note, NotePath) else note.path
            above, _, name = path.rpartition("/")
            if not above:
                return self.read(path)
            if above != kept or kept_fd < 0:
                if kept_fd >= 0:
                    shut(self.disk, kept_fd)
                    kept_fd = -1
                with self._door(path) as (fd, _), failing(path, "open"):
                    kept_fd = again(self.disk.open, ".", DIRECTORY, dir_fd=fd)
                kept = above
            look_first = isinstance(note, NotePath)
            try:
                contents = read_whole(self.disk, kept_fd, name, path, MAX_NOTE_BYTES, look_first=look_first)
            except FileNotFoundError:
                raise NoteNotFound(path) from None
            return _note(path, contents)

        try:
            yield read
        finally:
            if kept_fd >= 0:
                shut(self.disk, kept_fd)

    def walk(self) -> Walk:
        """Find every note, and say of each file that was left out why."""
        return walk(self.disk, self.home_fd, self.home, self.agent, self.extras, media=self.reads_media)

    def read_medium(self, found: Found, most: int) -> Note:
        """Read an image that a walk found, whole, if it has no more than so many bytes."""
        if found.path.startswith("/"):
            root = next(extra for extra in self.extras if found.path.startswith(f"{extra}/"))
            top, parts = root, found.path[len(root) + 1 :].split("/")
        else:
            top, parts = "", [*root_parts(self.agent), *found.path.split("/")]
        *above, name = parts
        with failing(found.path, "open"):
            start = again(self.disk.open, top, DIRECTORY) if top else self.home_fd
        try:
            with directory(self.disk, start, above, found.path) as fd:
                return _note(found.path, read_whole(self.disk, fd, name, found.path, most))
        except FileNotFoundError:
            raise NoteNotFound(found.path) from None
        finally:
            if top:
                shut(self.disk, start)

    # Writing: notes only through the room checkpoints

    @contextmanager
    def lock(self, timeout: float = 30.0) -> Iterator[None]:
        """Be the only writer of this agent's notes, in any process or thread; Busy after `timeout` seconds."""
        me = threading.get_ident()
        what = f"the workspace of agent {self.agent}"
        if self._handle.holder == me:
            raise Busy(what, 0.0)
        with self._held(f"{self.agent}.lock", what, timeout):
            self._handle.holder = me
            try:
                yield
            finally:
                self._handle.holder = None

    def sweep_beside(self, path: str) -> None:
        """Remove temps of a dead writer beside a note, in whatever folder; the caller holds the lock."""
        with suppress(FileNotFoundError, HoldfastError):
            spot = self.spot(readable(path))
            with directory(self.disk, self.home_fd, spot.parts, spot.path) as fd:
                sweep(self.disk, fd, notes=True)

    def refuse_unsafe(self, path: NotePath) -> None:
        """Raise if a note can't be written at this path because of what is on disk: a twin, a link, a device."""
        spot = self.spot(path)
        try:
            with directory(self.disk, self.home_fd, spot.parts, spot.path) as fd:
                refuse_twin(self.disk, fd, spot.name, spot.path)
        except FileNotFoundError:
            return

    def replace(self, path: NotePath, data: bytes, *, expected_hash: str | None = None) -> None:
        """Put new bytes in place of a note, at once and durably, if it still has the expected hash."""
        spot = self.spot(path)
        with self._made(spot.parts, spot.path) as fd:
            refuse_twin(self.disk, fd, spot.name, spot.path)
            put(self.disk, fd, spot.name, data, spot.path, last_look=self._look(fd, spot, expected_hash))

    @contextmanager
    def replacement(self, notes: Sequence[tuple[NotePath, bytes | None, str]]) -> Iterator[Callable[[], None]]:
        """Get new bytes of many notes ready on the disk (None: the note goes), each with the hash that it must have.

        The function that is given puts them in place, in their order, each with a last look; only then they are seen.
        """
        spots = [(self.spot(path), data, expected) for path, data, expected in notes]
        with ExitStack() as opened:
            folders: dict[tuple[str, ...], int] = {}
            for spot, _, _ in spots:
                if spot.parts not in folders:
                    folders[spot.parts] = opened.enter_context(self._made(spot.parts, spot.path))
            temps: dict[str, str] = {}
            for parts, fd in folders.items():
                files = [
                    NewFile(spot.name, data, spot.path, new_mode(self.disk, fd, spot.name, spot.path))
                    for spot, data, _ in spots
                    if spot.parts == parts and data is not None
                ]
                refuse_twins(self.disk, fd, {file.name: file.shown for file in files})
                made = opened.enter_context(written_temps(self.disk, fd, files))
                temps.update(zip((file.shown for file in files), made, strict=True))

            def put_in_place() -> None:
                for spot, data, expected in spots:
                    fd, look = folders[spot.parts], self._look(folders[spot.parts], spot, expected)
                    if data is None:
                        take_away(self.disk, fd, spot.name, spot.path, look, sync=False)
                        continue
                    if look is not None:
                        look()
                    with failing(spot.path, "write"):
                        again(self.disk.rename, temps[spot.path], spot.name, src_dir_fd=fd, dst_dir_fd=fd)
                for parts, fd in folders.items():
                    sync_directory(self.disk, fd, "/".join(parts))

            yield put_in_place

    def remove(self, path: NotePath, *, expected_hash: str | None = None) -> None:
        """Remove a note durably, if it still has the expected hash."""
        spot = self.spot(path)
        try:
            with directory(self.disk, self.home_fd, spot.parts, spot.path) as fd:
                take_away(self.disk, fd, spot.name, spot.path, self._look(fd, spot, expected_hash))
        except FileNotFoundError:
            if expected_hash:
                raise NoteChangedOutside(spot.path, expected_hash, "") from None
            raise NoteNotFound(spot.path) from None

    def read_file(self, name: str, most: int = _MAX_OWN_FILE) -> bytes | None:
        """The bytes of holdfast.toml, of this agent's, of USER.md or of a file in state/; None when there is none."""
        *above, last = _own_parts(name, self.agent)
        try:
            with directory(self.disk, self.home_fd, above, name) as fd:
                return read_whole(self.disk, fd, last, name, most).data
        except FileNotFoundError:
            return None

    def replace_file(self, name: str, data: bytes | None, *, expected_hash: str | None = None) -> None:
        """Put new bytes in place of such a file, at once and durably; None removes."""
        *above, last = _own_parts(name, self.agent)
        with self._held(_FILE_LOCK, name, 30.0), self._made(above, name) as fd:
            look = self._look(fd, Spot(tuple(above), last, name), expected_hash)
            if data is not None:
                put(self.disk, fd, last, data, name, last_look=look)
                return
            with suppress(FileNotFoundError):
                take_away(self.disk, fd, last, name, look)

    def state_folder(self, *names: str) -> str:
        """Make a folder in state/ where there is none, readable only by the owner, and give its path."""
        shown = "/".join(("state", *names))
        with self._made(("state", *names), shown):
            return f"{self.home}/{shown}"

    @contextmanager
    def only_one(self, job: str) -> Iterator[None]:
        """Be the only one that does a job for this agent, without keeping others from writing; Busy at once if not."""
        with self._held(f".{job}.{self.agent}.lock", f"{job} of agent {self.agent}", 0.0):
            yield

    @contextmanager
    def home_lock(self) -> Iterator[None]:
        """Be the only writer of USER.md and holdfast.toml, which all agents share.

        Whoever sweeps the home's temps waits as well.
        """
        own = self.lock() if self.agent == MAIN else self._held(f"{MAIN}.lock", "the files of the home", 30.0)
        with own:
            yield

    # Inside

    @contextmanager
    def _door(self, path: NotePath | str) -> Iterator[tuple[int, str]]:
        """The open directory of a note and its name there; what is missing on the way in becomes NoteNotFound."""
        text = path.text if isinstance(path, NotePath) else path
        try:
            if isinstance(path, str) and path.startswith("/"):
                root, between, name = find_under(self.extras, path)
                follow = os.O_NOFOLLOW if root in self.extras else 0
                with failing(path, "open", missing=True):
                    top = again(self.disk.open, root, (DIRECTORY & ~os.O_NOFOLLOW) | follow)
                try:
                    with directory(self.disk, top, between, path) as fd:
                        yield fd, name
                finally:
                    shut(self.disk, top)
            else:
                spot = self.spot(readable(text))
                with directory(self.disk, self.home_fd, spot.parts, text) as fd:
                    yield fd, spot.name
        except FileNotFoundError:
            raise NoteNotFound(text) from None

    @contextmanager
    def _made(self, parts: Sequence[str], shown: str) -> Iterator[int]:
        fd = ensure(self.disk, self.home_fd, parts, shown)
        try:
            yield fd
        finally:
            if fd != self.home_fd:
                shut(self.disk, fd)

    @contextmanager
    def _held(self, name: str, what: str, timeout: float) -> Iterator[None]:
        with self._made(("state", "locks"), what) as locks, held(self.disk, locks, name, what, timeout):
            yield

    def _look(self, fd: int, spot: Spot, expected: str | None) -> Callable[[], None] | None:
        """The last look before a note goes: an editor knows nothing of our lock (P4)."""
        if expected is None:
            return None

        def look() -> None:
            try:
                contents = read_whole(self.disk, fd, spot.name, spot.path, MAX_NOTE_BYTES)
                found = _digest(contents.data)
            except FileNotFoundError:
                found = ""
            if found != expected:
                raise NoteChangedOutside(spot.path, expected, found)

        return look

    def _sweep(self) -> None:
        """Remove temps of dead writers; whoever holds a lock may still need theirs, so then they stay."""
        root = root_parts(self.agent)
        below = [(*root, "memory", name) for name in ("sessions", "imports")]
        notes = (root, (*root, "memory"), *below, ("agents", self.agent))
        ours = (*notes, ("state", "checkpoints", self.agent))
        for lock, places in ((f"{self.agent}.lock", ours), (_FILE_LOCK, ((), ("state",), ("agents", self.agent)))):
            if not any(map(self._is_there, places)):
                continue  # an agent that has nothing yet: a look at it leaves no lock behind
            # A home that can't be written to can still be read; whoever writes will be told.
            with suppress(Busy, StorageFailed), self._held(lock, "the home", 0.0):
                for parts in dict.fromkeys(places):
                    with (
                        suppress(FileNotFoundError, HoldfastError),
                        directory(self.disk, self.home_fd, parts, "the sweep") as fd,
                    ):
                        # The home holds temps of both locks: of MEMORY.md and of holdfast.toml.
                        sweep(self.disk, fd, notes=places is ours and "checkpoints" not in parts)

    def _is_there(self, parts: tuple[str, ...]) -> bool:
        try:
            with directory(self.disk, self.home_fd, parts, "the sweep"):
                return True
        except (FileNotFoundError, HoldfastError):
            return False


def _digest(data: bytes) -> str:
    from hashlib import sha256  # not above: it loads OpenSSL, and a search that finds nothing changed hashes nothing

    return sha256(data).hexdigest()


def _note(path: str, contents: Contents) -> Note:
    status = contents.status
    return Note(
        path,
        contents.data,
        _digest(contents.data),
        len(contents.data),
        status.st_mtime_ns,
        status.st_ctime_ns,
        status.st_ino,
        contents.settled,
    )


def _own_parts(name: str, agent: str) -> list[str]:
    if not _OWN_FILE.fullmatch(name) and name != f"agents/{agent}/holdfast.toml":
        raise BadPath(name, "it is not holdfast.toml, USER.md or a file in state/")
    return name.split("/")
