"""Conversations: what was said, what the model is told, and what becomes of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any

from holdfast.approval.typed_prompts import note_prompt
from holdfast.errors import BadArgument
from holdfast.llm.chat_model import Role, ToolCall
from holdfast.memory import Memory
from holdfast.recall.recall import Recalled
from holdfast.sessions.conversation import Session
from holdfast.sessions.session_capture import Captured
from holdfast.sessions.session_context import ContextView
from holdfast.sessions.tool_loop import Turned
from holdfast.sessions.turn_events import Event
from holdfast.surfaces.http.parameters import Header
from holdfast.surfaces.http.part_operations import SessionKey
from holdfast.surfaces.http.responses import Flow
from holdfast.surfaces.http.server_state import ServerState, memory_for_origin
from holdfast.surfaces.http.turn_stream import TurnStream
from holdfast.transcripts.transcript_entry import Entry
from holdfast.value import json_value


def messages_shown(entries: Sequence[Entry], session: Session) -> dict[str, Any]:
    """Show messages with the session that they are of."""
    return {"session": session.key, "messages": [entry.to_json() for entry in entries]}


def exclusion(_: None, session: Session, excluded: bool = True) -> dict[str, Any]:
    """Show whether a session is kept out of search and exports."""
    return {"session": session.key, "excluded": excluded}


def tell_captured(made: Captured, server: ServerState, session: Session) -> None:
    """Tell how many facts were noted."""
    if made.facts:
        server.bus.tell("capture", session.agent, {"session": session.key, "facts": len(made.facts)})


def tell_message(entry: Entry, server: ServerState, session: Session) -> None:
    """Tell that something was said."""
    server.tell_message(session.agent, session.key, entry.id, entry.role.value)


def append(
    run: Callable[..., Entry],
    role: Annotated[Role, "Who said it."],
    tool_calls: Annotated[list[dict[str, Any]] | None, "Calls of tools: id, name, arguments."] = None,
) -> Entry:
    """Add a message; it is on disk when the answer comes."""
    return run(role=role, tool_calls=[_call(call) for call in tool_calls or ()])


def recall(
    run: Callable[..., Recalled],
    session: Session,
    message: str,
    typed: Annotated[
        bool, "Whether the user typed it just now: then its sentences are known to be the user's."
    ] = False,
) -> Recalled:
    """Return what memory holds about a message, fenced for a prompt."""
    if typed:
        note_prompt(session, message)
    return run()


def spent_shown(view: ContextView, server: ServerState, session: Session) -> ContextView:
    """Show the context of a session with the tokens that its turns took."""
    return view.replace(spent=server.spent_in(session.agent, session.key))


def next_session(other: Session) -> dict[str, Any]:
    """Show the session that was begun, and what the one before it left behind."""
    with other:
        shown = {"session": other.key, "kind": other.kind.value, "channel": other.channel}
        return shown | {"exported": json_value(other.follows)}


def turn(
    run: Callable[..., Turned],
    server: ServerState,
    session: Session,
    message: str,
    instructions: str | None = None,
    rounds: int = 8,
    accept: Annotated[str | None, Header("Accept"), "`text/event-stream`: the answer as it comes."] = None,
) -> Turned | Flow:
    """Answer a message with the model of the settings; everything is kept.

    As a stream it tells `step` for each piece and each thing that happens, and at the end `done` or `failed`; whoever
    goes away stops it.
    """
    if "text/event-stream" not in (accept or ""):
        return _told_turn(server, session, run)
    agent, key, origin = session.agent, session.key, session.ctx.origin
    kind, channel = session.kind.value, session.channel

    def work(hear: Callable[[Event], None]) -> Turned:
        # With a memory of its own: this one is given back with the beginning of the answer.
        with server.memories.memory(agent) as lent:
            try:
                with memory_for_origin(lent, origin).session(key, kind=kind, channel=channel) as own:
                    take = partial(own.turn, message, instructions=instructions, rounds=rounds, on_event=hear)
                    return _told_turn(server, own, take)
            finally:
                server.look(agent)

    stream = TurnStream(work)
    server.turns.start(agent, key, stream)
    return Flow(stream.pieces(), "text/event-stream")


def _told_turn(server: ServerState, session: Session, take: Callable[[], Turned]) -> Turned:
    """Take a turn, and tell what was said and noted in it, and what it took."""
    before, known = session.backend.spent, session.transcript.count
    try:
        made = take()
    finally:
        server.spend(session.agent, session.key, before, session.backend.spent)
        said = session.transcript.count - known
        for entry in session.messages(said) if said > 0 else ():
            tell_message(entry, server, session)
    noted = [event.text for event in made.events if event.text.startswith("noted as ")]
    if noted:
        server.bus.tell("capture", session.agent, {"session": session.key, "facts": len(noted)})
    return made


def stop_turn(memory: Memory, server: ServerState, key_: SessionKey) -> dict[str, Any]:
    """Stop the turn of a session that is told as a stream; what was said until then is kept."""
    return {"session": key_, "stopped": server.turns.stop(memory.agent, key_)}


def _call(given: dict[str, Any]) -> ToolCall:
    known = {"id": str, "name": str, "arguments": dict, "flaw": str}
    wrong = next((name for name, value in given.items() if not isinstance(value, known.get(name, ()))), None)
    if wrong is not None or "name" not in given:
        raise BadArgument("tool_calls", f"each has id, name and arguments; {wrong or 'name'!r} is not as it should be")
    return ToolCall(given.get("id", ""), given["name"], given.get("arguments", {}), given.get("flaw", ""))
