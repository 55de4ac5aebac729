"""One turn of a conversation: a model is asked, calls tools, is given their results, and answers in the end.

Everything is kept the moment it is known, so whatever breaks a turn off, what was said until then stays.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol

from holdfast.errors import HoldfastError
from holdfast.llm.chat_model import (
    Answer,
    ChatModel,
    Message,
    Request,
    Role,
    Stop,
    ToolCall,
    ToolSpec,
    Usage,
    result_of,
)
from holdfast.llm.token_usage import estimate
from holdfast.markdown.budget import cut_to_tokens
from holdfast.named_tuple import NamedTuple
from holdfast.recall.recall import Recalled
from holdfast.sessions.turn_events import Event, Step, of_answer, of_call
from holdfast.value import Value

__all__ = ["ROUNDS", "Room", "TalkResult", "TurnHooks", "Turned", "talk"]

ROUNDS = 8
"""How often a model may call tools in one turn: enough to look twice and save; one that does more goes in circles."""

_MOST_CALLS = 16  # of one round
_LEAST_RESULT = 100  # tokens of a result, however full the window is: enough for an error
_AROUND_RESULT = 24  # tokens of a message's ends, and of the words that say that it was cut
_BRIEF = 200  # characters that stay of a result that had its turn already, where there is no room for more
_ENOUGH = "That was the last round of calls in this turn. Answer with what you have."
_TOO_MANY = f"That is more than {_MOST_CALLS} calls at once. It was not done; call it again if it is needed."


class Keep(Protocol):
    """Adds a message to the transcript; it is on disk when this returns."""

    def __call__(
        self,
        role: Role,
        text: str = "",
        *,
        tool_calls: Sequence[ToolCall] = (),
        tool_call_id: str = "",
        tool_name: str = "",
        failed: bool = False,
        tags: Sequence[str] = (),
    ) -> object:
        """As `Session.append`."""
        ...


class TurnHooks(NamedTuple):
    """The hooks of a turn: how messages are kept, how tools are called, and who is told."""

    keep: Keep
    call: Callable[[str, Mapping[str, Any]], dict[str, Any]]
    tell: Callable[[Event], None]


class Room(NamedTuple):
    """The room that the model's window leaves: the tokens of all messages, of one result, and of an answer.

    `answer_tokens` is None where the model's own limit is within that.
    """

    tokens: int = 1_000_000
    result_tokens: int = 15_000
    answer_tokens: int | None = None


class TalkResult(NamedTuple):
    """The result of a talk: the last answer, how often tools were called, and all that it took."""

    answer: Answer
    rounds: int
    usage: Usage


_PLENTY = Room()


class Turned(Value):
    """The answer to one message, and what happened on the way."""

    text: str
    events: tuple[Event, ...] = ()
    recalled: Recalled | None = None
    rounds: int = 0
    usage: Usage = Usage()
    """Of this turn, without what its tools and the silent turn took; `memory.spent` has everything."""
    stop: Stop = Stop.END
    model: str = ""

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        hits = () if self.recalled is None else self.recalled.hits
        return {
            "text": self.text,
            "recalled": [{"path": hit.path, "line": hit.start_line, "score": hit.score} for hit in hits],
            "events": [event.to_json() for event in self.events],
            "rounds": self.rounds,
            "input_tokens": self.usage.input_tokens,
            "output_tokens": self.usage.output_tokens,
            "stop": self.stop.value,
            "model": self.model,
        }


def talk(
    model: ChatModel,
    messages: Sequence[Message],
    tools: Sequence[ToolSpec],
    floor: TurnHooks,
    *,
    rounds: int = ROUNDS,
    room: Room = _PLENTY,
) -> TalkResult:
    """Ask until the model answers without a call; after so many rounds it is told to, and then left."""
    conversation = list(messages)
    usage = Usage()
    for number in range(rounds + 2):
        answer = _ask(model, Request(tuple(conversation), tuple(tools), max_tokens=room.answer_tokens), floor)
        usage += answer.usage
        for event in of_answer(answer):
            floor.tell(event)
        if not answer.tool_calls:
            return TalkResult(answer, number, usage)
        _shorten_results(conversation, len(messages), room)
        conversation.append(answer.message)
        refused = _ENOUGH if number >= rounds else ""
        for place, call in enumerate(answer.tool_calls):
            refusal = refused or (_TOO_MANY if place >= _MOST_CALLS else "")
            left = min(room.result_tokens, room.tokens - estimate(conversation) - _AROUND_RESULT)
            conversation.append(_result(call, refusal, floor, max(_LEAST_RESULT, left)))
    floor.tell(Event(Step.NOTED, f"stopped: the model went on calling tools after {rounds} rounds"))
    return TalkResult(answer, rounds, usage)


def _shorten_results(conversation: list[Message], start: int, room: Room) -> None:
    """Cut the results of this turn that the model has read, oldest first, until there is room for one more.

    A server whose window is full cuts off the beginning, the rules first.
    """
    most = room.tokens - room.result_tokens
    for place in range(start, len(conversation)):
        if estimate(conversation) <= most:
            return
        message = conversation[place]
        if message.role is Role.TOOL and len(message.text) > _BRIEF:
            left = len(message.text) - _BRIEF
            conversation[place] = message.replace(
                text=f"{message.text[:_BRIEF]} … cut: {left:,} characters more that were read"
            )


def _ask(model: ChatModel, request: Request, floor: TurnHooks) -> Answer:
    """One answer, told as it comes; what was told of one that breaks off is kept, marked as cut."""
    pieces: list[str] = []

    def hear(piece: str) -> None:
        pieces.append(piece)
        floor.tell(Event(Step.TEXT, piece))

    try:
        answer = model.chat(request, on_text=hear)
    except BaseException:  # a failure, Ctrl-C, or a listener that has gone
        if pieces:
            with suppress(HoldfastError):
                floor.keep(Role.ASSISTANT, "".join(pieces), tags=("cut",))
        raise
    # Where keeping it fails, it may be kept all the same: it is not said a second time.
    if answer.text or answer.tool_calls:
        floor.keep(Role.ASSISTANT, answer.text, tool_calls=answer.tool_calls)
    return answer


def _result(call: ToolCall, refused: str, floor: TurnHooks, tokens: int) -> Message:
    if refused or call.flaw:
        kind = "Refused" if refused else "BadArgument"
        result: dict[str, Any] = {"error": {"type": kind, "message": refused or f"{call.flaw}. Try again."}}
    else:
        result = floor.call(call.name, call.arguments)
    failed = "error" in result
    text = json.dumps(result, ensure_ascii=False)
    kept = cut_to_tokens(text, tokens)
    if kept != text:
        text = f"{kept} … cut: {len(text) - len(kept):,} characters more; ask for less"
    floor.keep(Role.TOOL, text, tool_call_id=call.id, tool_name=call.name, failed=failed)
    floor.tell(of_call(call.name, call.arguments, result))
    return result_of(call, text, failed=failed)
