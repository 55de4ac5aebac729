"""The origin of a text: who wrote it. The surface that took the text in stamps it; the text itself never can."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum
from itertools import groupby

__all__ = [
    "TRUST",
    "Origin",
    "decode_line_origins",
    "encode_line_origins",
    "origins_at_least",
    "weakest_origin",
    "weakest_origin_between",
]


class Origin(StrEnum):
    """The source of a text, from the owner's own words to an edit made outside Holdfast."""

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


def origins_at_least(origin: Origin) -> frozenset[Origin]:
    """Return the origins that are trusted as much as this one, or more."""
    return frozenset(TRUST[TRUST.index(origin) :])


def weakest_origin(origins: Collection[Origin | None]) -> Origin | None:
    """Return the least trusted of several origins; None where one is not known."""
    if not origins or None in origins:
        return None
    return next(origin for origin in TRUST if origin in origins)


def encode_line_origins(origins: Sequence[Origin | str]) -> str:
    """Encode the origin of each line as one text: "user*2 -*1 agent*5".

    "?" is an unknown origin, "-" a blank line.
    """
    return " ".join(f"{origin}*{len(list(run))}" for origin, run in groupby(map(str, origins)))


def decode_line_origins(by_line: str) -> list[Origin | None]:
    """Decode the origin of each line; None for an unknown one and for a blank line."""
    origins: list[Origin | None] = []
    for name, length in _runs(by_line):
        origins += [Origin(name) if name in _NAMES else None] * length
    return origins


def weakest_origin_between(by_line: str, first: int, last: int) -> Origin | None:
    """Return the least trusted origin of the lines `first` to `last`, counted from 0.

    None if one is unknown.
    """
    origins: set[Origin | None] = set()
    at = 0
    for name, length in _runs(by_line):
        if name != "-" and at <= last and at + length > first:
            origins.add(Origin(name) if name in _NAMES else None)
        at += length
    return weakest_origin(origins)


def _runs(by_line: str) -> Iterator[tuple[str, int]]:
    for run in by_line.split(" "):
        name, _, length = run.partition("*")
        yield name, int(length)
