"""The notes of facts and something to store → the same notes with it: added, said again, or in another's place.

Pure: bytes come in, bytes go out. The caller holds the lock, so the decision is about what is in the notes now.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from enum import StrEnum
from typing import Final

from holdfast.errors import BadArgument
from holdfast.facts.duplicates import Similar, same_among
from holdfast.facts.fact import KEPT, Draft, Fact, State, no_such_fact
from holdfast.facts.fact_archive import move_facts
from holdfast.facts.fact_notes import Notes, Overlay, all_facts, open_note
from holdfast.facts.fact_questions import asking_words
from holdfast.facts.ids import new_id
from holdfast.facts.ledger import Edit, Entry, add_bullet, change_mark, edited, entries, facts_in, left_of
from holdfast.facts.supersede import (
    Judgement,
    LearntRivals,
    Replacement,
    dated,
    ended_by,
    ending_mark,
    judged,
    kept_of,
    later_than,
    may_replace,
    owned_by_saying,
    replaced_by,
    restored_mark,
    superseded_mark,
)
from holdfast.guard.argument_types import check_choice
from holdfast.guard.origin import Origin
from holdfast.markdown.fact_mark import Mark
from holdfast.markdown.fact_row import fact_notes
from holdfast.named_tuple import NamedTuple
from holdfast.value import Value

__all__ = [
    "Comparison",
    "InsertResult",
    "Notes",
    "Outcome",
    "Saying",
    "add_fact",
    "all_facts",
    "reinforce_fact",
    "undo_supersession",
    "without_fact",
]

_MOST_BY_REPEATING: Final = 0.8  # what the user asks to be remembered starts with as much


class Outcome(StrEnum):
    """The kind of outcome."""

    STORED = "stored"
    REINFORCED = "reinforced"
    SUPERSEDED = "superseded"
    """Stored, and it took the place of others."""


class InsertResult(Value):
    """The outcome: the fact's id and note, the facts it replaced, and the notes that change, in their order."""

    outcome: Outcome
    id: str
    path: str
    changes: Mapping[str, bytes | None]
    replaced: tuple[str, ...] = ()
    rule: str = ""
    brought_back: bool = False
    """Whether it was in the archive."""
    remark: str = ""
    """Anything else that the caller should be told."""
    asks: tuple[str, ...] = ()
    """The facts that it may replace, if the owner says so."""


class Saying(NamedTuple):
    """The saying of a fact: its draft, by whom and on which day it is said, and what names a fact that has no id."""

    draft: Draft
    origin: Origin
    day: date
    make_id: Callable[[frozenset[str]], str] = new_id


class Comparison(NamedTuple):
    """The facts that a new one is compared with, and the means beside their words."""

    similar: Similar | None = None
    threshold: float = 0.95
    """The similarity from which on two facts may be one."""
    known: Sequence[Fact] | None = None
    """The facts that may have to do with it; None for all of the notes."""
    judgement: Judgement | None = None


_BY_WORDS: Final = Comparison()


class _Verdict(NamedTuple):
    """Says what a new fact does to others."""

    found: Sequence[Replacement]
    """Those whose place it takes."""
    ended: list[Replacement]
    """Those that hold until it begins."""
    later: Replacement | None
    """The one of a later time, before which it holds."""
    asked: Sequence[Fact]
    """Those that it may replace, if the owner says so."""


def add_fact(
    notes: Notes,
    draft: Draft,
    origin: Origin,
    day: date,
    comparison: Comparison = _BY_WORDS,
    *,
    make_id: Callable[[frozenset[str]], str] = new_id,
) -> InsertResult:
    """Return the notes with the draft in them.

    Raise FactNotFound where a known fact that matters is not in its note as the note has it.
    """
    check_choice("category", draft.category, KEPT)
    draft = dated(draft, day)
    saying = Saying(draft, origin, day, make_id)
    known = comparison.known
    if known is None:
        known = all_facts(notes)
    same = _same_fact(draft, known, day, comparison)
    found = replaced_by(draft, origin, known, day)
    if same is not None:
        same = _entry_of(notes, same).fact
    if same is not None and not owned_by_saying(same.origin, origin) and not (same.archived and found):
        again = reinforce_fact
        if same.archived:
            again = _brought_back
        return again(notes, same, saying)
    later = later_than(draft, origin, known, day)
    twin = _twin_of_old(draft, known, later, day)
    if twin is not None:
        return reinforce_fact(notes, _entry_of(notes, twin).fact, saying)
    if same is not None:
        # The user's own word for what a file or a tool brought along: from now on it is the user's. What is said again
        # from the archive and takes the place of others is new, so that the archive's does not come back beside it.
        rule = f"origin:{same.origin.value}"
        if same.archived:
            rule = "archived"
        found.append(Replacement(same, rule))
    learnt = LearntRivals()
    if comparison.judgement is not None and same is None and later is None:
        rivals = {rival.fact for rival in found}
        learnt = judged(draft, origin, [fact for fact in known if fact not in rivals], day, comparison.judgement)
        found += learnt.sure
    verdict = _Verdict(found, ended_by(draft, origin, known, day), later, learnt.asked)
    return _insert(notes, saying, verdict, {fact.id for fact in known if fact.id})


def _insert(notes: Notes, saying: Saying, verdict: _Verdict, taken: set[str]) -> InsertResult:
    """Return the notes with a new fact, and with the marks of those that it replaces or ends."""
    draft, origin, day, make_id = saying
    found, ended, later, asked = verdict
    own = _fresh(taken, make_id)
    ids = {rival.fact: rival.fact.id or _fresh(taken, make_id) for rival in (*found, *ended)}
    changes = _mark_ended(notes, found, ended, ids, own, draft.valid_from or day)
    asks = tuple(fact.id for fact in asked)
    mark = Mark(
        own,
        draft.importance,
        origin,
        day,
        draft.valid_from,
        draft.valid_until,
        draft.session,
        supersedes=tuple(ids.values()),
        message=draft.message,
        rest=asking_words(asks),
    )
    # The note with the new fact is written first, although it is made last: a writer that is stopped in between has
    # both.
    now = Overlay(notes, changes)
    path = open_note(now, draft.category, day)
    data = _with_new(now.get(path), path, draft.text, mark, later, day)
    remark = "; ".join(filter(None, (_remark(draft, later, ended, ids, day), _asking(asked))))
    done = InsertResult(Outcome.STORED, own, path, {path: data, **_without(changes, path)}, remark=remark, asks=asks)
    if not found:
        return done
    replaced = tuple(ids[rival.fact] for rival in found)
    return done.replace(outcome=Outcome.SUPERSEDED, replaced=replaced, rule=found[-1].rule)


def _same_fact(draft: Draft, known: Sequence[Fact], day: date, comparison: Comparison) -> Fact | None:
    """Return the fact that says the same already, in its note or else in the archive."""
    here = [fact for fact in known if _of_one_time(fact, draft, day)]
    same = same_among(draft.text, here, comparison.similar, comparison.threshold)
    if same is not None or _elsewhen(draft, day):
        return same
    # A line that a person typed into the archive is not ours to move.
    away = [fact for fact in known if fact.archived and fact.marked and fact.own_state(day) is State.LIVE]
    return same_among(draft.text, away)


def _twin_of_old(draft: Draft, known: Sequence[Fact], later: Replacement | None, day: date) -> Fact | None:
    """Return the fact of an earlier time that says the same already, where a later one holds."""
    if later is None or not later.fact.live(day):
        return None
    old = [fact for fact in known if fact.struck and not fact.archived and fact.valid_from == draft.valid_from]
    return same_among(draft.text, old)


def _mark_ended(
    notes: Notes,
    replaced: Sequence[Replacement],
    ended: Sequence[Replacement],
    ids: Mapping[Fact, str],
    own: str,
    begins: date,
) -> dict[str, bytes | None]:
    """Return the notes that change, with the marks of facts that are replaced, or end, where the new one begins."""
    edits: dict[str, dict[int, Edit]] = {}
    for fact, rule in replaced:
        mark = superseded_mark(_entry_of(notes, fact).mark, own, begins, rule, ids[fact])
        edits.setdefault(fact.path, {})[fact.line] = Edit(mark, True)
    for fact, rule in ended:
        mark = ending_mark(_entry_of(notes, fact).mark, begins, rule, ids[fact])
        edits.setdefault(fact.path, {})[fact.line] = Edit(mark)
    changes: dict[str, bytes | None] = {}
    for path, of_note in edits.items():
        data = notes[path]
        assert data is not None
        changes[path] = edited(data, path, of_note)
    return changes


def _without(changes: Mapping[str, bytes | None], path: str) -> dict[str, bytes | None]:
    return {changed: data for changed, data in changes.items() if changed != path}


def _of_one_time(fact: Fact, draft: Draft, day: date) -> bool:
    """Say whether a fact and a new one can be one, by when they hold.

    What is over is no second saying of what holds.
    """
    if fact.archived or fact.struck:
        return False
    if draft.valid_until is not None and draft.valid_until < day:
        return (fact.valid_from, fact.valid_until) == (draft.valid_from, draft.valid_until)
    return fact.live(day) or (fact.state(day) is State.UPCOMING and fact.valid_from == draft.valid_from)


def _elsewhen(draft: Draft, day: date) -> bool:
    """Say whether it tells of another time than today."""
    over = draft.valid_until is not None and draft.valid_until < day
    return over or (draft.valid_from is not None and draft.valid_from > day)


def _with_new(data: bytes | None, path: str, text: str, mark: Mark, later: Replacement | None, day: date) -> bytes:
    """Return the note with the new fact; where another is of a later time, as what held before that."""
    if later is None or later.fact.since is None:
        return add_bullet(data, path, text, mark)
    if not later.fact.live(day):
        return add_bullet(data, path, text, ending_mark(mark, later.fact.since, later.rule, mark.id))
    mark = superseded_mark(mark, later.fact.id, later.fact.since, later.rule, mark.id)
    made = add_bullet(data, path, text, mark)
    at = next(entry for entry in entries(made, path) if entry.mark == mark)
    return change_mark(made, path, at.fact.line, mark, struck=True)


def _remark(
    draft: Draft, later: Replacement | None, ended: list[Replacement], ids: Mapping[Fact, str], day: date
) -> str:
    """Return what is to be said of the times of a new fact and of others."""
    remarks: list[str] = []
    if later is not None and later.fact.live(day):
        known = f"{later.fact.text!r} ({later.fact.id}), which holds since {later.fact.since}"
        remarks.append(f"it is of an earlier time than {known}, and is kept as superseded by that")
    elif later is not None:
        remarks.append(f"it holds until {later.fact.text!r} ({later.fact.id}) does, from {later.fact.since} on")
    remarks += [
        f"{fact.text!r} holds until it begins on {draft.valid_from}; "
        f"`holdfast facts restore {ids[fact]}` lets both hold"
        for fact, _ in ended
    ]
    return "; ".join(remarks)


def _asking(asked: Sequence[Fact]) -> str:
    """Return what is to be said of the questions that a new fact raises."""
    named = ", ".join(f"{fact.text!r} ({fact.id})" for fact in asked)
    if named:
        return f"it may replace {named}: `holdfast inbox` asks"
    return ""


def _fresh(taken: set[str], make_id: Callable[[frozenset[str]], str]) -> str:
    made = make_id(frozenset(taken))
    taken.add(made)
    return made


def _brought_back(notes: Notes, same: Fact, saying: Saying) -> InsertResult:
    """Return a fact that was in the archive and is said again: back in its note, and more certain."""
    moves = move_facts(notes, [same], to_archive=False, day=saying.day)
    after = Overlay(notes, moves)
    path = next(iter(moves))  # where it goes comes first
    here = [fact for fact in facts_in(after[path], path) if (fact.id, fact.text) == (same.id, same.text)][-1]
    done = reinforce_fact(after, here, saying)
    remark = f"it was in the archive, and is back in {path}"
    return done.replace(changes={**moves, **done.changes}, brought_back=True, remark=remark)


def reinforce_fact(notes: Notes, same: Fact, saying: Saying) -> InsertResult:
    """Return the fact that was there, said once more: counted, dated, and a little more important."""
    draft, origin, day, make_id = saying
    data = notes[same.path]
    assert data is not None
    if not same.marked:
        # A person typed this line: it says the same already, and is not touched for that.
        remark = f"{same.path}#{same.line} says so already; a line that you typed stays as it is"
        return InsertResult(Outcome.REINFORCED, same.id, same.path, {}, remark=remark)
    mark = _entry_of(notes, same).mark or Mark()
    mark = mark.replace(
        id=mark.id or make_id(frozenset()),
        reinforced=min(mark.reinforced + 1, 10**9 - 1),
        reinforced_on=max(day, mark.reinforced_on or day),
    )
    if may_replace(origin, same.origin):
        mark = mark.replace(importance=min(1.0, max(_raised_importance(same, day), draft.importance or 0.0)))
    return InsertResult(
        Outcome.REINFORCED, mark.id, same.path, {same.path: change_mark(data, same.path, same.line, mark)}
    )


def _raised_importance(same: Fact, day: date) -> float:
    """Return how important a fact is once it was said again: a little more, once a day and up to a bound.

    A program in a loop would make anything the most important fact there is.
    """
    if same.said_last is not None and same.said_last >= day:
        return same.importance
    return max(same.importance, min(_MOST_BY_REPEATING, same.importance + (1.0 - same.importance) * 0.1))


def without_fact(notes: Notes, fact: Fact, day: date | None = None) -> dict[str, bytes | None]:
    """Return the notes without a fact; a note of which nothing is left goes as well.

    What it had superseded stays so. What it was only to end on a day to come holds on.
    """
    _entry_of(notes, fact)
    edits: dict[str, dict[int, Edit | None]] = {fact.path: {fact.line: None}}
    if day is not None and fact.own_state(day) is State.UPCOMING:
        for entry in (entry for path in fact_notes(notes) for entry in entries(notes.get(path), path)):
            ends = entry.fact.id in fact.supersedes and not entry.fact.struck and not entry.fact.superseded_by
            if ends and entry.mark is not None:
                edits.setdefault(entry.fact.path, {})[entry.fact.line] = Edit(kept_of(restored_mark(entry.mark)))
    return {path: left_of(edited(notes.get(path) or b"", path, each)) for path, each in edits.items()}


def undo_supersession(notes: Notes, fact: Fact) -> dict[str, bytes | None]:
    """Return the notes with a fact in force again, as long as before, beside the one that has its place."""
    data = notes[fact.path]
    assert data is not None
    entry = _entry_of(notes, fact)
    if not fact.struck and not fact.rule:
        raise BadArgument(
            "id", f"fact {fact.id!r} is not superseded; `holdfast facts list --state superseded` shows which"
        )
    after = dict(notes)
    mark = None
    if entry.mark is not None:
        mark = kept_of(restored_mark(entry.mark))
    after[fact.path] = change_mark(data, fact.path, fact.line, mark, struck=False)
    paths = [fact.path]
    for path in fact_notes(notes):
        for other in reversed(entries(after.get(path), path)):
            if other.mark is not None and fact.id and fact.id in other.mark.supersedes:
                held = after[path]
                assert held is not None
                left = tuple(each for each in other.mark.supersedes if each != fact.id)
                after[path] = change_mark(held, path, other.fact.line, other.mark.replace(supersedes=left))
                paths.append(path)
    return {path: after[path] for path in dict.fromkeys(paths)}


def _entry_of(notes: Notes, fact: Fact) -> Entry:
    for entry in entries(notes.get(fact.path), fact.path):
        if entry.fact.line == fact.line and entry.fact.text == fact.text:
            return entry
    raise no_such_fact(fact.id or fact.text)
