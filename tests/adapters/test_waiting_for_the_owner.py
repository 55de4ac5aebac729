"""MEMORY.md through an adapter: where the owner has to approve a text first, the model is told just that."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from anthropic.lib.tools import ToolError
from openai import AsyncOpenAI
from provider_chat_script import ChatScript, Said
from provider_server import ProviderServer
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai_harness.memory import Memory as Notebook

from holdfast import Memory
from holdfast.surfaces.adapters.anthropic_memory import MemoryTool
from holdfast.surfaces.adapters.pydantic_ai import HoldfastMemoryStore

WAITS = (
    "The file /memories/MEMORY.md is unchanged. Your text waits for approval: memory.prompt_approval is always; it is "
    "in /memories/inbox.md until the owner approves it."
)


@pytest.fixture
def strict(home: Path) -> Iterator[Memory]:
    """A memory whose owner wants to be asked."""
    with Memory.open(home, settings={"memory.prompt_approval": "always"}) as opened:
        yield opened


@pytest.mark.promise("P11")
def test_claude_is_told_that_its_text_waits(strict: Memory, owner: Memory, home: Path) -> None:
    tool = MemoryTool(strict)
    path = "/memories/MEMORY.md"
    assert tool.call({"command": "create", "path": path, "file_text": "- Likes tea.\n"}) == WAITS
    assert not (home / "MEMORY.md").exists()
    owner.save("- Lives in Lima.")
    edit = {"command": "str_replace", "path": path, "old_str": "Lima", "new_str": "Quito"}
    assert tool.call(edit) == WAITS
    assert tool.call({"command": "insert", "path": path, "insert_line": 0, "insert_text": "- Is Anna."}) == WAITS
    for command in ({"command": "delete", "path": path}, {**edit, "old_str": "- Lives in Lima.\n", "new_str": ""}):
        with pytest.raises(ToolError, match="ask the owner to do it"):
            tool.call(command)
    assert (home / "MEMORY.md").read_text() == "- Lives in Lima.\n"
    shown = str(tool.call({"command": "view", "path": "/memories/inbox.md"}))
    assert re.search(r"- Likes tea\. .*\n     2\t- Lives in Quito\. .*\n     3\t- Is Anna\. ", shown)
    assert [line.text for line in strict.inbox.list()] == ["Likes tea.", "Lives in Quito.", "Is Anna."]
    note = {"command": "create", "path": "/memories/tea.md", "file_text": "- Likes tea.\n"}
    assert tool.call(note) == "File created successfully at: /memories/tea.md"


def test_the_notebook_of_pydantic_ai_says_so_too(
    strict: Memory, owner: Memory, home: Path, provider: ProviderServer, script: ChatScript
) -> None:
    owner.save("- Lives in Lima.")
    script.say(Said(calls=(("write_memory", {"content": "- Likes tea."}),)), "It waits for you.")
    agent = Agent(capabilities=[Notebook(store=HoldfastMemoryStore(strict))])

    async def talk() -> str:
        async with AsyncOpenAI(base_url=f"{provider.url}/v1", api_key=provider.key) as client:
            model = OpenAIChatModel("gpt", provider=OpenAIProvider(openai_client=client))
            return (await agent.run("I like tea.", model=model)).output

    assert anyio.run(talk) == "It waits for you."
    sent = str(provider.asked(r"/v1/chat/completions")[-1].json["messages"])
    assert "main/MEMORY.md is unchanged. Your text waits for approval" in sent
    assert (home / "MEMORY.md").read_text() == "- Lives in Lima.\n"
    (entry,) = owner.inbox.list()
    assert (entry.text, entry.origin, entry.client) == ("Likes tea.", "agent", "pydantic-ai")
