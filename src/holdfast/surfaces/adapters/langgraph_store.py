"""A LangGraph store whose items are notes: `create_react_agent(…, store=HoldfastStore(memory))`.

The items of a namespace stand in few notes `memory/store@<namespace>+@<number>.md`, a section each, which their owner
can read and edit, with checkpoints, and found by every search of this memory. What was read is held in memory, and read
again when its note has changed. When an item with a time to live was last read is operational: it is in the state of
the session `adapter-langgraph`, and where that is lost, the time of its last change counts.
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence, Set
from datetime import UTC, datetime
from itertools import takewhile
from typing import Any

from holdfast.clock import Clock, SystemClock
from holdfast.context.note_list import NoteSeen
from holdfast.errors import BadArgument, NoteChangedOutside
from holdfast.memory import Memory
from holdfast.named_tuple import NamedTuple
from holdfast.search.query import plain_question
from holdfast.settings.memory_settings import Secrets
from holdfast.surfaces.adapters.framework_packages import missing
from holdfast.surfaces.adapters.json_redaction import redact_json
from holdfast.surfaces.adapters.memory_lock import alone, in_thread, notes_of
from holdfast.surfaces.adapters.store_filters import condition, in_namespace, matches, value_at
from holdfast.surfaces.adapters.store_notes import StoredItem, page_stem, path_of, prefix_of
from holdfast.surfaces.adapters.store_pages import Edit, Page, items_at, read_page, rewrite
from holdfast.surfaces.adapters.store_words import ItemName, ItemWords, scores_by_words, words_of_page

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
_LENT = 1e-9  # what is left of a score that was only lent
# Seconds: a note that is younger may change again without a change of its time. File systems that stamp whole seconds,
# or every other one, are known by that; all others tick at least a hundred times a second, so three ticks are enough.
_SETTLED_COARSE = 2.0
_SETTLED_FINE = 0.03
_TRIES = 100  # every lost race is a write that another won, so this is never reached in practice

_encode = json.JSONEncoder(allow_nan=False).encode


class _Known(NamedTuple):
    """The content of a note when it was read.

    Until it is `settled`, it may have changed without a change of its time.
    """

    seen: NoteSeen | None
    settled: bool
    page: Page

    def is_current(self, seen: NoteSeen, *, or_stops_the_write: bool) -> bool:
        """Say whether the note is still what was read; the very same entry means that nobody has walked since."""
        if self.seen is seen:
            return True
        if self.seen is None:
            return or_stops_the_write
        looks_alike = (self.seen.bytes, self.seen.modified) == (seen.bytes, seen.modified)
        return looks_alike and (self.settled or or_stops_the_write)


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
        self._words: dict[str, ItemWords] = {}
        self._touches: dict[str, float] | None = None
        self._read_now: dict[ItemName, StoredItem] = {}
        self._expired_now: set[ItemName] = set()

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Do all of it: what is read is as it was before, and of several writes of one item the last counts.

        What is written is one change of all notes: it happens whole or not at all, and one undo takes it back.
        """
        wanted = list(ops)
        for op in wanted:
            validate_op_namespace(op)
        with alone(self._memory):
            self._touches = None
            self._read_now, self._expired_now = {}, set()
            items = self._items_named([(tuple(op.namespace), op.key) for op in wanted if isinstance(op, GetOp)])
            results: list[Result] = []
            puts: dict[ItemName, Edit] = {}
            for op in wanted:
                match op:
                    case PutOp():
                        puts[tuple(op.namespace), op.key] = self._edit(op)
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
            self._remove_expired()
            self._write(puts, "put")
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """The same, in a worker thread."""
        wanted = list(ops)
        return await in_thread(self._memory, lambda: self.batch(wanted))

    def sweep_ttl(self) -> int:
        """Remove what has expired, as reading does with what it meets; gives how many items that were."""
        with alone(self._memory):
            self._touches, self._expired_now = None, set()
            self._items(())
            return self._remove_expired()

    # Each operation

    def _get(self, op: GetOp, items: Mapping[ItemName, StoredItem]) -> Item | None:
        name = (tuple(op.namespace), op.key)
        item = items.get(name)
        if item is None:
            return None
        if self._expired(item):
            self._expired_now.add(name)
            return None
        if op.refresh_ttl:
            self._read_now[name] = item
        return Item(
            value=_copy(item.value),
            key=item.key,
            namespace=item.namespace,
            created_at=item.created,
            updated_at=item.updated,
        )

    def _edit(self, op: PutOp) -> Edit:
        """Return the edit that puts an item, or removes it."""
        if op.value is None:
            return lambda before: None  # noqa: ARG005
        now = datetime.fromtimestamp(self._clock.now(), UTC)
        value = _as_json(op.value)
        if self._memory.settings.memory.secrets is Secrets.REDACT:
            value = redact_json(value)  # each value by itself, so that what is left is still JSON
        named = [*(op.index or ()), *self._fields]
        field = next((name for name in named if isinstance(value.get(name), str)), None)
        made = StoredItem(tuple(op.namespace), op.key, value, now, now, op.ttl, op.index is not False, field)

        def edit(before: StoredItem | None) -> StoredItem:
            if before is None or self._expired(before):
                return made
            return made.replace(created=before.created)

        return edit

    def _search(self, op: SearchOp) -> list[SearchItem]:
        conditions = [(name, condition(wanted)) for name, wanted in (op.filter or {}).items()]
        pages = self._pages_below(op.namespace_prefix)
        found = self._items_of(pages)
        for name, fits in conditions:
            found = {place: item for place, item in found.items() if fits(value_at(item.value, name))}
        scores: dict[ItemName, float] = {}
        if op.query and op.query.strip() and found:
            if self._memory.settings.memory.disable_rag:
                scores = self._scores_by_words(op.query, pages)
            if not scores:  # with vectors; and no item may hold a word that was mistyped
                scores = self._scores_by_search(op, {name for name, item in found.items() if item.indexed})
            # What a question does not find scores nothing; only what may not be found has no score, as in other stores.
            scores |= {name: 0.0 for name, item in found.items() if item.indexed and name not in scores}
        # What scores alike goes from the newest to the oldest, and then as it stands in the notes.
        ranked = sorted(found, key=lambda name: found[name].updated, reverse=True)
        if scores:
            ranked.sort(key=lambda name: scores.get(name, -1.0), reverse=True)
        chosen = ranked[op.offset : op.offset + op.limit]
        if op.refresh_ttl:
            self._read_now |= {name: found[name] for name in chosen}
        return [
            SearchItem(item.namespace, item.key, _copy(item.value), item.created, item.updated, scores.get(name))
            for name, item in ((name, found[name]) for name in chosen)
        ]

    def _scores_by_words(self, query: str, pages: Iterable[Page]) -> dict[ItemName, float]:
        """Return how well the words of a question find items, by what is held of them in memory."""
        inside: list[ItemWords] = []
        for page in pages:
            words = self._words.get(page.path)
            if words is None or words.hash != page.hash:
                words = self._words[page.path] = words_of_page(page)
            inside.append(words)
        return scores_by_words(plain_question(query).words, inside)

    def _scores_by_search(self, op: SearchOp, sought: Set[ItemName]) -> dict[ItemName, float]:
        """Return how well the search of the memory finds the sought items, as many as the page needs."""
        query, scope = op.query or "", prefix_of(op.namespace_prefix) + "*"
        wanted = min(op.offset + op.limit, len(sought))
        # A hit costs more than to rank it; but a filter leaves out most of them as likely as not.
        tries = [min(wanted + _SPARE_HITS, _MOST_HITS), _MOST_HITS]
        if op.filter:
            tries = [_MOST_HITS]
        for most in tries:
            hits = self._memory.search(query, path=scope, max_results=most, min_score=0.0, by_passage=True).results
            scores: dict[ItemName, float] = {}
            for path in dict.fromkeys(hit.path for hit in hits if hit.path in self._known):
                inside = [hit for hit in hits if hit.path == path]
                items = items_at(self._known[path].page, [hit.start_line for hit in inside])
                for hit, item in zip(inside, items, strict=True):
                    if item is not None and (name := (item.namespace, item.key)) in sought:
                        # What has only what its note lends to all its lines was not found.
                        score = hit.score if hit.own_score > _LENT else 0.0
                        scores[name] = max(score, scores.get(name, 0.0))
            if len(scores) >= wanted or len(hits) < most:
                break
        return scores

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        names = {
            namespace
            for namespace in {namespace for namespace, _ in self._items(())}
            if all(matches(namespace, each.match_type, each.path) for each in op.match_conditions or ())
        }
        if op.max_depth is not None:
            cut = {name[: op.max_depth] for name in names}
        else:
            cut = names
        return sorted(cut)[op.offset : op.offset + op.limit]

    # Notes

    def _items(self, prefix: Sequence[str]) -> dict[ItemName, StoredItem]:
        """The items below a namespace; what has expired is left out, and noted to be removed."""
        return self._items_of(self._pages_below(prefix))

    def _items_of(self, pages: Iterable[Page]) -> dict[ItemName, StoredItem]:
        found: dict[ItemName, StoredItem] = {}
        for page in pages:
            _add_items(found, page)
        for name in [name for name, item in found.items() if item.ttl is not None and self._expired(item)]:
            self._expired_now.add(name)
            del found[name]
        return found

    def _pages_below(self, prefix: Sequence[str]) -> list[Page]:
        """Return the pages of a namespace and of those below it, as their notes are now."""
        pages = self._read_again(self._notes.list(prefix_of(prefix)))
        return [page for page in pages if page.namespace is not None and in_namespace(page.namespace, prefix)]

    def _items_named(self, names: Sequence[ItemName]) -> dict[ItemName, StoredItem]:
        """The items of these names, as far as they are there."""
        found: dict[ItemName, StoredItem] = {}
        for namespace, pages in self._pages_with(names).items():
            for key in dict.fromkeys(key for space, key in names if space == namespace):
                placed = [page.items[key].item for page in pages if key in page.items]
                if placed:
                    found[namespace, key] = max(placed, key=lambda item: item.updated)
        return found

    def _pages_with(self, names: Iterable[ItemName], *, to_write: bool = False) -> dict[tuple[str, ...], list[Page]]:
        """The pages of the namespaces of these items, and the notes that each of them may have to itself."""
        keys: dict[tuple[str, ...], list[str]] = {}
        for namespace, key in names:
            keys.setdefault(namespace, []).append(key)
        if not keys:
            return {}
        above = takewhile(lambda pair: pair[0] == pair[1], zip(min(keys), max(keys), strict=False))
        listed = self._notes.list(prefix_of([label for label, _ in above]))
        paths = [seen.path for seen in listed]
        wanted: dict[tuple[str, ...], list[NoteSeen]] = {}
        for namespace, inside in keys.items():
            stem = page_stem(namespace)
            begin = bisect_left(paths, stem)
            here = listed[begin : bisect_left(paths, f"{stem}:", begin)]  # ":" follows all digits
            if len(paths) > len(here):  # else all are pages
                for path in (path_of(namespace, key) for key in inside):
                    place = bisect_left(paths, path)
                    here += [seen for seen in listed[place : place + 1] if seen.path == path]
            wanted[namespace] = here
        self._read_again([seen for here in wanted.values() for seen in here], to_write=to_write)
        return {namespace: [self._known[seen.path].page for seen in here] for namespace, here in wanted.items()}

    def _read_again(self, listed: Sequence[NoteSeen], *, to_write: bool = False) -> list[Page]:
        """The pages in the listed notes; those that may have changed since they were read are read, all at once.

        For who is about to write, what looks unchanged will do: a note that is not as it was read stops the write.
        """
        known = self._known
        changed = {
            seen.path: seen
            for seen in listed
            if (held := known.get(seen.path)) is None or not held.is_current(seen, or_stops_the_write=to_write)
        }
        if changed:
            now = SystemClock().now()
            notes = self._notes.read_all(changed)
            for path, seen in changed.items():
                note = notes.get(path)
                if note is None:
                    page = read_page(path, "", "")
                elif (held := known.get(path)) is not None and held.page.hash == note.hash:
                    page = held.page
                else:
                    page = read_page(path, note.hash, note.text)
                if seen.modified.is_integer():
                    pause = _SETTLED_COARSE
                else:
                    pause = _SETTLED_FINE
                known[path] = _Known(seen, seen.modified < now - pause, page)
        return [known[seen.path].page for seen in listed]

    def _write(self, edits: Mapping[ItemName, Edit], reason: str) -> None:
        """Edit items as one change of their notes, of what another process has made of them meanwhile."""
        spaces: dict[tuple[str, ...], dict[str, Edit]] = {}
        for (namespace, key), edit in edits.items():
            spaces.setdefault(namespace, {})[key] = edit
        for attempt in range(_TRIES if spaces else 0):
            pages = self._pages_with(edits, to_write=True)
            before = self._lifetimes(pages, spaces)
            rewritten = [rewrite(namespace, pages[namespace], inside) for namespace, inside in spaces.items()]
            texts = {path: text for each in rewritten for path, text in each.texts.items()}
            if not texts:
                return
            hashes = {path: digest for each in rewritten for path, digest in each.hashes.items()}
            try:
                written = self._notes.write_all(texts, expected_hashes=hashes, reason=reason)
            except NoteChangedOutside:
                if attempt == _TRIES - 1:
                    raise
                for path in texts:
                    self._known.pop(path, None)
                continue
            self._keep(
                {page.path: page for each in rewritten for page in each.pages}, {n.path: n.hash for n in written}
            )
            self._forget_reads(before)
            return

    def _keep(self, pages: Mapping[str, Page], hashes: Mapping[str, str]) -> None:
        """Remember what was written, so that it need not be read; what came out otherwise is read."""
        for path, page in pages.items():
            if page.hash == hashes.get(path):
                self._known[path] = _Known(None, False, page)
            else:
                self._known.pop(path, None)

    # Time to live

    def _expired(self, item: StoredItem) -> bool:
        if item.ttl is None:
            return False
        last = max(item.updated.timestamp(), self._last_reads().get(_key(item), 0.0))
        return last + item.ttl * 60 <= self._clock.now()

    def _remove_expired(self) -> int:
        """Remove what was found to have expired, where nobody has put it anew; gives how many items that were."""
        if not self._expired_now:
            return 0
        expired = sorted(self._expired_now)
        self._write(dict.fromkeys(expired, self._without_expired), "delete expired items")
        return len(expired)

    def _without_expired(self, item: StoredItem | None) -> StoredItem | None:
        if item is None or self._expired(item):
            return None
        return item

    def _last_reads(self) -> dict[str, float]:
        """Return when items with a time to live were last read, looked up once for each batch."""
        if self._touches is None:
            with self._memory.session(_SESSION) as session:
                self._touches = {entry.key: float(entry.value["at"]) for entry in session.state.list(_TTL)}
        return self._touches

    def _note_reads(self) -> None:
        """Keep when the items of this batch that live as long as they are read were read."""
        items = [item for item in self._read_now.values() if item.ttl is not None]
        if items:
            with self._memory.session(_SESSION) as session:
                for item in items:
                    path = path_of(item.namespace, item.key)
                    session.state.set(_TTL, _key(item), {"path": path, "at": self._clock.now()})

    def _lifetimes(
        self, pages: Mapping[tuple[str, ...], Sequence[Page]], spaces: Mapping[tuple[str, ...], Mapping[str, Edit]]
    ) -> list[StoredItem]:
        """The items with a time to live among those that are about to change."""
        return [
            page.items[key].item
            for namespace, keys in spaces.items()
            for page in pages[namespace]
            for key in keys.keys() & page.items.keys()
            if page.items[key].item.ttl is not None
        ]

    def _forget_reads(self, items: Sequence[StoredItem]) -> None:
        """Forget when items were last read that have changed since."""
        if items:
            with self._memory.session(_SESSION) as session:
                for item in items:
                    session.state.delete(_TTL, _key(item))


def _add_items(found: dict[ItemName, StoredItem], page: Page) -> None:
    """Add the items of a page; of one that stands in two notes, the one that was changed last."""
    for key, placed in page.items.items():
        name = (placed.item.namespace, key)
        other = found.get(name)
        if other is None or other.updated <= placed.item.updated:
            found[name] = placed.item


def _key(item: StoredItem) -> str:
    return hashlib.sha256(path_of(item.namespace, item.key).encode()).hexdigest()[:40]


def _copy(value: Any) -> Any:
    """A value of the caller's own: what they change in it does not change what is held here."""
    if isinstance(value, dict):
        return {name: _copy(inner) if isinstance(inner, dict | list) else inner for name, inner in value.items()}
    return [_copy(inner) if isinstance(inner, dict | list) else inner for inner in value]


def _as_json(value: Any) -> dict[str, Any]:
    """A value of its own, as JSON keeps it."""
    try:
        read = json.loads(_encode(dict(value)))
    except (TypeError, ValueError, RecursionError) as error:
        raise BadArgument("value", f"it is not JSON ({error})") from error
    return read if isinstance(read, dict) else {}
