"""A further place with notes for QMD, as a text or a table of `memory.qmd.paths`; its name, path and pattern out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["OUTSIDE", "QmdPath", "path_entry", "qmd_path", "qmd_path_flaw"]

OUTSIDE = "qmd/"
"""How the path of a hit begins that stands in such a place."""
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}", re.ASCII)
_OWN_NAMES = ("main", "prompt", "sessions")
_WORDS = ("path", "pattern", "name")
_EVERY_NOTE = "**/*.md"


class QmdPath(NamedTuple):
    """A directory or a Markdown file, which files of it, and the stable name that hits of it carry."""

    path: str
    pattern: str = _EVERY_NOTE
    name: str = ""


def qmd_path(text: str) -> QmdPath:
    """What `docs=~/notes::**/*.md` says; the name and the pattern may be left out."""
    name, equals, rest = text.partition("=")
    if not equals or "/" in name:
        name, rest = "", text
    path, _, pattern = rest.partition("::")
    return QmdPath(path.strip(), pattern.strip() or _EVERY_NOTE, name.strip())


def path_entry(entry: Mapping[str, object]) -> str | None:
    """The same of a table, `{ name = "docs", path = "~/notes" }`; None where it is no such table."""
    if not set(entry) <= set(_WORDS) or not all(isinstance(text, str) and text for text in entry.values()):
        return None
    if "path" not in entry:
        return None
    name = f"{entry['name']}=" if "name" in entry else ""
    pattern = f"::{entry['pattern']}" if "pattern" in entry else ""
    return f"{name}{entry['path']}{pattern}"


def qmd_path_flaw(text: str) -> str | None:
    """What is wrong with such a text, or None."""
    place = qmd_path(text)
    if not place.path.strip("/"):
        return "the whole file system is no place for notes"
    if place.name in _OWN_NAMES:
        return f"the name {place.name} is taken"
    if place.name and not _NAME.fullmatch(place.name):
        return "its name must be small letters, digits, - and _"
    if place.pattern.startswith("/") or ".." in place.pattern.split("/"):
        return "its pattern must stay below its path"
    return None
