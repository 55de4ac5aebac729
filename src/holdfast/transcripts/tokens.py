"""About how many tokens a conversation has, without a tokeniser; an agent that knows better says so itself."""

from __future__ import annotations

from collections.abc import Iterable

from holdfast.llm.token_usage import estimate
from holdfast.transcripts.transcript_entry import Entry

__all__ = ["entry_tokens", "tokens_in"]


def entry_tokens(entry: Entry) -> int:
    """The tokens of one message, the calls in it included."""
    return estimate((entry,))


def tokens_in(entries: Iterable[Entry]) -> int:
    """The tokens of a conversation: those of its messages, so that where it is cut, the parts add up."""
    return sum(map(entry_tokens, entries))
