"""An operation is declared once: the library's method, the tool and the route have the arguments of one function."""

from __future__ import annotations

import inspect
from datetime import date
from pathlib import Path
from typing import ClassVar

import pytest

from holdfast import Memory, Origin
from holdfast.errors import BadArgument
from holdfast.guard.operation import Operation
from holdfast.guard.signature import parameters_of
from holdfast.operations import catalogue
from holdfast.operations.fact_access import Facts
from holdfast.operations.tool_schema import schema_of
from holdfast.surfaces.http.route_table import ROUTES
from holdfast.value import Shown, Value

METHODS = [
    pytest.param(kind, name, id=f"{kind.__name__}.{name}")
    for kind in (Memory, Facts)
    for name, method in vars(kind).items()
    if isinstance(method, Operation)
]


@pytest.mark.parametrize(("kind", "name"), METHODS)
def test_a_method_has_the_signature_and_the_words_of_its_operation(kind: type, name: str) -> None:
    method = getattr(kind, name)
    function = inspect.unwrap(method)
    assert function in [getattr(catalogue, known) for known in catalogue.__all__]
    assert parameters_of(method) == parameters_of(function)
    assert parameters_of(function)[0].name == "ctx"
    assert inspect.getdoc(method) == inspect.getdoc(function)


def test_a_search_is_declared_in_one_place() -> None:
    route = next(route for route in ROUTES if route.path == "/api/v1/search")
    assert route.function is Memory.search
    assert inspect.unwrap(Memory.search) is catalogue.memory_search
    told = schema_of(catalogue.memory_search)["properties"]
    assert "limit" in told and "max_results" not in told
    assert "context" not in told  # for programs alone


def test_an_error_names_the_argument_as_its_caller_knows_it(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "home", origin=Origin.USER) as memory:
        with pytest.raises(BadArgument, match="'max_results'"):
            memory.search("launch", max_results=0)
        answer = memory.tools().call("memory_search", {"query": "launch", "limit": 0})
    assert "'limit'" in answer["error"]["message"]


def test_there_is_no_operation_of_another_name() -> None:
    with pytest.raises(AttributeError, match="no operation 'rocket'"):
        catalogue.rocket  # noqa: B018 - the look is the test


class Inner(Value):
    """A value that is shown in its own way."""

    word: str

    def to_json(self) -> dict[str, str]:
        return {"said": self.word}


class Example(Shown):
    """One of every kind."""

    hidden = ("secret",)
    renamed: ClassVar = {"stays_out": "staysOut"}
    sparse = ("because",)

    origin: Origin
    day: date | None
    inner: tuple[Inner, ...]
    stays_out: int
    checkpoint_id: str
    secret: str = "s"
    because: str = ""


def test_a_value_is_shown_by_its_fields() -> None:
    value = Example(Origin.USER, date(2026, 3, 5), (Inner("a"),), 0, "c1")
    shown = {"origin": "user", "day": "2026-03-05", "inner": [{"said": "a"}], "staysOut": 0, "checkpointId": "c1"}
    assert value.to_json() == shown
    assert value.replace(day=None, because="late").to_json() == {**shown, "day": None, "because": "late"}
    assert Example.fields == ("origin", "day", "inner", "stays_out", "checkpoint_id", "secret", "because")
