"""The places where a conversation may be cut, so that its end stays whole and a call stays with its result."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from holdfast.llm.chat_model import Role
from holdfast.transcripts.sanitizer import HIDDEN
from holdfast.transcripts.tokens import entry_tokens
from holdfast.transcripts.transcript_entry import Entry

__all__ = ["cut_at", "last_request", "whole_at"]


def whole_at(entries: Sequence[Entry]) -> list[bool]:
    """For each place before an entry, whether a cut there parts no call from its result; APIs refuse such halves."""
    steps = [0] * (len(entries) + 1)
    calls: dict[str, int] = {}
    for at, entry in enumerate(entries):
        if entry.role is Role.TOOL and entry.tool_call_id in calls:
            steps[calls[entry.tool_call_id] + 1] += 1
            steps[at + 1] -= 1
        for call in entry.tool_calls:
            calls[call.id] = at  # some servers begin to count anew with every turn
    return [not parted for parted in accumulate(steps)][: len(entries)]


def last_request(entries: Sequence[Entry]) -> int:
    """The place of the user's last message; -1 where there is none."""
    for at in range(len(entries) - 1, -1, -1):
        if entries[at].role is Role.USER and HIDDEN.isdisjoint(entries[at].tags):
            return at
    return -1


def cut_at(entries: Sequence[Entry], keep_tokens: int) -> int:
    """The place of the first entry that stays; 0 where all do.

    About so many tokens stay, at least the last turn, and the user's last message, unless what came after it is more
    than twice as much: a request that set off hours of work must not keep the conversation from ever being cut.
    """
    whole = [at for at, fits in enumerate(whole_at(entries)) if fits]
    if not whole:
        return 0
    sizes = [entry_tokens(entry) for entry in entries]
    behind = [*accumulate(reversed(sizes), initial=0)][::-1]  # the tokens from each place to the end
    at = next((place for place in whole if behind[place] <= keep_tokens), whole[-1])
    request = last_request(entries)
    if 0 <= request < at and behind[request] <= 2 * keep_tokens:
        at = max(place for place in whole if place <= request)
    return at
