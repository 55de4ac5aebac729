"""A page of a store: a note with many items of one namespace, each a section that its owner can read and edit.

    ## tea

    Anna takes her tea without milk.

    ```json
    {"value": {"kind": "preference"},
     "item": {"key": "tea", "field": "text", "updated": "2026-11-15T12:00:00+00:00"}}
    ```

A put changes one section of one note, and a batch of puts is one change of few notes. A page that is full is closed,
and the next one begun. What its owner writes between the sections stays where it is. Items that an earlier version
stored are notes of their own (`store_notes.py`); each moves to a page when it is put again.
"""

from __future__ import annotations

import hashlib
import json
import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from holdfast.errors import BadArgument
from holdfast.guard.strict_json import refuse_constant
from holdfast.markdown.item_sections import FENCE, LAST_LINE, ItemSection, item_sections
from holdfast.named_tuple import NamedTuple
from holdfast.surfaces.adapters.store_notes import (
    StoredItem,
    moment_of,
    page_stem,
    path_of,
    prose_field,
    read_note,
)

__all__ = ["Edit", "Page", "PageRewrite", "items_at", "read_page", "rewrite", "section_of"]

Edit = Callable[[StoredItem | None], StoredItem | None]
"""What an item becomes of what it is, each None where there is none; the very same where it stays."""

_FULL = 8 * 1024  # bytes of a page, some sixty items; a larger one makes each put dearer, a smaller one each batch
_NUMBER = re.compile(r"@([0-9]{1,9})\.md", re.ASCII)
# Made once: to make one costs as much as what it does.
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
_decoder = json.JSONDecoder(parse_constant=refuse_constant)


class PlacedItem(NamedTuple):
    """An item, and where its section stands among the characters of its page."""

    item: StoredItem
    start: int
    end: int


class Page(NamedTuple):
    """A note of a store as it was read: its items by their keys.

    `number` is 0 for the note of a single item; `namespace` is None where nobody can tell whose items it has.
    """

    path: str
    hash: str
    text: str
    number: int
    namespace: tuple[str, ...] | None
    body: int
    """Where the first section begins."""
    sections: tuple[PlacedItem, ...]
    items: Mapping[str, PlacedItem]


class PageRewrite(NamedTuple):
    """The texts of the pages that change (None: the note goes), what each was, and what it will be when it is read."""

    texts: dict[str, str | None]
    hashes: dict[str, str]
    pages: tuple[Page, ...]


def read_page(path: str, digest: str, text: str) -> Page:
    """The page in a note, or the single item that an earlier version stored; without items where there are none."""
    number = _NUMBER.search(path)
    if number is None:
        item = read_note(text)
        if item is None or path != path_of(item.namespace, item.key):
            # A copy that its owner made is not where the store would look for it.
            return Page(path, digest, text, 0, None, 0, (), {})
        placed = PlacedItem(item, 0, len(text))
        return Page(path, digest, text, 0, item.namespace, 0, (placed,), {item.key: placed})
    head, *rest = item_sections(text) or [ItemSection(0, 0, 0, "")]
    namespace = _namespace(head.json)
    if namespace is None or f"{page_stem(namespace)}{number[1]}.md" != path:
        return Page(path, digest, text, int(number[1]), None, 0, (), {})
    sections = tuple(filter(None, (_section_item(namespace, text, section) for section in rest)))
    items = {placed.item.key: placed for placed in sections}
    return Page(path, digest, text, int(number[1]), namespace, head.end, sections, items)


def items_at(page: Page, lines: Sequence[int]) -> list[StoredItem | None]:
    """Return the items whose sections hold these lines, counted from 1."""
    if not page.number:
        return [placed.item for placed in page.sections for _ in lines]
    starts: list[int] = []
    line, counted = 1, 0
    for placed in page.sections:
        line += page.text.count("\n", counted, placed.start)
        counted = placed.start
        starts.append(line)
    places = [bisect_right(starts, line) - 1 for line in lines]
    return [page.sections[place].item if place >= 0 else None for place in places]


def rewrite(namespace: tuple[str, ...], pages: Sequence[Page], edits: Mapping[str, Edit]) -> PageRewrite:
    """Return what the notes of a namespace become when its items are edited."""
    drafts = {page.path: _Draft(page) for page in pages if page.items}
    last = max((page.number for page in pages), default=0)
    # Where two writers made an item at once it may stand in two notes; the one that was changed last is the item.
    places: dict[str, list[PlacedItem]] = {}
    homes: dict[int, _Draft] = {}
    for draft in drafts.values():
        for key in edits.keys() & draft.page.items.keys():
            placed = draft.page.items[key]
            places.setdefault(key, []).append(placed)
            homes[id(placed)] = draft
    open_page = next((draft for draft in drafts.values() if 0 < draft.page.number == last), None)
    for key, edit in edits.items():
        found = sorted(places.get(key, ()), key=lambda placed: placed.item.updated)
        before = home = None
        if found:
            before, home = found[-1].item, homes[id(found[-1])]
        after = edit(before)
        if after is before and len(found) < 2:
            continue
        for placed in found:
            homes[id(placed)].changes[key] = None
        if after is None:
            continue
        section = section_of(after)
        if home is not None and home.takes_in_place(key, section):
            home.changes[key] = (after, section)
            continue
        if open_page is None or not open_page.takes(section):
            last += 1
            open_page = _Draft(_new_page(namespace, last))
            drafts[open_page.page.path] = open_page
        open_page.add(after, section)
    changed = [draft for draft in drafts.values() if draft.changes or draft.added]
    made = [draft.made() for draft in changed]
    # A note without items and without words of its owner's goes.
    texts = {page.path: page.text or None for page in made}
    texts |= {page.path: None for page in made if not page.items and not page.text[page.body :].strip()}
    hashes = {draft.page.path: draft.page.hash for draft in changed}
    return PageRewrite(texts, hashes, tuple(made))


class _Draft:
    """A page while it is rewritten: what becomes of its items, and which are added below."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.changes: dict[str, tuple[StoredItem, str] | None] = {}
        self.added: list[tuple[StoredItem, str]] = []
        self._bytes = _size(page.text)

    def takes(self, section: str) -> bool:
        """Say whether there is room for another item; a new page has room for one of any size."""
        return self._bytes + _size(section) <= _FULL or not (self.page.items or self.added)

    def takes_in_place(self, key: str, section: str) -> bool:
        """Say whether an item can stay here with another section; it stays where it is alone."""
        if not self.page.number:
            return False
        placed = self.page.items[key]
        size = _size(section) - (placed.end - placed.start)
        if self._bytes + size > _FULL and len(self.page.items) > 1:
            return False
        self._bytes += size
        return True

    def add(self, item: StoredItem, section: str) -> None:
        """Put another item below all others."""
        self.added.append((item, section))
        self._bytes += _size(section)

    def made(self) -> Page:
        """The page as it will be read; a note of a single item that moves is empty."""
        page, changes = self.page, self.changes
        pieces: list[str] = []
        sections: list[PlacedItem] = []
        at, done = 0, 0

        def put(item: StoredItem, section: str) -> None:
            nonlocal at
            pieces.append(section)
            sections.append(PlacedItem(item, at, at + len(section)))
            at += len(section)

        for placed in page.sections:
            if placed.item.key not in changes:
                shift = at - done
                if shift:
                    sections.append(PlacedItem(placed.item, placed.start + shift, placed.end + shift))
                else:
                    sections.append(placed)
                continue
            pieces.append(page.text[done : placed.start])
            at += placed.start - done
            done = placed.end
            change = changes[placed.item.key]
            if change is not None and page.items[placed.item.key] is placed:
                put(*change)
        rest = page.text[done:]
        if self.added and not rest.endswith("\n") and (rest or pieces):
            rest += "\n"
        pieces.append(rest)
        at += len(rest)
        for item, section in self.added:
            put(item, section)
        text = "".join(pieces)
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        items = {placed.item.key: placed for placed in sections}
        return page._replace(hash=digest, text=text, sections=tuple(sections), items=items)


def section_of(item: StoredItem) -> str:
    """The section of an item, with the blank line above it."""
    field = prose_field(item)
    value = item.value
    if field is not None and FENCE.strip() in value[field]:
        field = None  # nobody could tell it from the block that ends the section
    properties: dict[str, Any] = {"key": item.key}
    rest: Mapping[str, Any] = value
    prose = ""
    if field is not None:
        properties["field"] = field
        rest = {name: held for name, held in value.items() if name != field}
        prose = f"{value[field]}\n\n"
    if item.created != item.updated:
        properties["created"] = item.created.isoformat()
    properties["updated"] = item.updated.isoformat()
    if item.ttl is not None:
        properties["ttl_minutes"] = item.ttl
    if not item.indexed:
        properties["index"] = False
    try:
        last_line = f"{LAST_LINE}{_encode(properties)}}}"
        if rest:
            block = f'{{"value": {_encode(rest)},\n{last_line}'
        else:
            block = f"{{{last_line.lstrip()}"
    except (TypeError, ValueError, RecursionError) as error:
        raise BadArgument("value", f"it is not JSON ({error})") from error
    return f"\n## {_heading(item.key)}\n\n{prose}{FENCE}{block}\n```\n"


def _section_item(namespace: tuple[str, ...], text: str, section: ItemSection) -> PlacedItem | None:
    """The item of a section; None where it has none that can be read, for example after an edit."""
    try:
        held = _decoder.decode(section.json)
        properties, value = held["item"], held.get("value", {})
        key, field, ttl = str(properties["key"]), properties.get("field"), properties.get("ttl_minutes")
        if not isinstance(value, dict) or not isinstance(field, str | None):
            return None
        above = text[section.start : section.block]
        heading = f"\n## {_heading(key)}\n"
        place = above.find(heading)
        if field is not None:
            prose = above
            if place >= 0:
                prose = above[place + len(heading) :]
            value = {field: prose.removeprefix("\n").removesuffix("\n").removesuffix("\n"), **value}
        updated = moment_of(properties["updated"])
        created = updated
        if "created" in properties:
            created = moment_of(properties["created"])
        if ttl is not None:
            ttl = float(ttl)
        item = StoredItem(namespace, key, value, created, updated, ttl, properties.get("index") is not False, field)
        return PlacedItem(item, section.start + max(place, 0), section.end)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
        return None


def _new_page(namespace: tuple[str, ...], number: int) -> Page:
    title = " / ".join(map(_heading, namespace)) or "store"
    text = f"# {title}\n\n{FENCE}{_encode({'namespace': namespace})}\n```\n"
    return Page(f"{page_stem(namespace)}{number}.md", "", text, number, namespace, len(text), (), {})


def _namespace(head: str) -> tuple[str, ...] | None:
    try:
        return tuple(map(str, _decoder.decode(head)["namespace"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _size(text: str) -> int:
    """Return how many bytes a text takes."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-8", "surrogatepass"))


def _heading(label: str) -> str:
    """A label as a heading can show it, on one line."""
    if label.isprintable():
        shown = label
    else:
        shown = "".join(character if character.isprintable() else " " for character in label)
    return " ".join(shown.split())[:100] or "item"
