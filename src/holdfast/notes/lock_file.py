"""One writer at a time, in any process or thread.

flock ends with the process that holds it, so a crash never leaves a lock behind. Each attempt opens the file anew:
two threads of one process exclude each other as two processes do.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from holdfast.errors import Busy
from holdfast.notes.disk import Disk
from holdfast.notes.safe_open import close_quietly, retry, storage_errors

__all__ = ["hold_lock"]

_FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
# A change takes about 2 ms. Only the first in line looks at the lock itself, so it may look often.
_FIRST_WAIT_SECONDS = 0.000_3
_LINE_WAIT_SECONDS = 0.001
_MAX_WAIT_SECONDS = 0.01  # after a while a wait grows up to this: whoever holds the lock so long is not in a hurry


@contextmanager
def hold_lock(disk: Disk, locks: int, name: str, what: str, timeout: float) -> Iterator[None]:
    """Hold the lock `name` of the open directory `locks`, or raise Busy after `timeout` seconds.

    There is a line in front of the lock, itself a lock: without it a writer in a loop takes the lock again before
    anyone who sleeps between two looks, and others starve (measured: 8 writers, 1.4 s at p99).
    """
    start = time.monotonic()
    line = _acquire(disk, locks, f".{name}.line", what, start, timeout, _LINE_WAIT_SECONDS)
    try:
        fd = _acquire(disk, locks, name, what, start, timeout, _FIRST_WAIT_SECONDS)
    finally:
        _release(disk, line)
    try:
        yield
    finally:
        _release(disk, fd)


def _release(disk: Disk, fd: int) -> None:
    # Unlock before closing: a forked child may still have the file open, and would keep the lock.
    try:
        disk.flock(fd, fcntl.LOCK_UN)
    except OSError:
        pass
    finally:
        close_quietly(disk, fd)


def _acquire(disk: Disk, locks: int, name: str, what: str, start: float, timeout: float, wait: float) -> int:
    while True:
        with storage_errors(what, "lock"):
            fd = retry(disk.open, name, _FLAGS, 0o600, dir_fd=locks)
        is_taken = False
        try:
            with storage_errors(what, "lock"):
                is_taken = _try_lock(disk, fd) and _is_current(disk, fd, locks, name)
        finally:
            if not is_taken:
                close_quietly(disk, fd)
        if is_taken:
            return fd
        waited = time.monotonic() - start
        if waited >= timeout:
            raise Busy(what, waited if timeout else 0.0)
        if waited > 0.5:
            wait = min(wait * 1.1, _MAX_WAIT_SECONDS)
        time.sleep(min(wait, timeout - waited))


def _try_lock(disk: Disk, fd: int) -> bool:
    try:
        retry(disk.flock, fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_current(disk: Disk, fd: int, locks: int, name: str) -> bool:
    """Say whether the name still leads to the file we opened.

    Someone may have removed it meanwhile: a lock on it would exclude nobody.
    """
    ours = retry(disk.fstat, fd)
    try:
        theirs = retry(disk.lstat, name, dir_fd=locks)
    except FileNotFoundError:
        return False
    return (ours.st_dev, ours.st_ino) == (theirs.st_dev, theirs.st_ino)
