"""The paths of the pydantic-ai harness (`main/topic.md`) as notes, and back.

The scope that is this memory's own is the workspace itself: its MEMORY.md is MEMORY.md, its files are memory/<name>.md.
Files of other scopes (tenants, other agents) are notes too, with `+` for each `/`, because folders in memory/ are the
owner's. A name that does not end in .md gets `+.md`. Neither sign can be in a path of the harness, so nothing collides.
"""

from __future__ import annotations

import re

from holdfast.errors import BadPath
from holdfast.guard.paths import readable_path, writable_path

__all__ = ["note_of", "path_of", "prefix_of"]

_SEGMENT = re.compile(r"[A-Za-z0-9_.-]{1,200}", re.ASCII)
_OTHER = "+.md"


def note_of(path: str, own: str) -> str:
    """The note of a path; BadPath where no note can have that name."""
    scope, _, name = path.rpartition("/")
    if scope == own and name == "MEMORY.md":
        return "MEMORY.md"
    if scope == own:
        flat = name
    elif "/" in path:
        flat = path.replace("/", "+")
    else:
        # One segment alone is what the own scope's files look like, so a file in no scope begins with the sign.
        flat = f"+{path}"
    if not flat.endswith(".md"):
        flat += _OTHER
    return writable_path(f"memory/{flat}").text


def path_of(note: str, own: str) -> str | None:
    """The path of a note; None for one that the harness could not name."""
    if readable_path(note).is_prompt_memory:
        return f"{own}/MEMORY.md"
    flat = note.removeprefix("memory/")
    if flat.endswith(_OTHER):
        plain = flat.removesuffix(_OTHER)
    else:
        plain = flat
    parts = plain.split("+")
    if "/" in flat:
        return None
    if len(parts) == 1:
        path = f"{own}/{plain}"
    else:
        path = "/".join(parts).removeprefix("/")
    fits = all(_SEGMENT.fullmatch(part) and ".." not in part and part != "." for part in path.split("/"))
    try:
        # A note that would not be found under its path again, such as memory/MEMORY.md, is not shown by it.
        if fits and note_of(path, own) == note:
            return path
        return None
    except BadPath:
        return None  # a name that only its owner could give it


def prefix_of(prefix: str, own: str) -> str:
    """Return what the notes of all paths with this prefix begin with; others may begin so too."""
    if f"{own}/".startswith(prefix) or prefix.startswith(f"{own}/"):
        return ""
    if "/" not in prefix:
        return "memory/"
    return f"memory/{prefix.replace('/', '+')}"
