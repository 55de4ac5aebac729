"""The tools of a memory, called by a program: as an agent's, and with errors that are raised."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from holdfast import errors
from holdfast.errors import HoldfastError
from holdfast.facts.fact import KEPT, LONGEST
from holdfast.guard.fence import bar_lines, fence
from holdfast.memory import Memory
from holdfast.search.hit import WAITS, Hit

__all__ = ["call_tool", "quote_text", "remember"]


def call_tool(memory: Memory, name: str, **arguments: Any) -> dict[str, Any]:
    """Return what a tool gives; where it gives an error, that error."""
    answer = memory.tools().call(name, arguments)
    if "error" in answer:
        raise _error_of(answer["error"])
    return answer


def remember(memory: Memory, text: str, about: Mapping[str, Any] | None = None) -> str:
    """Keep a text, and give the path of its note: a sentence or two as a fact, anything longer in the day's note.

    Of what the framework says about it, a fact has a `category` that Holdfast knows and an `importance` from 0 to 1.
    """
    plain = text.strip()
    if "\n" not in plain and len(plain) <= LONGEST:
        category, importance = (about or {}).get("category"), (about or {}).get("importance")
        known = None
        if isinstance(category, str) and category in KEPT:
            known = category
        weight = None
        if isinstance(importance, int | float) and 0 <= importance <= 1:
            weight = importance
        return str(call_tool(memory, "store", text=plain, category=known, importance=weight)["path"])
    today = f"memory/{datetime.now().astimezone():%Y-%m-%d}.md"
    return str(call_tool(memory, "memory_save", content=plain, file=today)["path"])


def quote_text(text: str, nonce: str, hit: Hit) -> str:
    """A found text as data for a prompt: behind bars, in a fence that it can't close, with its place and origin."""
    if hit.origin is not None:
        origin = hit.origin.value
    else:
        origin = ""
    frame = {"source": f"{hit.path}#{hit.start_line}", "origin": origin}
    if not hit.likely:
        frame["likely"] = "no"
    if hit.waits:
        frame["state"] = WAITS
    return fence(bar_lines(text.strip("\n"), nonce), nonce, frame)


def _error_of(answer: Mapping[str, Any]) -> HoldfastError:
    kind = getattr(errors, str(answer.get("type")), HoldfastError)
    if not (isinstance(kind, type) and issubclass(kind, HoldfastError)):
        kind = HoldfastError
    error: HoldfastError = kind.__new__(kind)
    Exception.__init__(error, str(answer.get("message", "")))
    return error
