"""The conversations that a search finds by their export: their transcripts are left out, to find none twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from holdfast.errors import HoldfastError
from holdfast.named_tuple import NamedTuple
from holdfast.notes.log import Log
from holdfast.transcripts.session_note import is_whole, session_hash
from holdfast.transcripts.transcript import read_log
from holdfast.transcripts.transcript_entry import Entry

if TYPE_CHECKING:
    from holdfast.context.context import Context

__all__ = ["ExportCover"]


class _LogSummary(NamedTuple):
    """A transcript as an export of it would tell of it; `turns` is None where an export would leave something out."""

    version: tuple[int, int, int]
    began: str
    turns: int | None


class ExportCover:
    """Remembers what it read: a transcript that has not changed is not read again."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._summaries: dict[str, _LogSummary] = {}

    def look(self) -> Callable[[Log, str], bool]:
        """A question that can be asked of each transcript and its key, answered by the exports that are there now."""
        exports = self._exports()
        agent = self._ctx.workspace.agent

        def is_covered(log: Log, key: str) -> bool:
            if not exports:
                return False
            summary = self._summary(log)
            # One turn more than the export has, and the transcript knows something that the export does not.
            return summary.turns is not None and exports.get(session_hash(agent, key, summary.began)) == summary.turns

        return is_covered

    def _exports(self) -> dict[str, int]:
        """Count the turns of each exported conversation; one whose note was edited is its owner's text."""
        from holdfast.context.session_export import stamps_of

        try:
            return {stamp.conversation: stamp.turns for stamp in stamps_of(self._ctx).values() if stamp.intact}
        except HoldfastError:
            return {}

    def _summary(self, log: Log) -> _LogSummary:
        from holdfast.context.session_export import turns_of

        status = log.status()
        if status is None:
            version = (0, 0, 0)
        else:
            version = (status.inode, status.size, status.mtime_ns)
        summary = self._summaries.get(log.name)
        if summary is None or summary.version != version:
            entries = [read.record for read in read_log(log) if isinstance(read.record, Entry)]
            turns = turns_of(entries)
            first = entries[0].id if entries else ""
            summary = _LogSummary(version, first, len(turns) if is_whole(turns) else None)
            self._summaries[log.name] = summary
        return summary
