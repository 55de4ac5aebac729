"""A note and its chunks → the same chunks with whose words each of them is.

A fact says so itself, in its mark. What lies outside the workspace, or where imports go, is whose the place says,
whatever a journal tells. For the rest the checkpoints tell, and only where they name the note at all. The export of a
conversation was written in one go, and holds the words of two: there each turn says who spoke.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from holdfast.checkpoints.bringing import Bringing, Earlier
from holdfast.guard.origin import Origin, line_by_line, origins_in, weakest
from holdfast.index.sqlite.origins import Origins
from holdfast.index.store import ChunkRow
from holdfast.notes.note import Note
from holdfast.notes.workspace import Workspace

__all__ = ["Whose"]

_IMPORTS: Final = "memory/imports"
_EXPORTS: Final = "memory/sessions/"
_TURN: Final = re.compile(rb"- \*\*(\w+)\*\* \(\d\d:\d\d\): ")
"""How a turn begins in an export; what was said below its first line is indented, so that no text begins another."""


class Whose:
    """Tells the origins of chunks for one sync, which reads the journal at most once, and not before it has to."""

    def __init__(self, workspace: Workspace, stored: Origins) -> None:
        self._bringing = Bringing(workspace)
        self._stored = stored

    def all_of(self, note: Note, source: str) -> Origin | None:
        """Whose words a note is where all of it is one origin's; None where each chunk has to be looked at."""
        if source == "extra":
            return Origin.OUTSIDE
        if note.path.startswith(_IMPORTS):
            return Origin.IMPORT
        return None if self._bringing.tells_of(note) else Origin.OUTSIDE

    def each_of(self, note: Note, chunks: Sequence[ChunkRow]) -> tuple[int, list[ChunkRow]]:
        """The number of the last line of the journal about a note, and the chunks with their origins."""
        typed = note.data.removeprefix(b"\xef\xbb\xbf").splitlines()
        lines = [line.strip() for line in typed]
        agents = _agents_lines(typed) if note.path.startswith(_EXPORTS) else frozenset()
        said = {at: lines[one.start_line - 1 : one.end_line] for at, one in enumerate(chunks) if one.fact is None}
        wanted = {line for some in said.values() for line in some if line}
        seq, brought = self._bringing.of(note, wanted, lambda: self._earlier(note.path))
        found = list(chunks)
        for at, some in said.items():
            whose: list[Origin | str | None] = []
            for place, line in enumerate(some, chunks[at].start_line - 1):
                captured = bool(line) and brought[line] is Origin.AUTO_CAPTURE
                whose.append(Origin.AGENT if captured and place in agents else brought[line] if line else "-")
            origin, by_line = _of_lines(whose)
            found[at] = chunks[at]._replace(origin=origin, by_line=by_line)
        return seq, found

    def _earlier(self, path: str) -> Earlier | None:
        """What the index says of the note as it was; a piece of a long line is no line, and is looked up again."""
        known = self._stored.known(path)
        if known is None:
            return None
        lines: dict[bytes, Origin | None] = {}
        for text, origin, by_line in known.chunks:
            said = [line.strip() for line in text.encode().split(b"\n")]
            whose = [origin] * len(said) if by_line is None else origins_in(by_line)
            if len(whose) == len(said):
                lines.update(zip(said, whose, strict=True))
        return Earlier(known.told, lines)


def _agents_lines(lines: Sequence[bytes]) -> frozenset[int]:
    """The lines of an export, from 0, that somebody else than the user said."""
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


def _of_lines(origins: Sequence[Origin | str | None]) -> tuple[Origin | None, str | None]:
    kinds = {origin for origin in origins if origin is None or isinstance(origin, Origin)}
    mixed = line_by_line(["?" if origin is None else origin for origin in origins]) if len(kinds) > 1 else None
    return weakest(kinds), mixed
