"""MCP over streamable HTTP, for `holdfast serve` to mount at /mcp.

Who may come in at all is decided by the guard of the HTTP server (Host, Origin, token); the SDK's own checks of Host
and Origin stay on as a second lock.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Final

from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp

from holdfast.surfaces.mcp.client_lines import LONGEST
from holdfast.surfaces.mcp.mcp_server import made_server
from holdfast.surfaces.mcp.message_filter import filter_messages
from holdfast.surfaces.mcp.tool_profile import Profile
from holdfast.surfaces.memory_pool import MemoryPool

__all__ = ["LOOPBACK", "mcp_app"]

LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
_MOST_SESSIONS: Final = 256
_IDLE: Final = 30 * 60.0  # seconds without a request, after which a session of the handshake versions ends


def mcp_app(
    memories: MemoryPool,
    profile: Profile = Profile.CORE,
    *,
    hosts: Sequence[str] = LOOPBACK,
    session: str | None = None,
    read_only: bool = False,
    structured: bool = False,
    stateless: bool = False,
) -> tuple[ASGIApp, AbstractAsyncContextManager[None]]:
    """An ASGI app that answers at whatever path it is mounted, and what has to be open while it does.

    `hosts` are the names by which clients may call this machine, with any port. A stateless one keeps nothing between
    two requests, so that the next may go to another server.
    """
    manager = StreamableHTTPSessionManager(
        app=made_server(memories, profile, session=session, read_only=read_only, structured=structured),
        security_settings=TransportSecuritySettings(
            enable_dns_rebinding_protection=True,
            allowed_hosts=[each for host in hosts for each in (host, f"{host}:*")],
            allowed_origins=[f"http://{each}" for host in hosts for each in (host, f"{host}:*")],
        ),
        stateless=stateless,
        session_idle_timeout=None if stateless else _IDLE,
        max_request_body_size=LONGEST,
        max_sessions=_MOST_SESSIONS,
    )
    return filter_messages(StreamableHTTPASGIApp(manager)), manager.run()
