"""A process that says which databases another process holds locked: a process never sees its own POSIX locks."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path

__all__ = ["LockProbe"]

# Where SQLite puts its locks (os.h and os_unix.c): SHARED on the database, and the dead man's switch of the shared
# memory of its log, which says that somebody uses both.
_SHARED_FIRST, _SHARED_SIZE = 0x40000002, 510
_SWITCH, _SWITCH_SIZE = 128, 1


class LockProbe:
    """Ask `locked(paths)` which of these databases, and of their `-shm` files, somebody else has locked."""

    def __init__(self) -> None:
        self._process = subprocess.Popen([sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def locked(self, *paths: Path) -> set[str]:
        """The names of the files on which another process than the probe holds SQLite's lock."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps([str(path) for path in paths]).encode() + b"\n")
        self._process.stdin.flush()
        return set(json.loads(self._process.stdout.readline()))

    def close(self) -> None:
        """End the probe."""
        self._process.communicate(timeout=30)


def _is_locked(path: str, first: int, size: int) -> bool:
    try:
        fd = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        fcntl.lockf(fd, fcntl.LOCK_EX | fcntl.LOCK_NB, size, first)
    except OSError:
        return True
    finally:
        os.close(fd)
    return False


def _probe() -> None:
    for line in sys.stdin:
        held = []
        for path in json.loads(line):
            if _is_locked(path, _SHARED_FIRST, _SHARED_SIZE):
                held.append(os.path.basename(path))
            if _is_locked(f"{path}-shm", _SWITCH, _SWITCH_SIZE):
                held.append(os.path.basename(path) + "-shm")
        os.write(1, json.dumps(held).encode() + b"\n")


if __name__ == "__main__":
    _probe()
