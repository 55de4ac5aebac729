"""The OpenAI Agents SDK on a Holdfast memory: a session that outlives the process, and tools to remember with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from holdfast.errors import SessionNotFound
from holdfast.memory import Memory
from holdfast.sessions.conversation import Session
from holdfast.surfaces.adapters.agents_conversation import add, items, take_last
from holdfast.surfaces.adapters.framework_packages import missing
from holdfast.surfaces.adapters.memory_lock import in_thread
from holdfast.surfaces.adapters.tool_specs import CORE, ToolSpec, tool_specs
from holdfast.transcripts.session_key import check_key

try:
    from agents import FunctionTool, Tool
    from agents.memory import SessionSettings
except ImportError as error:
    raise missing("agents", "openai-agents", error) from None

if TYPE_CHECKING:
    from agents import TResponseInputItem
    from agents.tool_context import ToolContext


__all__ = ["HoldfastSession", "function_tools", "instructions"]


class HoldfastSession:
    """A session for `Runner.run(…, session=…)`: the session of this key, with its transcript and export."""

    def __init__(
        self,
        memory: Memory,
        session_id: str,
        *,
        session_settings: SessionSettings | dict[str, Any] | None = None,
    ) -> None:
        self.session_id = check_key(session_id)
        self.session_settings: SessionSettings | None = SessionSettings().resolve(session_settings)
        self._memory = memory

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """The items so far, oldest first; with a limit, the last so many."""
        if limit is None and self.session_settings is not None:
            limit = self.session_settings.limit
        found = await self._work(items)
        return cast("list[TResponseInputItem]", found if limit is None else found[max(0, len(found) - limit) :])

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Keep items; they are on disk when this returns."""
        given = cast("list[dict[str, Any]]", items)
        await self._work(lambda session: add(session, given))

    async def pop_item(self) -> TResponseInputItem | None:
        """Take the newest item away, and give it."""
        return cast("TResponseInputItem | None", await self._work(take_last))

    async def clear_session(self) -> None:
        """Begin anew: the transcript is put aside, exported as the settings say, and no item is left."""
        with suppress(SessionNotFound):  # nothing was ever said: there is nothing to put aside
            await self._work(lambda session: session.reset())

    async def _work(self, work: Callable[[Session], Any]) -> Any:
        def opened() -> Any:
            with self._memory.session(self.session_id) as session:
                return work(session)

        return await in_thread(self._memory, opened)


def function_tools(memory: Memory, names: Sequence[str] | None = CORE, *, session: Session | None = None) -> list[Tool]:
    """Tools for `Agent(tools=…)`: search, get, save and forget, those that are named, or (None) all."""
    return [
        FunctionTool(
            name=tool.name,
            description=tool.description,
            params_json_schema=tool.parameters,
            on_invoke_tool=_invoking(tool),
            strict_json_schema=False,  # strict schemas know no optional arguments
        )
        for tool in tool_specs(memory, names, session=session, client="openai-agents")
    ]


def instructions(memory: Memory, session_id: str, text: str = "") -> Callable[[Any, Any], Awaitable[str]]:
    """For `Agent(instructions=…)`: your text, and below it what memory has for the prompt of this session."""

    def recalled_text() -> str:
        with memory.session(session_id) as session:
            return "\n\n".join(filter(None, (text, session.prompt().text)))

    async def instruct(_context: Any, _agent: Any) -> str:
        return await in_thread(memory, recalled_text)

    return instruct


def _invoking(tool: ToolSpec) -> Callable[[ToolContext[Any], str], Awaitable[str]]:
    async def invoke(_context: ToolContext[Any], arguments: str) -> str:
        return await tool.atext(arguments)

    return invoke
