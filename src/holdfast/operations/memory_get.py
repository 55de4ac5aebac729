"""memory_get: read a note, or the chunk behind a hit."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from holdfast.context.context import Context
from holdfast.context.index_repair import ask_index
from holdfast.context.line_origins import LineOrigins
from holdfast.context.session_visibility import require_readable
from holdfast.errors import BadArgument, BadPath, NoteNotFound
from holdfast.guard.media import is_image
from holdfast.guard.origin import Origin
from holdfast.guard.text_rules import decode
from holdfast.markdown.lines import split_lines
from holdfast.operations.tool_schema import ToolName
from holdfast.pattern import compile_late
from holdfast.settings.qmd_paths import OUTSIDE
from holdfast.value import Value

if TYPE_CHECKING:
    from holdfast.index.store_contract import StoredChunk

__all__ = ["Got", "memory_get"]

MAX_LINES = 120
MAX_CHARS = 12_000
_PLACE = compile_late(r"(.+\.md)[:#](\d{1,9})")


class Got(Value):
    """Lines of a note; `status` is "ok" or "not_found", and `next_from` is where to go on reading."""

    status: str
    path: str | None = None
    text: str = ""
    from_line: int = 1
    lines: int = 0
    total_lines: int = 0
    truncated: bool = False
    next_from: int | None = None
    chunk_id: str | None = None
    hash: str | None = None
    origin: Origin | None = None
    """Whose words the lines are, of several the one trusted least; None where nobody can tell."""

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        shown: dict[str, Any] = {"status": self.status, "path": self.path}
        if self.chunk_id is not None:
            shown["chunk_id"] = self.chunk_id
        if self.status == "ok":
            shown |= {
                "text": self.text,
                "from": self.from_line,
                "lines": self.lines,
                "total_lines": self.total_lines,
                "truncated": self.truncated,
                "next_from": self.next_from,
                "hash": self.hash,
                "origin": None if self.origin is None else self.origin.value,
            }
        return shown


def memory_get(
    ctx: Context,
    path: Annotated[str | None, "The note to read: MEMORY.md or memory/<name>.md."] = None,
    *,
    chunk_id: Annotated[str | None, "The chunk_id of a hit, or <path>:<line>. Give this or path."] = None,
    from_line: Annotated[int, "The first line to read, counted from 1.", ToolName("from")] = 1,
    lines: Annotated[int, "How many lines to read."] = MAX_LINES,
) -> Got:
    """Read a note from a line on, or the whole chunk behind a hit. Go on reading at next_from."""
    if (chunk_id is None) == (path is None):
        raise BadArgument("chunk_id", "give either chunk_id or path")
    if from_line < 1:
        raise BadArgument("from", f"{from_line} is not a line number; lines are counted from 1")
    if lines < 1:
        raise BadArgument("lines", f"{lines} lines can't be read; ask for at least 1")
    require_readable(ctx, path)
    if path is not None:
        if path.startswith("sessions/"):
            # It holds tool results and system messages too: only what the index has of it may be read.
            raise BadPath(path, "it is a session's transcript; read what a hit is from by the chunk_id of the hit")
        if is_image(path):
            return _image(ctx, path)
        return _note(ctx, path, from_line, lines)
    assert chunk_id is not None
    return _chunk(ctx, chunk_id)


def _note(ctx: Context, path: str, first: int, count: int) -> Got:
    try:
        note = None
        if not path.startswith(OUTSIDE):
            note = ctx.workspace.read(path)
        if note is None:
            data = _read_outside_file(ctx, path)
        else:
            data = note.data
    except NoteNotFound:
        return Got("not_found", path)
    all_lines = split_lines(decode(data))
    if all_lines[-1] == "":
        all_lines.pop()  # what follows the last line end is no line
    chosen: list[str] = []
    room = MAX_CHARS
    for line in all_lines[first - 1 : first - 1 + count]:
        if chosen and len(line) + 1 > room:
            break
        chosen.append(line[:room])
        room -= len(line) + 1
    text = "\n".join(chosen)
    after = first + len(chosen)
    more = after <= len(all_lines)
    cut = bool(chosen) and chosen[-1] != all_lines[after - 2]
    return Got(
        "ok",
        path if note is None else note.path,
        text,
        from_line=first,
        lines=len(chosen),
        total_lines=len(all_lines),
        truncated=more or cut,
        next_from=after if more else None,
        hash=None if note is None else note.hash,
        origin=Origin.AGENT if note is None else LineOrigins(ctx).of(note, first, after - 1),
    )


def _image(ctx: Context, path: str) -> Got:
    """Return the words that were read in an image: they stand in the index alone."""
    chunk = ask_index(ctx, partial(_find_line, ctx, path, 1), embed_limit=0)
    if chunk is not None:
        return _got(ctx, chunk)
    if not ctx.settings.multimodal.enabled:
        raise BadPath(
            path, "it is an image, and images are not read", remedy="memory.multimodal.enabled = true has them read."
        )
    why = "it is an image that is not there, not read yet, or without words"
    raise BadPath(path, why, remedy="`holdfast status` tells of each image.")


def _read_outside_file(ctx: Context, path: str) -> bytes:
    """A file that only QMD knows; what was said in other conversations is for direct sessions, as everywhere."""
    if ctx.qmd is None:
        raise BadPath(path, 'it is a file of the back end QMD, and memory.backend is not "qmd"')
    require_readable(ctx, path.removeprefix(OUTSIDE))
    return ctx.qmd.read(path)


def _find_chunk(ctx: Context, chunk_id: str) -> StoredChunk | None:
    place = _PLACE.fullmatch(chunk_id)
    if place is not None:
        return _find_line(ctx, place[1], int(place[2]))
    with ctx.database.connection.reading():  # a rebuild by another process must not come in between
        edition = ctx.database.serving()
        return None if edition is None else edition.chunk_at(chunk_id)


def _find_line(ctx: Context, path: str, line: int) -> StoredChunk | None:
    with ctx.database.connection.reading():
        edition = ctx.database.serving()
        return None if edition is None else edition.chunk_at(path=path, line=line)


def _chunk(ctx: Context, chunk_id: str) -> Got:
    try:
        chunk_id.encode("utf-8")
    except UnicodeEncodeError:
        return Got("not_found", chunk_id=chunk_id)  # half a character is in no id and in no path
    place = _PLACE.fullmatch(chunk_id)
    if place is not None and place[1].startswith(OUTSIDE):
        return _note(ctx, place[1], max(1, int(place[2])), MAX_LINES)
    chunk = ask_index(ctx, partial(_find_chunk, ctx, chunk_id), embed_limit=0)
    # Where the owner no longer wants transcripts to be found, what the index still has of them is not found either.
    if chunk is None or (chunk.path.startswith("sessions/") and not ctx.searches_sessions):
        return Got("not_found", chunk_id=chunk_id)
    require_readable(ctx, chunk.path)
    return _got(ctx, chunk)


def _got(ctx: Context, chunk: StoredChunk) -> Got:
    from holdfast.search.origin_balance import whose

    if ctx.settings.boost.access:
        ctx.usage.record(chunk.text_hash, ctx.clock.now())
    return Got(
        "ok",
        chunk.path,
        chunk.text,
        from_line=chunk.start_line,
        lines=chunk.end_line - chunk.start_line + 1,
        total_lines=chunk.end_line - chunk.start_line + 1,
        chunk_id=chunk.chunk_id,
        origin=whose([chunk]),
    )
