"""Write files so that each is always the old one or the new one, whole.

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

from holdfast.errors import StorageFailed, TwinPath, UnsafeFile
from holdfast.guard.paths import twin_key
from holdfast.named_tuple import NamedTuple
from holdfast.notes.disk import Disk
from holdfast.notes.safe_open import DIRECTORY, close_quietly, kind_fault, open_directory, retry, storage_errors
from holdfast.pattern import compile_late

__all__ = [
    "MAX_OPEN_FILES",
    "TEMP_ENDING",
    "NewFile",
    "ensure_directory",
    "name_behind",
    "new_mode",
    "refuse_twin",
    "refuse_twins",
    "remove_file",
    "sweep_temps",
    "sync_directory",
    "write_all",
    "write_file",
    "write_temps",
]

_CREATE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
# Files that are written before the first of them is waited for: a file system commits them together. Of 200 on ext4:
# 79 ms one by one, 37 ms in sixteen threads, 23 ms so. Half of the descriptors that a process of macOS may have open.
MAX_OPEN_FILES = 128
TEMP_ENDING = ".hf-tmp"
_TEMP_NAME = compile_late(r"\.(?P<name>.+)\.[0-9a-f]{16}\.hf-tmp", re.DOTALL)


def write_file(
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
    with storage_errors(shown, "write"):
        try:
            old = _existing_mode(disk, place, name, shown)
            _write_temp(disk, fd, temp, data, old if old is not None else (mode or 0o600))
            if last_look is not None:
                last_look()
            retry(disk.rename, temp, name, src_dir_fd=fd, dst_dir_fd=place)
        except BaseException:
            _remove_temp(disk, fd, temp)
            raise
    sync_directory(disk, place, shown)


class NewFile(NamedTuple):
    """A file to be written: its name, bytes, path as its owner knows it, and permissions."""

    name: str
    data: bytes
    shown: str
    mode: int


@contextmanager
def write_temps(disk: Disk, fd: int, files: Sequence[NewFile]) -> Iterator[list[str]]:
    """Write a synced temp for each file in the open directory; at most MAX_OPEN_FILES of them.

    Those that nobody renamed are gone after the block.
    """
    temps = [f".{file.name}.{os.urandom(8).hex()}.hf-tmp" for file in files]
    renamed = False
    try:
        _write_together(disk, fd, files, temps)
        yield temps
        renamed = True
    finally:
        if not renamed:
            for temp in temps:
                _remove_temp(disk, fd, temp)


def new_mode(disk: Disk, fd: int, name: str, shown: str) -> int:
    """Return the permissions of a replacement: those of the old file, else only its owner's."""
    old = _existing_mode(disk, fd, name, shown)
    return 0o600 if old is None else old


def remove_file(
    disk: Disk, fd: int, name: str, shown: str, last_look: Callable[[], None] | None = None, *, sync: bool = True
) -> None:
    """Remove a plain file for good; FileNotFoundError when there is none.

    Without `sync` the caller syncs the directory.
    """
    with storage_errors(shown, "remove", missing=True):
        fault = kind_fault(retry(disk.lstat, name, dir_fd=fd))
        if fault is not None:
            raise UnsafeFile(shown, fault)
        if last_look is not None:
            last_look()
        retry(disk.unlink, name, dir_fd=fd)
    if sync:
        sync_directory(disk, fd, shown)


def ensure_directory(disk: Disk, start: int, parts: Sequence[str], shown: str) -> int:
    """Open the directory `parts` below an open one, and make what is missing on the way."""
    fd = start
    for part in parts:
        try:
            below = _ensure_child(disk, fd, part, shown)
        finally:
            if fd != start:
                close_quietly(disk, fd)
        fd = below
    return fd


def refuse_twin(disk: Disk, fd: int, name: str, shown: str) -> None:
    """Raise TwinPath if the open directory has a name that differs only in case or Unicode form."""
    with storage_errors(shown, "list the directory of"):
        names = retry(disk.names, fd)
    if name in names:
        return
    key = twin_key(name)
    for other in names:
        if twin_key(other) == key:
            raise TwinPath(shown, shown[: len(shown) - len(name)] + other)


def refuse_twins(disk: Disk, fd: int, files: Mapping[str, str]) -> None:
    """Raise TwinPath as `refuse_twin` does, for many names with their paths.

    They are compared with each other too, and the directory is listed once.
    """
    with storage_errors("memory", "list the directory of"):
        names = retry(disk.names, fd)
    known = {twin_key(name): name for name in names}
    there = set(names)
    for name, shown in files.items():
        other = known.setdefault(twin_key(name), name)
        if name not in there and other != name:
            raise TwinPath(shown, shown[: len(shown) - len(name)] + other)


def sweep_temps(disk: Disk, fd: int, *, notes: bool) -> int:
    """Remove temps that no living writer owns, and return how many.

    They are those of notes, or those of all other files.

    Only for holders of the lock of those writers. What can't be removed stays for the next time.
    """
    swept = 0
    try:
        for name in disk.names(fd):
            temp = _TEMP_NAME.fullmatch(name)
            if temp is None or temp["name"].endswith(".md") is not notes:
                continue
            if stat.S_ISREG(disk.lstat(name, dir_fd=fd).st_mode):
                disk.unlink(name, dir_fd=fd)
                swept += 1
    except OSError:
        return swept
    return swept


def name_behind(temp: str) -> str | None:
    """Return the name of the file that a temp was to become; None for what is no temp."""
    if not temp.endswith(TEMP_ENDING):
        return None
    found = _TEMP_NAME.fullmatch(temp)
    return None if found is None else str(found["name"])


def sync_directory(disk: Disk, fd: int, shown: str) -> None:
    """Make the names in an open directory durable."""
    with storage_errors(shown, "sync the directory of"):
        retry(disk.fsync, fd)


def write_all(disk: Disk, fd: int, data: bytes) -> None:
    """Write every byte, however few a single call takes."""
    rest = memoryview(data)
    while rest:
        written = retry(disk.write, fd, rest)
        if written <= 0:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        rest = rest[written:]


def _existing_mode(disk: Disk, fd: int, name: str, shown: str) -> int | None:
    try:
        status = retry(disk.lstat, name, dir_fd=fd)
    except FileNotFoundError:
        return None
    fault = kind_fault(status)
    if fault is not None:
        raise UnsafeFile(shown, fault)
    return stat.S_IMODE(status.st_mode) & 0o777


def _write_temp(disk: Disk, fd: int, temp: str, data: bytes, mode: int) -> None:
    file = retry(disk.open, temp, _CREATE_FLAGS, 0o600, dir_fd=fd)
    try:
        _write_with_mode(disk, file, data, mode)
        retry(disk.fsync, file)
    finally:
        close_quietly(disk, file)


def _write_together(disk: Disk, fd: int, files: Sequence[NewFile], temps: Sequence[str]) -> None:
    """Write temps, and wait for all of them at the end."""
    open_files: list[int] = []
    try:
        for file, temp in zip(files, temps, strict=True):
            with storage_errors(file.shown, "write"):
                open_files.append(retry(disk.open, temp, _CREATE_FLAGS, 0o600, dir_fd=fd))
                _write_with_mode(disk, open_files[-1], file.data, file.mode)
                with suppress(OSError):  # it only saves time
                    disk.start_writing_back(open_files[-1])
        for file, file_fd in zip(files, open_files, strict=True):
            with storage_errors(file.shown, "write"):
                retry(disk.fsync, file_fd)
    finally:
        for file_fd in open_files:
            close_quietly(disk, file_fd)


def _write_with_mode(disk: Disk, file: int, data: bytes, mode: int) -> None:
    write_all(disk, file, data)
    if mode != 0o600:
        retry(disk.fchmod, file, mode)


def _remove_temp(disk: Disk, fd: int, temp: str) -> None:
    try:
        retry(disk.unlink, temp, dir_fd=fd)
    except OSError:
        return  # never made, or already renamed; at worst the sweep finds it


def _ensure_child(disk: Disk, fd: int, part: str, shown: str) -> int:
    try:
        return open_directory(disk, fd, (part,), shown)
    except FileNotFoundError:
        refuse_twin(disk, fd, part, part)
    with storage_errors(shown, "make the directory of"):
        with suppress(FileExistsError):  # another process was quicker
            retry(disk.mkdir, part, 0o700, dir_fd=fd)
        try:
            sync_directory(disk, fd, shown)
        except StorageFailed:
            # A retry must sync again, and it does so only when it makes the directory.
            with suppress(OSError):
                disk.rmdir(part, dir_fd=fd)
            raise
        return retry(disk.open, part, DIRECTORY, dir_fd=fd)
