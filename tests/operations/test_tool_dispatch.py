"""The dispatcher: whatever a model sends, an answer comes back that it can read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from counts import counted
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast import Memory, errors
from holdfast.guard.origin import Origin
from holdfast.operations.toolbox import TOOLS, Toolbox

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=30)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT | st.integers(-(10**400), 10**400)
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY_TEXT, inner, max_size=4), max_leaves=8
)
NAMES = st.sampled_from([*TOOLS]) | ANY_TEXT
KEYS = ["query", "limit", "min_score", "chunk_id", "path", "from", "from_", "lines", "content", "file", "append", "id"]
KEYS += ["text", "all_matches", "delete_if_empty", "delete_file", "expected_hash", "rooms"]
LIKELY = st.sampled_from(["MEMORY.md", "memory/a.md", "memory/a.md:1", "../x.md", "/etc/passwd", "x", "c0", ""])
ARGUMENTS = st.dictionaries(st.sampled_from(KEYS), SCALARS | LIKELY, max_size=5)


@pytest.fixture(scope="module")
def toolbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Toolbox]:
    with Memory.open(tmp_path_factory.mktemp("dispatch")) as memory:
        memory.save("something to find", file="memory/a.md")
        yield memory.tools()


def check(answer: dict[str, Any]) -> None:
    assert json.loads(json.dumps(answer)) == answer
    if "error" in answer:
        assert set(answer) == {"error"}
        assert set(answer["error"]) == {"type", "message"}
        assert answer["error"]["type"] in errors.__all__
        assert answer["error"]["message"].endswith((".", "?"))


@settings(max_examples=counted(12, 1_200), deadline=None)
@given(name=NAMES, arguments=ARGUMENTS)
def test_no_arguments_make_the_dispatcher_raise(toolbox: Toolbox, name: str, arguments: dict[str, Any]) -> None:
    check(toolbox.call(name, arguments))


@settings(max_examples=counted(10, 800), deadline=None)
@given(name=NAMES, arguments=JSON)
def test_no_json_makes_the_dispatcher_raise(toolbox: Toolbox, name: str, arguments: Any) -> None:
    check(toolbox.call(name, arguments))
    check(toolbox.call(name, json.dumps(arguments)))


@settings(max_examples=counted(6, 400), deadline=None)
@given(name=NAMES, text=ANY_TEXT)
def test_no_text_makes_the_dispatcher_raise(toolbox: Toolbox, name: str, text: str) -> None:
    check(toolbox.call(name, text))


@pytest.mark.parametrize("text", ["[" * 200_000, '{"a":' * 100_000, "1" * 10_000, "NaN", '{"limit":1e999}', "\ud800"])
def test_json_bombs_are_refused(toolbox: Toolbox, text: str) -> None:
    answer = toolbox.call("memory_search", text)
    check(answer)
    assert answer["error"]["type"] == "BadArgument"


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("memory_serch", {}, "memory_search"),
        ("", None, "there is no tool"),
        ("memory_save", None, "'content' can't be used: it is required"),
        ("memory_save", {"content": None}, "it is required"),
        ("memory_save", {"content": 5}, "it must be of type string"),
        ("memory_save", {"content": "x", "append": "yes"}, "it must be of type boolean"),
        ("memory_save", {"content": "x", "append": 1}, "it must be of type boolean"),
        ("memory_save", {"content": "x", "contents": "y"}, "it is not known; there are content, file"),
        ("memory_get", {"path": "MEMORY.md", "from_": 1}, "it is not known"),
        ("memory_get", {"path": "MEMORY.md", "from": True}, "it must be of type integer"),
        ("memory_get", {"path": "MEMORY.md", "from": 1.5}, "it must be of type integer"),
        ("memory_get", {"path": "MEMORY.md", "from": 10**30}, "out of range"),
        ("memory_search", {"query": "x", "min_score": "high"}, "it must be of type number"),
        ("memory_search", [1], "they are not an object"),
        ("memory_search", "{", "they are not JSON"),
    ],
)
def test_an_error_says_what_to_mend(toolbox: Toolbox, name: str, arguments: Any, says: str) -> None:
    answer = toolbox.call(name, arguments)
    assert answer["error"]["type"] == "BadArgument"
    assert says in answer["error"]["message"]


def test_a_name_that_is_no_text_is_answered(toolbox: Toolbox) -> None:
    wrong: list[object] = [None, 5, ["memory_save"], {}]
    for name in wrong:
        check(toolbox.call(name))  # type: ignore[arg-type]


def test_arguments_may_be_json_text_an_object_or_absent(home: Path) -> None:
    with Memory.open(origin=Origin.USER) as memory:
        tools = memory.tools(Origin.USER)
        assert tools.call("memory_save", '{"content": "x", "file": null}')["path"] == "MEMORY.md"
        assert tools.call("memory_get", {"path": "MEMORY.md", "from": None, "lines": 1.0})["text"] == "x"
        assert tools.call("checkpoints_list", "")["count"] == tools.call("checkpoints_list")["count"] == 1


def test_tools_can_be_had_while_the_index_is_broken(home: Path) -> None:
    (home / "state/main.sqlite").mkdir(parents=True)
    with Memory.open() as memory:
        memory.save("a walrus")
        found = memory.tools().call("memory_search", {"query": "walrus"})
        assert found["results"] and "the index can't be used" in found["because"]


def test_tools_share_what_is_open_with_the_memory_they_come_from(home: Path) -> None:
    with Memory.open() as memory:
        first, second = memory.tools(), memory.tools()
        first.call("memory_save", {"content": "shared giraffe"})
        assert second.call("memory_search", {"query": "giraffe"})["results"]
        assert "giraffe" in memory.search("giraffe").results[0].snippet
