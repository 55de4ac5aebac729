"""Eight MCP servers and a web server on one home, all under load: nothing is lost, and nobody is told "locked"."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from counts import counted
from surfaces.http.serving import Served, served
from surfaces.mcp.raw import Raw, call, running

from holdfast import Memory

SERVERS, SECONDS = counted(3, 8), counted(2, 60)
pytestmark = pytest.mark.fault


def words(who: str) -> Iterator[str]:
    """Lines that nobody else writes."""
    number = 0
    while True:
        number += 1
        yield f"- {who} wrote line {number}."


class Writer(threading.Thread):
    """Writes, searches and reads for a while; keeps what was acknowledged, and what went wrong."""

    def __init__(self, who: str, ask: Callable[[str, dict[str, Any]], dict[str, Any]], ends: float) -> None:
        super().__init__(name=who)
        self.who, self._ask, self._ends = who, ask, ends
        self.kept: list[str] = []
        self.failed: list[str] = []

    def run(self) -> None:
        try:
            for number, line in enumerate(words(self.who)):
                # Half of the lines go to a note that all of them share.
                file = "memory/shared.md" if number % 2 else f"memory/{self.who}.md"
                saved = self._ask("memory_save", {"content": line, "file": file})
                if saved.get("saved"):
                    self.kept.append(line)
                else:
                    self.failed.append(str(saved))
                found = self._ask("memory_search", {"query": f"{self.who} line {number}", "limit": 3})
                if "results" not in found:
                    self.failed.append(str(found))
                if time.monotonic() > self._ends:  # behind the first: on a busy machine a thread may begin late
                    break
        except BaseException as error:  # noqa: BLE001 - it is raised in the test, which reads `failed`
            self.failed.append(repr(error))


def by_mcp(server: Raw) -> Callable[[str, dict[str, Any]], dict[str, Any]]:
    asked = 0

    def ask(name: str, given: dict[str, Any]) -> dict[str, Any]:
        nonlocal asked
        asked += 1
        server.say(call(asked, name, given))
        while (heard := server.hear()).get("id") != asked:
            pass
        result: dict[str, Any] = heard["result"]
        found = result.get("structuredContent")
        return found if isinstance(found, dict) else {"failed": result}

    return ask


def by_http(web: Served) -> Callable[[str, dict[str, Any]], dict[str, Any]]:
    def ask(name: str, given: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = web.call("POST", f"/api/v1/tools/{name}", {"arguments": given}).json
        return found

    return ask


@pytest.mark.promise("P3")
def test_servers_that_share_a_home_lose_nothing_and_are_never_locked_out(home: Path) -> None:
    with ExitStack() as held:
        web = held.enter_context(served(home))
        servers = [held.enter_context(running("--structured")) for _ in range(SERVERS)]
        for server in servers:
            server.greet()
        ends = time.monotonic() + SECONDS
        writers = [Writer(f"mcp{number}", by_mcp(server), ends) for number, server in enumerate(servers)]
        writers += [Writer(f"web{number}", by_http(web), ends) for number in range(2)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join(SECONDS + 120)
            assert not writer.is_alive(), f"{writer.who} hangs"
    assert [fault for writer in writers for fault in writer.failed] == []
    assert all(writer.kept for writer in writers)
    there = [line for note in (home / "memory").glob("*.md") for line in note.read_text(encoding="utf-8").splitlines()]
    for writer in writers:
        assert [line for line in writer.kept if there.count(line) != 1] == []
    assert len(there) == sum(len(writer.kept) for writer in writers)
    with Memory.open(home) as memory:
        memory.sync()
        assert not memory.status(deep=True).problems
        for writer in writers:
            assert memory.search(writer.kept[-1].strip("- "), max_results=3).results[0].text_score is not None
