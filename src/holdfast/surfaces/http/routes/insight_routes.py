"""The routes of insight: the runs of dreaming, the owner's questions, and the map of notes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

from holdfast.dreaming.report import FOLDER as DREAMS
from holdfast.errors import BadArgument
from holdfast.guard.paths import INBOX
from holdfast.memory import Memory
from holdfast.surfaces.http.dream_history import dream_runs

if TYPE_CHECKING:
    from holdfast.embeddings.embedder import SpaceKey

_MOST_RUNS = 200
_MOST_DRAFTS = 200


def list_runs(
    memory: Memory,
    limit: Annotated[int, f"How many, 1 to {_MOST_RUNS}."] = 30,
    before: Annotated[str | None, "Only runs older than this one."] = None,
) -> dict[str, Any]:
    """The runs of dreaming that changed a note, newest first: what each changed and why, and whether it was undone."""
    if not 1 <= limit <= _MOST_RUNS:
        raise BadArgument("limit", f"{limit} is not between 1 and {_MOST_RUNS}")
    return {"runs": [run.to_json() for run in dream_runs(memory, limit, before)]}


def questions(memory: Memory) -> dict[str, Any]:
    """The owner's questions with where their answers stand; a job `quality` asks them."""
    from holdfast.evaluation.question_file import questions_of

    return questions_of(memory.ctx.workspace).to_json()


def put_questions(
    memory: Memory,
    questions: Annotated[list[dict[str, Any]], "All of them: objects with query and path, line or text."],
    expected_hash: Annotated[str, "The hash that was read; '' where there was no file."],
) -> dict[str, Any]:
    """Put these questions in the place of those that were read."""
    from holdfast.evaluation.question_file import put_questions as put

    return put(memory.ctx.workspace, questions, expected_hash).to_json()


def draft_questions(
    memory: Memory, count: Annotated[int, f"How many at the most, 1 to {_MOST_DRAFTS}."] = 20
) -> dict[str, Any]:
    """Questions drafted from the notes, for their owner to choose from; nothing is kept."""
    from holdfast.evaluation.eval_memory import notes_of
    from holdfast.evaluation.question_draft import draft

    if not 1 <= count <= _MOST_DRAFTS:
        raise BadArgument("count", f"{count} is not between 1 and {_MOST_DRAFTS}")
    notes = {path: text for path, text in notes_of(memory).items() if path != INBOX and not path.startswith(DREAMS)}
    return {"questions": [question.to_json() for question in draft(notes, count)]}


def show_map(memory: Memory) -> dict[str, Any]:
    """Return where notes lie by meaning: a point a note, and groups with names; made from the vectors of the index."""
    from holdfast.context.index_repair import heal_once
    from holdfast.index.note_map import NoteMap, note_map

    ctx = memory.ctx
    space = _serving_space(memory)
    if space is None:
        if ctx.chain is None:
            why = "Vectors are switched off (memory.disable_rag)."
        else:
            why = "Nothing is indexed yet."
        return NoteMap(because=why).to_json()
    return heal_once(ctx, lambda: note_map(ctx.database.vectors(space))).to_json()


def _serving_space(memory: Memory) -> SpaceKey | None:
    """The space that answers searches; a look must not begin one."""
    ctx = memory.ctx
    if ctx.chain is None or not os.path.exists(ctx.index_path):
        return None
    known = ctx.database.spaces()
    return next((space for link in ctx.chain.links if (space := link.known_space()) in known), None)
