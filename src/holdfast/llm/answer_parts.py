"""Parts of an answer as an API wrote them → our values; what has another shape counts as not being there."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from typing import Any

from holdfast.llm.chat_model import ToolCall
from holdfast.pattern import compile_late

__all__ = ["MADE", "count", "name_or", "objects", "place", "text_of", "tool_call", "without_thoughts"]

MADE = "holdfast-call-"
"""How an id begins that we gave to a call, where the API gives none; it is never sent back to such an API."""

_MOST_TOKENS = 10**12
_LONGEST_ID = 200
_LONGEST_NAME = 200
# Models that think aloud begin with it, where the server does not take it out.
_THOUGHTS = compile_late(r"\s*<(think|thinking)>.*?</\1>\s*", re.DOTALL)


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; nothing for anything else."""
    if not isinstance(value, list):
        return []
    return [item for item in value if isinstance(item, dict)]


def count(value: Any) -> int:
    """A number of tokens; 0 for what is none."""
    if type(value) is int and 0 <= value < _MOST_TOKENS:
        return value
    return 0


def place(value: Any) -> int:
    """Return the position in a list of a part of a stream; -1 if it is not one."""
    return value if type(value) is int else -1


def name_or(value: Any, otherwise: str = "") -> str:
    """A name that the answer gives."""
    if isinstance(value, str) and 0 < len(value) <= _LONGEST_NAME:
        return value
    return otherwise


def text_of(content: Any) -> str:
    """A content that is a text, or a list of parts of which some are texts."""
    if isinstance(content, str):
        return content
    return "".join(part["text"] for part in objects(content) if isinstance(part.get("text"), str))


def without_thoughts(text: str) -> str:
    """The text behind the thoughts that a model began with."""
    found = None
    if "</think" in text:
        found = _THOUGHTS.match(text)
    return text[found.end() :] if found else text


def tool_call(given_id: Any, name: Any, arguments: Any) -> ToolCall:
    """One call; arguments are an object, or the JSON of one."""
    known = isinstance(given_id, str) and 0 < len(given_id) <= _LONGEST_ID
    read, flaw = _arguments(arguments)
    return ToolCall(given_id if known else MADE + os.urandom(6).hex(), name_or(name), read, flaw)


def _arguments(given: Any) -> tuple[Mapping[str, Any], str]:
    if given is None or given == "":
        return {}, ""
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            return {}, "the arguments are not JSON"
    if not isinstance(given, dict):
        return {}, "the arguments are not an object"
    try:
        json.dumps(given, allow_nan=False)  # 1e999 is read as infinite, and could not be sent back
    except (ValueError, RecursionError):
        return {}, "the arguments hold a number that is none"
    return given, ""
