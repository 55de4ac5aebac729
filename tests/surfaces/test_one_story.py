"""One story on every surface: save, search, get, forget, undo, a session's state, facts. The results are the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote

import anyio
import fork_server
import httpx2
import pytest
from commandline import SCRIPT, holdfast
from mcp import Client as McpClient
from mcp import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from surfaces.http.serving import Served, environment, served
from surfaces.mcp.connections import LEGACY, MODERN

import holdfast as package
from holdfast import Memory

NOTE = "memory/launch.md"
TEXT = "The rocket is blue."
# What differs by nature: when and where it was done, by whom, and the numbers that were dealt out.
OWN = {"checkpointId", "checkpointIds", "took_ms", "origin", "id", "session"}
LINKS = {"superseded", "supersedes", "superseded_by"}  # ids too: only whether there are any can be compared


class Surface(Protocol):
    """The steps of the story, each giving the JSON that the surface shows."""

    def save(self, content: str) -> Any: ...
    def search(self, query: str) -> Any: ...
    def get(self) -> Any: ...
    def forget(self, text: str) -> Any: ...
    def undo(self, forgot: Any) -> Any: ...
    def keep(self, value: Any) -> None: ...
    def kept(self) -> Any: ...
    def store(self, text: str) -> Any: ...
    def recall(self, query: str) -> Any: ...
    def listed(self) -> Any: ...


class ByLibrary:
    """The library, or the client that has its methods."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def save(self, content: str) -> Any:
        return {"saved": True, "path": NOTE, "checkpointId": self.memory.save(content, file=NOTE)}

    def search(self, query: str) -> Any:
        return self.memory.search(query, max_results=3).to_json()

    def get(self) -> Any:
        return self.memory.get(NOTE).to_json()

    def forget(self, text: str) -> Any:
        return self.memory.forget(text=text).to_json()

    def undo(self, forgot: Any) -> Any:
        return self.memory.undo().to_json()

    def keep(self, value: Any) -> None:
        self.memory.session("main").state.set("app", "step", value)

    def kept(self) -> Any:
        return self.memory.session("main").state.get("app", "step")

    def store(self, text: str) -> Any:
        return self.memory.facts.store(text, category="fact").to_json()

    def recall(self, query: str) -> Any:
        return self.memory.facts.recall(query).to_json()

    def listed(self) -> Any:
        return self.memory.facts.list(state="all").to_json()


class ByCommandLine:
    """`holdfast --json`."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def run(self, *words: str) -> Any:
        ran = holdfast("--home", str(self.home), "--json", *words)
        assert ran.status == 0, ran.err
        return ran.json

    def save(self, content: str) -> Any:
        return self.run("save", content, "--file", NOTE)

    def search(self, query: str) -> Any:
        return self.run("search", query, "-n", "3")

    def get(self) -> Any:
        ran = holdfast("--home", str(self.home), "--json", "get", NOTE)
        return json.loads(ran.out)

    def forget(self, text: str) -> Any:
        return self.run("forget", "--text", text)

    def undo(self, forgot: Any) -> Any:
        return self.run("undo")

    def keep(self, value: Any) -> None:
        self.run("session", "state", "main", "set", "step", json.dumps(value), "--namespace", "app")

    def kept(self) -> Any:
        return self.run("session", "state", "main", "get", "step", "--namespace", "app")["value"]

    def store(self, text: str) -> Any:
        return self.run("facts", "add", text, "--category", "fact")

    def recall(self, query: str) -> Any:
        return self.run("facts", "recall", query)

    def listed(self) -> Any:
        return self.run("facts", "list", "--state", "all")


class ByTools:
    """The tools of a model, by a function that calls one."""

    def __init__(self, call: Callable[[str, dict[str, Any]], Any]) -> None:
        self.call = call

    def save(self, content: str) -> Any:
        return self.call("memory_save", {"content": content, "file": NOTE})

    def search(self, query: str) -> Any:
        return self.call("memory_search", {"query": query, "limit": 3})

    def get(self) -> Any:
        return self.call("memory_get", {"path": NOTE})

    def forget(self, text: str) -> Any:
        return self.call("memory_forget", {"request": "", "text": text})

    def undo(self, forgot: Any) -> Any:
        return self.call("checkpoint_restore", {"id": forgot["checkpointIds"][0]})

    def keep(self, value: Any) -> None:
        given = {"action": "set", "namespace": "app", "key": "step", "value": json.dumps(value)}
        self.call("session_state", given)

    def kept(self) -> Any:
        return self.call("session_state", {"action": "get", "namespace": "app", "key": "step"})["value"]

    def store(self, text: str) -> Any:
        return self.call("store", {"text": text, "category": "fact"})

    def recall(self, query: str) -> Any:
        return self.call("recall", {"query": query})

    def listed(self) -> Any:
        return self.call("list", {"state": "all"})


class ByHttp:
    """The routes of the HTTP API."""

    def __init__(self, web: Served) -> None:
        self.web = web

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        answer = self.web.call(method, f"/api/v1/{path}", body)
        assert answer.status < 300, answer.data
        return answer.json

    def save(self, content: str) -> Any:
        return self.ask("POST", "notes", {"content": content, "file": NOTE})

    def search(self, query: str) -> Any:
        return self.ask("POST", "search", {"query": query, "max_results": 3})

    def get(self) -> Any:
        answer = self.web.call("GET", f"/api/v1/notes/{NOTE}")
        return answer.json if answer.status == 200 else {"status": "not_found", "path": NOTE}

    def forget(self, text: str) -> Any:
        return self.ask("POST", "forget", {"text": text})

    def undo(self, forgot: Any) -> Any:
        return self.ask("POST", "undo", {})

    def keep(self, value: Any) -> None:
        self.ask("PUT", f"sessions/{quote('main')}/state/app/step", {"value": value})

    def kept(self) -> Any:
        return self.ask("GET", "sessions/main/state/app/step")["value"]

    def store(self, text: str) -> Any:
        return self.ask("POST", "facts", {"text": text, "category": "fact"})

    def recall(self, query: str) -> Any:
        return self.ask("POST", "facts/recall", {"query": query})

    def listed(self) -> Any:
        return self.ask("GET", "facts?state=all")


@contextmanager
def library(home: Path) -> Iterator[Surface]:
    with Memory.open(home) as memory:
        yield ByLibrary(memory)


@contextmanager
def tools(home: Path) -> Iterator[Surface]:
    with Memory.open(home) as memory, memory.session("main") as session:
        box = session.tools()
        yield ByTools(lambda name, given: _fine(box.call(name, given)))


@contextmanager
def command_line(home: Path) -> Iterator[Surface]:
    with Memory.open(home) as memory:  # a state belongs to a session that there is
        memory.session("main").state.set("app", "step", None)
    yield ByCommandLine(home)


@contextmanager
def http(home: Path) -> Iterator[Surface]:
    with served(home) as web:
        yield ByHttp(web)


@contextmanager
def client(home: Path) -> Iterator[Surface]:
    with served(home) as web, package.connect(web.url, token=web.token) as connected:
        yield ByLibrary(connected)


@contextmanager
def by_mcp(mode: str, server: StdioServerParameters | Served) -> Iterator[Surface]:
    """The official client of a program or of a server, held open by a thread that the story can ask."""
    with ExitStack() as held:
        portal = held.enter_context(anyio.from_thread.start_blocking_portal())
        target: Any = server
        if isinstance(server, Served):
            ours = httpx2.AsyncClient(headers={"Authorization": f"Bearer {server.token}"})
            held.enter_context(portal.wrap_async_context_manager(ours))
            target = streamable_http_client(f"{server.url}/mcp", http_client=ours)
        asking = held.enter_context(portal.wrap_async_context_manager(McpClient(target, mode=mode)))

        def call(name: str, given: Mapping[str, Any]) -> Any:
            result = portal.call(asking.call_tool, name, dict(given))
            assert not result.is_error, result.content
            return result.structured_content

        yield ByTools(call)


def _mcp(mode: str, *, over_http: bool) -> Callable[[Path], Any]:
    @contextmanager
    def opened(home: Path) -> Iterator[Surface]:
        with ExitStack() as held:
            program, *before = fork_server.command(SCRIPT)
            argv = [*before, "mcp", "--tools", "all", "--session", "main", "--structured"]
            server: Any = StdioServerParameters(command=program, args=argv, env=environment(home))
            if over_http:
                server = held.enter_context(served(home, "--tools", "all", "--structured"))
            yield held.enter_context(by_mcp(mode, server))

    return opened


def _fine(result: dict[str, Any]) -> dict[str, Any]:
    assert "error" not in result, result
    return result


def _same(value: Any) -> Any:
    """A result without what differs by nature."""
    if isinstance(value, dict):
        return {key: bool(one) if key in LINKS else _same(one) for key, one in value.items() if key not in OWN}
    return [_same(one) for one in value] if isinstance(value, list) else value


def story(surface: Surface, *, with_state: bool = True) -> list[Any]:
    """What each step gave."""
    told: list[Any] = []
    saved = surface.save(f"# Launch\n\nThe launch moved to 3 March.\n\n{TEXT}")
    told.append((saved["saved"], saved["path"]))
    told.append(surface.search("when do we launch?"))
    told.append(surface.get())
    forgot = surface.forget(TEXT)
    told.append(forgot)
    told.append(surface.get())
    told.append(surface.search("rocket"))
    told.append(surface.undo(forgot)["path"])
    told.append(surface.get())
    told.append(surface.search("rocket"))
    if with_state:
        surface.keep({"n": [1, None]})
        assert surface.kept() == {"n": [1, None]}
    told.append(surface.store("I live in Berlin"))
    told.append(surface.store("I moved to Munich"))
    told.append(surface.recall("where do I live?"))
    told.append(surface.listed())
    return [_same(one) for one in told]


ORIGINS = {"tools": "agent", "command line": "user", "http": "api", "client": "api"}  # and MCP: mcp_tool
SURFACES: dict[str, Callable[[Path], Any]] = {
    "tools": tools,
    "command line": command_line,
    "http": http,
    "client": client,
    "mcp stdio, handshake": _mcp(LEGACY, over_http=False),
    "mcp stdio, 2026-07-28": _mcp(MODERN, over_http=False),
    "mcp http, handshake": _mcp(LEGACY, over_http=True),
    "mcp http, 2026-07-28": _mcp(MODERN, over_http=True),
}


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    with library(tmp_path_factory.mktemp("library")) as surface:
        return story(surface)


@pytest.mark.parametrize("name", SURFACES)
def test_every_surface_tells_the_story_of_the_library(name: str, tmp_path: Path, expected: list[Any]) -> None:
    with SURFACES[name](tmp_path / "home") as surface:
        told = story(surface, with_state=not name.startswith("mcp http"))
        origin = surface.search("when do we launch?")["results"][0]["origin"]
    assert told == expected
    assert origin == ORIGINS.get(name, "mcp_tool")
    assert (tmp_path / "home" / NOTE).read_text(encoding="utf-8").endswith(f"{TEXT}\n")
