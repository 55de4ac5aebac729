"""Find the home of a memory and its settings, and whether there are any."""

from __future__ import annotations

import os
from collections.abc import Mapping

from holdfast.errors import BadArgument

__all__ = ["FILE_NAME", "SERVER_FILE", "has_settings", "home_of", "is_variable", "settings_file"]

FILE_NAME = "holdfast.toml"
SERVER_FILE = "state/server.json"
"""Stands where a server of the home runs, and says where."""

_PREFIX = "HOLDFAST_"
# Not settings: they say which memory is meant, or steer tests and benchmarks.
_OTHER_VARIABLES = frozenset(
    {
        *("HOLDFAST_HOME", "HOLDFAST_AGENT", "HOLDFAST_TOKEN", "HOLDFAST_DATABASE"),
        *("HOLDFAST_FAULTS", "HOLDFAST_EVAL_DATA"),
    }
)
_OTHER_PREFIXES = ("HOLDFAST_TEST_", "HOLDFAST_BENCH_")


def home_of(home: str | os.PathLike[str] | None) -> str:
    """The home that was named, else `HOLDFAST_HOME`, else `~/.holdfast`."""
    if home is not None:
        place = os.fspath(home)
    else:
        place = os.environ.get("HOLDFAST_HOME") or "~/.holdfast"
    if not place or "\0" in place:
        raise BadArgument("home", "it is empty or has a NUL byte")
    try:
        place.encode("utf-8")
    except UnicodeEncodeError as error:
        raise BadArgument("home", "its name is not valid UTF-8") from error
    full = os.path.expanduser(place)
    if full == place and (place == "~" or place.startswith("~/")):
        # Taken as it stands it would be a folder named ~, wherever the program was started.
        why = f"'{place}' lies below your own directory, and nobody knows which that is: HOME is not set"
        raise BadArgument("home", f"{why}; name another place, or set HOLDFAST_HOME")
    return os.path.abspath(full)


def settings_file(home: str, agent: str | None = None) -> str:
    """Return where the settings of a home are, or those of one agent; whether or not the file exists."""
    if agent is None:
        return os.path.join(home, FILE_NAME)
    return os.path.join(home, "agents", agent, FILE_NAME)


def is_variable(name: str) -> bool:
    """Say whether a variable of the environment gives a setting, or means to."""
    return name.startswith(_PREFIX) and name not in _OTHER_VARIABLES and not name.startswith(_OTHER_PREFIXES)


def has_settings(home: str, agent: str, environ: Mapping[str, str] = os.environ) -> bool:
    """Say whether a file or the environment gives any setting; where not, all are as they are by default."""
    if any(map(is_variable, environ)):
        return True
    return any(os.path.lexists(file) for file in (settings_file(home), settings_file(home, agent)))
