"""Google ADK on a Holdfast memory: a memory service for `Runner(memory_service=…)`, and tools."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from holdfast.errors import ChunkNotFound, FactNotFound, NotPermitted
from holdfast.llm.chat_model import Role, ToolCall
from holdfast.memory import Memory
from holdfast.notes.nonce import new_nonce
from holdfast.search.hit import Hit
from holdfast.sessions.conversation import Session
from holdfast.surfaces.adapters.framework_packages import missing
from holdfast.surfaces.adapters.framework_transcript import SpokenMessage, keep_spoken
from holdfast.surfaces.adapters.memory_lock import in_thread
from holdfast.surfaces.adapters.tool_calls import call_tool, quote_text, remember
from holdfast.surfaces.adapters.tool_specs import CORE, ToolSpec, tool_specs

try:
    from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
    from google.adk.memory.memory_entry import MemoryEntry
    from google.adk.tools.base_tool import BaseTool
    from google.genai import types
except ImportError as error:
    raise missing("google.adk", "google-adk", error) from None

if TYPE_CHECKING:
    from google.adk.events.event import Event
    from google.adk.sessions.session import Session as AdkSession
    from google.adk.tools.tool_context import ToolContext


__all__ = ["HoldfastMemoryService", "tools"]

_Result = TypeVar("_Result")
_UNNAMED = "events"  # the session of events that come without one


class HoldfastMemoryService(BaseMemoryService):
    """Sessions and memories of one user in one memory; a memory is one person's, so other users are refused.

    For several users give a function that finds the memory of an app's user. `adk web` calls its user `user`. `kind` is
    with whom the sessions are, as in `memory.session`.
    """

    def __init__(
        self, memory: Memory | Callable[[str, str], Memory], *, user_id: str = "user", kind: str | None = None
    ) -> None:
        self._memory, self._user, self._kind = memory, user_id, kind

    async def add_session_to_memory(self, session: AdkSession) -> None:
        """Keep what was said in a session; what was kept before is not kept twice."""
        await self.add_events_to_memory(
            app_name=session.app_name, user_id=session.user_id, events=session.events, session_id=session.id
        )

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,  # noqa: ARG002 - Holdfast knows no key of it
    ) -> None:
        """Keep these events in the session of this key, and that session as a note that searches find."""
        key = f"{app_name}/{user_id}/{session_id or _UNNAMED}"
        said = list(_spoken_messages(events))
        await self._work(app_name, user_id, lambda memory: keep_spoken(memory, key, said, kind=self._kind, export=True))

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Keep each text: a sentence or two as a fact, anything longer in the note of the day."""
        texts = [(_text(entry.content), {**(custom_metadata or {}), **entry.custom_metadata}) for entry in memories]

        def keep(memory: Memory) -> None:
            for text, about in texts:
                if text.strip():
                    remember(memory, text, about)

        await self._work(app_name, user_id, keep)

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """The best lines for a question, fenced as data; where they stand is in `custom_metadata`."""
        if not query.strip():
            return SearchMemoryResponse()
        found = await self._work(app_name, user_id, lambda memory: memory.search(query))
        nonce = new_nonce()
        return SearchMemoryResponse(memories=[_entry(hit, nonce) for hit in found.results])

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Remove what a search gave under this id: a fact, or the lines of a note; its checkpoint brings it back."""
        if memory_id:
            await self._work(app_name, user_id, lambda memory: _delete(memory, memory_id))

    async def _work(self, app_name: str, user_id: str, work: Callable[[Memory], _Result]) -> _Result:
        memory = self._memory
        if callable(memory):
            memory = memory(app_name, user_id)
        elif user_id != self._user:
            raise NotPermitted(
                f"This memory is the one of the user {self._user!r}, not of {user_id!r}: give the service another "
                "user_id, or a function that finds the memory of each user."
            )
        return await in_thread(memory, lambda: work(memory))


class _Tool(BaseTool):
    def __init__(self, tool: ToolSpec) -> None:
        super().__init__(name=tool.name, description=tool.description)
        self._tool = tool

    def _get_declaration(self) -> types.FunctionDeclaration:
        return types.FunctionDeclaration(
            name=self.name, description=self.description, parameters_json_schema=self._tool.parameters
        )

    async def run_async(self, *, args: dict[str, Any], tool_context: ToolContext) -> Any:  # noqa: ARG002
        """Call it; what goes wrong comes back as an error for the model to mend."""
        return await self._tool.acall(args)


def tools(memory: Memory, names: Sequence[str] | None = CORE, *, session: Session | None = None) -> list[BaseTool]:
    """Tools for `Agent(tools=…)`: search, get, save and forget, those that are named, or (None) all."""
    return [_Tool(tool) for tool in tool_specs(memory, names, session=session, client="google-adk")]


def _entry(hit: Hit, nonce: str) -> MemoryEntry:
    entry_id, said = hit.chunk_id, None
    if hit.fact is not None:
        entry_id, said = hit.fact.id or hit.chunk_id, hit.fact.observed
    return MemoryEntry(
        id=entry_id,
        content=types.Content(role="user", parts=[types.Part(text=quote_text(hit.snippet, nonce, hit))]),
        timestamp=said.isoformat() if said is not None else None,
        custom_metadata=hit.to_json(),
    )


def _delete(memory: Memory, memory_id: str) -> None:
    try:
        call_tool(memory, "forget", id=memory_id)
    except FactNotFound:
        found = memory.get(chunk_id=memory_id)
        if found.status != "ok" or found.path is None:
            raise ChunkNotFound(memory_id) from None
        call_tool(memory, "memory_delete", file=found.path, text=found.text)


def _spoken_messages(events: Iterable[Event]) -> Iterator[SpokenMessage]:
    """Yield what was said and called; half sentences of a stream and a model's thoughts are left out."""
    for event in events:
        if event.content is not None and not event.partial:
            parts = event.content.parts or []
        else:
            parts = []
        text = "".join(part.text for part in parts if part.text and not part.thought)
        calls = tuple(
            ToolCall(part.function_call.id or "", part.function_call.name or "", dict(part.function_call.args or {}))
            for part in parts
            if part.function_call is not None
        )
        if (text.strip() or calls) and event.author == "user":
            yield SpokenMessage(Role.USER, text, event.id, ())
        elif text.strip() or calls:
            yield SpokenMessage(Role.ASSISTANT, text, event.id, calls)
        for number, part in enumerate(parts):
            if (given := part.function_response) is not None:
                shown = json.dumps(given.response or {}, ensure_ascii=False, default=str)
                mark = f"{event.id}/{number}" if event.id else ""
                yield SpokenMessage(Role.TOOL, shown, mark, answers=given.id or "", tool=given.name or "")


def _text(content: types.Content) -> str:
    return "\n".join(part.text for part in content.parts or [] if part.text)
