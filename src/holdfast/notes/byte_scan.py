"""Search the bytes of every file below the home for something that was forgotten.

A process of its own looks at them: among them are databases that this one has open, and closing any descriptor of such
a file would drop the locks that SQLite holds on it (`notes/private_database.py`). Nothing is followed out of the home,
and no file is held whole: a database may be larger than memory.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from stat import S_ISDIR, S_ISREG
from typing import TYPE_CHECKING

from holdfast.errors import HoldfastError, StorageFailed
from holdfast.named_tuple import NamedTuple
from holdfast.notes.atomic_write import remove_file
from holdfast.notes.disk import Disk
from holdfast.notes.safe_open import close_quietly, directory, open_directory, retry, storage_errors

if TYPE_CHECKING:
    from holdfast.notes.file_workspace import FileWorkspace

__all__ = ["BytePattern", "find_files_with", "remove_copy"]

_FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_BLOCK_BYTES = 4 * 1024 * 1024
_MAX_DEPTH = 64
# -P: a directory that happens to be called holdfast, where the command was started, must not be taken for us.
_COMMAND = (sys.executable, "-P", "-m", "holdfast.notes.byte_scan")


class BytePattern(NamedTuple):
    """A pattern to look for, bytes that every match has, and the most bytes a match can have."""

    pattern: bytes
    sure: bytes
    widest: int


def find_files_with(workspace: FileWorkspace, patterns: Sequence[BytePattern]) -> list[str]:
    """Return the paths below the home of all files in which a pattern is found."""
    # What is to be forgotten goes through a pipe: everybody can read the arguments of a process.
    wanted = [
        (pattern.pattern.decode("latin-1"), pattern.sure.decode("latin-1"), pattern.widest) for pattern in patterns
    ]
    question = json.dumps({"home": workspace.home_fd, "sought": wanted}).encode("ascii")
    try:
        result = subprocess.run(
            _COMMAND, input=question, capture_output=True, check=True, pass_fds=(workspace.home_fd,), env=_environment()
        )
        paths: list[str] = json.loads(result.stdout)
    except (OSError, subprocess.CalledProcessError, ValueError) as error:
        raise StorageFailed(workspace.home, "search the bytes of", f"no process could be started ({error})") from error
    return paths


def remove_copy(workspace: FileWorkspace, path: str) -> bool:
    """Remove a damaged file that was put aside in state/, and say whether it was there."""
    *above, name = path.split("/")
    if above[:1] != ["state"] or ".damaged" not in name:
        return False
    try:
        with directory(workspace.disk, workspace.home_fd, above, path) as fd:
            remove_file(workspace.disk, fd, name, path)
    except FileNotFoundError:
        return False
    return True


def _environment() -> dict[str, str]:
    """Return this process's environment, with modules found where this process found them."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONIOENCODING": "utf-8"}


def _scan(home: int, sought: Sequence[BytePattern]) -> list[str]:
    disk = Disk()
    patterns = [(re.compile(pattern.pattern), pattern.sure) for pattern in sought]
    widest = max((pattern.widest for pattern in sought), default=0)

    def holds(block: bytes) -> bool:
        return any(sure in block and pattern.search(block) is not None for pattern, sure in patterns)

    return [
        "/".join(parts)
        for parts in _walk_files(disk, home, ())
        if any(holds(block) for block in _read_blocks(disk, home, parts, widest))
    ]


def _walk_files(disk: Disk, home: int, parts: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    below: list[str] = []
    with suppress(FileNotFoundError, HoldfastError, OSError):
        if parts:
            fd = open_directory(disk, home, parts, "/".join(parts))
        else:
            fd = home
        try:
            for name in sorted(retry(disk.names, fd)):
                mode = retry(disk.lstat, name, dir_fd=fd).st_mode
                if S_ISREG(mode):
                    yield (*parts, name)
                elif S_ISDIR(mode):
                    below.append(name)
        finally:
            if parts:
                close_quietly(disk, fd)
    for name in below:
        if len(parts) < _MAX_DEPTH:
            yield from _walk_files(disk, home, (*parts, name))


def _read_blocks(disk: Disk, home: int, parts: tuple[str, ...], widest: int) -> Iterator[bytes]:
    """Yield the file in overlapping blocks; nothing if it is gone or can't be read."""
    *above, name = parts
    shown = "/".join(parts)
    with suppress(FileNotFoundError, HoldfastError), directory(disk, home, above, shown) as fd:
        with storage_errors(shown, "read", missing=True):
            file = retry(disk.open, name, _FILE_FLAGS, dir_fd=fd)
        try:
            at, carried = 0, b""
            while True:
                with storage_errors(shown, "read"):
                    block = retry(disk.pread, file, _BLOCK_BYTES, at)
                if not block:
                    return
                at += len(block)
                yield carried + block
                carried = (carried + block)[-widest:]
        finally:
            close_quietly(disk, file)


def _main() -> None:
    question = json.load(sys.stdin.buffer)
    patterns = [
        BytePattern(pattern.encode("latin-1"), sure.encode("latin-1"), wide)
        for pattern, sure, wide in question["sought"]
    ]
    sys.stdout.write(json.dumps(_scan(question["home"], patterns)))


if __name__ == "__main__":
    _main()
