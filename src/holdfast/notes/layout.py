"""Find the place of a note below the home.

Agent main lives at the home itself, except that agents/main/MEMORY.md wins over MEMORY.md. Every other agent lives
in agents/<id>/ and never falls back to main's files. A lone memory.md of old stands in for MEMORY.md.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from holdfast.errors import BadArgument, BadPath
from holdfast.guard.paths import NotePath
from holdfast.named_tuple import NamedTuple
from holdfast.notes.disk import Disk
from holdfast.notes.safe_open import directory, retry, storage_errors

__all__ = [
    "MAIN",
    "Spot",
    "extra_name_fault",
    "extra_roots",
    "find_spot",
    "prompt_memory",
    "root_parts",
    "split_extra_path",
]

MAIN = "main"
_MEMORY, _LEGACY = "MEMORY.md", "memory.md"


class Spot(NamedTuple):
    """A note's directory below the home, its file name, and its path as the owner sees it."""

    parts: tuple[str, ...]
    name: str
    path: str


def root_parts(agent: str) -> tuple[str, ...]:
    """Return the directory of an agent's workspace below the home."""
    return () if agent == MAIN else ("agents", agent)


def find_spot(disk: Disk, home: int, agent: str, path: NotePath) -> Spot:
    """Return where the note at `path` lies, or would lie if it were made now."""
    if path.text == _MEMORY:
        return prompt_memory(disk, home, agent)
    *above, name = path.parts
    return Spot((*root_parts(agent), *above), name, path.text)


def prompt_memory(disk: Disk, home: int, agent: str) -> Spot:
    """Return the file that serves as MEMORY.md."""
    if agent == MAIN and _MEMORY in _names(disk, home, ("agents", MAIN)):
        return Spot(("agents", MAIN), _MEMORY, _MEMORY)
    root = root_parts(agent)
    names = _names(disk, home, root)
    if _LEGACY in names and _MEMORY not in names:
        name = _LEGACY
    else:
        name = _MEMORY
    return Spot(root, name, name)


def _names(disk: Disk, home: int, parts: Sequence[str]) -> list[str]:
    """Return the exact names in a directory.

    A look-up by name can't tell MEMORY.md from memory.md on every system.
    """
    try:
        with directory(disk, home, parts, _MEMORY) as fd, storage_errors(_MEMORY, "list the directory of"):
            return retry(disk.names, fd)
    except FileNotFoundError:
        return []


def extra_roots(paths: Sequence[str], root: str) -> tuple[str, ...]:
    """Make the extra paths absolute; relative ones start at the workspace."""
    roots = []
    for path in paths:
        if not path or "\0" in path:
            raise BadArgument("extra_paths", "a path is empty or has a NUL byte")
        full = posixpath.normpath(posixpath.join(root, posixpath.expanduser(path)))
        # normpath keeps two leading slashes apart from one; here they mean the same.
        full = "/" + full.lstrip("/")
        if full == "/":
            raise BadArgument("extra_paths", "the whole file system can't be an extra path")
        roots.append(full)
    return tuple(dict.fromkeys(roots))


def extra_name_fault(name: str) -> str | None:
    """Return the reason why a name in an extra path can't be used, or None.

    Its owner may use spaces; we must be able to print it.
    """
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return "its name is not UTF-8"
    for character in name:
        if character < " " or "\x7f" <= character <= "\x9f":
            return "its name has a control character"
    return None


def split_extra_path(roots: Sequence[str], path: str) -> tuple[str, tuple[str, ...], str]:
    """Split an absolute path into the extra path it lies below, the directories between, and the file name."""
    segments = path[1:].split("/")
    if any(segment in ("", ".", "..") for segment in segments):
        raise BadPath(path, "it has an empty, '.' or '..' segment")
    for segment in segments:
        fault = extra_name_fault(segment)
        if fault is not None:
            raise BadPath(path, fault)
    if not path.endswith(".md"):
        raise BadPath(path, "it does not end in '.md'")
    for root in roots:
        if path == root:
            return posixpath.dirname(root), (), segments[-1]
        if path.startswith(root + "/"):
            *between, name = path[len(root) + 1 :].split("/")
            return root, tuple(between), name
    raise BadPath(path, "it is absolute and not below an extra path")
