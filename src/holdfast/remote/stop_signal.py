"""A way to stop waiting for a provider: whoever began the call sets an event, and the call ends with CallStopped.

A model may think for minutes before its first word, and a thread that waits for it hears nothing else.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import Final

__all__ = ["CallStopped", "next_piece", "stop_signal", "stoppable"]

_LOOK_EVERY: Final = 0.1  # seconds between two looks at the event
_SIGNAL: ContextVar[threading.Event | None] = ContextVar("holdfast_stop", default=None)


class CallStopped(BaseException):
    """Nobody wants the answer any more. As Ctrl-C, it is no failure that anybody makes up for."""


@contextmanager
def stoppable(signal: threading.Event) -> Iterator[None]:
    """Let this event stop the calls that the block makes in this thread."""
    token = _SIGNAL.set(signal)
    try:
        yield
    finally:
        _SIGNAL.reset(token)


def stop_signal() -> threading.Event | None:
    """The event that stops the calls of this thread, where there is one."""
    return _SIGNAL.get()


def next_piece(pieces: queue.SimpleQueue[bytes | None], seconds: float) -> bytes | None:
    """Wait so long for a piece; queue.Empty where none came, CallStopped where nobody wants it any more."""
    signal = stop_signal()
    if signal is None:
        return pieces.get(timeout=seconds)
    ends = monotonic() + seconds
    while True:
        if signal.is_set():
            raise CallStopped
        left = ends - monotonic()
        try:
            return pieces.get(timeout=max(0.0, min(_LOOK_EVERY, left)))
        except queue.Empty:
            if left <= _LOOK_EVERY:
                raise
