"""The notes of facts → the same notes without the facts of one origin, as if these had never been stored.

A fact whose place one of them took gets it back, or is superseded by whoever took that place in turn. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from holdfast.facts.fact import Fact
from holdfast.facts.fact_notes import Notes
from holdfast.facts.ledger import Edit, Entry, edited, entries, left_of
from holdfast.facts.supersede import kept_of, restored_mark
from holdfast.markdown.fact_mark import Mark, read
from holdfast.markdown.fact_row import bullet_words, fact_notes, without_comments
from holdfast.named_tuple import NamedTuple

__all__ = ["TakenBack", "added_below", "is_gone", "without_facts", "words_added"]


class TakenBack(NamedTuple):
    """The notes that change, and the facts that are gone and that hold again."""

    changes: dict[str, bytes | None]
    gone: tuple[Fact, ...]
    again: tuple[Fact, ...]


def without_facts(notes: Notes, unwanted: Callable[[Fact], bool]) -> TakenBack:
    """Return the notes without every marked fact that is unwanted.

    Bullets without a mark are nobody's to judge here.
    """
    every = {path: entries(notes.get(path), path) for path in fact_notes(notes)}
    gone = [entry.fact for held in every.values() for entry in held if entry.mark is not None and unwanted(entry.fact)]
    if not gone:
        return TakenBack({}, (), ())
    lost = {fact.id: fact for fact in gone if fact.id}
    places = {(fact.path, fact.line) for fact in gone}
    line = _Succession(lost, (entry.fact for held in every.values() for entry in held))
    again: list[Fact] = []
    changes: dict[str, bytes | None] = {}
    for path, held in every.items():
        of_note: dict[int, Edit | None] = {}
        for entry in held:
            if (path, entry.fact.line) in places:
                of_note[entry.fact.line] = None
            elif (mark := line.relinked(entry)) is not None:
                is_back = bool(entry.mark and entry.mark.superseded_by) and not mark.superseded_by
                of_note[entry.fact.line] = Edit(kept_of(mark), False if is_back else None)
                if is_back:
                    again.append(entry.fact)
        data = notes.get(path)
        if of_note and data is not None:
            changes[path] = left_of(edited(data, path, of_note))
    return TakenBack(changes, tuple(gone), tuple(again))


class _Succession:
    """Says who has whose place once some facts are lost."""

    def __init__(self, lost: dict[str, Fact], facts: Iterable[Fact]) -> None:
        self._lost = lost
        self._heirs: dict[str, str] = {}
        self._left_to: dict[str, list[str]] = {}
        for fact in facts:
            if fact.id and fact.id not in lost and fact.superseded_by in lost:
                self._left_to.setdefault(self._heir(fact.superseded_by), []).append(fact.id)
        self._ended = {ended for fact in lost.values() for ended in fact.supersedes}

    def relinked(self, entry: Entry) -> Mark | None:
        """Return the mark of a fact that stays, where it names a lost one; else None."""
        mark = entry.mark
        if mark is None:
            return None
        was, lost = mark, self._lost
        if mark.superseded_by in lost:
            heir = self._heir(mark.superseded_by)
            if heir:
                mark = mark.replace(superseded_by=heir)
            else:
                mark = restored_mark(mark)
        elif mark.rule and not mark.superseded_by and not entry.fact.struck and entry.fact.id in self._ended:
            mark = restored_mark(mark)  # it was to end the day before a lost one began
        if not lost.keys().isdisjoint(mark.supersedes):
            # It supersedes those whose place the lost ones had taken.
            links: list[str] = []
            for link in mark.supersedes:
                links += self._left(entry.fact.id) if link in lost else [link]
            mark = mark.replace(supersedes=tuple(dict.fromkeys(links)))
        if mark is was:
            return None
        return mark

    def _left(self, heir: str) -> list[str]:
        return self._left_to.get(heir, [])

    def _heir(self, successor: str) -> str:
        """Return who has the place that one of the lost had.

        The next in the line of succession that stays, "" for none.
        """
        seen: list[str] = []
        # Found once for all that it leads past: a place may have been taken thousands of times.
        while successor in self._lost and successor not in self._heirs:
            seen.append(successor)
            self._heirs[successor] = ""  # of a ring nobody is the heir
            lost = self._lost[successor]
            successor = lost.superseded_by if lost.struck else ""
        heir = self._heirs.get(successor, "")
        if successor not in self._lost:
            heir = successor
        self._heirs.update(dict.fromkeys(seen, heir))
        return heir


def words_added(before: bytes | None, after: bytes | None) -> dict[str, set[str]]:
    """Return what a change of a note made facts say, by their ids; one that got another mark says what it said."""
    old, new = frozenset[bytes](), added_below(before, after)
    if new is None:
        here, there = _lines_of(before or b""), _lines_of(after or b"")
        old, new = here - there, there - here
    was, found = set(_marked(old)), dict[str, set[str]]()
    for own_id, words in _marked(new):
        if (own_id, words) not in was:
            found.setdefault(own_id, set()).add(words)
    return found


def added_below(before: bytes | None, after: bytes | None) -> frozenset[bytes] | None:
    """Return the lines that a change put below all others, as storing a fact does; None where it did anything else."""
    before = before or b""
    if not after or not after.startswith(before) or (before and not before.endswith(b"\n")):
        return None
    return frozenset(filter(None, map(bytes.rstrip, after[len(before) :].splitlines())))


def is_gone(lines: frozenset[bytes] | None, now: bytes | None) -> bool:
    """Say whether none of these lines stands in a note any more."""
    return bool(lines) and lines is not None and lines.isdisjoint(_lines_of(now or b""))


@lru_cache(maxsize=2)
def _lines_of(data: bytes) -> frozenset[bytes]:
    return frozenset(map(bytes.rstrip, data.splitlines()))


def _marked(lines: Iterable[bytes]) -> Iterable[tuple[str, str]]:
    for line in lines:
        words, mark = read(line.decode("utf-8", "replace"))
        if mark is not None and mark.id:
            yield mark.id, without_comments(bullet_words(words)).strip()
