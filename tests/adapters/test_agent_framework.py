"""Microsoft Agent Framework: memory before each run, and what was said kept after it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anyio
import pytest
from provider_chat_script import ChatScript, Said
from provider_server import ProviderServer

from holdfast import Memory

pytest.importorskip("agent_framework", reason="holdfast[agent-framework] is not installed; see `make test-adapters`")
pytest.importorskip("agent_framework_openai", reason="`make test-adapters` installs it")

from agent_framework import Agent, Message
from agent_framework.openai import OpenAIChatCompletionClient
from openai import AsyncOpenAI

from holdfast.surfaces.adapters.agent_framework import HoldfastProvider, function_tools


def talk(provider: ProviderServer, held: HoldfastProvider, key: str, *messages: Any, stream: bool = False) -> list[str]:
    """What an agent with this memory answers, one run for each message."""

    async def run() -> list[str]:
        async with AsyncOpenAI(base_url=f"{provider.url}/v1", api_key=provider.key) as line:
            client = OpenAIChatCompletionClient(model="gpt", async_client=line)
            agent = Agent(client=client, instructions="Be brief.", context_providers=[held])
            session = agent.create_session(session_id=key)
            answers = []
            for message in messages:
                if stream:
                    answers.append((await agent.run(message, session=session, stream=True).get_final_response()).text)
                else:
                    answers.append((await agent.run(message, session=session)).text)
            return answers

    return anyio.run(run)


def asked(server: ProviderServer) -> dict[str, Any]:
    """What the model was sent last."""
    (seen,) = server.asked(r"/v1/chat/completions")[-1:]
    body: dict[str, Any] = seen.json
    return body


def test_a_run_is_told_what_its_message_brings_to_mind_and_what_was_said_is_kept(
    memory: Memory, home: Path, provider: ProviderServer, script: ChatScript
) -> None:
    memory.save("The heron nests in March.", file="memory/heron.md")
    saving = {"content": "Anna likes herons.", "file": "memory/anna.md"}
    script.say(Said(calls=(("memory_save", saving),)), "In March.", "You are welcome.")
    answers = talk(provider, HoldfastProvider(memory), "anna", "When does the heron nest?", "I prefer green tea.")
    assert answers == ["In March.", "You are welcome."]
    first = provider.asked(r"/v1/chat/completions")[0].json
    told = "\n".join(one["content"] for one in first["messages"] if one["role"] == "system")
    assert "Be brief." in told
    assert "| The heron nests in March." in told
    assert {tool["function"]["name"] for tool in first["tools"]} >= {"memory_search", "memory_save"}
    assert (home / "memory" / "anna.md").read_text() == "Anna likes herons.\n"
    with memory.session("anna") as session:
        kept = [(entry.role.value, entry.text[:20], entry.origin) for entry in session.messages()]
        calls = [call.name for entry in session.messages() for call in entry.tool_calls]
    assert kept == [
        ("user", "When does the heron ", "user"),
        ("assistant", "", "agent"),
        ("tool", '{"saved": true, "pat', "outside"),
        ("assistant", "In March.", "agent"),
        ("user", "I prefer green tea.", "user"),
        ("assistant", "You are welcome.", "agent"),
    ]
    assert calls == ["memory_save"]
    assert [(fact.text, fact.origin.value) for fact in memory.facts.list().facts] == [
        ("I prefer green tea", "auto_capture")
    ]


def test_a_stream_is_kept_as_well(memory: Memory, provider: ProviderServer, script: ChatScript) -> None:
    script.say("In March.")
    held = HoldfastProvider(memory, session="birds")
    assert talk(provider, held, "anna", "When does the heron nest?", stream=True) == ["In March."]
    with memory.session("birds") as session:
        assert [entry.text for entry in session.messages()] == ["When does the heron nest?", "In March."]


def test_a_provider_without_tools_that_keeps_nothing_only_tells(
    memory: Memory, owner: Memory, provider: ProviderServer, script: ChatScript
) -> None:
    owner.save("Anna likes herons.")
    script.say("Yes.")
    message = [Message("system", ["Speak English."]), Message("user", ["Do you know me?"])]
    assert talk(provider, HoldfastProvider(memory, tools=(), keep=False), "anna", message) == ["Yes."]
    assert "tools" not in asked(provider)
    assert "Anna likes herons." in json.dumps(asked(provider)["messages"])
    with memory.session("anna") as session:
        assert session.messages() == []


def test_tools_by_themselves_tell_the_model_what_is_wrong(memory: Memory) -> None:
    tools = {tool.name: tool for tool in function_tools(memory, None)}
    assert tuple(tools) == memory.tools().names

    async def run() -> Any:
        (content,) = await tools["memory_get"].invoke(arguments={"path": "memory/../secret.md"})
        return json.loads(str(content.text))

    assert anyio.run(run)["error"]["type"] == "BadPath"
