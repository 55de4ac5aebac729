"""The shapes in which the same rows are written as notes: what is found depends on it more than on the set.

`bullets`: a bullet a row, one line each, in `memory/sessions`. `daily`: the same right below `memory`. `paragraphs`: a
paragraph a row there, `**Name**: …`, with the line ends it has. `replies`: the same with a long reply about something
else after each row, on one line; `chat`: with its own line ends, headings and lists. `notes`: a note a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import cycle

from holdfast.evaluation.sets import one_line
from holdfast.guard.paths import EXPORTS
from holdfast.named_tuple import NamedTuple

__all__ = ["Page", "Row", "Shape", "Written", "gold_places", "write_pages"]

_FENCE = "```"
_REPLIER = "Assistant"


class Shape(StrEnum):
    """The shape in which rows become notes."""

    BULLETS = "bullets"
    DAILY = "daily"
    PARAGRAPHS = "paragraphs"
    REPLIES = "replies"
    CHAT = "chat"
    NOTES = "notes"

    @property
    def folder(self) -> str:
        """Return where the notes lie: an export of a conversation is one of bullets."""
        if self is not Shape.BULLETS:
            return "memory"
        return EXPORTS.rstrip("/")

    @property
    def has_replies(self) -> bool:
        """True if a long reply follows each row."""
        return self in (Shape.REPLIES, Shape.CHAT)

    @property
    def is_list(self) -> bool:
        """True if a row is a bullet."""
        return self in (Shape.BULLETS, Shape.DAILY)


class Row(NamedTuple):
    """One possible answer: what was said or written, and by whom where that is known."""

    id: str
    text: str
    speaker: str = ""


class Page(NamedTuple):
    """Rows that belong into one note."""

    path: str
    heading: str
    """Without its mark; "" where there is none."""
    rows: tuple[Row, ...]


class Written(NamedTuple):
    """Notes, and where each row stands in them."""

    notes: dict[str, str]
    turns: dict[str, dict[int, int]]
    places: dict[str, tuple[str, int, int]]
    """The path and the lines of each row, by its id."""


def write_pages(pages: Iterable[Page], shape: Shape, replies: Sequence[str] = ()) -> Written:
    """Return the notes in this shape; replies are dealt out in turn, the same every time."""
    written = Written({}, {}, {})
    further = cycle(replies)
    for page in _split(pages) if shape is Shape.NOTES else pages:
        if page.heading:
            lines = [f"# {page.heading}", ""]
        else:
            lines = []
        turns: dict[int, int] = {}
        for row, piece in _pieces(page, shape, further):
            first = len(lines) + 1
            lines += piece
            turns[first] = len(lines)
            if row is not None:
                written.places[row.id] = (page.path, first, len(lines))
            if not shape.is_list:
                lines.append("")
        written.notes[page.path] = "\n".join(lines).rstrip("\n") + "\n"
        written.turns[page.path] = turns
    return written


def _split(pages: Iterable[Page]) -> Iterator[Page]:
    for page in pages:
        stem = page.path.removesuffix(".md")
        yield from (Page(f"{stem}-{number:03}.md", "", (row,)) for number, row in enumerate(page.rows, 1))


def _pieces(page: Page, shape: Shape, replies: Iterator[str]) -> Iterator[tuple[Row | None, list[str]]]:
    for row in page.rows:
        name = ""
        if row.speaker:
            name = f"**{one_line(row.speaker)}**: "
        if shape.is_list:
            yield row, [f"- {name}{one_line(row.text)}"]
            continue
        yield row, _paragraph(name, row.text)
        if shape.has_replies:
            reply = next(replies)
            yield None, _paragraph(f"**{_REPLIER}**: ", reply if shape is Shape.CHAT else one_line(reply))


def _paragraph(name: str, text: str) -> list[str]:
    """Return the lines of a row as they are.

    A fence that it leaves open would swallow the rows after it, and is closed.
    """
    lines = f"{name}{text.strip()}".splitlines() or [name.strip()]
    if sum(line.lstrip().startswith(_FENCE) for line in lines) % 2:
        lines.append(_FENCE)
    return lines


def gold_places(ids: Iterable[str], places: Mapping[str, tuple[str, int, int]]) -> tuple[tuple[str, int, int], ...]:
    """Return where the rows of these ids stand, each once; ids that there are not are left out."""
    return tuple(dict.fromkeys(places[name] for name in ids if name in places))
