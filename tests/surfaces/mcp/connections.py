"""The official client, connected to a real server: over stdio and over HTTP, in both eras of the protocol."""

from __future__ import annotations

import os
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import commandline
import fork_server
import uvicorn
from mcp import Client, StdioServerParameters
from mcp.client.session import MessageHandlerFnT
from starlette.applications import Starlette
from starlette.routing import Mount

from holdfast.guard.origin import Origin
from holdfast.surfaces.mcp.mcp_http import mcp_app
from holdfast.surfaces.mcp.tool_profile import Profile
from holdfast.surfaces.memory_pool import MemoryPool

SCRIPT = Path(sys.executable).with_name("holdfast")
LEGACY, MODERN = "legacy", "auto"
VERSIONS = {LEGACY: "2025-11-25", MODERN: "2026-07-28"}
Told: TypeAlias = MessageHandlerFnT
Connect: TypeAlias = Callable[..., AbstractAsyncContextManager[Client]]


def environment() -> dict[str, str]:
    """What a server process needs of ours: the home of this test, and no keys."""
    return {name: os.environ[name] for name in ("HOLDFAST_HOME", "HOME", "PATH", "OLLAMA_HOST") if name in os.environ}


@asynccontextmanager
async def over_stdio(
    mode: str, *options: str, told: Told | None = None, cwd: str | None = None
) -> AsyncIterator[Client]:
    """A client of `holdfast mcp`."""
    program, *before = fork_server.command(commandline.SCRIPT)
    server = StdioServerParameters(command=program, args=[*before, "mcp", *options], env=environment(), cwd=cwd)
    async with Client(server, mode=mode, message_handler=told, read_timeout_seconds=60) as client:
        assert client.session.protocol_version == VERSIONS[mode]
        yield client


@contextmanager
def served(profile: Profile = Profile.CORE, **options: Any) -> Iterator[str]:
    """An HTTP server on loopback, in a thread of its own; gives the address of its /mcp."""
    memories = MemoryPool(origin=Origin.API)
    app, lifespan = mcp_app(memories, profile, **options)
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        Starlette(routes=[Mount("/mcp", app)], lifespan=lambda _: lifespan), log_level="error", lifespan="on"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp/"
    finally:
        server.should_exit = True
        thread.join(30)
        listening.close()
        memories.close()


@asynccontextmanager
async def over_http(mode: str, *options: str, told: Told | None = None) -> AsyncIterator[Client]:
    """A client of the same over HTTP; of the options it knows --tools, --session, --read-only and --structured."""
    given = dict(pairwise(options))
    profile = Profile(given.get("--tools", "core"))
    switches = {"read_only": "--read-only" in options, "structured": "--structured" in options}
    with served(profile, session=given.get("--session"), **switches) as address:
        async with Client(address, mode=mode, message_handler=told, read_timeout_seconds=60) as client:
            assert client.session.protocol_version == VERSIONS[mode]
            yield client


CONNECTIONS = [
    (over_stdio, LEGACY),
    (over_stdio, MODERN),
    (over_http, LEGACY),
    (over_http, MODERN),
]
NAMES = ["stdio handshake", "stdio 2026-07-28", "http handshake", "http 2026-07-28"]
