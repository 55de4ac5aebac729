"""A route's signature → where each argument comes from; a request's values → the arguments."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from holdfast.errors import BadArgument
from holdfast.guard.argument_types import MAX_EXACT_INTEGER, fit_json, fit_text
from holdfast.guard.signature import Parameter, json_schema
from holdfast.named_tuple import NamedTuple

__all__ = ["Header", "Place", "Query", "RouteParameter", "Upload", "read_arguments", "route_parameters"]

_AS_DECLARED: Final[Mapping[str, str]] = MappingProxyType({})
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
    """The place that an argument comes from."""

    PATH = "path"
    QUERY = "query"
    HEADER = "header"
    BODY = "body"
    UPLOAD = "upload"


class RouteParameter(NamedTuple):
    """One argument of a route, and where a request brings it."""

    argument: Parameter
    place: Place
    shown: str
    media: tuple[str, ...] = ()

    @property
    def required(self) -> bool:
        """True if a request must bring it."""
        return self.argument.required or self.place is Place.PATH

    @property
    def description(self) -> str:
        """The text about it."""
        return self.argument.description

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the argument."""
        kind, default = self.argument.kind, self.argument.default
        schema = json_schema(kind)
        words = list(map(str, self.argument.choices))
        if words and kind is str:
            schema["enum"] = words
        if kind is int:
            schema |= {"minimum": -MAX_EXACT_INTEGER, "maximum": MAX_EXACT_INTEGER}
        if default is not None and default != ():
            return schema | {"default": default}
        if self.place is Place.BODY and not self.required and kind is not Any:
            schema["type"] = [schema["type"], "null"]  # null is as good as nothing, where nothing has a name
            if "enum" in schema:
                schema["enum"] = [*schema["enum"], None]
        return schema


def route_parameters(
    arguments: Sequence[Parameter],
    method: str,
    path: str,
    given: frozenset[type],
    names: Mapping[str, str] = _AS_DECLARED,
) -> tuple[tuple[RouteParameter, ...], dict[str, type]]:
    """The arguments that a request brings, and those that the server gives by their type.

    `names` are those of arguments that a request calls otherwise than the operation does.
    """
    in_path = set(_IN_PATH.findall(path))
    if method in ("POST", "PUT", "PATCH"):
        usual = Place.BODY
    else:
        usual = Place.QUERY
    parameters: list[RouteParameter] = []
    ours: dict[str, type] = {}
    for argument in arguments:
        if not given.isdisjoint(argument.kinds):
            ours[argument.name] = argument.kind
        else:
            shown = names.get(argument.name, argument.shown)
            parameters.append(_route_parameter(argument, Place.PATH if shown in in_path else usual, shown))
    return tuple(parameters), ours


def _route_parameter(argument: Parameter, place: Place, shown: str) -> RouteParameter:
    if str in argument.kinds:  # what may be a text among others is one in a request
        argument = argument._replace(kinds=(str,))
    for mark in argument.marks:
        match mark:
            case Header():
                return RouteParameter(argument, Place.HEADER, mark.name)
            case Query():
                return RouteParameter(argument, Place.QUERY, shown)
            case Upload():
                return RouteParameter(argument, Place.UPLOAD, shown, mark.media)
    return RouteParameter(argument, place, shown)


def read_arguments(parameters: Sequence[RouteParameter], values: Mapping[Place, Mapping[str, Any]]) -> dict[str, Any]:
    """The arguments for the function, each of its kind; BadArgument for one that is missing, unknown or unfit."""
    for place in (Place.QUERY, Place.BODY):
        known = {parameter.shown for parameter in parameters if parameter.place is place}
        unknown = next((name for name in values.get(place, {}) if name not in known), None)
        if unknown is not None:
            there = ", ".join(sorted(known)) or "none"
            raise BadArgument(unknown[:80], f"it is not known in the {place.value}; there are {there}")
    arguments: dict[str, Any] = {}
    for parameter in parameters:
        found = values.get(parameter.place, {})
        if parameter.place is Place.HEADER:
            name = parameter.shown.lower()
        else:
            name = parameter.shown
        value: Any = found.get(name)
        if name not in found or (value is None and parameter.argument.kind is not Any):
            if parameter.required:
                raise BadArgument(parameter.shown, "it is required")
            continue
        fit = fit_json if parameter.place in (Place.BODY, Place.UPLOAD) else fit_text
        arguments[parameter.argument.name] = fit(parameter.argument, value, parameter.shown)
    return arguments
