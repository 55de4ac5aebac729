"""store: keep one fact about the user, the project or a person; a second saying of it strengthens the first."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from datetime import date
from typing import Annotated, Any

from holdfast.errors import BadArgument, FactNotFound, TooLarge
from holdfast.facts.capacity import Use, least_valuable
from holdfast.facts.fact import KEPT, LONGEST, Draft, Fact
from holdfast.facts.fact_insert import Done, Notes, Outcome, all_facts, moved, stored
from holdfast.facts.fact_notes import Overlay
from holdfast.facts.ids import new_id
from holdfast.facts.ledger import plain
from holdfast.guard.argument_types import shown
from holdfast.guard.text_rules import MAX_NOTE_BYTES, admit
from holdfast.markdown.fact_row import Category, strike
from holdfast.tools.argument_range import given_number
from holdfast.tools.fact_candidates import Candidates, candidates_for, meaning_of
from holdfast.tools.fact_judgement import judgement_of
from holdfast.tools.facts_book import Steps, today, write_notes
from holdfast.tools.memory_save import without_secrets
from holdfast.tools.rooms import Rooms
from holdfast.value import Value

__all__ = ["StoredFact", "capture_fact", "day_of", "store", "store_fact", "uses_of"]


class StoredFact(Value):
    """What came of it, where the fact is, whose place it took, and the checkpoints that undo it."""

    outcome: Outcome
    id: str
    path: str
    text: str
    category: Category
    replaced: tuple[str, ...] = ()
    rule: str = ""
    archived: int = 0
    """How many others made room."""
    checkpoint_ids: tuple[str, ...] = ()
    because: str = ""
    asks: tuple[str, ...] = ()
    """The facts of which the owner is asked whether this one replaces them."""

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        shown: dict[str, Any] = {
            "id": self.id or None,
            "outcome": self.outcome.value,
            "text": self.text,
            "category": self.category.value,
            "path": self.path,
            "checkpointId": self.checkpoint_ids[0] if self.checkpoint_ids else None,
            "checkpointIds": list(self.checkpoint_ids),
        }
        if self.replaced:
            shown |= {"superseded": list(self.replaced), "rule": self.rule}
        if self.asks:
            shown["asks"] = list(self.asks)
        if self.archived:
            shown["archived"] = self.archived
        return shown | {"because": self.because} if self.because else shown


def store(
    rooms: Rooms,
    text: Annotated[str, "One fact in one sentence, in the words a person would write: 'I prefer green tea'."],
    category: Annotated[str | None, "preference, fact, decision, entity or other (the default)."] = None,
    importance: Annotated[float | None, "How much it matters, 0 to 1 (usually .5)."] = None,
    valid_from: Annotated[str | None, "The day from which it holds: 2026-03-05."] = None,
    valid_until: Annotated[str | None, "The last day on which it holds."] = None,
) -> StoredFact:
    """Remember one fact. What is known already is strengthened; a fact that it contradicts is kept as superseded."""
    draft = Draft(
        text,
        _category(category),
        importance,
        day_of("valid_from", valid_from),
        day_of("valid_until", valid_until),
        _session(rooms),
    )
    return store_fact(rooms, draft)


def store_fact(rooms: Rooms, draft: Draft, *, tool: str = "store") -> StoredFact:
    """Store a draft with the origin of these rooms; what it is a duplicate of is decided under the lock."""
    made = _store(rooms, draft, tool)
    assert made is not None
    return made


def capture_fact(rooms: Rooms, draft: Draft, *, tool: str) -> StoredFact | None:
    """The same for what nobody asked to store; None where a note says it already and no fact changes by it."""
    from holdfast.tools.fact_twins import find_saying

    return _store(rooms, draft, tool, is_said=bool(find_saying(rooms, draft.text)))


def _store(rooms: Rooms, draft: Draft, tool: str, *, is_said: bool = False) -> StoredFact | None:
    draft = _checked(rooms, draft)
    settings = rooms.settings.facts
    day = today(rooms)
    meaning = meaning_of(rooms, draft.text)
    done: Done | None = None
    gone: list[Fact] = []

    def decide(notes: Notes) -> Steps:
        nonlocal done, gone
        known = candidates_for(rooms, draft.text, meaning, notes)
        done = _stored(rooms, notes, draft, day, known)
        if is_said and done.outcome is Outcome.STORED:
            done = None
            return []
        gone, steps = [], list(done.changes.items())
        more = done.brought_back or done.outcome is not Outcome.REINFORCED
        if settings.archive and more and (known is None or known.many >= settings.max):
            gone, moves = _making_room(rooms, Overlay(notes, done.changes), done.id, day)
            steps += moves.items()
        return steps

    made, late = write_notes(rooms, decide, tool=tool, reason=f"store {draft.category.value}", whole=False)
    if done is None:
        return None
    return StoredFact(
        done.outcome,
        done.id,
        done.path,
        draft.text,
        draft.category,
        done.replaced,
        done.rule,
        len(gone),
        tuple(change.id for change in made),
        "; ".join(filter(None, (done.told, late))),
        done.asks,
    )


def _stored(rooms: Rooms, notes: Notes, draft: Draft, day: date, known: Candidates | None) -> Done:
    """The notes with the draft in them, decided by what the index knows; by all that is in the notes where it can't
    tell, or has told of a fact what is not in its note."""
    threshold = rooms.settings.facts.duplicate_similarity
    judgement = judgement_of(rooms, known.similar if known is not None else None)
    if known is not None:
        with suppress(FactNotFound):
            return stored(
                notes,
                draft,
                rooms.origin,
                day,
                similar=known.similar,
                threshold=threshold,
                known=known.facts,
                make_id=lambda taken: _unused_id(taken, known.is_taken),
                judgement=judgement,
            )
    similar = known.similar if known is not None else None
    return stored(notes, draft, rooms.origin, day, similar=similar, threshold=threshold, judgement=judgement)


def _unused_id(taken: Collection[str], is_taken: Callable[[str], bool]) -> str:
    while is_taken(made := new_id(taken)):
        continue
    return made


def _making_room(rooms: Rooms, notes: Notes, new: str, day: date) -> tuple[list[Fact], dict[str, bytes | None]]:
    """The facts that go to the archive for a new one, and the notes without them; none where the archive is full."""
    facts = [fact for fact in all_facts(notes) if fact.id != new]
    if sum(not fact.archived for fact in facts) < rooms.settings.facts.max:
        return [], {}
    gone = least_valuable(facts, rooms.settings.facts.max - 1, day, uses_of(rooms, facts))
    moves = moved(notes, gone, to_archive=True, day=day)
    full = any(data is not None and len(data) > MAX_NOTE_BYTES for data in moves.values())
    return ([], {}) if full else (gone, moves)


def day_of(name: str, text: str | None) -> date | None:
    """The day that a caller wrote as 2026-03-05."""
    if text is None:
        return None
    try:
        return date.fromisoformat(text.strip())
    except ValueError as error:
        raise BadArgument(name, f"{shown(text)} is no date; write 2026-03-05") from error


def uses_of(rooms: Rooms, facts: Sequence[Fact]) -> Use:
    """How often each of these facts was read, and how many days ago last."""
    from holdfast.markdown.chunk_ids import text_hash

    lines = {fact: f"- {fact.whole or fact.text}" for fact in facts}
    keys = {fact: text_hash(strike(line) if fact.struck else line) for fact, line in lines.items()}
    found = rooms.usage.of(list(keys.values()))
    now = rooms.clock.now()

    def use(fact: Fact) -> tuple[float, float]:
        times, last = found.get(keys.get(fact, ""), (0, now))
        return float(times), max(0.0, (now - last) / 86_400)

    return use


def _checked(rooms: Rooms, draft: Draft) -> Draft:
    if not isinstance(draft.text, str) or not draft.text.strip():
        raise BadArgument("text", "it is empty; say what to remember")
    text = plain(without_secrets(admit(draft.text, "text"), rooms.settings.memory.secrets))
    if not any(map(str.isalnum, text)):  # signs alone, as in "!!!"
        raise BadArgument("text", "it says nothing; say what to remember")
    if len(text) > LONGEST:
        raise TooLarge("fact", len(text), LONGEST)
    given_number("importance", draft.importance)
    if draft.valid_from is not None and draft.valid_until is not None and draft.valid_from > draft.valid_until:
        raise BadArgument("valid_from", f"{draft.valid_from} is after {draft.valid_until}")
    return draft.replace(text=text)


def _session(rooms: Rooms) -> str:
    if rooms.session is None:
        return ""
    from holdfast.tools.session_capture import session_mark

    return session_mark(rooms.workspace.agent, rooms.session.key)


def _category(asked: str | None) -> Category:
    if asked is None:
        return Category.OTHER
    if asked not in KEPT:
        raise BadArgument("category", f"{shown(asked)} is none of {', '.join(KEPT)}")
    return Category(asked)
