"""Every call of this process that changes the disk below a folder, shown before it is made: Python's own and SQLite's.

Python's go through `os`, SQLite's through a layer between it and the system (a VFS). It is for a process of its own:
nothing is put back.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from typing import Any, NamedTuple

import apsw

__all__ = ["Call", "Refused", "watch_calls"]

_VFS, _SYSTEM = "watched", "unix"


class Call(NamedTuple):
    """One call: what it does, to which file below the folder, and with what."""

    name: str
    path: str
    target: str = ""
    offset: int = 0
    data: bytes = b""


class Refused(Exception):
    """Raised by who is shown a call: it fails with this number."""

    def __init__(self, code: int) -> None:
        super().__init__(os.strerror(code))
        self.code = code


Show = Callable[[Call], None]


def watch_calls(root: str, show: Show) -> None:
    """Show each changing call below a folder to `show` before it is made."""
    root = os.path.realpath(root)

    def below(path: str) -> str | None:
        return os.path.relpath(path, root) if path == root or path.startswith(root + os.sep) else None

    def announce(call: Call) -> None:
        try:
            show(call)
        except Refused as refused:
            raise OSError(refused.code, os.strerror(refused.code), call.path) from None

    _watch_python(below, announce)
    _WatchedVfs(below, show)


def _watch_python(below: Callable[[str], str | None], announce: Show) -> None:
    def of_fd(fd: int) -> str | None:
        return below(os.readlink(f"/proc/self/fd/{fd}").removesuffix(" (deleted)"))

    def of_name(name: Any, dir_fd: int | None) -> str | None:
        place = os.readlink(f"/proc/self/fd/{dir_fd}") if dir_fd is not None else os.getcwd()
        return below(os.path.normpath(os.path.join(place, os.fspath(name))))

    def wrap(name: str, describe: Callable[..., Call | None]) -> None:
        real = getattr(os, name)

        def watched(*args: Any, **kwargs: Any) -> Any:
            call = describe(*args, **kwargs)
            if call is not None:
                announce(call)
            return real(*args, **kwargs)

        setattr(os, name, watched)

    def opened(name: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> Call | None:
        path = of_name(name, dir_fd)
        if path is None or not flags & (os.O_CREAT | os.O_TRUNC):
            return None
        there = os.path.lexists(os.path.join(os.readlink(f"/proc/self/fd/{dir_fd}"), name) if dir_fd else name)
        if there and not flags & os.O_TRUNC:
            return None
        return Call("truncate" if there else "create", path)

    def written(fd: int, data: Any, offset: int | None = None) -> Call | None:
        path = of_fd(fd)
        if path is None:
            return None
        if offset is None:
            appends = fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_APPEND
            offset = os.fstat(fd).st_size if appends else os.lseek(fd, 0, os.SEEK_CUR)
        return Call("write", path, offset=offset, data=bytes(data))

    def with_fd(name: str) -> Callable[..., Call | None]:
        def describe(fd: int, *rest: int) -> Call | None:
            path = of_fd(fd)
            return None if path is None else Call(name, path, offset=rest[0] if rest else 0)

        return describe

    def with_name(name: str) -> Callable[..., Call | None]:
        def describe(subject: Any, *_: Any, dir_fd: int | None = None) -> Call | None:
            path = of_name(subject, dir_fd)
            return None if path is None else Call(name, path)

        return describe

    def renamed(
        source: Any, target: Any, *, src_dir_fd: int | None = None, dst_dir_fd: int | None = None
    ) -> Call | None:
        path, new = of_name(source, src_dir_fd), of_name(target, dst_dir_fd)
        return None if path is None or new is None else Call("rename", path, target=new)

    wrap("open", opened)
    wrap("write", written)
    wrap("pwrite", written)
    wrap("fsync", with_fd("fsync"))
    wrap("fdatasync", with_fd("fsync"))
    wrap("ftruncate", with_fd("truncate"))
    wrap("replace", renamed)
    wrap("rename", renamed)
    for name in ("unlink", "remove"):
        wrap(name, with_name("unlink"))
    wrap("mkdir", with_name("mkdir"))
    wrap("rmdir", with_name("rmdir"))


class _WatchedVfs(apsw.VFS):
    """The system as SQLite sees it, with each change shown first."""

    def __init__(self, below: Callable[[str], str | None], show: Show) -> None:
        super().__init__(_VFS, _SYSTEM, makedefault=True)
        self._below, self._show = below, show
        _KEPT.append(self)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        shown = name.filename() if isinstance(name, apsw.URIFilename) else name
        path = self._below(os.path.realpath(shown)) if shown else None
        if path is not None and shown and not os.path.exists(shown):
            self.announce(Call("create", path))
        return _WatchedFile(self, path, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        path = self._below(os.path.realpath(filename))
        if path is not None and os.path.exists(filename):
            self.announce(Call("unlink", path))
        super().xDelete(filename, syncdir)
        if syncdir and path is not None:
            self.announce(Call("fsync", os.path.dirname(path) or "."))

    def announce(self, call: Call) -> None:
        """Show a call; a refusal becomes what SQLite calls it."""
        try:
            self._show(call)
        except Refused as refused:
            full = os.strerror(refused.code) == os.strerror(28)  # ENOSPC
            raise (apsw.FullError if full else apsw.IOError)(str(refused)) from None


class _WatchedFile(apsw.VFSFile):
    """A file of SQLite's."""

    def __init__(self, vfs: _WatchedVfs, path: str | None, name: Any, flags: list[int]) -> None:
        super().__init__(_SYSTEM, name, flags)
        self._vfs, self._path = vfs, path
        # SQLite syncs the folder of a new log with the first sync of the log itself.
        self._is_new_log = bool(path and path.endswith(("-wal", "-journal")))

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        if self._path is not None:
            self._vfs.announce(Call("write", self._path, offset=offset, data=bytes(data)))
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802
        if self._path is not None:
            self._vfs.announce(Call("fsync", self._path))
        super().xSync(flags)
        if self._is_new_log and self._path is not None:
            self._is_new_log = False
            self._vfs.announce(Call("fsync", os.path.dirname(self._path) or "."))

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        if self._path is not None:
            self._vfs.announce(Call("truncate", self._path, offset=newsize))
        super().xTruncate(newsize)


_KEPT: list[object] = []
