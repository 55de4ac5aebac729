"""What a server says of its model: the window, where it says one, for the price of a short request at the most."""

from __future__ import annotations

from typing import Any

import provider_faults as faults
import pytest
from provider_chat_kinds import ANTHROPIC, CUSTOM, GEMINI, KINDS, OLLAMA, OPENAI, ChatKind
from provider_chat_script import ChatScript
from provider_server import ProviderServer, closed_port

from holdfast.errors import ProviderFailed, ProviderRefused
from holdfast.llm.chat_model import Request, user
from holdfast.llm.server_report import ModelReport

HELLO = Request((user("hello"),))
every_kind = pytest.mark.parametrize("kind", KINDS, ids=str)


@pytest.mark.parametrize(
    ("kind", "server", "window", "trained_for", "expected"),
    [
        (CUSTOM, "llamacpp", 4096, 131_072, 4096),
        (CUSTOM, "vllm", 8192, 131_072, 8192),
        (CUSTOM, "", None, 131_072, None),
        (OPENAI, "llamacpp", 16_384, 131_072, 16_384),
        (OLLAMA, "", 8192, 40_960, 8192),  # what its owner set
        (OLLAMA, "", None, 8192, 8192),  # what the model has
        (OLLAMA, "", None, 131_072, 32_768),  # what is asked for at the most
    ],
)
def test_the_window_is_what_the_server_says(
    kind: ChatKind,
    server: str,
    window: int | None,
    trained_for: int,
    expected: int | None,
    provider: ProviderServer,
    script: ChatScript,
) -> None:
    script.server, script.window, script.trained_for = server, window, trained_for
    model = kind.make(provider)
    assert [model.context_window() for _ in range(3)] == [expected] * 3
    assert len(provider.requests) == (2 if server == "llamacpp" else 1)
    assert all(seen.json == {"model": model.model} for seen in provider.requests if seen.body)


@pytest.mark.parametrize("kind", [ANTHROPIC, GEMINI], ids=str)
def test_the_large_services_are_not_asked(kind: ChatKind, provider: ProviderServer, script: ChatScript) -> None:
    assert kind.make(provider).context_window() is None
    assert provider.requests == []


@pytest.mark.parametrize("wrong", [0, -1, 17, "8192", 8192.5, True, None, 10**30, {"n": 1}], ids=str)
@pytest.mark.parametrize("server", ["llamacpp", "vllm"])
def test_a_wrong_answer_is_no_window(server: str, wrong: Any, provider: ProviderServer, script: ChatScript) -> None:
    script.server, script.window = server, wrong
    model = CUSTOM.make(provider)
    assert model.context_window() is None
    assert model.chat(HELLO).text == "You said: hello"


@pytest.mark.parametrize("kind", [CUSTOM, OLLAMA], ids=str)
@pytest.mark.parametrize(
    "fault",
    [faults.status(404), faults.status(401), faults.status(500), faults.HTML, faults.EMPTY, faults.TRUNCATED],
    ids=str,
)
def test_an_absent_answer_costs_a_request_and_the_conversation_goes_on(
    fault: faults.Fault, kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    provider.always(fault, on="/v1/models|/props|/api/show")
    model = kind.make(provider)
    assert [model.context_window() for _ in range(3)] == [None] * 3
    # where there is no list of models, llama.cpp's own page may still say it
    assert len(provider.requests) == (2 if (kind, fault.status) == (CUSTOM, 404) else 1)
    assert model.chat(HELLO).text == "You said: hello"


@pytest.mark.parametrize("kind", [CUSTOM, OLLAMA], ids=str)
def test_a_server_that_was_down_is_asked_again_later_and_its_failure_is_no_failure_of_the_model(
    kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    script.server, script.window = "vllm", 8192
    provider.script(faults.status(503))
    model = kind.make(provider)
    assert model.context_window() is None
    assert len(provider.requests) == 1
    assert model.breaker.because == ""
    model._report_breaker._rest = 0.0  # a minute is over
    assert model.context_window() == 8192


def test_a_server_without_a_list_of_models_may_still_say_its_window(
    provider: ProviderServer, script: ChatScript
) -> None:
    script.server, script.window = "llamacpp", 4096
    provider.always(faults.status(404), on="/v1/models")
    assert CUSTOM.make(provider).context_window() == 4096


@every_kind
def test_a_report_names_the_model_and_sends_nothing_but_its_name(
    kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    script.server, script.window = "vllm", 8192
    windows = {"anthropic": 200_000, "gemini": 1_048_576, "ollama": 8192, "openai": 8192, "custom": 8192}
    model = kind.make(provider, model="local-model")
    assert model.report() == ModelReport("local-model", windows[kind.name])
    assert all(seen.json == {"model": "local-model"} for seen in provider.requests if seen.body)


@every_kind
def test_a_report_of_a_model_that_is_not_there_or_a_key_that_is_wrong_is_a_refusal(
    kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    with pytest.raises(ProviderRefused, match="nothing"):
        kind.make(provider, model="nothing").report()
    if kind is not OLLAMA:
        with pytest.raises(ProviderRefused, match=r"HTTP 40[01]"):
            kind.make(provider, api_key="sk-wrong").report()


@every_kind
def test_a_report_of_a_server_that_is_not_there_is_a_failure(kind: ChatKind, provider: ProviderServer) -> None:
    with pytest.raises(ProviderFailed, match="no connection"):
        kind.make(provider, base_url=f"http://127.0.0.1:{closed_port()}").report()


def test_ollama_is_never_asked_for_more_room_than_there_is(provider: ProviderServer, script: ChatScript) -> None:
    script.window = 8192
    long = Request((user("word " * 40_000),))
    said, chosen = OLLAMA.make(provider), OLLAMA.make(provider, context_window=65_536)
    said.context_window()
    said.chat(long)
    chosen.chat(long)
    ctx = [seen.json["options"]["num_ctx"] for seen in provider.asked("/api/chat")]
    assert ctx == [8192, 65_536]
