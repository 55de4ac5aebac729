"""Where the home of a memory is."""

from __future__ import annotations

import os

from holdfast.errors import BadArgument

__all__ = ["home_of"]


def home_of(home: str | os.PathLike[str] | None) -> str:
    """The home that was named, else `HOLDFAST_HOME`, else `~/.holdfast`."""
    place = os.fspath(home) if home is not None else os.environ.get("HOLDFAST_HOME") or "~/.holdfast"
    if not place or "\0" in place:
        raise BadArgument("home", "it is empty or has a NUL byte")
    try:
        place.encode("utf-8")
    except UnicodeEncodeError as error:
        raise BadArgument("home", "its name is not valid UTF-8") from error
    return os.path.abspath(os.path.expanduser(place))
