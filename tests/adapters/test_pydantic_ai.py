"""pydantic-ai: agents use our tools, and the harness's notebook is kept in notes, with versions and receipts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from at_once import at_once
from hypothesis import given
from hypothesis import strategies as st
from openai import AsyncOpenAI
from provider_chat_script import ChatScript, Said
from provider_server import ProviderServer
from pydantic_ai import Agent, ModelRetry
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai_harness.memory import (
    InMemoryStore,
    MemoryConflictError,
    MemoryFile,
    MemoryMutation,
    MemoryOperation,
    MemoryOperationConflictError,
    MemoryStore,
    MetadataMemoryStore,
    SearchableMemoryStore,
)
from pydantic_ai_harness.memory import Memory as Notebook

from holdfast import Memory
from holdfast.surfaces.adapters.harness_paths import note_of, path_of, prefix_of
from holdfast.surfaces.adapters.pydantic_ai import HoldfastMemoryStore, toolset


@pytest.fixture
def store(memory: Memory) -> HoldfastMemoryStore:
    return HoldfastMemoryStore(memory)


def run(server: ProviderServer, agent: Agent[None, str], *messages: str) -> list[str]:
    async def talk() -> list[str]:
        async with AsyncOpenAI(base_url=f"{server.url}/v1", api_key=server.key) as client:
            model = OpenAIChatModel("gpt", provider=OpenAIProvider(openai_client=client))
            return [(await agent.run(message, model=model)).output for message in messages]

    return anyio.run(talk)


def sent(server: ProviderServer) -> list[dict[str, Any]]:
    (seen,) = server.asked(r"/v1/chat/completions")[-1:]
    messages: list[dict[str, Any]] = seen.json["messages"]
    return messages


def test_an_agent_saves_and_finds_with_the_toolset(
    memory: Memory, provider: ProviderServer, script: ChatScript
) -> None:
    script.say(
        Said(calls=(("memory_save", {"content": "Tea, no milk.", "file": "memory/tea.md"}),)),
        "Saved.",
        Said(calls=(("memory_search", {"query": "tea"}), ("memory_get", {"path": "memory/none.md", "from": 1}))),
        "No milk.",
    )
    agent = Agent(toolsets=[toolset(memory)])
    assert run(provider, agent, "Remember my tea.", "How do I take it?") == ["Saved.", "No milk."]
    results = [one["content"] for one in sent(provider) if one["role"] == "tool"]
    assert "Tea, no milk." in results[0]
    assert '"status":"not_found"' in results[1].replace(" ", "")
    (made,) = memory.history("memory/tea.md")
    assert made.origin == "agent"


def test_the_notebook_of_the_harness_is_memory_md_and_notes(
    memory: Memory,
    owner: Memory,
    home: Path,
    provider: ProviderServer,
    script: ChatScript,
    store: HoldfastMemoryStore,
) -> None:
    owner.save("Anna takes her tea without milk.\n\n# From conversations")
    memory.session("anna").append("user", "See kestrel.md.")  # so that may go into MEMORY.md
    script.say(
        Said(calls=(("write_memory", {"content": "- Plans the Kestrel launch.", "file": "kestrel"}),)),
        Said(
            calls=(("write_memory", {"content": "- See kestrel.md."}), ("search_memory", {"query": "Kestrel launch"}))
        ),
        Said(calls=(("read_memory", {"file": "kestrel.md"}),)),
        Said(calls=(("delete_memory", {"file": "kestrel.md"}),)),
        "Done.",
    )
    agent = Agent(capabilities=[Notebook(store=store)])
    assert run(provider, agent, "Remember the Kestrel.") == ["Done."]
    first = str(provider.asked(r"/v1/chat/completions")[0].json["messages"])
    assert "Anna takes her tea without milk." in first
    results = [one["content"] for one in sent(provider) if one["role"] == "tool"]
    assert '"status":"created"' in results[0]
    assert '"file":"kestrel.md"' in results[2]
    assert results[3] == "- Plans the Kestrel launch.\n"
    assert (home / "MEMORY.md").read_text() == (
        "Anna takes her tea without milk.\n\n# From conversations\n- See kestrel.md.\n"
    )
    assert not (home / "memory" / "kestrel.md").exists()
    memory.undo()
    assert (home / "memory" / "kestrel.md").read_text() == "- Plans the Kestrel launch.\n"


def test_a_name_or_text_that_can_t_be_kept_is_said_to_the_model(
    memory: Memory, provider: ProviderServer, script: ChatScript, store: HoldfastMemoryStore
) -> None:
    script.say(
        Said(calls=(("write_memory", {"content": "x", "file": "con.md"}),)),
        Said(calls=(("write_memory", {"content": "AKIAIOSFODNN7EXAMPLA"}),)),
        "I can't.",
    )
    agent = Agent(capabilities=[Notebook(store=store)], retries=3)
    assert run(provider, agent, "Remember this.") == ["I can't."]
    told = str(sent(provider))
    assert "Windows keeps this name for a device" in told
    assert "looks like a secret" in told
    assert memory.history() == []


def test_it_is_every_kind_of_store(store: HoldfastMemoryStore) -> None:
    assert isinstance(store, MemoryStore)
    assert isinstance(store, MetadataMemoryStore)
    assert isinstance(store, SearchableMemoryStore)


def versions() -> Iterator[tuple[str, Any]]:
    """Steps that every store must take alike; `{v}` stands for the last version."""
    first, second = MemoryOperation("op1", "f1"), MemoryOperation("op2", "f2")
    yield "write", ("main/a.md", "one", None, first)
    yield "write", ("main/a.md", "one", None, first)
    yield "write", ("main/a.md", "other", None, None)
    yield "write", ("main/a.md", "two", "{v}", second)
    yield "write", ("main/a.md", "two", "{v}", MemoryOperation("op2", "other"))
    yield "read", ("main/a.md", 2)
    yield "read", ("main/none.md", 2)
    yield "delete", ("main/a.md", None, None)
    yield "delete", ("main/a.md", "{v}", MemoryOperation("op3", "f3"))
    yield "delete", ("main/a.md", "{v}", MemoryOperation("op3", "f3"))
    yield "delete", ("main/a.md", None, None)
    yield "write", ("main/a.md", "", None, None)
    yield "write", ("acme/main/MEMORY.md", "theirs", None, None)
    yield "write", ("plain.txt", "no scope", None, None)
    yield "list", ("", 9)
    yield "list", ("acme/", 9)
    yield "list", ("main/", 1)
    yield "read", ("acme/main/MEMORY.md", 99)
    yield "read", ("plain.txt", 99)


async def taken(store: Any) -> list[Any]:
    told: list[Any] = []
    version: Any = None
    for verb, asked in versions():
        named = [version if one == "{v}" else one for one in asked]
        try:
            match verb:
                case "write":
                    answer: Any = await store.write(*named[:2], expected_version=named[2], operation=named[3])
                case "delete":
                    answer = await store.delete(named[0], expected_version=named[1], operation=named[2])
                case "read":
                    answer = await store.read(named[0], max_chars=named[1])
                case _:
                    answer = await store.list_paths(named[0], limit=named[1])
        except (MemoryConflictError, MemoryOperationConflictError) as error:
            answer = (type(error), str(error))
        if isinstance(answer, MemoryMutation):
            version = answer.version if answer.version is not None else version
            answer = (answer.version is not None, answer.replayed, answer.existed)
        elif isinstance(answer, MemoryFile):
            version = answer.version
            answer = (answer.content, answer.operation_id, answer.truncated, answer.metadata)
        told.append((verb, asked, answer))
    return told


def test_versions_and_receipts_are_those_of_the_harness_s_own_store(store: HoldfastMemoryStore) -> None:
    async def both() -> tuple[list[Any], list[Any]]:
        return await taken(store), await taken(InMemoryStore())

    ours, theirs = anyio.run(both)
    assert ours == theirs


def test_what_somebody_else_wrote_is_a_conflict_and_stays(
    memory: Memory, home: Path, store: HoldfastMemoryStore
) -> None:
    async def steps() -> None:
        made = await store.write("main/a.md", "one\n", expected_version=None)
        (home / "memory" / "a.md").write_text("the owner's\n")
        with pytest.raises(MemoryConflictError):
            await store.write("main/a.md", "two\n", expected_version=made.version)
        with pytest.raises(MemoryConflictError):
            await store.delete("main/a.md", expected_version=made.version)
        found = await store.read("main/a.md", max_chars=99)
        assert found is not None
        assert (found.content, found.operation_id) == ("the owner's\n", None)

    anyio.run(steps)


def test_a_receipt_that_a_dying_process_left_open_is_settled_by_the_journal(
    memory: Memory, home: Path, store: HoldfastMemoryStore
) -> None:
    done, undone = MemoryOperation("done", "f"), MemoryOperation("undone", "f")
    # As a process leaves it that dies after the change of the note, and one that dies before.
    reason = store._receipts.begin(done, "memory/a.md", existed=False)
    store._notes.write("memory/a.md", "one", expected_hash="", reason=reason)
    store._receipts.begin(undone, "memory/b.md", existed=False)

    async def steps() -> None:
        again = HoldfastMemoryStore(memory)
        assert (await again.write("main/a.md", "one", expected_version=None, operation=done)).replayed is True
        assert await again.get_operation(undone) is None
        assert (await again.write("main/b.md", "two", expected_version=None, operation=undone)).replayed is False
        assert len(memory.history("memory/a.md")) == len(memory.history("memory/b.md")) == 1

    anyio.run(steps)


def test_metadata_is_that_of_the_write_that_made_the_version(store: HoldfastMemoryStore) -> None:
    async def steps() -> None:
        made = await store.write_with_metadata("main/a.md", "1", expected_version=None, metadata={"by": "anna"})
        found = await store.read("main/a.md", max_chars=9)
        assert found is not None
        assert found.metadata == {"by": "anna"}
        await store.write("main/a.md", "2", expected_version=made.version)
        found = await store.read("main/a.md", max_chars=9)
        assert found is not None
        assert found.metadata is None

    anyio.run(steps)


def test_search_stays_in_its_scope(owner: Memory, store: HoldfastMemoryStore) -> None:
    async def steps() -> None:
        await store.write("main/tea.md", "Green tea in the morning.", expected_version=None)
        await store.write("acme/main/tea.md", "Their green tea.", expected_version=None)
        owner.save("Green tea everywhere.", file="MEMORY.md")
        asked: dict[str, Any] = {"limit": 5, "max_files": 10, "max_chars": 999, "max_file_chars": 999}
        found = await store.search("main/", "green tea", **asked)
        assert sorted(match.path for match in found.matches) == ["main/MEMORY.md", "main/tea.md"]
        found = await store.search("acme/main/", "green tea", **asked)
        assert [match.path for match in found.matches] == ["acme/main/tea.md"]
        assert (await store.search("main/", "   ", **asked)).matches == []
        found = await store.search("main/", "green tea", **{**asked, "max_chars": 15})
        assert sum(len(match.snippet) + len(match.path) - len("main/") for match in found.matches) <= 15

    anyio.run(steps)


SEGMENTS = st.from_regex(r"[A-Za-z0-9_.-]{1,12}", fullmatch=True).filter(lambda text: ".." not in text and text != ".")


@given(parts=st.lists(SEGMENTS, min_size=1, max_size=4), own=st.sampled_from(["main", "acme/main", "x"]))
def test_every_path_that_has_a_note_is_found_by_it(parts: list[str], own: str) -> None:
    from holdfast.errors import BadPath

    path = "/".join(parts)
    try:
        note = note_of(path, own)
    except BadPath:
        return
    assert path_of(note, own) == path
    for at in range(len(path) + 1):
        assert note.startswith(prefix_of(path[:at], own))


def test_a_path_that_leads_out_is_refused(store: HoldfastMemoryStore) -> None:
    async def steps() -> None:
        for path in ("../x.md", "main/../x.md", "/etc/passwd", "main//x.md", "", "main/a b.md"):
            with pytest.raises(ValueError, match="invalid memory path"):
                await store.read(path, max_chars=9)
        for hidden in (".x/y.md", "main/.x.md"):
            with pytest.raises(ModelRetry, match="can't be a memory file here"):
                await store.write(hidden, "x", expected_version=None)

    anyio.run(steps)


def test_an_operation_that_two_processes_do_at_once_is_done_once_and_told_to_both(home: Path) -> None:
    with Memory.open(home) as first, Memory.open(home) as second:
        stores = [HoldfastMemoryStore(memory) for memory in (first, second)]
        for number in range(30):
            operation, path = MemoryOperation(f"write {number}", "f"), f"main/{number}.md"
            write = partial(
                anyio.run, lambda store, *named: store.write(*named[:2], expected_version=None, operation=named[2])
            )
            told = at_once(*(partial(write, store, path, "one", operation) for store in stores))
            assert sorted(made.replayed for made in told if isinstance(made, MemoryMutation)) == [False, True], told
            assert len(first.history(f"memory/{number}.md")) == 1
