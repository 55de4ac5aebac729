"""Carry the keys of earlier versions over: what became of each, and what its value means in today's words.

A key that was retired is declared as `fixed`, with the key that took its place as its heir.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from holdfast.settings.declaration import Key
from holdfast.settings.keys import BY_PATH

if TYPE_CHECKING:
    from holdfast.settings.loader import Given

__all__ = ["in_todays_words", "retired_advice"]


def in_todays_words(all_given: Sequence[Given], hints: list[str]) -> Iterator[Given]:
    """Yield what one place gives by the keys of today, and then what its old keys make of those.

    An old key adds to a list, wherever it stands; a single value in today's words wins over it.
    """
    today = [given for given in all_given if not given.key.fixed]
    yield from today
    named = {given.key.path for given in today}
    for old in all_given:
        if not old.key.fixed:
            continue
        hints.append(f"'{old.key.path}' ({old.source}) is no setting any more. {retired_advice(old.key)}")
        heir = BY_PATH.get(old.key.heir)
        if heir is None or old.value is None:
            continue
        if isinstance(heir.default, tuple) or heir.path not in named:
            yield old.replace(key=heir, carry=old.key.carry)


def retired_advice(key: Key) -> str:
    """Return what became of a key that an earlier version had."""
    if key.advice:
        return key.advice
    if key.default is None:
        return "It is chosen by itself now."
    if isinstance(key.default, bool):
        shown = str(key.default).lower()
    else:
        shown = f"{key.default:,}"
    return f"It is fixed at {shown} now."
