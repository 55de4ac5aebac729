"""The lines of a transcript → rows of the index: a message a chunk, at the cost of what is new.

A transcript only ever grows, so the index remembers how far it came, and the line it came to: where that line is still
there, everything before it is as it was. Where it is not (a new conversation under the same key, a message that was
taken out), the transcript is read from its beginning, and what is gone from it goes from the index.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, tzinfo
from hashlib import sha256

from holdfast.guard.origin import Origin
from holdfast.index.block_rows import with_blocks
from holdfast.index.sqlite.edition import Edition
from holdfast.index.store_contract import Batch, ChunkRow, NoteRows, NoteState
from holdfast.llm.chat_model import Role
from holdfast.markdown.chunk_ids import text_hash
from holdfast.markdown.passages import LONG_TURN_TOKENS
from holdfast.markdown.speakers import Voice
from holdfast.markdown.splitter import split_passages
from holdfast.named_tuple import NamedTuple
from holdfast.notes.log import Log, LogLine
from holdfast.transcripts.sanitizer import shorten, speech, words_of
from holdfast.transcripts.transcript_entry import Entry, parse

__all__ = ["SOURCE", "Point", "drop_rows", "index_log", "pending_lines", "rows_of"]

SOURCE = "sessions"
"""What the index calls the source of these rows."""

_MOST_OF_A_MESSAGE = 32_000  # characters; some ten chunks, and what is pasted beyond that is a document
_MESSAGES_A_BATCH = 400  # about as long as a batch of notes takes to write
_LATEST = 9e9  # seconds since 1970: in nanoseconds, the largest number of SQLite's
_TRIES = 20  # every lost race is a batch that another process has written


class Point(NamedTuple):
    """Says how far a transcript has been indexed: bytes, lines, and the last of these lines by its place and hash.

    `said_ns` is when the last message was said. It stands where a note has the time of its file, since a transcript is
    as old as that.
    """

    offset: int
    lines: int
    last_start: int
    last_hash: str
    inode: int
    said_ns: int

    @classmethod
    def of(cls, state: NoteState) -> Point | None:
        """The point that a row of the index tells of; its columns are those of notes, with other meanings."""
        start, _, digest = state.hash.partition(":")
        if not start.isdecimal() or not digest:
            return None
        return cls(state.size, state.ctime_ns, int(start), digest, state.inode, state.mtime_ns)

    @property
    def state(self) -> NoteState:
        """The point as a row of the index."""
        named = f"{self.last_start}:{self.last_hash}"
        return NoteState(named, self.offset, self.said_ns, self.lines, self.inode, settled=True)


def rows_of(path: str, number: int, entry: Entry, *, tokens: int, zone: tzinfo | None = None) -> list[ChunkRow]:
    """The chunks of the message on this line; a long one has several, and what nobody said has none."""
    words = words_of(entry.role, entry.text, entry.tags)
    if not words:
        return []
    rows: list[ChunkRow] = []
    when = _when(entry.at, zone)
    # As in an export of the conversation (index/chunk_origins.py): the user's words, kept by no decision of the user.
    if entry.role is Role.USER:
        origin = Origin.AUTO_CAPTURE
    else:
        origin = Origin.AGENT
    if entry.role is Role.USER:
        voice = Voice.PERSON
    else:
        voice = Voice.ASSISTANT
    passages = split_passages(shorten(words, _MOST_OF_A_MESSAGE), tokens=min(tokens, LONG_TURN_TOKENS), overlap=0)
    for part, chunk in enumerate(passages.chunks):
        text = speech(entry.role, chunk.text)
        named = f"{len(path)}:{path}:{entry.id}:{number}:{part}"
        chunk_id = sha256(named.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        rows.append(ChunkRow(chunk_id, text_hash(text), number, number, when, text, origin=origin, voice=voice))
    return rows


def index_log(
    edition: Edition,
    log: Log,
    *,
    tokens: int,
    overlap: int,
    zone: tzinfo | None = None,
    wanted: Callable[[], bool] = lambda: True,
) -> int:
    """Bring one transcript of an edition up to date; says how many lines were new.

    `wanted` is asked after each write: a session that was forgotten meanwhile must not come back.
    """
    indexed = 0
    for _ in range(_TRIES):
        state = edition.state(log.shown)
        late = False
        for rows in _parts(log, state, tokens, zone):
            batch = Batch(puts=[_in_blocks(edition, rows, tokens, overlap)], seen={log.shown: state} if state else {})
            late = bool(edition.write(batch))
            if late:
                break
            state = rows.state
            indexed += rows.state.ctime_ns - rows.grows_at + 1
            if not wanted():
                drop_rows(edition, [log.shown])
                return 0
        if not late:
            return indexed
    return indexed


def pending_lines(log: Log, state: NoteState | None) -> int:
    """Return how many lines are not indexed yet; reads nothing but these."""
    _, lines = _new_lines(log, None if state is None else Point.of(state))
    return sum(1 for _ in lines)


def drop_rows(edition: Edition, paths: Sequence[str]) -> None:
    """Take transcripts out of an edition."""
    if paths:
        edition.write(Batch(drops=list(paths)))


def _parts(log: Log, state: NoteState | None, tokens: int, zone: tzinfo | None) -> Iterator[NoteRows]:
    """Return what is new in a transcript, some hundred messages at a time, each with the point that it leads to."""
    point = None
    if state is not None:
        point = Point.of(state)
    status = log.status()
    if status is None:
        return
    point, lines = _new_lines(log, point)
    number = 0 if point is None else point.lines
    grows_at = number + 1
    chunks: list[ChunkRow] = []
    last: LogLine | None = None
    fresh = 0
    said_ns = 0 if point is None else point.said_ns
    for line in lines:
        number += 1
        fresh += 1
        last = line
        record = None
        if line.data is not None:
            record = parse(line.data)
        if isinstance(record, Entry):
            chunks += rows_of(log.shown, number, record, tokens=tokens, zone=zone)
            said_ns = _nanoseconds(record.at)
        if fresh == _MESSAGES_A_BATCH:
            yield _rows(log, chunks, line, number, status.inode, said_ns, grows_at)
            chunks, fresh, grows_at = [], 0, number + 1
            last = None
    if number == 0 and state is not None:  # emptied by somebody: then there is nothing to be found either
        yield NoteRows(log.shown, SOURCE, Point(0, 0, 0, "-", status.inode, 0).state, "", (), 1)
    if last is not None:
        yield _rows(log, chunks, last, number, status.inode, said_ns, grows_at)


def _rows(
    log: Log, chunks: Sequence[ChunkRow], line: LogLine, number: int, inode: int, said_ns: int, grows_at: int
) -> NoteRows:
    point = Point(line.end, number, line.start, _hash(line), inode, said_ns)
    return NoteRows(log.shown, SOURCE, point.state, "", chunks, grows_at)


def _in_blocks(edition: Edition, rows: NoteRows, tokens: int, overlap: int) -> NoteRows:
    """With their blocks; what is new goes on with the last block that is stored, whose rows come along."""
    if not rows.chunks:
        return rows
    end, begin = edition.last_block(rows.path, overlap) if rows.grows_at > 1 else ([], 0)
    chunks, blocks = with_blocks([*end, *rows.chunks], tokens, overlap, begin)
    return rows._replace(chunks=chunks, grows_at=end[0].start_line if end else rows.grows_at, blocks=blocks)


def _new_lines(log: Log, point: Point | None) -> tuple[Point | None, Iterator[LogLine]]:
    """The lines behind a point, and the point; or all lines, and None, where it does not lead to its line any more."""
    if point is not None:
        lines = log.lines(point.last_start)
        last = next(lines, None)
        if last is not None and last.end == point.offset and _hash(last) == point.last_hash:
            return point, lines
    return None, log.lines()


def _hash(line: LogLine) -> str:
    return sha256(line.data if line.data is not None else b"").hexdigest()[:32]


def _nanoseconds(at: float) -> int:
    """A time as the index stores one; what SQLite has no number for counts as the beginning of time."""
    return int(at * 1e9) if 0 <= at < _LATEST else 0


def _when(at: float, zone: tzinfo | None) -> tuple[str, ...]:
    """The heading of a message: its day is what search weighs its age by."""
    try:
        return (f"{datetime.fromtimestamp(at, UTC).astimezone(zone):%Y-%m-%d %H:%M}",)
    except (OverflowError, OSError, ValueError):  # a time that no calendar has
        return ()
