"""The notes that facts stand in: several of each category, as a full one is closed and the next begun. Pure.

What is written at once is a whole note, and what is read again after each change is one as well: so none grows long.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from itertools import chain
from typing import Final

from holdfast.facts.fact import Fact
from holdfast.facts.ledger import entries, facts_in
from holdfast.markdown.fact_row import Category, category_of, fact_notes, note_after, note_of

__all__ = ["FULL", "Notes", "Overlay", "all_facts", "open_note"]

FULL: Final = 200
"""Facts in a note that is closed: some 25 kB, which a person reads and an editor opens in a moment."""

Notes = Mapping[str, bytes | None]
"""The bytes of each note of facts by its path; None where there is no note. Some are only read when asked for."""


class Overlay(Mapping[str, bytes | None]):
    """The same notes with some changed; the others are not asked for."""

    def __init__(self, notes: Notes, changes: Notes) -> None:
        self._notes, self._changes = notes, changes

    def __getitem__(self, path: str) -> bytes | None:
        if path in self._changes:
            return self._changes[path]
        return self._notes[path]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(chain(self._notes, self._changes)))

    def __len__(self) -> int:
        return len(set(chain(self._notes, self._changes)))


def all_facts(notes: Notes) -> list[Fact]:
    """Return every fact of the notes, the archive's last."""
    return [fact for path in fact_notes(notes) for fact in facts_in(notes.get(path), path)]


def open_note(notes: Notes, category: Category, day: date | None) -> str:
    """Return the note that the next fact of a category goes to.

    The newest one, or one of this day where that is full.
    """
    own = [path for path in fact_notes(notes) if category_of(path) is category]
    # From the last on: one that was emptied is no note any more, and one of ours may not be there yet.
    newest = next((path for path in reversed(own) if notes.get(path) is not None), "")
    if not newest:
        newest = next(iter(own), note_of(category))
    data = notes.get(newest) or b""
    # A fact has a line of its own, so that a note of few lines need not be cut to be counted.
    is_full = data.count(b"\n") + data.count(b"\r") + 1 >= FULL and len(entries(data, newest)) >= FULL
    if is_full and day is not None:
        return note_after(newest, day)
    return newest
