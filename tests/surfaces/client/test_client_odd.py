"""What no ordinary program sends: the client gives what the library gives, result or error, and never a raw one."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from datetime import date
from enum import IntEnum, StrEnum
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest
from surfaces.http.serving import Served, served

import holdfast
from holdfast import Memory
from holdfast.errors import BadAgent, BadArgument, HoldfastError, MemoryClosed, NotFound, ServerUnreachable, TooLarge
from holdfast.guard.origin import Origin

HALF = "cut emoji \ud83d"
Work: TypeAlias = Callable[[Memory], Any]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("odd") / "home") as running:
        yield running


@pytest.fixture
def client(server: Served) -> Iterator[Memory]:
    with holdfast.connect(server.url, token=server.token) as connected:
        yield connected


@pytest.fixture
def memory(server: Served) -> Iterator[Memory]:
    with Memory.open(server.home) as opened:
        yield opened


def deep(levels: int) -> list[Any]:
    made: list[Any] = []
    for _ in range(levels):
        made = [made]
    return made


def kept(value: Any) -> Work:
    def work(one: Memory) -> Any:
        with one.session("odd") as session:
            session.state.set("n", "k", value)
            return session.state.get("n", "k")

    return work


def outcome(work: Work, one: Memory) -> tuple[str, Any]:
    try:
        return "gives", work(one)
    except HoldfastError as error:
        return type(error).__name__, str(error)


def tool(name: Any, arguments: Any) -> Work:
    return lambda one: one.tools().call(name, arguments)


ALIKE: dict[str, tuple[str, Work]] = {
    "append": ("gives", lambda one: one.session("odd").append("user", HALF).text),
    "search": ("gives", lambda one: one.search(HALF).query),
    "recall": ("gives", lambda one: one.session("odd").recall(HALF)),
    "prompt": ("gives", lambda one: one.session("odd").prompt(HALF).text.count("emoji")),
    "save": ("BadText", lambda one: one.save(HALF, file="memory/a.md")),
    "facts": ("BadText", lambda one: one.facts.store(HALF)),
    "search in half a path": ("BadPath", lambda one: one.search("x", path="\ud800")),
    "get": ("BadPath", lambda one: one.get(f"memory/{HALF}.md")),
    "session key": ("BadArgument", lambda one: one.session(HALF).messages()),
    "state half": ("gives", kept([HALF, {HALF: "\udc00"}])),
    "state large": ("gives", kept(10**30)),
    "state deep": ("gives", kept(deep(90))),
    "state deep mapping": ("gives", kept({"a": {"b": deep(80)}})),
    "state nan": ("BadArgument", kept(float("nan"))),
    "state inf": ("BadArgument", kept([float("-inf")])),
    "min_score nan": ("BadArgument", lambda one: one.search("x", min_score=float("nan"))),
    "tool half": ("gives", tool("memory_save", {"content": HALF, "file": "memory/a.md"})),
    "tool half in JSON": ("gives", tool("memory_save", '{"content": "\\ud83d"}')),
    "tool nan": ("gives", tool("memory_search", {"query": "x", "min_score": float("nan")})),
    "tool list": ("gives", tool("memory_search", ["x"])),
    "tool number": ("gives", tool("memory_search", 5)),
    "tool large": ("gives", tool("memory_search", {"query": "x", "limit": 10**30})),
    "tool deep": ("gives", tool("memory_search", {"query": deep(90)})),
    "tool without a name": ("gives", tool(None, {})),
    "import of nothing": ("NotFound", lambda one: one.import_from("/no/such/file.zip")),
    "restore of nothing": ("NotFound", lambda one: one.restore_export("/no/such/file.zip")),
    "export to no kind": ("BadArgument", lambda one: one.export("/no/such/file.txt")),
}


@pytest.mark.parametrize("name", ALIKE)
def test_the_client_gives_what_the_library_gives(name: str, client: Memory, memory: Memory) -> None:
    kind, work = ALIKE[name]
    ours = outcome(work, client)
    assert ours == outcome(work, memory)
    assert ours[0] == kind
    if name.startswith("tool"):
        assert ours[1]["error"]["type"] in ("BadText", "BadArgument")


@pytest.mark.parametrize(
    "work",
    [
        kept(object()),
        kept(10**5000),
        lambda one: one.search(5),
        lambda one: one.search("x", since=date(2026, 1, 2)),
        lambda one: one.search("x", path=5),
        lambda one: one.save(5),
        lambda one: one.get(Path("memory/a.md")),
        lambda one: one.import_from(5),
        lambda one: one.notes.list(limit="x"),
        lambda one: one.history(limit=10**30),
    ],
    ids=range(10),
)
def test_what_does_not_fit_is_a_bad_argument_here_and_there(work: Work, client: Memory, memory: Memory) -> None:
    assert outcome(work, client)[0] == outcome(work, memory)[0] == "BadArgument"


def test_a_value_that_is_nested_without_end_is_refused_by_its_reason(client: Memory) -> None:
    with pytest.raises(BadArgument, match=r"'value'.*nested too deep to be sent"):
        kept(deep(2000))(client)


def test_a_deep_value_of_a_state_keeps_no_other_from_being_listed(client: Memory, memory: Memory) -> None:
    for one in (memory, client):
        with one.session("deep") as session:
            session.state.set("n", "deep", deep(400))
            session.state.set("n", "flat", 1)
    for one in (memory, client):
        with one.session("deep") as session:
            assert [stored.value for stored in session.state.list()] == [deep(400), 1]


def test_the_default_of_a_state_stays_with_the_caller(client: Memory) -> None:
    default = object()
    with client.session("odd") as session:
        assert session.state.get("n", "no such key", default) is default
        assert session.state.get("n", "no such key") is None
        session.state.set("n", "null", None)
        assert session.state.get("n", "null", default) is None


def test_long_text_of_any_language_goes_over_the_client_as_it_goes_into_the_library(client: Memory) -> None:
    long = "备忘录" * 800_000  # 7 MB in UTF-8, and twice that in escapes, which the server would not take
    with pytest.raises(TooLarge):
        client.save(long, file="memory/long.md")
    entry = client.session("odd").append("user", "备忘录" * 30_000)
    assert entry.text == "备忘录" * 30_000


class Own(StrEnum):
    """What a program may have of its own."""

    TEA = "tea"
    PREFERENCE = "preference"


class Few(IntEnum):
    """The same for numbers."""

    ONE = 1


@pytest.mark.parametrize(
    "work",
    [
        lambda one: one.search(Own.TEA).query,
        lambda one: [fact.text for fact in one.facts.list(category=Own.PREFERENCE, limit=Few.ONE).facts],
        lambda one: [one.facts.list(category=fact.category).total for fact in one.facts.list().facts],
        lambda one: one.facts.list(origin=Origin.USER).total,
        lambda one: one.search("tea", max_results=np.int64(3), min_score=np.float32(0.5)).query,
        lambda one: one.history(limit=Few.ONE)[0].path,
        lambda one: one.facts.recall("tea", include_archived=np.bool_(True)).query,
        kept({Own.TEA: [Own.PREFERENCE, Few.ONE]}),
    ],
    ids=range(8),
)
def test_what_means_a_text_or_a_number_goes_as_that(work: Work, client: Memory, memory: Memory) -> None:
    memory.facts.store("I prefer green tea.", category="preference")
    ours = outcome(work, client)
    assert ours == outcome(work, memory)
    assert ours[0] == "gives"


def test_an_export_may_be_named_by_a_path(client: Memory, tmp_path: Path) -> None:
    client.save("The launch is on 3 March.", file="memory/launch.md")
    made = client.export(tmp_path / "all.zip")
    assert made.path == str(tmp_path / "all.zip")
    assert client.restore_export(tmp_path / "all.zip", preview=True)


def test_an_empty_zip_is_refused_by_its_reason(client: Memory, memory: Memory, tmp_path: Path) -> None:
    file = str(tmp_path / "empty.zip")
    zipfile.ZipFile(file, "w").close()
    for one in (client, memory):
        with pytest.raises(BadArgument, match=r"is no whole export: it has no holdfast\.json"):
            one.restore_export(file)
        with pytest.raises(BadArgument, match=r"is no whole export: it has no holdfast\.json"):
            one.import_from(file, source="holdfast")
        with pytest.raises(BadArgument, match="is empty"):
            one.import_from(file)


def test_a_tool_of_a_server_that_is_gone_says_so_to_the_model(tmp_path: Path) -> None:
    with served(tmp_path / "home") as running:
        tools = holdfast.connect(running.url, token=running.token).tools()
    assert tools.call("memory_search", {"query": "x"})["error"]["type"] == "ServerUnreachable"


@pytest.mark.parametrize(
    "given",
    [
        {"timeout": 0},
        {"timeout": -1},
        {"timeout": "x"},
        {"timeout": float("nan")},
        {"timeout": True},
        {"token": "a\nb" * 20},
        {"token": "ü" * 43},
        {"token": 5},
        {"url": 5},
        {"url": "http://["},
        {"url": "http://user:hunter22@127.0.0.1:9"},
        {"url": "http://127.0.0.1:9/\n"},
        {"url": "http://127.0.0.1:9/\ud83d"},
    ],
    ids=lambda given: next(iter(given)),
)
def test_what_can_not_connect_is_a_bad_argument_that_shows_no_token(server: Served, given: dict[str, Any]) -> None:
    with pytest.raises(BadArgument) as refused:
        holdfast.connect(**{"url": server.url, "token": server.token, **given})
    assert next(iter(given)) in str(refused.value)
    assert not isinstance(given.get("token"), str) or given["token"] not in str(refused.value)
    assert "hunter22" not in str(refused.value)


def test_an_address_may_be_written_in_any_case_and_a_wait_may_be_as_long_as_one_likes(server: Served) -> None:
    for wait in (2, 1e10, 10**400):
        with holdfast.connect(server.url.replace("http:", "HTTP:"), token=server.token, timeout=wait) as client:
            assert client.agent == "main"
    with pytest.raises(ServerUnreachable):  # all of 127.0.0.0/8 is this machine
        holdfast.connect("http://127.0.0.2:9", token=server.token)


@pytest.mark.parametrize("agent", ["", "\ud83d", "../x", 5])
def test_no_agent_of_such_a_name_is_asked_for(server: Served, agent: Any) -> None:
    with pytest.raises(BadAgent):
        holdfast.connect(server.url, token=server.token, agent=agent)


def test_a_token_may_end_as_its_file_does(server: Served) -> None:
    with holdfast.connect(server.url, token=f"{server.token}\n") as client:
        assert client.agent == "main"


def test_a_closed_client_says_how_it_is_opened_again(server: Served) -> None:
    client = holdfast.connect(server.url, token=server.token)
    client.close()
    with pytest.raises(MemoryClosed, match=r"Open it again with holdfast\.connect"):
        client.search("x")


def test_only_the_clients_own_door_takes_half_a_character(server: Served) -> None:
    search = server.call("POST", "/api/v1/search", {"query": HALF})
    assert (search.status, search.error) == (400, "BadArgument")
    asked = {"method": "search", "arguments": {"query": HALF}}
    assert server.call("POST", "/api/v1/call", asked).json["result"]["with"]["query"] == HALF


def test_a_file_that_is_not_there_is_not_found(client: Memory) -> None:
    with pytest.raises(NotFound, match="Check the name"):
        client.import_from("/no/such/file.json")


def test_the_result_of_a_save_in_place_of_its_checkpoint_is_told_apart(memory: Memory, client: Memory) -> None:
    for one in (memory, client):
        saved: Any = one.save("- The result stands for the checkpoint", file="memory/told.md")
        with pytest.raises(BadArgument, match=r"a Saved does not fit; give its `\.checkpoint_id`"):
            one.restore(saved)
        with pytest.raises(NotFound, match="nothing was written, so there is nothing to restore"):
            one.restore("")
        one.save(f"- A later line of {type(one).__name__}", file="memory/told.md")
        one.undo(checkpoint_ids=[saved.checkpoint_id], keep_later=True)
        text = one.get("memory/told.md").text
        assert "A later line" in text and "stands for the checkpoint" not in text
