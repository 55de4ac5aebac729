"""Who wrote a text. The surface that took the text in stamps it; the text itself never can."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum
from itertools import groupby

__all__ = ["TRUST", "Origin", "at_least", "line_by_line", "origins_in", "weakest", "weakest_between"]


class Origin(StrEnum):
    """Where a text came from, from the owner's own words to an edit made outside Holdfast."""

    USER = "user"
    AGENT = "agent"
    AUTO_CAPTURE = "auto_capture"
    IMPORT = "import"
    MCP_TOOL = "mcp_tool"
    API = "api"
    OUTSIDE = "outside"


TRUST = (
    Origin.IMPORT,
    Origin.MCP_TOOL,
    Origin.API,
    Origin.AGENT,
    Origin.AUTO_CAPTURE,
    Origin.OUTSIDE,
    Origin.USER,
)
"""The origins from the one that is trusted least to the owner.

Below `user` comes what was typed into a file: mostly by the owner, but every program that may write there could have.
What was captured are the user's words in a conversation, chosen by rules; an agent or a program may repeat what it read
somewhere; and what other programs bring along was never seen by anybody here.
"""


_NAMES = frozenset(map(str, TRUST))


def at_least(origin: Origin) -> frozenset[Origin]:
    """The origins that are trusted as much as this one, or more."""
    return frozenset(TRUST[TRUST.index(origin) :])


def weakest(origins: Collection[Origin | None]) -> Origin | None:
    """Of several who had a hand in a text the one it is trusted least for; None where one of them is not known."""
    if not origins or None in origins:
        return None
    return next(origin for origin in TRUST if origin in origins)


def line_by_line(origins: Sequence[Origin | str]) -> str:
    """Whose each of some lines is, as one text: "user*2 -*1 agent*5"; "?" is nobody known, "-" a blank line."""
    return " ".join(f"{origin}*{len(list(run))}" for origin, run in groupby(map(str, origins)))


def origins_in(by_line: str) -> list[Origin | None]:
    """The same read back: whose each line is, None for a blank one too."""
    found: list[Origin | None] = []
    for name, length in _runs(by_line):
        found += [Origin(name) if name in _NAMES else None] * length
    return found


def weakest_between(by_line: str, first: int, last: int) -> Origin | None:
    """Of the lines from `first` to `last`, counted from 0, the origin that is trusted least; None if one is unknown."""
    found: set[Origin | None] = set()
    at = 0
    for name, length in _runs(by_line):
        if name != "-" and at <= last and at + length > first:
            found.add(Origin(name) if name in _NAMES else None)
        at += length
    return weakest(found)


def _runs(by_line: str) -> Iterator[tuple[str, int]]:
    for run in by_line.split(" "):
        name, _, length = run.partition("*")
        yield name, int(length)
