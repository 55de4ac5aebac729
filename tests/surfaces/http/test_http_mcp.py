"""MCP at /mcp: the official client, through the same door as everybody."""

from __future__ import annotations

import signal
from contextlib import suppress
from pathlib import Path

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from surfaces.http.serving import Served, begun
from surfaces.mcp.connections import LEGACY


def test_the_official_client_searches_what_http_saved(web: Served) -> None:
    web.call("POST", "/api/v1/notes", {"content": "The tide turns at four", "file": "memory/tide.md"})

    async def asked() -> str:
        from mcp.client.streamable_http import streamable_http_client

        bearing = {"Authorization": f"Bearer {web.token}"}
        async with httpx2.AsyncClient(headers=bearing) as line:
            transport = streamable_http_client(f"{web.url}/mcp", http_client=line)
            async with Client(transport) as client:
                result = await client.call_tool("memory_search", {"query": "when does the tide turn"})
                return str(result.content)

    assert "memory/tide.md" in anyio.run(asked)


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer wrong"}])
def test_without_the_token_there_is_no_mcp(web: Served, headers: dict[str, str]) -> None:
    body = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
    answer = web.send("POST", "/mcp", body, {"Content-Type": "application/json", **headers})
    assert (answer.status, answer.error) == (401, "NotPermitted")


def test_what_a_client_of_mcp_writes_is_marked_as_such(web: Served) -> None:
    async def saved() -> None:
        from mcp.client.streamable_http import streamable_http_client

        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {web.token}"}) as line,
            Client(streamable_http_client(f"{web.url}/mcp", http_client=line)) as client,
        ):
            await client.call_tool("memory_save", {"content": "by mcp", "file": "memory/mcp.md"})

    anyio.run(saved)
    last = web.call("GET", "/api/v1/history?limit=1").json["checkpoints"][0]
    assert (last["path"], last["origin"]) == ("memory/mcp.md", "mcp_tool")


def test_an_open_line_of_mcp_does_not_keep_the_server_from_ending(tmp_path: Path) -> None:
    async def ended() -> None:
        from mcp.client.streamable_http import streamable_http_client

        web = begun(tmp_path / "home")
        async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {web.token}"}, timeout=60) as line:
            with suppress(BaseExceptionGroup, MCPError, httpx2.HTTPError, anyio.ClosedResourceError):
                async with Client(streamable_http_client(f"{web.url}/mcp", http_client=line), mode=LEGACY) as client:
                    await client.call_tool("memory_search", {"query": "anything"})
                    web.process.send_signal(signal.SIGTERM)
                    _, told = await anyio.to_thread.run_sync(lambda: web.process.communicate(timeout=30))
                    assert (web.process.returncode, b"Traceback" in told) == (0, False), told
                    assert b"graceful shutdown exceeded" not in told

    anyio.run(ended)
