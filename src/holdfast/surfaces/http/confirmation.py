"""Confirmation of what can't be undone: a page must send back the plan that it was shown, and the typed word.

A page speaks as the owner. So what can't be undone happens only as it was shown, and not later than minutes after.
"""

from __future__ import annotations

import hmac
import json
import threading
import time
from collections.abc import Callable
from hashlib import sha256
from typing import Any, Final

from holdfast.surfaces.http.refusal import Refusal

__all__ = ["Plans", "plan_hash"]

_SECONDS: Final = 300.0  # to read a plan and to type a word
_MOST: Final = 256


def plan_hash(what: str, agent: str, asked: Any, shown: Any) -> str:
    """The name of a plan: another for everything else that is asked, or that would go."""
    request = json.dumps([what, agent, asked, shown], sort_keys=True, default=str)
    return sha256(request.encode("utf-8", "surrogatepass")).hexdigest()


class Plans:
    """The plans that were shown in the last minutes."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._shown: dict[str, float] = {}
        self._lock = threading.Lock()

    def note(self, plan: str) -> None:
        """Remember that a plan was shown now."""
        with self._lock:
            now = self._clock()
            self._shown = {held: until for held, until in self._shown.items() if until > now}
            self._shown[plan] = now + _SECONDS
            while len(self._shown) > _MOST:
                del self._shown[next(iter(self._shown))]

    def require(self, now: str, given: str | None, typed: str | None, word: str) -> None:
        """Refuse unless the plan of now is the one that was shown, and the word was typed for it."""
        if typed != word:
            raise _refusal(f'the word "{word}" must be typed for it, as `word`')
        if not given:
            raise _refusal("show what would go first (`dry_run`), and give its `plan`")
        with self._lock:
            until = self._shown.get(given, 0.0)
        if until <= self._clock():
            raise _refusal("the plan is older than five minutes, or was never shown; look at it again")
        if not hmac.compare_digest(given.encode("utf-8", "replace"), now.encode()):
            raise _refusal("what would go is not what was shown any more; look at it again")
        with self._lock:
            self._shown.pop(given, None)


def _refusal(why: str) -> Refusal:
    return Refusal(409, "NotConfirmed", f"Nothing was removed: it can't be undone, and {why}.")
