"""The notes of facts and something to store → the same notes with it: added, said again, or in another's place.

Pure: bytes come in, bytes go out. The caller holds the lock, so the decision is about what is in the notes now.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from enum import StrEnum
from typing import Final

from holdfast.chunks.fact import Category, note_of
from holdfast.chunks.mark import Mark
from holdfast.errors import BadArgument
from holdfast.facts.duplicates import Similar, duplicate_of
from holdfast.facts.fact import KEPT, Draft, Fact, no_such_fact
from holdfast.facts.ids import new_id
from holdfast.facts.ledger import Entry, added, changed, entries, facts_in, removed
from holdfast.facts.supersede import may_replace, replaced_by, restored_mark, superseded_mark
from holdfast.guard.origin import Origin
from holdfast.value import Value

__all__ = ["NOTES", "Done", "Notes", "Outcome", "all_facts", "forgotten", "moved", "restored", "stored"]

Notes = Mapping[str, bytes | None]
"""The bytes of each note of facts by its path; None where there is no note."""

NOTES: Final = tuple(note_of(category) for category in Category)
"""The notes of facts, in the order in which they are read and written."""

_BOM: Final = b"\xef\xbb\xbf"


class Outcome(StrEnum):
    """What came of it."""

    STORED = "stored"
    REINFORCED = "reinforced"
    SUPERSEDED = "superseded"
    """Stored, and it took the place of others."""


class Done(Value):
    """What came of it: the fact's id and note, those it replaced, and the notes that change, in their order."""

    outcome: Outcome
    id: str
    path: str
    changes: Mapping[str, bytes | None]
    replaced: tuple[str, ...] = ()
    rule: str = ""


def all_facts(notes: Notes) -> list[Fact]:
    """Every fact of the notes, the archive's last."""
    return [fact for path in NOTES for fact in facts_in(notes.get(path), path)]


def stored(
    notes: Notes,
    draft: Draft,
    origin: Origin,
    day: date,
    *,
    similar: Similar | None = None,
    threshold: float = 0.95,
    make_id: Callable[[frozenset[str]], str] = new_id,
) -> Done:
    """The notes with the draft in them."""
    if draft.category not in KEPT:
        raise BadArgument("category", f"{draft.category.value!r} is none of {', '.join(KEPT)}")
    facts = all_facts(notes)
    same = duplicate_of(draft.text, facts, day, similar, threshold)
    if same is not None:
        return _reinforced(notes, same, draft, origin, day, make_id)
    taken = frozenset(fact.id for fact in facts if fact.id)
    own = make_id(taken)
    # From the end: a mark that had a line of its own takes that line along.
    replaced = sorted(replaced_by(draft, origin, facts, day), key=lambda one: (one.fact.path, -one.fact.line))
    path = note_of(draft.category)
    after = dict(notes)
    changed_paths = [path]
    links: list[str] = []
    rule = ""
    for one in replaced:
        linked = one.fact.id or make_id(taken | {own, *links})
        links.append(linked)
        rule = one.rule
        data = after[one.fact.path]
        assert data is not None
        entry = _entry_of(data, one.fact)
        mark = superseded_mark(entry.mark, own, draft.valid_from or day, rule, linked)
        after[one.fact.path] = changed(data, one.fact.path, one.fact.line, mark, struck=True)
        changed_paths.append(one.fact.path)
    mark = Mark(
        own,
        draft.importance,
        origin,
        day,
        draft.valid_from,
        draft.valid_until,
        draft.session,
        supersedes=tuple(links),
    )
    # Adding comes last, and is written first: who is stopped in between has both.
    after[path] = added(after.get(path), path, draft.text, mark)
    changes = {one: after[one] for one in dict.fromkeys(changed_paths)}
    return Done(Outcome.SUPERSEDED if links else Outcome.STORED, own, path, changes, tuple(links), rule)


def _reinforced(
    notes: Notes, same: Fact, draft: Draft, origin: Origin, day: date, make_id: Callable[[frozenset[str]], str]
) -> Done:
    """The fact that was there, said once more: counted, dated, and a little more important."""
    data = notes[same.path]
    assert data is not None
    if not same.marked:
        # A person typed this line: it says the same already, and is not touched for that.
        return Done(Outcome.REINFORCED, same.id, same.path, {})
    mark = _entry_of(data, same).mark or Mark()
    mark = mark.replace(
        id=mark.id or make_id(frozenset()),
        reinforced=min(mark.reinforced + 1, 10**9 - 1),
        reinforced_on=max(day, mark.reinforced_on or day),
    )
    if may_replace(origin, same.origin):
        lifted = same.importance + (1.0 - same.importance) * 0.1
        mark = mark.replace(importance=min(1.0, max(lifted, draft.importance or 0.0)))
    return Done(Outcome.REINFORCED, mark.id, same.path, {same.path: changed(data, same.path, same.line, mark)})


def forgotten(notes: Notes, fact: Fact) -> dict[str, bytes | None]:
    """The notes without a fact; a note of which nothing is left goes as well."""
    data = notes[fact.path]
    assert data is not None
    _entry_of(data, fact)
    left = removed(data, fact.path, fact.line)
    return {fact.path: left if left.removeprefix(_BOM).strip() else None}


def restored(notes: Notes, fact: Fact) -> dict[str, bytes | None]:
    """The notes with a superseded fact in force again beside the one that had its place."""
    data = notes[fact.path]
    assert data is not None
    entry = _entry_of(data, fact)
    if not fact.struck:
        raise BadArgument(
            "id", f"fact {fact.id!r} is not superseded; `holdfast facts list --state superseded` shows which"
        )
    after = dict(notes)
    mark = restored_mark(entry.mark) if entry.mark is not None else None
    after[fact.path] = changed(data, fact.path, fact.line, mark, struck=False)
    paths = [fact.path]
    for path in NOTES:
        for one in reversed(entries(after.get(path), path)):
            if one.mark is not None and fact.id and fact.id in one.mark.supersedes:
                held = after[path]
                assert held is not None
                left = tuple(each for each in one.mark.supersedes if each != fact.id)
                after[path] = changed(held, path, one.fact.line, one.mark.replace(supersedes=left))
                paths.append(path)
    return {path: after[path] for path in dict.fromkeys(paths)}


def moved(notes: Notes, facts: list[Fact], *, to_archive: bool) -> dict[str, bytes | None]:
    """The notes with these facts in the archive, or from there back where they were.

    Where they go comes first: who is stopped in between has one twice, and none lost.
    """
    after = dict(notes)
    targets: list[str] = []
    sources: list[str] = []
    # From the end of each note, so that the lines of those still to come stay what they are.
    for fact in sorted(facts, key=lambda one: (one.path, -one.line)):
        data = after[fact.path]
        assert data is not None
        entry = _entry_of(data, fact)
        target = note_of(Category.ARCHIVE) if to_archive else note_of(fact.category)
        mark = (entry.mark or Mark()).replace(category=fact.category.value if to_archive else "")
        after[target] = _with_entry(after.get(target), target, entry, mark)
        left = removed(data, fact.path, fact.line)
        after[fact.path] = left if left.removeprefix(_BOM).strip() else None
        targets.append(target)
        sources.append(fact.path)
    return {path: after[path] for path in dict.fromkeys([*targets, *sources])}


def _with_entry(data: bytes | None, path: str, entry: Entry, mark: Mark) -> bytes:
    """The note with a bullet as it stands elsewhere, strike and nested lines and all."""
    first = entry.fact.text.partition("\n")[0]
    made = added(data, path, first, mark)
    at = next(one for one in reversed(entries(made, path)) if one.mark == mark and one.fact.text == first)
    if entry.fact.struck:
        made = changed(made, path, at.fact.line, mark, struck=True)
    if not entry.below:
        return made
    eol = b"\r\n" if b"\r\n" in made else b"\n"
    lines = made.split(eol)
    lines[at.start + 1 : at.start + 1] = [line.encode() for line in entry.below]
    return eol.join(lines)


def _entry_of(data: bytes, fact: Fact) -> Entry:
    for entry in entries(data, fact.path):
        if entry.fact.line == fact.line and entry.fact.text == fact.text:
            return entry
    raise no_such_fact(fact.id or fact.text)
