"""The notes of facts and many facts from elsewhere → the same notes with those that are new, in one go.

What is there already, in force or not, is left as it is: an import that is made twice changes nothing, and one does not
bring back what another fact superseded. Where there is no room for all, the rest goes to the archive; a file from
elsewhere moves none of the user's own facts there.

Storing them one by one would read every note once for each: this decides about all of them, and writes then.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from typing import Final

from holdfast.errors import BadArgument
from holdfast.exchange.findings import FoundFact, LeftOut
from holdfast.facts.duplicates import normalise
from holdfast.facts.fact import Draft, Fact
from holdfast.facts.fact_notes import FULL, Notes, Overlay, all_facts, open_note
from holdfast.facts.ids import new_id
from holdfast.facts.ledger import add_bullet, change_mark, entries
from holdfast.facts.subject import Claim, claim_of, plainly
from holdfast.facts.supersede import dated, replaced_by, superseded_mark
from holdfast.guard.origin import Origin
from holdfast.markdown.fact_mark import Mark, write
from holdfast.markdown.fact_row import IMPORTANCE, Category, strike
from holdfast.named_tuple import NamedTuple

__all__ = ["FactImport", "add_all"]

_NO_DAY: Final = date(1, 1, 1)
_NO_LINE: Final = 0  # of a fact that is not written yet


class FactImport(NamedTuple):
    """The result of an import: the notes that change, the facts that are new, and the others."""

    changes: Mapping[str, bytes | None]
    added: tuple[FoundFact, ...]
    known: int
    archived: int
    """How many of the new ones went to the archive for want of room."""
    refused: tuple[LeftOut, ...]


class _New(NamedTuple):
    """A bullet that is to be written."""

    found: FoundFact
    mark: Mark
    struck: bool = False

    @property
    def line(self) -> str:
        words = f"- {self.found.text}"
        return write(strike(words) if self.struck else words, self.mark)


class _Known:
    """The facts that are there or about to be, by their words and by their claims.

    So many can be looked up at once.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._words: set[str] = set()
        self._claims: dict[tuple[str, str], list[Claim]] = {}
        for text in texts:
            self.is_new(text)

    def is_new(self, text: str) -> bool:
        """Say whether nothing says this yet; from now on this does."""
        flat, claim = normalise(plainly(text)), claim_of(text)
        if claim is not None:
            alike = self._claims.setdefault(claim.about, [])
        else:
            alike = []
        if flat in self._words or (claim is not None and any(claim.repeats(known_claim) for known_claim in alike)):
            return False
        self._words.add(flat)
        if claim is not None:
            alike.append(claim)
        return True


def add_all(
    notes: Notes,
    facts: Sequence[FoundFact],
    day: date,
    *,
    most: int,
    origin: Origin = Origin.IMPORT,
    make_id: Callable[[Collection[str]], str] = new_id,
) -> FactImport:
    """The notes with the facts in them that they don't have; `most` is how many may stand outside the archive."""
    existing = all_facts(notes)
    known = _Known(fact.text for fact in existing)
    # Oldest first, so that of two that contradict each other the later one is in force.
    fresh = [fact for fact in sorted(facts, key=lambda fact: fact.observed or day) if known.is_new(fact.text)]
    over = _over(fresh, max(0, most - sum(not fact.archived for fact in existing)))
    deciding = _Deciding(existing, notes, origin, make_id)
    for fact in fresh:
        deciding.take(fact, day, archived=fact in over)
    refused: dict[FoundFact, str] = {}
    after = deciding.written(refused, day)
    new = tuple(fact for fact in fresh if fact not in refused)
    left = tuple(LeftOut(fact.where, why) for fact, why in refused.items())
    changes = {path: data for path, data in after.items() if data != notes.get(path)}
    return FactImport(changes, new, len(facts) - len(fresh), len(over), left)


class _Deciding:
    """The changes to write, fact by fact: new bullets, and the marks of facts that they replace."""

    def __init__(
        self, existing: Iterable[Fact], notes: Notes, origin: Origin, make_id: Callable[[Collection[str]], str]
    ) -> None:
        self._notes, self._origin, self._make = notes, origin, make_id
        self._taken: set[str] = set()
        self._about: dict[object, list[Fact]] = {}
        for fact in existing:
            self._taken.add(fact.id)
            self._remember(fact)
        self._new: dict[str, _New] = {}
        self._old: dict[tuple[str, int], Mark] = {}

    def take(self, fact: FoundFact, day: date, *, archived: bool) -> None:
        """Decide about the next fact; they come in the order of their days."""
        on = min(fact.observed or day, day)
        draft = dated(
            Draft(
                fact.text,
                fact.category,
                fact.importance,
                fact.valid_from,
                fact.valid_until,
            ),
            on,
        )
        mark = Mark(self._id(), fact.importance, self._origin, on, draft.valid_from, fact.valid_until)
        if archived:
            self._new[mark.id] = _New(fact, mark.replace(category=fact.category.value))
            return
        claim = claim_of(fact.text)
        links: list[str] = []
        if claim is not None:
            beside = self._about.get(claim.about, [])
            for old, rule in replaced_by(draft, self._origin, beside, on):
                links.append(self._supersede(old, mark.id, draft.valid_from or on, rule))
                beside.remove(old)
            later = _later(claim, beside, draft.valid_from or on, day)
            if later is not None and later.since is not None:
                # It is of an earlier time than what is known, so it is history; nobody else's line changes for that.
                rule = f"subject:{claim.subject}/{claim.attribute}"
                mark = superseded_mark(mark, later.id, later.since, rule, mark.id)
                self._new[mark.id] = _New(fact, mark.replace(supersedes=tuple(links)), struck=True)
                return
        self._new[mark.id] = _New(fact, mark.replace(supersedes=tuple(links)))
        fields = (
            mark.id,
            fact.text,
            fact.category,
            IMPORTANCE,
            self._origin,
            on,
            draft.valid_from,
            fact.valid_until,
        )
        self._remember(Fact(*fields))

    def written(self, refused: dict[FoundFact, str], day: date) -> dict[str, bytes | None]:
        """The notes that change, as they become."""
        after: dict[str, bytes | None] = {}
        now = Overlay(self._notes, after)
        # From the end: a mark that had a line of its own takes that line along.
        for (path, line), mark in sorted(self._old.items(), reverse=True):
            data = now[path]
            assert data is not None
            after[path] = change_mark(data, path, line, mark, struck=True)
        blocks: dict[Category, list[_New]] = {category: [] for category in Category}
        for new in self._new.values():
            blocks[Category.ARCHIVE if new.mark.category else new.found.category].append(new)
        for category, block in blocks.items():
            first = 0
            while first < len(block):
                path = open_note(now, category, day)
                last = first + FULL - len(entries(now.get(path), path))
                after[path] = _with_block(now.get(path), path, block[first:last], refused)
                first = last
        return after

    def _supersede(self, old: Fact, by: str, until: date, rule: str) -> str:
        if old.line == _NO_LINE:
            new = self._new[old.id]
            self._new[old.id] = new._replace(mark=superseded_mark(new.mark, by, until, rule, old.id), struck=True)
            return old.id
        entry = next(
            candidate for candidate in entries(self._notes[old.path], old.path) if candidate.fact.line == old.line
        )
        linked = old.id or self._id()
        self._old[old.path, old.line] = superseded_mark(entry.mark, by, until, rule, linked)
        return linked

    def _remember(self, fact: Fact) -> None:
        if not fact.archived and not fact.struck and (claim := claim_of(fact.text)) is not None:
            self._about.setdefault(claim.about, []).append(fact)

    def _id(self) -> str:
        made = self._make(self._taken)
        self._taken.add(made)
        return made


def _later(claim: Claim, beside: Iterable[Fact], begins: date, day: date) -> Fact | None:
    """The fact in force that says something else about the same, and is of a later time."""
    for fact in beside:
        new_claim = claim_of(fact.text)
        later = fact.since is not None and begins < fact.since <= day
        if later and fact.live(day) and new_claim is not None and not claim.agrees(new_claim):
            return fact
    return None


def _over(fresh: Sequence[FoundFact], room: int) -> frozenset[FoundFact]:
    """Those that there is no room for: the least important, and of these the oldest."""
    if len(fresh) <= room:
        return frozenset()
    ranked = sorted(
        fresh,
        key=lambda item: (IMPORTANCE if item.importance is None else item.importance, item.observed or _NO_DAY),
        reverse=True,
    )
    return frozenset(ranked[room:])


def _with_block(data: bytes | None, path: str, block: Sequence[_New], refused: dict[FoundFact, str]) -> bytes | None:
    """The note with all these bullets: together where they stand at its end, one by one where something is odd."""
    before = len(entries(data, path))
    first, *others = sorted(block, key=lambda new: new.struck)
    try:
        made = add_bullet(data, path, first.found.text, first.mark)
        eol = "\r\n" if b"\r\n" in made else "\n"
        if not first.struck and made.endswith(f"{first.line}{eol}".encode()):
            made += "".join(f"{new.line}{eol}" for new in others).encode()
            after = [(entry.mark, entry.fact.text, entry.fact.struck) for entry in entries(made, path)[before:]]
            if after == [(new.mark, new.found.text, new.struck) for new in (first, *others)]:
                return made
    except BadArgument:
        pass
    for new in block:
        try:
            data = add_bullet(data, path, new.found.text, new.mark)
        except BadArgument as error:
            refused[new.found] = error.why
            continue
        if new.struck:
            at = next(entry for entry in entries(data, path) if entry.mark == new.mark)
            data = change_mark(data, path, at.fact.line, new.mark, struck=True)
    return data
