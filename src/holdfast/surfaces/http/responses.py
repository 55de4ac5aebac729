"""The value of a route → the bytes of the response."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from holdfast.value import Value

__all__ = ["Flow", "Raw", "Reply", "as_json", "replied"]

JSON = "application/json"


class Reply(Value):
    """A JSON object with a status and headers of its own; `shown` None is a response without a body."""

    shown: Any
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()


class Raw(Value):
    """A response that is no JSON: a page, a download."""

    data: bytes
    media: str
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()


class Flow(Value):
    """A response that goes on: pieces as they come."""

    pieces: AsyncIterator[bytes]
    media: str
    headers: tuple[tuple[str, str], ...] = ()


def replied(result: Any) -> Reply | Raw | Flow:
    """The response for what a route's function gave: the shape that every surface shows."""
    if isinstance(result, Reply | Raw | Flow):
        return result
    return Reply(result.to_json() if hasattr(result, "to_json") else result)


def as_json(shown: Any) -> bytes:
    """The bytes of a value; half a character, as an old file's name may have, is escaped instead of failing."""
    try:
        return json.dumps(shown, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(shown, separators=(",", ":"), allow_nan=False).encode("ascii")
