"""Every file below the home, by its bytes: whether something that was forgotten still stands anywhere.

Nothing is followed out of the home, and no file is held whole: a database may be larger than memory.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from stat import S_ISDIR, S_ISREG

from holdfast.errors import HoldfastError
from holdfast.notes.opening import again, descend, directory, failing, shut
from holdfast.notes.replacing import take_away
from holdfast.notes.workspace import Workspace

__all__ = ["files_holding", "remove_copy"]

_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_BLOCK = 4 * 1024 * 1024
_DEEPEST = 64


def files_holding(workspace: Workspace, holds: Callable[[bytes], bool], widest: int) -> list[str]:
    """The paths below the home of all files in which `holds` finds something at most `widest` bytes wide."""
    return [
        "/".join(parts)
        for parts in _below(workspace, ())
        if any(holds(block) for block in _blocks(workspace, parts, widest))
    ]


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


def _below(workspace: Workspace, parts: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    disk = workspace.disk
    below: list[str] = []
    with suppress(FileNotFoundError, HoldfastError, OSError):
        fd = descend(disk, workspace.home_fd, parts, "/".join(parts)) if parts else workspace.home_fd
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
            yield from _below(workspace, (*parts, name))


def _blocks(workspace: Workspace, parts: tuple[str, ...], widest: int) -> Iterator[bytes]:
    """The file in pieces that overlap; one that is gone or can't be read has none."""
    *above, name = parts
    disk, shown = workspace.disk, "/".join(parts)
    with suppress(FileNotFoundError, HoldfastError), directory(disk, workspace.home_fd, above, shown) as fd:
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
