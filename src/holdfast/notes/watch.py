"""Listening for edits made outside: the changed notes, as sets of paths, as they happen."""

from __future__ import annotations

import posixpath
import threading
from collections.abc import Iterator, Sequence

from holdfast.notes.layout import root_parts
from holdfast.notes.note import Found, Walk
from holdfast.notes.workspace import Workspace

__all__ = ["watch"]

# How often to look for places that did not exist; whatever appears inside a watched directory is seen at once.
_LOOK_MS = 500
# A save is a burst of events; this much quiet ends it, long before the debounce does.
_QUIET_MS = 200


def watch(workspace: Workspace, *, debounce_ms: int = 1500, stop: threading.Event | None = None) -> Iterator[set[str]]:
    """Yield the paths of notes that were changed, made or removed since this call, until `stop` is set.

    An event only wakes us: what changed is the difference between two walks, by the same rules as everywhere.
    """
    return _listen(workspace, workspace.walk(), debounce_ms, stop or threading.Event())


def _listen(workspace: Workspace, seen: Walk, debounce_ms: int, stop: threading.Event) -> Iterator[set[str]]:
    import watchfiles

    while not stop.is_set():
        places = _existing(workspace, (workspace.home, *seen.directories))
        wanted = _wanted(workspace)
        missing = sorted(set(wanted) - set(_existing(workspace, wanted)))
        events = watchfiles.watch(
            *places,
            watch_filter=None,
            debounce=max(debounce_ms, 1),
            step=max(min(_QUIET_MS, debounce_ms), 1),
            stop_event=stop,
            rust_timeout=_LOOK_MS,
            yield_on_timeout=True,
            # Each directory by itself: the home also holds the index, whose writes would wake us all the time.
            recursive=False,
            ignore_permission_denied=True,
        )
        # Edits between the last walk and the first listening woke nobody, so the first wake always looks.
        first = True
        try:
            for event in events:
                if not event and not first and not _existing(workspace, missing):
                    continue
                first = False
                before, seen = seen, workspace.walk()
                changed = _differences(before.found, seen.found)
                if changed:
                    yield changed
                if seen.directories != before.directories or _existing(workspace, missing):
                    break
        except FileNotFoundError:
            continue  # a directory went away before we could listen to it


def _wanted(workspace: Workspace) -> list[str]:
    root = posixpath.join(workspace.home, *root_parts(workspace.agent))
    return [root, f"{root}/memory", *workspace.extras]


def _existing(workspace: Workspace, places: Sequence[str]) -> list[str]:
    existing = []
    for place in dict.fromkeys(places):
        try:
            workspace.disk.lstat(place)
        except OSError:
            continue
        existing.append(place)
    return existing


def _differences(before: list[Found], after: list[Found]) -> set[str]:
    return {found.path for found in set(before) ^ set(after)}
