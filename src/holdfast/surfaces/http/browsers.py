"""The browsers that are logged in, in `state/browsers.json`, for the owner only.

It lists who may come, not who may not: where the file is lost, everybody has to come by a new link.
"""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections.abc import Callable
from typing import Any, Final

from holdfast.notes.private_file import read_private
from holdfast.value import Value

__all__ = ["FILE", "Browser", "Browsers", "browser_name"]

FILE: Final = "state/browsers.json"
_MOST_BYTES: Final = 256 * 1024
_MOST_BROWSERS: Final = 64  # a cookie lives for a month; who makes more links than this uses the newest
_LONGEST_NAME: Final = 80  # characters
_KINDS: Final = (("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"))
_SYSTEMS: Final = (
    *(("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows")),
    *(("Macintosh", "macOS"), ("CrOS", "ChromeOS"), ("Linux", "Linux")),
)


class Browser(Value):
    """One browser; times are in seconds since 1970, and it is forgotten after `until`."""

    id: str
    first: float
    last: float
    until: float
    name: str = ""


class Browsers:
    """The list, shared by all servers of a home; without a home it is kept in memory alone."""

    def __init__(self, home: str | None = None, *, clock: Callable[[], float] = time.time) -> None:
        self._home, self._clock = home, clock
        self._known: dict[str, Browser] = {}
        self._stamp: tuple[int, ...] = ()
        self._lock = threading.RLock()

    def knows(self, id: str) -> bool:  # noqa: A002 - its name
        """Return whether a browser may come in, and remember that it came."""
        with self._lock:
            self._look()
            browser = self._known.get(id)
            if browser is None:
                return False
            # Only in memory: a file written with each request would cost more than the request.
            self._known[id] = browser.replace(last=self._clock())
            return True

    def all(self) -> list[Browser]:
        """List those that may come in, the one seen last first."""
        with self._lock:
            self._look()
            return sorted(self._known.values(), key=lambda browser: -browser.last)

    def add(self, browser: Browser) -> None:
        """Let a browser in."""
        self._change(lambda known: known | {browser.id: browser})

    def remove(self, id: str) -> bool:  # noqa: A002 - its name
        """Let a browser in no more; says whether it was."""
        was = self.knows(id)
        self._change(lambda known: {name: browser for name, browser in known.items() if name != id})
        return was

    def clear(self) -> int:
        """Let nobody in any more; says how many that were."""
        count = len(self.all())
        self._change(lambda _: {})
        return count

    def _change(self, edit: Callable[[dict[str, Browser]], dict[str, Browser]]) -> None:
        if self._home is None:
            with self._lock:
                self._known = self._kept(edit(self._known))
            return
        from holdfast.notes.file_workspace import FileWorkspace

        # One lock for all servers of the home: none may bring back what another one took out. Ours is not held while
        # that is waited for, because the guard asks for it in the server's loop.
        with FileWorkspace.open(self._home) as workspace, workspace.home_lock():
            with self._lock:
                self._look()
                self._known = self._kept(edit(self._known))
                rows = [{name: getattr(browser, name) for name in browser.fields} for browser in self._known.values()]
            workspace.replace_file(FILE, json.dumps({"browsers": rows}).encode())

    def _kept(self, known: dict[str, Browser]) -> dict[str, Browser]:
        now = self._clock()
        living = sorted(
            (browser for browser in known.values() if browser.until > now), key=lambda browser: browser.last
        )
        return {browser.id: browser for browser in living[-_MOST_BROWSERS:]}

    def _look(self) -> None:
        """Read the file, if it is another than at the last look: another process may have taken somebody out."""
        if self._home is None:
            return
        stamp = self._stamped()
        if stamp == self._stamp:
            return
        seen = {known: browser.last for known, browser in self._known.items()}
        held = read_private(self._home, FILE, _MOST_BYTES)
        read = {browser.id: browser for browser in map(_browser, _rows(held)) if browser is not None}
        self._known = {
            known: browser.replace(last=max(browser.last, seen.get(known, 0.0))) for known, browser in read.items()
        }
        self._stamp = stamp

    def _stamped(self) -> tuple[int, ...]:
        try:
            status = os.stat(os.path.join(self._home or "", FILE))
        except OSError:
            return ()
        return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def browser_name(user_agent: str) -> str:
    """Tell a browser by what it says of itself, in one line such as "Firefox on Linux"."""
    kind = next((name for mark, name in _KINDS if mark in user_agent), "Safari" if "Safari/" in user_agent else "")
    system = next((name for mark, name in _SYSTEMS if mark in user_agent), "")
    if kind:
        return f"{kind} on {system}" if system else kind
    return re.sub(r"[^\x20-\x7e]+", " ", user_agent).strip()[:_LONGEST_NAME]


def _rows(held: bytes | None) -> list[Any]:
    try:
        rows = json.loads(held or b"{}")["browsers"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return []
    return rows if isinstance(rows, list) else []


def _browser(row: Any) -> Browser | None:
    try:
        first, last, until = (float(row[name]) for name in ("first", "last", "until"))
        return Browser(str(row["id"]), first, last, until, str(row.get("name", ""))[:_LONGEST_NAME])
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
