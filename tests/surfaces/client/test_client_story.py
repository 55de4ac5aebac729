"""`holdfast.connect` against a real server: what the library gives, the client gives."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from surfaces.http.serving import Served, served

import holdfast
from holdfast import Memory
from holdfast.errors import (
    BadArgument,
    BadPath,
    CheckpointNotFound,
    HoldfastError,
    MemoryClosed,
    NoteChangedOutside,
    NoteNotFound,
    NotPermitted,
    ServerUnreachable,
    SessionClosed,
)
from holdfast.guard.origin import Origin
from holdfast.llm.chat_model import ToolCall
from holdfast.surfaces.client.transport import Link

NOTE = "memory/launch.md"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    home = tmp_path_factory.mktemp("client")
    # A busy machine recalls as much as any other, here and at the server, only later.
    (home / "holdfast.toml").write_text("memory.recall.deadline_ms = 60_000\n")
    with served(home) as running:
        yield running


@pytest.fixture
def client(server: Served) -> Iterator[Memory]:
    with holdfast.connect(server.url, token=server.token) as connected:
        yield connected


@pytest.fixture
def memory(server: Served) -> Iterator[Memory]:
    with Memory.open(server.home) as opened:
        yield opened


def test_reads_give_the_values_of_the_library(client: Memory, memory: Memory) -> None:
    saved = client.save("# Launch\n\nThe launch moved to 3 March.", file=NOTE).checkpoint_id
    client.facts.store("I live in Lima.", category="fact", importance=0.7)
    client.sync()  # what questions from elsewhere reach is measured by then: both give the same confidence
    assert client.home == memory.home and client.agent == "main"
    found, same = client.search("when do we launch?"), memory.search("when do we launch?")
    assert found.results and found.replace(took_ms=0.0) == same.replace(took_ms=0.0)
    assert client.get(NOTE) == memory.get(NOTE)
    assert client.get(chunk_id=found.results[0].chunk_id) == memory.get(chunk_id=found.results[0].chunk_id)
    assert client.get("memory/none.md") == memory.get("memory/none.md")
    assert client.history() == memory.history()
    assert client.diff(saved) == memory.diff(saved)
    assert client.spaces() == memory.spaces()
    assert client.facts.list() == memory.facts.list()
    assert client.facts.stats() == memory.facts.stats()
    assert client.facts.history("where do I live") == memory.facts.history("where do I live")
    assert client.profile.read() == memory.profile.read()
    assert client.inbox.list() == memory.inbox.list()
    assert client.status().to_json().keys() == memory.status().to_json().keys()
    assert client.settings.memory.replace(citations=memory.settings.memory.citations) == memory.settings.memory


def test_writes_happen_at_the_server_and_can_be_undone(client: Memory, server: Served) -> None:
    client.save("The rocket is blue.", file="memory/rocket.md")
    assert (server.home / "memory/rocket.md").read_text() == "The rocket is blue.\n"
    gone = client.delete("memory/rocket.md", delete_file=True).checkpoint_id
    assert not (server.home / "memory/rocket.md").exists()
    client.restore(gone)
    assert client.undo("memory/rocket.md").path == "memory/rocket.md"
    change = client.history("memory/rocket.md", limit=1)[0]
    assert change.origin == Origin.API


def test_notes_are_files_at_the_server(client: Memory, memory: Memory, server: Served) -> None:
    made = client.notes.by(Origin.AGENT).write("memory/file.md", "one\ntwo", expected_hash="", reason="create")
    assert client.notes.read("memory/file.md") == memory.notes.read("memory/file.md")
    assert client.notes.list("memory/f") == memory.notes.list("memory/f")
    assert client.notes.page("memory/f") == memory.notes.page("memory/f")
    assert client.notes.hash_of("memory/file.md") == made.hash
    for paths in (["memory/file.md"], {"memory/file.md": made}, iter(["memory/file.md"])):
        assert client.notes.read_all(paths) == memory.notes.read_all(["memory/file.md"])
    with pytest.raises(NoteChangedOutside):
        client.notes.write("memory/file.md", "x", expected_hash="")
    assert client.notes.rename("memory/file.md", "memory/moved.md").path == "memory/moved.md"
    with pytest.raises(NoteNotFound):
        client.notes.read("memory/file.md")
    assert client.notes.delete("memory/moved.md").file_deleted
    told = client.history("memory/moved.md", limit=3)
    assert [(one.origin, one.tool) for one in told] == [("api", "notes_delete"), ("api", "notes_rename")]
    assert client.history("memory/file.md")[-1].origin == Origin.AGENT
    with pytest.raises(BadArgument, match="can't be of user"):
        client.notes.by(Origin.USER).write("memory/file.md", "x")
    with closing(Link(server.url, server.token, None, 60)) as link, pytest.raises(BadArgument, match="not take them"):
        link.call("notes.write", path="memory/file.md", nonsense=1)


def _unfenced(text: str) -> str:
    """The same with one name for all fences: each prompt has its own."""
    return re.sub(r"(?<=memory-)[0-9a-f]{12}", "", text)


def test_a_session_is_kept_by_the_server(client: Memory, memory: Memory) -> None:
    with client.session("tea", kind="direct") as session:
        session.append("user", "I like tea.")
        call = ToolCall("1", "memory_search", {"query": "tea"})
        session.append("assistant", "Noted.", tool_calls=[call], tags=["x"])
        local = memory.session("tea")
        assert session.messages() == local.messages()
        assert session.messages()[1].tool_calls == (call,)
        assert session.context() == local.context()
        assert session.needs_flush() is local.needs_flush() is False
        assert session.flush_due() == local.flush_due()
        session.state.set("app", "step", {"n": None})
        assert session.state.get("app", "step") == local.state.get("app", "step") == {"n": None}
        assert session.state.compare_and_set("app", "step", {"n": None}, None)
        assert session.state.get("app", "gone", "default") == "default"
        assert [one.key for one in session.state.list("app")] == ["step"]
        assert _unfenced(session.prompt("tea?").text) == _unfenced(local.prompt("tea?").text)
        assert session.capture().to_json().keys() == local.capture().to_json().keys()
        made = session.export()
        assert made is not None and (Path(client.home) / made.path).exists()
        other = session.new("coffee")
        assert other.key == "coffee" and other.follows is not None
    with pytest.raises(SessionClosed):
        session.messages()
    assert {"tea", "coffee"} >= {one.key for one in client.sessions()}


def test_tools_are_offered_and_run_as_the_library_would(client: Memory, memory: Memory) -> None:
    ours, theirs = client.tools(), memory.tools()
    assert (ours.names, ours.openai(), ours.anthropic()) == (theirs.names, theirs.openai(), theirs.anthropic())
    saved = ours.call("memory_save", {"content": "Tools work.", "file": "memory/tools.md"})
    assert client.history("memory/tools.md")[0].origin == Origin.AGENT and saved["saved"]
    assert ours.call("memory_save", "{") == theirs.call("memory_save", "{")
    assert "session_state" in client.session("tea").tools().names
    with pytest.raises(BadArgument, match="can't be of user"):
        client.tools(Origin.USER).call("memory_save", {"content": "x"})


def test_errors_are_those_of_the_library(client: Memory, memory: Memory) -> None:
    cases: list[tuple[type[HoldfastError], Callable[[Memory], object]]] = [
        (BadPath, lambda one: one.get("../etc/passwd")),
        (BadArgument, lambda one: one.search("x", max_results=0)),
        (CheckpointNotFound, lambda one: one.restore("none")),
        (NoteChangedOutside, lambda one: one.save("x", file=NOTE, expected_hash="0" * 64)),
    ]
    for kind, work in cases:
        with pytest.raises(kind) as local:
            work(memory)
        with pytest.raises(kind) as remote:
            work(client)
        assert str(remote.value) == str(local.value)
        assert vars(remote.value) == vars(local.value)


@pytest.mark.parametrize(
    "sent",
    [
        {"method": "search", "arguments": {"query": 5}},
        {"method": "search", "arguments": {"query": "x", "max_results": True}},
        {"method": "search", "arguments": {"query": "x", "max_results": 2**60}},
        {"method": "search", "arguments": {"query": "x", "surprise": 1}},
        {"method": "search", "arguments": {}},
        {"method": "sync", "arguments": {"progress": "x"}},
        {"method": "session.turn", "arguments": {"message": "x", "model": "x"}, "session": {"key": "a"}},
        {"method": "session.messages", "arguments": {}},
        {"method": "session.messages", "session": {"key": 5}},
        {"method": "session.append", "arguments": {"role": "user", "tags": [1]}, "session": {"key": "a"}},
        {"method": "import_from", "arguments": {"data": "x", "name": "x.json", "restore": False}},
        {"method": "import_from", "arguments": {"data": {"$": "bytes", "is": ""}, "name": "/x/..", "restore": False}},
        {"method": "dreams.run", "arguments": {"phases": "x"}},
        {"method": "__class__"},
        {"method": "close"},
        {"method": "rooms.close"},
        {"method": "search", "arguments": {"query": {"$": "context.context:Rooms", "with": {}}}},
    ],
    ids=lambda sent: str(sent)[:60],
)
def test_what_no_client_sends_is_refused_with_its_reason(server: Served, sent: dict[str, object]) -> None:
    for route in ("call", "call-slow"):
        answer = server.call("POST", f"/api/v1/{route}", sent)
        assert (answer.status, answer.error) == (400, "BadArgument"), answer.data


def test_what_holdfast_keeps_in_a_session_is_not_a_clients(client: Memory) -> None:
    state = client.session("tea").state
    for work in (lambda: state.get("prompt", "x"), lambda: state.set("flush", "x", 1), lambda: state.clear("capture")):
        with pytest.raises(NotPermitted, match="Holdfast's own"):
            work()


def test_files_go_over_the_network_as_bytes(client: Memory, tmp_path: Path) -> None:
    client.save("For the export.", file="memory/out.md")
    made = client.export(str(tmp_path / "all.zip"))
    assert Path(made.path).stat().st_size == made.bytes_written
    back = client.restore_export(str(tmp_path / "all.zip"), preview=True)
    assert "memory/out.md" in back.same
    (tmp_path / "mem0.json").write_text('{"results": [{"memory": "Likes pears", "id": "1"}]}')
    assert client.import_from(str(tmp_path / "mem0.json"), source="mem0", preview=True).facts
    with pytest.raises(BadArgument, match="is a folder"):
        client.import_from(str(tmp_path))


def test_a_model_of_this_process_is_refused_before_anything_is_sent(client: Memory) -> None:
    with pytest.raises(BadArgument, match="can't answer for the server"):
        client.session("tea").turn("hello", model=object())  # type: ignore[arg-type]


def test_a_wrong_token_address_or_closed_client_is_told_plainly(server: Served, tmp_path: Path) -> None:
    with pytest.raises(NotPermitted, match="HOLDFAST_TOKEN"):
        holdfast.connect(server.url, token="x" * 43)
    with pytest.raises(ServerUnreachable, match="holdfast serve"):
        holdfast.connect("http://127.0.0.1:9", token="x" * 43)
    with pytest.raises(ServerUnreachable, match="no server runs"):
        holdfast.connect(home=str(tmp_path))
    with pytest.raises(BadArgument, match="unencrypted"):
        holdfast.connect("http://192.0.2.1:7437", token="x" * 43)
    with pytest.raises(ServerUnreachable):  # it is asked, where the owner says that this is as it should be
        holdfast.connect("http://192.0.2.1:7437", token="x" * 43, insecure=True, timeout=0.05)
    with pytest.raises(BadArgument, match="http://"):
        holdfast.connect("192.0.2.1", token="x" * 43)
    connected = holdfast.connect(home=str(server.home))
    connected.close()
    with pytest.raises(MemoryClosed):
        connected.search("x")


def test_another_agent_has_a_memory_of_its_own(server: Served, client: Memory) -> None:
    with holdfast.connect(server.url, token=server.token, agent="other") as other:
        other.save("Only mine.", file="memory/mine.md")
        assert other.agent == "other"
        assert client.get("memory/mine.md").status == "not_found"


def test_each_file_that_a_client_imports_keeps_its_own_name(client: Memory, tmp_path: Path) -> None:
    for name in ("plans", "people"):
        (tmp_path / f"{name}.md").write_text(f"All about {name}.\n")
        made = client.import_from(tmp_path / f"{name}.md")
        assert [(note.path, note.fate.value) for note in made.notes] == [(f"memory/imports/markdown-{name}.md", "new")]
        assert str(tmp_path / f"{name}.md") in made.reason
    (tmp_path / "plans.md").write_text("All about plans, and more.\n")
    assert client.import_from(tmp_path / "plans.md").notes[0].fate.value == "changed"
    assert client.notes.read("memory/imports/markdown-plans.md").text == "All about plans, and more.\n"
    assert client.notes.read("memory/imports/markdown-people.md").text == "All about people.\n"
