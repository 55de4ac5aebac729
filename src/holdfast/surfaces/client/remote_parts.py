"""The parts that `Memory` opens, at a server.

Notes, facts, the inbox, dreams, the profile and the tools for a model.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from holdfast.context.user_profile import UserProfile
from holdfast.dreaming.dream_access import Dreams
from holdfast.errors import HoldfastError
from holdfast.guard.origin import Origin
from holdfast.operations.fact_access import Facts
from holdfast.operations.inbox_entries import Inbox
from holdfast.operations.note_access import Notes
from holdfast.surfaces.client.call_table import speaker
from holdfast.surfaces.client.remote_method import remote
from holdfast.surfaces.client.transport import Link

__all__ = ["RemoteDreams", "RemoteFacts", "RemoteInbox", "RemoteNotes", "RemoteProfile", "RemoteToolbox"]


class _Part:
    """Some of a memory's methods, kept under a name of their own at the server."""

    _name = ""

    def __init__(self, link: Link) -> None:
        self._link = link

    def ask(self, method: str, **arguments: Any) -> Any:
        """Return what a method gives at the server."""
        return self._link.call(f"{self._name}.{method}", **arguments)


class RemoteNotes(_Part):
    """The notes of one agent as files, kept by the server."""

    _name = "notes"

    def __init__(self, link: Link, origin: Origin = Origin.API, *, client: str = "") -> None:
        super().__init__(link)
        self._origin, self._client = origin, client

    def by(self, origin: Origin, *, client: str = "") -> RemoteNotes:
        """The same notes, changed in the name of another, as of an agent."""
        return RemoteNotes(self._link, origin, client=client)

    page = remote(Notes.page)
    hash_of = remote(Notes.hash_of)
    list = remote(Notes.list)
    read = remote(Notes.read)
    read_all = remote(Notes.read_all)
    write = remote(Notes.write)
    write_all = remote(Notes.write_all)
    delete = remote(Notes.delete)
    rename = remote(Notes.rename)

    def ask(self, method: str, **arguments: Any) -> Any:
        """Return what a method gives at the server, in the name of whoever speaks through the client."""
        return super().ask(method, origin=self._origin, client=self._client, **arguments)


class RemoteFacts(_Part):
    """The facts of one agent."""

    _name = "facts"
    store = remote(Facts.store)
    recall = remote(Facts.recall)
    forget = remote(Facts.forget)
    list = remote(Facts.list)
    history = remote(Facts.history)
    archive = remote(Facts.archive)
    restore = remote(Facts.restore)
    undo_supersession = remote(Facts.undo_supersession)
    stats = remote(Facts.stats)
    reindex = remote(Facts.reindex)


class RemoteDreams(_Part):
    """Consolidation, at the server."""

    _name = "dreams"
    run = remote(Dreams.run)
    roll_back = remote(Dreams.roll_back)


class RemoteInbox(_Part):
    """The inbox at the server."""

    _name = "inbox"
    list = remote(Inbox.list)
    approve = remote(Inbox.approve)
    edit = remote(Inbox.edit)
    reject = remote(Inbox.reject)


class RemoteProfile(_Part):
    """The profile of the user in the server's home."""

    _name = "profile"
    read = remote(UserProfile.read)
    save = remote(UserProfile.save)
    observed = remote(UserProfile.observed)
    undo = remote(UserProfile.undo)


class RemoteToolbox:
    """The tools that an agent is offered; they run at the server."""

    def __init__(
        self, link: Link, origin: Origin, session: Mapping[str, Any] | None = None, *, client: str = ""
    ) -> None:
        self._link, self._origin, self._session, self._client = link, speaker(origin), session, client

    @cached_property
    def _offered(self) -> dict[str, Any]:
        found: dict[str, Any] = self._link.call("tools", self._session, origin=self._origin)
        return found

    @property
    def names(self) -> tuple[str, ...]:
        """The tools that are offered."""
        return tuple(self._offered["names"])

    def openai(self) -> list[dict[str, Any]]:
        """The schemas as OpenAI-style endpoints want them in `tools`."""
        return list(self._offered["openai"])

    def anthropic(self) -> list[dict[str, Any]]:
        """The schemas as Anthropic's endpoint wants them in `tools`."""
        return list(self._offered["anthropic"])

    def call(self, name: str, arguments: Mapping[str, Any] | str | None = None) -> dict[str, Any]:
        """Run a tool with the arguments a model gave; what goes wrong comes back as `{"error": …}`."""
        given = dict(arguments) if isinstance(arguments, Mapping) else arguments
        try:
            done: dict[str, Any] = self._link.call(
                "tools.call", self._session, name=name, arguments=given, origin=self._origin, client=self._client
            )
        except HoldfastError as error:  # also that the server is gone: an agent goes on without its memory
            return {"error": {"type": type(error).__name__, "message": str(error)}}
        return done
