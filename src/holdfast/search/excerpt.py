"""What of a hit is shown: its passage, cut around the best lines, and where that is short, what stands around it.

The lines that a hit names are those of its passage, from the one that answers on; what is shown with it says what it is
about. Whose words a hit is, is told of every line that it shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest
from typing import NamedTuple, TypeAlias

from holdfast.guard.origin import Origin, weakest_origin
from holdfast.index.sqlite.database import Database
from holdfast.index.sqlite.edition import Edition
from holdfast.index.store_contract import StoredChunk
from holdfast.search.front_matter_hits import is_front
from holdfast.search.inquiry import Inquiry
from holdfast.search.note_groups import Arranged, is_entry
from holdfast.search.origin_balance import whose, whose_lines
from holdfast.search.snippet import LEFT_OUT, best_line, snippet_of

__all__ = ["Around", "Excerpt", "excerpt_of", "surroundings"]

Around: TypeAlias = Mapping[int, Sequence[StoredChunk]]
"""What stands around some passages, by their rows, in the order of its lines."""

_BETWEEN = f"\n{LEFT_OUT}\n"  # passages of one note that are shown together
_SHORT = 160  # characters; a passage that has fewer is shown with what stands around it
_LINES = 6  # how far around it is looked


class Excerpt(NamedTuple):
    """The text that is shown, the lines of the passage from the one that answers on, and whose words are shown.

    `line` is where in the text, from 0, the one that answers stands.
    """

    text: str
    start: int
    end: int
    origin: Origin | None
    line: int


class _Part(NamedTuple):
    """A text that is shown, and the lines it stands on."""

    chunk: StoredChunk
    text: str
    first: int
    last: int


def surroundings(database: Database, edition: Edition | None, best: Sequence[Arranged], inquiry: Inquiry) -> Around:
    """What stands around the short passages among the best hits."""
    short = [] if inquiry.by_passage else [chunk for one in best if _leans(chunk := _found(one))]
    if not short or edition is None:
        return {}
    with database.connection.reading():
        serving = database.serving()
        if serving is None or serving.number != edition.number:  # then rows have other numbers
            return {}
        near = serving.around([chunk.row for chunk in short], _LINES)
    return {chunk.row: [other for other in near if other.path == chunk.path] for chunk in short}


def excerpt_of(one: Arranged, around: Around, inquiry: Inquiry, weights: Mapping[str, float]) -> Excerpt:
    """What is shown of a hit; `weights` say how much each word of the question tells."""
    chunk, size = _found(one), inquiry.settings.snippet_chars
    main = _cut(chunk, inquiry, weights)
    parts, room = [main], size - len(main.text)
    for other in one.chunks:
        need = len(_BETWEEN) + len(other.text)
        apart = all(other.end_line < part.first or part.last < other.start_line for part in parts)
        if apart and need <= room:  # two chunks of a long note share some lines, which are shown once
            parts.append(_whole(other))
            room -= need
    own = weakest_origin({_origin(part) for part in parts})
    parts.extend(_context(main, parts, around.get(chunk.row, ()), own, room, inquiry))
    parts.sort(key=lambda part: (part.first, part.chunk.chunk_id))
    answer = best_line(main.text, inquiry.question.words, weights)
    text, line = _joined(parts, main)
    origin = weakest_origin({_origin(part) for part in parts})
    return Excerpt(text, min(main.first + answer, main.last), main.last, origin, line + answer)


def _found(one: Arranged) -> StoredChunk:
    return next(chunk for chunk in one.chunks if chunk.row == one.standing.fused.row)


def _leans(chunk: StoredChunk) -> bool:
    """Whether a passage says little without what stands around it: a turn or a paragraph of a few words."""
    if chunk.source == "sessions":
        return False  # a message of a transcript is one speaker's, and is shown as that
    return len(chunk.text) < _SHORT and chunk.fact is None and (bool(chunk.voice) or not is_entry(chunk))


def _cut(chunk: StoredChunk, inquiry: Inquiry, weights: Mapping[str, float]) -> _Part:
    """The lines of a passage that are worth showing."""
    snippet = snippet_of(chunk.text, inquiry.question.words, inquiry.settings.snippet_chars, weights)
    # A piece of one long line shares its line number with the other pieces.
    first, last = chunk.start_line, chunk.end_line
    return _Part(chunk, snippet.text, min(first + snippet.first, last), min(first + snippet.last, last))


def _whole(chunk: StoredChunk) -> _Part:
    return _Part(chunk, chunk.text, chunk.start_line, chunk.end_line)


def _context(
    main: _Part,
    parts: Sequence[_Part],
    around: Sequence[StoredChunk],
    own: Origin | None,
    room: int,
    inquiry: Inquiry,
) -> Iterator[_Part]:
    """What stands right after and right before a passage, as far as there is room, in turns.

    It ends at another section, at what the question may not see, and at words that are trusted less: they would make
    the owner's line look like theirs, or theirs like the owner's.
    """
    shown = {part.chunk.chunk_id for part in parts}
    behind = [other for other in around if other.start_line > main.last]
    before = [other for other in reversed(around) if other.end_line < main.first]
    open_ends = [True, True]
    for pair in zip_longest(behind, before):
        for side, other in enumerate(pair):
            if other is None or not open_ends[side] or other.chunk_id in shown:
                continue
            need = len(other.text) + 2
            if need <= room and _belongs(other, main.chunk, inquiry) and weakest_origin({own, whose([other])}) is own:
                room -= need
                yield _whole(other)
            else:
                open_ends[side] = False


def _belongs(other: StoredChunk, chunk: StoredChunk, inquiry: Inquiry) -> bool:
    if other.headings != chunk.headings or other.fact is not None or is_front(other):
        return False
    if inquiry.scope is None or inquiry.scope.is_open:
        return True
    from holdfast.search.scope_filter import allowed

    return allowed(inquiry.scope, other)


def _origin(part: _Part) -> Origin | None:
    return whose_lines([part.chunk], part.first, part.last)


def _joined(parts: Sequence[_Part], main: _Part) -> tuple[str, int]:
    """The parts in the order of their lines, with a sign where lines are left out, and the line (from 0) at which one
    of them begins."""
    text, line = parts[0].text, 0
    for before, part in pairwise(parts):
        gap = part.first - before.last
        near = 0 < gap <= 2 and part.chunk.headings == before.chunk.headings
        text += "\n" * gap if near else _BETWEEN
        if part is main:
            line = text.count("\n")
        text += part.text
    return text, line
