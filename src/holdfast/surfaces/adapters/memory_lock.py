"""One thread at a time for each memory: frameworks call from event loops and from pools of threads.

A memory is open for one thread at a time, and several adapters may share it. So each memory has one lock, which all
adapters take; async ones wait for it in a worker thread, never in the event loop.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar
from weakref import WeakKeyDictionary

from holdfast.guard.origin import Origin
from holdfast.memory import Memory
from holdfast.operations.note_access import Notes

__all__ = ["alone", "in_thread", "notes_of"]

_Result = TypeVar("_Result")
_LOCKS: WeakKeyDictionary[Memory, threading.RLock] = WeakKeyDictionary()
_MAKING = threading.Lock()


@contextmanager
def alone(memory: Memory) -> Iterator[None]:
    """Be the only one who uses this memory through an adapter."""
    with _MAKING:
        lock = _LOCKS.setdefault(memory, threading.RLock())
    with lock:
        yield


async def in_thread(memory: Memory, work: Callable[[], _Result]) -> _Result:
    """Return what the work gives, done in a worker thread while nobody else uses the memory.

    Whoever cancels it waits until it has ended: a write is done or not done, and never both.
    """
    from anyio.to_thread import run_sync

    def locked() -> _Result:
        with alone(memory):
            return work()

    return await run_sync(locked)


def notes_of(memory: Memory, client: str) -> Notes:
    """The notes of a memory as files, written as an agent's of this framework; a client has them from its server."""
    return memory.notes.by(Origin.AGENT, client=client)
