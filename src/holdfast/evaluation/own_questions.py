"""The user's own questions: lines of JSON, each with a query and where in the notes its answer stands.

{"query": "when do we launch?", "path": "memory/plans.md", "line": 12, "category": "dates"}

`path` alone is satisfied by any hit in that note; `line` (one, or the first and the last in a list) by a hit that
shows it; `text`, with or without a path, by a hit in whose snippet the text stands. Lines with the same query are one
question with several answers. One with `"unanswerable": true` and no place has no answer in the notes: nothing should
be found, or what is found be marked as unlikely.
"""

from __future__ import annotations

import json
import os
from typing import Any

from holdfast.errors import BadArgument
from holdfast.evaluation.jsonl import text_of
from holdfast.evaluation.sets import Collection, Gold, LabelledSet, Level, Question, one_line

__all__ = ["own_set", "read_own"]

_KEYS = ("query", "path", "line", "text", "category", "unanswerable")


def read_own(path: str) -> LabelledSet:
    """Return the questions of a file."""
    drafts = "`holdfast eval make` drafts one from your notes."
    return own_set(text_of(path, "questions", "question set", missing=drafts), os.path.basename(path))


def own_set(text: str, title: str) -> LabelledSet:
    """Return the questions of a text of JSON lines; a line that can't be used is an error that names it."""
    questions: dict[str, Question] = {}
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if line.strip():
            question = _question(line, f"line {number}")
            before = questions.get(question.text)
            if before is not None:
                question = before._replace(gold=tuple(dict.fromkeys((*before.gold, *question.gold))))
            questions[question.text] = question
    if not questions:
        raise BadArgument("questions", f"there are none in {title!r}")
    collection = Collection("own", {}, tuple(questions.values()))
    return LabelledSet("own", title, (collection,), (Level.LINE, Level.NOTE))


def _question(line: str, where: str) -> Question:
    try:
        read: Any = json.loads(line)
    except (ValueError, RecursionError):
        raise BadArgument("questions", f"{where} is not JSON") from None
    if not isinstance(read, dict):
        raise BadArgument("questions", f"{where} is not a JSON object")
    strange = [str(key) for key in read if key not in _KEYS]
    if strange:
        raise BadArgument("questions", f"{where} has {', '.join(strange)}; the keys are {', '.join(_KEYS)}")
    query = _text(read, "query", where)
    category = "questions"
    if "category" in read:
        category = _text(read, "category", where)
    if read.get("unanswerable") is True:
        if "path" in read or "text" in read or "line" in read:
            raise BadArgument("questions", f"{where} has no answer and says where it stands")
        return Question(query, category, ())
    path = ""
    if "path" in read or "text" not in read:
        path = _text(read, "path", where)
    text = ""
    if "text" in read:
        text = one_line(_text(read, "text", where))
    first, last = (0, 0) if text or "line" not in read else _lines(read["line"], where)
    return Question(query, category, (Gold(path, first, last, text),))


def _text(read: dict[str, Any], key: str, where: str) -> str:
    value = read.get(key)
    if not isinstance(value, str) or not value.strip():
        raise BadArgument("questions", f"{where} needs {key!r}, a text that is not empty")
    return value


def _lines(value: Any, where: str) -> tuple[int, int]:
    if isinstance(value, list):
        pair = value
    else:
        pair = [value, value]
    whole = len(pair) == 2 and all(isinstance(number, int) and not isinstance(number, bool) for number in pair)
    if not whole or not 1 <= pair[0] <= pair[1]:
        raise BadArgument(
            "questions", f"{where}: 'line' is a line number from 1 on, or a list of the first and the last"
        )
    return pair[0], pair[1]
