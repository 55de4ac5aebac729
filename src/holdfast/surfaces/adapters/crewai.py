"""CrewAI on a Holdfast memory: `Crew(memory=HoldfastMemory(memory))`, and tools for agents."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from holdfast.errors import HoldfastError, Refused
from holdfast.memory import Memory
from holdfast.named_tuple import NamedTuple
from holdfast.notes.nonce import new_nonce
from holdfast.sessions.conversation import Session
from holdfast.surfaces.adapters.crewai_records import Records, id_of
from holdfast.surfaces.adapters.framework_packages import missing
from holdfast.surfaces.adapters.tool_calls import quote_text
from holdfast.surfaces.adapters.tool_specs import CORE, ToolSpec, tool_specs

try:
    from crewai.events.event_bus import crewai_event_bus
    from crewai.events.types.memory_events import (
        MemoryQueryCompletedEvent,
        MemoryQueryFailedEvent,
        MemoryQueryStartedEvent,
        MemorySaveCompletedEvent,
        MemorySaveFailedEvent,
        MemorySaveStartedEvent,
    )
    from crewai.memory.types import MemoryMatch, MemoryRecord
    from crewai.memory.unified_memory import Memory as CrewMemory
    from crewai.memory.utils import join_scope_paths
    from crewai.tools import BaseTool
    from crewai.utilities.pydantic_schema_utils import create_model_from_schema
    from pydantic import PrivateAttr
except ImportError as error:
    raise missing("crewai", "crewai", error) from None


__all__ = ["Found", "HoldfastMemory", "HoldfastTool", "tools"]

_FROM = {"source_type": "holdfast"}


class _Traits(NamedTuple):
    """Describes records that are kept together, as CrewAI does."""

    scope: str
    categories: list[str] | None
    metadata: dict[str, Any] | None
    importance: float | None
    source: str | None
    private: bool
    agent_role: str | None


class Found(MemoryMatch):
    """A record that answers a question; in a prompt it is data, behind bars and in a fence."""

    _shown: str = PrivateAttr(default="")

    def shown_as(self, text: str) -> Found:
        """The same, with what an agent is shown of it."""
        self._shown = text
        return self

    def format(self) -> str:
        """Return what an agent is shown."""
        return self._shown


class HoldfastMemory(CrewMemory):
    """CrewAI's memory, with words instead of vectors: each record is a note, and no model is asked to save or recall.

    With an `llm` CrewAI also saves what that model takes from the result of each task; without, an agent saves what it
    chooses to.
    """

    _records: Records = PrivateAttr()

    def __init__(self, memory: Memory, *, llm: Any = None, **fields: Any) -> None:
        records = Records(memory)
        super().__init__(llm="" if llm is None else llm, storage=records, **fields)
        self._records = records

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> HoldfastMemory:
        copied: HoldfastMemory = self.model_copy()  # a copy of a crew remembers in the same place
        return copied

    def remember(
        self,
        content: str,
        scope: str | None = None,
        categories: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        importance: float | None = None,
        source: str | None = None,
        private: bool = False,
        agent_role: str | None = None,
        root_scope: str | None = None,
    ) -> MemoryRecord | None:
        """Keep a text in a scope; None where this memory is only read."""
        if self.read_only:
            return None
        inside = join_scope_paths(root_scope if root_scope is not None else self.root_scope, scope)
        (record,) = self._kept(
            [content], _Traits(inside, categories, metadata, importance, source, private, agent_role)
        )
        return record

    def remember_many(
        self,
        contents: list[str],
        scope: str | None = None,
        categories: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        importance: float | None = None,
        source: str | None = None,
        private: bool = False,
        agent_role: str | None = None,
        root_scope: str | None = None,
    ) -> list[MemoryRecord]:
        """Keep several texts as one change; they are on disk when this returns.

        Where one is refused the others are kept, each by itself, and the first refusal is raised at the end.
        """
        if self.read_only or not contents:
            return []
        inside = join_scope_paths(root_scope if root_scope is not None else self.root_scope, scope)
        traits = _Traits(inside, categories, metadata, importance, source, private, agent_role)
        try:
            return self._kept(contents, traits)
        except Refused:
            return self._kept_singly(contents, traits)

    def _kept_singly(self, contents: list[str], traits: _Traits) -> list[MemoryRecord]:
        kept: list[MemoryRecord] = []
        refused: Refused | None = None
        for content in contents:
            try:
                kept += self._kept([content], traits)
            except Refused as error:
                refused = refused or error
        if refused is not None:
            raise refused
        return kept

    def _kept(self, contents: list[str], traits: _Traits) -> list[MemoryRecord]:
        importance = self.default_importance if traits.importance is None else traits.importance
        now = datetime.now(UTC).replace(tzinfo=None)
        records = [
            MemoryRecord(
                id=id_of(content),
                content=content,
                scope=traits.scope,
                categories=traits.categories or [],
                metadata=traits.metadata or {},
                importance=importance,
                created_at=now,
                last_accessed=now,
                source=traits.source,
                private=traits.private,
            )
            for content in contents
        ]
        if len(contents) == 1:
            value = contents[0]
        else:
            value = f"{len(contents):,} memories"
        event: dict[str, Any] = {"value": value, "metadata": traits.metadata or {}, **_FROM}
        crewai_event_bus.emit(self, MemorySaveStartedEvent(**event))
        began = time.perf_counter()
        try:
            self._records.save(records)
        except HoldfastError as error:
            crewai_event_bus.emit(self, MemorySaveFailedEvent(error=str(error), **event))
            raise
        took = (time.perf_counter() - began) * 1000
        crewai_event_bus.emit(self, MemorySaveCompletedEvent(agent_role=traits.agent_role, save_time_ms=took, **event))
        return records

    def extract_memories(self, content: str) -> list[str]:
        """Return what the model takes from a text; nothing without a model."""
        return super().extract_memories(content) if self.llm else []

    def recall(
        self,
        query: str,
        scope: str | None = None,
        categories: list[str] | None = None,
        limit: int = 10,
        depth: Literal["shallow", "deep"] = "deep",  # noqa: ARG002 - Holdfast's search is always the whole one
        source: str | None = None,
        include_private: bool = False,
    ) -> list[MemoryMatch]:
        """The records below the scope that answer best; without any scope, the lines of all other notes as well."""
        inside = None
        if scope or self.root_scope:
            inside = join_scope_paths(self.root_scope, scope)

        def wanted(record: MemoryRecord) -> bool:
            own = not record.private or include_private or (source is not None and record.source == source)
            return own and (not categories or bool(set(categories) & set(record.categories)))

        event: dict[str, Any] = {"query": query, "limit": limit, **_FROM}
        crewai_event_bus.emit(self, MemoryQueryStartedEvent(**event))
        began = time.perf_counter()
        try:
            found = self._records.found(query, inside, limit, wanted)
        except HoldfastError as error:
            crewai_event_bus.emit(self, MemoryQueryFailedEvent(error=str(error), **event))
            raise
        nonce = new_nonce()
        matches: list[MemoryMatch] = [
            Found(record=record, score=hit.score).shown_as(quote_text(record.content, nonce, hit))
            for record, hit in found
        ]
        took = (time.perf_counter() - began) * 1000
        crewai_event_bus.emit(self, MemoryQueryCompletedEvent(results=matches, query_time_ms=took, **event))
        return matches

    def update(
        self,
        record_id: str,
        content: str | None = None,
        scope: str | None = None,
        categories: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        importance: float | None = None,
    ) -> MemoryRecord:
        """Change a record; ValueError where there is none with this id."""
        existing = self._records.get_record(record_id)
        if existing is None:
            raise ValueError(f"Record not found: {record_id}")
        if self.read_only:
            return existing
        given = {
            "content": content,
            "scope": scope,
            "categories": categories,
            "metadata": metadata,
            "importance": importance,
        }
        changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        changes["last_accessed"] = datetime.now(UTC).replace(tzinfo=None)
        updated: MemoryRecord = existing.model_copy(update=changes)
        self._records.update(updated)
        return updated


class HoldfastTool(BaseTool):
    """One tool of a memory."""

    _tool: ToolSpec = PrivateAttr()

    def __init__(self, tool: ToolSpec) -> None:
        schema = create_model_from_schema({**tool.parameters, "title": tool.name})
        super().__init__(name=tool.name, description=tool.description, args_schema=schema, cache_function=_anew)
        self._tool = tool

    def _run(self, **arguments: Any) -> dict[str, Any]:
        given = {name: value for name, value in arguments.items() if value is not None}
        return self._tool.call(given)


def _anew(*_: object) -> bool:
    """Say whether CrewAI may answer a call from its cache: what was found before need not be what is there now."""
    return False


def tools(memory: Memory, names: Sequence[str] | None = CORE, *, session: Session | None = None) -> list[BaseTool]:
    """Tools for `Agent(tools=…)`: search, get, save and forget, those that are named, or (None) all."""
    return [HoldfastTool(tool) for tool in tool_specs(memory, names, session=session, client="crewai")]
