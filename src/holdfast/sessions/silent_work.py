"""Silent work beside a conversation: where it was shortened, and what a flush saved before that, as lines of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.llm.chat_model import Role
from holdfast.transcripts.transcript_entry import Compaction, Entry

if TYPE_CHECKING:
    from holdfast.sessions.conversation import Session

__all__ = ["with_silent_work"]


def with_silent_work(session: Session) -> list[Entry]:
    """Return all that was said, with an entry in its place for each summary, and for the last flush that wrote."""
    records = [read.record for read in session.transcript.lines()]
    entries = [record.entry if isinstance(record, Compaction) else record for record in records]
    said = [entry for entry in entries if isinstance(entry, Entry)]
    flush = _last_flush(session)
    if flush is None:
        return said
    entry, seen = flush
    place = next((number for number, other in enumerate(said, 1) if other.id == seen), len(said))
    return [*said[:place], entry, *said[place:]]


def _last_flush(session: Session) -> tuple[Entry, str] | None:
    """Return the entry of the last flush, and the message that it came after; only the last one is kept."""
    held = session.state.get("flush", "cycle")
    if not isinstance(held, dict) or not held.get("wrote"):
        return None
    entry = Entry(f"flush-{held.get('cycle', 0)}", float(held["at"]), Role.SYSTEM, str(held["why"]), tags=("flush",))
    return entry, str(held.get("seen", ""))
