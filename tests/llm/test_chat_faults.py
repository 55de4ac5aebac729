"""T8 for chat: every fault of a provider, with every remote model: a typed error, no turn, no key, counted attempts."""

from __future__ import annotations

import logging
import re
from typing import Any

import provider_faults as faults
import pytest
from embeddings.remote.test_remote_faults import CASES as EMBEDDING_CASES
from embeddings.remote.test_remote_faults import SLOW, Expected, patience
from provider_chat_kinds import CUSTOM, KINDS, OPENAI, ChatKind
from provider_chat_script import ChatScript, Said
from provider_faults import status
from provider_server import ProviderServer, closed_port

from holdfast.errors import BadAnswer, BadVectors, ProviderFailed, ProviderRefused, ProviderStalled, ProviderTooLarge
from holdfast.llm.chat_model import Answer, Request, ToolSpec, user
from holdfast.remote.breaker import Breaker, BreakerState
from holdfast.remote.provider_calls import Caller

HELLO = Request((user("hello"),))


CASES = [
    *(case for case in EMBEDDING_CASES if case.error is not BadVectors and case.fault != faults.WRONG_SHAPE),
    Expected(status(413), ProviderTooLarge),
    Expected(status(529), ProviderFailed, 3),  # how Anthropic says that it is overloaded
]
every_kind = pytest.mark.parametrize("kind", KINDS, ids=str)


@pytest.mark.fault
@pytest.mark.promise("P12")
@every_kind
@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.fault))
def test_a_fault_is_a_typed_error_without_turn_and_key(
    case: Expected,
    kind: ChatKind,
    provider: ProviderServer,
    script: ChatScript,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    provider.always(case.fault)
    waits: list[float] = []
    told: list[str] = []
    policy = patience(case.fault).replace(idle=0.1 if case.fault in SLOW else 300.0)
    with Caller(kind.name, policy=policy, sleep=waits.append) as caller:
        model = kind.make(provider, caller)
        answer: Answer | None = None
        with pytest.raises(ProviderFailed) as caught:
            # what happens in the middle of a body is another thing where it streams: test_chat_streams.py
            streams = case.fault not in (faults.RESET, faults.TRUNCATED)
            answer = model.chat(HELLO, on_text=told.append if streams else None)
    assert answer is None and told == []
    error = caught.value
    assert type(error) is (ProviderStalled if case.fault in SLOW else case.error)  # these are asked for a stream
    assert len(waits) == case.attempts - 1
    # On a machine that is busy the short deadline of the slow ones may end before anything is sent, and what another
    # kind of model sent before its own deadline may be read only now.
    own = [request for request in provider.requests if re.fullmatch(kind.path, request.path)]
    assert len(own) == case.attempts or (case.fault in SLOW and not own)
    shown = [str(error), repr(error), repr(error.__cause__), repr(error.__context__), repr(model), repr(caller)]
    out, err = capfd.readouterr()
    assert provider.key not in "\n".join([*shown, caplog.text, out, err])
    assert error.provider == kind.name
    assert "memory." not in str(error) and "vectors" not in str(error)


@every_kind
def test_a_closed_port_is_a_provider_that_failed(kind: ChatKind, provider: ProviderServer, script: ChatScript) -> None:
    waits: list[float] = []
    with Caller(kind.name, sleep=waits.append) as caller:
        model = kind.make(provider, caller, base_url=f"http://127.0.0.1:{closed_port()}")
        with pytest.raises(ProviderFailed, match="no connection"):
            model.chat(HELLO)
    assert len(waits) == 2


@every_kind
def test_a_call_waits_no_longer_than_it_may(kind: ChatKind, provider: ProviderServer, script: ChatScript) -> None:
    provider.always(faults.HANG)
    with pytest.raises(ProviderFailed, match=r"0\.1 s"):
        kind.make(provider).chat(HELLO, seconds=0.1)
    assert len(provider.requests) <= 1


@every_kind
def test_what_the_provider_says_of_a_wrong_key_or_model_is_handed_on(
    kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    with pytest.raises(ProviderRefused, match=r"404.*nothing.*llm\.model"):
        kind.make(provider, model="nothing").chat(HELLO)
    if kind.name != "ollama":
        with pytest.raises(ProviderRefused, match=r"Incorrect API key|API key not valid|invalid x-api-key") as caught:
            kind.make(provider, api_key="sk-wrong-and-still-a-secret").chat(HELLO)
        assert "wrong-and" not in str(caught.value)


@every_kind
def test_after_three_failures_it_is_left_alone_for_a_while(
    kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    now = [0.0]
    breaker = Breaker(now=lambda: now[0])
    model = kind.make(provider, breaker=breaker)
    provider.always(faults.TRUNCATED)
    for _ in range(3):
        with pytest.raises(BadAnswer):
            model.chat(HELLO)
    with pytest.raises(ProviderFailed, match="left alone for 60 s more"):
        model.chat(HELLO)
    assert len(provider.requests) == 3
    provider.always(None)
    provider.reset()
    now[0] = 61.0
    assert model.chat(HELLO).text == "You said: hello"
    assert breaker.state is BreakerState.CLOSED


@every_kind
def test_a_request_that_is_too_large_is_not_the_providers_fault(
    kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    model = kind.make(provider)
    provider.script(*[status(400, "prompt is too long: 210000 tokens > 200000 maximum")] * 4)
    for _ in range(4):
        with pytest.raises(ProviderTooLarge, match="window"):
            model.chat(HELLO)
    assert model.chat(HELLO).text == "You said: hello"


@every_kind
@pytest.mark.parametrize("raw", [[], "text", 7, {}, {"choices": []}, {"error": {"message": "out of credits"}}], ids=str)
def test_json_of_another_shape_is_a_bad_answer(
    kind: ChatKind, raw: Any, provider: ProviderServer, script: ChatScript
) -> None:
    script.say(Said(raw=raw))
    with pytest.raises(BadAnswer) as caught:
        kind.make(provider).chat(HELLO)
    if isinstance(raw, dict) and "error" in raw:
        assert "out of credits" in str(caught.value)


def test_a_refusal_that_names_what_was_not_sent_is_not_asked_again(
    provider: ProviderServer, script: ChatScript
) -> None:
    provider.always(status(400, "temperature, schema and response_format are not supported, and max_tokens neither"))
    with pytest.raises(ProviderFailed, match="not supported"):
        OPENAI.make(provider).chat(HELLO)
    assert len(provider.requests) == 1


def test_what_was_left_out_for_nothing_is_sent_the_next_time(provider: ProviderServer, script: ChatScript) -> None:
    provider.script(*[status(400, "temperature is not to our taste")] * 2)
    model = OPENAI.make(provider, temperature=0.5)
    with pytest.raises(ProviderRefused):
        model.chat(HELLO)
    model.chat(HELLO)
    assert [seen.json.get("temperature") for seen in provider.requests] == [0.5, None, 0.5]


def test_a_request_that_is_no_json_is_refused_before_it_is_sent(provider: ProviderServer, script: ChatScript) -> None:
    endless: dict[str, Any] = {"type": "object"}
    endless["properties"] = endless
    for schema in (endless, {"type": {1, 2}}, {"type": "object", "default": float("nan")}):
        with pytest.raises(ProviderRefused, match="can't be written as JSON"):
            CUSTOM.make(provider).chat(Request((user("x"),), (ToolSpec("t", "", schema),)))
    assert provider.requests == []


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.name != "ollama"], ids=str)
def test_without_a_key_or_an_address_nobody_is_asked(kind: ChatKind) -> None:
    model = kind.build("some-model")
    with pytest.raises(ProviderRefused, match=r"there is no key; set \w+_API_KEY or llm.api_key|llm.base_url is not"):
        model.chat(HELLO)
    with pytest.raises(ProviderRefused, match=r"llm\.model is not set"):
        kind.build("", api_key="k", base_url="http://127.0.0.1:9").chat(HELLO)
