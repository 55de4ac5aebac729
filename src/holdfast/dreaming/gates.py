"""The gates of dreaming: whether a line may enter MEMORY.md by itself, only when approved, or never.

MEMORY.md is read by every model as the owner's own words. So what an agent derived gets there only where the user typed
that very sentence; what was imported, came from another program's tool, or is of unknown origin waits for the owner. So
does what was captured by itself and speaks to the assistant, or of secrets: the user may have pasted it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from holdfast.approval.review_reasons import address_reason, order_reason
from holdfast.facts.capture.capture_refusal import holds_secret, orders_a_model
from holdfast.guard.origin import Origin
from holdfast.markdown.budget import tokens_of

__all__ = ["refusal", "wait_reason"]

_OWN: Final = frozenset((Origin.USER, Origin.OUTSIDE))
_DERIVED: Final = frozenset((Origin.AGENT, Origin.API))
# What dreams, transcripts and search results leave behind when somebody saves them: it would feed on itself.
_TRACES: Final = re.compile(
    r"\*\*(?:user|assistant|system|tool)\b|^(?:user|assistant|human|ai) ?:|\b(?:score|confidence)[=:] ?[01]?\.\d|"
    r"\bSource: \S+#\w|\bNO_REPLY\b|\[Summary of the conversation|\bConsolidated Memory \(|</?(?:memory|long-term)-|"
    r"\bholdfast (?:dream|inbox) (?:approve|reject)\b|\[redacted:",
    re.IGNORECASE,
)


def refusal(text: str, most_tokens: int) -> str:
    """Return why no line that says this goes into MEMORY.md, whoever wrote it.

    Empty where nothing speaks against it.
    """
    if tokens_of(text) > most_tokens:
        return f"it is longer than {most_tokens} tokens"
    if orders_a_model(text):
        return "it reads like an order to a model"
    if holds_secret(text):
        return "it holds a secret"
    if _TRACES.search(text):
        return "it is a trace of a search, a transcript or a dream"
    if text.endswith("?"):
        return "it is a question"
    return ""


def wait_reason(text: str, origin: Origin | None, typed_by_user: Callable[[], bool]) -> str:
    """Return why a line must be approved first; empty where it may go into MEMORY.md by itself."""
    if origin in _OWN:
        return ""
    if origin is Origin.AUTO_CAPTURE:
        return address_reason(text)
    if origin in _DERIVED:
        if typed_by_user():
            return order_reason(text)
        return f"its origin is {origin.value}, and the user did not type it"
    if origin is None:
        return "its origin is not known"
    return f"its origin is {origin.value}"
