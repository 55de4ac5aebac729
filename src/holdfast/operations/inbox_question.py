"""Questions of the inbox: does this fact replace that one? Approving says yes, rejecting lets both hold."""

from __future__ import annotations

from holdfast.approval.inbox_note import InboxEntry
from holdfast.approval.prompt_gate import APPROVAL_TOOL
from holdfast.context.context import Context
from holdfast.errors import BadArgument, FactNotFound
from holdfast.facts.fact_notes import Notes
from holdfast.facts.fact_questions import Question, answered, questions_in
from holdfast.facts.facts_book import Steps, read_notes, today, write_notes
from holdfast.operations.inbox_entries import Decided

__all__ = ["answer", "is_question", "question_entries", "refuse_words"]


def is_question(id: str) -> bool:  # noqa: A002 - what the owner calls it
    """Say whether an id is one of a question."""
    return id.startswith("ask-")


def question_entries(ctx: Context) -> list[InboxEntry]:
    """Return what the owner is asked about facts, in the order of the notes."""
    return [_entry(question) for question in questions_in(read_notes(ctx)[0], today(ctx))]


def answer(ctx: Context, id: str, *, replaces: bool) -> Decided:  # noqa: A002 - as above
    """Answer a question: the old fact is superseded, or stays; one undo takes it back."""
    found: Question | None = None

    def decide(notes: Notes) -> Steps:
        nonlocal found
        found = next((question for question in questions_in(notes, today(ctx)) if question.id == id), None)
        if found is None:
            raise FactNotFound(f"Nothing with the id {id!r} is asked any more. `holdfast inbox` shows what is.")
        return list(answered(notes, found, today(ctx), replaces=replaces).items())

    verb = "approve" if replaces else "reject"
    made, _ = write_notes(ctx, decide, tool=APPROVAL_TOOL, reason=f"{verb} {id}")
    assert found is not None
    return Decided(_entry(found), "replaced" if replaces else "rejected", tuple(change.id for change in made))


def refuse_words(id: str) -> BadArgument:  # noqa: A002 - as above
    """The error for who would give a question other words."""
    return BadArgument("id", f"{id} is a question about two facts: approve it or reject it")


def _entry(question: Question) -> InboxEntry:
    new = question.new
    if new.observed is not None:
        at = new.observed.isoformat()
    else:
        at = ""
    because = "Approve it, and the second is kept as superseded; reject it, and both hold."
    return InboxEntry(question.id, question.text, new.origin, "", at, f"{new.path}#{new.line}", because)
