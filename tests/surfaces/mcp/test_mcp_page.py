"""docs/clients/mcp.md is true: its entry starts a server, and its table of profiles is the one that is served."""

from __future__ import annotations

import json
import re
from pathlib import Path

import anyio
from mcp import Client, StdioServerParameters
from surfaces.mcp.connections import SCRIPT, environment

from holdfast.operations.toolbox import TOOLS
from holdfast.surfaces.mcp.tool_profile import Profile, profile_tools

PAGE = (Path(__file__).parents[3] / "docs/clients/mcp.md").read_text(encoding="utf-8")


def test_the_entry_on_the_page_starts_a_server_with_the_default_tools() -> None:
    block = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert block is not None
    entry = json.loads(block[1])["mcpServers"]["holdfast"]
    assert entry["command"] == SCRIPT.name

    async def names() -> list[str]:
        path = f"{SCRIPT.parent}:{environment()['PATH']}"
        server = StdioServerParameters(**entry, env=environment() | {"PATH": path})
        async with Client(server) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    assert anyio.run(names) == list(profile_tools(Profile.CORE, TOOLS))


def test_the_table_names_every_profile_and_the_tools_of_each() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", PAGE, re.MULTILINE))
    assert list(rows) == list(Profile)
    assert re.findall(r"`(\w+)`", rows["core"]) == list(profile_tools(Profile.CORE, TOOLS))
    added = profile_tools(Profile.FACTS, TOOLS)[len(profile_tools(Profile.CORE, TOOLS)) :]
    assert re.findall(r"`(\w+)`", rows["facts"]) == list(added)
