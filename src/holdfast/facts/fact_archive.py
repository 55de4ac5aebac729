"""Facts from their notes to the archive, or from there back; their strikes, marks and nested lines go along. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from holdfast.facts.fact import Fact, no_such_fact
from holdfast.facts.fact_notes import Notes, open_note
from holdfast.facts.ledger import Edit, Entry, add_bullet, bullet_lines, edited, end_of, entries, left_of
from holdfast.markdown.fact_mark import Mark
from holdfast.markdown.fact_row import Category, strike

__all__ = ["move_facts"]


def move_facts(
    notes: Notes, facts: Sequence[Fact], *, to_archive: bool, day: date | None = None
) -> dict[str, bytes | None]:
    """Return the notes with these facts in the archive, or from there back to those of their category.

    `day` is when that is; where nobody says so, no new note is begun.

    The note that they go to comes first: a writer that is stopped in between has a fact twice, and loses none.
    """
    known = {
        path: {entry.fact.line: entry for entry in entries(notes.get(path), path)}
        for path in dict.fromkeys(fact.path for fact in facts)
    }
    targets: dict[Category, str] = {}
    going: dict[str, list[Entry]] = {}
    leaving: dict[str, list[int]] = {}
    for fact in sorted(facts, key=lambda fact: (fact.path, fact.line)):
        entry = known.get(fact.path, {}).get(fact.line)
        if entry is None or entry.fact.text != fact.text:
            raise no_such_fact(fact.id or fact.text)
        category = fact.category
        if to_archive:
            category = Category.ARCHIVE
        if category not in targets:
            targets[category] = open_note(notes, category, day)
        target = targets[category]
        own = ""
        if to_archive:
            own = fact.category.value
        mark = (entry.mark or Mark()).replace(category=own, restored=None if to_archive else day)
        going.setdefault(target, []).append(entry._replace(mark=mark))
        leaving.setdefault(fact.path, []).append(fact.line)
    after: dict[str, bytes | None] = {}
    for target, block in going.items():
        after[target] = _with_entries(notes.get(target), target, block)
    for path, lines in leaving.items():
        data = notes[path]
        assert data is not None
        after[path] = left_of(edited(data, path, dict.fromkeys(lines)))
    return after


def _with_entries(data: bytes | None, path: str, block: Sequence[Entry]) -> bytes:
    """Return the note with these bullets.

    Together where they can stand at its end, one by one where something is odd.
    """
    before = entries(data, path)
    made = _with_entry(data, path, block[0])
    eol = end_of(made)
    if made.endswith(eol.join(_lines(block[0])) + eol):
        whole = made + b"".join(line + eol for entry in block[1:] for line in _lines(entry))
        if [_content(entry) for entry in entries(whole, path)] == [_content(entry) for entry in (*before, *block)]:
            return whole
    for entry in block[1:]:
        made = _with_entry(made, path, entry)
    return made


def _content(entry: Entry) -> tuple[Mark | None, str, bool]:
    return entry.mark, entry.fact.text, entry.fact.struck


def _with_entry(data: bytes | None, path: str, entry: Entry) -> bytes:
    """Return the note with a bullet as it stands elsewhere, strike and nested lines and all."""
    first = entry.fact.text.partition("\n")[0]
    assert entry.mark is not None
    made = add_bullet(data, path, first, entry.mark)
    at = next(new for new in reversed(entries(made, path)) if new.mark == entry.mark and new.fact.text == first)
    if not entry.fact.struck and not entry.below and not entry.fact.whole:
        return made
    return edited(made, path, {at.fact.line: Edit(entry.mark, entry.fact.struck, entry.below, _first(entry))})


def _first(entry: Entry) -> str:
    """Return the first line of a bullet as it is, unstruck, with a comment that somebody put there."""
    return f"- {(entry.fact.whole or entry.fact.text).partition(chr(10))[0]}"


def _lines(entry: Entry) -> list[bytes]:
    first = strike(_first(entry)) if entry.fact.struck else _first(entry)
    return [line.encode() for line in bullet_lines(first, entry.below, entry.mark)]
