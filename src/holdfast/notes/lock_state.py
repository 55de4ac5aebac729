"""Ask whether somebody holds a lock of a home, without opening the home: a hook asks this before anything else."""

from __future__ import annotations

import fcntl
import os

__all__ = ["is_locked"]

_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


def is_locked(home: str, job: str, agent: str) -> bool:
    """Say whether some process holds the job lock of an agent (`Workspace.job_lock`).

    OSError where that can't be found out.

    The lock is shared among those who only look, so that none of them takes another for its holder.
    """
    try:
        file = os.open(os.path.join(home, "state", "locks", f".{job}.{agent}.lock"), _FLAGS)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(file)
    return False
