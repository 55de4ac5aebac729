"""Questions of the inbox: does this fact replace that one? Approving says yes, rejecting lets both hold."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from holdfast.approval.inbox_note import InboxEntry
from holdfast.approval.prompt_gate import APPROVAL_TOOL
from holdfast.context.context import Context
from holdfast.errors import BadArgument, FactNotFound
from holdfast.facts.fact_notes import Notes, Overlay
from holdfast.facts.fact_questions import MODEL_RULE, Question, answer_question, questions_in
from holdfast.facts.facts_book import Steps, read_notes, today, write_notes
from holdfast.facts.supersede import may_replace
from holdfast.llm.chat_model import Usage
from holdfast.named_tuple import NamedTuple
from holdfast.operations.inbox_decision import Decided

if TYPE_CHECKING:
    from holdfast.llm.chat_model import ChatModel

__all__ = ["Asked", "answer", "answer_by_model", "is_question", "question_entries", "refuse_words"]

_SECONDS: Final = 60.0


class Asked(NamedTuple):
    """The ids of the questions that a model was asked, and what that took."""

    ids: tuple[str, ...] = ()
    usage: Usage = Usage()


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
        return list(answer_question(notes, found, today(ctx), replaces=replaces).items())

    verb = "approve" if replaces else "reject"
    made, _ = write_notes(ctx, decide, tool=APPROVAL_TOOL, reason=f"{verb} {id}")
    assert found is not None
    return Decided(_entry(found), "replaced" if replaces else "rejected", tuple(change.id for change in made))


def answer_by_model(ctx: Context, model: ChatModel, *, but: Collection[str], tool: str) -> Asked:
    """Let a language model answer open questions but these; those it is unsure of stay in the inbox.

    One undo takes back what it decided. A model that fails raises, and no question is answered then.
    """
    from holdfast.facts.question_verdict import MOST_QUESTIONS, request_verdicts, verdicts_in

    waiting = [
        question
        for question in questions_in(read_notes(ctx)[0], today(ctx))
        if question.id not in but and may_replace(question.new.origin, question.old.origin)
    ][:MOST_QUESTIONS]
    if not waiting:
        return Asked()
    reply = model.chat(request_verdicts(waiting), seconds=_SECONDS)
    verdicts = verdicts_in(reply.text, waiting)

    def decide(notes: Notes) -> Steps:
        after: dict[str, bytes | None] = {}
        for id in verdicts:  # noqa: A001 - what the owner calls it
            now = Overlay(notes, after)
            found = next((question for question in questions_in(now, today(ctx)) if question.id == id), None)
            if found is not None:  # else the owner was faster, or the verdict before has ended one of the two
                after |= answer_question(now, found, today(ctx), replaces=verdicts[id], rule=MODEL_RULE)
        return list(after.items())

    if verdicts:
        write_notes(ctx, decide, tool=tool, reason=f"the language model answered {', '.join(verdicts)}")
    return Asked(tuple(question.id for question in waiting), reply.usage)


def refuse_words(id: str) -> BadArgument:  # noqa: A002 - as above
    """Return the error for a caller that would give a question other words."""
    return BadArgument("id", f"{id} is a question about two facts: approve it or reject it")


def _entry(question: Question) -> InboxEntry:
    new = question.new
    if new.observed is not None:
        at = new.observed.isoformat()
    else:
        at = ""
    because = "Approve it, and the second is kept as superseded; reject it, and both hold."
    return InboxEntry(question.id, question.text, new.origin, "", at, f"{new.path}#{new.line}", because)
