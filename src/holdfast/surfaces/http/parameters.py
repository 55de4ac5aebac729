"""A route's signature → where each argument comes from and what it may be; a request's values → the arguments."""

from __future__ import annotations

import inspect
import math
import re
import types
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin, get_type_hints

from holdfast.errors import BadArgument

__all__ = ["Header", "Kind", "Parameter", "Place", "Query", "Upload", "parameters_of", "taken"]

_MOST = 2**53  # the largest whole number that every JSON reader keeps exact
_WHOLE = re.compile(r"-?[0-9]{1,18}", re.ASCII)
_NUMBER = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,18})?([eE][+-]?[0-9]{1,3})?", re.ASCII)
_SWITCHES = {"true": True, "1": True, "false": False, "0": False}
_IN_PATH = re.compile(r"\{([a-z_]+)\+?\}")


class Header(NamedTuple):
    """Marks an argument that a header brings."""

    name: str


class Query(NamedTuple):
    """Marks an argument that the query brings although the request has a body."""


class Upload(NamedTuple):
    """Marks the argument that is the body itself, as bytes."""

    media: tuple[str, ...]


class Place(StrEnum):
    """Where an argument comes from."""

    PATH = "path"
    QUERY = "query"
    HEADER = "header"
    BODY = "body"
    UPLOAD = "upload"


class Kind(StrEnum):
    """What an argument may be."""

    TEXT = "string"
    WHOLE = "integer"
    NUMBER = "number"
    SWITCH = "boolean"
    TEXTS = "array of strings"
    OBJECT = "object"
    OBJECTS = "array of objects"
    ANY = "any"
    BYTES = "bytes"


class Parameter(NamedTuple):
    """One argument of a route."""

    name: str
    shown: str
    place: Place
    kind: Kind
    nullable: bool
    required: bool
    default: Any
    description: str
    choices: tuple[str, ...] = ()
    media: tuple[str, ...] = ()

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the argument."""
        made = dict(_SCHEMAS[self.kind])
        if self.choices:
            made["enum"] = list(self.choices)
        if self.nullable and self.place is Place.BODY and self.kind is not Kind.ANY:
            made["type"] = [made["type"], "null"]
            if self.choices:
                made["enum"] = [*self.choices, None]
        if not self.required and self.default is not None:
            made["default"] = self.default
        return made


_SCHEMAS: Mapping[Kind, dict[str, Any]] = {
    Kind.TEXT: {"type": "string"},
    Kind.WHOLE: {"type": "integer", "minimum": -_MOST, "maximum": _MOST},
    Kind.NUMBER: {"type": "number"},
    Kind.SWITCH: {"type": "boolean"},
    Kind.TEXTS: {"type": "array", "items": {"type": "string"}},
    Kind.OBJECT: {"type": "object"},
    Kind.OBJECTS: {"type": "array", "items": {"type": "object"}},
    Kind.ANY: {},
    Kind.BYTES: {"type": "string", "format": "binary"},
}
_KINDS: Mapping[Any, Kind] = {
    str: Kind.TEXT,
    int: Kind.WHOLE,
    float: Kind.NUMBER,
    bool: Kind.SWITCH,
    list[str]: Kind.TEXTS,
    dict[str, Any]: Kind.OBJECT,
    list[dict[str, Any]]: Kind.OBJECTS,
    Any: Kind.ANY,
    bytes: Kind.BYTES,
}


def parameters_of(
    function: Callable[..., Any], method: str, path: str, given: frozenset[type]
) -> tuple[tuple[Parameter, ...], dict[str, type]]:
    """The arguments that a request brings, and those that the server gives by their type."""
    hints = get_type_hints(function, include_extras=True)
    in_path = set(_IN_PATH.findall(path))
    usual = Place.BODY if method in ("POST", "PUT", "PATCH") else Place.QUERY
    parameters: list[Parameter] = []
    ours: dict[str, type] = {}
    for name, one in inspect.signature(function).parameters.items():
        hint = hints[name]
        if isinstance(hint, type) and hint in given:
            ours[name] = hint
            continue
        parameters.append(_parameter(name, hint, one.default, Place.PATH if name.rstrip("_") in in_path else usual))
    return tuple(parameters), ours


def _parameter(name: str, hint: Any, default: Any, place: Place) -> Parameter:
    marks: Sequence[Any] = ()
    if get_origin(hint) is Annotated:
        hint, *marks = get_args(hint)
    nullable = get_origin(hint) in (Union, types.UnionType)
    kinds = [kind for kind in get_args(hint) if kind is not type(None)] if nullable else [hint]
    (plain,) = kinds
    shown = name.rstrip("_")
    media: tuple[str, ...] = ()
    for mark in marks:
        match mark:
            case Header():
                place, shown = Place.HEADER, mark.name
            case Query():
                place = Place.QUERY
            case Upload():
                place, media = Place.UPLOAD, mark.media
    choices: tuple[str, ...] = ()
    if isinstance(plain, type) and issubclass(plain, StrEnum):
        choices, plain = tuple(plain), str
    required = default is inspect.Parameter.empty
    text = next((mark for mark in marks if type(mark) is str), "")
    return Parameter(
        name, shown, place, _KINDS[plain], nullable, required, None if required else default, text, choices, media
    )


def taken(parameters: Sequence[Parameter], values: Mapping[Place, Mapping[str, Any]]) -> dict[str, Any]:
    """The arguments for the function, each of its kind; BadArgument for one that is missing, unknown or unfit."""
    arguments: dict[str, Any] = {}
    for place in (Place.QUERY, Place.BODY):
        known = {one.shown for one in parameters if one.place is place}
        unknown = next((name for name in values.get(place, {}) if name not in known), None)
        if unknown is not None:
            there = ", ".join(sorted(known)) or "none"
            raise BadArgument(unknown[:80], f"it is not known in the {place.value}; there are {there}")
    for one in parameters:
        found = values.get(one.place, {})
        name = one.shown.lower() if one.place is Place.HEADER else one.shown
        value = found.get(name)
        if name not in found or (value is None and one.kind is not Kind.ANY):
            if one.required:
                raise BadArgument(one.shown, "it is required")
            continue
        fitted = _fitted(one, value) if one.place in (Place.BODY, Place.UPLOAD) else _read(one, value)
        if one.choices and fitted not in one.choices:
            raise BadArgument(one.shown, f"it is none of {', '.join(one.choices)}")
        arguments[one.name] = fitted
    return arguments


def _read(one: Parameter, value: Any) -> Any:
    """The value that the text of a path, a query or a header means."""
    match one.kind:
        case Kind.TEXT:
            return value
        case Kind.WHOLE if _WHOLE.fullmatch(value) and abs(int(value)) <= _MOST:
            return int(value)
        case Kind.NUMBER if _NUMBER.fullmatch(value) and math.isfinite(float(value)):
            return float(value)
        case Kind.SWITCH if value in _SWITCHES:
            return _SWITCHES[value]
        case Kind.TEXTS:
            return value.split(",")
    raise BadArgument(one.shown, f"it must be of type {one.kind.value}")


def _fitted(one: Parameter, value: Any) -> Any:
    """The value of a JSON body, if it is of the kind. JSON has one sort of number, so 5.0 is a whole one."""
    kind = one.kind
    if kind is Kind.WHOLE and isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > _MOST:
        raise BadArgument(one.shown, "the number is out of range")
    fits = {
        Kind.TEXT: isinstance(value, str),
        Kind.WHOLE: isinstance(value, int) and not isinstance(value, bool),
        Kind.NUMBER: isinstance(value, int | float) and not isinstance(value, bool),
        Kind.SWITCH: isinstance(value, bool),
        Kind.TEXTS: isinstance(value, list) and all(isinstance(item, str) for item in value),
        Kind.OBJECT: isinstance(value, dict),
        Kind.OBJECTS: isinstance(value, list) and all(isinstance(item, dict) for item in value),
        Kind.ANY: True,
        Kind.BYTES: isinstance(value, bytes),
    }[kind]
    if not fits:
        raise BadArgument(one.shown, f"it must be of type {kind.value}")
    return value
