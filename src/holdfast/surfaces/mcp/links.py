"""A note's path ↔ its address for MCP clients, `holdfast://note/memory/launch.md`, or its name in one word."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote, unquote

from holdfast.errors import BadPath

__all__ = ["TEMPLATE", "link_of", "path_in", "path_of", "word_of"]

_START: Final = "holdfast://note/"
TEMPLATE: Final = _START + "{+path}"
"""The addresses of all notes, as RFC 6570 writes it: the slashes of a path stay slashes."""
_NO_WORD: Final = re.compile(r"[^\w./:+#-]")


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

    What is no part of a word is escaped as in an address.
    """
    return _NO_WORD.sub(lambda match: quote(match[0], safe="", errors="replace"), path)


def path_in(word: str) -> str:
    """The path that `word_of` made a word of."""
    return unquote(word, errors="replace")
