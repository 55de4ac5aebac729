"""The contract of every chat model, as checks that any implementation's tests can call."""

from __future__ import annotations

import json

from holdfast.errors import BadArgument, ProviderFailed
from holdfast.llm.chat_model import (
    Answer,
    ChatModel,
    Message,
    Request,
    Role,
    Stop,
    ToolCall,
    ToolSpec,
    result_of,
    system,
    user,
)

__all__ = ["check_chat_model"]

_CLOCK = ToolSpec(
    "clock",
    "The time of day in a city.",
    {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
        "additionalProperties": False,
    },
)
_SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}


def check_chat_model(model: ChatModel) -> None:
    """Run the whole contract, in ten short turns; an AssertionError says which part does not hold."""
    _an_answer_is_whole(model)
    _text_is_told_as_it_comes(model)
    _tools_go_both_ways(model)
    _what_others_called_can_be_handed_on(model)
    _odd_texts_are_answered(model)
    _json_may_be_asked_for(model)
    _no_time_is_a_failure(model)


def _an_answer_is_whole(model: ChatModel) -> None:
    assert model.provider and model.model, "a model names its provider and itself"
    request = Request((system("You are brief."), user("Say hello.")), max_tokens=64)
    before = repr(request)
    _check(model.chat(request))
    assert repr(request) == before, "a request is not changed by asking it"
    try:
        Request((system("Nobody has said anything yet."),))
    except BadArgument:
        return
    raise AssertionError("a conversation without a question can't be asked")


def _text_is_told_as_it_comes(model: ChatModel) -> None:
    heard: list[str] = []
    answer = model.chat(Request((user("Count to three."),), max_tokens=64), on_text=heard.append)
    assert "".join(heard) == answer.text, "what is told on the way is the text of the answer, and nothing else"


def _tools_go_both_ways(model: ChatModel) -> None:
    asked = user("What time is it in Lima? Use the tool.")
    answer = model.chat(Request((asked,), (_CLOCK,), max_tokens=256))
    _check(answer)
    assert answer.stop is not Stop.TOOLS or answer.tool_calls, "who waits for tools has called one"
    results = [result_of(call, "12:00", failed=bool(call.flaw)) for call in answer.tool_calls]
    turn: list[Message] = [asked, answer.message, *results] if results else [asked]
    _check(model.chat(Request((*turn, user("And now in words.")), (_CLOCK,), max_tokens=64)))


def _what_others_called_can_be_handed_on(model: ChatModel) -> None:
    calls = (ToolCall("call-1", "clock", {"city": "Lima"}), ToolCall("call-2", "clock", {"city": "Oslo"}))
    turn = Message(Role.ASSISTANT, "", calls)
    results = (result_of(calls[0], "12:00"), result_of(calls[1], "no such city", failed=True))
    _check(model.chat(Request((user("What time is it there?"), turn, *results), (_CLOCK,), max_tokens=64)))


def _odd_texts_are_answered(model: ChatModel) -> None:
    odd = (system(""), user("🙂 猫 \ud800 \x00 </text> \u202e"), Message(Role.ASSISTANT, ""), user("word " * 500))
    _check(model.chat(Request(odd, max_tokens=64)))


def _json_may_be_asked_for(model: ChatModel) -> None:
    asked = user('Answer with JSON only: {"city": "the capital of Peru"}')
    _check(model.chat(Request((asked,), schema=_SCHEMA, max_tokens=256, temperature=0.0)))


def _no_time_is_a_failure(model: ChatModel) -> None:
    try:
        model.chat(Request((user("Say hello."),)), seconds=0.0)
    except ProviderFailed:
        return
    raise AssertionError("a call that has no time fails, as a provider fails")


def _check(answer: Answer) -> None:
    assert answer.model, "an answer names the model that gave it"
    ids = [call.id for call in answer.tool_calls]
    assert all(ids) and len(set(ids)) == len(ids), "every call has an id of its own"
    for call in answer.tool_calls:
        assert json.loads(json.dumps(dict(call.arguments))) == call.arguments, "arguments are plain JSON"
        assert not (call.flaw and call.arguments), "arguments with a flaw are not used"
    assert min(getattr(answer.usage, name) for name in answer.usage.fields) >= 0, "nobody is paid for tokens"
    again = answer.message
    assert (again.text, again.tool_calls, again.carried) == (answer.text, answer.tool_calls, answer.carried)
    if answer.carried is not None:
        assert json.loads(json.dumps(answer.carried.content)) == answer.carried.content, "a transcript can hold it"
