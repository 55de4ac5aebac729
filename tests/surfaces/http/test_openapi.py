"""The OpenAPI document says what the server does; whatever fits it gets no 5xx."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
import schemathesis
from counts import counted
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from surfaces.http.serving import Served, served

from holdfast.memory import Memory
from holdfast.surfaces.http.openapi import document_of
from holdfast.surfaces.http.parameters import Place
from holdfast.surfaces.http.route_table import ROUTES
from holdfast.surfaces.http.router import Table
from holdfast.surfaces.http.server_state import GIVEN

TABLE = Table(ROUTES, GIVEN)
DOCUMENT = document_of(TABLE, "http://127.0.0.1:7437")
# A line that goes on for ever, and a model that nobody has; both have tests of their own.
LEFT_OUT = ("/api/v1/events", "/api/v1/sessions/{key}/turn")
CHECKS = (not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance)


def test_every_route_is_in_the_document_once() -> None:
    operations = [operation for methods in DOCUMENT["paths"].values() for operation in methods.values()]
    assert len(operations) == len(ROUTES)
    assert len({operation["operationId"] for operation in operations}) == len(ROUTES)
    for operation in operations:
        assert operation["summary"] and operation["responses"]
        for status, answer in operation["responses"].items():
            for content in answer.get("content", {}).values():
                jsonschema.Draft202012Validator.check_schema(content["schema"])
            assert int(status) < 400 or "content" in answer


def test_a_choice_of_few_words_is_an_enum() -> None:
    facts = {
        argument["name"]: argument["schema"] for argument in DOCUMENT["paths"]["/api/v1/facts"]["get"]["parameters"]
    }
    assert facts["state"]["enum"] == ["live", "upcoming", "superseded", "expired", "archived", "all"]
    assert facts["limit"].get("enum") is None
    search = DOCUMENT["paths"]["/api/v1/search"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert search["properties"]["source"]["enum"] == ["memory", "sessions", "extra", None]


def test_only_health_and_the_way_in_want_no_token() -> None:
    free = [
        (path, method)
        for path, methods in DOCUMENT["paths"].items()
        for method, operation in methods.items()
        if operation.get("security") == []
    ]
    assert free == [("/health", "get"), ("/enter", "post")]
    assert DOCUMENT["security"] == [{"token": []}]


@pytest.mark.parametrize(
    ("method", "path", "function"),
    [
        ("POST", "/api/v1/search", Memory.search),
        ("POST", "/api/v1/notes", Memory.save),
        ("POST", "/api/v1/forget", Memory.forget),
        ("GET", "/api/v1/history", Memory.history),
        ("POST", "/api/v1/undo", Memory.undo),
        ("POST", "/api/v1/undo/origin", Memory.undo_origin),
        ("GET", "/api/v1/status", Memory.status),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_what_the_library_takes_a_route_takes(method: str, path: str, function: Any) -> None:
    import inspect

    endpoint = next(one for one in TABLE.endpoints if (one.route.method, one.route.path) == (method, path))
    wanted = set(inspect.signature(function).parameters) - {"self", "ctx", "path"}
    assert wanted <= {one.shown for one in endpoint.parameters if one.place is not Place.HEADER}


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("fuzz") / "home", "--no-watch") as running:
        yield running


@pytest.fixture(scope="module")
def schema(fuzzed: Served) -> Any:
    """The document of that server; what is worked out of it for one operation is known for the next."""
    return schemathesis.openapi.from_dict(document_of(TABLE, fuzzed.url))


@pytest.mark.fault
@pytest.mark.parametrize(
    "name", [f"{one.route.method} {one.route.path}" for one in TABLE.endpoints if one.route.path not in LEFT_OUT]
)
def test_nothing_that_fits_the_document_breaks_the_server(fuzzed: Served, schema: Any, name: str) -> None:
    method, path = name.split(" ")
    operation = schema[path.replace("+}", "}")][method]

    @settings(
        max_examples=counted(3, 150),
        deadline=None,
        database=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def sent(case: Any) -> None:
        answer = case.call(headers={"Authorization": f"Bearer {fuzzed.token}"}, base_url=fuzzed.url)
        case.validate_response(answer, checks=list(CHECKS))

    sent()
    assert fuzzed.process.poll() is None
