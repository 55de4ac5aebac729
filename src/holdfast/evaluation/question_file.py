"""The owner's questions of an agent, in the home: a file of JSON lines as `holdfast eval run` reads it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from holdfast.errors import BadArgument, HoldfastError
from holdfast.evaluation.own_questions import own_set
from holdfast.guard.paths import readable_path
from holdfast.value import Value

if TYPE_CHECKING:
    from holdfast.notes.workspace import Workspace

__all__ = ["QuestionFile", "file_name", "put_questions", "questions_of"]

_MOST: Final = 2_000
_MOST_BYTES: Final = 1024 * 1024


class QuestionFile(Value):
    """The questions, where they are kept, and the hash of what was read; "" where there is no file yet."""

    path: str
    rows: tuple[Mapping[str, Any], ...]
    hash: str
    missing: tuple[str, ...] = ()
    """Notes that answers are to stand in, and that are not there."""

    def to_json(self) -> dict[str, Any]:
        """Return the shape that every surface shows."""
        return {"file": self.path, "hash": self.hash, "questions": [dict(row) for row in self.rows]} | {
            "missing": list(self.missing)
        }

    def text(self) -> str:
        """Return the file as it is read."""
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in self.rows)


def file_name(agent: str) -> str:
    """Return where the questions of an agent are kept below the home."""
    return f"state/{agent}.questions.jsonl"


def questions_of(workspace: Workspace) -> QuestionFile:
    """Return the questions of an agent; a file that can't be used is an error that names the line."""
    name = file_name(workspace.agent)
    data = workspace.read_file(name, _MOST_BYTES)
    if data is None:
        return QuestionFile(name, (), "")
    text = data.decode("utf-8", "replace")
    if text.strip():
        own_set(text, name)
    rows = tuple(json.loads(line) for line in text.split("\n") if line.strip())
    return QuestionFile(name, rows, hashlib.sha256(data).hexdigest(), _missing_notes(workspace, rows))


def put_questions(workspace: Workspace, rows: Sequence[Mapping[str, Any]], expected_hash: str) -> QuestionFile:
    """Put these questions in the place of those that were read; a file that changed meanwhile is left as it is."""
    if len(rows) > _MOST:
        raise BadArgument("questions", f"there are {len(rows):,}; {_MOST:,} is the most")
    made = QuestionFile(file_name(workspace.agent), tuple(rows), "")
    text = made.text()
    if rows:
        own_set(text, made.path)
    data = text.encode("utf-8", "surrogatepass")
    if len(data) > _MOST_BYTES:
        raise BadArgument("questions", f"they have {len(data):,} bytes; {_MOST_BYTES:,} is the most")
    workspace.replace_file(made.path, data, expected_hash=expected_hash)
    return made.replace(hash=hashlib.sha256(data).hexdigest(), missing=_missing_notes(workspace, rows))


def _missing_notes(workspace: Workspace, rows: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    paths = dict.fromkeys(path for row in rows if isinstance(path := row.get("path"), str))
    return tuple(path for path in paths if not _is_there(workspace, path))


def _is_there(workspace: Workspace, path: str) -> bool:
    try:
        return workspace.exists(readable_path(path))
    except HoldfastError:
        return False  # no note can have this name
