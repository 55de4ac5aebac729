"""Microsoft Agent Framework on a Holdfast memory: a context provider for `Agent(context_providers=[…])`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from holdfast.llm.chat_model import Role, ToolCall
from holdfast.memory import Memory
from holdfast.sessions.conversation import Session
from holdfast.surfaces.adapters.framework_packages import missing
from holdfast.surfaces.adapters.framework_transcript import SpokenMessage, brought_to_mind, keep_spoken
from holdfast.surfaces.adapters.memory_lock import in_thread
from holdfast.surfaces.adapters.tool_specs import CORE, ToolSpec, tool_specs

try:
    from agent_framework import ContextProvider, FunctionTool, Message
except ImportError as error:
    raise missing("agent_framework", "agent-framework", error) from None

if TYPE_CHECKING:
    from agent_framework import AgentSession, SessionContext, SupportsAgentRun


__all__ = ["HoldfastProvider", "function_tools"]

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "tool": Role.TOOL}


class HoldfastProvider(ContextProvider):
    """Before each run: prompt memory, recall and tools; after it, what was said goes into the session of this key.

    Each `AgentSession` is the Holdfast session of its `session_id`, unless `session` names one for all; `kind` is with
    whom it is. With `tools=()` the model gets no tools, and with `keep=False` nothing that is said is kept.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        source_id: str = "holdfast",
        session: str | None = None,
        kind: str | None = None,
        tools: Sequence[str] | None = CORE,
        keep: bool = True,
    ) -> None:
        super().__init__(source_id)
        self._memory, self._key, self._kind, self._names, self._keep = memory, session, kind, tools, keep

    async def before_run(
        self,
        *,
        agent: SupportsAgentRun,  # noqa: ARG002 - its signature is the framework's
        session: AgentSession,
        context: SessionContext,
        state: dict[str, Any],  # noqa: ARG002
    ) -> None:
        """Add the memory for the prompt as instructions, and the tools."""
        said = next((message.text for message in reversed(context.input_messages) if message.role == "user"), None)
        key = self._key or session.session_id
        text, tools = await in_thread(
            self._memory,
            lambda: (
                brought_to_mind(self._memory, key, said, kind=self._kind),
                function_tools(self._memory, self._names),
            ),
        )
        if text:
            context.extend_instructions(self.source_id, text)
        context.extend_tools(self.source_id, tools)

    async def after_run(
        self,
        *,
        agent: SupportsAgentRun,  # noqa: ARG002
        session: AgentSession,
        context: SessionContext,
        state: dict[str, Any],  # noqa: ARG002
    ) -> None:
        """Keep what was asked and answered, and note what the user says of themselves."""
        if not self._keep:
            return
        if context.response is not None:
            answered = context.response.messages
        else:
            answered = []
        said = [*_spoken_messages(context.input_messages), *_spoken_messages(answered)]
        key = self._key or session.session_id
        await in_thread(self._memory, lambda: keep_spoken(self._memory, key, said, kind=self._kind))


def function_tools(
    memory: Memory, names: Sequence[str] | None = CORE, *, session: Session | None = None
) -> list[FunctionTool]:
    """Tools for `Agent(tools=…)`: search, get, save and forget, those that are named, or (None) all."""
    return [
        FunctionTool(
            name=tool.name, description=tool.description, func=_calling(tool), input_model=dict(tool.parameters)
        )
        for tool in tool_specs(memory, names, session=session, client="agent-framework")
    ]


def _calling(tool: ToolSpec) -> Callable[..., Any]:
    async def call(**arguments: Any) -> str:
        return await tool.atext(arguments)

    return call


def _spoken_messages(messages: Iterable[Message]) -> Iterator[SpokenMessage]:
    """Yield what a person would read of messages; system messages are the program's, and may hold what was recalled."""
    for message in messages:
        role = _ROLES.get(str(message.role))
        if role is None:
            continue
        calls = tuple(_call(part) for part in message.contents if part.type == "function_call")
        if role is not Role.TOOL:
            yield SpokenMessage(role, message.text, calls=calls if role is Role.ASSISTANT else ())
        for part in message.contents:
            if part.type == "function_result":
                yield SpokenMessage(Role.TOOL, _result_text(part.result), answers=str(part.call_id or ""))


def _call(part: Any) -> ToolCall:
    given = part.arguments
    if isinstance(given, str):
        try:
            given = json.loads(given or "{}")
        except (ValueError, RecursionError):
            given = None
    known = isinstance(given, Mapping)
    name, call_id = str(part.name or ""), str(part.call_id or "")
    if known:
        return ToolCall(call_id, name, dict(given))
    return ToolCall(call_id, name, {}, "not JSON")


def _result_text(result: Any) -> str:
    if isinstance(result, str):
        return result
    return json.dumps(result, ensure_ascii=False, default=str)
