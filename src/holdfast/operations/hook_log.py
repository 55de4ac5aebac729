"""The log of the coding agents' hooks, state/hooks.log: why a hook said nothing, and what it kept."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from holdfast.errors import BadArgument
from holdfast.named_tuple import NamedTuple
from holdfast.notes.plain_log import append_line, read_lines
from holdfast.settings.home_path import home_of

__all__ = ["GAVE_UP", "KEEPING_EVENTS", "NOT_UNDERSTOOD", "HookLine", "last_records", "note_hook", "prompts_given_up"]

NOT_UNDERSTOOD: Final = "is not understood"
"""The words for a record of a client's conversation whose messages could not be read."""

GAVE_UP: Final = ("gave up after", "memory.recall.deadline_ms")
"""In the line about a prompt for which nothing was recalled because there was no time left."""

KEEPING_EVENTS: Final = ("pre-compact", "session-end")
"""The events at which a client's record is read."""

_PLACE: Final = ("state", "hooks.log")
_MOST: Final = 256 * 1024  # bytes
_LONGEST: Final = 1000  # characters of a line
_STAMP: Final = "%Y-%m-%dT%H:%M:%SZ"


class HookLine(NamedTuple):
    """One line of the log: when (as it stands there), by which client, at which event, and what happened."""

    at: str
    client: str
    event: str
    text: str

    @property
    def kept(self) -> bool:
        """True if it tells how many messages were kept, and not why none were."""
        return re.match(r"[\d,]+ messages?\b", self.text) is not None


def note_hook(home: str | None, client: str, event: str, text: str) -> None:
    """Add a line to the log, which never grows beyond its size; nothing where that is not possible."""
    line = f"{time.strftime(_STAMP, time.gmtime())} {client} {event}: {text}"
    plain = "".join(sign if sign.isprintable() else " " for sign in line)[:_LONGEST]
    with suppress(BadArgument):  # there is no place that could be a home
        append_line(home_of(home), *_PLACE, plain, _MOST)


def last_records(home: str) -> Iterator[HookLine]:
    """For each client, the line about the record that was read last."""
    last = {line.client: line for line in _lines(home) if line.event in KEEPING_EVENTS}
    yield from last.values()


def prompts_given_up(home: str, days: float, now: float) -> Counter[str]:
    """For each client, for how many prompts of the last days there was no time to recall anything."""
    since = time.strftime(_STAMP, time.gmtime(now - 86_400 * days))
    late = (line for line in _lines(home) if line.event == "user-prompt" and line.at >= since)
    return Counter(line.client for line in late if any(words in line.text for words in GAVE_UP))


def _lines(home: str) -> Iterator[HookLine]:
    for line in read_lines(home, *_PLACE, _MOST):
        head, colon, text = line.partition(": ")
        words = head.split(" ")
        if colon and len(words) == 3:
            yield HookLine(words[0], words[1], words[2], text)
