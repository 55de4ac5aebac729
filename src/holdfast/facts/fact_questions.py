"""Ask whether a fact replaces another, where nobody is sure: asked in the mark of the new one, answered by the owner.

    - I read on a Kobo <!-- fact id=s5sddw origin=user observed=2026-03-02 asks=thdvtr -->

So a question goes where its fact goes: to the archive, into an export, away with it when it is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final

from holdfast.facts.fact import Fact, no_such_fact
from holdfast.facts.fact_notes import Notes
from holdfast.facts.ledger import Edit, Entry, edited, entries
from holdfast.facts.relation import RULE
from holdfast.facts.supersede import superseded_mark
from holdfast.markdown.fact_mark import Mark
from holdfast.markdown.fact_row import fact_notes
from holdfast.named_tuple import NamedTuple

__all__ = ["ASKED_RULE", "MODEL_RULE", "Question", "answer_question", "asking_words", "questions_in"]

ASKED_RULE: Final = f"{RULE}:asked"
"""The rule in the mark of a fact that another replaces because the owner said so."""
MODEL_RULE: Final = f"{RULE}:llm"
"""The rule in the mark of a fact that another replaces because a language model said so."""
_ASKS: Final = "asks="


class Question(NamedTuple):
    """Says whether a new fact replaces a known one."""

    new: Fact
    old: Fact

    @property
    def id(self) -> str:
        """Return what the owner answers it by."""
        return f"ask-{self.new.id}-{self.old.id}"

    @property
    def text(self) -> str:
        """Return the question in words."""
        return f"Does “{self.new.text}” replace “{self.old.text}”?"


def asking_words(ids: Sequence[str]) -> tuple[str, ...]:
    """Return what the mark of a new fact says where it asks about these."""
    if ids:
        return (f"{_ASKS}{','.join(ids)}",)
    return ()


def questions_in(notes: Notes, day: date) -> list[Question]:
    """Return all that is asked of facts that both hold; a question about one that is gone or over is none."""
    paths = fact_notes(notes)
    if not any(_ASKS.encode() in (notes.get(path) or b"") for path in paths):
        return []
    every = [entry for path in paths for entry in entries(notes.get(path), path)]
    held = {entry.fact.id: entry.fact for entry in every if entry.fact.id and entry.fact.live(day)}
    return [
        Question(held[entry.fact.id], held[old])
        for entry in every
        if entry.fact.id in held
        for old in _asked_ids(entry.mark)
        if old in held and old != entry.fact.id
    ]


def answer_question(
    notes: Notes, question: Question, day: date, *, replaces: bool, rule: str = ASKED_RULE
) -> dict[str, bytes | None]:
    """Return the notes with a question answered: the old fact is superseded, or both go on beside each other."""
    new, old = _entry(notes, question.new), _entry(notes, question.old)
    assert new.mark is not None
    left = tuple(asked for asked in _asked_ids(new.mark) if asked != old.fact.id)
    rest = (*(word for word in new.mark.rest if not word.startswith(_ASKS)), *asking_words(left))
    mark = new.mark.replace(rest=rest)
    edits: dict[str, dict[int, Edit]] = {new.fact.path: {}}
    if replaces:
        mark = mark.replace(supersedes=(*mark.supersedes, old.fact.id))
        since = new.fact.valid_from or new.fact.observed or day
        gone = superseded_mark(old.mark, new.fact.id, since, rule, old.fact.id)
        edits.setdefault(old.fact.path, {})[old.fact.line] = Edit(gone, True)
    edits[new.fact.path][new.fact.line] = Edit(mark)
    return {path: edited(notes[path] or b"", path, each) for path, each in edits.items()}


def _asked_ids(mark: Mark | None) -> list[str]:
    words: Iterable[str] = mark.rest if mark is not None else ()
    return [
        id_asked
        for word in words
        if word.startswith(_ASKS)
        for id_asked in word.removeprefix(_ASKS).split(",")
        if id_asked
    ]


def _entry(notes: Notes, fact: Fact) -> Entry:
    for entry in entries(notes.get(fact.path), fact.path):
        if entry.fact.id == fact.id and entry.mark is not None:
            return entry
    raise no_such_fact(fact.id)
