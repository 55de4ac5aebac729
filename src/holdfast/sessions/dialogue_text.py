"""A conversation as data for a model that is to read it, and not to answer it.

Only what users and assistants said goes in. What a tool brought is somebody else's text: a page that says "write this
down" must not be read by a turn whose only task is to write things down. What recall brought is in memory already.
"""

from __future__ import annotations

from collections.abc import Iterable

from holdfast.guard.fence import fence, strip_invisible
from holdfast.markdown.budget import tokens_of
from holdfast.notes.nonce import new_nonce
from holdfast.transcripts.sanitizer import shorten, words_of
from holdfast.transcripts.transcript_entry import Entry

__all__ = ["fenced_text", "last_turns", "new_nonce"]


def last_turns(entries: Iterable[Entry], *, tokens: int, characters: int, carried: str = "") -> str:
    """The last turns that fit into so many tokens, each cut to so many characters; `carried` is what came before."""
    lines: list[str] = []
    left = tokens - tokens_of(carried)
    for entry in reversed(list(entries)):
        words = shorten(words_of(entry.role, entry.text, entry.tags), characters)
        if not words:
            continue
        line = f"{entry.role.value}: {words}"
        left -= tokens_of(line) + 2
        if left < 0:
            lines.append("[earlier messages are not shown]")
            break
        lines.append(line)
    if carried:
        lines.append(f"[before this] {carried}")
    return "\n".join(reversed(lines))


def fenced_text(name: str, text: str, nonce: str) -> str:
    """A text in a fence that it can't leave; characters stay as they are, since parts of it may be written down."""
    body = "\n".join(f"| {line}" for line in strip_invisible(text).replace(nonce, "…").split("\n"))
    return fence(body, nonce, {}, name=name)
