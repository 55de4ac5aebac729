"""What MCP clients want in MEMORY.md: it waits under the client's name, and one with the owner's tools decides."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from surfaces.mcp.connections import LEGACY, MODERN, Connect, over_http, over_stdio
from surfaces.mcp.fences import value_in

from holdfast import Memory

SAVE = {"content": "The launch moved to March."}
BOTH = pytest.mark.parametrize("connect", [over_stdio, over_http])


async def called(client: Client, name: str, arguments: dict[str, Any] | None = None) -> Any:
    (part,) = (await client.call_tool(name, arguments or {})).content
    assert part.type == "text"
    return value_in(part.text)


@BOTH
@pytest.mark.parametrize("mode", [LEGACY, MODERN])
def test_a_save_waits_under_the_name_of_its_client(home: Path, connect: Connect, mode: str) -> None:
    async def work() -> Any:
        async with connect(mode) as client:
            return await called(client, "memory_save", SAVE), client.session

    saved, _ = anyio.run(work)
    assert (saved["saved"], saved["waits"]) == (False, True)
    assert not (home / "MEMORY.md").exists()
    with Memory.open(home) as memory:
        (entry,) = memory.inbox.list()
    assert (entry.text, entry.origin, bool(entry.client)) == (SAVE["content"], "mcp_tool", True)


def test_the_owner_names_a_client_whose_saves_need_no_approval(home: Path) -> None:
    anyio.run(_saved)
    with Memory.open(home) as memory:
        (entry,) = memory.inbox.list()
        memory.inbox.reject(entry.id)
    home.joinpath("holdfast.toml").write_text(f'[memory]\napproved_origins = ["mcp_tool/{entry.client}"]\n')
    anyio.run(_saved)
    assert (home / "MEMORY.md").read_text() == f"{SAVE['content']}\n"


async def _saved() -> None:
    async with over_stdio(MODERN) as client:
        await called(client, "memory_save", SAVE)


@BOTH
@pytest.mark.parametrize("tools", ["core", "facts", "all"])
def test_nobody_but_the_owners_agent_has_the_tools_of_the_inbox(home: Path, connect: Connect, tools: str) -> None:
    async def names() -> list[str]:
        async with connect(MODERN, "--tools", tools) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    assert not [name for name in anyio.run(names) if name.startswith("inbox")]
    assert home


@BOTH
def test_the_owners_agent_lists_edits_approves_and_rejects(home: Path, connect: Connect) -> None:
    async def work() -> None:
        async with connect(MODERN, "--tools", "owner") as client:
            for text in ("- One is here.", "- Two is here."):
                await called(client, "memory_save", {"content": text})
            one, two = (await called(client, "inbox_list"))["entries"]
            edited = await called(client, "inbox_edit", {"id": one["id"], "text": "One is there."})
            assert (await called(client, "inbox_approve", {"id": edited["id"]}))["outcome"] == "approved"
            assert (await called(client, "inbox_reject", {"id": two["id"]}))["outcome"] == "rejected"
            assert (await called(client, "inbox_list"))["entries"] == []

    anyio.run(work)
    text = (home / "MEMORY.md").read_text()
    assert "One is there." in text and "Two" not in text
