"""One story on every surface: save, search, read, delete, go back. The results are the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commandline import holdfast

from holdfast import Memory
from holdfast.tools.memory_delete import memory_delete
from holdfast.tools.memory_save import memory_save

NOTE = "memory/launch.md"
Surface = Callable[[str, dict[str, Any]], dict[str, Any]]


def by_library(home: Path) -> Surface:
    def call(name: str, given: dict[str, Any]) -> dict[str, Any]:
        with Memory.open(home) as memory:
            match name:
                case "memory_save":
                    return memory_save(memory.rooms, **given).to_json()
                case "memory_search":
                    return memory.search(given["query"], max_results=given["limit"]).to_json()
                case "memory_get":
                    return memory.get(given.get("path"), chunk_id=given.get("chunk_id")).to_json()
                case "memory_delete":
                    return memory_delete(memory.rooms, **given).to_json()
                case _:
                    return {"checkpointId": memory.restore(given["id"])}

    return call


def by_tools(home: Path) -> Surface:
    def call(name: str, given: dict[str, Any]) -> dict[str, Any]:
        with Memory.open(home) as memory:
            return memory.tools().call(name, json.dumps(given))

    return call


def by_command_line(home: Path) -> Surface:
    def words(name: str, given: dict[str, Any]) -> list[str]:
        match name:
            case "memory_save":
                return ["save", given["content"], "--file", given["file"]]
            case "memory_search":
                return ["search", given["query"], "-n", str(given["limit"])]
            case "memory_get":
                return ["get", given["path"]] if "path" in given else ["get", "--chunk-id", given["chunk_id"]]
            case "memory_delete":
                return ["delete", given["file"], "--text", given["text"]]
            case _:
                return ["restore", given["id"]]

    def call(name: str, given: dict[str, Any]) -> dict[str, Any]:
        return holdfast("--home", str(home), "--json", *words(name, given)).json

    return call


def story(call: Surface) -> list[Any]:
    """What each step gave, without what differs from run to run."""
    told: list[Any] = []

    def step(name: str, **given: Any) -> dict[str, Any]:
        result = call(name, given)
        told.append((name, {key: value for key, value in result.items() if key not in ("checkpointId", "took_ms")}))
        return result

    step("memory_save", content="# Launch\n\nThe launch moved to 3 March.", file=NOTE)
    step("memory_save", content="The rocket is blue.", file=NOTE)
    hit = step("memory_search", query="when do we launch?", limit=3)["results"][0]
    step("memory_get", chunk_id=hit["chunk_id"])
    step("memory_get", path=NOTE)
    step("memory_get", path="memory/none.md")
    gone = step("memory_delete", file=NOTE, text="The rocket is blue.\n")
    step("memory_search", query="rocket", limit=3)
    call("checkpoint_restore", {"id": gone["checkpointId"]})
    step("memory_search", query="rocket", limit=3)
    return told


@pytest.mark.parametrize("surface", [by_tools, by_command_line])
def test_every_surface_tells_the_story_of_the_library(tmp_path: Path, surface: Callable[[Path], Surface]) -> None:
    expected = story(by_library(tmp_path / "library"))
    assert story(surface(tmp_path / "other")) == expected
    assert (tmp_path / "other" / NOTE).read_bytes() == (tmp_path / "library" / NOTE).read_bytes()
    assert expected[-1][1]["results"]


def test_text_that_starts_with_a_dash_is_taken_after_two_dashes(home: Path) -> None:
    assert holdfast("save", "--", "-x is a flag").status == 0
    assert holdfast("save", "- a bullet").status == 0
    assert holdfast("search", "--", "-x").status == 0
    assert (home / "MEMORY.md").read_text(encoding="utf-8") == "-x is a flag\n- a bullet\n"
