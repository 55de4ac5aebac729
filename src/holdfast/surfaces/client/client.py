"""Client: a memory that is kept by a server, with the methods of `Memory`."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any

from holdfast.errors import BadArgument, NotFound, ServerUnreachable, StorageFailed
from holdfast.guard.argument_types import check_arguments
from holdfast.guard.origin import Origin
from holdfast.guard.paths import agent_id
from holdfast.memory import Memory
from holdfast.surfaces.client.remote_method import remote
from holdfast.surfaces.client.transport import Link, is_loopback

if TYPE_CHECKING:
    from holdfast.dreaming.report import Dream
    from holdfast.index.sync import Synced
    from holdfast.llm.token_usage import Spent
    from holdfast.operations.exchange_export import PutBack, SentOut
    from holdfast.operations.exchange_import import Imported
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
        """The agent whose memory this is."""
        return str(self._agent)

    @property
    def settings(self) -> Settings:
        """The settings in force at the server, without its keys."""
        found: Settings = self._link.call("about")["settings"]
        return found

    @property
    def spent(self) -> Spent:
        """Return what the language model has taken since the server opened the memory."""
        found: Spent = self._link.call("about")["spent"]
        return found

    search = remote(Memory.search)
    get = remote(Memory.get)
    save = remote(Memory.save)
    delete = remote(Memory.delete)
    forget = remote(Memory.forget)
    history = remote(Memory.history)
    diff = remote(Memory.diff)
    restore = remote(Memory.restore)
    undo = remote(Memory.undo)
    undo_origin = remote(Memory.undo_origin)
    prune = remote(Memory.prune)
    purge = remote(Memory.purge)
    status = remote(Memory.status)
    sync = remote(Memory.sync)
    spaces = remote(Memory.spaces)
    drop_space = remote(Memory.drop_space)
    sessions = remote(Memory.sessions)

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

    @property
    def notes(self) -> RemoteNotes:
        """The notes as files: listed, read, written, renamed and removed whole."""
        from holdfast.surfaces.client.remote_parts import RemoteNotes

        return RemoteNotes(self._link)

    @property
    def facts(self) -> RemoteFacts:
        """The facts about the user, the project and people."""
        from holdfast.surfaces.client.remote_parts import RemoteFacts

        return RemoteFacts(self._link)

    @property
    def inbox(self) -> RemoteInbox:
        """The entries for MEMORY.md that wait for the owner."""
        from holdfast.surfaces.client.remote_parts import RemoteInbox

        return RemoteInbox(self._link)

    @property
    def dreams(self) -> RemoteDreams:
        """Consolidation: what is asked for again and again goes into MEMORY.md."""
        from holdfast.surfaces.client.remote_parts import RemoteDreams

        return RemoteDreams(self._link)

    @property
    def profile(self) -> RemoteProfile:
        """The user's profile."""
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

    def ask(self, method: str, **arguments: Any) -> Any:
        """Return what a method gives at the server."""
        return self._link.call(method, **arguments)

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
