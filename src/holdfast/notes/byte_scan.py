"""Every file below the home, by its bytes: whether something that was forgotten still stands anywhere.

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
from typing import NamedTuple

from holdfast.errors import HoldfastError, StorageFailed
from holdfast.notes.atomic_write import take_away
from holdfast.notes.disk import Disk
from holdfast.notes.safe_open import again, descend, directory, failing, shut
from holdfast.notes.workspace import Workspace

__all__ = ["Sought", "files_holding", "remove_copy"]

_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_BLOCK = 4 * 1024 * 1024
_DEEPEST = 64
# -P: a directory that happens to be called holdfast, where the command was started, must not be taken for us.
_COMMAND = (sys.executable, "-P", "-m", "holdfast.notes.byte_scan")


class Sought(NamedTuple):
    """A pattern to look for, bytes that no match lacks, and the most bytes that a match is wide."""

    pattern: bytes
    sure: bytes
    widest: int


def files_holding(workspace: Workspace, sought: Sequence[Sought]) -> list[str]:
    """The paths below the home of all files in which one of the patterns is found."""
    # What is to be forgotten goes through a pipe: everybody can read the arguments of a process.
    wanted = [(one.pattern.decode("latin-1"), one.sure.decode("latin-1"), one.widest) for one in sought]
    question = json.dumps({"home": workspace.home_fd, "sought": wanted}).encode("ascii")
    try:
        ran = subprocess.run(
            _COMMAND, input=question, capture_output=True, check=True, pass_fds=(workspace.home_fd,), env=_environment()
        )
        found: list[str] = json.loads(ran.stdout)
    except (OSError, subprocess.CalledProcessError, ValueError) as error:
        raise StorageFailed(workspace.home, "search the bytes of", f"no process could be started ({error})") from error
    return found


def remove_copy(workspace: Workspace, path: str) -> bool:
    """Remove a damaged file that was put aside in state/; says whether it was there."""
    *above, name = path.split("/")
    if above[:1] != ["state"] or ".damaged" not in name:
        return False
    try:
        with directory(workspace.disk, workspace.home_fd, above, path) as fd:
            take_away(workspace.disk, fd, name, path)
    except FileNotFoundError:
        return False
    return True


def _environment() -> dict[str, str]:
    """This one's, with the modules found where this process found them."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONIOENCODING": "utf-8"}


def _scan(home: int, sought: Sequence[Sought]) -> list[str]:
    disk = Disk()
    patterns = [(re.compile(one.pattern), one.sure) for one in sought]
    widest = max((one.widest for one in sought), default=0)

    def holds(block: bytes) -> bool:
        return any(sure in block and pattern.search(block) is not None for pattern, sure in patterns)

    return [
        "/".join(parts)
        for parts in _below(disk, home, ())
        if any(holds(block) for block in _blocks(disk, home, parts, widest))
    ]


def _below(disk: Disk, home: int, parts: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    below: list[str] = []
    with suppress(FileNotFoundError, HoldfastError, OSError):
        fd = descend(disk, home, parts, "/".join(parts)) if parts else home
        try:
            for name in sorted(again(disk.names, fd)):
                mode = again(disk.lstat, name, dir_fd=fd).st_mode
                if S_ISREG(mode):
                    yield (*parts, name)
                elif S_ISDIR(mode):
                    below.append(name)
        finally:
            if parts:
                shut(disk, fd)
    for name in below:
        if len(parts) < _DEEPEST:
            yield from _below(disk, home, (*parts, name))


def _blocks(disk: Disk, home: int, parts: tuple[str, ...], widest: int) -> Iterator[bytes]:
    """The file in pieces that overlap; one that is gone or can't be read has none."""
    *above, name = parts
    shown = "/".join(parts)
    with suppress(FileNotFoundError, HoldfastError), directory(disk, home, above, shown) as fd:
        with failing(shown, "read", missing=True):
            file = again(disk.open, name, _FILE, dir_fd=fd)
        try:
            at, carried = 0, b""
            while True:
                with failing(shown, "read"):
                    block = again(disk.pread, file, _BLOCK, at)
                if not block:
                    return
                at += len(block)
                yield carried + block
                carried = (carried + block)[-widest:]
        finally:
            shut(disk, file)


def _answer() -> None:
    question = json.load(sys.stdin.buffer)
    sought = [
        Sought(pattern.encode("latin-1"), sure.encode("latin-1"), wide) for pattern, sure, wide in question["sought"]
    ]
    sys.stdout.write(json.dumps(_scan(question["home"], sought)))


if __name__ == "__main__":
    _answer()
