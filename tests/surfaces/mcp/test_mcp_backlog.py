"""A client that sends and sends and reads nothing is not kept in memory, and gets every answer once it reads."""

from __future__ import annotations

import fcntl
import json
import os
import select
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp_types import JSONRPCNotification, JSONRPCRequest
from surfaces.mcp.raw import Raw, call, request, running

from holdfast.surfaces.mcp.request_queue import MAX_REQUESTS, MAX_WAITING, MAX_WAITING_BYTES, RequestQueue

CALLS = 4 * MAX_WAITING


def send_unread(server: Raw, lines: list[bytes]) -> tuple[int, bytes]:
    """Send until no more is taken; gives how many lines went out whole, and what is left of the one that did not."""
    fd = server.into.fileno()
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        fcntl.fcntl(fd, fcntl.F_SETPIPE_SZ, 4096)  # so that a slow reader is not taken for one that stopped
    os.set_blocking(fd, False)
    count = 0
    for line in lines:
        left = line
        while left:
            if not select.select([], [fd], [], 2)[1]:
                os.set_blocking(fd, True)
                return count, left
            try:
                left = left[os.write(fd, left) :]
            except BlockingIOError:
                continue
        count += 1
    os.set_blocking(fd, True)
    return count, b""


def test_who_reads_no_answers_is_not_listened_to_for_ever() -> None:
    asked = {"path": "memory/none.md"}
    lines = [json.dumps(call(number, "memory_get", asked)).encode() + b"\n" for number in range(CALLS)]
    with running() as server:
        server.greet()
        sent, left = send_unread(server, lines)
        assert sent < CALLS  # some wait with us, and some in the pipes
        heard = {server.hear()["id"] for _ in range(sent - 1)}  # the last one may wait for the rest of its line
        if left:
            server.into.write(left)
            server.into.flush()
        heard |= {server.hear()["id"] for _ in range(2 if left else 1)}
        assert heard == set(range(sent + bool(left)))
        server.say(request("alive", "ping"))
        assert server.hear()["id"] == "alive"
        assert server.ended() == 0


def test_requests_of_one_id_are_each_answered_and_hold_no_place() -> None:
    with running() as server:
        server.greet()
        for _ in range(3):
            server.say(*(request("same", "ping") for _ in range(2 * MAX_REQUESTS)))
            heard = [server.hear()["id"] for _ in range(2 * MAX_REQUESTS)]
            assert set(heard) == {"same"}
        assert server.ended() == 0


def test_cancelled_requests_hold_no_place() -> None:
    with running() as server:
        server.greet()
        for number in range(5 * MAX_REQUESTS):
            cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}}
            server.say(call(number, "memory_search", {"query": "x"}), cancel)
        server.say(request("last", "ping"))
        heard: list[Any] = []
        while "last" not in heard:
            heard.append(server.hear()["id"])
        assert len(heard) == len(set(heard))
        assert server.ended() == 0


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="looks at the memory of another process")
def test_half_a_line_without_end_is_not_kept() -> None:
    def most_memory() -> int:
        status = Path(f"/proc/{server.process.pid}/status").read_text()
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))

    with running() as server:
        server.greet()
        server.hear_result(request("sdk", "resources/templates/list"))  # it is imported by now
        before = most_memory()
        for _ in range(128):
            server.into.write(b'{"a":"' * 100_000)
        server.say(b"", request("alive", "ping"))
        assert "error" in server.hear()
        assert server.hear()["id"] == "alive"
        assert most_memory() - before < 32_000  # kB, of the 75 MB that came
        assert server.ended() == 0


def ping(number: int) -> JSONRPCRequest:
    return JSONRPCRequest(jsonrpc="2.0", id=number, method="ping")


def test_messages_come_out_in_their_order_while_there_are_places() -> None:
    async def run() -> None:
        queue = RequestQueue()
        for number in range(MAX_REQUESTS + 5):
            await queue.put(ping(number), 10)
        taken = [await queue.get() for _ in range(MAX_REQUESTS)]
        assert taken == [ping(number) for number in range(MAX_REQUESTS)]

        async def take() -> None:
            taken.append(await queue.get())

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(take)
            await anyio.wait_all_tasks_blocked()
            assert len(taken) == MAX_REQUESTS
            await queue.finish(3)
        assert taken[-1] == ping(MAX_REQUESTS)

    anyio.run(run)


@pytest.mark.parametrize("size", [1, MAX_WAITING_BYTES // 4, 3 * MAX_WAITING_BYTES])
def test_a_full_queue_takes_no_more(size: int) -> None:
    async def run() -> None:
        queue, count = RequestQueue(), 0

        async def fill() -> None:
            nonlocal count
            while True:
                await queue.put(ping(count), size)
                count += 1

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(fill)
            await anyio.wait_all_tasks_blocked()
            full = count
            await queue.get()
            await anyio.wait_all_tasks_blocked()
            tasks.cancel_scope.cancel()
        assert full == max(1, min(MAX_WAITING, MAX_WAITING_BYTES // size))
        assert count == full + 1

    anyio.run(run)


def test_a_request_that_is_cancelled_before_its_turn_never_has_one() -> None:
    async def run() -> None:
        queue = RequestQueue()
        for number in range(MAX_REQUESTS + 2):
            await queue.put(ping(number), 10)
        for _ in range(MAX_REQUESTS):
            await queue.get()
        waiting, started = MAX_REQUESTS, 0
        for number in (waiting, started):
            params = {"requestId": number}
            await queue.put(JSONRPCNotification(jsonrpc="2.0", method="notifications/cancelled", params=params), 10)
        told = await queue.get()  # before the others that wait, or it would be too late
        assert isinstance(told, JSONRPCNotification) and told.params == {"requestId": started}
        assert await queue.get() == ping(waiting + 1)

    anyio.run(run)
