"""What a model is told about the tools agrees with what they take."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Mapping
from typing import Any

import pytest

from holdfast import Memory
from holdfast.operations.tool_schema import schema_of
from holdfast.operations.toolbox import TOOLS

# As the seeds and the issue give them: the parameters in order, and which of them are required.
EXPECTED = {
    "memory_search": (
        [
            *("query", "limit", "min_score", "path", "source", "since", "until", "project"),
            *("category", "origin", "min_importance", "min_trust", "by_passage"),
        ],
        ["query"],
    ),
    "memory_get": (["path", "chunk_id", "from", "lines"], []),
    "memory_save": (["content", "file", "append", "expected_hash"], ["content"]),
    "memory_forget": (["request", "dry_run", "limit", "text"], []),  # one of request and text
    "memory_delete": (["file", "text", "all_matches", "delete_if_empty", "delete_file"], ["file"]),
    "checkpoints_list": (["limit", "path"], []),
    "checkpoint_restore": (["id"], ["id"]),
    "store": (["text", "category", "importance", "valid_from", "valid_until"], ["text"]),
    "recall": (
        [
            *("query", "limit", "category", "origin", "min_importance", "since", "until"),
            *("as_of", "include_superseded", "include_archived"),
        ],
        ["query"],
    ),
    "forget": (["id", "text"], []),
    "list": (["category", "origin", "since", "until", "min_importance", "state", "limit", "offset"], []),
}
TYPES = {"string": str, "integer": int, "number": float, "boolean": bool}


def check_schema(schema: Mapping[str, Any]) -> None:
    """The part of JSON Schema that tool schemas use."""
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert set(schema) == {"type", "properties", "required", "additionalProperties"}
    assert set(schema["required"]) <= set(schema["properties"])
    for name, one in schema["properties"].items():
        assert re.fullmatch(r"[a-zA-Z0-9_.-]{1,64}", name)
        assert set(one) <= {"type", "description", "default"}
        assert one["type"] in TYPES
        assert one["description"].endswith(".")
        if "default" in one:
            assert type(one["default"]) is TYPES[one["type"]]


def test_both_dialects_offer_every_tool_with_a_valid_schema() -> None:
    with Memory.open() as memory:
        openai, anthropic = memory.tools().openai(), memory.tools().anthropic()
    assert [one["function"]["name"] for one in openai] == [one["name"] for one in anthropic] == list(EXPECTED)
    for one, other in zip(openai, anthropic, strict=True):
        assert set(one) == {"type", "function"}
        assert one["type"] == "function"
        assert set(one["function"]) == {"name", "description", "parameters"}
        assert set(other) == {"name", "description", "input_schema"}
        assert one["function"]["parameters"] == other["input_schema"]
        assert one["function"]["description"] == other["description"]
        assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", other["name"])
        assert 20 < len(other["description"]) < 1024
        check_schema(other["input_schema"])
    assert json.loads(json.dumps(openai)) == openai


@pytest.mark.parametrize("name", EXPECTED)
def test_a_schema_has_the_parameters_of_the_seeds_and_of_the_signature(name: str) -> None:
    schema = schema_of(TOOLS[name])
    assert (list(schema["properties"]), schema["required"]) == EXPECTED[name]
    parameters = list(inspect.signature(TOOLS[name]).parameters.values())[1:]
    # No model is told of what is for programs, and some it knows by another name.
    signature = [one for one in parameters if "FOR_PROGRAMS" not in str(one.annotation)]
    names = {"max_results": "limit", "checkpoint": "id", "from_line": "from"}
    told = [names.get(one.name, one.name.rstrip("_")) for one in signature]
    assert told == list(schema["properties"])
    for name, one in zip(told, signature, strict=True):
        shown = schema["properties"][name]
        assert shown.get("default", None) == (None if one.default is inspect.Parameter.empty else one.default)


def test_the_defaults_are_those_of_the_seeds() -> None:
    def defaults(name: str) -> dict[str, object]:
        properties = schema_of(TOOLS[name])["properties"]
        return {key: one["default"] for key, one in properties.items() if "default" in one}

    assert defaults("memory_save") == {"append": True}
    assert defaults("memory_delete") == {"all_matches": False, "delete_if_empty": True, "delete_file": False}
    assert defaults("memory_forget") == {"dry_run": False, "limit": 6}
    assert defaults("memory_get") == {"from": 1, "lines": 120}
