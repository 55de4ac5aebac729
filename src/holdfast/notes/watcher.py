"""Listen for edits made outside, and yield the paths of changed notes as they happen."""

from __future__ import annotations

import posixpath
import threading
from collections.abc import Iterator, Sequence

from holdfast.clock import Clock, SystemClock
from holdfast.notes.layout import root_parts
from holdfast.notes.note import NoteFile, Walk
from holdfast.notes.watch_registry import Watcher
from holdfast.notes.workspace import Workspace

__all__ = ["Debounce", "watch"]

# How often to look for places that did not exist; whatever appears inside a watched directory is seen at once.
_LOOK_MS = 500
# How often to look whether the notes have been quiet for long enough; half of the debounce where that is shorter.
_TICK_MS = 200
# Notes that never are quiet (a program that logs into one) are told of after this many debounces all the same.
_MAX_BURST_DEBOUNCES = 10


def watch(
    workspace: Workspace,
    *,
    debounce_ms: int = 1500,
    stop: threading.Event | None = None,
    clock: Clock | None = None,
) -> Iterator[set[str]]:
    """Yield the paths of notes that were changed, made or removed since this call, until `stop` is set.

    They are told of when nothing has changed for `debounce_ms`. An event only wakes us: what changed is the difference
    between two walks, by the same rules as everywhere.
    """
    stop = stop or threading.Event()
    if workspace.change_count() is not None:
        return _ask(workspace, workspace.walk(), debounce_ms, stop)
    return _listen(workspace, workspace.walk(), debounce_ms, stop, clock or SystemClock())


class Debounce:
    """Say when a burst of events is over.

    It is over after some quiet, or when it has gone on for ten times as long.
    """

    def __init__(self, debounce_ms: int, clock: Clock) -> None:
        self._quiet = debounce_ms / 1000
        self._clock = clock
        self._first: float | None = None
        self._last = 0.0

    @property
    def pending(self) -> bool:
        """Say whether there were events that nobody has been told of yet."""
        return self._first is not None

    def note_event(self) -> None:
        """Note that something happened just now."""
        self._last = self._clock.monotonic()
        if self._first is None:
            self._first = self._last

    def take(self) -> bool:
        """Say whether the burst is over; true once for each burst."""
        if self._first is None:
            return False
        now = self._clock.monotonic()
        over = now - self._last >= self._quiet or now - self._first >= _MAX_BURST_DEBOUNCES * self._quiet
        if over:
            self._first = None
        return over


def _ask(workspace: Workspace, seen: Walk, debounce_ms: int, stop: threading.Event) -> Iterator[set[str]]:
    """Yield what changed where somebody counts all changes: nothing need be listened to."""
    count = workspace.change_count()
    while not stop.wait(debounce_ms / 1000):
        if workspace.change_count() == count:
            continue
        count = workspace.change_count()
        before, seen = seen, workspace.walk()
        if changed := _changed_paths(before.found, seen.found):
            yield changed


def _listen(
    workspace: Workspace, seen: Walk, debounce_ms: int, stop: threading.Event, clock: Clock
) -> Iterator[set[str]]:
    burst = Debounce(debounce_ms, clock)
    watcher = Watcher(workspace.home, workspace.agent)
    tick = max(1, min(_TICK_MS, debounce_ms // 2))

    while not stop.is_set():
        places = _existing_places(workspace, (workspace.home, *seen.directories))
        missing = _MissingPlaces(workspace, max(1, _LOOK_MS // tick))
        # Edits between the last walk and the first listening woke nobody, so the first wake always looks.
        is_first = True
        try:
            for is_event in _ticks(places, tick, stop):
                appears = missing.appear()
                watcher.listen()
                if is_event or is_first or appears:
                    watcher.hear()
                    burst.note_event()
                    is_first = False
                if not burst.take():
                    continue
                before, seen = seen, workspace.walk()
                changed = _changed_paths([*before.found, *before.media], [*seen.found, *seen.media])
                if changed:
                    yield changed
                if seen.directories != before.directories or missing.exist():
                    break
        except FileNotFoundError:
            continue  # a directory went away before we could listen to it
        finally:
            watcher.pause()


def _ticks(places: Sequence[str], tick: int, stop: threading.Event) -> Iterator[bool]:
    """Say every `tick` milliseconds, and at once where something happens in these directories, whether it did."""
    import watchfiles

    events = watchfiles.watch(
        *places,
        watch_filter=None,
        # What it calls so is the longest burst, and a step of quiet ends one: ours is measured here.
        debounce=tick,
        step=tick,
        stop_event=stop,
        rust_timeout=tick,
        yield_on_timeout=True,
        # Each directory by itself: the home also holds the index, whose writes would wake us all the time.
        recursive=False,
        ignore_permission_denied=True,
    )
    return map(bool, events)


class _MissingPlaces:
    """The directories of notes that are not there yet; one look in so many ticks."""

    def __init__(self, workspace: Workspace, ticks: int) -> None:
        wanted = _wanted_places(workspace)
        self._missing = sorted(set(wanted) - set(_existing_places(workspace, wanted)))
        self._workspace = workspace
        self._between = ticks
        self._ticks = 0
        self._appeared = False

    def appear(self) -> bool:
        """Say at a tick that one of them is there now; once, because what stays must not keep a burst from its end."""
        self._ticks += 1
        if self._appeared or self._ticks % self._between:
            return False
        self._appeared = self.exist()
        return self._appeared

    def exist(self) -> bool:
        """Say whether one of them is there now."""
        return bool(_existing_places(self._workspace, self._missing))


def _wanted_places(workspace: Workspace) -> list[str]:
    root = posixpath.join(workspace.home, *root_parts(workspace.agent))
    return [root, f"{root}/memory", *workspace.extras]


def _existing_places(workspace: Workspace, places: Sequence[str]) -> list[str]:
    existing = []
    for place in dict.fromkeys(places):
        try:
            workspace.local.disk.lstat(place)
        except OSError:
            continue
        existing.append(place)
    return existing


def _changed_paths(before: list[NoteFile], after: list[NoteFile]) -> set[str]:
    return {file.path for file in set(before) ^ set(after)}
