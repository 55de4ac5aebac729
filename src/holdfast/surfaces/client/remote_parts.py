"""What `Memory` opens, at a server: notes, facts, the inbox, dreams, the user's profile and the tools for a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from holdfast.errors import HoldfastError
from holdfast.guard.origin import Origin
from holdfast.surfaces.client.call_table import speaker
from holdfast.surfaces.client.transport import Link

if TYPE_CHECKING:
    from holdfast.approval.inbox_note import InboxEntry
    from holdfast.context.note_list import NoteSeen
    from holdfast.context.user_profile import ProfileSaved
    from holdfast.dreaming.dream_undo import RolledBack
    from holdfast.dreaming.report import Dream
    from holdfast.index.sync import Synced
    from holdfast.markdown.user_markdown import Profile
    from holdfast.operations.facts_forget import ChangedFact
    from holdfast.operations.facts_list import FactStats, ListedFacts
    from holdfast.operations.facts_recall import History, Recalled
    from holdfast.operations.facts_store import StoredFact
    from holdfast.operations.inbox_entries import Decided
    from holdfast.operations.memory_delete import Deleted
    from holdfast.operations.note_access import NotesPage, NoteText, Written

__all__ = ["RemoteDreams", "RemoteFacts", "RemoteInbox", "RemoteNotes", "RemoteProfile", "RemoteToolbox"]


class RemoteNotes:
    """The notes of one agent as files, kept by the server."""

    def __init__(self, link: Link, origin: Origin = Origin.API, *, client: str = "") -> None:
        self._link, self._origin, self._client = link, origin, client

    def by(self, origin: Origin, *, client: str = "") -> RemoteNotes:
        """The same notes, changed in the name of another, as of an agent."""
        return RemoteNotes(self._link, origin, client=client)

    def page(self, prefix: str = "", *, limit: int = 100, offset: int = 0) -> NotesPage:
        """Some of the notes whose path starts with the prefix, those outside the workspace too, each with its hash."""
        found: NotesPage = self._ask("page", prefix=prefix, limit=limit, offset=offset)
        return found

    def hash_of(self, path: str) -> str:
        """The hash of a note, as a change may expect it; "" where there is none."""
        found: str = self._ask("hash_of", path=path)
        return found

    def list(self, prefix: str = "", *, limit: int | None = None, after: str = "") -> list[NoteSeen]:
        """The notes of the workspace whose path starts with the prefix, by path; `after` goes on behind a path."""
        found: list[NoteSeen] = self._ask("list", prefix=prefix, limit=limit, after=after)
        return found

    def read(self, path: str) -> NoteText:
        """The whole note; NoteNotFound where there is none."""
        found: NoteText = self._ask("read", path=path)
        return found

    def read_all(self, paths: Iterable[str]) -> dict[str, NoteText]:
        """The notes at these paths, whole, each by its path; what is not there is left out."""
        found: dict[str, NoteText] = self._ask("read_all", paths=list(paths))
        return found

    def write(self, path: str, text: str, *, expected_hash: str | None = None, reason: str = "replace") -> Written:
        """Put this text in the place of a note, or make one."""
        made: Written = self._ask("write", path=path, text=text, expected_hash=expected_hash, reason=reason)
        return made

    def write_all(self, texts: Mapping[str, str | None], *, reason: str = "replace") -> tuple[Written, ...]:
        """Put these texts in the place of notes, and remove those whose text is None; all of it is one change."""
        made: tuple[Written, ...] = self._ask("write_all", texts=dict(texts), reason=reason)
        return made

    def delete(self, path: str, *, expected_hash: str | None = None, reason: str = "delete file") -> Deleted:
        """Remove a note; the checkpoint brings it back."""
        gone: Deleted = self._ask("delete", path=path, expected_hash=expected_hash, reason=reason)
        return gone

    def rename(self, path: str, new_path: str, *, expected_hash: str | None = None) -> Written:
        """Give a note another name; both steps are one change, and are undone as one."""
        made: Written = self._ask("rename", path=path, new_path=new_path, expected_hash=expected_hash)
        return made

    def _ask(self, method: str, **arguments: Any) -> Any:
        return self._link.call(f"notes.{method}", origin=self._origin, client=self._client, **arguments)


class RemoteFacts:
    """The facts of one agent."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def store(
        self,
        text: str,
        *,
        category: str | None = None,
        importance: float | None = None,
        valid_from: str | None = None,
        valid_until: str | None = None,
    ) -> StoredFact:
        """Keep one fact; what is known already is strengthened, what it contradicts is kept as superseded."""
        made: StoredFact = self._link.call(
            "facts.store",
            text=text,
            category=category,
            importance=importance,
            valid_from=valid_from,
            valid_until=valid_until,
        )
        return made

    def recall(
        self,
        query: str,
        *,
        limit: int = 6,
        category: str | None = None,
        origin: str | None = None,
        min_importance: float | None = None,
        since: str | None = None,
        until: str | None = None,
        as_of: str | None = None,
        include_superseded: bool = False,
        include_archived: bool = False,
    ) -> Recalled:
        """The facts that answer a question, best first."""
        found: Recalled = self._link.call(
            "facts.recall",
            query=query,
            limit=limit,
            category=category,
            origin=origin,
            min_importance=min_importance,
            since=since,
            until=until,
            as_of=as_of,
            include_superseded=include_superseded,
            include_archived=include_archived,
        )
        return found

    def forget(self, id: str | None = None, *, text: str | None = None) -> ChangedFact:  # noqa: A002 - its name
        """Remove one fact, by its id or its exact words."""
        gone: ChangedFact = self._link.call("facts.forget", id=id, text=text)
        return gone

    def list(
        self,
        *,
        category: str | None = None,
        origin: str | None = None,
        since: str | None = None,
        until: str | None = None,
        min_importance: float | None = None,
        state: str = "live",
        limit: int = 20,
        offset: int = 0,
    ) -> ListedFacts:
        """The facts there are, those said last first, page by page."""
        found: ListedFacts = self._link.call(
            "facts.list",
            category=category,
            origin=origin,
            since=since,
            until=until,
            min_importance=min_importance,
            state=state,
            limit=limit,
            offset=offset,
        )
        return found

    def history(self, query: str, *, as_of: str | None = None) -> History:
        """How the answer to a question changed over time, or what it was on a day."""
        found: History = self._link.call("facts.history", query=query, as_of=as_of)
        return found

    def archive(self, id: str) -> ChangedFact:  # noqa: A002 - its name
        """Move a fact to the archive."""
        moved: ChangedFact = self._link.call("facts.archive", id=id)
        return moved

    def restore(self, id: str) -> ChangedFact:  # noqa: A002 - its name
        """Bring a fact back from the archive, or put a superseded one in force again."""
        back: ChangedFact = self._link.call("facts.restore", id=id)
        return back

    def undo_supersession(self, id: str) -> ChangedFact:  # noqa: A002 - its name
        """Put a superseded fact in force again, beside the one that had its place."""
        return self.restore(id)

    def stats(self) -> FactStats:
        """How many there are, of what kind, and what could be tidied."""
        found: FactStats = self._link.call("facts.stats")
        return found

    def reindex(self, *, approved: bool = False) -> Synced:
        """Make the index anew, as after a change of provider."""
        done: Synced = self._link.call("facts.reindex", approved=approved)
        return done


class RemoteDreams:
    """Consolidation, at the server."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def run(self, phases: Iterable[str] | None = None, *, dry_run: bool = False) -> Dream:
        """Dream now, and say what came of it."""
        wanted = None if phases is None else list(phases)
        done: Dream = self._link.call("dreams.run", phases=wanted, dry_run=dry_run)
        return done

    def roll_back(self, run: str | None = None) -> RolledBack:
        """Take back what a run changed; the last one, unless another is named."""
        back: RolledBack = self._link.call("dreams.roll_back", run=run)
        return back


class RemoteInbox:
    """What waits for the owner, at the server."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def list(self) -> list[InboxEntry]:
        """Everything that waits, the oldest first."""
        found: list[InboxEntry] = self._link.call("inbox.list")
        return found

    def approve(self, id: str, *, text: str | None = None) -> Decided:  # noqa: A002 - what the owner calls it
        """Put an entry into MEMORY.md, with its true origin; it leaves the inbox.

        With `text` it goes in with these words instead, which are the owner's own, in the same change.
        """
        done: Decided = self._link.call("inbox.approve", id=id, text=text)
        return done

    def edit(self, id: str, text: str) -> Decided:  # noqa: A002 - as above
        """Give an entry other words, which are the owner's own from then on; it goes on waiting."""
        done: Decided = self._link.call("inbox.edit", id=id, text=text)
        return done

    def reject(self, id: str) -> Decided:  # noqa: A002 - as above
        """Take an entry out of the inbox; the same is not put there again."""
        done: Decided = self._link.call("inbox.reject", id=id)
        return done


class RemoteProfile:
    """Who the user is, as the server's home says."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def read(self) -> Profile:
        """What holdfast.toml and USER.md say."""
        found: Profile = self._link.call("profile.read")
        return found

    def save(self, field: str, value: str) -> ProfileSaved:
        """Save what the user said about themselves."""
        made: ProfileSaved = self._link.call("profile.save", field=field, value=value)
        return made

    def observed(self, *, timezone: str | None = None, location: str | None = None) -> ProfileSaved:
        """Note silently where the user seems to be; never over what they said."""
        made: ProfileSaved = self._link.call("profile.observed", timezone=timezone, location=location)
        return made

    def undo(self, *, force: bool = False) -> ProfileSaved:
        """Take back the last change, in USER.md and in [user]; with `force` also where it was edited since."""
        back: ProfileSaved = self._link.call("profile.undo", force=force)
        return back


class RemoteToolbox:
    """What an agent is offered; the tools run at the server."""

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
