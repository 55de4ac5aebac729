"""Which files this process has open in a place, for tests that must see that none is left."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


def open_files(place: Path) -> list[str]:
    """What is open in a place or on the way to it; threads of other tests may close their own files meanwhile."""
    way = {str(place), *map(str, place.parents)}
    return sorted(name for name in map(_name, os.listdir("/dev/fd")) if name in way or name.startswith(f"{place}/"))


def _name(number: str) -> str:
    try:
        if hasattr(fcntl, "F_GETPATH"):
            return os.fsdecode(fcntl.fcntl(int(number), fcntl.F_GETPATH, bytes(1024)).rstrip(b"\0"))
        return os.readlink(f"/dev/fd/{number}")
    except OSError:  # the directory that was listed just now, or something that is no file
        return ""
