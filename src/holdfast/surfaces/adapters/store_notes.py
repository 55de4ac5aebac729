"""An item of a store (a namespace, a key, a JSON object) as a note that its owner can read and edit, and back.

    Anna takes her tea without milk.

    ```json
    {
      "item": {"namespace": ["users", "anna"], "key": "tea", "field": "text", "created": "2026-11-15T12:00Z", …},
      "value": {"kind": "preference"}
    }
    ```

The text of one field stands as prose, where search reads it best; the others follow as JSON. What is edited here is
what the store gives from then on.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from holdfast.errors import BadArgument
from holdfast.guard.strict_json import refuse_constant
from holdfast.markdown.note_kinds import STORE
from holdfast.value import Value

__all__ = [
    "StoredItem",
    "moment_of",
    "note_of",
    "page_stem",
    "path_of",
    "prefix_of",
    "prose_field",
    "read_note",
]

_PLAIN = re.compile(r"[a-z0-9_-]{1,48}", re.ASCII)
_ODD = re.compile(r"[^a-z0-9_]+", re.ASCII)
_LONGEST = 150  # characters of a name; a longer one is cut, and a hash tells it from others
_CUT = 120
_MOST_STEMS = 4096  # namespaces whose names are kept: each operation asks for one
_SHARED = 100  # of these, the beginning that every name below a namespace has for certain
_UNFIT = re.compile(r"\A\ufeff|[\0-\x08\x0b-\x1f\x7f]")
_FENCE = "```json\n"
_PROSE = ("text", "content", "memory", "data", "summary", "description")


class StoredItem(Value):
    """One item; `ttl` is in minutes, `indexed` says whether a question may find it."""

    namespace: tuple[str, ...]
    key: str
    value: Mapping[str, Any]
    created: datetime
    updated: datetime
    ttl: float | None = None
    indexed: bool = True
    field: str | None = None
    """Which field stands as prose; another is chosen where it can't."""


def path_of(namespace: Sequence[str], key: str) -> str:
    """The note of an item: its labels where every system can store them, else what is left of them and a hash."""
    labels = (*namespace, key)
    return f"{_named(labels, '+'.join(map(_slug, labels)))}.md"


def page_stem(namespace: Sequence[str]) -> str:
    """Return what the paths of all pages of a namespace begin with; a number and `.md` follow."""
    return _stem(tuple(namespace))


def prefix_of(namespace: Sequence[str]) -> str:
    """Return what the paths of all items below a namespace begin with; others may begin so too."""
    return _prefix(tuple(namespace))


def note_of(item: StoredItem) -> str:
    """The item as Markdown."""
    field = prose_field(item)
    held: dict[str, Any] = {"namespace": list(item.namespace), "key": item.key}
    if field is not None:
        held["field"] = field
    held |= {"created": item.created.isoformat(), "updated": item.updated.isoformat()}
    if item.ttl is not None:
        held["ttl_minutes"] = item.ttl
    if not item.indexed:
        held["index"] = False
    rest = {name: value for name, value in item.value.items() if name != field}
    block = f'{{\n  "item": {_json(held)},\n  "value": {_json(rest, indent=2)}\n}}'
    if field is not None:
        prose = f"{item.value[field]}\n\n"
    else:
        prose = ""
    return f"{prose}{_FENCE}{block}\n```\n"


def prose_field(item: StoredItem) -> str | None:
    """The field that can stand as prose, the one that the item names first; None where none can."""
    candidates = _PROSE if item.field is None else (item.field, *_PROSE)
    return next((name for name in candidates if _prosaic(item.value.get(name))), None)


def read_note(text: str) -> StoredItem | None:
    """The item in a note; None where there is none that can be read, for example after an edit."""
    # JSON has no line that begins with a fence, so the last one is ours whatever the prose holds.
    before, fence, block = f"\n{text}".rpartition(f"\n{_FENCE}")
    body, _, after = block.rpartition("\n```")
    if not fence or after.strip():
        return None
    try:
        stored = json.loads(body, parse_constant=refuse_constant)
        held, value = stored["item"], stored["value"]
        field = held.get("field")
        if not isinstance(value, dict) or not isinstance(field, str | None):
            return None
        ttl = held.get("ttl_minutes")
        return StoredItem(
            tuple(map(str, held["namespace"])),
            str(held["key"]),
            {field: before.removeprefix("\n").removesuffix("\n"), **value} if field is not None else value,
            moment_of(held["created"]),
            moment_of(held["updated"]),
            None if ttl is None else float(ttl),
            held.get("index") is not False,
            field,
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
        return None


def _named(labels: Sequence[str], name: str) -> str:
    if all(map(_PLAIN.fullmatch, labels)) and len(name) <= _LONGEST:
        return STORE + name
    digest = hashlib.sha256(json.dumps(tuple(labels)).encode()).hexdigest()[:16]
    return f"{STORE}{name[:_CUT]}={digest}"


@lru_cache(maxsize=_MOST_STEMS)
def _stem(namespace: tuple[str, ...]) -> str:
    return f"{_named(namespace, _below(namespace))}@"


@lru_cache(maxsize=_MOST_STEMS)
def _prefix(namespace: tuple[str, ...]) -> str:
    return STORE + _below(namespace)[:_SHARED]


def _below(namespace: Sequence[str]) -> str:
    return "".join(f"{_slug(label)}+" for label in namespace)


def _slug(label: str) -> str:
    if _PLAIN.fullmatch(label):
        return label
    return _ODD.sub("-", label.lower())[:24].strip("-") or "x"


def _prosaic(value: object) -> bool:
    """Say whether a text can stand in the note as it is, and be read back as it was."""
    # A byte order mark at the beginning of a note is none of its text.
    return isinstance(value, str) and bool(value.strip()) and (value.isprintable() or not _UNFIT.search(value))


def _json(value: object, *, indent: int | None = None) -> str:
    separators = None
    if indent is None:
        separators = (",", ":")
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadArgument("value", f"it is not JSON ({error})") from error


def moment_of(text: str) -> datetime:
    """The time that a note tells, in UTC where it names no zone."""
    found = datetime.fromisoformat(text)
    if found.tzinfo is not None:
        return found
    return found.replace(tzinfo=UTC)
