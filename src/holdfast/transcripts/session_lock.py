"""One at a time in a session, in any process or thread: a turn, the silent turn before it is shortened, capture, and
what becomes of its record: gone on with, exported, put aside, removed.

A lock ends with the process that holds it. Whoever gets the lock knows that what an earlier holder left half done was
left by a dead one.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum

from holdfast.errors import Busy
from holdfast.notes.workspace import Workspace

__all__ = ["Job", "hold_session", "is_held"]

_holders: dict[tuple[str, str], int] = {}  # by home and lock: the thread, so that one never waits for itself


class Job(StrEnum):
    """The jobs that are done by one at a time."""

    TURN = "turn"
    FLUSH = "flush"
    CAPTURE = "capture"
    RECORD = "record"


@contextmanager
def hold_session(workspace: Workspace, key: str, job: Job, timeout: float = 0.0) -> Iterator[None]:
    """Be the only one that does this in a session; Busy after `timeout` seconds, and at once for one's own lock."""
    # The key may be a person's name, and locks outlast their sessions: so the name of the file doesn't tell it.
    name = f".{job}.{workspace.agent}.{hashlib.sha256(key.encode()).hexdigest()[:16]}.lock"
    what = f"A {job.value} of session {key!r}"
    mine, me = (workspace.home, name), threading.get_ident()
    if _holders.get(mine) == me:
        raise Busy(what, 0.0)
    with workspace.named_lock(name, what, timeout):
        _holders[mine] = me
        try:
            yield
        finally:
            _holders.pop(mine, None)


def is_held(workspace: Workspace, key: str, job: Job) -> bool:
    """Say whether somebody does it right now."""
    try:
        with hold_session(workspace, key, job):
            return False
    except Busy:
        return True
