"""What happens is told to everybody who listens, whoever did it, and nobody is kept waiting by a slow listener."""

from __future__ import annotations

import asyncio
import http.client
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from commandline import done
from surfaces.http.serving import Served

from holdfast.errors import BadArgument
from holdfast.surfaces.http.event_stream import Bus
from holdfast.surfaces.http.request_guard import Refusal


class Line:
    """One who listens."""

    def __init__(self, web: Served, query: str = "", **headers: str) -> None:
        self._line = http.client.HTTPConnection(web.host, web.port, timeout=30)
        self._line.request("GET", f"/api/v1/events{query}", headers={"Authorization": f"Bearer {web.token}", **headers})
        self.answer = self._line.getresponse()
        assert self.answer.readline() == b"retry: 2000\n"  # from here on nothing is missed

    def close(self) -> None:
        self.answer.close()
        self._line.close()

    def next(self, wanted: Callable[[dict[str, Any]], bool]) -> tuple[str, dict[str, Any]]:
        """The id and the data of the next event that is wanted."""
        held: dict[str, str] = {}
        while line := self.answer.readline():
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name:
                held[name] = value
            elif "data" in held:
                told = json.loads(held["data"])
                if wanted(told):
                    return held.get("id", ""), told
                held = {}
        raise AssertionError("the line ended")


@contextmanager
def listening(web: Served, query: str = "", **headers: str) -> Iterator[Line]:
    line = Line(web, query, **headers)
    try:
        yield line
    finally:
        line.close()


def written(path: str) -> Callable[[dict[str, Any]], bool]:
    return lambda told: told.get("path") == path


def test_a_write_through_the_server_is_told_with_its_checkpoint(web: Served) -> None:
    with listening(web, "?kinds=write") as line:
        made = web.call("PUT", "/api/v1/notes/memory/told.md", {"content": "told"}).json
        _, told = line.next(written("memory/told.md"))
    assert told["checkpointId"] == made["checkpointId"]
    assert (told["kind"], told["agent"], told["origin"], told["exists"]) == ("write", "main", "api", True)


def test_a_write_by_another_process_is_told_with_its_origin(web: Served) -> None:
    with listening(web, "?kinds=write") as line:
        done("save", "from the command line", "--file", "memory/other.md", "--home", str(web.home))
        _, told = line.next(written("memory/other.md"))
    assert (told["origin"], told["tool"]) == ("user", "memory_save")
    assert told["checkpointId"]


def test_an_edit_by_hand_is_told_as_outside_and_is_found(web: Served) -> None:
    with listening(web) as line:
        (web.home / "memory").mkdir(exist_ok=True)
        (web.home / "memory" / "hand.md").write_text("Typed by hand: the ferry leaves at noon.\n")
        _, told = line.next(written("memory/hand.md"))
        assert (told["origin"], told["checkpointId"]) == ("outside", None)
        (web.home / "memory" / "hand.md").unlink()
        _, gone = line.next(lambda one: written("memory/hand.md")(one) and not one["exists"])
        assert gone["origin"] == "outside"


def test_a_capture_and_a_job_are_told(web: Served) -> None:
    with listening(web, "?kinds=capture,job") as line:
        web.call("POST", "/api/v1/sessions/e/messages", {"role": "user", "text": "I live in Lisbon."})
        web.call("POST", "/api/v1/sessions/e/capture")
        _, told = line.next(lambda one: one["kind"] == "capture")
        assert (told["session"], told["facts"]) == ("e", 1)
        job = web.call("POST", "/api/v1/jobs", {"kind": "sync"}).json
        _, ended = line.next(lambda one: one["kind"] == "job" and one["job"]["state"] == "done")
        assert ended["job"]["id"] == job["id"]


def test_who_comes_back_is_told_what_was_missed(web: Served) -> None:
    with listening(web, "?kinds=write") as line:
        web.call("PUT", "/api/v1/notes/memory/first.md", {"content": "1"})
        last, _ = line.next(written("memory/first.md"))
    web.call("PUT", "/api/v1/notes/memory/second.md", {"content": "2"})
    with listening(web, "?kinds=write", **{"Last-Event-ID": last}) as line:
        _, told = line.next(lambda one: one["path"].startswith("memory/"))
        assert told["path"] == "memory/second.md"
    with listening(web, "", **{"Last-Event-ID": "another-9"}) as line:
        assert line.next(lambda _: True)[1] == {"kind": "missed"}


def test_an_unknown_kind_of_event_is_refused(web: Served) -> None:
    assert web.call("GET", "/api/v1/events?kinds=nonsense").status == 400


async def collected(bus: Bus, last: str | None, count: int) -> list[bytes]:
    lines = bus.listen(None, last)
    return [await anext(lines) for _ in range(count)]


def test_a_slow_listener_misses_something_and_is_told_so() -> None:
    async def slow() -> list[bytes]:
        bus = Bus()
        lines = bus.listen(None, None)
        await anext(lines)
        for number in range(1000):
            bus.tell("sync", "main", {"number": number})
        await asyncio.sleep(0)  # the loop hands them over
        bus.close()
        return [line async for line in lines]

    told = asyncio.run(slow())
    assert told[0].startswith(b"event: missed")
    assert len(told) < 300
    assert b'"number":999' in told[-1]


def test_only_so_many_listen_and_only_so_much_is_remembered() -> None:
    async def many() -> None:
        bus = Bus()
        lines = [bus.listen(None, None) for _ in range(64)]
        for line in lines:
            await anext(line)
        with pytest.raises(Refusal):
            bus.listen(None, None)
        for line in lines:
            await line.aclose()  # type: ignore[attr-defined]
        assert bus.listeners == 0
        for number in range(500):
            bus.tell("sync", "main", {"number": number})
        first = bus.listen(None, f"{bus._boot}-1")
        assert await anext(first) == b"retry: 2000\n\n"
        assert (await anext(first)).startswith(b"event: missed")
        assert b'"number":244' in await anext(first)

    asyncio.run(many())
    with pytest.raises(BadArgument):
        Bus().listen(frozenset(("nonsense",)), None)
