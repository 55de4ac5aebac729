"""The length at which a conversation is due for the silent turn, because it will soon be shortened."""

from __future__ import annotations

from holdfast.value import Shown

__all__ = ["Due", "due", "limit_of"]


class Due(Shown):
    """Says whether it is time to save what matters, why or why not, and the numbers that decided."""

    due: bool
    why: str
    tokens: int
    limit: int
    cycle: int
    """How often the conversation was shortened before."""


def limit_of(context_window: int, reserve_tokens_floor: int, soft_threshold_tokens: int) -> int:
    """The window less what is kept free for the answer, less the soft threshold; always above zero.

    The defaults are made for large windows. In a small one a quarter of it is left to the conversation: a limit of next
    to nothing would mean a flush before every turn.
    """
    window = max(1, context_window)
    left = window - max(0, reserve_tokens_floor) - max(0, soft_threshold_tokens)
    return max(1, left, window // 4)


def due(tokens: int, limit: int, size: int, most_bytes: int, cycle: int) -> Due:
    """Say whether the tokens of a conversation, or the bytes of its transcript, have reached their limit."""
    if tokens >= limit:
        return Due(True, f"the conversation has about {tokens:,} tokens; the limit is {limit:,}", tokens, limit, cycle)
    if size >= most_bytes:
        reason = f"the transcript has {size:,} bytes since the last compaction; the limit is {most_bytes:,}"
        return Due(True, reason, tokens, limit, cycle)
    return Due(False, f"there is room for about {limit - tokens:,} tokens more", tokens, limit, cycle)
