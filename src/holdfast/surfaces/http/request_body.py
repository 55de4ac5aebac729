"""The bytes of a request's body, its query and its path → plain values, or BadArgument; nothing in them can hurt."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote_to_bytes

from holdfast.errors import BadArgument
from holdfast.guard.strict_json import refuse_constant

__all__ = ["read_json", "read_query", "read_segment"]

_DEEPEST = 64  # levels; a tool's arguments have three, a state's value a few more
_MOST_FIELDS = 64
_TOO_DEEP = f"it is nested more than {_DEEPEST} levels deep"
_WRONG = "it is not valid UTF-8 text"


def read_json(data: bytes, *, exact: bool = False) -> dict[str, Any]:
    """The JSON object of a body; none at all is an empty one. `exact` takes what Python has beyond other languages."""
    if not data.strip():
        return {}
    try:
        read = json.loads(data.decode("utf-8"), parse_constant=refuse_constant, object_pairs_hook=_object)
    except UnicodeDecodeError:
        raise BadArgument("body", _WRONG) from None
    except RecursionError:
        raise BadArgument("body", "it is nested too deep" if exact else _TOO_DEEP) from None
    except BadArgument:
        raise
    except ValueError as error:  # also a whole number of more digits than Python reads
        raise BadArgument("body", f"it is not JSON ({str(error)[:120]})") from None
    if not isinstance(read, dict):
        raise BadArgument("body", "it is not a JSON object")
    if not exact:
        _check(read)
    return read


def read_query(query: bytes) -> dict[str, str]:
    """The fields of a query, each at most once."""
    fields: dict[str, str] = {}
    pieces = [piece for piece in query.split(b"&") if piece]
    if len(pieces) > _MOST_FIELDS:
        raise BadArgument("query", f"it has more than {_MOST_FIELDS} fields")
    for piece in pieces:
        name, _, value = piece.partition(b"=")
        shown = _decode_percent(name.replace(b"+", b" "), "query")
        if shown in fields:
            raise BadArgument(shown[:80], "it is given twice")
        fields[shown] = _decode_percent(value.replace(b"+", b" "), shown[:80] or "query")
    return fields


def read_segment(raw: str, name: str) -> str:
    """A part of the path as the caller meant it."""
    return _decode_percent(raw.encode("latin-1"), name)


def _decode_percent(raw: bytes, name: str) -> str:
    try:
        return unquote_to_bytes(raw).decode("utf-8")
    except UnicodeDecodeError:
        raise BadArgument(name, _WRONG) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        # Two readers of one text must not see two different things: what was checked would not be what is done.
        raise BadArgument("body", "an object in it has the same name twice")
    return made


def _check(read: dict[str, Any]) -> None:
    """Refuse what is too deep for those behind us, and half a character, which can be written in JSON alone."""
    level: list[Any] = [read]
    for _ in range(_DEEPEST):
        below: list[Any] = []
        for value in level:
            if isinstance(value, str):
                _whole(value)
            elif isinstance(value, dict):
                for name in value:
                    _whole(name)
                below += value.values()
            elif isinstance(value, list):
                below += value
            elif isinstance(value, float) and value in (float("inf"), float("-inf")):
                raise BadArgument("body", "a number in it is out of range")
        if not below:
            return
        level = below
    raise BadArgument("body", _TOO_DEEP)


def _whole(text: str) -> None:
    if text.isascii():
        return
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise BadArgument("body", "a text in it has half a character (a lone surrogate)") from None
