"""The mark behind an entry of the inbox: a trailing HTML comment that says who brought it, and when.

    - It moved to March <!-- waits id=k3x9w1 origin=mcp_tool client=claude-code at=2026-11-15T21:20:03+00:00 -->

The last comment of a line counts, and writing puts ours at the end, so no words bring along one that is taken for it.
"""

from __future__ import annotations

from typing import Final

from holdfast.guard.origin import Origin
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

__all__ = ["InboxMark", "read_inbox_mark", "without_inbox_marks", "write_inbox_mark"]

_OPEN, _CLOSE = "<!-- waits ", " -->"
_NOT_A_NAME: Final = compile_late(r"[^\w.@:+-]+")
_MAX_CLIENT: Final = 64  # characters of a client's name
_ORIGINS: Final = frozenset(map(str, Origin))


class InboxMark(NamedTuple):
    """The origin and the time of an entry, in ISO form.

    Text typed into the file is `outside`, and has no id.
    """

    id: str = ""
    origin: Origin = Origin.OUTSIDE
    client: str = ""
    at: str = ""


def read_inbox_mark(line: str) -> tuple[str, InboxMark]:
    """The words of a line, and what the comment behind them says."""
    ended = line.rstrip()
    if ended.endswith(_CLOSE):
        begin = ended.rfind(_OPEN)
    else:
        begin = -1
    if begin < 0:
        return ended, InboxMark()
    pairs = (pair.partition("=") for pair in ended[begin + len(_OPEN) : -len(_CLOSE)].split())
    values = {name: value for name, _, value in pairs}
    if values.get("origin") in _ORIGINS:
        origin = Origin(values["origin"])
    else:
        origin = Origin.OUTSIDE
    return ended[:begin].rstrip(), InboxMark(
        values.get("id", ""), origin, values.get("client", ""), values.get("at", "")
    )


def write_inbox_mark(words: str, mark: InboxMark) -> str:
    """The line that reads as these words and this mark."""
    client = _NOT_A_NAME.sub("_", mark.client)[:_MAX_CLIENT]
    named = f" client={client}" if client else ""
    return f"{words} {_OPEN}id={mark.id} origin={mark.origin}{named} at={mark.at}{_CLOSE}"


def without_inbox_marks(text: str) -> str:
    """The text without these comments, line by line: they are found by nobody, and lines keep their numbers."""
    if _OPEN not in text:
        return text
    return "\n".join(read_inbox_mark(line)[0] if _OPEN in line else line for line in text.split("\n"))
