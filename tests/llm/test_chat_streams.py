"""Streams of all four APIs: the same turn as without one, told as it comes, and everything that can break one."""

from __future__ import annotations

import logging
from typing import Any

import provider_faults as faults
import pytest
from embeddings.remote.test_remote_faults import patience
from llm.test_remote_chat import CLOCK, SCHEMA
from provider_chat_kinds import ANTHROPIC, CUSTOM, GEMINI, KINDS, OLLAMA, OPENAI, ChatKind
from provider_chat_script import ChatScript, Said
from provider_faults import Fault
from provider_server import ProviderServer

from holdfast.errors import BadAnswer, ProviderFailed, ProviderStalled
from holdfast.llm.chat_model import Answer, Request, Stop, Usage, result_of, user
from holdfast.remote.breaker import Breaker, BreakerState
from holdfast.remote.provider_calls import Caller

HELLO = Request((user("hello"),))
LONG = "Zwölf Boxkämpfer jagen 猫 und 🙂 quer über den großen Deich, bis es dunkel wird. " * 3
every_kind = pytest.mark.parametrize("kind", KINDS, ids=str)


def without_ids(answer: Answer) -> Answer:
    calls = tuple(call.replace(id="") for call in answer.tool_calls)
    return answer.replace(tool_calls=calls, carried=None)


@every_kind
@pytest.mark.parametrize(
    "said",
    [
        Said(LONG),
        Said("Let me look.", calls=(("clock", {"city": "Lima"}), ("clock", {"city": "São Paulo"}))),
        Said("Now.", calls=(("clock", {"city": "Lima"}),), thoughts="hm, what now"),
        Said("", calls=(("clock", {}),)),
        Said("  \n spaced \n"),
    ],
    ids=["text", "calls", "thoughts", "only a call", "spaces"],
)
def test_a_stream_brings_the_same_turn_as_no_stream(
    kind: ChatKind, said: Said, provider: ProviderServer, script: ChatScript
) -> None:
    script.say(said, said)
    model, told = kind.make(provider), list[str]()
    whole = model.chat(Request((user("hello"),), (CLOCK,)))
    streamed = model.chat(Request((user("hello"),), (CLOCK,)), on_text=told.append)
    assert without_ids(streamed) == without_ids(whole)
    assert (streamed.carried is None) == (whole.carried is None)
    assert "".join(told) == streamed.text == said.text
    assert len(told) > 1 or len(said.text) <= 20
    assert len({call.id for call in streamed.tool_calls}) == len(said.calls)
    assert len(provider.requests) == 2


@every_kind
def test_text_is_told_while_the_rest_is_still_to_come(
    kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    script.say(LONG)
    provider.script(faults.STREAM_DRIP)  # half of the stream, and then nothing that says anything

    class Enough(Exception):
        pass

    def hear(text: str) -> None:
        raise Enough(text)

    breaker = Breaker()
    with pytest.raises(Enough, match="Zw"):
        kind.make(provider, breaker=breaker).chat(HELLO, on_text=hear)
    assert breaker.state is BreakerState.CLOSED and not breaker.because


@every_kind
def test_characters_that_are_cut_between_two_pieces_are_whole(
    kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    script.say(LONG)
    provider.script(faults.STREAM_SPLIT)
    told: list[str] = []
    answer = kind.make(provider).chat(HELLO, on_text=told.append)
    assert "".join(told) == answer.text == LONG
    assert answer.usage.output_tokens > 10


@every_kind
def test_a_stream_that_counts_nothing_still_brings_the_turn(
    kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    provider.script(faults.STREAM_UNCOUNTED)
    answer = kind.make(provider).chat(HELLO, on_text=lambda _: None)
    assert (answer.text, answer.usage.output_tokens) == ("You said: hello", 1 if kind is ANTHROPIC else 0)


@pytest.mark.fault
@pytest.mark.promise("P12")
@every_kind
@pytest.mark.parametrize(
    ("fault", "error", "why"),
    [
        (faults.STREAM_CUT, ProviderFailed, "broke off before"),
        (faults.STREAM_ENDS, BadAnswer, "in the middle of an event|ended before"),
        (faults.STREAM_ERROR, BadAnswer, r"with an error: the key is \[hidden\]"),
        (faults.STREAM_GARBAGE, BadAnswer, "not JSON"),
        (faults.STREAM_DRIP, ProviderStalled, r"nothing of the answer came for 0\.5 s"),
    ],
    ids=str,
)
def test_a_stream_that_breaks_is_a_failure_after_it_told_a_part_and_is_not_asked_for_again(
    fault: Fault,
    error: type[ProviderFailed],
    why: str,
    kind: ChatKind,
    provider: ProviderServer,
    script: ChatScript,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    script.say(LONG)
    provider.always(fault)
    waits: list[float] = []
    told: list[str] = []
    policy = patience(fault).replace(idle=0.5)
    with Caller(kind.name, policy=policy, sleep=waits.append) as caller:
        model = kind.make(provider, caller)
        with pytest.raises(ProviderFailed, match=why) as caught:
            model.chat(HELLO, on_text=told.append)
    assert type(caught.value) is error
    assert "{}" not in str(caught.value)
    assert "".join(told) and LONG.startswith("".join(told)) and "".join(told) != LONG
    assert waits == [] and len(provider.requests) == 1
    shown = [str(caught.value), repr(caught.value.__cause__), repr(caught.value.__context__), *capfd.readouterr()]
    assert provider.key not in "\n".join([*shown, caplog.text])


@every_kind
def test_a_stream_that_breaks_before_any_text_is_asked_for_again(
    kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    calls = tuple(("clock", {"city": f"city number {number}"}) for number in range(4))
    script.say(Said(calls=calls), Said(calls=calls))
    provider.script(faults.STREAM_CUT)
    waits: list[float] = []
    told: list[str] = []
    with Caller(kind.name, sleep=waits.append) as caller:
        answer = kind.make(provider, caller).chat(Request((user("?"),), (CLOCK,)), on_text=told.append)
    assert [call.arguments["city"] for call in answer.tool_calls] == [given["city"] for _, given in calls]
    assert told == [] and len(waits) == 1 and len(provider.requests) == 2


@every_kind
def test_a_provider_whose_streams_break_is_left_alone_after_three(
    kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    breaker = Breaker()
    model = kind.make(provider, breaker=breaker)
    provider.always(faults.STREAM_ENDS)
    for _ in range(3):
        script.say(LONG)
        with pytest.raises(BadAnswer):
            model.chat(HELLO, on_text=lambda _: None)
    assert breaker.state is BreakerState.OPEN


@every_kind
def test_a_server_that_knows_no_streams_is_asked_for_the_whole_and_remembered(
    kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    if kind is GEMINI:
        provider.script(faults.status(400, "streaming is not supported for this model"))
    else:
        script.refuses = {"stream"}
    model, told = kind.make(provider), list[str]()
    model.chat(HELLO, on_text=told.append)
    model.chat(HELLO, on_text=told.append)
    assert told == ["You said: hello"] * 2
    assert len(provider.requests) == 3


@pytest.mark.parametrize("kind", [OPENAI, CUSTOM], ids=str)
def test_a_server_that_refuses_to_count_streams_is_asked_without(
    kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    script.refuses = {"stream_options"}
    model, told = kind.make(provider), list[str]()
    answer = model.chat(HELLO, on_text=told.append)
    assert len(told) > 1 and answer.usage == Usage()
    model.chat(HELLO, on_text=told.append)
    assert [("stream" in seen.json, "stream_options" in seen.json) for seen in provider.requests] == [
        (True, True),
        (True, False),
        (True, False),
    ]


@every_kind
def test_an_answer_in_one_piece_to_a_stream_is_told_at_once(
    kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    message = {"role": "assistant", "content": "Noon."}
    raws: dict[str, Any] = {
        "openai": {"choices": [{"message": message, "finish_reason": "stop"}]},
        "anthropic": {"content": [{"type": "text", "text": "Noon."}], "stop_reason": "end_turn"},
        "gemini": {"candidates": [{"content": {"parts": [{"text": "Noon."}]}, "finishReason": "STOP"}]},
        "ollama": {"message": message, "done": True, "done_reason": "stop"},
    }
    script.say(Said(raw=raws[kind.name.replace("custom", "openai")]))
    told: list[str] = []
    answer = kind.make(provider).chat(HELLO, on_text=told.append)
    assert ("".join(told), answer.text, answer.stop) == ("Noon.", "Noon.", Stop.END)


@pytest.mark.parametrize("kind", [CUSTOM, OLLAMA], ids=str)
def test_thoughts_said_aloud_are_never_told(kind: ChatKind, provider: ProviderServer, script: ChatScript) -> None:
    script.say("<think>\nwell, well\n</think>\n\nNoon it is.", "<think>never closed", "a <think> b </think> stays")
    model = kind.make(provider)
    for expected in ("Noon it is.", "<think>never closed", "a <think> b </think> stays"):
        told: list[str] = []
        assert model.chat(HELLO, on_text=told.append).text == expected == "".join(told)


@pytest.mark.parametrize("kind", [ANTHROPIC, GEMINI], ids=str)
def test_what_must_go_back_goes_back_also_after_a_stream(
    kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    script.say(Said("Now then, let me see.", calls=(("clock", {"city": "Lima"}),), thoughts="hm"), "Noon.")
    model, asked = kind.make(provider), user("What time is it?")
    answer = model.chat(Request((asked,), (CLOCK,)), on_text=lambda _: None)
    assert answer.carried is not None
    following = (asked, answer.message, result_of(answer.tool_calls[0], "12:00"))
    assert model.chat(Request(following, (CLOCK,)), on_text=lambda _: None).text == "Noon."
    sent = provider.requests[-1].body.decode()
    assert "EqQBCkYIBxgCKkA" in sent or "EjQKMgEMOdbHO0Gd" in sent
    assert '"Now then, let me see."' in sent


def test_arguments_that_a_stream_left_unreadable_are_said_to_be_flawed(
    provider: ProviderServer, script: ChatScript
) -> None:
    for kind in (OPENAI, CUSTOM, ANTHROPIC):
        script.say(Said("", calls=(("clock", '{"city": "Li'),), thoughts="hm"), "Noon.")
        model, asked = kind.make(provider), user("What time is it?")
        answer = model.chat(Request((asked,), (CLOCK,)), on_text=lambda _: None)
        (call,) = answer.tool_calls
        assert call.flaw == "the arguments are not JSON" and call.arguments == {}
        following = (asked, answer.message, result_of(call, call.flaw, failed=True))
        assert model.chat(Request(following, (CLOCK,))).text == "Noon."


@every_kind
def test_a_stream_may_be_asked_for_json(kind: ChatKind, provider: ProviderServer, script: ChatScript) -> None:
    told: list[str] = []
    request = Request((user("The capital of Peru, as JSON."),), schema=SCHEMA)
    assert kind.make(provider).chat(request, on_text=told.append).text == '{"city": "Lima"}' == "".join(told)


def test_the_official_client_understands_the_streams_of_the_test_server(
    provider: ProviderServer, script: ChatScript
) -> None:
    openai = pytest.importorskip("openai")
    messages: list[Any] = [{"role": "user", "content": "hello"}]
    with openai.OpenAI(base_url=f"{provider.url}/v1", api_key=provider.key, max_retries=0) as client:
        options = {"include_usage": True}
        chunks = list(client.chat.completions.create(model="m", messages=messages, stream=True, stream_options=options))
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert (text, chunks[-1].usage.completion_tokens) == ("You said: hello", 3)
