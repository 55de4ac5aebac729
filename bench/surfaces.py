"""What the surfaces cost beside the library: `python bench/surfaces.py [NOTES]`.

Start to the list of tools, ready and first answer of `holdfast mcp` (cold), a warm search over MCP and HTTP against the
library's own call, 64 clients at once, and the hooks of coding agents alone and with a server. Ways take turns,
question by question, so that a busy machine hurts all of them alike. Needs the extra `server`.
"""

from __future__ import annotations

import http.client
import json
import math
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio.from_thread
import httpx2
from corpus import generated
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

import holdfast
from holdfast import Memory

_SCRIPT = Path(sys.executable).with_name("holdfast")
_COLD, _ROUNDS, _CLIENTS, _EACH = 7, 2, 64, 8
_HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}


class Pipes:
    """`holdfast mcp`, spoken to in plain JSON-RPC."""

    def __init__(self, env: dict[str, str]) -> None:
        began = time.perf_counter()
        self._process = subprocess.Popen(
            [_SCRIPT, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env
        )
        self._number = 0
        self.ask("initialize", _HELLO)
        self.ready = time.perf_counter() - began
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send a request and wait for its answer."""
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        assert self._process.stdout is not None
        while True:
            heard: dict[str, Any] = json.loads(self._process.stdout.readline())
            if heard.get("id") == self._number:
                return heard

    def search(self, query: str) -> None:
        """One search."""
        found = self.ask("tools/call", {"name": "memory_search", "arguments": {"query": query}})
        assert not found["result"].get("isError"), found

    def cpu_ms(self) -> float:
        """Milliseconds of CPU that the process has taken so far; nothing where the system has no /proc."""
        try:
            fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        except FileNotFoundError:
            return math.nan
        user, system = fields[11:13]
        return 1000 * (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        """End it as a client does."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(30)

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()


class Web:
    """`holdfast serve`, and connections to it that stay open."""

    def __init__(self, env: dict[str, str], home: Path) -> None:
        self._process = subprocess.Popen(
            [_SCRIPT, "serve", "--port", "0", "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env
        )
        assert self._process.stdout is not None
        self.url: str = json.loads(self._process.stdout.readline())["url"]
        self.token = (home / "state/token").read_text().strip()

    def line(self) -> Callable[[str], None]:
        """A way to search over a connection of its own."""
        held = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=120)
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}

        def search(query: str) -> None:
            held.request("POST", "/api/v1/search", json.dumps({"query": query}), headers)
            answer = held.getresponse()
            body = answer.read()
            assert answer.status == 200, body

        return search

    def close(self) -> None:
        """End it as a system does."""
        self._process.terminate()
        self._process.wait(30)
        assert self._process.stdout is not None
        self._process.stdout.close()


@contextmanager
def _over_mcp_http(web: Web) -> Iterator[Callable[[str], None]]:
    """The official client, which spends some of the time itself."""
    with ExitStack() as held:
        portal = held.enter_context(anyio.from_thread.start_blocking_portal())
        ours = httpx2.AsyncClient(headers={"Authorization": f"Bearer {web.token}"})
        held.enter_context(portal.wrap_async_context_manager(ours))
        target = streamable_http_client(f"{web.url}/mcp", http_client=ours)
        client = held.enter_context(portal.wrap_async_context_manager(Client(target)))
        yield lambda query: (portal.call(client.call_tool, "memory_search", {"query": query}), None)[1]


def _spent(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


def _ran(env: dict[str, str], *argv: str, given: str = "", program: Path = _SCRIPT) -> tuple[float, float]:
    """Wall and CPU milliseconds of a command."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([program, *argv], input=given.encode(), capture_output=True, env=env, check=True)
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * wall, 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def _bare_start() -> float:
    """Milliseconds in which Python starts and ends, with nothing to do."""
    return _spent(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True))


def _listing(env: dict[str, str]) -> None:
    """How long a client waits for the list of tools: that of its first request to a model."""
    bare, listed, cpu = [], [], []
    for _ in range(_COLD):
        bare.append(_bare_start())
        began = time.perf_counter()
        pipes = Pipes(env)
        assert pipes.ask("tools/list", {})["result"]["tools"]
        listed.append(1000 * (time.perf_counter() - began))
        cpu.append(pipes.cpu_ms())
        pipes.close()
    middle = statistics.median
    print(
        f"MCP over stdio, start to tools/list: {middle(listed):.0f} ms, {middle(listed) / middle(bare):.1f} times "
        f"a bare start of Python ({middle(bare):.0f} ms); CPU {middle(cpu):.0f} ms"
    )


def _cold(env: dict[str, str], query: str) -> None:
    ready, first, searched = [], [], []
    for _ in range(_COLD):
        began = time.perf_counter()
        pipes = Pipes(env)
        pipes.search(query)
        first.append(1000 * (time.perf_counter() - began))
        ready.append(1000 * pipes.ready)
        pipes.close()
        searched.append(_ran(env, "search", query, "--json")[0])
    middle = statistics.median
    print(f"MCP over stdio, cold: ready {middle(ready):.0f} ms, first search answered {middle(first):.0f} ms")
    print(f"  beside it: a cold `holdfast search` {middle(searched):.0f} ms")


def _warm(ways: dict[str, Callable[[str], object]], queries: list[str]) -> None:
    spent: dict[str, list[float]] = {name: [] for name in ways}
    for query in queries[:10]:
        for work in ways.values():
            work(query)
    for query in queries * _ROUNDS:
        for name, work in ways.items():
            spent[name].append(_spent(partial(work, query)))
    own = statistics.median(spent["library"])
    print("warm search, p50 (over the library's call):")
    for name, one in spent.items():
        p50 = statistics.median(one)
        print(f"  {name:<34} {p50:6.2f} ms  ({p50 - own:+.2f} ms, {p50 / own:.2f} times)")


def _crowd(web: Web, queries: list[str]) -> None:
    spent: list[float] = []
    failed: list[BaseException] = []

    def one(number: int) -> None:
        search = web.line()
        try:
            spent.extend(_spent(partial(search, queries[(number + at) % len(queries)])) for at in range(_EACH))
        except BaseException as error:  # noqa: BLE001 - counted
            failed.append(error)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(_CLIENTS)]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rate = len(spent) / (time.perf_counter() - began)
    last = statistics.quantiles(spent, n=20)[-1]
    print(
        f"{_CLIENTS} clients at once over HTTP: {rate:.0f} searches a second, p50 {statistics.median(spent):.0f} ms, "
        f"p95 {last:.0f} ms, {len(failed)} failed"
    )


def _hooks(env: dict[str, str], label: str) -> None:
    moment = {
        "session_id": "bench",
        "cwd": "/",
        "hook_event_name": "UserPromptSubmit",
        "prompt": "who decided on retries?",
    }
    for event in ("user-prompt", "session-start"):
        told = [_ran(env, "hook", event, "--client", "claude-code", given=json.dumps(moment)) for _ in range(_COLD)]
        # What any Python costs on this machine just now: the measure for what a hook costs beside it.
        bare = statistics.median(_ran(env, "-c", "pass", program=Path(sys.executable))[1] for _ in range(_COLD))
        wall, cpu = (statistics.median(one[which] for one in told) for which in (0, 1))
        print(f"  {event:<14} {label:<12} {wall:5.0f} ms, CPU {cpu:5.0f} ms, {cpu / bare:4.1f} times `python -c pass`")


def main() -> int:
    """Measure and print."""
    notes = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    corpus = generated(notes)
    queries = [query.text for query in corpus.queries]
    with tempfile.TemporaryDirectory() as directory, ExitStack() as held:
        home = Path(directory) / "home"
        shutil.copytree(corpus.root / "memory", home / "memory")
        env = {**os.environ, "HOLDFAST_HOME": str(home)}
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        memory = held.enter_context(Memory.open(home))
        memory.sync()
        print(f"{notes:,} notes")
        _listing(env)
        _cold(env, queries[0])
        print("hooks:")
        _hooks(env, "alone")
        web, pipes = Web(env, home), Pipes(env)
        held.callback(web.close)
        held.callback(pipes.close)
        _hooks(env, "with server")
        client = held.enter_context(holdfast.connect(web.url, token=web.token))
        ways: dict[str, Callable[[str], object]] = {
            "library": memory.search,
            "MCP over stdio": pipes.search,
            "HTTP": web.line(),
            "holdfast.connect": client.search,
            "MCP over HTTP (official client)": held.enter_context(_over_mcp_http(web)),
        }
        _warm(ways, queries)
        _crowd(web, queries)
    return 0


if __name__ == "__main__":
    sys.exit(main())
