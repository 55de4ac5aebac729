"""A note → the notes that it links to, and the lines of other notes that link to it.

A link is `[text](path)`, from the folder of its note or from the top, `[[name]]`, or a path such as memory/plans.md in
running text, as a citation writes it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from posixpath import dirname, join, normpath
from typing import Annotated, Final
from urllib.parse import unquote

from holdfast.context.context import Context
from holdfast.context.index_repair import heal_once
from holdfast.errors import HoldfastError
from holdfast.guard.text_rules import decode
from holdfast.markdown.lines import split_lines
from holdfast.named_tuple import NamedTuple
from holdfast.value import Shown

__all__ = ["Backlink", "Link", "NoteLinks", "note_links"]

_MOST: Final = 200  # links shown, and notes read for those that lead here
_LONGEST_LINE: Final = 200  # characters
_LINKS: Final = re.compile(
    r"\]\(\s*<?(?P<inline>[^()\s<>]{1,1000})"
    r"|\[\[(?P<wiki>[^\[\]|#\n]{1,200})"
    r"|(?<![\w/(])(?P<plain>(?:memory/[\w./-]{1,200}|MEMORY)\.md)\b"
)
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:|//|#", re.IGNORECASE)


class Link(NamedTuple):
    """Says where a note leads to, and in which line it says so."""

    path: str
    line: int
    exists: bool


class Backlink(NamedTuple):
    """A line of another note that leads here."""

    path: str
    line: int
    text: str


class NoteLinks(Shown):
    """Links out of a note and into it; `partial` where there are more, or where not all notes could be looked at."""

    path: str
    links: tuple[Link, ...] = ()
    backlinks: tuple[Backlink, ...] = ()
    partial: bool = False


def note_links(ctx: Context, path: Annotated[str, "MEMORY.md or memory/<name>.md."]) -> NoteLinks:
    """The notes that a note links to, and the lines of others that link to it."""
    note = ctx.workspace.read(path)
    names = _Names(seen.path for seen in ctx.note_list.below(""))
    out = [Link(names.resolve(to, note.path), line, names.holds(to, note.path)) for line, to, _ in _links_in(note.data)]
    unique = list(dict.fromkeys(link for link in out if link.path != note.path))
    into, partial = _backlinks(ctx, note.path, names)
    return NoteLinks(
        note.path, tuple(unique[:_MOST]), tuple(into[:_MOST]), partial or max(len(unique), len(into)) > _MOST
    )


def _backlinks(ctx: Context, path: str, names: _Names) -> tuple[list[Backlink], bool]:
    stem = _stem(path)
    if not os.path.exists(ctx.index_path):
        return [], True
    try:
        candidates = heal_once(ctx, lambda: _notes_naming(ctx, stem))
    except HoldfastError:
        return [], True
    backlinks: list[Backlink] = []
    for other in candidates[:_MOST]:
        if other == path:
            continue
        try:
            data = ctx.workspace.read(other).data
            for line, to, text in _links_in(data):
                if names.resolve(to, other) == path:
                    backlinks.append(Backlink(other, line, text.strip()[:_LONGEST_LINE]))
        except HoldfastError:
            continue  # removed or damaged since
    return list(dict.fromkeys(backlinks)), len(candidates) > _MOST


def _notes_naming(ctx: Context, stem: str) -> list[str]:
    """The notes that hold the name of a note, by the index: reading ten thousand of them would take a second."""
    edition = ctx.database.serving()
    if edition is None:
        return []
    return edition.paths_saying(stem, _MOST + 2)


class _Link(NamedTuple):
    target: str
    is_wiki: bool


def _links_in(data: bytes) -> Iterator[tuple[int, _Link, str]]:
    """Each link with its line, counted from 1, and the text of that."""
    for number, line in enumerate(split_lines(decode(data)), 1):
        for match in _LINKS.finditer(line):
            inline = match["inline"]
            if inline is not None and _SCHEME.match(inline):
                continue
            target = match["wiki"] or match["plain"] or unquote((inline or "").partition("#")[0])
            if target.strip():
                yield number, _Link(target.strip(), match["wiki"] is not None), line


class _Names:
    """The paths of all notes, and what a link means among them."""

    def __init__(self, paths: Iterator[str]) -> None:
        self._paths = frozenset(paths)
        self._stems: dict[str, str] = {}
        for path in sorted(self._paths, reverse=True):
            self._stems[_stem(path).casefold()] = path  # of two with one name, the first by path

    def resolve(self, link: _Link, source: str) -> str:
        """The path that a link leads to, whether or not there is such a note."""
        ways = self._ways(link, source)
        if link.is_wiki:
            ways.append(self._stems.get(_stem(link.target).casefold(), ""))
        return next((way for way in ways if way in self._paths), ways[0])

    def holds(self, link: _Link, source: str) -> bool:
        """Say whether there is a note there."""
        return self.resolve(link, source) in self._paths

    def _ways(self, link: _Link, source: str) -> list[str]:
        if link.target.endswith(".md"):
            named = link.target
        else:
            named = f"{link.target}.md"
        beside, top = normpath(join(dirname(source), named)), normpath(named)
        if link.is_wiki:
            return [f"memory/{top}", top, beside]
        # From the top where it says so; a folder memory/ below memory/ is no place that anybody means first.
        if top == "MEMORY.md" or top.startswith("memory/"):
            return [top, beside]
        return [beside, top]


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")
