"""A note and its chunks → the same chunks with whose words each of them is.

A fact says so itself, in its mark. What lies outside the workspace, or where imports go, is whose the place says,
whatever a journal tells. For the rest the checkpoints tell, and only where they name the note at all. The export of a
conversation was written in one go, and holds the words of two: there each turn says who spoke.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from holdfast.checkpoints.blame import BlameReader, KnownBlame
from holdfast.checkpoints.change import Change
from holdfast.guard.origin import Origin, decode_line_origins, encode_line_origins, weakest_origin
from holdfast.guard.paths import EXPORTS, INBOX
from holdfast.guard.text_rules import decode
from holdfast.index.sqlite.origin_rows import StoredOrigins
from holdfast.index.store_contract import ChunkRow
from holdfast.markdown.chunk import Chunk
from holdfast.markdown.fact_row import category_of
from holdfast.markdown.inbox_mark import without_inbox_marks
from holdfast.markdown.splitter import split
from holdfast.named_tuple import NamedTuple
from holdfast.notes.note import Note
from holdfast.notes.workspace import Workspace
from holdfast.pattern import compile_late

__all__ = ["Line", "Whose"]

_IMPORTS: Final = "memory/imports"
_TURN: Final = compile_late(rb"- \*\*(\w+)\*\* \(\d\d:\d\d\): ")
"""How a turn begins in an export; what was said below its first line is indented, so that no text begins another."""

_MOST_FACT_BYTES: Final = 512 * 1024
"""The largest note of facts that is read: cutting it takes 0.3 s, and those that Holdfast writes are far smaller."""


class Line(NamedTuple):
    """Says whose a line is, and the change that brought it; None where that is not known, or no change did."""

    origin: Origin | None
    change: Change | None


class Whose:
    """Tells the origins of lines for one sync or one answer, which reads the journal at most once, if it has to.

    `known` tells what the index has of a note, by its path, so that old changes need not be looked at again.
    """

    def __init__(self, workspace: Workspace, known: Callable[[str], StoredOrigins | None]) -> None:
        self._bringing = BlameReader(workspace)
        self._known = known
        self._facts: dict[str, list[Chunk]] = {}

    def all_of(self, note: Note, source: str) -> Origin | None:
        """Return whose words a note is where all of it is one origin's; None where each chunk has to be looked at."""
        if source == "extra":
            return Origin.OUTSIDE
        if note.path.startswith(_IMPORTS):
            return Origin.IMPORT
        if self._bringing.names_note(note):
            return None
        return Origin.OUTSIDE

    def each_of(self, note: Note, chunks: Sequence[ChunkRow]) -> tuple[int, list[ChunkRow]]:
        """Return the number of the last line of the journal about a note, and the chunks with their origins."""
        spans = {
            at: range(chunk.start_line - 1, chunk.end_line) for at, chunk in enumerate(chunks) if chunk.fact is None
        }
        seq, origins = self._look_up(note, {place for span in spans.values() for place in span})
        found = list(chunks)
        for at, span in spans.items():
            origin, by_line = _summarise_origins([origins.get(place, "-") for place in span])
            found[at] = chunks[at]._replace(origin=origin, by_line=by_line)
        return seq, found

    def weakest_of(self, note: Note, source: str, first: int, last: int) -> Origin | None:
        """Return the least trusted origin of the lines `first` to `last` of a note, counted from 1.

        None where one of them is not known, or all are blank.
        """
        if category_of(note.path) is not None and note.size > _MOST_FACT_BYTES:
            return None
        facts = [fact for fact in self._facts_of(note) if fact.start_line <= last and fact.end_line >= first]
        marked = {line for fact in facts for line in range(fact.start_line, fact.end_line + 1)}
        origins: set[Origin | None] = {fact.fact.origin for fact in facts if fact.fact is not None}
        lines = _stripped_lines(note)[:last]
        places = [place for place in range(first - 1, len(lines)) if lines[place] and place + 1 not in marked]
        if places:
            same = self.all_of(note, source)
            if same is not None:
                origins |= {same}
            else:
                origins |= set(self._look_up(note, places)[1].values())
        return weakest_origin(origins)

    def by_line(self, note: Note, source: str) -> list[Line | None]:
        """Return each line of a note, in its order; None for one that is blank."""
        lines = _stripped_lines(note)
        same = self.all_of(note, source)
        brought = None
        if source != "extra":
            brought = self._bringing.of(note, {line for line in lines if line})
        found: list[Line | None] = []
        for line in lines:
            change = None
            if brought is not None:
                change = brought.changes.get(line)
            if same is None and brought is not None and line:
                origin = brought.lines[line]
            else:
                origin = same
            found.append(Line(origin, change) if line else None)
        if note.path.startswith(EXPORTS):
            agents = _agents_lines(note.data.splitlines())
        else:
            agents = frozenset()
        for place, attributed in enumerate(found):
            if attributed is not None and place in agents and attributed.origin is Origin.AUTO_CAPTURE:
                found[place] = attributed._replace(origin=Origin.AGENT)
        if note.size <= _MOST_FACT_BYTES:
            facts = self._facts_of(note)
        else:
            facts = []
        for fact in facts:
            for place in range(fact.start_line - 1, min(fact.end_line, len(found))):
                attributed = found[place]
                if attributed is not None and fact.fact is not None:
                    found[place] = attributed._replace(origin=fact.fact.origin)
        return found

    def _facts_of(self, note: Note) -> list[Chunk]:
        category = category_of(note.path)
        if category is None:
            return []
        if note.hash not in self._facts:
            chunks = split(decode(note.data), category=category).chunks
            self._facts[note.hash] = [chunk for chunk in chunks if chunk.fact is not None]
        return self._facts[note.hash]

    def _look_up(self, note: Note, places: Collection[int]) -> tuple[int, Mapping[int, Origin | None]]:
        """Return the number of the last line of the journal about a note, and whose its lines are.

        Lines are counted from 0; those that are blank are left out.
        """
        lines = _stripped_lines(note)
        if note.path.startswith(EXPORTS):
            agents = _agents_lines(note.data.splitlines())
        else:
            agents = frozenset()
        filled = {place: lines[place] for place in places if place < len(lines) and lines[place]}
        seq, brought, _ = self._bringing.of(note, set(filled.values()), lambda: self._earlier(note))
        origins = {place: brought[line] for place, line in filled.items()}
        spoken = {place for place in agents & origins.keys() if origins[place] is Origin.AUTO_CAPTURE}
        return seq, origins | dict.fromkeys(spoken, Origin.AGENT)

    def _earlier(self, note: Note) -> KnownBlame | None:
        """Return what the index says about the note as it was.

        A piece of a long line is no line, and is looked up again.
        """
        known = self._known(note.path)
        if known is None:
            return None
        lines: dict[bytes, Origin | None] = {}
        for text, origin, by_line in known.chunks:
            stripped = [line.strip() for line in text.encode().split(b"\n")]
            if by_line is None:
                whose = [origin] * len(stripped)
            else:
                whose = decode_line_origins(by_line)
            if len(whose) == len(stripped):
                lines.update(zip(stripped, whose, strict=True))
        if note.path == INBOX:  # the index has its lines without their marks
            bare = without_inbox_marks(note.data.decode("utf-8", "replace")).encode().splitlines()
            pairs = zip(_stripped_lines(note), map(bytes.strip, bare), strict=False)
            lines.update({line: lines[words] for line, words in pairs if words in lines})
        return KnownBlame(known.journal_seq, lines)


def _stripped_lines(note: Note) -> list[bytes]:
    return [line.strip() for line in note.data.removeprefix(b"\xef\xbb\xbf").splitlines()]


def _agents_lines(lines: Sequence[bytes]) -> frozenset[int]:
    """Return the lines of an export, from 0, that somebody else than the user said."""
    found: set[int] = set()
    speaker = b""
    for place, line in enumerate(lines):
        turn = _TURN.match(line)
        if turn is not None:
            speaker = turn[1]
        elif line[:1].strip():  # a heading, or what somebody typed between two turns
            speaker = b""
        if speaker not in (b"", b"user"):
            found.add(place)
    return frozenset(found)


def _summarise_origins(origins: Sequence[Origin | str | None]) -> tuple[Origin | None, str | None]:
    kinds = {origin for origin in origins if origin is None or isinstance(origin, Origin)}
    if len(kinds) < 2:
        return weakest_origin(kinds), None
    return weakest_origin(kinds), encode_line_origins(["?" if origin is None else origin for origin in origins])
