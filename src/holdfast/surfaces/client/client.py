"""connect: a memory that a server keeps, as the same class as one that is open here."""

from __future__ import annotations

import math
import os

from holdfast.errors import BadArgument, ServerUnreachable
from holdfast.guard.paths import agent_id
from holdfast.memory import Memory
from holdfast.surfaces.client.remote_backend import RemoteBackend
from holdfast.surfaces.client.transport import Link, is_loopback

__all__ = ["connect"]

_SECONDS = 60.0


def connect(
    url: str | None = None,
    *,
    token: str | None = None,
    agent: str | None = None,
    home: str | None = None,
    timeout: float = _SECONDS,
    insecure: bool = False,
) -> Memory:
    """The memory of a server, with the methods of `Memory`; without an address, of the one that runs for the home.

    The token is found in `HOLDFAST_TOKEN` or, on this machine, in the home. `insecure` lets the token go to another
    machine without encryption, as through a tunnel.
    """
    from holdfast.surfaces.http.server_file import running_server
    from holdfast.surfaces.http.token import VARIABLE, checked_token, token_of

    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 < timeout < math.inf:
        raise BadArgument("timeout", f"{timeout!r} is not a number of seconds above 0")
    if agent is not None:
        agent_id(agent)
    if url is None:
        found = running_server(home)
        if found is None:
            raise ServerUnreachable(home or "the home's address", "no server runs for this home")
        url = found.url
    if not isinstance(url, str) or not url.lower().startswith(("http://", "https://")):
        raise BadArgument("url", f"{url!r} does not start with http:// or https://")
    near = is_loopback(url)
    if not (near or insecure or url.lower().startswith("https://")):
        raise BadArgument("url", "the token would go to another machine unencrypted; use https, or say insecure=True")
    if token:
        token = checked_token(token, "token")
    elif os.environ.get(VARIABLE) or near:
        token = token_of(home, make=False)
    if not token:
        raise BadArgument("token", "none is known; give `token`, or set HOLDFAST_TOKEN (`holdfast serve` says which)")
    return Memory(RemoteBackend(Link(url, token, agent, timeout)))
