"""The claim to run the silent turn: one process has it, once for each time that a conversation is shortened.

The claim is made before the model is asked, under a lock that ends with its process. A process that gets the lock and
finds a claim knows that another died in the middle: it goes on behind the part that may have been written, so that
nothing is left unseen and nothing is written twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from holdfast.errors import Busy

__all__ = ["Claim", "claim", "is_taken", "is_unfinished"]

_PLACE = ("flush", "cycle")
_ABANDONED = 600.0  # seconds until a provider that failed is asked again by itself
_ASKED, _WRITING, _DONE, _FAILED = "asked", "writing", "done", "failed"


class _State(Protocol):
    def get(self, namespace: str, key: str, default: Any = None) -> Any: ...

    def compare_and_set(self, namespace: str, key: str, expected: Any, new: Any) -> bool: ...


class Claim:
    """The right to run it; what becomes of the turn is kept beside it."""

    def __init__(self, state: _State, held: dict[str, Any]) -> None:
        self._state = state
        self._held = held
        self._page: tuple[str, bool] = "", False

    @property
    def seen(self) -> str:
        """The id of the last message that an earlier try has dealt with; empty where none has."""
        return str(self._held.get("seen") or "")

    def page(self, last: str, *, more: bool) -> None:
        """The messages up to this id are shown next, and whether others are to follow."""
        self._page = last, more

    def writing(self) -> None:
        """Before something is written: from now on nobody does this page again. Raises where somebody took over."""
        last, more = self._page
        wanted = {"seen": last, "more": more}
        if self._held["state"] == _WRITING and self._held.items() >= wanted.items():
            return
        if not self._become(_WRITING, **wanted):
            raise Busy("the silent turn of this session", 0.0)

    def passed(self) -> None:
        """The page is dealt with."""
        last, more = self._page
        if more:
            self._become(_ASKED, seen=last, more=more)

    def done(self, why: str, wrote: Sequence[str]) -> None:
        """The turn is over."""
        self._become(_DONE, why=why, wrote=list(wrote))

    def failed(self, why: str, wrote: Sequence[str]) -> None:
        """The model could not be asked, or not to the end; what it was not shown yet may be tried again."""
        over = self._held["state"] == _WRITING and not self._held.get("more")
        self._become(_DONE if over else _FAILED, why=why, wrote=list(wrote))

    def _become(self, state: str, **more: Any) -> bool:
        new = {**self._held, "state": state, **more}
        changed = self._state.compare_and_set(*_PLACE, self._held, new)
        if changed:
            self._held = new
        return changed


def claim(state: _State, cycle: int, now: float, *, again: bool = False) -> Claim | None:
    """The claim on a cycle, or None where it had its turn; `again` takes over one that failed just now.

    The caller holds the lock of the session's silent turn.
    """
    old = state.get(*_PLACE)
    if is_taken(old, cycle, now, again=again, dead=True):
        return None
    new = {"cycle": cycle, "at": now, "state": _ASKED}
    if isinstance(old, dict) and old.get("cycle") == cycle and old.get("seen"):
        new["seen"] = old["seen"]
    if not state.compare_and_set(*_PLACE, old, new):
        return None
    return Claim(state, new)


def is_unfinished(held: Any, cycle: int) -> bool:
    """Say whether somebody has begun this cycle's turn, and not ended it: is at it, or dead."""
    return isinstance(held, dict) and held.get("cycle") == cycle and held.get("state") in (_ASKED, _WRITING)


def is_taken(held: Any, cycle: int, now: float, *, again: bool = False, dead: bool = False) -> bool:
    """Say whether a cycle has had its turn, or is having it now; `dead` says that nobody is at it."""
    if not isinstance(held, dict) or not isinstance(held.get("cycle"), int):
        return False
    abandoned = now - float(held.get("at") or 0.0) > _ABANDONED
    if held["cycle"] != cycle:
        # a later cycle is one that another process began just now, or the trace of a transcript that is gone
        return held["cycle"] > cycle and not abandoned
    match held.get("state"):
        case "failed":
            return not (again or abandoned)
        case "asked":
            return not dead
        case "writing":
            return not (dead and held.get("more"))
    return True
