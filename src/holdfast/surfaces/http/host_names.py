"""The names under which a server answers: whether a Host header or the Origin of a page is its own."""

from __future__ import annotations

import ipaddress
import re
import socket
from typing import Final
from urllib.parse import urlsplit, urlunsplit

__all__ = ["Addresses", "is_local_name", "is_loopback", "reached_from_outside", "url_of"]

_HOST: Final = re.compile(
    r"(?P<name>\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(?::(?P<port>[0-9]{1,5}))?", re.ASCII
)
_OURS: Final = frozenset(("localhost", "127.0.0.1", "[::1]"))


class Addresses:
    """The names of one server. A name that resolves to us is not ours: anybody can make one."""

    def __init__(self, port: int, *, remote: bool = False, names: tuple[str, ...] = ()) -> None:
        self._port, self._remote = port, remote
        self._names = frozenset(name.lower() for name in names)

    def is_ours(self, host: str) -> bool:
        """Say whether a Host header names this server, with its port."""
        found = _HOST.fullmatch(host)
        if found is None:
            return False
        name, port = found["name"].lower(), found["port"]
        if host.lower() in self._names or name in self._names:
            return True  # the owner said so: a proxy or a tunnel may stand at another port
        if int(port or 80) != self._port:
            return False
        # Whoever is let in from other machines may use any of this machine's numbers; only a name can be pointed here.
        return name in _OURS or (self._remote and _is_number(name))

    def is_own_page(self, origin: str, host: str) -> bool:
        """Say whether a page's Origin is the very address that it sent its request to."""
        scheme, split, place = origin.partition("://")
        return bool(split) and scheme in ("http", "https") and place.lower() == host.lower() and self.is_ours(place)


def is_local_name(host: str) -> bool:
    """Say whether a Host header names this machine as only this machine can."""
    found = _HOST.fullmatch(host)
    return found is not None and is_loopback(found["name"])


def is_loopback(host: str) -> bool:
    """Say whether a server bound to this host is reached from this machine only."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def url_of(host: str, port: int) -> str:
    """The address to type: of this machine where the server listens everywhere."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "": "127.0.0.1"}.get(host, host)  # noqa: S104 - no bind
    if ":" in shown and not shown.startswith("["):
        return f"http://[{shown}]:{port}"
    return f"http://{shown}:{port}"


def reached_from_outside(link: str) -> str | None:
    """The same link for another machine: with this one's number in its network; None where it is in none."""
    parts = urlsplit(link)
    if not is_loopback(parts.hostname or ""):
        return link
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        try:
            line.connect(("192.0.2.1", 9))  # a number for examples: nothing is sent, only a way there is looked for
        except OSError:
            return None
        number = line.getsockname()[0]
    return urlunsplit(parts._replace(netloc=f"{number}:{parts.port}"))


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
