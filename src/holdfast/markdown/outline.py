"""Finds the headings and the code fences of a note in one pass over its lines.

It is a scanner and no parser: a full Markdown parser takes forty times as long. It follows CommonMark for
headings, fences, paragraphs, lists and quotes at the top level of a note. By design it differs in this:
- a heading inside a list item or a block quote is text, not a heading of the note, and does not end a paragraph
  there if it is underlined;
- a fence inside a list item may stand at any deeper column; a fence inside a block quote is text;
- HTML blocks and link definitions are not known: a `# line` inside an HTML comment is a heading.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from holdfast.markdown.lines import blank, indent_of, skip_blank
from holdfast.named_tuple import NamedTuple

__all__ = ["Fence", "Heading", "atx_heading", "ordered_marker", "scan", "text_at"]

# A title is repeated with every chunk under it: a heading of a megabyte would be stored thousands of times.
_TITLE_CHARS = 200
_CODE_INDENT = 4
_BULLETS = "-*+"
_DIGITS = frozenset("0123456789")
# Any other first character can only begin or go on with a paragraph; this test spares most lines the rest.
_MARKER_CHARACTERS = frozenset("#`~=-*+_>< \t0123456789")


class Heading(NamedTuple):
    """A heading of the note itself."""

    start: int
    """Its first line, counted from 0; a setext heading has several."""
    end: int
    """The line after it."""
    level: int
    title: str


class Fence(NamedTuple):
    """A block of code between fences, fences included."""

    start: int
    end: int


# The kinds of block that a line can begin. Plain numbers: an enum's members are slow to look up in a hot loop.
_TEXT, _HEADING, _UNDERLINE, _FENCE, _RULE, _QUOTE, _HTML, _ITEM = range(8)


def scan(lines: Sequence[str], begin: int, fences: list[Fence]) -> Iterator[Heading]:
    """Yield the headings from line `begin` on, in order.

    The fences passed on the way are added to `fences`.
    """
    paragraph = -1  # where the open paragraph of the top level began
    nested = False  # a paragraph of a list item, a quote or HTML is open: a plain line goes on with it
    item = 0  # the column from which lines belong to the open list item
    at = begin - 1
    while (at := at + 1) < len(lines):
        line = lines[at]
        if not line:
            paragraph, nested = -1, False
            continue
        if line[0] not in _MARKER_CHARACTERS and not line.isspace():
            if paragraph < 0 and not nested:
                paragraph, item = at, 0
            continue
        body = line.lstrip(" \t")
        if blank(body):
            paragraph, nested = -1, False
            continue
        if len(body) == len(line):
            pad = 0
        else:
            pad = indent_of(line)
        if item and pad >= item:
            nested = _atx(body) == 0
            if marker := _fence_marker(body):
                at, nested = _fence_end(lines, at, marker, item, fences) - 1, False
            continue
        if pad >= _CODE_INDENT:
            if paragraph < 0 and not nested:
                item = 0
            continue
        kind = _kind(body, paragraph >= 0)
        if kind == _TEXT or (kind == _HTML and (paragraph >= 0 or nested)):
            if paragraph < 0 and not nested:
                paragraph, item = at, 0
            continue
        if kind == _UNDERLINE:
            yield _setext(lines, paragraph, at)
        paragraph, nested, item = -1, kind == _HTML, 0
        if kind == _HEADING:
            yield atx_heading(body, at)
        elif kind == _QUOTE:
            nested = not blank(body.lstrip("> \t"))
        elif kind == _ITEM:
            item, rest = _item(body, pad)
            nested = bool(rest) and _atx(rest) == 0
            if not rest and at + 1 < len(lines) and blank(lines[at + 1]):
                item = 0  # an item without text ends at a blank line
            body = rest
        if kind in (_FENCE, _ITEM) and (marker := _fence_marker(body)):
            at, nested = _fence_end(lines, at, marker, item, fences) - 1, False


def text_at(lines: Sequence[str], heading_ends: Mapping[int, int], start: int, end: int) -> int:
    """Return the first line from `start` on that is neither blank nor a heading, or `end`."""
    while (start := skip_blank(lines, start, end)) < end and start in heading_ends:
        start = heading_ends[start]
    return min(start, end)


def ordered_marker(body: str) -> int:
    """The width of a marker such as `1.` or `12)` at the start of a line, or 0."""
    digits = 0
    # Nine digits at most, as in CommonMark: browsers overflow beyond.
    for char in body[:10]:
        if char not in _DIGITS:
            break
        digits += 1
    if 0 < digits <= 9 and body[digits : digits + 1] in (".", ")"):
        return digits + 1
    return 0


def _kind(body: str, in_paragraph: bool) -> int:
    first = body[0]
    if first == "#":
        return _HEADING if _atx(body) else _TEXT
    if first in "`~":
        return _FENCE if _fence_marker(body) else _TEXT
    if in_paragraph and first in "=-" and not body.rstrip().strip(first):
        return _UNDERLINE
    if first in "-*_" and _rule(body, first):
        return _RULE
    if first == ">":
        return _QUOTE
    if first == "<":
        return _HTML
    width = _marker_width(body)
    if not width:
        return _TEXT
    # Only an item with text, and of the ordered ones only the first, may interrupt a paragraph.
    weak = blank(body[width:]) or (first in _DIGITS and body[: width - 1].lstrip("0") != "1")
    return _TEXT if in_paragraph and weak else _ITEM


def _marker_width(body: str) -> int:
    """The width of the list marker a line begins with, or 0."""
    if body[0] in _BULLETS:
        width = 1
    else:
        width = ordered_marker(body)
    if body[width : width + 1] not in ("", " ", "\t"):
        return 0
    return width


def _item(body: str, pad: int) -> tuple[int, str]:
    """Return the column at which a list item's text begins, and the text."""
    width = _marker_width(body)
    rest = body[width:].lstrip(" \t")
    gap = len(body) - width - len(rest)
    # Five blanks or more after the marker begin code inside the item, whose text column is then one after the marker.
    return pad + width + (gap if rest and gap <= _CODE_INDENT else 1), rest


def _atx(body: str) -> int:
    """The level of the heading that a line is, or 0."""
    hashes = 0
    while hashes < 7 and body[hashes : hashes + 1] == "#":
        hashes += 1
    if hashes < 7 and body[hashes : hashes + 1] in ("", " ", "\t"):
        return hashes
    return 0


def atx_heading(body: str, at: int) -> Heading:
    """The heading that a line with #s is."""
    level = _atx(body)
    title = body[level:].strip()
    opened = title.rstrip("#")
    if not opened or opened[-1] in " \t":
        title = opened.rstrip()
    return Heading(at, at + 1, level, title[:_TITLE_CHARS])


def _setext(lines: Sequence[str], start: int, underline: int) -> Heading:
    if lines[underline].lstrip()[0] == "=":
        level = 1
    else:
        level = 2
    # Every line gives at least a character, so that many lines are enough for the longest title we keep.
    words = [lines[at].strip() for at in range(start, min(underline, start + _TITLE_CHARS))]
    return Heading(start, underline + 1, level, " ".join(words)[:_TITLE_CHARS])


def _rule(body: str, first: str) -> bool:
    """Say whether a line is a thematic break: three or more of one sign, and blanks."""
    if body[-1] not in (first, " ", "\t"):
        return False
    signs = body.count(first)
    return signs >= 3 and signs == len(body) - body.count(" ") - body.count("\t")


def _fence_marker(body: str) -> str:
    """The run of backticks or tildes that opens a fence, or nothing."""
    if not body.startswith(("```", "~~~")):
        return ""
    sign = body[0]
    rest = body.lstrip(sign)
    if sign == "`" and "`" in rest:
        return ""
    return body[: len(body) - len(rest)]


def _fence_end(lines: Sequence[str], start: int, marker: str, item: int, fences: list[Fence]) -> int:
    """The line after the fence that opens at `start`: it is closed, its list item ends, or the note does."""
    sign = marker[0]
    end = len(lines)
    for at in range(start + 1, len(lines)):
        line = lines[at]
        if item and line[:1] not in (" ", "") and line[0] != "\t":
            end = at
            break
        if item and not blank(line) and indent_of(line) < item:
            end = at
            break
        if marker in line and not line.strip(" \t").strip(sign) and (item or indent_of(line) < _CODE_INDENT):
            end = at + 1
            break
    fences.append(Fence(start, end))
    return end
