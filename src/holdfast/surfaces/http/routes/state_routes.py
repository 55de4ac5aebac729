"""The values that a session keeps for itself: how a request is shown what became of one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from holdfast.sessions.conversation import Session


def get(run: Callable[..., Any], namespace: str, key: str) -> dict[str, Any]:
    """Return one value; `found` says whether there is one."""
    missing = object()
    value = run(default=missing)
    found = value is not missing
    return {"namespace": namespace, "key": key, "found": found, "value": value if found else None}


def value_shown(_: None, session: Session, namespace: str, key: str) -> dict[str, Any]:
    """Show a value as it was kept, which is without secrets."""
    return {"namespace": namespace, "key": key, "set": True, "value": session.state.get(namespace, key)}


def of_value(word: str) -> Callable[[bool, str, str], dict[str, Any]]:
    """Return what says of a value whether something was done."""

    def shown(is_done: bool, namespace: str, key: str) -> dict[str, Any]:
        return {"namespace": namespace, "key": key, word: is_done}

    return shown
