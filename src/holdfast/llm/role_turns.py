"""Messages → turns, for the APIs in which a person and a model take turns.

There the results of all calls of one turn stand together in the next, and the rules stand apart from both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from holdfast.llm.chat_model import Message, Role

__all__ = ["by_turns", "rules_of"]


def by_turns(
    messages: Sequence[Message], parts_of: Callable[[Message], list[dict[str, Any]]], *, model: str, inside: str
) -> list[dict[str, Any]]:
    """The turns; `model` is what the API calls the model's role, and `inside` where a turn has its parts."""
    turns: list[dict[str, Any]] = []
    for message in messages:
        if message.role is Role.SYSTEM:
            parts = []
        else:
            parts = parts_of(message)
        if not parts:
            continue
        if message.role is Role.ASSISTANT:
            role = model
        else:
            role = "user"
        if turns and turns[-1]["role"] == role:
            turns[-1][inside] += parts
        else:
            turns.append({"role": role, inside: parts})
    return turns


def rules_of(messages: Sequence[Message]) -> list[str]:
    """The texts of the system messages; empty ones are refused by these APIs."""
    return [message.text for message in messages if message.role is Role.SYSTEM and message.text.strip()]
