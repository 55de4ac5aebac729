"""LlamaIndex on a Holdfast memory: a memory block for `Memory.from_defaults(memory_blocks=[…])`, and tools."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from holdfast.llm.chat_model import Role
from holdfast.memory import Memory
from holdfast.sessions.conversation import Session
from holdfast.surfaces.adapters.framework_packages import missing
from holdfast.surfaces.adapters.framework_transcript import SpokenMessage, brought_to_mind, keep_spoken
from holdfast.surfaces.adapters.memory_lock import in_thread
from holdfast.surfaces.adapters.tool_specs import CORE, ToolSpec, tool_specs

try:
    from llama_index.core.base.llms.types import ChatMessage
    from llama_index.core.bridge.pydantic import Field, PrivateAttr
    from llama_index.core.memory import BaseMemoryBlock
    from llama_index.core.tools import FunctionTool, ToolMetadata
except ImportError as error:
    raise missing("llama_index", "llamaindex", error) from None


__all__ = ["HoldfastMemoryBlock", "function_tools"]

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "tool": Role.TOOL, "function": Role.TOOL}


class HoldfastMemoryBlock(BaseMemoryBlock[str]):
    """Long-term memory for a chat: what the last message brings to mind goes in, what leaves the window is kept.

    Each `session_id` of LlamaIndex is the Holdfast session of that key; `session` names one for calls without.
    """

    name: str = Field(default="long_term_memory", description="The tag around the block in the prompt.")
    session: str = Field(default="llamaindex", description="The session of calls that name none.")
    kind: str | None = Field(default=None, description="With whom: direct, group, channel, subagent or cron.")
    _held: Memory = PrivateAttr()

    def __init__(self, memory: Memory, **fields: Any) -> None:
        super().__init__(**fields)
        self._held = memory

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        """MEMORY.md, the daily notes, and what the user's last message brings to mind."""
        said = next((message.content for message in reversed(messages or []) if message.role.value == "user"), None)
        key = block_kwargs.get("session_id") or self.session
        return await in_thread(self._held, lambda: brought_to_mind(self._held, key, said, kind=self.kind))

    async def _aput(self, messages: list[ChatMessage]) -> None:
        """Keep messages that leave the window in the session, as a note that is found again."""
        by_session: dict[str, list[SpokenMessage]] = {}
        for message in messages:
            key = message.additional_kwargs.get("session_id") or self.session
            by_session.setdefault(key, []).extend(_spoken_messages(message))

        def keep() -> None:
            for key, said in by_session.items():
                keep_spoken(self._held, key, said, kind=self.kind, export=True)

        await in_thread(self._held, keep)


def function_tools(
    memory: Memory, names: Sequence[str] | None = CORE, *, session: Session | None = None
) -> list[FunctionTool]:
    """Tools for `FunctionAgent(tools=…)`: search, get, save and forget, those that are named, or (None) all."""
    return [
        FunctionTool(async_fn=_calling(tool), metadata=_Described(tool.parameters, tool.description, tool.name))
        for tool in tool_specs(memory, names, session=session, client="llamaindex")
    ]


class _Described(ToolMetadata):
    """A tool whose parameters are known as JSON Schema rather than as a class."""

    def __init__(self, parameters: dict[str, Any], description: str, name: str) -> None:
        super().__init__(description=description, name=name)
        self._parameters = parameters

    def get_parameters_dict(self) -> dict[str, Any]:
        """The schema as it stands."""
        return dict(self._parameters)


def _calling(tool: ToolSpec) -> Callable[..., Any]:
    async def call(**arguments: Any) -> str:
        return await tool.atext(arguments)

    return call


def _spoken_messages(message: ChatMessage) -> list[SpokenMessage]:
    """Return what a person would read of a message.

    A system message is the program's, and may hold what was recalled.
    """
    role, text = _ROLES.get(message.role.value), message.content or ""
    if role is None or not text.strip():
        return []
    if role is Role.TOOL:
        answers = str(message.additional_kwargs.get("tool_call_id", ""))
    else:
        answers = ""
    return [SpokenMessage(role, text, answers=answers)]
