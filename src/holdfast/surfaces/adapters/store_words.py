"""The words of a store's items, held in memory beside the items: a question by words alone needs no index.

Scores are BM25 beside what the question could reach at best among these items, so they lie between 0 and 1.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from holdfast.index.analyzer import SHARED_ANALYSER
from holdfast.index.store_contract import Word
from holdfast.named_tuple import NamedTuple
from holdfast.surfaces.adapters.store_notes import StoredItem
from holdfast.surfaces.adapters.store_pages import Page

__all__ = ["ItemName", "ItemWords", "scores_by_words", "words_of_page"]

ItemName: TypeAlias = tuple[tuple[str, ...], str]
"""What names an item: its namespace and its key."""

# BM25 as it is in FTS5, which the whole search ranks by.
_SATURATION = 1.2
_LENGTH = 0.75
_LIGHT = 0.5


class ItemWords(NamedTuple):
    """The items of a page that a question may find, and where each word stands: in which of them, and how often."""

    hash: str
    names: list[ItemName]
    lengths: list[int]
    places: dict[str, list[tuple[int, int]]]


def words_of_page(page: Page) -> ItemWords:
    """Return the words of the items of a page."""
    words = ItemWords(page.hash, [], [], {})
    for key, placed in page.items.items():
        if not placed.item.indexed:
            continue
        number = len(words.names)
        inside = SHARED_ANALYSER.index(_text_of(placed.item)).split()
        words.names.append((placed.item.namespace, key))
        words.lengths.append(len(inside))
        for word, count in Counter(inside).items():
            words.places.setdefault(word, []).append((number, count))
    return words


def scores_by_words(question: Sequence[Word], pages: Sequence[ItemWords]) -> dict[ItemName, float]:
    """Return how well each item that holds a word of the question answers it."""
    items = sum(len(page.lengths) for page in pages)
    words = sum(sum(page.lengths) for page in pages)
    if not words or not question:
        return {}
    mean = words / items
    damping = [[_SATURATION * (1 - _LENGTH + _LENGTH * length / mean) for length in page.lengths] for page in pages]
    scores = [[0.0] * len(page.names) for page in pages]
    best = 0.0
    for word in question:
        found = _items_with_word(word, pages)
        holding = sum(map(len, found))
        weight = math.log(1 + (items - holding + 0.5) / (holding + 0.5))
        if word.light:
            weight *= _LIGHT
        best += weight
        for places, sums, damped in zip(found, scores, damping, strict=True):
            for number, count in places:
                sums[number] += weight * count / (count + damped[number])
    return {
        name: score / best
        for page, sums in zip(pages, scores, strict=True)
        for name, score in zip(page.names, sums, strict=True)
        if score
    }


def _items_with_word(word: Word, pages: Sequence[ItemWords]) -> list[Sequence[tuple[int, int]]]:
    """Return which items of each page hold a word; the parts of one that stands nowhere count in its place."""
    if word.prefix:
        return [_beginning(word.text, page) for page in pages]
    if " " in word.text:
        return [_all_of(word.text.split(), page) for page in pages]
    found: list[Sequence[tuple[int, int]]] = [page.places.get(word.text, ()) for page in pages]
    if word.parts and not any(found):
        return [_all_of(word.parts, page) for page in pages]
    return found


def _beginning(text: str, page: ItemWords) -> list[tuple[int, int]]:
    counts: Counter[int] = Counter()
    for word, places in page.places.items():
        if word.startswith(text):
            counts.update(dict(places))
    return list(counts.items())


def _all_of(words: Sequence[str], page: ItemWords) -> list[tuple[int, int]]:
    """Return the items that hold all of these words, as often as the rarest of them."""
    counts = [dict(page.places.get(word, ())) for word in words]
    return [(number, min(each[number] for each in counts)) for number in set.intersection(*map(set, counts))]


def _text_of(item: StoredItem) -> str:
    return " ".join((item.key, *_leaves(item.value)))


def _leaves(value: Any) -> Iterator[str]:
    """Yield what stands in a value, with the names of its fields."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from _leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
    elif value is not None:
        yield str(value)
