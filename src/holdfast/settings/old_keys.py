"""Carry the keys of earlier versions over: what became of each, and what its value means in today's words.

A key that was retired is declared as `fixed`, with the key that took its place as its heir.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from holdfast.settings.declaration import Given
from holdfast.settings.keys import BY_PATH, retired_advice

__all__ = ["in_todays_words"]


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
