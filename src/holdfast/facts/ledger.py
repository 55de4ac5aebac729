"""The bytes of one note of facts → its facts; and the same bytes with one of them added, marked, struck or removed.

Every other byte stays: a byte order mark, the kind of line ends, headings and words between the bullets, their order.
A fact is named by the line it stands on where its id is not enough: one that was copied and pasted has two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from holdfast.errors import BadArgument, TextNotFound
from holdfast.facts.fact import KEPT, LONGEST, Fact
from holdfast.guard.text_rules import BOM, decode, keep_bom
from holdfast.markdown.body import Sizes, measure
from holdfast.markdown.entries import Start
from holdfast.markdown.fact_lines import at_margin, fact_starts
from holdfast.markdown.fact_mark import Mark, lines_to_mark, read, read_entry, write
from holdfast.markdown.fact_row import (
    Category,
    bullet_words,
    category_of,
    fact_of,
    is_struck,
    strike,
    unstrike,
    without_comments,
)
from holdfast.markdown.fact_tail import stands_alone
from holdfast.markdown.front_matter import front_end
from holdfast.markdown.lines import blank, split_lines, trim_blank
from holdfast.markdown.list_item import BULLET, ITEM_SIGN
from holdfast.markdown.outline import Fence, scan
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

__all__ = [
    "Edit",
    "Entry",
    "add_bullet",
    "bullet_lines",
    "change_mark",
    "edited",
    "end_of",
    "entries",
    "facts_in",
    "left_of",
    "plain",
    "remove_bullet",
]

_OPENS: Final = compile_late(rf"(?:{ITEM_SIGN}|#{{1,6}})(?:[ \t]|$)")  # a bullet or a heading
_ENDS: Final = compile_late(r"\r\n|\n|\r")
_KEPT_ENTRIES: Final = 8192  # a note is read again after each change of it, and nearly all of its bullets are the same
_KEPT_NOTES: Final = 16  # what one store reads several times over: the notes as they are, and as they become
_NO_SIZES: Final = Sizes(1, 1, 0, 0)  # nothing is cut here, so nothing needs weighing
_CATEGORIES: Final = {category.value: category for category in KEPT}


class Entry(NamedTuple):
    """A bullet of a note, from its first line to the one after its last; `bare` is its text as the index has it."""

    fact: Fact
    mark: Mark | None
    start: int
    end: int
    words: str
    """Its first line without the mark."""
    below: tuple[str, ...]
    """Its other lines, without one that held nothing but the mark."""
    bare: str


class Edit(NamedTuple):
    """Holds what a fact gets: another mark, or none; a strike or not; other lines. None leaves those as they are."""

    mark: Mark | None
    struck: bool | None = None
    below: tuple[str, ...] | None = None
    words: str | None = None


def entries(data: bytes | None, path: str) -> tuple[Entry, ...]:
    """Return the facts of a note, in their order, with where they stand; none where the note is not one of facts."""
    category = category_of(path)
    if data and category is not None:
        return _read(data, path, category)
    return ()


@lru_cache(maxsize=_KEPT_NOTES)
def _read(data: bytes, path: str, category: Category) -> tuple[Entry, ...]:
    lines = split_lines(decode(data))
    begin = front_end(lines)
    fences: list[Fence] = []
    headings = list(scan(lines, begin, fences))
    end = trim_blank(lines, begin, len(lines))
    begins = fact_starts(measure(lines, headings, fences, _NO_SIZES), begin, end, fences)
    found: list[Entry] = []
    for start, after in pairwise([*begins, Start(end, 0)]):
        if start.bullet:
            entry = _entry(lines, start.line, trim_blank(lines, start.line, after.line), category, path)
            if entry is not None:
                found.append(entry)
    return tuple(found)


@lru_cache(maxsize=_KEPT_ENTRIES)
def _read_entry(text: str) -> tuple[str, Mark | None]:
    return read_entry(text)


def facts_in(data: bytes | None, path: str) -> list[Fact]:
    """Return the same, only what they say."""
    return [entry.fact for entry in entries(data, path)]


def plain(text: str) -> str:
    """Return a text as one bullet can hold it: in one line, without a mark, a comment, a bullet or a strike.

    Text from elsewhere must not say where it comes from: whoever takes it in does.
    """
    text = " ".join(text.split())
    while True:
        bare = without_comments(bullet_words(f"- {BULLET.sub('', read(text).words, count=1)}")).strip()
        if bare == text:
            return text
        text = bare


def add_bullet(data: bytes | None, path: str, text: str, mark: Mark) -> bytes:
    """Return the note with one more bullet at its end."""
    if not text or len(text) > LONGEST or text != plain(text):
        raise BadArgument("text", f"it must be one line of at most {LONGEST:,} characters that says something")
    line = write(f"- {text}", mark)
    below = f"{line}\n".encode()
    if (
        data
        and stands_alone(data, below)
        and [(entry.mark, entry.fact.text) for entry in entries(below, path)] == [(mark, text)]
    ):
        return data + below
    before = entries(data, path)
    # An unclosed fence takes all that follows for code: then the bullet stands above it.
    for new, place in ((_at_end(data, line, bool(before)), -1), (_at_start(data, line), 0)):
        after = list(entries(new, path))
        own = None
        if after:
            own = after.pop(place)
        if own is not None and (own.mark, own.fact.text) == (mark, text) and _same(before, after):
            return new
    why = f"in {path} it would not be a bullet of its own: end the code block there, or say it in plainer words"
    raise BadArgument("text", why)


def change_mark(data: bytes, path: str, line: int, mark: Mark | None, *, struck: bool | None = None) -> bytes:
    """Return the note with another mark on the fact that begins at this line (counted from 1), struck or not."""
    return edited(data, path, {line: Edit(mark, struck)})


def remove_bullet(data: bytes, path: str, line: int) -> bytes:
    """Return the note without the fact that begins at this line, its nested lines and its mark."""
    return edited(data, path, {line: None})


def edited(data: bytes, path: str, edits: Mapping[int, Edit | None]) -> bytes:
    """Return the note with all of this done to the facts that begin at these lines; None removes one.

    In one go: reading the note again for each of thousands would take minutes.
    """
    known = {entry.fact.line: entry for entry in entries(data, path)}
    lines, ends = _lines(data)
    eol = end_of(data).decode()
    # From the end, so that the lines of those still to come stay what they are.
    for line in sorted(edits, reverse=True):
        entry, edit = known.get(line), edits[line]
        if entry is None:
            raise TextNotFound(path)
        if edit is None:
            _remove(lines, ends, entry)
        else:
            _change(lines, ends, entry, edit, eol)
    return _join_lines(data, lines, ends)


def bullet_lines(first: str, below: Sequence[str], mark: Mark | None) -> list[str]:
    """Return the lines of a bullet with its mark.

    It stands behind the first one; where others at the margin belong to it, behind the last of these, as it would cut
    them off.
    """
    lines = [first, *below]
    at = max((number for number, line in enumerate(below, 1) if at_margin(line)), default=0)
    if at:
        at += lines_to_mark("\n".join(lines[at + 1 :]))  # what looks like one below it would count before it
    lines[at] = write(lines[at], mark)
    return lines


def left_of(data: bytes) -> bytes | None:
    """Return a note from which something was taken; None where nothing is left of it."""
    if data.removeprefix(BOM).strip():
        return data
    return None


def _change(lines: list[str], ends: list[str], entry: Entry, edit: Edit, eol: str) -> None:
    first, below = entry.words, entry.below
    if edit.words is not None:
        first = edit.words
    if edit.below is not None:
        below = edit.below
    if edit.struck is not None and edit.struck != is_struck(first):
        first = strike(first) if edit.struck else unstrike(first)
    # A line that goes with the mark must not leave a gap: what stands below would no longer belong to the bullet.
    made = bullet_lines(first, below, edit.mark)
    more = len(made) - (entry.end - entry.start)
    lines[entry.start : entry.end] = made
    ends[entry.start : entry.start + max(0, -more)] = [eol] * more


def _remove(lines: list[str], ends: list[str], entry: Entry) -> None:
    start, end = entry.start, entry.end
    apart = start == 0 or blank(lines[start - 1])
    if end < len(lines) and not apart and at_margin(lines[end]) and not _OPENS.match(lines[end]):
        # What somebody wrote below it must not become a part of what stands above it.
        lines[start:end], ends[start:end] = [""], ends[end - 1 : end]
        return
    if apart and end < len(lines) - 1 and blank(lines[end]):
        end += 1  # the gap below, where there is one above already
    del lines[start:end], ends[start:end]


def _entry(lines: Sequence[str], start: int, end: int, category: Category, path: str) -> Entry | None:
    words, mark = _read_entry("\n".join(lines[start:end]))
    first, *rest = words.split("\n")
    below = tuple(
        bare for bare, line in zip(rest, lines[start + 1 : end], strict=True) if not blank(bare) or blank(line)
    )
    row = fact_of(category, first, mark)
    if row is None:
        return None
    whole = "\n".join((bullet_words(first).strip(), *(line.rstrip() for line in below if not blank(line))))
    text = without_comments(whole)
    archived = category is Category.ARCHIVE
    own, held = category, mark or Mark()
    if archived:
        own = _CATEGORIES.get(held.category, Category.OTHER)
    fact = Fact(
        row.id,
        text,
        own,
        row.importance,
        row.origin,
        row.observed,
        row.valid_from,
        row.valid_until,
        held.session,
        held.message,
        held.supersedes,
        row.superseded_by,
        held.reinforced,
        row.reinforced_on,
        held.rule,
        path,
        start + 1,
        row.superseded,
        mark is not None,
        archived,
        held.restored,
        whole if whole != text else "",
    )
    return Entry(fact, mark, start, end, first, below, words)


def _same(before: Sequence[Entry], after: Sequence[Entry]) -> bool:
    shown: Callable[[Entry], object] = lambda entry: (entry.mark, entry.bare)  # noqa: E731 - said twice below
    return list(map(shown, before)) == list(map(shown, after))


def _lines(data: bytes) -> tuple[list[str], list[str]]:
    """Return the lines of a note, and what ends each; the last one is ended by nothing."""
    text = data.decode("utf-8").removeprefix("\ufeff")
    return _ENDS.split(text), [*_ENDS.findall(text), ""]


def _join_lines(data: bytes, lines: Sequence[str], ends: Sequence[str]) -> bytes:
    text = "".join(line + end for line, end in zip(lines, ends, strict=True))
    return keep_bom(data, text.encode("utf-8"))


def end_of(data: bytes) -> bytes:
    """Return what ends the lines of a note."""
    if b"\r\n" in data:
        return b"\r\n"
    return b"\n"


def _at_end(data: bytes | None, line: str, below_a_bullet: bool) -> bytes:
    if not data or not data.removeprefix(BOM).strip():
        return (data or b"") + line.encode() + end_of(data or b"")
    eol = end_of(data)
    gap = eol
    if data.endswith((b"\n", b"\r")):
        gap = b""
    last = data.rstrip().rpartition(b"\n")[2]
    # Below words or a heading of somebody's own a list begins with a gap, as a person would write it.
    if not (below_a_bullet and last.lstrip()[:1] in (b"-", b"*", b"+")) and not (data + gap).endswith(eol + eol):
        gap += eol
    return data + gap + line.encode() + eol


def _at_start(data: bytes | None, line: str) -> bytes:
    if not data:
        return line.encode() + b"\n"
    lines, ends = _lines(data)
    at = front_end(lines)
    eol = end_of(data).decode()
    # What stands there now must not become a part of the bullet.
    lines[at:at], ends[at:at] = [line, ""], [eol, eol]
    return _join_lines(data, lines, ends)
