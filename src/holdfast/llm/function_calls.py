"""Tools and calls as OpenAI writes them, and Ollama after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from holdfast.llm.answer_parts import objects, tool_call
from holdfast.llm.chat_model import Stop, ToolCall, ToolSpec

__all__ = ["calls_of", "functions", "stop_reason"]


def functions(tools: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    """The tools that a request offers."""
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
        }
        for tool in tools
    ]


def calls_of(message: dict[str, Any]) -> tuple[ToolCall, ...]:
    """The calls in a message of an answer."""
    return tuple(
        tool_call(given.get("id"), function.get("name"), function.get("arguments"))
        for given in objects(message.get("tool_calls"))
        if isinstance(function := given.get("function"), dict)
    )


def stop_reason(stop: Stop, calls: Sequence[ToolCall]) -> Stop:
    """Return why the model stopped; some servers say that it is done where it waits for its calls."""
    if calls and stop in (Stop.END, Stop.OTHER):
        return Stop.TOOLS
    return stop
