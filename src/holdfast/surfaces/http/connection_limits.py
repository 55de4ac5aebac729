"""The limits of connections: how long a client may keep one waiting, and how many there may be."""

from __future__ import annotations

from typing import Final

from holdfast.value import Value

__all__ = ["ACCEPT_BURST", "ConnectionLimits", "max_connections", "raise_descriptor_limit"]

MAX_CONNECTIONS: Final = 512  # each may hold some 300 KB that wait to be parsed: 150 MB in all
ACCEPT_BURST: Final = 16  # asyncio accepts so many at a time, and up to four times as many before it tells us of them
# 48 open memories (8 agents with 4 each, and 16 worker threads) of about 6 files, 32 files of the process itself, and
# the connections that are accepted but not counted yet.
RESERVED_DESCRIPTORS: Final = 48 * 6 + 32 + 4 * ACCEPT_BURST
WANTED_DESCRIPTORS: Final = 4_096


class ConnectionLimits(Value):
    """The limits of one server. The seconds are those that other servers use (nginx, Apache: 10 to 60)."""

    connections: int = MAX_CONNECTIONS
    head_seconds: float = 10.0
    """From the first byte of a request, or from connecting, to the end of its head."""
    idle_seconds: float = 30.0
    """Between an answer and the next request on the same connection."""
    stall_seconds: float = 30.0
    """Without the client taking one byte of what it is being sent."""
    linger_seconds: float = 5.0
    """For a client that was refused while it was still sending; closing at once would take the answer from it."""


def max_connections(descriptors: int) -> int:
    """Give the number of connections that leaves descriptors for the databases; a quarter where there are few."""
    return min(MAX_CONNECTIONS, max(descriptors - RESERVED_DESCRIPTORS, descriptors // 4))


def raise_descriptor_limit() -> int:
    """Raise the soft limit of open files as far as needed and allowed (macOS starts with 256), and return it."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= WANTED_DESCRIPTORS:
        return WANTED_DESCRIPTORS
    wanted = WANTED_DESCRIPTORS
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError):
        return soft
    return wanted
