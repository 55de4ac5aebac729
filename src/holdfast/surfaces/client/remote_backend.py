"""A memory that a server keeps: its operations are sent there by name, with the arguments that were given.

So a method is declared once, in the library, and neither its arguments nor their defaults can differ here. What can't
be sent as it is (a file, a callback, what a turn tells on its way) has a function of its own below.
"""

from __future__ import annotations

import inspect
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property, partial
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final, NoReturn, cast, get_origin

from holdfast.errors import BadArgument, NotFound, NotPermitted, StorageFailed
from holdfast.guard.argument_types import fit_arguments, refuse_result
from holdfast.guard.operation import Operation
from holdfast.guard.origin import Origin
from holdfast.guard.signature import is_in_process
from holdfast.surfaces.client.transport import Link

if TYPE_CHECKING:
    from holdfast.context.open_session import OpenSession
    from holdfast.index.sync import Synced
    from holdfast.llm.token_usage import Spent
    from holdfast.memory import Memory
    from holdfast.operations.exchange_export import SentOut
    from holdfast.operations.toolbox import Toolbox
    from holdfast.sessions.conversation import Session
    from holdfast.sessions.tool_loop import Turned
    from holdfast.settings.settings import Settings
    from holdfast.transcripts.session_key import Kind
    from holdfast.transcripts.state import BoundState

__all__ = ["RemoteBackend", "require_speaker"]

_TICK: Final = 1.0  # seconds between two looks of `watch`
_NO_MODEL: Final = "a model of this process can't answer for the server; set [llm] there"
# Who asks over the network is a program: it may say that a model speaks through it, never that the owner does.
_SPEAKERS: Final = (Origin.API, Origin.AGENT, Origin.MCP_TOOL)


def require_speaker(origin: Origin) -> Origin:
    """Return the origin, if a client may speak in its name; BadArgument otherwise."""
    if origin not in _SPEAKERS:
        raise BadArgument("origin", f"a client's tools can't be of {origin}; choose {', '.join(_SPEAKERS)}")
    return Origin(origin)


class RemoteBackend:
    """The memory of one agent at a server."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self.session: OpenSession | None = None
        self.require_session: Callable[[], None] = self.require_open
        """Raises SessionClosed where its session was closed here."""
        self.speaker: Mapping[str, Any] = {}
        """In whose name it is asked, where that is not the program's own: an origin, and a client."""
        try:
            about = link.call("about")  # here, so that a wrong address or token is told where it was given
        except BaseException:
            link.close()
            raise
        self.home, self.agent = str(about["home"]), str(about["agent"])

    @property
    def url(self) -> str:
        """The address of the server."""
        return self._link.url

    @property
    def settings(self) -> Settings:
        """The settings in force at the server, without its keys."""
        return cast("Settings", self._link.call("about")["settings"])

    @property
    def spent(self) -> Spent:
        """The tokens that the language model has taken since the server opened the memory."""
        return cast("Spent", self._link.call("about")["spent"])

    def context(self) -> NoReturn:
        """Raise NotPermitted: nothing is open here."""
        raise NotPermitted(f"This memory is kept by {self.url}: what it has open is there. Use the methods of Memory.")

    def require_open(self) -> None:
        """Do nothing: a connection that was closed says so when it is used."""

    def for_origin(self, origin: Origin, session: OpenSession | None = None, *, client: str = "") -> RemoteBackend:
        """Return the same memory for another caller that speaks through this client."""
        other = copy(self)
        other.session = session
        other.speaker = {"origin": require_speaker(origin), "client": client}
        other.__dict__.pop("offered", None)
        return other

    def in_session(self, session: OpenSession, require_open: Callable[[], None]) -> RemoteBackend:
        """Return the same memory for the operations of one session."""
        other = copy(self)
        other.session, other.require_session = session, require_open
        return other

    def close(self) -> None:
        """Let go of the connection; the server goes on."""
        self._link.close()

    def run(self, operation: Operation[..., Any], part: Any, args: Sequence[Any], given: Mapping[str, Any]) -> Any:
        """Return what an operation gives at the server."""
        name = f"{part.prefix}{operation.__name__}"
        sendable = _sendable(operation, args, given)
        own_way = _OWN_WAYS.get(name)
        if own_way is None:
            return self.send(name, operation.slow, **sendable)
        first, named = fit_arguments(operation.parameters, args, given)
        return own_way(self, part, _by_name(operation, first, named))

    def send(self, method: str, slow: bool = False, /, **arguments: Any) -> Any:
        """Ask the server for a method by its name."""
        self.require_session()
        return self._link.call(method, self.place, slow, **self.speaker, **arguments)

    def look(self) -> dict[str, Any]:
        """Return the session as it is at the server; also of one that was closed here."""
        return cast("dict[str, Any]", self._link.call("session", self.place))

    @property
    def place(self) -> dict[str, Any] | None:
        """The session as a server is told of it."""
        if self.session is None:
            return None
        return {"key": self.session.key, "kind": self.session.kind.value, "channel": self.session.channel}

    def identify(self, place: Mapping[str, Any]) -> dict[str, Any]:
        """Return a session as the server knows it, by what its caller says of it."""
        return cast("dict[str, Any]", self._link.call("session", place))

    @cached_property
    def offered(self) -> dict[str, Any]:
        """The tools of whoever speaks, with their schemas."""
        return cast("dict[str, Any]", self._link.call("tools", self.place, origin=self.speaker["origin"]))


def _sendable(operation: Operation[..., Any], args: Sequence[Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments that can go over the network. A callback can't: nobody is told of how far the work is."""
    bound = _by_name(operation, args, given)
    arguments: dict[str, Any] = {}
    for parameter in operation.parameters:
        if parameter.name not in bound:
            continue
        value = bound[parameter.name]
        refuse_result(parameter, value)
        if all(map(is_in_process, parameter.kinds)):
            if value is not None and get_origin(parameter.kinds[0]) is not Callable:
                raise BadArgument(parameter.name, _NO_MODEL)
        elif _is_many(value) and any(get_origin(kind) is Iterable for kind in parameter.kinds):
            arguments[parameter.name] = list(value)
        else:
            arguments[parameter.name] = value
    return arguments


def _by_name(operation: Operation[..., Any], args: Sequence[Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments that were given by their names; the first is the part itself."""
    _, *named = inspect.signature(operation).bind(None, *args, **given).arguments.items()
    return dict(named)


def _is_many(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str | bytes)  # of a mapping, its names


# What is done another way than by its name alone


def _export(remote: RemoteBackend, memory: Memory, given: dict[str, Any]) -> SentOut:
    """Write the export of the server to a file on this machine."""
    from holdfast.notes.export_file import write_export

    file = given.pop("file")
    ending = os.path.splitext(file)[1]
    if ending.lower() not in (".jsonl", ".zip"):
        raise BadArgument("file", f"{file!r} ends neither in .jsonl nor in .zip")
    sent = remote.send("export", type(memory).export.slow, ending=ending)
    made: SentOut = sent["made"]
    return made.replace(path=write_export(file, sent["data"], **given))


def _import_from(remote: RemoteBackend, memory: Memory, given: dict[str, Any], *, restore: bool = False) -> Any:
    """Send the bytes of a file, to be taken over or put back."""
    slow = type(memory).import_from.slow
    return remote.send("import_from", slow, **_file(given.pop("file")), restore=restore, **given)


def _watch(_: RemoteBackend, memory: Memory, given: dict[str, Any]) -> Iterator[Synced]:
    """Ask for a sync again and again; the server follows the notes by itself, and dreams."""
    ends = given.get("stop") or threading.Event()
    yield memory.sync()
    while not ends.wait(_TICK):
        done = memory.sync()
        if done.added or done.changed or done.removed:
            yield done


def _identify(remote: RemoteBackend, _: Session, given: dict[str, Any]) -> tuple[str, Kind, str]:
    opened = remote.identify(given)
    return opened["key"], opened["kind"], opened["channel"]


def _turn(remote: RemoteBackend, session: Session, given: dict[str, Any]) -> Turned:
    """Answer a message with the server's model; `on_event` is told what happened when the answer is there."""
    on_event = given.pop("on_event", None)
    given.pop("model", None)  # there is none: it was refused
    done = remote.send("session.turn", type(session).turn.slow, **given)
    if on_event is not None:
        for event in done["events"]:
            on_event(event)
    return cast("Turned", done["turned"])


def _new(remote: RemoteBackend, session: Session, given: dict[str, Any]) -> Session:
    opened = remote.send("session.new", **given)
    session.close()
    other = type(session)(remote, opened["key"], kind=opened["kind"], channel=opened["channel"])
    other.follows = opened["follows"]
    return other


def _get(remote: RemoteBackend, _: BoundState, given: dict[str, Any]) -> Any:
    """A value, or the default, which stays here: it may be anything."""
    default, nothing = given.pop("default", None), f"nothing {token_hex(16)}"
    found = remote.send("session.state.get", **given, default=nothing)
    if found == nothing:
        return default
    return found


def _run_tool(remote: RemoteBackend, toolbox: Toolbox, given: dict[str, Any]) -> dict[str, Any]:
    arguments = given["arguments"]
    if isinstance(arguments, Mapping):
        arguments = dict(arguments)
    slow = type(toolbox)._run.slow  # noqa: SLF001 - a server calls it `tools.call`
    return cast("dict[str, Any]", remote.send("tools.call", slow, name=given["name"], arguments=arguments))


_OWN_WAYS: Final[Mapping[str, Callable[..., Any]]] = {
    "export": _export,
    "restore_export": partial(_import_from, restore=True),
    "import_from": _import_from,
    "watch": _watch,
    "session._identify": _identify,
    "session._is_excluded": lambda remote, *_: bool(remote.look()["excluded"]),
    "session._is_forgotten": lambda remote, *_: bool(remote.look()["forgotten"]),
    "session.new": _new,
    "session.turn": _turn,
    "session.state.get": _get,
    "tools._names": lambda remote, *_: tuple(remote.offered["names"]),
    "tools.openai": lambda remote, *_: list(remote.offered["openai"]),
    "tools.anthropic": lambda remote, *_: list(remote.offered["anthropic"]),
    "tools._run": _run_tool,
}


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
