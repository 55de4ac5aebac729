"""CrewAI's memory records as notes: `memory/store@crewai+<scope>+<id>.md`, one each, as the items of a LangGraph store.

CrewAI asks its storages with vectors of its own. Holdfast is asked with words, by `found`; the rest is what CrewAI
calls a storage backend. A record's id comes from its words: what is remembered twice in a scope is there once.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

from holdfast.errors import BadArgument, NoteNotFound
from holdfast.memory import Memory
from holdfast.search.hit import Hit
from holdfast.settings.memory_settings import Secrets
from holdfast.surfaces.adapters.framework_packages import missing
from holdfast.surfaces.adapters.json_redaction import redact_json
from holdfast.surfaces.adapters.memory_lock import alone, in_thread, notes_of
from holdfast.surfaces.adapters.store_filters import condition, in_namespace
from holdfast.surfaces.adapters.store_notes import StoredItem, note_of, path_of, prefix_of, read_note

try:
    from crewai.memory.types import MemoryRecord, ScopeInfo
except ImportError as error:
    raise missing("crewai", "crewai", error) from None

__all__ = ["Records", "Wanted", "id_of"]

_ROOT = "crewai"
_MOST_HITS = 100
_SLUG = re.compile(r"[^a-z0-9]+", re.ASCII)


class Wanted(Protocol):
    """Says whether a record may be shown."""

    def __call__(self, record: MemoryRecord) -> bool:
        """Say whether this one may be shown."""


def id_of(content: str) -> str:
    """The id of a record with these words: some of them, and a hash."""
    slug = _SLUG.sub("-", content.lower())[:28].strip("-") or "record"
    return f"{slug}-{hashlib.sha256(content.encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"


class Records:
    """The storage backend of CrewAI, and a search by words."""

    def __init__(self, memory: Memory) -> None:
        self._memory, self._notes = memory, notes_of(memory, "crewai")

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Records:
        return self  # a copy of a crew remembers in the same place

    def found(self, query: str, scope: str | None, limit: int, wanted: Wanted) -> list[tuple[MemoryRecord, Hit]]:
        """The records that answer a question; without a scope, the lines of all other notes as well."""
        if not query.strip() or limit < 1:
            return []
        inside = _namespace(scope)
        path = None
        if len(inside) != 1:
            path = f"{prefix_of(inside)}*"
        best: dict[str, tuple[MemoryRecord, Hit]] = {}
        with alone(self._memory):
            hits = self._memory.search(query, path=path, max_results=min(_MOST_HITS, 2 * limit + 10)).results
            for hit in hits:
                item = self._read(hit.path)
                if item is None and path is not None:
                    continue
                if item is not None:
                    record = _record(item)
                else:
                    record = _line(hit)
                if (item is None or in_namespace(item.namespace, inside)) and wanted(record):
                    best.setdefault(record.id, (record, hit))
        return list(best.values())[:limit]

    def save(self, records: list[MemoryRecord]) -> None:
        """Keep records as one change; one with the id of another in its scope takes its place."""
        with alone(self._memory):
            self._notes.write_all(dict(map(self._note, records)), reason="remember")

    def update(self, record: MemoryRecord) -> None:
        """Put a record in the place of the one with its id, wherever that is."""
        with alone(self._memory):
            old = self._path(record.id)
            new, text = self._note(record)
            if old in (None, new):
                gone = {}
            else:
                gone = {str(old): None}
            self._notes.write_all({new: text, **gone}, reason="remember")

    def get_record(self, record_id: str) -> MemoryRecord | None:
        """The record with this id, or None."""
        with alone(self._memory):
            return next((_record(item) for _, item in self._items(None) if item.key == record_id), None)

    def list_records(self, scope_prefix: str | None = None, limit: int = 200, offset: int = 0) -> list[MemoryRecord]:
        """The records below a scope, the newest first."""
        with alone(self._memory):
            found = [_record(item) for _, item in self._items(scope_prefix)]
        found.sort(key=lambda record: (record.created_at, record.id), reverse=True)
        return found[offset : offset + limit]

    def delete(
        self,
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        record_ids: list[str] | None = None,
        older_than: datetime | None = None,
        metadata_filter: dict[str, Any] | None = None,
    ) -> int:
        """Remove the records that all of this fits as one change; an undo brings them back."""
        before = None
        if older_than is not None:
            before = older_than.replace(tzinfo=older_than.tzinfo or UTC)
        fits = condition(metadata_filter)

        def goes(item: StoredItem) -> bool:
            record = _record(item)
            return (
                (not categories or bool(set(categories) & set(record.categories)))
                and (record_ids is None or record.id in record_ids)
                and (before is None or item.created < before)
                and (not metadata_filter or fits(record.metadata))
            )

        with alone(self._memory):
            gone = [path for path, item in self._items(scope_prefix) if goes(item)]
            return len(self._notes.write_all(dict.fromkeys(gone), reason="forget"))

    def reset(self, scope_prefix: str | None = None) -> None:
        """Remove all records below a scope; notes that are no records stay."""
        self.delete(scope_prefix)

    def count(self, scope_prefix: str | None = None) -> int:
        """Return how many records there are below a scope."""
        return len(self.list_records(scope_prefix, limit=2**53))

    def list_scopes(self, parent: str = "/") -> list[str]:
        """The scopes directly below one."""
        above = _namespace(parent)
        with alone(self._memory):
            depth = len(above) + 1
            names = {item.namespace[:depth] for _, item in self._items(parent) if len(item.namespace) >= depth}
        return sorted(map(_scope, names))

    def list_categories(self, scope_prefix: str | None = None) -> dict[str, int]:
        """The categories below a scope, and how many records each has."""
        records = self.list_records(scope_prefix, limit=2**53)
        return dict(Counter(category for record in records for category in record.categories))

    def get_scope_info(self, scope: str) -> ScopeInfo:
        """Return what there is in a scope and below it."""
        records = self.list_records(scope, limit=2**53)
        return ScopeInfo(
            path=_scope(_namespace(scope)),
            record_count=len(records),
            categories=sorted({category for record in records for category in record.categories}),
            oldest_record=records[-1].created_at if records else None,
            newest_record=records[0].created_at if records else None,
            child_scopes=self.list_scopes(scope),
        )

    def search(self, query_embedding: list[float], *_: Any, **__: Any) -> list[tuple[MemoryRecord, float]]:  # noqa: ARG002
        """Refused: vectors of another model say nothing here."""
        raise BadArgument("query_embedding", "this memory is asked with words; call `recall` of HoldfastMemory")

    async def asave(self, records: list[MemoryRecord]) -> None:
        """The same as `save`, in a worker thread."""
        await in_thread(self._memory, lambda: self.save(records))

    async def asearch(self, query_embedding: list[float], *_: Any, **__: Any) -> list[tuple[MemoryRecord, float]]:
        """Refused, as `search` is."""
        return self.search(query_embedding)

    async def adelete(self, *criteria: Any, **named: Any) -> int:
        """The same as `delete`, in a worker thread."""
        return await in_thread(self._memory, lambda: self.delete(*criteria, **named))

    # Notes

    def _items(self, scope: str | None) -> Iterator[tuple[str, StoredItem]]:
        inside = _namespace(scope)
        for seen in self._notes.list(prefix_of(inside)):
            item = self._read(seen.path)
            if item is not None and in_namespace(item.namespace, inside):
                yield seen.path, item

    def _read(self, path: str) -> StoredItem | None:
        if not path.startswith(prefix_of((_ROOT,))[:-1]):
            return None
        try:
            item = read_note(self._notes.read(path).text)
        except NoteNotFound:
            return None
        if item is not None and in_namespace(item.namespace, (_ROOT,)):
            return item
        return None

    def _path(self, record_id: str) -> str | None:
        return next((path for path, item in self._items(None) if item.key == record_id), None)

    def _note(self, record: MemoryRecord) -> tuple[str, str]:
        """The path of a record's note, and its text."""
        item = _record_item(record)
        if self._memory.settings.memory.secrets is Secrets.REDACT:
            item = item.replace(value=redact_json(dict(item.value)))
        return path_of(item.namespace, item.key), note_of(item)


def _namespace(scope: str | None) -> tuple[str, ...]:
    return (_ROOT, *(part for part in (scope or "").split("/") if part))


def _scope(namespace: Sequence[str]) -> str:
    return "/" + "/".join(namespace[1:])


def _record_item(record: MemoryRecord) -> StoredItem:
    value: dict[str, Any] = {"text": record.content, "importance": record.importance}
    for name in ("categories", "metadata", "source", "private"):
        if held := getattr(record, name):
            value[name] = held
    created, updated = (at.replace(tzinfo=at.tzinfo or UTC) for at in (record.created_at, record.last_accessed))
    return StoredItem(_namespace(record.scope), record.id, value, created, updated)


def _record(item: StoredItem) -> MemoryRecord:
    """The record in a note, which its owner may have edited: what can't be used any more is left out."""
    value: Mapping[str, Any] = item.value
    importance, categories, metadata = (value.get(name) for name in ("importance", "categories", "metadata"))
    source = value.get("source")
    return MemoryRecord(
        id=item.key,
        content=str(value.get("text", "")),
        scope=_scope(item.namespace),
        categories=list(map(str, categories)) if isinstance(categories, list) else [],
        metadata=metadata if isinstance(metadata, dict) else {},
        importance=importance if isinstance(importance, int | float) and 0 <= importance <= 1 else 0.5,
        created_at=item.created.astimezone(UTC).replace(tzinfo=None),  # CrewAI's times are in UTC, and do not say so
        last_accessed=item.updated.astimezone(UTC).replace(tzinfo=None),
        source=source if isinstance(source, str) else None,
        private=value.get("private") is True,
    )


def _line(hit: Hit) -> MemoryRecord:
    """Lines of a note that is no record."""
    now = datetime.now(UTC).replace(tzinfo=None)
    place = {"note": f"{hit.path}#{hit.start_line}"}
    return MemoryRecord(id=hit.chunk_id, content=hit.snippet, metadata=place, created_at=now, last_accessed=now)
