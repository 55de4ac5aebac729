"""Places that QMD found → hits of our own notes: read back through the workspace, let through by the scope, cut and
cited as every hit is.

Nothing that QMD says of a note is shown: it may have read a file that is none of ours, or an older text of one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import MappingProxyType

from holdfast.errors import HoldfastError
from holdfast.guard.origin import Origin
from holdfast.guard.text_rules import decode
from holdfast.index.sqlite.database import Database
from holdfast.index.sqlite.edition import Edition
from holdfast.index.store_contract import StoredChunk
from holdfast.named_tuple import NamedTuple
from holdfast.notes.workspace import Workspace
from holdfast.qmd.collection import SESSIONS, Collection, outside_file
from holdfast.qmd.qmd_wire import Place
from holdfast.search.candidate import Candidate
from holdfast.search.excerpt import surroundings
from holdfast.search.fusion import Fused, Leg
from holdfast.search.hit import Hit
from holdfast.search.inquiry import Candidates, Inquiry
from holdfast.search.note_groups import NoteGroup
from holdfast.search.null_distribution import Null
from holdfast.search.retrieval import Retrieval
from holdfast.search.scope_filter import allowed
from holdfast.search.search_pipeline import hits_of
from holdfast.settings.qmd_paths import OUTSIDE

__all__ = ["Shelves", "note_hits", "read_outside"]

_AHEAD = 200  # lines that are looked through for a passage where QMD's own line is in none: headings, empty lines


class Shelves(NamedTuple):
    """The shelves that notes are read from: the workspace, QMD's collections, and how long a passage is."""

    workspace: Workspace
    collections: Sequence[Collection]
    tokens: int
    overlap: int


def note_hits(database: Database, shelves: Shelves, inquiry: Inquiry, places: Sequence[Place]) -> tuple[Hit, ...]:
    """The hits that may be shown, in QMD's order, each note once; no more than the inquiry wants."""
    passages: dict[int, tuple[StoredChunk, float]] = {}
    with database.connection.reading():
        edition = database.serving()
        for chunk, score in _passages(edition, shelves, places):
            if len(passages) < inquiry.limit and _is_open(inquiry, chunk):
                passages.setdefault(chunk.row, (chunk, score))
    candidates = [Candidate(score, Fused(row, 0.0, None, None), {"qmd": score}) for row, (_, score) in passages.items()]
    found = Candidates(candidates, {row: chunk for row, (chunk, _) in passages.items()})
    best = [NoteGroup(candidate, (found.chunks[candidate.fused.row],)) for candidate in candidates]
    nothing = Retrieval([], [Leg("text", 1.0, {}, {}, ())], by_vectors=False)
    around = surroundings(database, edition, best, inquiry)
    hits = hits_of(best, found, nothing, Null(by_vectors=False), around, inquiry)
    return tuple(map(_without_confidence, hits))


def _without_confidence(hit: Hit) -> Hit:
    """QMD's score is no probability, and 0 may be a true hit: none is marked as unlikely, and its score is kept."""
    return hit.replace(
        confidence=hit.score, likely=True, explain=MappingProxyType({"qmd": hit.score, "score": hit.score})
    )


def _is_open(inquiry: Inquiry, chunk: StoredChunk) -> bool:
    if inquiry.scope is None or inquiry.scope.is_open:
        return True
    if chunk.path.startswith(f"{OUTSIDE}{SESSIONS}/"):  # what was said in other conversations, however it is called
        chunk = chunk._replace(path=chunk.path.removeprefix(OUTSIDE))
    return allowed(inquiry.scope, chunk)


def _passages(
    edition: Edition | None, shelves: Shelves, places: Sequence[Place]
) -> Iterator[tuple[StoredChunk, float]]:
    """The passage that each place is in, of those that can be read; a score never rises."""
    known = {collection.name: collection for collection in shelves.collections}
    least, number = 1.0, 0
    seen: set[str] = set()
    for place in places:
        collection = known.get(place.collection)
        if collection is None:
            path = ""
        else:
            path = collection.path_of(place.path)
        if not path or path in seen:
            continue
        seen.add(path)
        number -= 1
        outside = path.startswith(OUTSIDE)
        if outside:
            chunk = _file_passage(shelves, path, place, number)
        else:
            chunk = _indexed_passage(edition, shelves, path, place)
        if chunk is not None:
            least = min(least, place.score)
            yield chunk, least


def _indexed_passage(edition: Edition | None, shelves: Shelves, path: str, place: Place) -> StoredChunk | None:
    """The passage of a note of ours: one that the index has, and that stands in the note as it is now."""
    text = _text(lambda name: shelves.workspace.read(name).data, path)
    if edition is None or text is None:
        return None
    for line in _lines(place, text):
        chunk = edition.chunk_at(path=path, line=line)
        if chunk is not None:
            return chunk if _stands_in(chunk, text) else None
    return None


def _stands_in(chunk: StoredChunk, text: str) -> bool:
    """Say whether a passage is still there, line by line: a fact's text is its line without the mark."""
    return all(line.strip() in text for line in chunk.text.split("\n"))


def _file_passage(shelves: Shelves, path: str, place: Place, number: int) -> StoredChunk | None:
    """The passage of a file that only QMD knows."""
    from holdfast.markdown.chunk_ids import text_hash
    from holdfast.markdown.splitter import split_passages

    text = _text(lambda name: read_outside(shelves, name), path)
    if text is None:
        return None
    cut = split_passages(text, tokens=shelves.tokens, overlap=shelves.overlap)
    wanted = _lines(place, text)
    near = min(cut.chunks, key=lambda chunk: _distance(chunk.start_line, chunk.end_line, wanted), default=None)
    if near is None:
        return None
    is_said = path.startswith(f"{OUTSIDE}{SESSIONS}/")
    return StoredChunk(
        number,
        f"{path}:{near.start_line}",
        text_hash(near.text),
        path,
        "sessions" if is_said else "extra",
        near.start_line,
        near.end_line,
        near.headings,
        near.text,
        title=cut.title,
        origin=Origin.AGENT if is_said else Origin.OUTSIDE,
        voice=near.voice,
    )


def read_outside(shelves: Shelves, path: str) -> bytes:
    """The bytes of `qmd/<collection>/<path>`, by the same door as an extra path: no link is followed."""
    file = outside_file(shelves.collections, path)
    roots = tuple(collection.root for collection in shelves.collections if collection.before.startswith(OUTSIDE))
    return shelves.workspace.beside(roots).read(file or path).data


def _text(read: Callable[[str], bytes], path: str) -> str | None:
    """A note as text; None where it is gone, is none, or can't be read."""
    try:
        return decode(read(path))
    except HoldfastError:
        return None


def _lines(place: Place, text: str) -> Sequence[int]:
    """The lines to look at: those that QMD names, then what follows the first of them."""
    first = place.lines[0] if place.lines else 1
    last = min(text.count("\n") + 1, first + _AHEAD)
    return [*place.lines, *range(first, last + 1)]


def _distance(start: int, end: int, wanted: Sequence[int]) -> tuple[int, int]:
    """Return how far down the wanted lines the first one stands that a passage has."""
    return next((at for at, line in enumerate(wanted) if start <= line <= end), len(wanted)), start
