"""The JSON that QMD answers with → where its hits stand; anything else is a failure that says what was wrong."""

from __future__ import annotations

import json
import math
import re
from typing import Any
from urllib.parse import unquote

from holdfast.errors import BadAnswer
from holdfast.named_tuple import NamedTuple

__all__ = ["Place", "question_line", "read_hits", "read_output"]

_ADDRESS = "qmd://"
_SPAN = re.compile(r"(?:\d+: )?@@ -(\d{1,9})(?:,(\d{1,9}))? @@")
_LONGEST = 2000  # characters of a question; QMD expands a sentence, and no letter
# A question that begins so would be read as a query document of QMD's own kind.
_TYPED = re.compile(r"^(?:lex|vec|hyde|intent|expand)\s*:", re.IGNORECASE)


class Place(NamedTuple):
    """A hit: its collection, the path below that, the lines it may be on, best first, and what QMD scores it."""

    collection: str
    path: str
    lines: tuple[int, ...]
    score: float


def question_line(text: str) -> str:
    """A question as QMD takes one: in a line, and nothing but words."""
    line = " ".join(text.split())
    while typed := _TYPED.match(line):
        line = line[typed.end() :].lstrip()
    return line[:_LONGEST].replace("\0", " ")


def read_output(out: bytes) -> list[Place]:
    """The hits that the program has printed; raises BadAnswer where it printed something else."""
    try:
        return read_hits(json.loads(out.decode("utf-8")))
    except (ValueError, RecursionError):
        raise BadAnswer("qmd", "its answer is not JSON") from None


def read_hits(answer: object, *, quoted: bool = False) -> list[Place]:
    """The hits of an answer, in their order; the server writes paths with percent signs, the program does not."""
    if not isinstance(answer, list) or not all(isinstance(row, dict) for row in answer):
        raise BadAnswer("qmd", "its answer is no list of hits")
    return [place for row in answer if (place := _place(row, quoted=quoted)) is not None]


def _place(hit: dict[str, Any], *, quoted: bool) -> Place | None:
    file, score, line = hit.get("file"), hit.get("score"), hit.get("line")
    if not isinstance(file, str):
        raise BadAnswer("qmd", "a hit of its answer names no file")
    collection, slash, path = file.removeprefix(_ADDRESS).partition("/")
    if quoted:
        path = unquote(path)
    if not slash or not path or "\0" in path or any(part in ("", ".", "..") for part in path.split("/")):
        return None
    if isinstance(score, (int, float)) and math.isfinite(score):
        value = float(score)
    else:
        value = 0.0
    if isinstance(line, int) and line > 0:
        lines = [line]
    else:
        lines = []
    span = None
    if isinstance(hit.get("snippet"), str):
        span = _SPAN.match(hit["snippet"])
    if span is not None:
        first = int(span[1])
        lines += range(first, first + min(int(span[2] or 1), 100))
    return Place(collection, path, tuple(dict.fromkeys(lines)), min(1.0, max(0.0, value)))
