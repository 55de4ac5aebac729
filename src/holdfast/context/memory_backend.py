"""The backend of a memory: what its operations run over, on this machine or at a server.

`Memory`, its parts and a session are one class each, whatever the backend: `Memory.open` gives them an open context,
and `holdfast.connect` a connection.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

from holdfast.guard.operation import Operation
from holdfast.guard.origin import Origin

if TYPE_CHECKING:
    from holdfast.context.context import Context
    from holdfast.context.open_session import OpenSession
    from holdfast.llm.token_usage import Spent
    from holdfast.settings.settings import Settings

__all__ = ["LocalBackend", "MemoryBackend", "MemoryPart"]


class MemoryBackend(Protocol):
    """Keeps the memory of one agent, and does what is asked of it."""

    @property
    def url(self) -> str:
        """The address of the server; empty where the memory is open in this process."""

    @property
    def home(self) -> str:
        """The directory everything is in."""

    @property
    def agent(self) -> str:
        """The agent whose memory it is."""

    @property
    def settings(self) -> Settings:
        """The settings in force."""

    @property
    def spent(self) -> Spent:
        """The tokens that the language model has taken, and their cost."""

    @property
    def session(self) -> OpenSession | None:
        """The session that it is asked in, if it is asked in one."""

    def context(self) -> Context:
        """Return what is open in this process; NotPermitted where that is at a server."""

    def run(self, operation: Operation[..., Any], part: Any, args: Sequence[Any], given: Mapping[str, Any]) -> Any:
        """Return what the operation of a part gives with these arguments."""

    def for_origin(self, origin: Origin, session: OpenSession | None = None, *, client: str = "") -> MemoryBackend:
        """Return the same memory for another caller."""

    def in_session(self, session: OpenSession, require_open: Callable[[], None]) -> MemoryBackend:
        """Return the same memory for the operations of one session."""

    def require_open(self) -> None:
        """Raise MemoryClosed where it was closed in this process."""

    def close(self) -> None:
        """Let go of it."""


class MemoryPart:
    """A memory or one of its parts: operations as methods, over a backend."""

    prefix: ClassVar[str] = ""

    def __init__(self, backend: MemoryBackend) -> None:
        self.backend = backend

    @property
    def ctx(self) -> Context:
        """The context, which every operation takes as its first argument; only where the memory is open here."""
        return self.backend.context()


class LocalBackend:
    """Makes an open context a backend."""

    url = ""

    def context(self) -> Self:
        """Return what is open: this."""
        return self

    def run(self, operation: Operation[..., Any], part: Any, args: Sequence[Any], given: Mapping[str, Any]) -> Any:
        """Run an operation in this process."""
        return operation.run_here(part, args, given)

    def in_session(self, session: OpenSession, require_open: Callable[[], None]) -> Self:
        """Return itself: an operation is given its session."""
        del session, require_open
        return self
