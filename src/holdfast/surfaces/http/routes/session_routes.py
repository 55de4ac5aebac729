"""Conversations: what was said, what the model is told, and what becomes of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Annotated, Any

from holdfast.approval.typed_prompts import note_prompt
from holdfast.errors import BadArgument, NotFound
from holdfast.llm.chat_model import ToolCall
from holdfast.memory import Memory
from holdfast.named_tuple import NamedTuple
from holdfast.recall.recall import Recalled
from holdfast.sessions.prompt_blocks import Prompt
from holdfast.sessions.session_capture import Captured
from holdfast.sessions.session_context import session_context
from holdfast.sessions.silent_work import with_silent_work
from holdfast.sessions.tool_loop import Turned
from holdfast.sessions.turn_events import Event
from holdfast.surfaces.http.parameters import Header, Query
from holdfast.surfaces.http.part_operations import SessionKey
from holdfast.surfaces.http.responses import Flow, Reply
from holdfast.surfaces.http.server_state import House, acting
from holdfast.surfaces.http.turn_stream import TurnStream
from holdfast.transcripts.transcript_entry import Entry
from holdfast.value import json_value

Kind = Annotated[str | None, Query(), "With whom: direct, group, channel, subagent or cron; for a new session."]
Channel = Annotated[str | None, Query(), "Where; for a new session."]
Message = Annotated[str, "What the user says."]


def messages_shown(entries: Sequence[Entry], key: SessionKey) -> dict[str, Any]:
    """Return what a model is to be sent: the summary of the last compaction, and what came after."""
    return {"session": key, "messages": _shown(entries)}


def exclusion(_: None, key: SessionKey, excluded: bool = True) -> dict[str, Any]:
    """Keep the session out of session search and exports, or let it in again."""
    return {"session": key, "excluded": excluded}


def tell_captured(made: Captured, house: House, memory: Memory, key: SessionKey) -> None:
    """Tell how many facts were noted."""
    if made.facts:
        house.bus.tell("capture", memory.agent, {"session": key, "facts": len(made.facts)})


class Speaker(StrEnum):
    """The speaker of a message."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


def append(
    memory: Memory,
    house: House,
    key: SessionKey,
    role: Annotated[Speaker, "Who said it."],
    text: Annotated[str, "What was said."] = "",
    tool_calls: Annotated[list[dict[str, Any]] | None, "Calls of tools: id, name, arguments."] = None,
    tool_call_id: Annotated[str, "For role tool: the id of the call."] = "",
    tool_name: Annotated[str, "For role tool: the tool's name."] = "",
    failed: Annotated[bool, "For role tool: whether the call failed."] = False,
    origin: Annotated[
        str | None, "Where the words are from, if not from who says them; never `user` but for role user."
    ] = None,
    tags: Annotated[list[str] | None, "What it is beside that."] = None,
    at: Annotated[float | None, "When it was said, in seconds since 1970; now, where it is not given."] = None,
    kind: Kind = None,
    channel: Channel = None,
) -> Reply:
    """Add a message; it is on disk when the answer comes."""
    with memory.session(key, kind=kind, channel=channel) as session:
        entry = session.append(
            role,
            text,
            tool_calls=[_call(call) for call in tool_calls or ()],
            tool_call_id=tool_call_id,
            tool_name=tool_name,
            failed=failed,
            origin=origin,
            tags=tags or (),
            at=at,
        )
    house.tell_message(memory.agent, key, entry.id, entry.role.value)
    return Reply(entry.to_json(), 201)


def messages(
    memory: Memory,
    key: SessionKey,
    limit: Annotated[int | None, "Only the last so many."] = None,
    before: Annotated[str | None, "Only those before the message with this id."] = None,
    silent: Annotated[bool, "Also the summaries of what was shortened, and the last flush, each in its place."] = False,
) -> dict[str, Any]:
    """Everything that was said, oldest first."""
    if limit is not None and limit < 1:
        raise BadArgument("limit", "it must be 1 or more")
    with memory.session(key) as session:
        said = with_silent_work(session) if silent else session.messages()
        end = len(said)
        if before is not None:
            found = next((place for place, entry in enumerate(said) if entry.id == before), None)
            if found is None:
                raise NotFound(f"There is no message {before[:40]!r} in this session.")
            end = found
        said = said[max(0, end - (limit or end)) : end]
        return {
            "session": session.key,
            "kind": session.kind.value,
            "channel": session.channel,
            "excluded": session.excluded,
            "messages": _shown(said),
        }


def context_view(memory: Memory, house: House, key: SessionKey) -> dict[str, Any]:
    """Return what the model is sent with the next message, part by part, and how much of its window that takes."""
    with memory.session(key) as session:
        view = session_context(session)
    return view.replace(spent=house.spent_in(memory.agent, key)).to_json()


def prompt(
    memory: Memory,
    key: SessionKey,
    message: Annotated[str | None, "The user's message, to recall for."] = None,
    kind: Kind = None,
    channel: Channel = None,
) -> Prompt:
    """The memory for the system prompt; with a message, what it brings to mind as well."""
    with memory.session(key, kind=kind, channel=channel) as session:
        return session.prompt(message)


def recall(
    memory: Memory,
    key: SessionKey,
    message: Message,
    typed: Annotated[
        bool, "Whether the user typed it just now: then its sentences are known to be the user's."
    ] = False,
    kind: Kind = None,
    channel: Channel = None,
) -> Recalled:
    """Return what memory holds about a message, fenced for a prompt."""
    with memory.session(key, kind=kind, channel=channel) as session:
        if typed:
            note_prompt(session, message)
        return session.recall(message)


def turn(
    memory: Memory,
    house: House,
    key: SessionKey,
    message: Message,
    instructions: Annotated[str | None, "What the model is told first."] = None,
    rounds: Annotated[int, "How often it may call tools."] = 8,
    kind: Kind = None,
    channel: Channel = None,
    accept: Annotated[str | None, Header("Accept"), "`text/event-stream`: the answer as it comes."] = None,
) -> Turned | Flow:
    """Answer a message with the model of the settings; everything is kept.

    As a stream it tells `step` for each piece and each thing that happens, and at the end `done` or `failed`; whoever
    goes away stops it.
    """
    wanted = _Wanted(key, message, instructions, rounds, kind, channel)
    if "text/event-stream" not in (accept or ""):
        return _turned(memory, house, wanted)
    agent, origin = memory.agent, memory.ctx.origin

    def work(hear: Callable[[Event], None]) -> Turned:
        # With a memory of its own: this one is given back with the beginning of the answer.
        with house.desk.memory(agent) as lent:
            try:
                return _turned(acting(lent, origin), house, wanted, hear)
            finally:
                house.look(agent)

    stream = TurnStream(work)
    house.turns.start(agent, key, stream)
    return Flow(stream.pieces(), "text/event-stream")


class _Wanted(NamedTuple):
    """The wishes for a turn."""

    key: str
    message: str
    instructions: str | None
    rounds: int
    kind: str | None
    channel: str | None


def _turned(memory: Memory, house: House, wanted: _Wanted, hear: Callable[[Event], None] | None = None) -> Turned:
    before = memory.spent
    with memory.session(wanted.key, kind=wanted.kind, channel=wanted.channel) as session:
        known = session.transcript.count
        try:
            made = session.turn(wanted.message, instructions=wanted.instructions, rounds=wanted.rounds, on_event=hear)
        finally:
            house.spend(memory.agent, wanted.key, before, memory.spent)
            said = session.transcript.count - known
            for entry in session.messages(said) if said > 0 else ():
                house.tell_message(memory.agent, wanted.key, entry.id, entry.role.value)
    noted = [event.text for event in made.events if event.text.startswith("noted as ")]
    if noted:
        house.bus.tell("capture", memory.agent, {"session": wanted.key, "facts": len(noted)})
    return made


def stop_turn(memory: Memory, house: House, key: SessionKey) -> dict[str, Any]:
    """Stop the turn of a session that is told as a stream; what was said until then is kept."""
    return {"session": key, "stopped": house.turns.stop(memory.agent, key)}


def new(
    memory: Memory, key: SessionKey, new_key: Annotated[str | None, "The key of the next one."] = None
) -> dict[str, Any]:
    """Leave this conversation, exported as the settings say, and begin another."""
    with memory.session(key) as session, session.new(new_key) as other:
        shown = {"session": other.key, "kind": other.kind.value, "channel": other.channel}
        return shown | {"exported": json_value(other.follows)}


def _shown(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    return [entry.to_json() for entry in entries]


def _call(given: dict[str, Any]) -> ToolCall:
    known = {"id": str, "name": str, "arguments": dict, "flaw": str}
    wrong = next((name for name, value in given.items() if not isinstance(value, known.get(name, ()))), None)
    if wrong is not None or "name" not in given:
        raise BadArgument("tool_calls", f"each has id, name and arguments; {wrong or 'name'!r} is not as it should be")
    return ToolCall(given.get("id", ""), given["name"], given.get("arguments", {}), given.get("flaw", ""))
