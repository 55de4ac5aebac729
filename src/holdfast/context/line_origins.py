"""Lines of a note that are shown → whose words they are, of several the one trusted least."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.context.index_repair import heal_once
from holdfast.errors import HoldfastError
from holdfast.guard.origin import Origin
from holdfast.guard.paths import readable_path
from holdfast.notes.note import Note

if TYPE_CHECKING:
    from holdfast.context.context import Context
    from holdfast.index.chunk_origins import Line, Whose
    from holdfast.index.sqlite.origin_rows import StoredOrigins

__all__ = ["LineOrigins"]


class LineOrigins:
    """Tells the origins of lines for one answer. Text can always be read: what can't be looked up is not known."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx

    def of(self, note: Note, first: int, last: int) -> Origin | None:
        """The origin of the lines `first` to `last`, counted from 1; None where it is not known."""
        try:
            return self._whose.weakest_of(*self._with_source(note), first, last)
        except HoldfastError:
            return None

    def by_line(self, note: Note) -> list[Line | None]:
        """Each line of a note with its origin and the change that brought it; None for a blank one."""
        try:
            return self._whose.by_line(*self._with_source(note))
        except HoldfastError:
            return [None] * len(note.data.splitlines())

    def _with_source(self, note: Note) -> tuple[Note, str]:
        """The note and its source."""
        if note.path.startswith("/"):
            return note, "extra"
        # The journal has it by the name of its file: memory.md may stand in for MEMORY.md.
        return note._replace(path=self._ctx.workspace.spot(readable_path(note.path)).path), "memory"

    @cached_property
    def _whose(self) -> Whose:
        from holdfast.index.chunk_origins import Whose

        return Whose(self._ctx.workspace, self._known_origins)

    def _known_origins(self, path: str) -> StoredOrigins | None:
        """Return what the index says of a note, where there is one.

        Then only changes since then have to be looked at.
        """
        if not os.path.exists(self._ctx.index_path):
            return None
        try:
            return heal_once(self._ctx, lambda: self._ask(path))
        except HoldfastError:
            return None

    def _ask(self, path: str) -> StoredOrigins | None:
        edition = self._ctx.database.serving()
        if edition is None:
            return None
        return edition.origins.known(path)
