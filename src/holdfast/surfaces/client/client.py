"""Client: a memory that is kept by a server, with the methods of `Memory`."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from holdfast.errors import BadArgument, NotFound, ServerUnreachable, StorageFailed
from holdfast.guard.argument_types import check_arguments
from holdfast.guard.origin import Origin
from holdfast.guard.paths import agent_id
from holdfast.surfaces.client.transport import Link, is_loopback

if TYPE_CHECKING:
    from holdfast.checkpoints.change import Change
    from holdfast.checkpoints.retention import Pruned
    from holdfast.context.session_list import Listed
    from holdfast.dreaming.report import Dream
    from holdfast.forgetting.memory_forget import Forgot
    from holdfast.index.progress import Progress
    from holdfast.index.sync import Synced
    from holdfast.llm.token_usage import Spent
    from holdfast.operations.checkpoint_restore import Restored
    from holdfast.operations.exchange_export import PutBack, SentOut
    from holdfast.operations.exchange_import import Imported
    from holdfast.operations.memory_get import Got
    from holdfast.operations.memory_status import Status
    from holdfast.operations.undo_origin import TookBack
    from holdfast.operations.vector_spaces import Space
    from holdfast.search.hit import Results
    from holdfast.settings.settings import Settings
    from holdfast.surfaces.client.remote_parts import (
        RemoteDreams,
        RemoteFacts,
        RemoteInbox,
        RemoteNotes,
        RemoteProfile,
        RemoteToolbox,
    )
    from holdfast.surfaces.client.remote_session import RemoteSession

__all__ = ["Client", "connect"]

_SECONDS = 60.0
_TICK = 1.0  # seconds between two looks of `watch`


def connect(
    url: str | None = None,
    *,
    token: str | None = None,
    agent: str | None = None,
    home: str | None = None,
    timeout: float = _SECONDS,
    insecure: bool = False,
) -> Client:
    """The memory of a server, with the methods of `Memory`; without an address, of the one that runs for the home.

    The token is found in `HOLDFAST_TOKEN` or, on this machine, in the home. `insecure` lets the token go to another
    machine without encryption, as through a tunnel.
    """
    from holdfast.surfaces.http.server_file import running
    from holdfast.surfaces.http.token import VARIABLE, checked_token, token_of

    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 < timeout < math.inf:
        raise BadArgument("timeout", f"{timeout!r} is not a number of seconds above 0")
    if agent is not None:
        agent_id(agent)
    if url is None:
        found = running(home)
        if found is None:
            raise ServerUnreachable(home or "the home's address", "no server runs for this home")
        url = found.url
    if not isinstance(url, str) or not url.lower().startswith(("http://", "https://")):
        raise BadArgument("url", f"{url!r} does not start with http:// or https://")
    near = is_loopback(url)
    if not (near or insecure or url.lower().startswith("https://")):
        raise BadArgument("url", "the token would go to another machine unencrypted; use https, or say insecure=True")
    if token:
        token = checked_token(token, "token")
    elif os.environ.get(VARIABLE) or near:
        token = token_of(home, make=False)
    if not token:
        raise BadArgument("token", "none is known; give `token`, or set HOLDFAST_TOKEN (`holdfast serve` says which)")
    return Client(Link(url, token, agent, timeout))


class Client:
    """The long-term memory of one agent, at a server. A context manager; safe to use from several threads."""

    def __init__(self, link: Link) -> None:
        self._link = link
        try:
            about = link.call("about")  # here, so that a wrong address or token is told where it was given
        except BaseException:
            link.close()
            raise
        self._home, self._agent = about["home"], about["agent"]

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connection; the server goes on."""
        self._link.close()

    @property
    def url(self) -> str:
        """The address of the server."""
        return self._link.url

    @property
    def home(self) -> str:
        """The directory everything is in, at the server."""
        return str(self._home)

    @property
    def agent(self) -> str:
        """Whose memory this is."""
        return str(self._agent)

    @property
    def settings(self) -> Settings:
        """The settings in force at the server, without its keys."""
        found: Settings = self._link.call("about")["settings"]
        return found

    @property
    def spent(self) -> Spent:
        """What the language model has taken since the server opened the memory."""
        found: Spent = self._link.call("about")["spent"]
        return found

    def search(
        self,
        query: str,
        *,
        max_results: int | None = None,
        min_score: float | None = None,
        path: str | None = None,
        source: str | None = None,
        since: str | None = None,
        until: str | None = None,
        project: str | None = None,
        category: str | None = None,
        origin: str | None = None,
        min_importance: float | None = None,
        min_trust: str | None = None,
        by_passage: bool = False,
        context: Sequence[str] | None = None,
        min_confidence: float | None = None,
    ) -> Results:
        """The notes' best lines for a question, with citations and the reason for every score."""
        found: Results = self._link.call(
            "search",
            query=query,
            max_results=max_results,
            min_score=min_score,
            path=path,
            source=source,
            since=since,
            until=until,
            project=project,
            category=category,
            origin=origin,
            min_importance=min_importance,
            min_trust=min_trust,
            by_passage=by_passage,
            context=context,
            min_confidence=min_confidence,
        )
        return found

    def get(self, path: str | None = None, *, chunk_id: str | None = None, from_line: int = 1, lines: int = 120) -> Got:
        """Lines of a note, or the chunk behind a hit; `.status` is "not_found" when there is none."""
        found: Got = self._link.call("get", path=path, chunk_id=chunk_id, from_line=from_line, lines=lines)
        return found

    def save(
        self, content: str, *, file: str | None = None, append: bool = True, expected_hash: str | None = None
    ) -> str:
        """Write text to a note (MEMORY.md unless told otherwise); returns the checkpoint that undoes it."""
        made: str = self._link.call("save", content=content, file=file, append=append, expected_hash=expected_hash)
        return made

    def delete(
        self,
        file: str,
        *,
        text: str | None = None,
        all_matches: bool = False,
        delete_if_empty: bool = True,
        delete_file: bool = False,
    ) -> str:
        """Remove exact text from a note, or the whole note; returns the checkpoint that brings it back."""
        made: str = self._link.call(
            "delete",
            file=file,
            text=text,
            all_matches=all_matches,
            delete_if_empty=delete_if_empty,
            delete_file=delete_file,
        )
        return made

    def forget(
        self,
        request: str | None = "",
        *,
        text: str | None = None,
        dry_run: bool = False,
        limit: int = 6,
        everywhere: bool = False,
        confirmed: bool = False,
    ) -> Forgot:
        """Remove the bullets or sentences that say what is to be forgotten, or one that is given as exact `text`."""
        gone: Forgot = self._link.call(
            "forget",
            request=request,
            text=text,
            dry_run=dry_run,
            limit=limit,
            everywhere=everywhere,
            confirmed=confirmed,
        )
        return gone

    @check_arguments
    def export(self, file: str | os.PathLike[str], *, replace: bool = False) -> SentOut:
        """Write all notes and facts to one `.zip` or `.jsonl` file on this machine."""
        from holdfast.notes.export_file import write_export

        named = os.fspath(file)
        ending = os.path.splitext(named)[1]
        if ending.lower() not in (".jsonl", ".zip"):
            raise BadArgument("file", f"{named!r} ends neither in .jsonl nor in .zip")
        sent = self._link.call("export", ending=ending)
        made: SentOut = sent["made"]
        return made.replace(path=write_export(named, sent["data"], replace=replace))

    @check_arguments
    def restore_export(self, file: str | os.PathLike[str], *, preview: bool = False) -> PutBack:
        """Put the notes of your own export back as they were; none that is there is overwritten."""
        back: PutBack = self._link.call("import_from", **_file(os.fspath(file)), restore=True, preview=preview)
        return back

    @check_arguments
    def import_from(
        self, file: str | os.PathLike[str], *, source: str | None = None, preview: bool = False
    ) -> Imported:
        """Take over the memory of another program, from a file of this machine; never into MEMORY.md."""
        made: Imported = self._link.call(
            "import_from", **_file(os.fspath(file)), restore=False, source=source, preview=preview
        )
        return made

    def history(self, path: str | None = None, *, limit: int = 20) -> list[Change]:
        """What was changed, newest first."""
        found: list[Change] = self._link.call("history", path=path, limit=limit)
        return found

    def diff(self, checkpoint: str, *, against_now: bool = False) -> str:
        """What a change did, or how the note differs now from what it was before that change."""
        found: str = self._link.call("diff", checkpoint=checkpoint, against_now=against_now)
        return found

    def restore(self, checkpoint: str) -> str:
        """Put a note back to what it was before a change; returns the checkpoint that undoes this in turn."""
        made: str = self._link.call("restore", checkpoint=checkpoint)
        return made

    def undo(self, path: str | None = None, *, force: bool = False) -> Restored:
        """Take back the last change, of one note or of any; a second call goes one further back."""
        back: Restored = self._link.call("undo", path=path, force=force)
        return back

    def undo_origin(
        self,
        origin: str,
        *,
        since: str | None = None,
        until: str | None = None,
        whole_notes: bool = False,
        dry_run: bool = False,
    ) -> TookBack:
        """Take back everything that came from one origin."""
        back: TookBack = self._link.call(
            "undo_origin", origin=origin, since=since, until=until, whole_notes=whole_notes, dry_run=dry_run
        )
        return back

    def prune(self) -> Pruned:
        """Drop checkpoints that are older and more than the settings keep."""
        gone: Pruned = self._link.call("prune")
        return gone

    def purge(self, path: str) -> Pruned:
        """Drop every checkpoint of one note, and every trace of deleted text in the index: for good."""
        gone: Pruned = self._link.call("purge", path=path)
        return gone

    def status(self, *, deep: bool = False) -> Status:
        """What there is, what answers, and why; `deep` also tests the index and the provider."""
        found: Status = self._link.call("status", deep=deep)
        return found

    def sync(
        self,
        *,
        force: bool = False,
        approved: bool = False,
        batch: bool | None = None,
        progress: Progress | None = None,
    ) -> Synced:
        """Make the index say what the notes say; the progress is not told over the network."""
        del progress
        done: Synced = self._link.call("sync", force=force, approved=approved, batch=batch)
        return done

    def spaces(self) -> list[Space]:
        """The spaces of vectors there are, and how much of the notes each covers."""
        found: list[Space] = self._link.call("spaces")
        return found

    def drop_space(self, which: str) -> Space:
        """Forget the vectors of one space, by its number or as `provider/model`; gives what it was."""
        gone: Space = self._link.call("drop_space", which=which)
        return gone

    def watch(
        self, stop: threading.Event | None = None, dreamed: Callable[[Dream], None] | None = None
    ) -> Iterator[Synced]:
        """Ask for a sync again and again until `stop` is set; the server follows the notes by itself, and dreams."""
        del dreamed
        ends = stop or threading.Event()
        yield self.sync()
        while not ends.wait(_TICK):
            done = self.sync()
            if done.added or done.changed or done.removed:
                yield done

    def session(self, key: str = "main", *, kind: str | None = None, channel: str | None = None) -> RemoteSession:
        """A conversation, begun or gone on with."""
        from holdfast.surfaces.client.remote_session import RemoteSession

        return RemoteSession(self._link, self.agent, key, kind=kind, channel=channel)

    def sessions(self) -> list[Listed]:
        """The sessions of this agent, the one used last first."""
        found: list[Listed] = self._link.call("sessions")
        return found

    @property
    def notes(self) -> RemoteNotes:
        """The notes as files: listed, read, written, renamed and removed whole."""
        from holdfast.surfaces.client.remote_parts import RemoteNotes

        return RemoteNotes(self._link)

    @property
    def facts(self) -> RemoteFacts:
        """What is known about the user, the project and people, fact by fact."""
        from holdfast.surfaces.client.remote_parts import RemoteFacts

        return RemoteFacts(self._link)

    @property
    def inbox(self) -> RemoteInbox:
        """What an agent or a program wants in MEMORY.md, and waits for the owner."""
        from holdfast.surfaces.client.remote_parts import RemoteInbox

        return RemoteInbox(self._link)

    @property
    def dreams(self) -> RemoteDreams:
        """Consolidation: what is asked for again and again goes into MEMORY.md."""
        from holdfast.surfaces.client.remote_parts import RemoteDreams

        return RemoteDreams(self._link)

    @property
    def profile(self) -> RemoteProfile:
        """Who the user is."""
        from holdfast.surfaces.client.remote_parts import RemoteProfile

        return RemoteProfile(self._link)

    def tools(
        self, origin: Origin = Origin.AGENT, *, session: RemoteSession | None = None, client: str = ""
    ) -> RemoteToolbox:
        """The tools for a model: schemas for OpenAI- and Anthropic-style calls, and a dispatcher."""
        from holdfast.surfaces.client.remote_parts import RemoteToolbox

        if session is not None:
            return session.tools(origin, client=client)
        return RemoteToolbox(self._link, origin, client=client)

    def __repr__(self) -> str:
        return f"Client(url={self._link.url!r}, agent={self.agent!r})"


def _file(path: str) -> dict[str, Any]:
    """The bytes of a file, and where it is; refused as the library refuses it where it can't be had."""
    whole = os.path.expanduser(path)
    if os.path.isdir(whole):
        raise BadArgument("file", f"{path!r} is a folder; run `holdfast import` where the server is")
    try:
        with open(whole, "rb") as file:
            return {"data": file.read(), "name": os.path.realpath(whole)}
    except FileNotFoundError:
        raise NotFound(f"There is no file or folder {path!r}. Check the name and try again.") from None
    except ValueError as error:
        raise BadArgument("file", f"{path!r} can't be a name of a file ({error})") from error
    except OSError as error:
        raise StorageFailed(path, "read", error.strerror or str(error)) from error
