"""A LangGraph store whose items are notes: `create_react_agent(…, store=HoldfastStore(memory))`.

Each item is a note `memory/store@<namespace>+<key>.md` with its value, readable and editable by its owner, with
checkpoints, and found by every search of this memory. When an item with a time to live was last read is operational:
it is in the state of the session `adapter-langgraph`, and where that is lost, the time of its last change counts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from datetime import UTC, datetime
from typing import Any

from holdfast.clock import Clock, SystemClock
from holdfast.context.note_list import NoteSeen
from holdfast.errors import BadArgument
from holdfast.memory import Memory
from holdfast.named_tuple import NamedTuple
from holdfast.settings.memory_settings import Secrets
from holdfast.surfaces.adapters.framework_packages import missing
from holdfast.surfaces.adapters.json_redaction import cleared
from holdfast.surfaces.adapters.memory_lock import alone, in_thread, notes_of
from holdfast.surfaces.adapters.store_filters import condition, in_namespace, matches, value_at
from holdfast.surfaces.adapters.store_notes import Stored, note_of, path_of, prefix_of, read_note

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
_SPARE_HITS = 5  # for second chunks of a long item, and for notes that are no items
# Seconds: a note that is younger may change again without a change of its time. File systems that stamp whole seconds,
# or every other one, are known by that; all others tick at least a hundred times a second.
_SETTLED_COARSE = 2.0
_SETTLED_FINE = 0.1


class _Known(NamedTuple):
    """The content of a note when it was read.

    Until it is `settled`, it may have changed without a change of its time.
    """

    seen: NoteSeen
    settled: bool
    item: Stored | None

    def is_current(self, seen: NoteSeen) -> bool:
        """Say whether the note is still what was read; the very same entry means that nobody has walked since."""
        if self.seen is seen:
            return True
        return self.settled and (self.seen.bytes, self.seen.modified) == (seen.bytes, seen.modified)


class HoldfastStore(BaseStore):
    """Items as notes of one memory. `fields` names the field of a value that stands as prose, first choice first."""

    supports_ttl = True

    def __init__(
        self,
        memory: Memory,
        *,
        fields: Sequence[str] = (),
        ttl: TTLConfig | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.ttl_config = ttl
        self._memory, self._notes = memory, notes_of(memory, "langgraph")
        self._fields = tuple(fields)
        self._clock = clock or SystemClock()
        self._known: dict[str, _Known] = {}
        self._touches: dict[str, float] | None = None
        self._read_now: dict[str, Stored] = {}
        self._expired_now: dict[str, Stored] = {}

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Do all of it: what is read is as it was before, and of several writes of one item the last counts.

        What is written is one change of all notes: it happens whole or not at all, and one undo takes it back.
        """
        wanted = list(ops)
        for op in wanted:
            validate_op_namespace(op)
        with alone(self._memory):
            self._touches = None
            self._read_now, self._expired_now = {}, {}
            items = self._items_of([op for op in wanted if isinstance(op, GetOp | PutOp)])
            results: list[Result] = []
            puts: dict[str, PutOp] = {}
            for op in wanted:
                match op:
                    case PutOp():
                        puts[path_of(op.namespace, op.key)] = op
                        results.append(None)
                    case GetOp():
                        results.append(self._get(op, items))
                    case SearchOp():
                        results.append(self._search(op))
                    case ListNamespacesOp():
                        results.append(self._namespaces(op))
                    case _:
                        raise BadArgument("ops", f"{type(op).__name__} is no operation of a store")
            self._note_reads()
            self._write(dict.fromkeys(self._expired_now), self._expired_now, "delete expired items")
            self._write({path: self._note(op, items.get(path)) for path, op in puts.items()}, items, "put")
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """The same, in a worker thread."""
        wanted = list(ops)
        return await in_thread(self._memory, lambda: self.batch(wanted))

    def sweep_ttl(self) -> int:
        """Remove what has expired, as reading does with what it meets; gives how many items that were."""
        with alone(self._memory):
            self._touches, self._expired_now = None, {}
            for _ in self._items(()):
                pass
            expired = dict(self._expired_now)
            self._write(dict.fromkeys(expired), expired, "delete expired items")
        return len(expired)

    # Each operation

    def _get(self, op: GetOp, items: Mapping[str, Stored]) -> Item | None:
        path = path_of(op.namespace, op.key)
        item = items.get(path)
        if item is None or (item.namespace, item.key) != (tuple(op.namespace), op.key):
            return None
        if self._expired(path, item):
            self._expired_now[path] = item
            return None
        if op.refresh_ttl:
            self._read_now[path] = item
        return Item(
            value=dict(item.value),
            key=item.key,
            namespace=item.namespace,
            created_at=item.created,
            updated_at=item.updated,
        )

    def _note(self, op: PutOp, before: Stored | None) -> str | None:
        """The note that an item becomes; None where it is to go."""
        if op.value is None:
            return None
        now = datetime.fromtimestamp(self._clock.now(), UTC)
        lives = before is not None and not self._expired(path_of(op.namespace, op.key), before)
        named = [*(op.index or ()), *self._fields]
        item = Stored(
            tuple(op.namespace),
            op.key,
            _plain(op.value),
            before.created if before is not None and lives else now,
            now,
            op.ttl,
            op.index is not False,
            next((name for name in named if isinstance(op.value.get(name), str)), None),
        )
        return self._without_secrets(item)

    def _search(self, op: SearchOp) -> list[SearchItem]:
        conditions = [(name, condition(wanted)) for name, wanted in (op.filter or {}).items()]
        found = dict(self._items(op.namespace_prefix))
        for name, fits in conditions:
            found = {path: item for path, item in found.items() if fits(value_at(item.value, name))}
        scores: dict[str, float] = {}
        if op.query and op.query.strip() and found:
            scores = self._scores(op, {path for path, item in found.items() if item.indexed})
            # What a question does not find scores nothing; only what may not be found has no score, as in other stores.
            scores |= {path: 0.0 for path, item in found.items() if item.indexed and path not in scores}
        # They come by their paths; what scores alike goes from the newest to the oldest, and then by those.
        ranked = sorted(found, key=lambda path: found[path].updated, reverse=True)
        if scores:
            ranked.sort(key=lambda path: scores.get(path, -1.0), reverse=True)
        chosen = ranked[op.offset : op.offset + op.limit]
        if op.refresh_ttl:
            self._read_now |= {path: found[path] for path in chosen}
        return [
            SearchItem(item.namespace, item.key, dict(item.value), item.created, item.updated, scores.get(path))
            for path, item in ((path, found[path]) for path in chosen)
        ]

    def _scores(self, op: SearchOp, sought: Set[str]) -> dict[str, float]:
        """Return how well a question finds the sought notes, as many as the page needs."""
        query, scope = op.query or "", prefix_of(op.namespace_prefix) + "*"
        wanted = min(op.offset + op.limit, len(sought))
        # A hit costs more than to rank it; but a filter leaves out most of them as likely as not.
        for most in (_MOST_HITS,) if op.filter else (min(wanted + _SPARE_HITS, _MOST_HITS), _MOST_HITS):
            hits = self._memory.search(query, path=scope, max_results=most, min_score=0.0).results
            scores: dict[str, float] = {}
            for hit in hits:
                if hit.path in sought:
                    scores[hit.path] = max(hit.score, scores.get(hit.path, 0.0))
            if len(scores) >= wanted or len(hits) < most:
                break
        return scores

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        names = {
            item.namespace
            for _, item in self._items(())
            if all(matches(item.namespace, each.match_type, each.path) for each in op.match_conditions or ())
        }
        if op.max_depth is not None:
            cut = {name[: op.max_depth] for name in names}
        else:
            cut = names
        return sorted(cut)[op.offset : op.offset + op.limit]

    # Notes

    def _items(self, prefix: Sequence[str]) -> Iterator[tuple[str, Stored]]:
        """The items below a namespace; what has expired is left out, and noted to be removed."""
        listed = self._notes.list(prefix_of(prefix))
        self._look_again(listed)
        for seen in listed:
            item = self._known[seen.path].item
            if item is None or not in_namespace(item.namespace, prefix):
                continue
            if item.ttl is not None and self._expired(seen.path, item):
                self._expired_now[seen.path] = item
            else:
                yield seen.path, item

    def _look_again(self, listed: Sequence[NoteSeen]) -> None:
        """Read those of the listed notes that may have changed since they were read, all at once."""
        known, now = self._known, SystemClock().now()
        changed = {
            seen.path: seen for seen in listed if (held := known.get(seen.path)) is None or not held.is_current(seen)
        }
        if changed:
            notes = self._notes.read_all(changed)
        else:
            notes = {}
        for path, seen in changed.items():
            note = notes.get(path)
            item = None
            if note is not None:
                item = read_note(note.text)
            if item is not None and path != path_of(item.namespace, item.key):
                item = None  # a copy that its owner made: not where the store would look for it
            if seen.modified.is_integer():
                pause = _SETTLED_COARSE
            else:
                pause = _SETTLED_FINE
            known[path] = _Known(seen, seen.modified < now - pause, item)

    def _items_of(self, ops: Sequence[GetOp | PutOp]) -> dict[str, Stored]:
        """The items that these operations are about, by the paths of their notes."""
        paths = [path_of(op.namespace, op.key) for op in ops]
        if paths:
            notes = self._notes.read_all(paths)
        else:
            notes = {}
        read = {path: read_note(note.text) for path, note in notes.items()}
        return {path: item for path, item in read.items() if item is not None}

    def _write(self, texts: Mapping[str, str | None], before: Mapping[str, Stored], reason: str) -> None:
        """Write and remove notes as one change."""
        if not texts:
            return
        for path in texts:
            self._known.pop(path, None)
        self._notes.write_all(texts, reason=reason)
        forgotten = [path for path in texts if path in before and before[path].ttl is not None]
        if forgotten:
            with self._memory.session(_SESSION) as session:
                for path in forgotten:
                    session.state.delete(_TTL, _key(path))

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
        """Return when items with a time to live were last read, looked up once for each batch."""
        if self._touches is None:
            with self._memory.session(_SESSION) as session:
                self._touches = {entry.key: float(entry.value["at"]) for entry in session.state.list(_TTL)}
        return self._touches

    def _note_reads(self) -> None:
        """Keep when the items of this batch that live as long as they are read were read."""
        paths = [path for path, item in self._read_now.items() if item.ttl is not None]
        if paths:
            with self._memory.session(_SESSION) as session:
                for path in paths:
                    session.state.set(_TTL, _key(path), {"path": path, "at": self._clock.now()})


def _key(path: str) -> str:
    return hashlib.sha256(path.encode()).hexdigest()[:40]


def _plain(value: Any) -> dict[str, Any]:
    """A value of its own, as JSON keeps it."""
    try:
        read = json.loads(json.dumps(dict(value), allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise BadArgument("value", f"it is not JSON ({error})") from error
    return read if isinstance(read, dict) else {}
