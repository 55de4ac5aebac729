"""The shapes say what the tools really give: every result of every tool fits, with no field left unsaid."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from holdfast import Memory, Origin, errors
from holdfast.operations.result_shapes import ERROR, SHAPES, Shape
from holdfast.operations.toolbox import OWNER_TOOLS, SESSION_TOOLS, TOOLS, Toolbox
from holdfast.surfaces.mcp.connector import CONNECTOR
from holdfast.surfaces.mcp.error_codes import FAULTS, INTERNAL, NOT_FOUND, PARAMS, code_of, error_body
from holdfast.surfaces.mcp.tool_profile import HINTS, Profile, profile_tools

jsonschema: Any = import_module("jsonschema")  # has no types of its own
ALL = {**TOOLS, **SESSION_TOOLS, **OWNER_TOOLS}


def closed(shape: Any) -> Any:
    """The same schema without room for fields that it does not name."""
    if isinstance(shape, list):
        return [closed(one) for one in shape]
    if not isinstance(shape, dict):
        return shape
    inner = {key: closed(value) for key, value in shape.items()}
    return {**inner, "additionalProperties": False} if isinstance(shape.get("properties"), dict) else inner


def results(box: Toolbox) -> Iterator[tuple[str, dict[str, Any]]]:
    """Calls of every tool, in all the forms that their results have."""

    def call(name: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
        return name, box.call(name, arguments)

    yield call("memory_save", content="# Launch\n\nThe launch moved to 3 March.", file="memory/launch.md")
    yield call("memory_save", content="Known everywhere.\n\nBut not yet.")
    yield call("memory_search", query="known everywhere")
    name, waiting = call("inbox_list")
    yield name, waiting
    first, second = waiting["entries"]
    name, edited = call("inbox_edit", id=first["id"], text="Known in Lima.")
    yield name, edited
    yield call("inbox_approve", id=edited["id"])
    yield call("inbox_reject", id=second["id"])
    yield call("memory_search", query="launch")
    yield call("memory_search", query="nothing like it anywhere", min_score=0.99)
    yield call("memory_get", path="memory/launch.md", lines=1)
    yield call("memory_get", path="memory/none.md")
    yield call("memory_get", chunk_id="memory/launch.md:3")
    yield call("memory_forget", request="the launch", dry_run=True)
    yield call("memory_forget", request="", text="The launch moved to 3 March.")
    yield call("memory_delete", file="memory/launch.md", delete_file=True)
    name, listed = call("checkpoints_list")
    yield name, listed
    yield call("checkpoint_restore", id=listed["checkpoints"][0]["id"])
    yield call("store", text="I live in Berlin", category="fact")
    yield call("store", text="I moved to Munich", category="fact", importance=0.8)
    name, recalled = call("recall", query="where do I live?", include_superseded=True)
    yield name, recalled
    yield call("memory_search", query="Munich", category="fact")
    yield call("list", state="all", limit=1)
    yield call("forget", id=recalled["results"][0]["id"])
    for action in ({"action": "set", "key": "k", "value": "[1]"}, {"action": "get", "key": "k"}, {"action": "list"}):
        yield call("session_state", **action)
    yield call("session_state", action="delete", key="k")
    yield call("session_state", action="clear")


def test_every_tool_has_a_shape_and_hints_and_no_other_does() -> None:
    assert set(SHAPES) == set(ALL)
    assert set(HINTS) == {*ALL, *CONNECTOR}
    for name in ALL:
        shape = SHAPES[name]
        jsonschema.Draft202012Validator.check_schema(shape)
        assert shape["type"] == "object"
        assert json.loads(json.dumps(shape)) == shape


def test_real_results_of_every_tool_fit_their_shapes_with_no_field_unsaid() -> None:
    seen: set[str] = set()
    with Memory.open() as memory:
        ctx = memory.ctx.for_origin(Origin.MCP_TOOL, memory.session(), client="claude-code")
        for name, result in results(Toolbox(ctx, owner=True)):
            assert "error" not in result, (name, result)
            jsonschema.validate(result, closed(SHAPES[name]), jsonschema.Draft202012Validator)
            seen.add(name)
    assert seen == set(ALL)


def test_an_error_fits_its_shape_and_no_result_does() -> None:
    with Memory.open() as memory:
        box = memory.tools()
        for name, arguments in (("memory_save", {}), ("nothing", {}), ("memory_save", {"content": "x", "file": "/x"})):
            jsonschema.validate(box.call(name, arguments), closed(ERROR), jsonschema.Draft202012Validator)
        found = box.call("checkpoints_list")
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(found, ERROR)


def classes() -> list[type[errors.HoldfastError]]:
    return [getattr(errors, name) for name in errors.__all__]


def test_every_class_of_error_has_a_code_and_the_table_is_in_an_order_that_decides() -> None:
    for kind in classes():
        error = kind.__new__(kind)
        Exception.__init__(error, "what happened")
        assert code_of(error) in (PARAMS, INTERNAL, NOT_FOUND)
        assert code_of(error, modern=True) in (PARAMS, INTERNAL)
        message = error.shown if kind in (errors.DatabaseAway, errors.DatabaseUnfit) else "what happened"
        assert error_body(error) == {"error": {"type": kind.__name__, "message": message}}
    table = [kind for kind, _ in FAULTS]
    for number, kind in enumerate(table):
        assert not any(issubclass(kind, before) for before in table[:number])
    direct = {kind for kind in classes() if kind.__base__ is errors.HoldfastError}
    assert direct <= set(table)


def test_where_a_database_stands_is_told_to_no_caller() -> None:
    for error in (
        errors.DatabaseAway("at db.example:5432", "no route to db.example", unsure=True),
        errors.DatabaseUnfit("at db.example:5432", "db.example has no tables", "Ask db.example."),
    ):
        assert "db.example" in str(error) and "db.example" not in json.dumps(error_body(error))


def test_what_nobody_foresaw_is_told_without_its_insides() -> None:
    assert "secret" not in json.dumps(error_body(ValueError("secret")))


@pytest.mark.parametrize("profile", Profile)
def test_a_profile_without_writing_has_only_what_reads(profile: Profile) -> None:
    names = profile_tools(profile, ALL, read_only=True)
    assert all(HINTS[name].reads for name in names)
    assert set(names) <= set(profile_tools(profile, ALL))


def test_the_shapes_of_the_connector_are_those_that_chatgpt_asks_for() -> None:
    def names(shape: Shape) -> list[str]:
        return list(shape["properties"])

    assert names(CONNECTOR["search"].gives) == ["results"]
    assert names(CONNECTOR["search"].gives["properties"]["results"]["items"]) == ["id", "title", "url"]
    assert names(CONNECTOR["fetch"].gives) == ["id", "title", "text", "url", "metadata"]
    assert (names(CONNECTOR["search"].takes), names(CONNECTOR["fetch"].takes)) == (["query"], ["id"])
