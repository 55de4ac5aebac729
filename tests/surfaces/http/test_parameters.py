"""A signature says what a request may bring; what does not fit is refused by name."""

from __future__ import annotations

import inspect
from enum import StrEnum
from typing import Annotated, Any

import pytest

from holdfast.context.context import Context
from holdfast.errors import BadArgument
from holdfast.guard.operation import Operation
from holdfast.guard.signature import parameters_of
from holdfast.memory import Memory
from holdfast.sessions.conversation import Session
from holdfast.surfaces.http.parameters import Header, Place, read_arguments, route_parameters
from holdfast.surfaces.http.part_operations import done
from holdfast.surfaces.http.route_table import ROUTES
from holdfast.surfaces.http.router import Endpoint, Route, Table
from holdfast.surfaces.http.server_state import GIVEN


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


def example(
    memory: Memory,
    id_: Annotated[str, "Which."],
    count: int,
    ratio: float | None = None,
    on: bool = False,
    colour: Colour = Colour.RED,
    words: list[str] | None = None,
    value: Any = None,
    tag: Annotated[str | None, Header("If-Match")] = None,
) -> None:
    """An example."""


PARAMETERS, OURS = route_parameters(parameters_of(example), "POST", "/x/{id}", GIVEN)


def bound(body: dict[str, Any], **headers: str) -> dict[str, Any]:
    return read_arguments(PARAMETERS, {Place.PATH: {"id": "7"}, Place.BODY: body, Place.HEADER: headers})


def test_the_signature_says_where_each_argument_comes_from() -> None:
    places = {one.shown: (one.place, one.argument.kind, one.required) for one in PARAMETERS}
    assert places == {
        "id": (Place.PATH, str, True),
        "count": (Place.BODY, int, True),
        "ratio": (Place.BODY, float, False),
        "on": (Place.BODY, bool, False),
        "colour": (Place.BODY, Colour, False),
        "words": (Place.BODY, list[str], False),
        "value": (Place.BODY, Any, False),
        "If-Match": (Place.HEADER, str, False),
    }
    assert dict(OURS) == {"memory": Memory}


def test_what_fits_is_read_arguments() -> None:
    assert bound({"count": 5.0, "ratio": 1, "value": None, "words": ["a"]}, **{"if-match": '"x"'}) == {
        "id_": "7",
        "count": 5,
        "ratio": 1,
        "value": None,
        "words": ["a"],
        "tag": '"x"',
    }
    assert bound({"count": 1, "on": None}) == {"id_": "7", "count": 1}  # null is not given


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"count": None},
        {"count": "5"},
        {"count": 5.5},
        {"count": True},
        {"count": 2**60},
        {"count": 1, "ratio": "1"},
        {"count": 1, "on": 1},
        {"count": 1, "colour": "green"},
        {"count": 1, "words": "a"},
        {"count": 1, "words": [1]},
        {"count": 1, "unknown": 1},
        {"count": 1, "id": "8"},
        {"count": 1, "memory": {}},
    ],
)
def test_what_does_not_fit_is_refused(body: dict[str, Any]) -> None:
    with pytest.raises(BadArgument):
        bound(body)


@pytest.mark.parametrize(("text", "fits"), [("5", True), ("-5", True), ("5.0", False), ("", False), ("٥", False)])
def test_a_number_in_a_query_is_written_as_numbers_are(text: str, fits: bool) -> None:
    parameters, _ = route_parameters(parameters_of(example), "GET", "/x/{id}", GIVEN)
    values = {Place.PATH: {"id": "7"}, Place.QUERY: {"count": text}}
    if fits:
        assert read_arguments(parameters, values)["count"] == int(text)
    else:
        with pytest.raises(BadArgument):
            read_arguments(parameters, values)


def test_a_path_keeps_a_slash_that_was_written_as_part_of_a_name() -> None:
    table = Table(
        [
            Route("GET", "/s/{key}/messages", example, "x", {}),
            Route("POST", "/n/{path+}/delete", example, "x", {}),
            Route("GET", "/n/{path+}", example, "x", {}),
        ],
        GIVEN,
    )
    assert table.match("GET", "/s/a%2Fmessages/messages").values == {"key": "a/messages"}
    assert table.match("GET", "/n/memory/x.md").values == {"path": "memory/x.md"}
    assert table.match("GET", "/n/memory%2Fx.md").values == {"path": "memory/x.md"}
    assert table.match("HEAD", "/n/x").endpoint is not None
    assert table.match("PUT", "/n/x").allowed == ("GET", "HEAD")
    assert table.match("GET", "/n/").allowed == () and table.match("GET", "/n/").endpoint is None
    with pytest.raises(BadArgument):
        table.match("GET", "/n/%FF")


def test_a_route_over_an_operation_takes_the_operations_own_arguments_and_says_what_it_says() -> None:
    route = Route("POST", "/s/{key}/capture", Session.capture, "x", {}, render=done("noted"))
    endpoint = Endpoint(route, GIVEN)
    assert [(one.shown, one.place) for one in endpoint.parameters] == [("key", Place.PATH), ("force", Place.BODY)]
    assert endpoint.summary == (inspect.getdoc(Session.capture) or "").split("\n")[0] != ""
    assert endpoint.asks_memory


def test_three_of_four_routes_are_rows_over_operations() -> None:
    own = [one for one in ROUTES if ".surfaces." in one.function.__module__ and not isinstance(one.function, Operation)]
    assert len(own) * 4 <= len(ROUTES)


def around(
    run: Any, text: Annotated[str, "What goes."], file: str, tag: Annotated[str | None, Header("If-Match")]
) -> Any:
    """Cut a text."""
    return run(text=text.upper(), expected_hash=f"{tag} of {file}")


def cut(ctx: Context, file: Annotated[str, "Where."], *, text: str | None = None, expected_hash: str = "") -> list[Any]:
    """Never shown: the function around it says what the route does."""
    return [ctx, file, text, expected_hash]


def test_what_works_around_an_operation_takes_the_place_of_the_arguments_that_it_describes() -> None:
    route = Route(
        "POST", "/n/{path+}/cut", cut, "x", {}, names={"file": "path"}, without=("expected_hash",), around=around
    )
    endpoint = Endpoint(route, GIVEN)
    assert {one.shown: (one.place, one.required) for one in endpoint.parameters} == {
        "path": (Place.PATH, True),
        "text": (Place.BODY, True),
        "If-Match": (Place.HEADER, True),
    }
    assert (endpoint.title, endpoint.summary) == ("around", "Cut a text.")
    given = {"ctx": 1, "file": "a.md", "text": "x", "tag": "t"}
    assert endpoint.run(given) == [1, "a.md", "X", "t of a.md"]


def test_only_a_route_that_may_begin_a_session_is_told_its_kind() -> None:
    def shown(**more: Any) -> set[str]:
        endpoint = Endpoint(Route("POST", "/s/{key}/prompt", Session.prompt, "x", {}, **more), GIVEN)
        return {one.shown for one in endpoint.parameters}

    assert shown() == {"key", "message"}
    assert shown(opens=True) == {"key", "message", "kind", "channel"}


def test_every_route_reads_and_no_two_are_the_same() -> None:
    table = Table(ROUTES, GIVEN)
    assert len({endpoint.name for endpoint in table.endpoints}) == len(ROUTES)
    for endpoint in table.endpoints:
        assert endpoint.summary.endswith("."), endpoint.name
        assert all(one.description for one in endpoint.parameters), endpoint.name
        # A route that only reads has no body, so nothing that changes something can hide behind GET.
        assert endpoint.route.method != "GET" or not endpoint.of(Place.BODY)
