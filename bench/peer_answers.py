"""What a peer answered, as it says it → one shape for all: a note, what was given of it, lines where it names some."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote

__all__ = [
    "Given",
    "given_by_basic_memory",
    "given_by_holdfast",
    "given_by_mcp_memory",
    "given_by_mempalace",
    "given_by_memsearch",
    "given_by_memweave",
    "given_by_qmd",
    "tool_reply",
]

_QMD_SPAN = re.compile(r"@@ -(\d+),(\d+) @@[^\n]*\n?")
_QMD_NUMBER = re.compile(r"^\d+: ", re.MULTILINE)
_QMD_NOTES = "qmd://notes/"


class Given(NamedTuple):
    """One hit of a peer."""

    path: str
    """As the peer names the note: whole, or below the folder that it was given."""
    text: str
    """What it gave of the note."""
    lines: tuple[int, int] | None = None
    """The first and last line that it names; None where it names none."""


def given_by_holdfast(hits: Iterable[Mapping[str, Any]]) -> list[Given]:
    """Hits as `holdfast search --json` shows them."""
    return [Given(hit["path"], hit["snippet"], (hit["start_line"], hit["end_line"])) for hit in hits]


def given_by_qmd(hits: Iterable[Mapping[str, Any]]) -> list[Given]:
    """Results of `POST /query`: the snippet begins with its place, and its server puts a number before every line."""
    found = []
    for hit in hits:
        snippet = _QMD_NUMBER.sub("", str(hit["snippet"]))
        span = _QMD_SPAN.search(snippet)
        lines = None if span is None else (int(span[1]), int(span[1]) + int(span[2]) - 1)
        path = unquote(str(hit["file"])).removeprefix(_QMD_NOTES)
        found.append(Given(path, _QMD_SPAN.sub("", snippet), lines))
    return found


def given_by_basic_memory(reply: Mapping[str, Any]) -> list[Given]:
    """The result of its `search_notes`; it writes to the notes' heads, so what it says of lines would not hold."""
    return [Given(str(hit["file_path"]), str(hit.get("content") or "")) for hit in reply["results"]]


def given_by_memweave(hits: Iterable[Mapping[str, Any]]) -> list[Given]:
    """Chunks with their lines; their text is cut short."""
    return [Given(hit["path"], hit["snippet"], (hit["start_line"], hit["end_line"])) for hit in hits]


def given_by_mcp_memory(hits: Iterable[Mapping[str, Any]]) -> list[Given]:
    """Memories with the file that each was read from."""
    return [Given(hit["source"], hit["content"]) for hit in hits]


def given_by_memsearch(hits: Iterable[Mapping[str, Any]]) -> list[Given]:
    """Chunks with their lines."""
    return [Given(hit["source"], hit["content"], (hit["start_line"], hit["end_line"])) for hit in hits]


def given_by_mempalace(hits: Iterable[Mapping[str, Any]]) -> list[Given]:
    """Drawers with the file that each was mined from."""
    return [Given(hit["source_path"], hit["text"]) for hit in hits]


def tool_reply(content: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What a tool of an MCP server answered, where that is JSON in a text."""
    reply: dict[str, Any] = json.loads("".join(str(part.get("text", "")) for part in content))
    return reply
