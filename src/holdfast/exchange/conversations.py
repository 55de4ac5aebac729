"""The conversations of an export, of ChatGPT or of Claude, under whatever name its owner has given the file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from holdfast.errors import BadArgument
from holdfast.exchange.bundle import Bundle
from holdfast.exchange.findings import LeftOut
from holdfast.exchange.format_text import parse_json
from holdfast.named_tuple import NamedTuple

__all__ = ["CONVERSATIONS", "Conversations", "conversations_in"]

CONVERSATIONS: Final = re.compile(r"(?:.*/)?conversations(?:-[0-9]+)?\.json")
"""The files of conversations as both programs name them."""


class Conversations(NamedTuple):
    """Each conversation with its place, what is none, and whether there was a file of them at all."""

    held: tuple[tuple[str, Mapping[str, Any]], ...]
    left_out: tuple[LeftOut, ...]
    found: bool

    @property
    def understood(self) -> bool:
        """True if this is an export.

        One of an account without conversations is an export, and one full of other things is not.
        """
        return bool(self.held) or (self.found and not self.left_out)


def conversations_in(bundle: Bundle, program: str, is_one: Callable[[Mapping[str, Any]], bool]) -> Conversations:
    """Return the conversations of a bundle; `is_one` knows those of this program."""
    held: list[tuple[str, Mapping[str, Any]]] = []
    left: list[LeftOut] = []
    found = False
    for name, rows in _lists(bundle, program, is_one):
        found = True
        for number, row in enumerate(rows, 1):
            where = f"{name}, conversation {number}"
            if isinstance(row, Mapping) and is_one(row):
                held.append((where, row))
            else:
                left.append(LeftOut(where, "it is no conversation"))
    return Conversations(tuple(held), tuple(left), found)


def _lists(
    bundle: Bundle, program: str, is_one: Callable[[Mapping[str, Any]], bool]
) -> Iterator[tuple[str, list[Any]]]:
    named = [name for name in bundle.names if CONVERSATIONS.fullmatch(name)]
    for name in named:
        value = parse_json(bundle.read(name), name)
        if not isinstance(value, list):
            raise BadArgument("file", f"{name!r} is no list of conversations, as {program} exports one")
        yield name, value
    if named:
        return
    # Somebody who keeps several exports gives them names of their own.
    for name in bundle.names:
        if not bundle.single and not name.endswith(".json"):
            continue
        value = parse_json(bundle.read(name), name)
        if isinstance(value, list) and any(isinstance(row, Mapping) and is_one(row) for row in value):
            yield name, value
