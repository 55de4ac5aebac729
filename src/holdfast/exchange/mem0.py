"""mem0's JSON: what `get_all` answers, a list of the same, one memory on each line, or rows of its vector store."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from holdfast.errors import BadArgument
from holdfast.exchange.bundle import Bundle
from holdfast.exchange.findings import Findings, FoundFact, LeftOut
from holdfast.exchange.format_text import category_of_words, day_of, foreign, parse_json
from holdfast.facts.fact import KEPT
from holdfast.markdown.fact_row import Category

__all__ = ["looks_like_mem0", "read_mem0"]

_FILES: Final = (".json", ".jsonl", ".ndjson")
_LISTS: Final = ("results", "memories", "data")
_TEXTS: Final = ("memory", "data", "text", "content")
_CATEGORIES: Final = {
    **{category.value: category for category in KEPT},
    **{f"{category.value}s": category for category in KEPT},
    "entities": Category.ENTITY,
    "user_preferences": Category.PREFERENCE,
    "personal_details": Category.FACT,
    "person": Category.ENTITY,
    "people": Category.ENTITY,
}


def read_mem0(bundle: Bundle) -> Findings:
    """The memories of every JSON file."""
    facts: list[FoundFact] = []
    left: list[LeftOut] = []
    for name in bundle.names:
        if not bundle.single and not name.endswith(_FILES):
            continue
        for number, row in enumerate(_rows(bundle.read(name), name), 1):
            where = f"{name}, memory {number}"
            found = None
            if isinstance(row, Mapping):
                found = _fact(row, where)
            if found is None:
                left.append(LeftOut(where, "it has no text"))
            else:
                facts.append(found)
    if not facts and (left or not (bundle.single or any(name.endswith(_FILES) for name in bundle.names))):
        raise foreign(bundle.shown, "mem0", "no memory with a text is there, as JSON or one on each line")
    return Findings(tuple(facts), (), tuple(left))


def looks_like_mem0(value: object) -> bool:
    """Say whether this is the beginning of such a file, parsed."""
    if isinstance(value, Mapping):
        value = next((value[key] for key in _LISTS if isinstance(value.get(key), list)), [value])
    first = None
    if isinstance(value, list) and value:
        first = value[0]
    return isinstance(first, Mapping) and isinstance(first.get("memory"), str)


def _rows(data: bytes, name: str) -> Iterator[Any]:
    if name.endswith((".jsonl", ".ndjson")) or (not name.endswith(".json") and _in_lines(data)):
        for number, line in enumerate(data.split(b"\n"), 1):
            if line.strip():
                yield parse_json(line, f"{name}, line {number}")
        return
    value = parse_json(data, name)
    if isinstance(value, Mapping):
        value = next((value[key] for key in _LISTS if isinstance(value.get(key), list)), None)
    if not isinstance(value, list):
        raise BadArgument("file", f"{name!r} holds no list of memories, as mem0 writes one")
    yield from value


def _in_lines(data: bytes) -> bool:
    """Say whether a file of any name has one memory on each line.

    Then its first line is JSON by itself.
    """
    first, _, more = data.strip().partition(b"\n")
    try:
        return bool(more) and isinstance(json.loads(first.decode("utf-8-sig")), Mapping)
    except (ValueError, RecursionError):
        return False


def _fact(row: Mapping[str, Any], where: str) -> FoundFact | None:
    payload = row.get("payload")
    if isinstance(payload, Mapping):  # a row of a vector store
        row = {**payload, **{key: value for key, value in row.items() if key != "payload"}}
    text = next((row[key] for key in _TEXTS if isinstance(row.get(key), str) and row[key].strip()), None)
    if text is None:
        return None
    metadata = row.get("metadata")
    more: Mapping[str, Any] = metadata if isinstance(metadata, Mapping) else {}
    said = day_of(row.get("updated_at")) or day_of(row.get("created_at"))
    until = day_of(row.get("expiration_date"))
    return FoundFact(
        text, where, _category(row, more, text), _importance(more.get("importance")), said, valid_until=until
    )


def _category(row: Mapping[str, Any], more: Mapping[str, Any], text: str) -> Category:
    categories = row.get("categories")
    named = [*(categories if isinstance(categories, list) else []), more.get("category"), more.get("type")]
    for category in named:
        if isinstance(category, str) and category.lower() in _CATEGORIES:
            return _CATEGORIES[category.lower()]
    return category_of_words(text)


def _importance(value: object) -> float | None:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
        return float(value)
    return None
