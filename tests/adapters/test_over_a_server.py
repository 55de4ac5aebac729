"""Every adapter with `holdfast.connect(…)` in the place of a Memory: nothing but the place of the memory changes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import anyio
import pytest
from surfaces.http.serving import Served, served

import holdfast
from holdfast import Memory, Origin


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all; each test is an agent of its own there."""
    with served(tmp_path_factory.mktemp("over") / "home") as running:
        yield running


@pytest.fixture
def client(server: Served, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A connection; untyped, because adapters are declared for a Memory, whose methods it has."""
    agent = request.node.name.removeprefix("test_").replace("_", "-")[:60]
    with holdfast.connect(server.url, token=server.token, agent=agent) as connected:
        yield connected


@pytest.fixture
def owner(server: Served, client: Any) -> Iterator[Memory]:
    """The memory of the test's agent in the hands of its owner, on the machine of the server."""
    with Memory.open(server.home, client.agent, origin=Origin.USER) as opened:
        yield opened


def origins(client: Any) -> set[str]:
    return {change.origin for change in client.history()}


def test_claude_s_memory_tool(client: Any) -> None:
    from holdfast.surfaces.adapters.anthropic_memory import AsyncMemoryTool, MemoryTool

    tool = MemoryTool(client)
    path = {"path": "/memories/tea.md"}
    assert str(tool.call({"command": "create", **path, "file_text": "one\ntwo\n"})).startswith("File created")
    assert "already exists" in failed(tool, {"command": "create", **path, "file_text": "x"})
    edited = tool.call({"command": "str_replace", **path, "old_str": "two", "new_str": "2"})
    assert str(edited).endswith("     1\tone\n     2\t2\n     3\t")
    tool.call({"command": "insert", **path, "insert_line": 0, "insert_text": "zero"})
    tool.call({"command": "rename", "old_path": "/memories/tea.md", "new_path": "/memories/b.md"})
    assert client.notes.read("memory/b.md").text == "zero\none\n2\n"
    assert "/memories/b.md" in str(tool.call({"command": "view", "path": "/memories"}))
    shown = anyio.run(AsyncMemoryTool(client).call, {"command": "view", "path": "/memories/b.md"})
    assert "     1\tzero" in str(shown)
    assert str(tool.call({"command": "delete", "path": "/memories/b.md"})) == "Successfully deleted /memories/b.md"
    assert "would escape" in failed(tool, {"command": "view", "path": "/memories/../x"})
    assert origins(client) == {"agent"}


def failed(tool: Any, command: dict[str, Any]) -> str:
    from anthropic.lib.tools import ToolError

    with pytest.raises(ToolError) as error:
        tool.call(command)
    return str(error.value)


def test_the_openai_agents_sdk(client: Any, owner: Memory) -> None:
    from agents.tool_context import ToolContext

    from holdfast.surfaces.adapters.openai_agents import HoldfastSession, function_tools, instructions

    items: list[Any] = [
        {"role": "user", "content": "one"},
        {"type": "function_call", "call_id": "c1", "name": "look", "arguments": '{"at": 1}', "status": "completed"},
        {"type": "function_call_output", "call_id": "c1", "output": "found"},
    ]
    save: Any = next(tool for tool in function_tools(client) if tool.name == "memory_save")

    async def steps() -> None:
        session = HoldfastSession(client, "talk")
        await session.add_items(items)
        assert await HoldfastSession(client, "talk").get_items() == items
        assert await session.pop_item() == items[-1]
        context: ToolContext[None] = ToolContext(None, tool_name="memory_save", tool_call_id="c", tool_arguments="")
        asked = json.dumps({"content": "The stork nests in June.", "file": "memory/stork.md"})
        assert json.loads(await save.on_invoke_tool(context, asked))["saved"] is True
        owner.save("Anna likes herons.")
        assert "Anna likes herons." in await instructions(client, "talk", "Be brief.")(None, None)
        await session.clear_session()
        assert await session.get_items() == []

    anyio.run(steps)
    assert [change.origin for change in client.history("memory/stork.md")] == ["agent"]


def test_the_store_of_langgraph(client: Any) -> None:
    from holdfast.surfaces.adapters.langgraph_store import HoldfastStore

    store = HoldfastStore(client, ttl={"default_ttl": 10, "refresh_on_read": True})
    store.put(("users", "anna"), "tea", {"text": "Anna drinks green tea.", "n": 1})
    store.put(("users", "ben"), "car", {"text": "The garage repaired the gearbox.", "n": 2})
    item = store.get(("users", "anna"), "tea")
    assert item is not None and item.value == {"text": "Anna drinks green tea.", "n": 1}
    assert [one.key for one in store.search(("users",), query="who drinks tea", limit=1)] == ["tea"]
    assert [one.key for one in store.search(("users",), filter={"n": {"$gt": 1}})] == ["car"]
    assert store.list_namespaces() == [("users", "anna"), ("users", "ben")]
    anyio.run(store.adelete, ("users", "ben"), "car")
    assert store.get(("users", "ben"), "car") is None
    assert origins(client) == {"agent"}


def test_the_notebook_of_pydantic_ai(client: Any) -> None:
    from pydantic_ai_harness.memory import MemoryConflictError, MemoryOperation

    from holdfast.surfaces.adapters.pydantic_ai import HoldfastMemoryStore, toolset

    store = HoldfastMemoryStore(client)
    operation = MemoryOperation("op1", "f1")

    async def steps() -> None:
        made = await store.write_with_metadata(
            "main/a.md", "The swan nests in May.", expected_version=None, metadata={"by": "anna"}, operation=operation
        )
        again = await store.write("main/a.md", "twice", expected_version=None, operation=operation)
        assert (made.replayed, again.replayed) == (False, True)
        with pytest.raises(MemoryConflictError):
            await store.write("main/a.md", "other", expected_version="0" * 64)
        found = await store.read("main/a.md", max_chars=8)
        assert found is not None and (found.content, found.truncated) == ("The swan", True)
        assert found.metadata == {"by": "anna"}
        hits = await store.search("main/", "swan nests", limit=1, max_files=9, max_chars=99, max_file_chars=99)
        assert [match.path for match in hits.matches] == ["main/a.md"]
        await store.delete("main/a.md", expected_version=made.version)
        assert await store.list_paths(limit=9) == []

    anyio.run(steps)
    assert origins(client) == {"agent"}
    assert "memory_save" in toolset(client).tools


def test_llamaindex(client: Any, owner: Memory) -> None:
    pytest.importorskip("llama_index.core", reason="`make test-adapters` installs it")
    from llama_index.core.base.llms.types import ChatMessage

    from holdfast.surfaces.adapters.llamaindex import HoldfastMemoryBlock, function_tools

    block = HoldfastMemoryBlock(client)
    owner.save("Anna likes herons.")

    async def steps() -> None:
        assert "Anna likes herons." in await block.aget([ChatMessage(role="user", content="What do I like?")])
        await block.aput([ChatMessage(role="user", content="The crane nests in July.")])

    anyio.run(steps)
    assert [one.text for one in client.session("llamaindex").messages()] == ["The crane nests in July."]
    assert len(function_tools(client)) == 4


def test_google_adk(client: Any) -> None:
    pytest.importorskip("google.adk", reason="`make test-adapters` installs it")
    from google.adk.memory.memory_entry import MemoryEntry
    from google.genai import types

    from holdfast.surfaces.adapters.google_adk import HoldfastMemoryService, tools

    service = HoldfastMemoryService(client)
    whose: dict[str, Any] = {"app_name": "app", "user_id": "user"}
    said = MemoryEntry(content=types.Content(parts=[types.Part(text="I like herons.")]))

    async def steps() -> None:
        await service.add_memory(**whose, memories=[said])
        found = await service.search_memory(**whose, query="herons")
        assert "herons" in str(found.memories[0].content)

    anyio.run(steps)
    assert origins(client) == {"agent"} and len(tools(client)) == 4


def test_crewai(client: Any) -> None:
    pytest.importorskip("crewai", reason="`make test-adapters` installs it")
    from holdfast.surfaces.adapters.crewai import HoldfastMemory, tools

    crew = HoldfastMemory(client)
    crew.remember("I like herons.")
    assert "herons" in crew.recall("herons")[0].record.content
    assert origins(client) == {"agent"} and len(tools(client)) == 4


def test_autogen(client: Any) -> None:
    pytest.importorskip("autogen_core", reason="`make test-adapters` installs it")
    from autogen_core.memory import MemoryContent, MemoryMimeType

    from holdfast.surfaces.adapters.autogen import HoldfastMemory, tools

    held = HoldfastMemory(client)

    async def steps() -> None:
        await held.add(MemoryContent(content="I like herons.", mime_type=MemoryMimeType.TEXT))
        assert "herons" in str((await held.query("herons")).results[0].content)

    anyio.run(steps)
    assert origins(client) == {"agent"} and len(tools(client)) == 4


def test_agent_framework(client: Any, owner: Memory) -> None:
    pytest.importorskip("agent_framework", reason="`make test-adapters` installs it")
    from agent_framework import AgentSession, Message, SessionContext

    from holdfast.surfaces.adapters.agent_framework import HoldfastProvider

    owner.save("Anna likes herons.")
    provider: Any = HoldfastProvider(client)
    session = AgentSession(session_id="talk")
    context = SessionContext(input_messages=[Message("user", ["What do I like?"])])
    anyio.run(lambda: provider.before_run(agent=None, session=session, context=context, state={}))
    assert "Anna likes herons." in str(context.instructions)
