"""Damaged index files, moved aside so that another can be begun: it is a cache, and nothing is lost with it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO

from holdfast.errors import StorageFailed
from holdfast.notes.private_database import open_private

__all__ = ["drop_moved", "lock_file", "move_aside", "only_one"]

_ENDINGS = ("-wal", "-shm", "")


def lock_file(index_path: str, task: str) -> IO[bytes]:
    """Return the open file beside an index that a lock for a task is taken on."""
    path = f"{index_path}.{task}"
    try:
        return os.fdopen(open_private(path, os.O_WRONLY), "wb")
    except OSError as error:
        raise StorageFailed(path, "lock", error.strerror or str(error)) from error


@contextmanager
def only_one(index_path: str) -> Iterator[None]:
    """Be the only process that decides whether the file at this path is moved aside.

    Several find the same damage at once, and none of them may move what another has just begun.
    """
    with lock_file(index_path, "lock") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def drop_moved(index_path: str) -> None:
    """Remove what was moved aside: words that are to be forgotten may stand in it where no pattern finds them."""
    for path in _beside(index_path, ".damaged-*"):
        with suppress(OSError):
            os.unlink(path)


def move_aside(index_path: str) -> str:
    """Move an index with its log to `<path>.damaged-<random>`, in place of earlier ones; gives the new path."""
    target = f"{index_path}.damaged-{os.urandom(4).hex()}"
    old = _beside(index_path, ".damaged-*")  # one is enough to find out what happened
    for path in [*old, *_beside(index_path, ".space*")]:  # vectors that belong to this file, and no other
        with suppress(OSError):
            os.unlink(path)
    try:
        # The log first: once the file itself is gone, another process may begin a new one with a log of its own.
        for ending in _ENDINGS:
            if os.path.exists(index_path + ending):
                os.replace(index_path + ending, target + ending)
    except OSError as error:
        raise StorageFailed(index_path, "move aside", error.strerror or str(error)) from error
    return target


def _beside(index_path: str, ending: str) -> list[str]:
    """Return the files whose names are that of an index with such an ending."""
    from glob import escape, glob  # not above: no index that is whole needs it

    return glob(escape(index_path) + ending)
