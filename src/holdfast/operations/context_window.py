"""The window of the model that a conversation is had with, and what fits into a small one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.llm.chat_model import DEFAULT_WINDOW, ToolSpec
from holdfast.llm.server_report import ModelServer
from holdfast.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.context.context import Context
    from holdfast.llm.chat_model import ChatModel
    from holdfast.operations.toolbox import Toolbox
    from holdfast.settings.settings import Settings

__all__ = ["ESSENTIAL_TOOLS", "WindowBudget", "schema_tokens", "tools_of", "window_of"]

ESSENTIAL_TOOLS = ("memory_search", "memory_get", "memory_save")
"""What a model needs to remember: some 740 tokens, against 2,230 for all tools of a session."""

_TOOLS_SHARE = 8  # all tools are offered where they take no more than this part of the window: from 18,000 tokens on
_PER_TOKEN = 4  # characters
_LEAST_ANSWER = 256  # tokens; with less kept free, how long an answer may be is left to the model
_LONGEST_RESULT = 15_000  # tokens of what a tool gives back; more is no answer to anything


def window_of(ctx: Context, model: ChatModel | None = None) -> int:
    """The tokens of the model's window: as the owner set it, else as its server says, else the default."""
    chosen = ctx.settings.compaction.context_window
    if chosen is not None:
        return chosen
    model = model or ctx.chat_model
    window = None
    if isinstance(model, ModelServer):
        window = model.context_window()
    if window is None:
        return DEFAULT_WINDOW
    return window


def tools_of(toolbox: Toolbox, window: int = DEFAULT_WINDOW) -> tuple[ToolSpec, ...]:
    """The tools as they are sent with every request; in a small window only the essential ones."""
    tools = tuple(ToolSpec(tool["name"], tool["description"], tool["input_schema"]) for tool in toolbox.anthropic())
    if schema_tokens(tools) * _TOOLS_SHARE <= window:
        return tools
    return tuple(tool for tool in tools if tool.name in ESSENTIAL_TOOLS)


def schema_tokens(tools: Sequence[ToolSpec]) -> int:
    """About how many tokens their descriptions take."""
    return sum(len(str(tool.parameters)) + len(tool.description) for tool in tools) // _PER_TOKEN


class WindowBudget(NamedTuple):
    """Says how a window is shared out: a quarter to the prompt's memory, a quarter to the answer, and so on."""

    window: int
    reserve_tokens: int

    @classmethod
    def of(cls, window: int, settings: Settings) -> WindowBudget:
        """The shares of a window by the settings."""
        return cls(window, min(settings.compaction.reserve_tokens_floor, window // 4))

    @property
    def request_tokens(self) -> int:
        """The tokens that may be sent, so that there is room for an answer."""
        return self.window - self.reserve_tokens

    @property
    def opening_tokens(self) -> int:
        """The tokens that may be sent when a turn begins: what is least of what its tools give back comes on top."""
        return self.request_tokens - self.result_tokens // 4

    @property
    def prompt_tokens(self) -> int:
        """The tokens of memory in the prompt at the most."""
        return self.window // 4

    @property
    def result_tokens(self) -> int:
        """The tokens of what one tool gives back."""
        return min(_LONGEST_RESULT, self.window // 4)

    def answer_tokens(self, wanted: int) -> int | None:
        """The longest answer that has room; None where `wanted`, the owner's limit, is within that.

        vLLM and others refuse a request whose limit goes beyond the window.
        """
        if wanted <= self.reserve_tokens or self.reserve_tokens < _LEAST_ANSWER:
            return None
        return self.reserve_tokens
