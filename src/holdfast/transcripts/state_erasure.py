"""Clearing a text from what sessions keep for themselves: a frozen prompt, say, still holds the note as it was."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator

from holdfast.named_tuple import NamedTuple

__all__ = ["Erasure", "erasures"]


class Erasure(NamedTuple):
    """A value under a session, namespace and key, its new namespace and key, and its new text; None drops it."""

    old: tuple[str, str, str]
    new: tuple[str, str]
    value: str | None


def erasures(rows: Iterable[tuple[str, str, str, str]], cleared: Callable[[bytes], bytes]) -> Iterator[Erasure]:
    """Yield what `cleared` changes in rows of session, namespace, key and value.

    A value that is no JSON any more is dropped: whoever kept it can do without it, or make it again.
    """
    for session, namespace, key, value in rows:
        data = value.encode("utf-8", "surrogatepass")
        new = cleared(data)
        space, name = (cleared(text.encode("utf-8", "surrogatepass")).decode() for text in (namespace, key))
        if new != data or (space, name) != (namespace, key):
            text = None
            if _is_json(new):
                text = new.decode("utf-8", "replace")
            yield Erasure((session, namespace, key), (space, name), text)


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except ValueError:
        return False
    return True
