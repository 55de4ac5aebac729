"""A note's path ↔ its address for MCP clients, `holdfast://note/memory/launch.md`, or its name in one word."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote, unquote

from holdfast.errors import BadPath
from holdfast.guard.invisibles import is_invisible
from holdfast.guard.paths import name_fault
from holdfast.pattern import compile_late

__all__ = ["TEMPLATE", "link_of", "path_in", "path_of", "word_of"]

_START: Final = "holdfast://note/"
TEMPLATE: Final = _START + "{+path}"
"""The addresses of all notes, as RFC 6570 writes it: the slashes of a path stay slashes."""
_NO_WORD: Final = compile_late(r"[^\w./:+#-]|[^\x00-\x7f]")


def link_of(path: str) -> str:
    """The address of a note. An absolute path, of a note that lies elsewhere, begins with an escaped slash."""
    # Some clients take an address apart and put it together again: no empty segment may be lost on the way.
    first, rest = ("%2F", path[1:]) if path.startswith("/") else ("", path)
    return _START + first + quote(rest, safe="/", errors="surrogatepass")


def path_of(link: str) -> str:
    """The path behind an address; what it leads to is decided by the rules for paths, not here."""
    if not link.startswith(_START):
        raise BadPath(link, f"it does not begin with {_START}")
    try:
        return unquote(link.removeprefix(_START), errors="strict")
    except UnicodeDecodeError as error:
        raise BadPath(link, "it is not UTF-8") from error


def word_of(path: str) -> str:
    """The path as one word, for a place where no fence can stand: a file may have an order for its name.

    What is no part of a word is escaped as in an address, and so are letters that show as nothing and part two words.
    """
    return _NO_WORD.sub(_escape, path)


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    if char.isalnum() and not is_invisible(char) and name_fault(char) is None:
        return char
    return quote(char, safe="", errors="replace")


def path_in(word: str) -> str:
    """The path that `word_of` made a word of."""
    return unquote(word, errors="replace")
