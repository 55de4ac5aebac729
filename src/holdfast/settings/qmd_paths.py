"""A further place with notes for QMD, as a text or a table of `memory.qmd.paths`; its name, path and pattern out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

__all__ = ["OUTSIDE", "QmdPath", "name_clash", "path_entry", "qmd_path", "qmd_path_flaw"]

OUTSIDE = "qmd/"
"""How the path of a hit begins that stands in such a place."""
_NAME = compile_late(r"[a-z0-9][a-z0-9_-]{0,63}", re.ASCII)
_NUMBERED = compile_late(r"(?:path|extra)-[0-9]+", re.ASCII)  # what has no name is called so
_OWN_NAMES = ("main", "prompt", "sessions")
_WORDS = ("path", "pattern", "name")
_EVERY_NOTE = "**/*.md"


class QmdPath(NamedTuple):
    """A directory or a Markdown file, which files of it, and the stable name that hits of it carry."""

    path: str
    pattern: str = _EVERY_NOTE
    name: str = ""


def qmd_path(text: str) -> QmdPath:
    """Return what `docs=~/notes::**/*.md` says; the name and the pattern may be left out."""
    name, equals, rest = text.partition("=")
    if not equals or "/" in name:
        name, rest = "", text
    path, _, pattern = rest.partition("::")
    return QmdPath(path.strip(), pattern.strip() or _EVERY_NOTE, name.strip())


def path_entry(entry: Mapping[str, object]) -> str:
    """The same of a table, `{ name = "docs", path = "~/notes" }`; raises ValueError where it is no such table."""
    strange = sorted(set(entry) - set(_WORDS))
    if strange:
        raise ValueError(f"there is no `{strange[0]}` in it; a table has `path`, `pattern` and `name`")
    if "path" not in entry:
        raise ValueError("its `path` is missing")
    for word in _WORDS:
        if word in entry and not (isinstance(entry[word], str) and entry[word]):
            raise ValueError(f"its `{word}` must be text, and not empty")
    if "name" in entry:
        name = f"{entry['name']}="
    else:
        name = ""
    if "pattern" in entry:
        pattern = f"::{entry['pattern']}"
    else:
        pattern = ""
    return f"{name}{entry['path']}{pattern}"


def qmd_path_flaw(text: str) -> str | None:
    """Return what is wrong with such a text, or None."""
    place = qmd_path(text)
    if not place.path.strip("/"):
        return "the whole file system is no place for notes"
    if ".." in place.path.split("/"):
        return "its path must not go up with `..`: write it from / or ~ on"
    if place.name in _OWN_NAMES or _NUMBERED.fullmatch(place.name):
        return f"the name {place.name} is taken"
    if place.name and not _NAME.fullmatch(place.name):
        return "its name must be small letters, digits, - and _"
    if place.pattern.startswith("/") or ".." in place.pattern.split("/"):
        return "its pattern must stay below its path"
    return None


def name_clash(texts: Sequence[str]) -> str | None:
    """Return why such texts do not go together: two have the same name, by which hits of them are told apart."""
    seen: dict[str, int] = {}
    for number, text in enumerate(texts, start=1):
        name = qmd_path(text).name
        if name and name in seen:
            return f"the entries {seen[name]} and {number} have the same name {name!r}: give each its own"
        seen[name] = number
    return None
