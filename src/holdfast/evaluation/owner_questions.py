"""The owner's questions: read, put in the place of those that were read, and drafted from the notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from holdfast.context.context import Context
from holdfast.dreaming.report import FOLDER as DREAMS
from holdfast.guard.argument_types import check_whole_number
from holdfast.guard.paths import INBOX
from holdfast.memory import Memory

if TYPE_CHECKING:
    from holdfast.evaluation.question_draft import Draft
    from holdfast.evaluation.question_file import QuestionFile

__all__ = ["draft_questions", "put_questions", "questions"]

_MOST_DRAFTS: Final = 200


# A server reads these signatures when it starts, and needs nothing else of this room until somebody asks.
def questions(ctx: Context) -> QuestionFile:
    """Return the owner's questions with where their answers stand; a job `quality` asks them."""
    from holdfast.evaluation.question_file import questions_of

    return questions_of(ctx.workspace)


def put_questions(
    ctx: Context,
    questions: Annotated[list[dict[str, Any]], "All of them: objects with query and path, line or text."],
    expected_hash: Annotated[str, "The hash that was read; '' where there was no file."],
) -> QuestionFile:
    """Put these questions in the place of those that were read."""
    from holdfast.evaluation import question_file

    return question_file.put_questions(ctx.workspace, questions, expected_hash)


def draft_questions(
    memory: Memory, count: Annotated[int, f"How many at the most, 1 to {_MOST_DRAFTS}."] = 20
) -> list[Draft]:
    """Draft questions from the notes, for their owner to choose from; nothing is kept."""
    from holdfast.evaluation.eval_memory import notes_of
    from holdfast.evaluation.question_draft import draft

    check_whole_number("count", count, 1, _MOST_DRAFTS)
    notes = {path: text for path, text in notes_of(memory).items() if path != INBOX and not path.startswith(DREAMS)}
    return draft(notes, count)
