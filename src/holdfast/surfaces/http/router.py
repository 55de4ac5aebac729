"""A route, and the way to it: by the path as it was sent, so that `%2F` in a name stays one name."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from holdfast.context.context import Context
from holdfast.guard.signature import parameters_of
from holdfast.memory import Memory
from holdfast.named_tuple import NamedTuple
from holdfast.surfaces.http.parameters import Place, RouteParameter, route_parameters
from holdfast.surfaces.http.part_operations import arguments_of, arguments_to, call_with, open_session, run_function
from holdfast.surfaces.http.request_body import read_segment

__all__ = ["Endpoint", "Route", "RouteMatch", "Table"]

_PART = re.compile(r"\{([a-z_]+)(\+?)\}")
JSON = "application/json"


class Route(NamedTuple):
    """One row of the table: an operation, or a function of our own where a request is about the server itself.

    `answer` is the JSON Schema of what it gives, or the media types where that is no JSON.

    `statuses` are those of success, and `errors` those it may refuse with beside the usual ones. A slow one may
    wait for a model or an index, and must not take the place of those that answer at once.

    Beside an operation may stand what works around it (an ETag, a download, a plan that a page confirms), what tells
    others of it, and what shows its result. Each names the arguments that it wants; one that it describes with a text
    comes with the request too, in place of the operation's own of that name. What works around an operation also names
    and describes the route.
    """

    method: str
    path: str
    function: Callable[..., Any]
    tag: str
    answer: dict[str, Any] | str
    statuses: tuple[int, ...] = (200,)
    errors: tuple[int, ...] = ()
    slow: bool = False
    reads: bool = False
    """Whether it changes nothing, although it is no GET."""
    opens: bool = False
    """Whether it may begin a session, and so takes its kind and channel."""
    most: int = 0
    """The longest body in bytes, where it is not the usual one."""
    exact: bool = False
    """Whether every text that Python has may be in the body, half a character included, and any depth."""
    name: str = ""
    """What a generated client calls it, where that is not the name of the function."""
    text: str = ""
    """What the reference says of it, where that is not what the function says."""
    names: Mapping[str, str] = MappingProxyType({})
    """What a request calls an argument, where the operation calls it otherwise."""
    without: tuple[str, ...] = ()
    """Arguments of the operation that no request brings."""
    around: Callable[..., Any] | None = None
    """Is given a function that runs the operation, with other arguments where it is called with some."""
    tell: Callable[..., None] | None = None
    """Tells those who listen to the server what came of it."""
    render: Callable[..., Any] | None = None
    """What is made of an operation's result."""


class Endpoint:
    """A route with its signature read."""

    def __init__(self, route: Route, given: frozenset[type]) -> None:
        self.route = route
        self.name = f"{route.method} {route.path}"
        own = [argument for argument in arguments_of(route.function) if argument.name not in route.without]
        self._own = {argument.name for argument in own}
        arguments = {argument.name: argument for argument in (*arguments_to(route.function, opens=route.opens), *own)}
        for beside in filter(None, (route.around, route.tell, route.render)):
            for argument in parameters_of(beside)[1:]:
                if argument.marks or not given.isdisjoint(argument.kinds):
                    arguments[argument.name] = argument
        wanted = tuple(arguments.values())
        self.parameters, self.given = route_parameters(wanted, route.method, route.path, given, route.names)
        named = route.around or route.function
        self.title = route.name or named.__name__.strip("_")
        self.summary = route.text or inspect.cleandoc(named.__doc__ or "").split("\n")[0]
        self.pattern = re.compile(_regex(route.path))
        upload = next((parameter for parameter in self.parameters if parameter.place is Place.UPLOAD), None)
        self.media: tuple[str, ...] = upload.media if upload is not None else (JSON,)
        self.upload = upload

    @property
    def asks_memory(self) -> bool:
        """True if it is about the memory of one agent."""
        return not {Memory, Context}.isdisjoint(self.given.values())

    def run(self, arguments: Mapping[str, Any]) -> Any:
        """Call the function, and show what it gives."""
        route = self.route
        with open_session(route.function, arguments) as given:

            def run(**others: Any) -> Any:
                own = {name: value for name, value in given.items() if name in self._own}
                return run_function(route.function, given, own | others)

            result = run() if route.around is None else call_with(route.around, run, given)
            if route.tell is not None:
                call_with(route.tell, result, given)
            if route.render is None:
                return result
            return call_with(route.render, result, given)

    def of(self, place: Place) -> list[RouteParameter]:
        """The arguments that come from one place."""
        return [parameter for parameter in self.parameters if parameter.place is place]


class RouteMatch(NamedTuple):
    """The endpoint for a path and a method, with what the path brings; or which methods there would be."""

    endpoint: Endpoint | None
    values: dict[str, str]
    allowed: tuple[str, ...] = ()


class Table:
    """All routes; the first that fits is the one."""

    def __init__(self, routes: Sequence[Route], given: frozenset[type]) -> None:
        self.endpoints = [Endpoint(route, given) for route in routes]

    def match(self, method: str, raw_path: str) -> RouteMatch:
        """Find the endpoint; HEAD is GET without its body."""
        wanted = "GET" if method == "HEAD" else method
        allowed: list[str] = []
        for endpoint in self.endpoints:
            found = endpoint.pattern.fullmatch(raw_path)
            if found is None:
                continue
            if endpoint.route.method != wanted:
                allowed.append(endpoint.route.method)
                continue
            return RouteMatch(endpoint, {name: read_segment(raw, name) for name, raw in found.groupdict().items()})
        heads = ["HEAD"] if "GET" in allowed else []
        return RouteMatch(None, {}, tuple(dict.fromkeys(allowed + heads)))


def _regex(path: str) -> str:
    """`{id}` is one segment, `{path+}` one or more."""
    pieces: list[str] = []
    at = 0
    for part in _PART.finditer(path):
        pieces += [re.escape(path[at : part.start()]), f"(?P<{part[1]}>{'.+' if part[2] else '[^/]+'})"]
        at = part.end()
    return "".join((*pieces, re.escape(path[at:])))
