"""What one framework saved, every other finds; one that is not installed is named, with what installs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import fork_server
import pytest
from agents import FunctionTool
from agents.tool_context import ToolContext
from anthropic import Anthropic
from openai import OpenAI
from provider_chat_script import ChatScript, Said
from provider_server import ProviderServer

from holdfast.memory import Memory
from holdfast.settings.installation import install_advice
from holdfast.surfaces.adapters.anthropic_memory import MemoryTool
from holdfast.surfaces.adapters.langgraph_store import HoldfastStore
from holdfast.surfaces.adapters.openai_agents import HoldfastSession, function_tools
from holdfast.surfaces.adapters.pydantic_ai import HoldfastMemoryStore


def test_what_one_framework_saved_every_other_finds(memory: Memory, home: Path) -> None:
    claude, graph, harness = MemoryTool(memory), HoldfastStore(memory), HoldfastMemoryStore(memory)
    tools = {tool.name: tool for tool in function_tools(memory) if isinstance(tool, FunctionTool)}

    async def called(name: str, **given: Any) -> dict[str, Any]:
        context: ToolContext[None] = ToolContext(None, tool_name=name, tool_call_id="c", tool_arguments="")
        told: dict[str, Any] = json.loads(await tools[name].on_invoke_tool(context, json.dumps(given)))
        return told

    async def told() -> None:
        claude.call({"command": "create", "path": "/memories/heron.md", "file_text": "The heron nests in March.\n"})
        graph.put(("birds", "water"), "kingfisher", {"text": "The kingfisher nests in April."})
        await harness.write("main/swan.md", "The swan nests in May.\n", expected_version=None)
        await called("memory_save", content="The stork nests in June.", file="memory/stork.md")
        await HoldfastSession(memory, "talk").add_items([{"role": "user", "content": "The crane nests in July."}])

        paths = {
            "heron": "memory/heron.md",
            "kingfisher": "memory/store@birds+water+@1.md",
            "swan": "memory/swan.md",
            "stork": "memory/stork.md",
        }
        for bird, path in paths.items():
            question = f"When does the {bird} nest?"
            assert memory.search(question).results[0].path == path
            assert (await called("memory_search", query=question))["results"][0]["path"] == path
            shown = str(claude.call({"command": "view", "path": f"/memories/{path.removeprefix('memory/')}"}))
            assert f"The {bird} nests in" in shown
        asked: dict[str, Any] = {"limit": 1, "max_files": 99, "max_chars": 999, "max_file_chars": 999}
        for bird in ("heron", "swan", "stork"):
            found = await harness.search("main/", f"{bird} nests", **asked)
            assert [match.path for match in found.matches] == [f"main/{bird}.md"]
        edit = {"command": "str_replace", "path": f"/memories/{paths['kingfisher'][7:]}", "old_str": "April"}
        claude.call({**edit, "new_str": "late April"})
        item = graph.get(("birds", "water"), "kingfisher")
        assert item is not None
        assert item.value == {"text": "The kingfisher nests in late April."}

    anyio.run(told)
    with memory.session("talk") as session:
        assert session.messages()[0].text == "The crane nests in July."
    assert {change.origin for change in memory.history()} == {"agent"}
    assert sorted(path.name for path in (home / "memory").glob("*.md")) == [
        "heron.md",
        "store@birds+water+@1.md",
        "stork.md",
        "swan.md",
    ]


def test_plain_dicts_drive_a_loop_with_the_client_of_openai(
    memory: Memory, provider: ProviderServer, script: ChatScript
) -> None:
    script.say(Said(calls=(("memory_save", {"content": "Tea, no milk.", "file": "memory/tea.md"}),)), "Saved.")
    tools = memory.tools()
    messages: list[Any] = [{"role": "user", "content": "I take my tea without milk."}]
    with OpenAI(base_url=f"{provider.url}/v1", api_key=provider.key) as client:
        while True:
            schemas: Any = tools.openai()
            answer = client.chat.completions.create(model="gpt", messages=messages, tools=schemas).choices[0].message
            messages.append(answer.to_dict())
            if not answer.tool_calls:
                break
            for call in answer.tool_calls:
                assert call.type == "function"
                result = json.dumps(tools.call(call.function.name, call.function.arguments))
                messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
    assert answer.content == "Saved."
    assert memory.get("memory/tea.md").text == "Tea, no milk."


def test_plain_dicts_drive_a_loop_with_the_client_of_anthropic(
    memory: Memory, provider: ProviderServer, script: ChatScript
) -> None:
    script.say(Said(calls=(("memory_save", {"content": "Tea, no milk.", "file": "memory/tea.md"}),)), "Saved.")
    tools = memory.tools()
    messages: list[Any] = [{"role": "user", "content": "I take my tea without milk."}]
    with Anthropic(base_url=provider.url, api_key=provider.key) as client:
        while True:
            schemas: Any = tools.anthropic()
            answer = client.messages.create(model="claude", max_tokens=99, messages=messages, tools=schemas)
            messages.append({"role": "assistant", "content": [block.to_dict() for block in answer.content]})
            results = [
                {
                    "type": "tool_result",
                    "tool_use_id": block.id,
                    "content": json.dumps(tools.call(block.name, dict(block.input))),
                }
                for block in answer.content
                if block.type == "tool_use"
            ]
            if not results:
                break
            messages.append({"role": "user", "content": results})
    assert memory.get("memory/tea.md").text == "Tea, no milk."


@pytest.mark.parametrize(
    ("adapter", "package", "extra"),
    [
        ("anthropic_memory", "anthropic", "anthropic"),
        ("openai_agents", "agents", "openai-agents"),
        ("langgraph_store", "langgraph", "langgraph"),
        ("pydantic_ai", "pydantic_ai", "pydantic-ai"),
        ("llamaindex", "llama_index", "llamaindex"),
        ("google_adk", "google.adk", "google-adk"),
        ("crewai", "crewai", "crewai"),
        ("autogen", "autogen_core", "autogen"),
        ("agent_framework", "agent_framework", "agent-framework"),
    ],
)
def test_a_framework_that_is_not_installed_is_named_with_what_installs_it(
    adapter: str, package: str, extra: str
) -> None:
    code = (
        f"import sys; sys.modules[{package!r}] = None\n"
        "from holdfast.errors import ExtraMissing\n"
        f"try:\n    import holdfast.surfaces.adapters.{adapter}\n"
        "except ExtraMissing as error:\n    print(error)\n"
    )
    ran = subprocess.run(fork_server.command(code), capture_output=True, timeout=60, check=True, text=True)
    assert install_advice(extra) in ran.stdout
    assert package in ran.stdout


def test_no_framework_is_imported_before_its_adapter() -> None:
    code = (
        "import sys, holdfast\nfrom holdfast import Memory\n"
        "import holdfast.surfaces.adapters.tool_specs, holdfast.surfaces.adapters.claude_memories\n"
        "print(*({name.split('.')[0] for name in sys.modules} & "
        "{'anthropic', 'agents', 'langgraph', 'pydantic_ai', 'pydantic', 'openai', 'anyio', 'httpx2', 'numpy'}))\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=True, text=True)
    assert ran.stdout.strip() == ""
