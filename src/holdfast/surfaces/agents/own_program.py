"""The Holdfast that runs now: how another program starts it, and whether it can serve one."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

__all__ = ["can_serve", "starts_this_program", "this_program"]


def this_program() -> tuple[str, ...]:
    """Return how to start what runs now from anywhere: a desktop program has not the PATH of a shell."""
    import shutil

    name = os.path.basename(sys.argv[0])
    # Not what links lead to: `uv tool` and pipx change that with every new version.
    if name != "holdfast":
        found = shutil.which("holdfast")
    else:
        found = shutil.which(sys.argv[0])
    # -P, so that a file called holdfast.py in a project is never run in place of us.
    if found:
        return (os.path.abspath(found),)
    return (sys.executable, "-P", "-m", "holdfast")


def starts_this_program(words: Sequence[str]) -> bool:
    """Say whether a command starts the Holdfast that runs now, and not one that is installed elsewhere."""
    import shutil

    program = this_program()
    if len(program) > 1:
        return tuple(words[: len(program)]) == program
    found = shutil.which(words[0])
    return found is not None and os.path.realpath(found) == os.path.realpath(program[0])


def can_serve() -> bool:
    """Say whether `holdfast mcp` can start: it needs a package of the extra `server`."""
    from importlib.util import find_spec

    return find_spec("mcp") is not None
