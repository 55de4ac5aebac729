"""The file that says where the running server of a home is, for hooks and clients: `state/server.json`, owner only."""

from __future__ import annotations

import json
import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

from holdfast.errors import Busy, HoldfastError
from holdfast.named_tuple import NamedTuple
from holdfast.notes.lock_state import is_locked
from holdfast.settings.home_path import SERVER_FILE, home_of

if TYPE_CHECKING:
    from holdfast.notes.file_workspace import FileWorkspace

__all__ = ["RunningServer", "announce_server", "running_server"]

_MOST: Final = 4096
_JOB: Final = "serve"
_PLACE_OF: Final = "main"  # the agent whose lock it is: there is one place for all
_TRIES: Final = 20
_LOOK_AGAIN: Final = 0.02  # seconds
_EVERY: Final = 2.0  # seconds between two looks of a server whose place another one has
_LOG: Final = logging.getLogger("holdfast.http")


class RunningServer(NamedTuple):
    """A server that runs: its address, its process, and whose memory it serves by default."""

    url: str
    pid: int
    agent: str = "main"
    started: float = 0.0


def running_server(home: str | None) -> RunningServer | None:
    """The server of a home, or None; what a server that died has left behind is no server."""
    place = home_of(home)
    # Read as a plain file: hooks ask this before they do anything else, and must not make a home.
    try:
        with open(os.path.join(place, SERVER_FILE), "rb") as file:
            found = _read(file.read(_MOST))
    except OSError:
        return None
    if found is not None and _is_alive(place, found):
        return found
    return None


@contextmanager
def announce_server(home: str, running: RunningServer, *, every: float = _EVERY) -> Iterator[None]:
    """Say where the server is while it runs; one that came earlier keeps its place, which is taken once it is free."""
    from holdfast.notes.file_workspace import FileWorkspace

    with ExitStack() as held:
        workspace = held.enter_context(FileWorkspace.open(home))
        place = _Place(workspace, json.dumps(running._asdict()).encode())
        held.callback(place.leave)
        if not _is_named(place):
            over = threading.Event()
            waiting = threading.Thread(target=place.wait, args=(over, every), name="holdfast-place", daemon=True)
            waiting.start()
            held.callback(waiting.join)
            held.callback(over.set)
        yield


def _is_named(place: _Place) -> bool:
    """Say whether the server is named in its home; one on a full or read-only disk serves all the same."""
    try:
        return place.take(_TRIES)
    except HoldfastError as error:
        _LOG.warning("the server runs, and `holdfast ui` and hooks do not find it: %s", error)
        return False


class _Place:
    """The one place of a home where a server is named: whoever holds its lock stands there."""

    def __init__(self, workspace: FileWorkspace, data: bytes) -> None:
        self._workspace, self._data, self._lock = workspace, data, ExitStack()

    def take(self, tries: int = 1) -> bool:
        """Stand there, if nobody else does; who only looks holds the lock for a moment."""
        for left in range(tries - 1, -1, -1):
            try:
                self._lock.enter_context(self._workspace.job_lock(_JOB))
            except Busy:
                if left:
                    time.sleep(_LOOK_AGAIN)
                continue
            try:
                self._workspace.replace_file(SERVER_FILE, self._data)
            except BaseException:
                self._lock.close()
                raise
            return True
        return False

    def wait(self, over: threading.Event, every: float) -> None:
        """Take the place as soon as it is free, until told to stop."""
        while not over.wait(every):
            with suppress(HoldfastError):
                if self.take():
                    return

    def leave(self) -> None:
        """Be named no more, if we are."""
        with self._lock, suppress(HoldfastError):
            if self._workspace.read_file(SERVER_FILE, _MOST) == self._data:
                self._workspace.replace_file(SERVER_FILE, None)


def _read(data: bytes) -> RunningServer | None:
    try:
        held: Any = json.loads(data)
        url, pid = held["url"], held["pid"]
        agent, started = held.get("agent", "main"), held.get("started", 0.0)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    fits = (
        isinstance(url, str) and url.startswith("http://") and type(pid) is int and pid > 0 and isinstance(agent, str)
    )
    if not fits:
        return None
    return RunningServer(url, pid, agent, float(started) if isinstance(started, int | float) else 0.0)


def _is_alive(home: str, running: RunningServer) -> bool:
    """Say whether who wrote this still runs: a lock ends with its process, however that ends.

    A number of a process is no proof, because another one may have got it since; and whoever believed it would send the
    token to a stranger.
    """
    try:
        return is_locked(home, _JOB, _PLACE_OF)
    except OSError:  # a home that can't be looked into has no locks
        return _has_process(running.pid)


def _has_process(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (OSError, OverflowError):
        return False
    return True
