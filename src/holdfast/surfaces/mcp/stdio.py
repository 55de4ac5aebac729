"""MCP over stdin and stdout: a thread reads, the SDK's server answers, until the client has gone.

What was asked for before stdin ended is answered first, so that requests can be piped in. The first messages have been
answered by `handshake`.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Coroutine
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any, Final

import anyio
from anyio import to_thread
from anyio.abc import TaskGroup
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCRequest, JSONRPCResponse

from holdfast.surfaces.cli.exit_codes import INTERRUPTED, TERMINATED
from holdfast.surfaces.mcp.client_lines import ClientLines, Line
from holdfast.surfaces.mcp.handshake import ACKNOWLEDGED, LISTEN, Handshake
from holdfast.surfaces.mcp.message_lines import encode_line, parse_line
from holdfast.surfaces.mcp.pipes import Pipes, write_all
from holdfast.surfaces.mcp.request_queue import RequestQueue

__all__ = ["leave", "serve"]

_LAST_ANSWERS: Final = 10.0  # seconds that requests may take after stdin has ended
_LAST_THREADS: Final = 2.0  # seconds that threads may take after everything has been answered


def serve(server: Server[Any], pipes: Pipes, lines: ClientLines, handshake: Handshake) -> int:
    """Serve one client from where the handshake ended until it has gone; gives the exit status of the process."""
    return anyio.run(_Connection(server, pipes, lines, handshake).run)


def leave(status: int) -> None:
    """End the process, even where a thread hangs in a request that nobody waits for any more."""
    own = threading.current_thread()
    for thread in threading.enumerate():
        if thread is not own and not thread.daemon:
            thread.join(_LAST_THREADS)
            if thread.is_alive():
                sys.stderr.flush()
                os._exit(status)


class _Connection:
    """The connection to the client: what it asks for in its turn, and whether it still reads and writes."""

    def __init__(self, server: Server[Any], pipes: Pipes, lines: ClientLines, handshake: Handshake) -> None:
        self._server, self._pipes = server, pipes
        self._lines, self._handshake = lines, handshake
        self._queue = RequestQueue()
        self._status = 0

    async def run(self) -> int:
        """Until the client has gone, or a signal says so."""
        come, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        outgoing, go = anyio.create_memory_object_stream[SessionMessage](0)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._heed_signals, tasks.cancel_scope)
            tasks.start_soon(self._begin, tasks, (come, go), outgoing.clone())
            await self._server.run(incoming, outgoing, self._server.create_initialization_options())
            tasks.cancel_scope.cancel()
        return self._status

    async def _begin(
        self,
        tasks: TaskGroup,
        streams: tuple[MemoryObjectSendStream[SessionMessage | Exception], MemoryObjectReceiveStream[SessionMessage]],
        answers: MemoryObjectSendStream[SessionMessage],
    ) -> None:
        """Tell the server what came before, and then let the client speak and hear."""
        come, go = streams
        news: list[SessionMessage] = []
        for replayed in self._handshake.replay:
            message, _ = parse_line(replayed.line)
            if message is None:
                continue
            await come.send(SessionMessage(message))
            if not isinstance(message, JSONRPCRequest):
                continue
            while not _answers(answer := await go.receive(), message):
                news.append(answer)
            if replayed.notes is None and isinstance(answer.message, JSONRPCError):
                news.append(answer)  # what was promised can't be kept
            elif replayed.notes is not None and getattr(answer.message, "result", None) != replayed.notes:
                changes = (parse_line(line).message for line in self._handshake.list_changes())
                news += [SessionMessage(change) for change in changes if change is not None]
        tasks.start_soon(self._write, go, tasks.cancel_scope)
        tasks.start_soon(self._pass_on, come)
        for item in news:
            await answers.send(item)
        self._start_reading(come, answers, tasks.cancel_scope)

    # What the client says

    def _start_reading(
        self,
        come: MemoryObjectSendStream[SessionMessage | Exception],
        answers: MemoryObjectSendStream[SessionMessage],
        scope: anyio.CancelScope,
    ) -> None:
        loop = asyncio.get_running_loop()

        def on_loop(work: Coroutine[Any, Any, None]) -> bool:
            """Do this on the loop and wait for it, so that no more is read than can be taken; False once it ended."""
            try:
                asyncio.run_coroutine_threadsafe(work, loop).result()
            except (RuntimeError, CancelledError, anyio.ClosedResourceError, anyio.BrokenResourceError):
                work.close()
                return False
            return True

        async def take(line: Line) -> None:
            message, answer = parse_line(line.data, cut=line.cut)
            if answer is not None:
                await answers.send(SessionMessage(answer))
            elif message is not None:
                await self._queue.put(message, len(line.data))

        async def end(gone: bool) -> None:
            answers.close()
            if gone:
                scope.cancel()
                return
            with anyio.move_on_after(_LAST_ANSWERS):
                await self._queue.wait_until_quiet()
            come.close()

        def read() -> None:
            gone = False
            while not gone and (line := self._lines.read()) is not None:
                gone = not on_loop(take(line))
            on_loop(end(gone or self._lines.gone))

        threading.Thread(target=read, name="stdin", daemon=True).start()

    async def _pass_on(self, come: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        """Give the server what waits, each in its turn."""
        with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):  # nobody is served any more
            while True:
                await come.send(SessionMessage(await self._queue.get()))

    # What it is told

    async def _write(self, go: MemoryObjectReceiveStream[SessionMessage], scope: anyio.CancelScope) -> None:
        out, place = self._pipes.out(), anyio.CapacityLimiter(1)
        async with go:
            async for item in go:
                data = encode_line(item.message)
                try:
                    if out is not None:
                        await to_thread.run_sync(write_all, out, data, limiter=place, abandon_on_cancel=True)
                except OSError:  # nobody reads any more
                    scope.cancel()
                    return
                if isinstance(item.message, JSONRPCResponse | JSONRPCError) and item.message.id is not None:
                    await self._queue.finish(item.message.id)

    async def _heed_signals(self, scope: anyio.CancelScope) -> None:
        with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
            async for number in signals:
                if number == signal.SIGTERM:
                    self._status = TERMINATED
                else:
                    self._status = INTERRUPTED
                scope.cancel()
                return


def _answers(item: SessionMessage, request: JSONRPCRequest) -> bool:
    """Say whether a message is the first answer to a request, which a client that listens gets as a notification."""
    message = item.message
    if isinstance(message, JSONRPCResponse | JSONRPCError):
        return message.id == request.id
    return request.method == LISTEN and getattr(message, "method", "") == ACKNOWLEDGED
