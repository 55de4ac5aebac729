"""The workspace in files: an open home, seen by one agent. The only door to files."""

from __future__ import annotations

import os
import posixpath
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from copy import copy
from types import TracebackType
from typing import TYPE_CHECKING, Self

from holdfast.errors import BadPath, Busy, HoldfastError, NoteChangedOutside, NoteNotFound, StorageFailed
from holdfast.guard.paths import NotePath, agent_id, readable_path
from holdfast.guard.text_rules import MAX_NOTE_BYTES
from holdfast.guard.write_gate import OWNER, WriteGate
from holdfast.notes.atomic_write import (
    MAX_OPEN_FILES,
    NewFile,
    ensure_directory,
    new_mode,
    refuse_twin,
    refuse_twins,
    remove_file,
    sweep_temps,
    sync_directory,
    write_file,
    write_temps,
)
from holdfast.notes.disk import Disk
from holdfast.notes.home import open_home
from holdfast.notes.layout import MAIN, Spot, extra_roots, find_spot, root_parts, split_extra_path
from holdfast.notes.lock_file import hold_lock
from holdfast.notes.note import Note, NoteFile, NotePart, Walk, note_file
from holdfast.notes.safe_open import DIRECTORY, Contents, close_quietly, directory, read_whole, retry, storage_errors
from holdfast.notes.walk import walk
from holdfast.pattern import compile_late

if TYPE_CHECKING:
    from holdfast.notes.byte_scan import BytePattern
    from holdfast.notes.file_log import FileLog
    from holdfast.progress import Progress

__all__ = ["FileWorkspace", "own_parts"]

_FILE_LOCK = ".files.lock"  # no agent's id starts with a dot
_OWN_FILE = compile_late(r"holdfast\.toml|USER\.md|state(?:/[a-z0-9_][a-z0-9_.-]*)+", re.ASCII)
_TICK_NS = 20_000_000  # the times of files may lag so far behind the clock
_MAX_OWN_FILE_BYTES = 64 * 1024 * 1024


class _Handle:
    """State shared by all views of an open workspace.

    It is the home's descriptor, and the thread that holds the lock.
    """

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.holder: int | None = None


class FileWorkspace:
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
    ) -> FileWorkspace:
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

    def with_gate(self, gate: WriteGate) -> FileWorkspace:
        """Return the same open workspace for somebody who may change only what this gate allows."""
        other = copy(self)
        other.gate = gate
        return other

    def beside(self, extras: Sequence[str]) -> FileWorkspace:
        """The same open workspace with other extra paths, to read below them."""
        other = copy(self)
        other.extras = tuple(extras)
        return other

    @property
    def local(self) -> FileWorkspace:
        """This one: what is derived from the notes lies beside them."""
        return self

    def reopen(self) -> FileWorkspace:
        """Open the same home once more, for who closes it by themselves."""
        return FileWorkspace.open(self.home, self.agent, extra_paths=self.extras)

    def close(self) -> None:
        """Let go of the home; safe to call twice."""
        fd, self._handle.fd = self._handle.fd, -1
        if fd >= 0:
            close_quietly(self.disk, fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Reading

    def spot(self, path: NotePath) -> Spot:
        """Return where a note lies.

        Its `path` is memory.md when that stands in for MEMORY.md.
        """
        return find_spot(self.disk, self.home_fd, self.agent, readable_path(path.text))

    def read(self, path: NotePath | str) -> Note:
        """Read a note whole: a path in the workspace, or an absolute path below an extra path."""
        if isinstance(path, NotePath):
            text = path.text
        else:
            text = path
        with self._open_parent(path) as (fd, name):
            return _note(text, read_whole(self.disk, fd, name, text, MAX_NOTE_BYTES))

    def read_part(self, path: NotePath, most: int, *, end: bool = False) -> NotePart:
        """Return the first bytes of a note, or with `end` the last; NoteNotFound when there is none."""
        from holdfast.notes.partial_read import read_part

        return read_part(self, path, most, end=end)

    def exists(self, path: NotePath | str) -> bool:
        """Say whether anything stands at a note's path."""
        try:
            with self._open_parent(path) as (fd, name), storage_errors(name, "look at", missing=True):
                retry(self.disk.lstat, name, dir_fd=fd)
        except NoteNotFound:
            return False
        return True

    def notes_in(self, folder: str, wanted: Callable[[str], object]) -> list[NoteFile]:
        """Return the notes of a folder whose paths are wanted, in no order.

        A walk through the whole home takes long for a few notes.
        """
        files: list[NoteFile] = []
        with suppress(FileNotFoundError):
            parts = (*root_parts(self.agent), folder)
            with directory(self.disk, self.home_fd, parts, folder) as fd, storage_errors(folder, "list"):
                for name in retry(self.disk.names, fd):
                    if wanted(path := f"{folder}/{name}"):
                        with suppress(FileNotFoundError):
                            files.append(note_file(path, retry(self.disk.lstat, name, dir_fd=fd)))
        return files

    @contextmanager
    def reader(self) -> Iterator[Callable[[NoteFile | NotePath], Note]]:
        """Return a function that reads many notes, from a walk or by their paths.

        The directory of the last one stays open for the next.

        The walk has looked at the files that it found; at any other path there may be anything.
        """
        kept, kept_fd = "", -1

        def read(note: NoteFile | NotePath) -> Note:
            nonlocal kept, kept_fd
            if isinstance(note, NotePath):
                path = readable_path(note.text).text
            else:
                path = note.path
            above, _, name = path.rpartition("/")
            if not above:
                return self.read(path)
            if above != kept or kept_fd < 0:
                if kept_fd >= 0:
                    close_quietly(self.disk, kept_fd)
                    kept_fd = -1
                with self._open_parent(path) as (fd, _), storage_errors(path, "open"):
                    kept_fd = retry(self.disk.open, ".", DIRECTORY, dir_fd=fd)
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
                close_quietly(self.disk, kept_fd)

    def walk(self) -> Walk:
        """Find every note, and say of each file that was left out why."""
        walked = walk(self.disk, self.home_fd, self.home, self.agent, self.extras, media=self.reads_media)
        if walked.temps:
            self._sweep_folders(walked.temps)
        return walked

    def read_medium(self, found: NoteFile, most: int) -> Note:
        """Read an image that a walk found, whole, if it has no more than so many bytes."""
        if found.path.startswith("/"):
            root = next(extra for extra in self.extras if found.path.startswith(f"{extra}/"))
            top, parts = root, found.path[len(root) + 1 :].split("/")
        else:
            top, parts = "", [*root_parts(self.agent), *found.path.split("/")]
        *above, name = parts
        with storage_errors(found.path, "open"):
            if top:
                start = retry(self.disk.open, top, DIRECTORY)
            else:
                start = self.home_fd
        try:
            with directory(self.disk, start, above, found.path) as fd:
                return _note(found.path, read_whole(self.disk, fd, name, found.path, most))
        except FileNotFoundError:
            raise NoteNotFound(found.path) from None
        finally:
            if top:
                close_quietly(self.disk, start)

    def now_ns(self) -> int:
        """Return the time by the clock of the disk."""
        return self.disk.now_ns()

    def moment(self) -> int:
        """Return a time before which no note changes any more, by the times of files."""
        return time.time_ns() - _TICK_NS

    def change_count(self) -> int | None:
        """Return None: an editor changes notes without telling anybody, so only a walk can tell."""
        return None

    def scan(self, patterns: Sequence[BytePattern]) -> list[str]:
        """Return the paths below the home of all files that hold one of these patterns."""
        from holdfast.notes.byte_scan import find_files_with

        return find_files_with(self, patterns)

    # Writing: notes only through the room checkpoints

    @contextmanager
    def lock(self, timeout: float = 30.0) -> Iterator[None]:
        """Be the only writer of this agent's notes, in any process or thread; Busy after `timeout` seconds."""
        me = threading.get_ident()
        what = f"the workspace of agent {self.agent}"
        if self._handle.holder == me:
            raise Busy(what, 0.0)
        with self.named_lock(f"{self.agent}.lock", what, timeout):
            self._handle.holder = me
            try:
                yield
            finally:
                self._handle.holder = None

    def sweep_beside(self, path: str) -> None:
        """Remove temps of a dead writer beside a note, in whatever folder; the caller holds the lock."""
        with suppress(FileNotFoundError, HoldfastError):
            spot = self.spot(readable_path(path))
            with directory(self.disk, self.home_fd, spot.parts, spot.path) as fd:
                sweep_temps(self.disk, fd, notes=True)

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
        with self._ensured_directory(spot.parts, spot.path) as fd:
            refuse_twin(self.disk, fd, spot.name, spot.path)
            write_file(
                self.disk, fd, spot.name, data, spot.path, last_look=self._unchanged_check(fd, spot, expected_hash)
            )

    @contextmanager
    def replacement(
        self, notes: Sequence[tuple[NotePath, bytes | None, str]], progress: Progress | None = None
    ) -> Iterator[Callable[[], None]]:
        """Write new bytes of many notes to the disk, to be put in place together.

        Each comes with the hash that the note must have; None for bytes removes the note.

        The yielded function puts them in place, in their order, each with a last look; only then they are seen.
        """
        spots = [(self.spot(path), data, expected) for path, data, expected in notes]
        with ExitStack() as stack:
            folders: dict[tuple[str, ...], int] = {}
            for spot, _, _ in spots:
                if spot.parts not in folders:
                    folders[spot.parts] = stack.enter_context(self._ensured_directory(spot.parts, spot.path))
            temps: dict[str, str] = {}
            for parts, fd in folders.items():
                files = [
                    NewFile(spot.name, data, spot.path, new_mode(self.disk, fd, spot.name, spot.path))
                    for spot, data, _ in spots
                    if spot.parts == parts and data is not None
                ]
                refuse_twins(self.disk, fd, {file.name: file.shown for file in files})
                for first in range(0, len(files), MAX_OPEN_FILES):
                    some = files[first : first + MAX_OPEN_FILES]
                    written = stack.enter_context(write_temps(self.disk, fd, some))
                    temps.update(zip((file.shown for file in some), written, strict=True))
                    if progress is not None:
                        progress("Writing", len(temps), len(spots))

            def put_in_place() -> None:
                for spot, data, expected in spots:
                    fd, check_unchanged = (
                        folders[spot.parts],
                        self._unchanged_check(folders[spot.parts], spot, expected),
                    )
                    if data is None:
                        remove_file(self.disk, fd, spot.name, spot.path, check_unchanged, sync=False)
                        continue
                    if check_unchanged is not None:
                        check_unchanged()
                    with storage_errors(spot.path, "write"):
                        retry(self.disk.rename, temps[spot.path], spot.name, src_dir_fd=fd, dst_dir_fd=fd)
                for parts, fd in folders.items():
                    sync_directory(self.disk, fd, "/".join(parts))

            yield put_in_place

    def remove(self, path: NotePath, *, expected_hash: str | None = None) -> None:
        """Remove a note durably, if it still has the expected hash."""
        spot = self.spot(path)
        try:
            with directory(self.disk, self.home_fd, spot.parts, spot.path) as fd:
                remove_file(self.disk, fd, spot.name, spot.path, self._unchanged_check(fd, spot, expected_hash))
        except FileNotFoundError:
            if expected_hash:
                raise NoteChangedOutside(spot.path, expected_hash, "") from None
            raise NoteNotFound(spot.path) from None

    def read_file(self, name: str, most: int = _MAX_OWN_FILE_BYTES) -> bytes | None:
        """Return the bytes of a file of the home that is not a note; None when there is none.

        These are holdfast.toml, this agent's own, USER.md and the files in state/.
        """
        *above, last = own_parts(name, self.agent)
        try:
            with directory(self.disk, self.home_fd, above, name) as fd:
                return read_whole(self.disk, fd, last, name, most).data
        except FileNotFoundError:
            return None

    def replace_file(self, name: str, data: bytes | None, *, expected_hash: str | None = None) -> None:
        """Replace such a file at once and durably; None removes it."""
        *above, last = own_parts(name, self.agent)
        with self.named_lock(_FILE_LOCK, name, 30.0), self._ensured_directory(above, name) as fd:
            check_unchanged = self._unchanged_check(fd, Spot(tuple(above), last, name), expected_hash)
            if data is not None:
                write_file(self.disk, fd, last, data, name, last_look=check_unchanged)
                return
            with suppress(FileNotFoundError):
                remove_file(self.disk, fd, last, name, check_unchanged)

    def log(self, parts: tuple[str, ...], name: str) -> FileLog:
        """Return the log of a name in a directory below the home; both are made with the first line."""
        from holdfast.notes.file_log import FileLog

        return FileLog(self, parts, name)

    def make_memory_folder(self) -> None:
        """Make memory/ of this agent where there is none."""
        with self._ensured_directory((*root_parts(self.agent), "memory"), "memory"):
            return

    def state_folder(self, *names: str) -> str:
        """Make a folder in state/ where there is none, readable only by the owner, and give its path."""
        shown = "/".join(("state", *names))
        with self._ensured_directory(("state", *names), shown):
            return f"{self.home}/{shown}"

    @contextmanager
    def named_lock(self, name: str, what: str, timeout: float) -> Iterator[None]:
        """Hold a lock of this home by its name; Busy, which tells `what`, after `timeout` seconds."""
        with (
            self._ensured_directory(("state", "locks"), what) as locks,
            hold_lock(self.disk, locks, name, what, timeout),
        ):
            yield

    @contextmanager
    def job_lock(self, job: str) -> Iterator[None]:
        """Be the only one that does a job for this agent; Busy at once if not.

        Others can still write notes.
        """
        with self.named_lock(f".{job}.{self.agent}.lock", f"{job} of agent {self.agent}", 0.0):
            yield

    @contextmanager
    def home_lock(self) -> Iterator[None]:
        """Be the only writer of USER.md and holdfast.toml, which all agents share.

        Whoever sweeps the home's temps waits as well.
        """
        if self.agent == MAIN:
            lock = self.lock()
        else:
            lock = self.named_lock(f"{MAIN}.lock", "the files of the home", 30.0)
        with lock:
            yield

    # Inside

    @contextmanager
    def _open_parent(self, path: NotePath | str) -> Iterator[tuple[int, str]]:
        """Open the directory of a note, and give its name there.

        A directory or file that is missing becomes NoteNotFound.
        """
        if isinstance(path, NotePath):
            text = path.text
        else:
            text = path
        try:
            if isinstance(path, str) and path.startswith("/"):
                root, between, name = split_extra_path(self.extras, path)
                if root in self.extras:
                    follow = os.O_NOFOLLOW
                else:
                    follow = 0
                with storage_errors(path, "open", missing=True):
                    top = retry(self.disk.open, root, (DIRECTORY & ~os.O_NOFOLLOW) | follow)
                try:
                    with directory(self.disk, top, between, path) as fd:
                        yield fd, name
                finally:
                    close_quietly(self.disk, top)
            else:
                spot = self.spot(readable_path(text))
                with directory(self.disk, self.home_fd, spot.parts, text) as fd:
                    yield fd, spot.name
        except FileNotFoundError:
            raise NoteNotFound(text) from None

    @contextmanager
    def _ensured_directory(self, parts: Sequence[str], shown: str) -> Iterator[int]:
        fd = ensure_directory(self.disk, self.home_fd, parts, shown)
        try:
            yield fd
        finally:
            if fd != self.home_fd:
                close_quietly(self.disk, fd)

    def _unchanged_check(self, fd: int, spot: Spot, expected: str | None) -> Callable[[], None] | None:
        """Return a check to run right before a note is replaced.

        An editor knows nothing of our lock (P4).
        """
        if expected is None:
            return None

        def check_unchanged() -> None:
            try:
                contents = read_whole(self.disk, fd, spot.name, spot.path, MAX_NOTE_BYTES)
                current = _digest(contents.data)
            except FileNotFoundError:
                current = ""
            if current != expected:
                raise NoteChangedOutside(spot.path, expected, current)

        return check_unchanged

    def _sweep(self) -> None:
        """Remove temps of dead writers; whoever holds a lock may still need theirs, so then they stay."""
        root = root_parts(self.agent)
        below = [(*root, "memory", name) for name in ("sessions", "imports")]
        notes = (root, (*root, "memory"), *below, ("agents", self.agent))
        ours = (*notes, ("state", "checkpoints", self.agent))
        files = ((), ("state",), ("state", "forgotten"), ("agents", self.agent))
        for lock, places in ((f"{self.agent}.lock", ours), (_FILE_LOCK, files)):
            if not any(map(self._directory_exists, places)):
                continue  # an agent that has nothing yet: a look at it leaves no lock behind
            # A home that can't be written to can still be read; whoever writes will be told.
            with suppress(Busy, StorageFailed), self.named_lock(lock, "the home", 0.0):
                for parts in dict.fromkeys(places):
                    with (
                        suppress(FileNotFoundError, HoldfastError),
                        directory(self.disk, self.home_fd, parts, "the sweep") as fd,
                    ):
                        # The home holds temps of both locks: of MEMORY.md and of holdfast.toml.
                        sweep_temps(self.disk, fd, notes=places is ours and "checkpoints" not in parts)

    def _sweep_folders(self, temps: Sequence[str]) -> None:
        """Remove temps of dead writers that a walk met in any folder; while somebody writes they stay."""
        folders = {tuple(temp.split("/")[:-1]) for temp in temps}
        with suppress(Busy, StorageFailed), self.named_lock(f"{self.agent}.lock", "the home", 0.0):
            for parts in folders:
                with (
                    suppress(FileNotFoundError, HoldfastError),
                    directory(self.disk, self.home_fd, (*root_parts(self.agent), *parts), "the sweep") as fd,
                ):
                    sweep_temps(self.disk, fd, notes=True)

    def _directory_exists(self, parts: tuple[str, ...]) -> bool:
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


def own_parts(name: str, agent: str) -> list[str]:
    """Return the parts of the name of a file that is no note, or raise BadPath."""
    if not _OWN_FILE.fullmatch(name) and name != f"agents/{agent}/holdfast.toml":
        raise BadPath(name, "it is not holdfast.toml, USER.md or a file in state/")
    return name.split("/")
