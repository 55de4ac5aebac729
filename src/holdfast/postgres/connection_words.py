"""Say of a connection to PostgreSQL what may be shown, in a line: no password, and what to do."""

from __future__ import annotations

import re
from typing import Final

from holdfast.errors import DatabaseUnfit

__all__ = ["READ_ONLY", "connection_place", "connection_remedy", "first_line"]

READ_ONLY: Final = "name the host that takes writes (a standby, or a read-only one, does not)"
_PASSES: Final = (
    *("refused", "no such file", "timeout", "timed out", "unreachable", "no route", "temporary failure"),
    *("starting up", "shutting down", "recovery", "not accepting", "not yet accepting", "terminating"),
    *("closed the connection", "reset by peer", "too many", "connection slots"),
)
"""What is said of a server that is not up yet, or has no room: it may be tried again."""


def connection_place(dsn: str) -> str:
    """Return where a database is, without the password and the options of its address."""
    try:
        from psycopg import Error, conninfo

        given = conninfo.conninfo_to_dict(dsn)
    except ImportError:
        return "of the address given"
    except Error:
        # What the library says of an address repeats it, password and all.
        why, remedy = "its address is none of PostgreSQL's", "Write postgresql://USER@HOST/NAME, odd characters as %XX."
        raise DatabaseUnfit("of the address given", why, remedy) from None
    hosts = str(given.get("host") or "this machine")
    return f"{given.get('dbname') or given.get('user') or 'postgres'} on {hosts}"


def first_line(error: BaseException) -> str:
    """Return what an error says, in one line and without an address that may hold a password."""
    line = str(error).strip().split("\n")[0].rstrip(".")
    line = re.sub(r"(?<!\w)\w+://\S+", "postgresql://…", line)
    return re.sub(r'value "[^"]*"(?= for connection option)', "value", line)[:300] or type(error).__name__


def connection_remedy(error: BaseException) -> str:
    """Return what to do where no connection could be made; "" where it may be enough to wait."""
    said = str(error).lower()
    if "read-only" in said:
        return READ_ONLY
    return "" if any(word in said for word in _PASSES) else "check its address, login and password"
