"""The part of a conversation and of its background workers that an open memory must know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from holdfast.context.context import Context
    from holdfast.settings.session_settings import SessionKind
    from holdfast.transcripts.state import BoundState
    from holdfast.transcripts.transcript_entry import Entry

__all__ = ["OpenSession", "Worker"]


class Worker(Protocol):
    """Works in the background for all callers of one open memory."""

    def __init__(self, ctx: Context) -> None: ...

    def close(self) -> None:
        """End the work; called once, before the memory closes its files."""


class OpenSession(Protocol):
    """The conversation that a caller is in: who takes part decides what may be seen and written."""

    @property
    def ctx(self) -> Context:
        """The memory that the conversation is kept in."""

    @property
    def agent(self) -> str:
        """The agent whose conversation it is."""

    @property
    def key(self) -> str:
        """Its name."""

    @property
    def kind(self) -> SessionKind:
        """With whom it is: direct, group, channel, subagent or cron."""

    @property
    def channel(self) -> str:
        """The place where it is held."""

    @property
    def state(self) -> BoundState:
        """The values that it remembers for itself."""

    @property
    def excluded(self) -> bool:
        """True if it is to be left out of what is found and exported."""

    def messages(self, limit: int | None = None) -> list[Entry]:
        """Return what was said, oldest first."""
