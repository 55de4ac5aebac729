"""Text that is to be added to a note of facts → the same without the bullets that say what is known already.

A model saves in its own words what the rules have noted in the user's, or the other way round: it is one fact.
"""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from holdfast.facts.duplicates import duplicate_of
from holdfast.facts.fact import Draft, Fact
from holdfast.facts.ledger import entries, removed
from holdfast.facts.storing import Notes, all_facts, reinforced
from holdfast.guard.origin import Origin

__all__ = ["News", "news_in"]


class News(NamedTuple):
    """What is left to add, the note that it is added to, and the facts that were known."""

    text: bytes
    note: bytes | None
    known: tuple[Fact, ...] = ()


def news_in(text: bytes, path: str, notes: Notes, origin: Origin, day: date) -> News:
    """What is new in a text; a known fact of the same note is marked as said once more.

    One in another note is left as it is: whoever saves names one note, and only that one changes.
    """
    known: list[Fact] = []
    after = dict(notes)
    for entry in reversed(entries(text, path)):
        if entry.below:
            continue  # nested lines say more
        same = duplicate_of(entry.fact.text, all_facts(after), day)
        if same is None:
            continue
        text = removed(text, path, entry.fact.line)
        known.append(same)
        if same.path == path:
            draft = Draft(entry.fact.text, same.category)
            after.update(reinforced(after, same, draft, origin, day).changes)
    return News(text, after.get(path), tuple(reversed(known)))
