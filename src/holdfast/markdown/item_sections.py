"""The sections of a note in which a store keeps its items, and its chunks: each item is one, whatever stands beside it.

A section ends with a block of JSON, whose last line tells the store of the item: when it was changed, and the like.
That is nothing to be found, so it is in no chunk. The first block of the note says whose items these are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.markdown.body import sizes_of
from holdfast.markdown.chunk import Chunk, Chunked
from holdfast.markdown.lines import split_lines
from holdfast.markdown.splitter import split
from holdfast.markdown.token_estimate import weight
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

__all__ = ["FENCE", "LAST_LINE", "ItemSection", "item_sections", "split_items"]

FENCE = "```json\n"
LAST_LINE = ' "item": '
"""What the line that tells of an item begins with."""

_NAMESPACE = '"namespace":'
_OPENING = compile_late(r"^```json\n", re.MULTILINE)
_CLOSING = compile_late(r"\n```[ \t]*(?:\n|\Z)")


class ItemSection(NamedTuple):
    """A section by the places of its characters; `block` is where its JSON begins, which is `json`."""

    start: int
    block: int
    end: int
    json: str


def item_sections(text: str) -> list[ItemSection]:
    """Return the sections of a note one after the other; what follows the last block is in none."""
    found: list[ItemSection] = []
    start = 0
    while opening := _OPENING.search(text, start):
        closing = _CLOSING.search(text, opening.end())
        if closing is None:
            break  # none that opens later is closed either, and to look for each would take the square of the time
        found.append(ItemSection(start, opening.start(), closing.end(), text[opening.end() : closing.start()]))
        start = closing.end()
    return found


def split_items(text: str, *, tokens: int = 400, overlap: int = 80) -> Chunked:
    """Cut a note of items into chunks: a section each, and one that is long into several."""
    if "\r" in text:
        text = "\n".join(split_lines(text))
    sections = item_sections(text)
    title = text.partition("\n")[0].removeprefix("# ").strip()
    limit = sizes_of(tokens, overlap).limit
    chunks: list[Chunk] = []
    line, counted = 0, 0
    for start, end in _found_parts(text, sections):
        first = start + len(text[start:end]) - len(text[start:end].lstrip("\n"))
        part = text[first:end].rstrip()
        line += text.count("\n", counted, first)
        counted = first
        if not part:
            continue
        if weight(part) <= limit:
            chunks.append(Chunk(line + 1, line + 1 + part.count("\n"), part, _path(title, part)))
            continue
        for chunk in split(part, tokens=tokens, overlap=overlap).chunks:
            first_line, last_line = chunk.start_line + line, chunk.end_line + line
            chunks.append(Chunk(first_line, last_line, chunk.text, _path(title, part)))
    return Chunked(title, {}, tuple(chunks))


def _found_parts(text: str, sections: list[ItemSection]) -> Iterator[tuple[int, int]]:
    """Yield where the text begins and ends that may be found in each section, and behind the last one."""
    end = 0
    for section in sections:
        end = section.end
        if not section.start and _NAMESPACE in section.json:
            # The title stands in the path of every chunk.
            yield text.find("\n") + 1, section.block
        elif section.json.startswith("{" + LAST_LINE.lstrip()):
            yield section.start, section.block
        else:
            last_line = section.json.rfind("\n" + LAST_LINE)
            yield section.start, section.end if last_line < 0 else section.block + len(FENCE) + last_line
    yield end, len(text)


def _path(title: str, part: str) -> tuple[str, ...]:
    heading = part.partition("\n")[0]
    if heading.startswith("## "):
        return (title, heading[3:].strip())
    return (title,)
