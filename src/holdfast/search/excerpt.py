"""Tell what of a hit is shown: its passage, cut around the best lines, and where that is short, what stands around it.

The lines that a hit names are those of its passage, from the one that answers on; what is shown with it says what it is
about. Whose words a hit is, is told of every line that it shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest
from typing import TypeAlias

from holdfast.guard.origin import Origin, weakest_origin
from holdfast.index.sqlite.database import Database
from holdfast.index.sqlite.edition import Edition
from holdfast.index.store_contract import StoredChunk, Word
from holdfast.named_tuple import NamedTuple
from holdfast.search.front_matter_hits import is_front
from holdfast.search.inquiry import Inquiry
from holdfast.search.note_groups import NoteGroup, is_entry
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


def surroundings(database: Database, edition: Edition | None, best: Sequence[NoteGroup], inquiry: Inquiry) -> Around:
    """Return what stands around the short passages among the best hits."""
    if inquiry.by_passage:
        short = []
    else:
        short = [chunk for hit in best if _leans(chunk := _found_chunk(hit))]
    if not short or edition is None:
        return {}
    with database.connection.reading():
        serving = database.serving()
        if serving is None or serving.number != edition.number:  # then rows have other numbers
            return {}
        near = serving.around([chunk.row for chunk in short], _LINES)
    return {chunk.row: [neighbour for neighbour in near if neighbour.path == chunk.path] for chunk in short}


def excerpt_of(
    arranged: NoteGroup, around: Around, inquiry: Inquiry, near_words: Sequence[Word], weights: Mapping[str, float]
) -> Excerpt:
    """Return what is shown of a hit; `weights` say how much each word of the question, or near one, tells."""
    chunk, size = _found_chunk(arranged), inquiry.settings.snippet_chars
    # What was found by a word that the question only comes near to is to be shown there.
    words = (*inquiry.question.words, *near_words)
    main = _cut(chunk, words, size, weights)
    parts, room = [main], size - len(main.text)
    for passage in arranged.chunks:
        need = len(_BETWEEN) + len(passage.text)
        apart = all(passage.end_line < part.first or part.last < passage.start_line for part in parts)
        if apart and need <= room:  # two chunks of a long note share some lines, which are shown once
            parts.append(_whole(passage))
            room -= need
    own = weakest_origin({_origin(part) for part in parts})
    parts.extend(_context(main, parts, around.get(chunk.row, ()), own, room, inquiry))
    parts.sort(key=lambda part: (part.first, part.chunk.chunk_id))
    answer = best_line(main.text, words, weights)
    text, line = _join_parts(parts, main)
    origin = weakest_origin({_origin(part) for part in parts})
    return Excerpt(text, min(main.first + answer, main.last), main.last, origin, line + answer)


def _found_chunk(arranged: NoteGroup) -> StoredChunk:
    return next(chunk for chunk in arranged.chunks if chunk.row == arranged.candidate.fused.row)


def _leans(chunk: StoredChunk) -> bool:
    """Say whether a passage says little without what stands around it: a turn or a paragraph of a few words."""
    if chunk.source == "sessions":
        return False  # a message of a transcript is one speaker's, and is shown as that
    return len(chunk.text) < _SHORT and chunk.fact is None and (bool(chunk.voice) or not is_entry(chunk))


def _cut(chunk: StoredChunk, words: Sequence[Word], size: int, weights: Mapping[str, float]) -> _Part:
    """Return the lines of a passage that are worth showing."""
    snippet = snippet_of(chunk.text, words, size, weights)
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
    """Yield what stands right after and right before a passage, as far as there is room, in turns.

    It ends at another section, at what the question may not see, and at words that are trusted less: they would make
    the owner's line look like theirs, or theirs like the owner's.
    """
    shown = {part.chunk.chunk_id for part in parts}
    behind = [chunk for chunk in around if chunk.start_line > main.last]
    before = [chunk for chunk in reversed(around) if chunk.end_line < main.first]
    open_ends = [True, True]
    for pair in zip_longest(behind, before):
        for side, neighbour in enumerate(pair):
            if neighbour is None or not open_ends[side] or neighbour.chunk_id in shown:
                continue
            need = len(neighbour.text) + 2
            if (
                need <= room
                and _belongs(neighbour, main.chunk, inquiry)
                and weakest_origin({own, whose([neighbour])}) is own
            ):
                room -= need
                yield _whole(neighbour)
            else:
                open_ends[side] = False


def _belongs(neighbour: StoredChunk, chunk: StoredChunk, inquiry: Inquiry) -> bool:
    if neighbour.headings != chunk.headings or neighbour.fact is not None or is_front(neighbour):
        return False
    if inquiry.scope is None or inquiry.scope.is_open:
        return True
    from holdfast.search.scope_filter import allowed

    return allowed(inquiry.scope, neighbour)


def _origin(part: _Part) -> Origin | None:
    return whose_lines([part.chunk], part.first, part.last)


def _join_parts(parts: Sequence[_Part], main: _Part) -> tuple[str, int]:
    """Return the parts in the order of their lines, and the line (from 0) at which one of them begins.

    A sign stands where lines are left out.
    """
    text, line = parts[0].text, 0
    for before, part in pairwise(parts):
        gap = part.first - before.last
        near = 0 < gap <= 2 and part.chunk.headings == before.chunk.headings
        if near:
            text += "\n" * gap
        else:
            text += _BETWEEN
        if part is main:
            line = text.count("\n")
        text += part.text
    return text, line
