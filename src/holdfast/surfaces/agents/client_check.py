"""doctor's look at the programs that start Holdfast: one that can't start there says so to nobody."""

from __future__ import annotations

from holdfast.errors import BadArgument
from holdfast.operations.check_result import Check
from holdfast.plural import name_few
from holdfast.surfaces.agents.client_setup import server_commands
from holdfast.surfaces.agents.clients import CLIENTS, Client, HoldfastCommand, Scope, files_of
from holdfast.surfaces.agents.own_program import can_serve, starts_this_program, this_program

__all__ = ["check_clients"]


def check_clients() -> list[Check]:
    """Return what keeps the server from starting in programs whose settings name it, the user's or this project's."""
    if can_serve():
        return []
    titles = [CLIENTS[client].title for client in Client if any(_starts_us(client, scope) for scope in Scope)]
    if not titles:
        return []
    from holdfast.settings.installation import install_advice

    detail = f"{name_few(titles)}: `holdfast mcp` can't start, the extra `server` is not installed"
    return [Check("clients", ok=False, detail=detail, remedy=install_advice("server"))]


def _starts_us(client: Client, scope: Scope) -> bool:
    try:
        server, *_ = files_of(client, scope, HoldfastCommand(this_program(), hooks=False))
    except BadArgument:  # it has no settings of a project
        return False
    return any(map(starts_this_program, server_commands(server)))
