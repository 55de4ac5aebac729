"""Cuts a note into chunks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from holdfast.errors import BadArgument
from holdfast.markdown.body import Sizes, measure, sizes_of
from holdfast.markdown.chunk import Chunk, Chunked
from holdfast.markdown.front_matter import front_end, read_front
from holdfast.markdown.lines import blank, skip_blank, split_lines, trim_blank
from holdfast.markdown.outline import Fence, Heading, atx_heading, scan
from holdfast.markdown.overlap import opening_path, to_chunks
from holdfast.markdown.passages import passages
from holdfast.markdown.section_merge import gather
from holdfast.markdown.speakers import Voice, turns
from holdfast.markdown.token_estimate import weight
from holdfast.named_tuple import NamedTuple

if TYPE_CHECKING:
    from holdfast.markdown.fact_row import Category

__all__ = ["split", "split_passages"]


def split(text: str, *, tokens: int = 400, overlap: int = 80, category: Category | None = None) -> Chunked:
    """Cut a note into chunks of about so many tokens; every line with text is in a chunk.

    With a `category` it is cut by entry, and each of its bullets is a fact; what marks it as one is not in the text of
    any chunk. A heading with entries below it is not a chunk then: it stands in their paths.
    """
    note_text = _read_text(text, tokens, 0 if category is not None else overlap)
    lines, begin, end, sizes, front, chunks = note_text
    whole = "\n".join(lines[begin:end])
    if whole and category is None and weight(whole) <= sizes.limit:
        # Most notes are this short: their lines need no weighing, and what stands below the opening no scanning.
        headings = _opening_headings(lines, begin, end)
        chunks.append(Chunk(begin + 1, end, whole, opening_path(lines, headings, begin, end)))
        return Chunked(_title(headings, front), front, tuple(chunks))
    fences: list[Fence] = []
    headings = list(scan(lines, begin, fences))
    if whole:
        body = measure(lines, headings, fences, sizes)
        if category is not None:
            from holdfast.markdown.bullets import facts

            return Chunked(_title(headings, front), front, (*chunks, *facts(body, begin, end, fences, category)))
        chunks += to_chunks(body, gather(body, begin, end))
    return Chunked(_title(headings, front), front, tuple(chunks))


def split_passages(text: str, *, tokens: int = 400, overlap: int = 80, by_hand: bool = False) -> Chunked:
    """Cut a conversation into its turns, and a note kept `by_hand` into its bullets.

    Any other note is cut as `split` does.

    Every line with text is in a passage, but for a heading over bullets of a note that is kept by hand: it stands in
    their paths.
    """
    lines, begin, end, sizes, front, chunks = _read_text(text, tokens, overlap)
    voices = turns(lines, begin, end)
    if not voices and not by_hand:
        return split(text, tokens=tokens, overlap=overlap)
    fences: list[Fence] = []
    headings = list(scan(lines, begin, fences))
    body = measure(lines, headings, fences, sizes)
    cut_pieces = passages(body, begin, end, fences, voices, by_hand=by_hand)
    pieces = to_chunks(body._replace(sizes=sizes._replace(overlap=0)), [passage.piece for passage in cut_pieces])
    chunks += [
        chunk if passage.voice is Voice.UNKNOWN else chunk._replace(voice=passage.voice)
        for chunk, passage in zip(pieces, cut_pieces, strict=True)
    ]
    return Chunked(_title(headings, front), front, tuple(chunks), by_passage=True)


class _NoteText(NamedTuple):
    """A note's lines, where its text begins and ends, and its front matter."""

    lines: Sequence[str]
    begin: int
    end: int
    sizes: Sizes
    front: Mapping[str, str]
    chunks: list[Chunk]


def _read_text(text: str, tokens: int, overlap: int) -> _NoteText:
    if tokens < 1:
        raise BadArgument("tokens", "a chunk needs at least 1 token")
    if overlap < 0:
        raise BadArgument("overlap", "it can't be less than 0")
    lines = split_lines(text)
    begin = front_end(lines)
    front = read_front(lines, begin) if begin else {}
    chunks: list[Chunk] = []
    if begin and trim_blank(lines, 1, begin - 1) > 1:
        chunks.append(Chunk(1, begin, "\n".join(lines[:begin]), ()))
    begin = skip_blank(lines, begin, len(lines))
    sizes = sizes_of(tokens, overlap)
    return _NoteText(lines, begin, trim_blank(lines, begin, len(lines)), sizes, front, chunks)


def _opening_headings(lines: Sequence[str], begin: int, end: int) -> list[Heading]:
    """Return the headings up to where the title and the first text's path are known."""
    plain = _plain_opening(lines, begin, end)
    if plain is not None:
        return [plain]
    headings: list[Heading] = []
    text = skip_blank(lines, begin, end)
    titled = False
    for heading in scan(lines, begin, []):
        if heading.start > text and titled:
            break
        headings.append(heading)
        titled = titled or (heading.level == 1 and bool(heading.title))
        if heading.start == text:
            text = skip_blank(lines, heading.end, end)
    return headings


def _plain_opening(lines: Sequence[str], begin: int, end: int) -> Heading | None:
    """Return the title of a note that begins with `# title` and text; None in any doubt."""
    if not lines[begin].startswith("# "):
        return None
    title = atx_heading(lines[begin], begin)
    text = skip_blank(lines, begin + 1, end)
    if not title.title or (text < end and lines[text][0] in "# \t"):
        return None
    # A paragraph that is underlined is a heading, however many lines it has.
    while text < end and not blank(lines[text]):
        if not lines[text].strip("=- \t"):
            return None
        text += 1
    return title


def _title(headings: Sequence[Heading], front: Mapping[str, str]) -> str:
    for heading in headings:
        if heading.level == 1 and heading.title:
            return heading.title
    return front.get("title", "") or (headings[0].title if headings else "")
