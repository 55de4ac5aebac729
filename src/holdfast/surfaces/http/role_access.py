"""The rights of the bearer of a tenant's token, by its role: a table for routes, and of calls what operations declare.

An owner's program may do all that a program with the token of a home may. An agent reads, and changes what a model may
change; what is decided in the owner's name, and what goes for good, is not its. A reader changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from holdfast.errors import NotPermitted, ReadOnlyToken
from holdfast.postgres.access_tokens import Role
from holdfast.surfaces.client.call_table import CALLS
from holdfast.surfaces.mcp.tool_profile import HINTS
from holdfast.surfaces.tenant_settings import is_operators

if TYPE_CHECKING:
    from holdfast.surfaces.http.router import Route

__all__ = ["only_reads", "require_call", "require_route", "require_settings", "require_tool"]

_OWNERS: Final = (
    *("/api/v1/settings", "/api/v1/inbox", "/api/v1/dreams", "/api/v1/spaces", "/api/v1/jobs"),
    *("/api/v1/prune", "/api/v1/purge", "/api/v1/undo/origin", "/api/v1/import", "/api/v1/export", "/api/v1/questions"),
    *("/api/v1/profile",),
)
"""Where only the owner changes anything; whoever may read, reads there too."""
_CALLS: Final = frozenset({"POST /api/v1/call", "POST /api/v1/call-slow", "POST /api/v1/tools/{name}"})
"""What looks itself at who calls which method or tool."""
_NOBODYS: Final = (
    *("/api/v1/browsers", "/api/v1/entry", "/enter", "/leave"),  # a browser comes in through a program of theirs
    *("/api/v1/providers", "/api/v1/doctor"),  # these reach the server's network, and look at its disk
)
"""What a server of tenants has not."""


def only_reads(route: Route, arguments: Mapping[str, Any]) -> bool:
    """Say whether a request changes nothing: then it may be answered by what is known from before."""
    if f"{route.method} {route.path}" not in _CALLS:
        return route.method == "GET" or route.reads
    tool = str(arguments.get("name"))
    call = CALLS.get(str(arguments.get("method")))
    return (call is not None and call.reads) or (tool in HINTS and HINTS[tool].reads)


def require_route(role: Role, name: str, *, reads: bool) -> None:
    """Raise where the role may not ask for a route, by its row of the table (`POST /api/v1/notes`)."""
    method, _, path = name.partition(" ")
    if path.startswith(_NOBODYS):
        raise NotPermitted("A server of tenants has no such route: it is about the server itself, or about browsers.")
    if role is Role.OWNER or method in ("GET", "HEAD"):
        return
    if role is Role.READER and not reads and name not in _CALLS:
        raise ReadOnlyToken(name)
    if role is Role.AGENT and path.startswith(_OWNERS):
        raise _owners(name)


def require_call(role: str, method: str) -> None:
    """Raise where the role may not call a method of the client's table; who has none has the token of a home."""
    call = CALLS.get(method)
    if role == Role.READER and (call is None or not call.reads):
        raise ReadOnlyToken(method[:100])
    if role == Role.AGENT and call is not None and call.for_owner:
        raise _owners(method)


def require_tool(role: str, name: str) -> None:
    """Raise where the role may not call a tool."""
    if role == Role.READER and not (name in HINTS and HINTS[name].reads):
        raise ReadOnlyToken(name[:100])


def require_settings(role: str, keys: Iterable[str]) -> None:
    """Raise where a tenant would set what is the operator's; it would not hold."""
    theirs = next((key for key in keys if role and is_operators(key)), None)
    if theirs is not None:
        raise NotPermitted(f"'{theirs}' is set by whoever runs this server, for all tenants. Ask them.")


def _owners(what: str) -> NotPermitted:
    return NotPermitted(f"{what} is the owner's, and this token is an agent's. Ask the tenant's owner.")
