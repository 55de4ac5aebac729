"""A LangGraph store whose items are notes: `create_react_agent(…, store=HoldfastStore(memory))`.

Each item is a note `memory/store@<namespace>+<key>.md` with its value, readable and editable by its owner, with
checkpoints, and found by every search of this memory. When an item with a time to live was last read is operational:
it is in the state of the session `adapter-langgraph`, and where that is lost, the time of its last change counts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from holdfast.clock import Clock, SystemClock
from holdfast.errors import BadArgument, NoteNotFound
from holdfast.settings.values import Secrets
from holdfast.surfaces.adapters.clearing import cleared
from holdfast.surfaces.adapters.memory_types import AnyMemory
from holdfast.surfaces.adapters.packages import missing
from holdfast.surfaces.adapters.store_filters import fits, in_namespace, matches
from holdfast.surfaces.adapters.store_notes import Stored, note_of, path_of, prefix_of, read_note
from holdfast.surfaces.adapters.turns import alone, in_thread, notes_of
from holdfast.tools.notes import NoteSeen

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
        TTLConfig,
        validate_op_namespace,
    )
except ImportError as error:
    raise missing("langgraph", "langgraph", error) from None

__all__ = ["HoldfastStore"]

_SESSION, _TTL = "adapter-langgraph", "ttl"
_MOST_HITS = 100
_SETTLED = 2.0  # seconds: a note that is younger may change again without a change of its time


class HoldfastStore(BaseStore):
    """Items as notes of one memory. `fields` names the field of a value that stands as prose, first choice first."""

    supports_ttl = True

    def __init__(
        self,
        memory: AnyMemory,
        *,
        fields: Sequence[str] = (),
        ttl: TTLConfig | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.ttl_config = ttl
        self._memory, self._notes = memory, notes_of(memory, "langgraph")
        self._fields = tuple(fields)
        self._clock = clock or SystemClock()
        self._known: dict[str, tuple[int, float, Stored | None]] = {}
        self._touches: dict[str, float] | None = None

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Do all of it: what is read is as it was before, and of several writes of one item the last counts."""
        wanted = list(ops)
        for op in wanted:
            validate_op_namespace(op)
        results: list[Result] = []
        puts: dict[tuple[tuple[str, ...], str], PutOp] = {}
        with alone(self._memory):
            self._touches = None
            for op in wanted:
                match op:
                    case PutOp():
                        puts[op.namespace, op.key] = op
                        results.append(None)
                    case GetOp():
                        results.append(self._get(op))
                    case SearchOp():
                        results.append(self._search(op))
                    case ListNamespacesOp():
                        results.append(self._namespaces(op))
                    case _:
                        raise BadArgument("ops", f"{type(op).__name__} is no operation of a store")
            for op in puts.values():
                self._put(op)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """The same, in a worker thread."""
        wanted = list(ops)
        return await in_thread(self._memory, lambda: self.batch(wanted))

    # Each operation

    def _get(self, op: GetOp) -> Item | None:
        path = path_of(op.namespace, op.key)
        item = self._read(path)
        if item is None or (item.namespace, item.key) != (tuple(op.namespace), op.key):
            return None
        if self._expired(path, item):
            self._remove(path, item)
            return None
        if op.refresh_ttl:
            self._touch(path, item)
        return Item(
            value=dict(item.value),
            key=item.key,
            namespace=item.namespace,
            created_at=item.created,
            updated_at=item.updated,
        )

    def _put(self, op: PutOp) -> None:
        path = path_of(op.namespace, op.key)
        before = self._read(path)
        if op.value is None:
            self._remove(path, before)
            return
        now = datetime.fromtimestamp(self._clock.now(), UTC)
        named = [*(op.index or ()), *self._fields]
        item = Stored(
            tuple(op.namespace),
            op.key,
            _plain(op.value),
            before.created if before is not None else now,
            now,
            op.ttl,
            op.index is not False,
            next((name for name in named if isinstance(op.value.get(name), str)), None),
        )
        self._known.pop(path, None)
        self._notes.write(path, self._without_secrets(item), reason="put")
        self._forget_touch(path, before)

    def _search(self, op: SearchOp) -> list[SearchItem]:
        found = {
            path: item
            for path, item in self._items(op.namespace_prefix)
            if all(fits(item.value.get(name), one) for name, one in (op.filter or {}).items())
        }
        scores: dict[str, float] = {}
        if op.query and op.query.strip() and found:
            scope = prefix_of(op.namespace_prefix) + "*"
            # A long item has several chunks, and a filter leaves out hits that the index knows nothing about.
            most = _MOST_HITS if op.filter else min(_MOST_HITS, 2 * (op.offset + op.limit) + 5)
            for hit in self._memory.search(op.query, path=scope, max_results=most, min_score=0.0).results:
                if hit.path in found and found[hit.path].indexed:
                    scores.setdefault(hit.path, hit.score)
        newest = sorted(found, key=lambda path: (-found[path].updated.timestamp(), path))
        # Those that answer first; the others have no score, as those of other stores that were not embedded.
        ranked = [*scores, *(path for path in newest if path not in scores)]
        chosen = ranked[op.offset : op.offset + op.limit]
        if op.refresh_ttl:
            for path in chosen:
                self._touch(path, found[path])
        return [
            SearchItem(item.namespace, item.key, dict(item.value), item.created, item.updated, scores.get(path))
            for path, item in ((path, found[path]) for path in chosen)
        ]

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        names = {
            item.namespace
            for _, item in self._items(())
            if all(matches(item.namespace, each.match_type, each.path) for each in op.match_conditions or ())
        }
        cut = {name[: op.max_depth] for name in names} if op.max_depth is not None else names
        return sorted(cut)[op.offset : op.offset + op.limit]

    # Notes

    def _items(self, prefix: Sequence[str]) -> Iterator[tuple[str, Stored]]:
        """The items below a namespace; what has expired is removed on the way."""
        for seen in self._notes.list(prefix_of(prefix)):
            item = self._seen(seen)
            if item is None or not in_namespace(item.namespace, prefix):
                continue
            if seen.path != path_of(item.namespace, item.key):
                continue  # a copy that its owner made: not where the store would look for it
            if self._expired(seen.path, item):
                self._remove(seen.path, item)
            else:
                yield seen.path, item

    def _seen(self, seen: NoteSeen) -> Stored | None:
        """What a listed note holds; read again only where it may have changed."""
        known = self._known.get(seen.path)
        if known is not None and known[:2] == (seen.bytes, seen.modified):
            return known[2]
        item = self._read(seen.path)
        if seen.modified < SystemClock().now() - _SETTLED:
            self._known[seen.path] = (seen.bytes, seen.modified, item)
        return item

    def _read(self, path: str) -> Stored | None:
        try:
            return read_note(self._notes.read(path).text)
        except NoteNotFound:
            return None

    def _remove(self, path: str, item: Stored | None) -> None:
        self._known.pop(path, None)
        with suppress(NoteNotFound):
            self._notes.delete(path, reason="delete item")
        self._forget_touch(path, item)

    def _without_secrets(self, item: Stored) -> str:
        """The note; where the settings redact, each value by itself, so that what is left is still JSON."""
        redacts = self._memory.settings.memory.secrets is Secrets.REDACT
        return note_of(item.replace(value=cleared(dict(item.value))) if redacts else item)

    # Time to live

    def _expired(self, path: str, item: Stored) -> bool:
        if item.ttl is None:
            return False
        last = max(item.updated.timestamp(), self._last_reads().get(_key(path), 0.0))
        return last + item.ttl * 60 <= self._clock.now()

    def _last_reads(self) -> dict[str, float]:
        """When items with a time to live were last read, looked up once for each batch."""
        if self._touches is None:
            with self._memory.session(_SESSION) as session:
                self._touches = {one.key: float(one.value["at"]) for one in session.state.list(_TTL)}
        return self._touches

    def _touch(self, path: str, item: Stored) -> None:
        if item.ttl is not None:
            with self._memory.session(_SESSION) as session:
                session.state.set(_TTL, _key(path), {"path": path, "at": self._clock.now()})

    def _forget_touch(self, path: str, item: Stored | None) -> None:
        if item is not None and item.ttl is not None:
            with self._memory.session(_SESSION) as session:
                session.state.delete(_TTL, _key(path))


def _key(path: str) -> str:
    return hashlib.sha256(path.encode()).hexdigest()[:40]


def _plain(value: Any) -> dict[str, Any]:
    """A value of its own, as JSON keeps it."""
    try:
        read = json.loads(json.dumps(dict(value), allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise BadArgument("value", f"it is not JSON ({error})") from error
    return read if isinstance(read, dict) else {}
