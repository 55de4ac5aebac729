"""A home with questions, as a folder: `notes/` with Markdown files, `questions.jsonl` in the form of one's own
questions, and `set.json` {title, asked}, the day on which they are asked.
"""

from __future__ import annotations

import json
import os
from datetime import UTC, date, datetime, time

from holdfast.errors import NotFound
from holdfast.evaluation.jsonl import text_of
from holdfast.evaluation.own_questions import own_set
from holdfast.evaluation.sets import LabelledSet

__all__ = ["has_note_set", "note_set"]

_NOTES, _QUESTIONS, _ABOUT = "notes", "questions.jsonl", "set.json"


def has_note_set(folder: str) -> bool:
    """Say whether a folder holds such a home."""
    return os.path.isfile(os.path.join(folder, _QUESTIONS)) and os.path.isdir(os.path.join(folder, _NOTES))


def note_set(folder: str) -> LabelledSet:
    """Return the notes and questions of a folder."""
    name = os.path.basename(os.path.normpath(folder))
    about = text_of(os.path.join(folder, _ABOUT), "set", "set")
    try:
        described = json.loads(about)
        title, asked = str(described["title"]), datetime.combine(date.fromisoformat(described["asked"]), time(9), UTC)
    except (ValueError, KeyError, TypeError) as error:
        raise NotFound(f"The set in {folder!r} can't be used: {_ABOUT} has another shape ({error!r}).") from None
    labelled = own_set(text_of(os.path.join(folder, _QUESTIONS), "questions", "question set"), title)
    (own,) = labelled.collections
    place = os.path.join(folder, _NOTES)
    notes = {
        os.path.relpath(os.path.join(parent, file), place).replace(os.sep, "/"): text_of(
            os.path.join(parent, file), "notes", "note"
        )
        for parent, _, files in sorted(os.walk(place))
        for file in sorted(files)
        if file.endswith(".md")
    }
    lost = [gold.path for question in own.questions for gold in question.gold if gold.path and gold.path not in notes]
    if lost:
        raise NotFound(f"The set in {folder!r} can't be used: a question names {lost[0]!r}, which is no note of it.")
    collection = own._replace(name=name, notes=notes, asked=asked.timestamp())
    return labelled._replace(name=name, title=title, collections=(collection,))
