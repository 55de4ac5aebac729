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
from holdfast.notes.opening import again, failing, shut

__all__ = ["held"]

_FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
# A change takes about 2 ms: the waits stay near that, so that no waiter is passed over for long.
_FIRST_WAIT = 0.000_5
_LONGEST_WAIT = 0.004


@contextmanager
def held(disk: Disk, locks: int, name: str, what: str, timeout: float) -> Iterator[None]:
    """Hold the lock `name` of the open directory `locks`, or raise Busy after `timeout` seconds."""
    fd = _take(disk, locks, name, what, timeout)
    try:
        yield
    finally:
        # Unlock before closing: a forked child may still have the file open, and would keep the lock.
        try:
            disk.flock(fd, fcntl.LOCK_UN)
        except OSError:
            pass
        finally:
            shut(disk, fd)


def _take(disk: Disk, locks: int, name: str, what: str, timeout: float) -> int:
    start = time.monotonic()
    wait = _FIRST_WAIT
    while True:
        with failing(what, "lock"):
            fd = again(disk.open, name, _FLAGS, 0o600, dir_fd=locks)
        taken = False
        try:
            with failing(what, "lock"):
                taken = _try(disk, fd) and _still_there(disk, fd, locks, name)
        finally:
            if not taken:
                shut(disk, fd)
        if taken:
            return fd
        waited = time.monotonic() - start
        if waited >= timeout:
            raise Busy(what, waited if timeout else 0.0)
        time.sleep(min(wait, timeout - waited))
        wait = min(wait * 1.5, _LONGEST_WAIT)


def _try(disk: Disk, fd: int) -> bool:
    try:
        again(disk.flock, fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _still_there(disk: Disk, fd: int, locks: int, name: str) -> bool:
    """Someone may have removed the file after we opened it: a lock on it would exclude nobody."""
    ours = again(disk.fstat, fd)
    try:
        theirs = again(disk.lstat, name, dir_fd=locks)
    except FileNotFoundError:
        return False
    return (ours.st_dev, ours.st_ino) == (theirs.st_dev, theirs.st_ino)
