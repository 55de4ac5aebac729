"""AutoGen on a Holdfast memory: a `Memory` for `AssistantAgent(memory=[…])`, and tools."""

from __future__ import annotations

import json
from asyncio import CancelledError
from collections.abc import Sequence
from typing import Any

from holdfast.errors import BadArgument, NotPermitted
from holdfast.guard.fence import bar_lines
from holdfast.memory import Memory
from holdfast.recall.recall import HEADING
from holdfast.search.hit import Hit
from holdfast.sessions.conversation import Session
from holdfast.surfaces.adapters.framework_packages import missing
from holdfast.surfaces.adapters.memory_lock import in_thread
from holdfast.surfaces.adapters.tool_calls import quote_text, remember
from holdfast.surfaces.adapters.tool_specs import CORE, ToolSpec, tool_specs

try:
    from autogen_core import CancellationToken, Component
    from autogen_core.memory import Memory as AutoGenMemory
    from autogen_core.memory import MemoryContent, MemoryMimeType, MemoryQueryResult, UpdateContextResult
    from autogen_core.model_context import ChatCompletionContext
    from autogen_core.models import UserMessage
    from autogen_core.tools import BaseTool, ToolSchema
    from pydantic import BaseModel, ConfigDict
except ImportError as error:
    raise missing("autogen_core", "autogen", error) from None


__all__ = ["HoldfastMemory", "HoldfastMemoryConfig", "tools"]

_SOURCE = "memory"  # who says it in the context
_TEXTS = (MemoryMimeType.TEXT.value, MemoryMimeType.MARKDOWN.value)


class HoldfastMemoryConfig(BaseModel):
    """The place of a memory, for agents that are kept as configuration."""

    home: str = ""
    url: str = ""
    """The address of a server, in the place of a home; its token is found as `holdfast.connect` finds it."""
    agent: str = "main"
    session: str = "autogen"
    kind: str | None = None


class HoldfastMemory(AutoGenMemory, Component[HoldfastMemoryConfig]):
    """Long-term memory for an agent; `session` is the Holdfast session whose prompt memory and recall it is given."""

    component_type = "memory"
    component_config_schema = HoldfastMemoryConfig
    component_provider_override = "holdfast.surfaces.adapters.autogen.HoldfastMemory"

    def __init__(self, memory: Memory, *, session: str = "autogen", kind: str | None = None) -> None:
        self._memory, self._session, self._kind, self._own = memory, session, kind, False

    async def update_context(self, model_context: ChatCompletionContext) -> UpdateContextResult:
        """Add what the last message of the user brings to mind; the first time, MEMORY.md and the daily notes too."""
        messages = [message for message in await model_context.get_messages() if isinstance(message, UserMessage)]
        said = next((_words(message) for message in reversed(messages) if message.source != _SOURCE), "")
        held = "\n".join(_words(message) for message in messages if message.source == _SOURCE)
        text, hits = await in_thread(self._memory, lambda: self._told(said, held))
        if text:
            # Not a system message: most models of AutoGen's take those only before everything else.
            await model_context.add_message(UserMessage(content=text, source=_SOURCE))
        return UpdateContextResult(memories=MemoryQueryResult(results=[_content(hit) for hit in hits]))

    async def query(
        self, query: str | MemoryContent, cancellation_token: CancellationToken | None = None, **kwargs: Any
    ) -> MemoryQueryResult:
        """The best lines for a question, with where they stand; `limit`, `min_score` and `path` as in a search."""
        _go_on(cancellation_token)
        if isinstance(query, str):
            asked = query
        else:
            asked = _text(query)
        unknown = kwargs.keys() - {"limit", "min_score", "path"}
        if unknown:
            raise BadArgument(min(unknown), "it is not known; there are limit, min_score and path")
        if not asked.strip():
            return MemoryQueryResult(results=[])
        most, least, path = kwargs.get("limit"), kwargs.get("min_score"), kwargs.get("path")
        found = await in_thread(
            self._memory, lambda: self._memory.search(asked, max_results=most, min_score=least, path=path)
        )
        return MemoryQueryResult(results=[_content(hit) for hit in found.results])

    async def add(self, content: MemoryContent, cancellation_token: CancellationToken | None = None) -> None:
        """Keep a text: a sentence or two as a fact, anything longer and JSON in the note of the day."""
        _go_on(cancellation_token)
        text = _text(content)
        await in_thread(self._memory, lambda: remember(self._memory, text, content.metadata))

    async def clear(self) -> None:
        """Refused: the memory is the owner's, and not only this agent wrote to it."""
        raise NotPermitted(
            "Not all memory is this agent's to clear: it is the owner's, and other agents write to it too. "
            "Ask the owner to do it."
        )

    async def close(self) -> None:
        """Close the memory if it was opened from a configuration; else it is closed by whoever opened it."""
        if self._own:
            await in_thread(self._memory, self._memory.close)

    def _told(self, said: str, held: str) -> tuple[str, tuple[Hit, ...]]:
        """Return what to add to a context that was told this already."""
        with self._memory.session(self._session, kind=self._kind) as session:
            if not held:
                prompt = session.prompt(said or None)
                if prompt.recalled is None:
                    return prompt.text, ()
                return prompt.text, prompt.recalled.hits
            if not said:
                return "", ()
            found = session.recall(said)
        # A context is kept from turn to turn, so what stands in it must not be added to it each time.
        new = tuple(hit for hit in found.hits if bar_lines(hit.snippet.strip("\n")) not in held)
        if not new:
            return "", ()
        return "\n".join((HEADING, "", *(quote_text(hit.snippet, found.nonce, hit) for hit in new))), new

    def _to_config(self) -> HoldfastMemoryConfig:
        memory = self._memory
        # The home of a client's memory is a folder of the server's machine, and nothing that could be opened here.
        if memory.url:
            place = {"url": memory.url}
        else:
            place = {"home": memory.home}
        return HoldfastMemoryConfig(**place, agent=memory.agent, session=self._session, kind=self._kind)

    @classmethod
    def _from_config(cls, config: HoldfastMemoryConfig) -> HoldfastMemory:
        memory: Memory
        if config.url:
            from holdfast.surfaces.client.client import connect

            memory = connect(config.url, agent=config.agent)
        else:
            memory = Memory.open(config.home or None, config.agent)
        made = cls(memory, session=config.session, kind=config.kind)
        made._own = True
        return made


class _Arguments(BaseModel):
    """Whatever the model gave; the tool itself checks it, and tells the model what is wrong."""

    model_config = ConfigDict(extra="allow")


class _Tool(BaseTool[_Arguments, Any]):
    def __init__(self, tool: ToolSpec) -> None:
        super().__init__(_Arguments, str, tool.name, tool.description)
        self._tool = tool

    @property
    def schema(self) -> ToolSchema:
        """The tool's own JSON Schema."""
        parameters: Any = self._tool.parameters
        return ToolSchema(name=self._tool.name, description=self._tool.description, parameters=parameters)

    async def run(self, args: _Arguments, cancellation_token: CancellationToken) -> str:
        """Call it, and give the JSON text of its result."""
        _go_on(cancellation_token)
        return await self._tool.atext(args.model_extra)


def tools(
    memory: Memory, names: Sequence[str] | None = CORE, *, session: Session | None = None
) -> list[BaseTool[Any, Any]]:
    """Tools for `AssistantAgent(tools=…)`: search, get, save and forget, those that are named, or (None) all."""
    return [_Tool(tool) for tool in tool_specs(memory, names, session=session, client="autogen")]


def _content(hit: Hit) -> MemoryContent:
    return MemoryContent(content=hit.snippet, mime_type=MemoryMimeType.MARKDOWN, metadata=hit.to_json())


def _text(content: MemoryContent) -> str:
    if isinstance(content.mime_type, MemoryMimeType):
        kind = content.mime_type.value
    else:
        kind = content.mime_type
    if isinstance(content.content, str) and (kind in _TEXTS or kind == MemoryMimeType.JSON.value):
        return content.content
    if isinstance(content.content, dict):
        try:
            return f"```json\n{json.dumps(content.content, ensure_ascii=False, indent=2)}\n```"
        except (TypeError, ValueError, RecursionError) as error:
            raise BadArgument("content", f"it is not JSON ({error})") from error
    raise BadArgument("content", f"memory holds text, and this is {kind}; say in words what it shows")


def _words(message: UserMessage) -> str:
    if isinstance(message.content, str):
        return message.content
    return "\n".join(part for part in message.content if isinstance(part, str))


def _go_on(token: CancellationToken | None) -> None:
    if token is not None and token.is_cancelled():
        raise CancelledError
