"""Putting bytes on disk so that a file is always the old one or the new one, whole.

The new bytes go into a temp beside the file and are synced; a rename puts it in place; the directory is synced.
A writer that dies leaves a temp of a known pattern, which the next open sweeps.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import NamedTuple

from holdfast.errors import StorageFailed, TwinPath, UnsafeFile
from holdfast.guard.paths import twin_key
from holdfast.notes.disk import Disk
from holdfast.notes.safe_open import DIRECTORY, again, descend, failing, kind_fault, shut

__all__ = [
    "NewFile",
    "ensure",
    "new_mode",
    "put",
    "refuse_twin",
    "refuse_twins",
    "sweep",
    "sync_directory",
    "take_away",
    "write_all",
    "written_temps",
]

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
# Files that are written before the first of them is waited for: a file system commits them together. Of 200 on ext4:
# 79 ms one by one, 37 ms in sixteen threads, 23 ms so. Half of the descriptors that a process of macOS may have open.
_OPEN_AT_ONCE = 128
_TEMP = re.compile(r"\.(?P<name>.+)\.[0-9a-f]{16}\.hf-tmp", re.DOTALL)


def put(
    disk: Disk,
    fd: int,
    name: str,
    data: bytes,
    shown: str,
    *,
    target: int | None = None,
    mode: int | None = None,
    last_look: Callable[[], None] | None = None,
) -> None:
    """Replace or create the file `name`, with its temp in the open directory `fd`.

    The file lands in the open directory `target` (`fd` when not given). `mode` is for a new file; an old one keeps
    its own. `last_look` is called when only the rename is missing, and may raise to stop it.
    """
    place = fd if target is None else target
    temp = f".{name}.{os.urandom(8).hex()}.hf-tmp"
    with failing(shown, "write"):
        try:
            old = _old_mode(disk, place, name, shown)
            _write_temp(disk, fd, temp, data, old if old is not None else (mode or 0o600))
            if last_look is not None:
                last_look()
            again(disk.rename, temp, name, src_dir_fd=fd, dst_dir_fd=place)
        except BaseException:
            _drop(disk, fd, temp)
            raise
    sync_directory(disk, place, shown)


class NewFile(NamedTuple):
    """A file that is to be: its name, its bytes, its path as its owner knows it, and its permissions."""

    name: str
    data: bytes
    shown: str
    mode: int


@contextmanager
def written_temps(disk: Disk, fd: int, files: Sequence[NewFile]) -> Iterator[list[str]]:
    """Write a synced temp for each file, in the open directory; those that nobody renamed are gone after the block."""
    temps = [f".{file.name}.{os.urandom(8).hex()}.hf-tmp" for file in files]
    renamed = False
    try:
        for first in range(0, len(files), _OPEN_AT_ONCE):
            some = slice(first, first + _OPEN_AT_ONCE)
            _write_together(disk, fd, files[some], temps[some])
        yield temps
        renamed = True
    finally:
        if not renamed:
            for temp in temps:
                _drop(disk, fd, temp)


def new_mode(disk: Disk, fd: int, name: str, shown: str) -> int:
    """The permissions of what takes the place of a file: those of the old one, else only its owner's."""
    old = _old_mode(disk, fd, name, shown)
    return 0o600 if old is None else old


def take_away(
    disk: Disk, fd: int, name: str, shown: str, last_look: Callable[[], None] | None = None, *, sync: bool = True
) -> None:
    """Remove a plain file for good; FileNotFoundError when there is none. Without `sync` the caller does that."""
    with failing(shown, "remove", missing=True):
        fault = kind_fault(again(disk.lstat, name, dir_fd=fd))
        if fault is not None:
            raise UnsafeFile(shown, fault)
        if last_look is not None:
            last_look()
        again(disk.unlink, name, dir_fd=fd)
    if sync:
        sync_directory(disk, fd, shown)


def ensure(disk: Disk, start: int, parts: Sequence[str], shown: str) -> int:
    """Open the directory `parts` below an open one, and make what is missing on the way."""
    fd = start
    for part in parts:
        try:
            below = _ensure_one(disk, fd, part, shown)
        finally:
            if fd != start:
                shut(disk, fd)
        fd = below
    return fd


def refuse_twin(disk: Disk, fd: int, name: str, shown: str) -> None:
    """Raise TwinPath if the open directory has a name that differs only in case or Unicode form."""
    with failing(shown, "list the directory of"):
        names = again(disk.names, fd)
    if name in names:
        return
    key = twin_key(name)
    for other in names:
        if twin_key(other) == key:
            raise TwinPath(shown, shown[: len(shown) - len(name)] + other)


def refuse_twins(disk: Disk, fd: int, files: Mapping[str, str]) -> None:
    """The same for many names with their paths, also among themselves, with one look at the directory."""
    with failing("memory", "list the directory of"):
        names = again(disk.names, fd)
    known = {twin_key(name): name for name in names}
    there = set(names)
    for name, shown in files.items():
        other = known.setdefault(twin_key(name), name)
        if name not in there and other != name:
            raise TwinPath(shown, shown[: len(shown) - len(name)] + other)


def sweep(disk: Disk, fd: int, *, notes: bool) -> int:
    """Remove temps that no living writer owns: those of notes, or those of all other files. Says how many.

    Only for holders of the lock of those writers. What can't be removed stays for the next time.
    """
    swept = 0
    try:
        for name in disk.names(fd):
            temp = _TEMP.fullmatch(name)
            if temp is None or temp["name"].endswith(".md") is not notes:
                continue
            if stat.S_ISREG(disk.lstat(name, dir_fd=fd).st_mode):
                disk.unlink(name, dir_fd=fd)
                swept += 1
    except OSError:
        return swept
    return swept


def sync_directory(disk: Disk, fd: int, shown: str) -> None:
    """Make the names in an open directory durable."""
    with failing(shown, "sync the directory of"):
        again(disk.fsync, fd)


def write_all(disk: Disk, fd: int, data: bytes) -> None:
    """Write every byte: a single call may take only some of them."""
    rest = memoryview(data)
    while rest:
        taken = again(disk.write, fd, rest)
        if taken <= 0:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        rest = rest[taken:]


def _old_mode(disk: Disk, fd: int, name: str, shown: str) -> int | None:
    try:
        status = again(disk.lstat, name, dir_fd=fd)
    except FileNotFoundError:
        return None
    fault = kind_fault(status)
    if fault is not None:
        raise UnsafeFile(shown, fault)
    return stat.S_IMODE(status.st_mode) & 0o777


def _write_temp(disk: Disk, fd: int, temp: str, data: bytes, mode: int) -> None:
    file = again(disk.open, temp, _NEW, 0o600, dir_fd=fd)
    try:
        _fill(disk, file, data, mode)
        again(disk.fsync, file)
    finally:
        shut(disk, file)


def _write_together(disk: Disk, fd: int, files: Sequence[NewFile], temps: Sequence[str]) -> None:
    """Write temps and wait for all of them at the end."""
    opened: list[int] = []
    try:
        for file, temp in zip(files, temps, strict=True):
            with failing(file.shown, "write"):
                opened.append(again(disk.open, temp, _NEW, 0o600, dir_fd=fd))
                _fill(disk, opened[-1], file.data, file.mode)
                with suppress(OSError):  # it only saves time
                    disk.start_writing_back(opened[-1])
        for file, written in zip(files, opened, strict=True):
            with failing(file.shown, "write"):
                again(disk.fsync, written)
    finally:
        for written in opened:
            shut(disk, written)


def _fill(disk: Disk, file: int, data: bytes, mode: int) -> None:
    write_all(disk, file, data)
    if mode != 0o600:
        again(disk.fchmod, file, mode)


def _drop(disk: Disk, fd: int, temp: str) -> None:
    try:
        again(disk.unlink, temp, dir_fd=fd)
    except OSError:
        return  # never made, or already renamed; at worst the sweep finds it


def _ensure_one(disk: Disk, fd: int, part: str, shown: str) -> int:
    try:
        return descend(disk, fd, (part,), shown)
    except FileNotFoundError:
        refuse_twin(disk, fd, part, part)
    with failing(shown, "make the directory of"):
        with suppress(FileExistsError):  # another process was quicker
            again(disk.mkdir, part, 0o700, dir_fd=fd)
        try:
            sync_directory(disk, fd, shown)
        except StorageFailed:
            # A retry must sync again, and it does so only when it makes the directory.
            with suppress(OSError):
                disk.rmdir(part, dir_fd=fd)
            raise
        return again(disk.open, part, DIRECTORY, dir_fd=fd)
