"""Values ↔ JSON, without loss: what a method gives at the server is what it gives at the client, field by field.

The REST routes show what people and other languages need; this is for our own client, which has the same classes. A
value goes by its class and the names of its fields, so that a field that one side does not know yet does no harm. A
name is looked up among our own modules only, and must be that of a plain value: an answer can't make anything else.
"""

from __future__ import annotations

import json
import math
from base64 import b64decode, b64encode
from collections.abc import Collection, Mapping
from datetime import date, datetime
from enum import Enum
from functools import cache
from importlib import import_module
from numbers import Real
from operator import index
from typing import Any

from holdfast.value import Value

__all__ = ["Unreadable", "from_wire", "plain", "to_wire"]

_ROOMS = frozenset(
    "approval checkpoints context dreaming exchange facts forgetting guard index llm markdown operations recall search "
    "sessions settings transcripts".split()
)
_PLAIN = (str, int, float, bool, type(None))
_DEEPEST = 200  # levels; each takes up to three of JSON, whose reader stops before a thousand
_TOO_DEEP = "what is nested as deep as that can't be sent"


class Unreadable(ValueError):
    """A value came that `to_wire` does not make."""


def to_wire(value: Any) -> Any:
    """JSON for a value and all that is in it; TypeError for what is no value, such as an open file."""
    return _to_wire(value, _DEEPEST)


def _to_wire(value: Any, left: int) -> Any:
    if not left:
        return {"$": "json", "is": _as_text(value)}
    if isinstance(value, Enum):
        return {"$": _name_of(type(value)), "is": value.value}
    if isinstance(value, float) and not math.isfinite(value):
        return {"$": "number", "is": repr(value)}  # JSON has no word for it; whoever is given it says why it is wrong
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, Value):
        inside = {name: _to_wire(getattr(value, name), left - 1) for name in value.fields}
        return {"$": _name_of(type(value)), "with": inside}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        inside = {name: _to_wire(field, left - 1) for name, field in value._asdict().items()}
        return {"$": _name_of(type(value)), "with": inside}
    if isinstance(value, list):
        return [_to_wire(item, left - 1) for item in value]
    if isinstance(value, Mapping):
        return {
            "$": "mapping",
            "is": [[_to_wire(key, left - 1), _to_wire(item, left - 1)] for key, item in value.items()],
        }
    if isinstance(value, tuple):
        return {"$": "tuple", "is": [_to_wire(item, left - 1) for item in value]}
    if isinstance(value, frozenset | set):
        return {"$": "set", "is": [_to_wire(item, left - 1) for item in sorted(value)]}
    if isinstance(value, bytes):
        return {"$": "bytes", "is": b64encode(value).decode("ascii")}
    if isinstance(value, datetime):
        return {"$": "datetime", "is": value.isoformat()}
    if isinstance(value, date):
        return {"$": "date", "is": value.isoformat()}
    raise TypeError(f"{type(value).__name__} can't be sent")


def plain(value: Any) -> Any:
    """Return what an argument means to the library, with nothing of its own class.

    A number of numpy's, a member of an enum.

    The server has no other classes than ours, and takes a member of one for the text or the number that it is.
    """
    if isinstance(value, str):
        return str.__str__(value)
    if value is None or isinstance(value, bool | bytes | Value) or type(value) in (int, float):
        return value
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {plain(name): plain(item) for name, item in value.items()}
    if type(value) is tuple:
        return tuple(plain(item) for item in value)
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
        return value.item()
    try:
        return int(index(value))
    except TypeError:
        if isinstance(value, Real):
            return float(value)
        return value


def _as_text(value: Any) -> str:
    """Plain JSON, as a session's state may hold to any depth, in a text: that is as deep as a word."""
    try:
        return json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        raise TypeError(f"{_TOO_DEEP}, unless it is plain JSON") from None
    except RecursionError:
        raise TypeError(_TOO_DEEP) from None


def from_wire(sent: Any, only: Collection[str] | None = None) -> Any:
    """The value that `to_wire` made this of; Unreadable for anything else, and for a class that is not among `only`."""
    try:
        return _Reader(only).read(sent)
    except (LookupError, ImportError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise Unreadable(f"{type(error).__name__}: {error}") from error


class _Reader:
    def __init__(self, only: Collection[str] | None) -> None:
        self._only = only

    def read(self, sent: Any) -> Any:
        if isinstance(sent, list):
            return [self.read(item) for item in sent]
        if not isinstance(sent, dict):
            return sent
        kind = sent["$"]
        if kind in _BUILT_IN:
            return _BUILT_IN[kind](sent["is"])
        if kind in _HOLDING:
            return _HOLDING[kind](self.read(item) for item in sent["is"])
        if self._only is not None and kind not in self._only:
            raise LookupError(f"there is no place for a {kind!r} here")
        found = _class_of(kind)
        if issubclass(found, Enum):
            return found(sent["is"])
        known = found.fields if issubclass(found, Value) else found._fields  # type: ignore[attr-defined]
        return found(**{name: self.read(field) for name, field in sent["with"].items() if name in known})


_BUILT_IN: Mapping[str, Any] = {
    "bytes": b64decode,
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "json": json.loads,
    "number": float,
}
_HOLDING: Mapping[str, Any] = {"mapping": dict, "tuple": tuple, "set": frozenset}


def _name_of(kind: type) -> str:
    return f"{kind.__module__.removeprefix('holdfast.')}:{kind.__qualname__}"


@cache
def _class_of(name: str) -> type:
    module, _, inside = name.partition(":")
    if module.partition(".")[0] not in _ROOMS or not all(map(str.isidentifier, (*module.split("."), inside))):
        raise LookupError(f"there is no value {name!r}")
    found = getattr(import_module(f"holdfast.{module}"), inside)
    if not (isinstance(found, type) and (issubclass(found, Value | Enum) or _is_named_tuple(found))):
        raise LookupError(f"{name!r} is no value")
    return found


def _is_named_tuple(found: type) -> bool:
    return issubclass(found, tuple) and hasattr(found, "_fields")
