"""The messages of a session as a reader pages through them, with what the session is."""

from __future__ import annotations

from typing import Annotated, Any

from holdfast.errors import BadArgument, NotFound
from holdfast.sessions.conversation import Session
from holdfast.sessions.silent_work import with_silent_work
from holdfast.transcripts.session_key import Kind
from holdfast.transcripts.transcript_entry import Entry
from holdfast.value import Value, json_value

__all__ = ["MessagePage", "message_page"]


class MessagePage(Value):
    """Some of what was said, oldest first, in which session."""

    session: str
    kind: Kind
    channel: str
    excluded: bool
    messages: tuple[Entry, ...]

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        return {name: json_value(getattr(self, name)) for name in self.fields}


def message_page(
    session: Session,
    *,
    limit: Annotated[int | None, "Only the last so many."] = None,
    before: Annotated[str | None, "Only those before the message with this id."] = None,
    silent: Annotated[bool, "Also the summaries of what was shortened, and the last flush, each in its place."] = False,
) -> MessagePage:
    """Return everything that was said, oldest first."""
    if limit is not None and limit < 1:
        raise BadArgument("limit", "it must be 1 or more")
    said = with_silent_work(session) if silent else session.messages()
    end = len(said)
    if before is not None:
        found = next((place for place, entry in enumerate(said) if entry.id == before), None)
        if found is None:
            raise NotFound(f"There is no message {before[:40]!r} in this session.")
        end = found
    start = 0 if limit is None else max(0, end - limit)
    return MessagePage(session.key, session.kind, session.channel, session.excluded, tuple(said[start:end]))
