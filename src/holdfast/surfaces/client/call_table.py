"""The table of what a client may ask a server to do: the methods of `Memory` and of what it opens, by name.

What a method gives goes over the wire without loss. A model, a callback or an open file can't be sent: the client
refuses those before anything is asked, and where a method is about a file, its bytes are sent instead.
"""

from __future__ import annotations

import inspect
import os
import tempfile
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from holdfast.context.user_profile import UserProfile
from holdfast.dreaming.dream_access import Dreams
from holdfast.errors import BadArgument
from holdfast.guard.argument_types import fit_sent
from holdfast.guard.operation import operation_names
from holdfast.guard.origin import Origin
from holdfast.guard.signature import parameters_of
from holdfast.memory import Memory
from holdfast.named_tuple import NamedTuple
from holdfast.operations.fact_access import Facts
from holdfast.operations.inbox_entries import Inbox
from holdfast.operations.note_access import Notes
from holdfast.sessions.conversation import Session
from holdfast.surfaces.client.memory_parts import part_of
from holdfast.surfaces.client.remote_backend import require_speaker
from holdfast.surfaces.client.uploads import import_upload, restore_upload
from holdfast.surfaces.client.wire_values import Unreadable, from_wire
from holdfast.transcripts.state import BoundState
from holdfast.value import Value

if TYPE_CHECKING:
    from holdfast.operations.exchange_export import PutBack
    from holdfast.operations.exchange_import import Imported
    from holdfast.sessions.turn_events import Event

__all__ = ["CALLS", "run_call"]

# What an argument may be, beside plain JSON.
_SENT: Final = frozenset(
    {"llm.chat_model:ToolCall", "llm.chat_model:Role", "guard.origin:Origin", "transcripts.session_key:Kind"}
)


class _Call(NamedTuple):
    """A call: the class that has the method, and the method's name or a function that takes its place."""

    of: Callable[[Memory, Session | None], Any]
    work: str | Callable[..., Any]
    reads: bool = False
    for_owner: bool = False


def run_call(
    memory: Memory, method: str, arguments: Mapping[str, Any], session: Mapping[str, Any] | None = None
) -> Any:
    """Return what a method of the table gives.

    BadArgument for one that is not in it, or does not take these arguments.
    """
    call = CALLS.get(method)
    if call is None:
        raise BadArgument("method", f"there is no method {method[:100]!r} that a client may call")
    try:
        given = {name: from_wire(value, only=_SENT) for name, value in arguments.items()}
    except Unreadable as error:
        raise BadArgument("arguments", f"they can't be read ({error})") from error
    with _open_session(memory, session) as opened:
        target = call.of(memory, opened)
        if isinstance(call.work, str):
            return _run(method, getattr(target, call.work), given)
        return _run(method, call.work, given, target)


def _run(method: str, work: Callable[..., Any], given: Mapping[str, Any], *target: Any, **ours: Any) -> Any:
    """Run a method if it takes what came over the network: the library looks at plain arguments only.

    `ours` are arguments that no client can give.
    """
    try:
        inspect.signature(work).bind(*target, **given)
    except TypeError as error:
        raise BadArgument("arguments", f"{method} does not take them: {error}") from error
    known = {parameter.name: parameter for parameter in parameters_of(getattr(work, "__func__", work))}
    fitted = {name: fit_sent(method, known[name], value) if name in known else value for name, value in given.items()}
    return work(*target, **{**fitted, **ours})


def _open_session(memory: Memory, session: Mapping[str, Any] | None) -> AbstractContextManager[Session | None]:
    if session is None:
        return nullcontext()
    key, kind, channel = (session.get(name) for name in ("key", "kind", "channel"))
    if not isinstance(key, str) or not all(text is None or isinstance(text, str) for text in (kind, channel)):
        raise BadArgument("session", "it has a key, and may have a kind and a channel, each a text")
    return memory.session(key, kind=kind, channel=channel)


def _either(memory: Memory, session: Session | None) -> Memory | Session:
    return memory if session is None else session


def _session_json(session: Session) -> dict[str, Any]:
    """The session as it was opened, for a client that opens one."""
    return {
        "key": session.key,
        "kind": session.kind,
        "channel": session.channel,
        "excluded": session.excluded,
        "forgotten": session.forgotten,
    }


def _new(session: Session, **given: Any) -> dict[str, Any]:
    other = _run("session.new", session.new, given)
    return {**_session_json(other), "follows": other.follows}


def _turn(session: Session, **given: Any) -> dict[str, Any]:
    """A turn, with what happened on the way: the client tells its caller of it afterwards."""
    events: list[Event] = []
    turned = _run("session.turn", session.turn, given, on_event=events.append)
    return {"turned": turned, "events": events}


def _tools(of: Memory | Session, origin: Origin = Origin.AGENT) -> dict[str, Any]:
    toolbox = of.tools(require_speaker(origin))
    return {"names": toolbox.names, "openai": toolbox.openai(), "anthropic": toolbox.anthropic()}


def _tool(
    of: Memory | Session, name: Any, arguments: Any = None, origin: Origin = Origin.AGENT, client: str = ""
) -> dict[str, Any]:
    return of.tools(require_speaker(origin), client=client).call(name, arguments)


def _operation(kind: type[Any], name: str, work: Callable[..., Any] | None = None) -> _Call:
    """The call of an operation, or of a function in its place, with what its declaration says of it."""
    operation = getattr(kind, name)
    return _Call(partial(part_of, kind), work or name, operation.reads, operation.for_owner)


def _notes(name: str) -> Callable[..., Any]:
    """A method of the notes, in the name of whoever speaks through the client."""

    def work(notes: Notes, origin: Origin = Origin.API, client: str = "", **given: Any) -> Any:
        method = getattr(notes.by(require_speaker(origin), client=client), name)
        return _run(f"notes.{name}", method, given)

    return work


def _about(memory: Memory) -> dict[str, Any]:
    return {"home": memory.home, "agent": memory.agent, "settings": _open_part(memory.settings), "spent": memory.spent}


def _open_part(value: Any) -> Any:
    """Settings without keys and headers, which are the server's own."""
    if not isinstance(value, Value):
        return value
    inside = {name: _open_part(getattr(value, name)) for name in value.fields if name not in value.hidden}
    return value.replace(**inside, **{name: getattr(type(value), name, None) for name in value.hidden})


def _export(memory: Memory, ending: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="holdfast-") as folder:
        made = memory.export(os.path.join(folder, f"export{ending}"))
        with open(made.path, "rb") as file:
            return {"made": made, "data": file.read()}


def _import(
    memory: Memory, data: bytes, name: str, restore: bool, source: str | None = None, preview: bool = False
) -> Imported | PutBack:
    if not isinstance(data, bytes):
        raise BadArgument("data", "it is no file")
    if restore:
        return restore_upload(memory, data, name, preview=preview)
    return import_upload(memory, data, name, source, preview=preview)


def _memory(memory: Memory, _: Session | None) -> Memory:
    return memory


_PARTS: Final[tuple[type[Any], ...]] = (Memory, Facts, Dreams, Inbox, UserProfile, Session, BoundState)
# A client does these by itself: it asks for a sync, or sends a file to import.
_AT_THE_CLIENT: Final = frozenset({"watch", "restore_export"})

CALLS: Mapping[str, _Call] = {
    **{
        f"{kind.prefix}{name}": _operation(kind, name)
        for kind in _PARTS
        for name in operation_names(kind)
        if name not in _AT_THE_CLIENT
    },
    **{f"{Notes.prefix}{name}": _operation(Notes, name, _notes(name)) for name in operation_names(Notes)},
    "about": _Call(_memory, _about, reads=True),
    "session": _Call(partial(part_of, Session), _session_json, reads=True),
    "session.new": _operation(Session, "new", _new),
    "session.turn": _operation(Session, "turn", _turn),
    "tools": _Call(_either, _tools, reads=True),
    "tools.call": _Call(_either, _tool),
    "export": _operation(Memory, "export", _export),
    "import_from": _operation(Memory, "import_from", _import),
}
