"""Claude's memory tool: the official runner drives it, and it answers in the words of the official file tool."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from anthropic import Anthropic, AsyncAnthropic
from anthropic.lib.tools import ToolError
from anthropic.tools.memory import BetaLocalFilesystemMemoryTool
from counts import counted
from hypothesis import given, settings
from hypothesis import strategies as st
from provider_chat_script import ChatScript, Said
from provider_server import ProviderServer

from holdfast import Memory
from holdfast.errors import NotPermitted
from holdfast.surfaces.adapters.anthropic_memory import AsyncMemoryTool, MemoryTool

HEAD = "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items:"
EDITED = "The memory file has been edited. Here is the snippet showing the change (with line numbers):"
ASKED: dict[str, Any] = {
    "model": "claude",
    "max_tokens": 99,
    "messages": [{"role": "user", "content": "Remember that I like tea without milk."}],
    "thread": False,  # the test server holds no conversations
}


def call(tool: Any, **command: Any) -> str:
    """What a command answers; an error as the text that the model would get."""
    try:
        return str(tool.call(command))
    except ToolError as error:
        return f"error: {error}"


@pytest.fixture
def tool(memory: Memory) -> MemoryTool:
    return MemoryTool(memory)


def results(server: ProviderServer) -> list[dict[str, Any]]:
    """The results of tools that the model was sent in its last request."""
    (body,) = [seen.json for seen in server.asked(r"/v1/messages")][-1:]
    turns = [turn["content"] for turn in body["messages"] if not isinstance(turn["content"], str)]
    return [block for blocks in turns for block in blocks if block["type"] == "tool_result"]


def test_the_official_runner_saves_a_note_that_search_finds(
    memory: Memory, provider: ProviderServer, script: ChatScript
) -> None:
    script.say(
        Said(calls=(("memory", {"command": "view", "path": "/memories"}),)),
        Said(calls=(("memory", {"command": "create", "path": "/memories/tea.md", "file_text": "Tea, no milk.\n"}),)),
        Said(calls=(("memory", {"command": "view", "path": "/etc/passwd"}),)),
        Said("I will remember."),
    )
    with Anthropic(base_url=provider.url, api_key=provider.key) as client:
        runner = client.beta.messages.tool_runner(**ASKED, tools=[MemoryTool(memory)])
        last = runner.until_done()
    assert last.content[0].type == "text"
    assert provider.asked(r"/v1/messages")[0].json["tools"] == [{"type": "memory_20250818", "name": "memory"}]
    assert [(one["content"], bool(one.get("is_error"))) for one in results(provider)] == [
        (f"{HEAD}\n0B\t/memories", False),
        ("File created successfully at: /memories/tea.md", False),
        ("Path must start with /memories, got: /etc/passwd", True),
    ]
    assert [hit.path for hit in memory.search("tea milk").results] == ["memory/tea.md"]
    (made,) = memory.history("memory/tea.md")
    assert (made.origin, made.tool) == ("agent", "notes_write")


def test_the_async_runner_does_the_same(memory: Memory, provider: ProviderServer, script: ChatScript) -> None:
    import anyio

    commands = [
        {"command": "create", "path": "/memories/a.md", "file_text": "one\ntwo\n"},
        {"command": "str_replace", "path": "/memories/a.md", "old_str": "two", "new_str": "2"},
        {"command": "insert", "path": "/memories/a.md", "insert_line": 1, "insert_text": "1.5"},
        {"command": "rename", "old_path": "/memories/a.md", "new_path": "/memories/b.md"},
        {"command": "view", "path": "/memories/b.md"},
        {"command": "delete", "path": "/memories/b.md"},
    ]
    script.say(*(Said(calls=(("memory", command),)) for command in commands), Said("Done."))

    async def run() -> None:
        async with AsyncAnthropic(base_url=provider.url, api_key=provider.key) as client:
            tools = [AsyncMemoryTool(memory)]
            await client.beta.messages.tool_runner(**ASKED, tools=tools).until_done()

    anyio.run(run)
    assert [one["content"] for one in results(provider)] == [
        "File created successfully at: /memories/a.md",
        f"{EDITED}\n     1\tone\n     2\t2\n     3\t",
        "The file /memories/a.md has been edited.",
        "Successfully renamed /memories/a.md to /memories/b.md",
        "Here's the content of /memories/b.md with line numbers:\n     1\tone\n     2\t1.5\n     3\t2\n     4\t",
        "Successfully deleted /memories/b.md",
    ]


NAMES = st.sampled_from(["/memories/a.md", "/memories/b.md", "/memories/MEMORY.md", "/memories", "/memories/none.md"])
TEXTS = st.text(st.sampled_from("ab \n-é字"), max_size=12)
COMMANDS = st.one_of(
    st.fixed_dictionaries({
        "command": st.just("view"),
        "path": NAMES,
        "view_range": st.none() | st.lists(st.integers(-1, 5), min_size=2, max_size=2),
    }),
    st.fixed_dictionaries({"command": st.just("create"), "path": NAMES.filter(lambda name: name != "/memories"),
                           "file_text": TEXTS}),
    st.fixed_dictionaries({"command": st.just("str_replace"), "path": NAMES, "old_str": TEXTS.filter(bool),
                           "new_str": TEXTS}),
    st.fixed_dictionaries({"command": st.just("insert"), "path": NAMES, "insert_line": st.integers(-1, 5),
                           "insert_text": TEXTS}),
    st.fixed_dictionaries({"command": st.just("delete"), "path": NAMES}),
    st.fixed_dictionaries({"command": st.just("rename"), "old_path": NAMES, "new_path": NAMES}),
)  # fmt: skip


@pytest.fixture(scope="module")
def places() -> Iterator[Path]:
    made = Path(tempfile.mkdtemp())
    yield made
    shutil.rmtree(made)


@settings(max_examples=counted(5, 240), deadline=None)
@given(commands=st.lists(COMMANDS, min_size=1, max_size=8))
def test_any_commands_are_answered_as_the_official_tool_answers_them(commands: list[Any], places: Path) -> None:
    here = Path(tempfile.mkdtemp(dir=places))
    official = BetaLocalFilesystemMemoryTool(str(here / "official"))
    # Of MEMORY.md it can only be true where nothing waits for the owner (test_waiting_for_the_owner.py: where it does).
    with Memory.open(here / "home", settings={"memory.prompt_approval": "never"}) as memory:
        ours = MemoryTool(memory)
        for command in commands:
            # A folder's own size is the file system's business.
            told = [call(tool, **command) for tool in (official, ours)]
            shown = [text.replace("4.0K\t/memories\n", "").split("\n") for text in told]
            if command["command"] == "view" and command["path"] == "/memories":
                assert shown[0][0] == shown[1][0]
                assert shown[0][2:] == shown[1][2:]
            else:
                assert shown[0] == shown[1], command


def test_folders_of_the_owner_are_shown_and_not_changed(owner: Memory, home: Path, tool: MemoryTool) -> None:
    (home / "memory" / "work" / "deep").mkdir(parents=True)
    (home / "memory" / "work" / "plan.md").write_text("The plan.\n")
    (home / "memory" / "work" / "deep" / "down.md").write_text("Deep.\n")
    (home / "memory" / "sessions").mkdir()
    (home / "memory" / "sessions" / "2026-01-01-talk.md").write_text("x" * 2048)
    owner.save("Always.", file="MEMORY.md")
    assert call(tool, command="view", path="/memories").split("\n")[1:] == [
        "2.0K\t/memories",
        "8B\t/memories/MEMORY.md",
        "2K\t/memories/sessions/",
        "16B\t/memories/work/",
        "6B\t/memories/work/deep/",
        "10B\t/memories/work/plan.md",
    ]
    assert "plan.md" in call(tool, command="view", path="/memories/work/")
    assert "2026-01-01-talk.md" in call(tool, command="view", path="/memories/sessions")
    assert "The plan." in call(tool, command="view", path="/memories/work/plan.md")
    assert call(tool, command="delete", path="/memories/work") == (
        "error: /memories/work is a folder, and folders are their owner's: only files can be deleted or renamed."
    )
    assert "folders can't be made here" in call(tool, command="delete", path="/memories/work/plan.md")
    assert call(tool, command="create", path="/memories/a/b.md", file_text="x") == (
        "error: /memories/a/b.md can't be used for a memory file: folders can't be made here. Use /memories/a-b.md."
    )


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/memories/notes.txt", "it does not end in '.md'. Use /memories/notes-txt.md."),
        ("/memories/.hidden.md", "a segment starts with a dot. Use /memories/hidden.md."),
        ("/memories/../x.md", "Path /memories/../x.md would escape /memories directory"),
        ("/memoriesx/a.md", "Path must start with /memories, got: /memoriesx/a.md"),
        ("/memories/con.md", "Windows keeps this name for a device. Use /memories/<name>.md."),
        ("/memories/a b.md", "it has white space (U+0020). Use /memories/<name>.md."),
        ("/memories/..%2fx.md", "it has a '%', which a URL could turn into another character"),
        ("/memories/a\0.md", "it has a control character (U+0000)"),
    ],
)
def test_a_name_that_no_note_can_have_is_refused_with_one_that_can(path: str, why: str, tool: MemoryTool) -> None:
    assert why in call(tool, command="create", path=path, file_text="x")


def test_what_a_model_leaves_out_or_mistypes_is_told_and_not_raised(tool: MemoryTool) -> None:
    assert call(tool, command="view") == "error: The command needs a `path` that is text."
    assert call(tool, command="view", path=3) == "error: The command needs a `path` that is text."
    assert call(tool, command="create", path="/memories/a.md") == "error: The command needs `file_text`, as text."
    call(tool, command="create", path="/memories/a.md", file_text="x")
    assert "should be a whole number" in call(
        tool, command="insert", path="/memories/a.md", insert_line="x", insert_text="y"
    )


def test_a_secret_and_a_forbidden_write_are_refused_in_words(memory: Memory, home: Path, tool: MemoryTool) -> None:
    told = call(tool, command="create", path="/memories/a.md", file_text="key: AKIAIOSFODNN7EXAMPLA\n")
    assert "looks like a secret" in told
    with Memory.open(home, settings={"memory.agent_write_mode": "search-only"}) as strict:
        told = call(MemoryTool(strict), command="create", path="/memories/MEMORY.md", file_text="x")
    assert "memory.agent_write_mode" in told
    assert memory.history() == []


def test_a_long_note_of_the_owner_can_be_edited_though_it_is_longer_than_one_write(
    home: Path, tool: MemoryTool
) -> None:
    (home / "memory").mkdir(exist_ok=True)
    (home / "memory" / "long.md").write_bytes(b"A line of the owner.\r\n" * 5000 + b"The needle.\r\n")
    told = call(tool, command="str_replace", path="/memories/long.md", old_str="The needle.", new_str="Found.\nTwice.")
    assert told.endswith("  5001\tFound.\n  5002\tTwice.\n  5003\t")
    assert (home / "memory" / "long.md").read_bytes().endswith(b"owner.\r\nFound.\r\nTwice.\r\n")


def test_a_rename_is_undone_as_one_change(memory: Memory, home: Path, tool: MemoryTool) -> None:
    call(tool, command="create", path="/memories/a.md", file_text="words")
    call(tool, command="rename", old_path="/memories/a.md", new_path="/memories/b.md")
    memory.undo()
    assert (home / "memory" / "a.md").read_text() == "words"
    assert not (home / "memory" / "b.md").exists()


def test_not_all_memory_can_be_cleared_at_once(tool: MemoryTool) -> None:
    with pytest.raises(NotPermitted, match="the owner's"):
        tool.clear_all_memory()
