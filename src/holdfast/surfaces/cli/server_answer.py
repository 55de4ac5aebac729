"""Ask the server that runs for the home in place of a command: it has the index and the model open already."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from typing import Any, Final

from holdfast.settings.home_path import home_of, is_variable
from holdfast.surfaces.agents.server_request import post, server_of
from holdfast.surfaces.cli.command_memory import agent_of

__all__ = ["server_answer"]

_SECONDS: Final = 3.0  # a command that does it itself takes a tenth of that


def server_answer(args: argparse.Namespace, method: str, arguments: Mapping[str, Any]) -> Any:
    """Return what a method of the memory gives at the server; None where the command has to ask its own memory.

    That is so without a server, after an error of any kind, and where the environment gives settings: they are this
    command's, and the server has its own.
    """
    if args.tenant is not None or any(map(is_variable, os.environ)):
        return None
    server = server_of(home_of(args.home))
    if server is None:
        return None
    from holdfast.surfaces.client.wire_values import from_wire, to_wire

    body = {"method": method, "arguments": {name: to_wire(value) for name, value in arguments.items()}}
    try:
        return from_wire(post(server, "/api/v1/call", body, {"agent": agent_of(args)}, _SECONDS)["result"])
    except (OSError, ValueError, LookupError):
        return None
