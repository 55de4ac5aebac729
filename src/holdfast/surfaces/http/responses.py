"""The value of a route → the bytes of the response."""

from __future__ import annotations

import json
import zlib
from collections.abc import AsyncIterator
from typing import Any, Final

from holdfast.value import Value

__all__ = ["Flow", "PackedJson", "Raw", "Reply", "as_json", "gzip_bytes", "response_of"]

JSON = "application/json"
_PACKING: Final = 3  # zlib's level: a list of 10,000 notes takes 20 ms, and a third more bytes than with the best


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


class PackedJson(Value):
    """JSON that was written before, plain and gzipped; the caller gets which of both it takes."""

    plain: bytes
    gzipped: bytes
    headers: tuple[tuple[str, str], ...] = ()


class Flow(Value):
    """A response that goes on: pieces as they come."""

    pieces: AsyncIterator[bytes]
    media: str
    headers: tuple[tuple[str, str], ...] = ()


def response_of(result: Any, status: int) -> Reply | Raw | PackedJson | Flow:
    """The response for what a route gave: the shape that every surface shows, with the route's usual status."""
    if isinstance(result, Reply | Raw | PackedJson | Flow):
        return result
    return Reply(result.to_json() if hasattr(result, "to_json") else result, status)


def as_json(shown: Any) -> bytes:
    """The bytes of a value; half a character, as an old file's name may have, is escaped instead of failing."""
    try:
        return json.dumps(shown, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(shown, separators=(",", ":"), allow_nan=False).encode("ascii")


def gzip_bytes(data: bytes) -> bytes:
    """The bytes packed, fast rather than tight."""
    packer = zlib.compressobj(_PACKING, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()
