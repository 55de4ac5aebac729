"""The four write modes and the four styles."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.errors import WriteModeRefused
from holdfast.guard.origin import Origin
from holdfast.markdown.agent_section import HEADING
from holdfast.operations.toolbox import TOOLS

SAID = "I drink tea."  # what the user typed goes into MEMORY.md at once
WRITES = ["MEMORY.md", "memory.md", "memory/a.md"]
ALLOWED = {
    "hybrid": set(WRITES),
    "prompt-only": {"MEMORY.md", "memory.md"},
    "search-only": {"memory/a.md"},
    "off": set(),
}
DEFAULT = {"hybrid": "MEMORY.md", "prompt-only": "MEMORY.md", "search-only": "memory/notes.md", "off": None}


@pytest.mark.parametrize("mode", ALLOWED)
@pytest.mark.parametrize("file", WRITES)
def test_a_write_mode_allows_its_targets_and_no_others(home: Path, mode: str, file: str) -> None:
    with Memory.open(origin=Origin.USER) as memory:
        memory.save("there before", file=file)
        memory.session().append("user", SAID)
    with Memory.open(settings={"memory.agent_write_mode": mode}) as memory:
        saved = memory.tools().call("memory_save", {"content": SAID, "file": file})
        deleted = memory.tools().call("memory_delete", {"file": file, "text": f"{SAID}\n"})
        if file in ALLOWED[mode]:
            assert (saved["path"], deleted["path"]) == (file, file)
            left = (home / file).read_text(encoding="utf-8").strip()
            assert left.removesuffix(HEADING).strip() == "there before"
            return
        for refused in (saved, deleted):
            assert refused["error"]["type"] == "WriteModeRefused"
            assert mode in refused["error"]["message"]
        with pytest.raises(WriteModeRefused):
            memory.save(SAID, file=file)
        with pytest.raises(WriteModeRefused):
            memory.delete(file, delete_file=True)
    assert (home / file).read_text(encoding="utf-8") == "there before\n"


@pytest.mark.parametrize("mode", DEFAULT)
def test_the_default_target_follows_the_write_mode(mode: str) -> None:
    with Memory.open(settings={"memory.agent_write_mode": mode}) as memory:
        memory.session().append("user", SAID)
        saved = memory.tools().call("memory_save", {"content": SAID})
        assert saved.get("path") == DEFAULT[mode]
        assert (saved.get("error") is None) == (DEFAULT[mode] is not None)


def test_without_writes_no_tool_that_writes_is_offered_and_a_call_is_told_why() -> None:
    with Memory.open(settings={"memory.agent_write_mode": "off"}) as memory:
        tools = memory.tools()
        reading = ("memory_search", "memory_get", "checkpoints_list", "recall", "list")
        assert tools.names == reading
        assert tuple(one["name"] for one in tools.anthropic()) == reading
        assert tuple(one["function"]["name"] for one in tools.openai()) == reading
        assert memory.session().tools().names == (*reading, "session_state")
        assert tools.call("store", {"text": "I like plums"})["error"]["type"] == "WriteModeRefused"
        assert "checkpoint_restore" in memory.tools(Origin.USER).names, "the owner can go back"


@pytest.mark.parametrize("mode", ALLOWED)
def test_an_agent_can_restore_only_what_it_may_write(home: Path, mode: str) -> None:
    with Memory.open() as memory:
        memory.session().append("user", SAID)
        checkpoints = {file: memory.save(SAID, file=file).checkpoint_id for file in ("MEMORY.md", "memory/a.md")}
    with Memory.open(settings={"memory.agent_write_mode": mode}) as memory:
        for file, checkpoint in checkpoints.items():
            restored = memory.tools().call("checkpoint_restore", {"id": checkpoint})
            assert ("error" not in restored) == (file in ALLOWED[mode]), file
            assert (home / file).exists() == (file not in ALLOWED[mode])


def test_the_owner_can_go_back_in_every_mode(home: Path) -> None:
    with Memory.open(origin=Origin.USER) as memory:
        memory.save("x")
    with Memory.open(settings={"memory.agent_write_mode": "off"}, origin=Origin("user")) as memory:
        memory.undo()
    assert not (home / "MEMORY.md").exists()


@pytest.mark.parametrize("mode", ALLOWED)
def test_reading_is_never_refused(mode: str) -> None:
    with Memory.open(origin=Origin.USER) as memory:
        memory.save("giraffe")
    with Memory.open(settings={"memory.agent_write_mode": mode}) as memory:
        tools = memory.tools()
        assert tools.call("memory_search", {"query": "giraffe"})["results"]
        assert tools.call("memory_get", {"path": "MEMORY.md"})["text"] == "giraffe"
        assert tools.call("checkpoints_list")["count"] == 1


@pytest.mark.parametrize(("style", "offered"), [("hybrid", 1), ("search-only", 1), ("prompt-only", 0), ("off", 0)])
def test_a_style_offers_the_tools_or_keeps_them_back(style: str, offered: int) -> None:
    with Memory.open(settings={"memory.style": style}) as memory:
        tools = memory.tools()
        assert tools.names == (tuple(TOOLS) if offered else ())
        assert len(tools.openai()) == len(tools.anthropic()) == len(TOOLS) * offered
        done = tools.call("memory_save", {"content": "x"})
        assert ("error" in done) == (not offered)
        memory.save("the owner's program still can", file="memory/b.md")
