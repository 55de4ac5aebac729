from __future__ import annotations

from typing import Any

import pytest
from provider_chat_kinds import KINDS, ChatKind
from provider_chat_script import ChatScript
from provider_server import ProviderServer

from holdfast.errors import ProviderRefused
from holdfast.llm.chat_contract import check_chat_model
from holdfast.llm.chat_model import ChatModel, Request, user
from holdfast.llm.model_choice import KEYS, MODELS, choose
from holdfast.settings.llm_settings import LlmProvider, LlmSettings

HELLO = Request((user("hello"),))
KEY = "sk-somebody-elses-secret"


def chosen(environ: dict[str, str] | None = None, **settings: Any) -> ChatModel:
    model = choose(LlmSettings(**settings), environ or {})
    assert model is not None
    return model


def test_without_a_provider_there_is_no_model_whatever_keys_lie_about() -> None:
    environ = {name: KEY for names in KEYS.values() for name in names}
    assert choose(LlmSettings(), environ) is None


@pytest.mark.parametrize(
    ("address", "provider"),
    [
        ("http://localhost:8080/v1", "custom"),
        ("http://localhost:11434", "ollama"),
        ("https://api.openai.com/v1", "openai"),
        ("https://api.anthropic.com", "anthropic"),
        ("https://generativelanguage.googleapis.com", "gemini"),
    ],
)
def test_an_address_alone_chooses_the_server_there(address: str, provider: str) -> None:
    assert chosen(base_url=address, model="m").provider == provider
    assert choose(LlmSettings(provider=LlmProvider.NONE, base_url=address), {}) is None


def test_a_server_that_only_its_address_names_answers(provider: ProviderServer, script: ChatScript) -> None:
    model = chosen({"OPENAI_API_KEY": KEY}, base_url=provider.url, api_key=provider.key, model="m")
    assert model.chat(HELLO).text == "You said: hello"


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_the_provider_of_the_settings_answers(kind: ChatKind, provider: ProviderServer, script: ChatScript) -> None:
    given: dict[str, Any] = {"base_url": provider.url, "api_key": provider.key, "model": kind.model}
    model = chosen(provider=LlmProvider(kind.name), **given)
    assert (model.provider, model.model) == (kind.name, kind.model)
    assert provider.key not in repr(model)
    check_chat_model(model)


@pytest.mark.parametrize(("name", "variable"), [(name, given) for name, names in KEYS.items() for given in names])
def test_the_key_may_come_from_the_environment(
    name: str, variable: str, provider: ProviderServer, script: ChatScript
) -> None:
    model = chosen({variable: f" {provider.key} "}, provider=LlmProvider(name), base_url=provider.url)
    assert model.model == MODELS[name]
    assert model.chat(HELLO).text == "You said: hello"


@pytest.mark.promise("P12")
def test_the_key_of_one_provider_goes_to_no_other(provider: ProviderServer, script: ChatScript) -> None:
    environ = {name: KEY for names in KEYS.values() for name in names}
    for name in (LlmProvider.CUSTOM, LlmProvider.OLLAMA):
        model = chosen(environ, provider=name, base_url=provider.url, model="m")
        if name is LlmProvider.CUSTOM:
            with pytest.raises(ProviderRefused, match="API key"):
                model.chat(HELLO)
        else:
            model.chat(HELLO)
    assert all(KEY not in "".join(seen.headers.values()) for seen in provider.requests)


def test_ollama_is_found_where_its_own_tools_look(provider: ProviderServer, script: ChatScript) -> None:
    model = chosen({"OLLAMA_HOST": provider.url}, provider=LlmProvider.OLLAMA, model="qwen3")
    assert model.chat(HELLO).text == "You said: hello"


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"provider": LlmProvider.OPENAI}, "there is no key"),
        ({"provider": LlmProvider.ANTHROPIC}, "ANTHROPIC_API_KEY"),
        ({"provider": LlmProvider.GEMINI}, "GEMINI_API_KEY"),
        ({"provider": LlmProvider.OLLAMA}, r"llm\.model is not set"),
        ({"provider": LlmProvider.CUSTOM, "model": "m"}, r"llm\.base_url is not set"),
        ({"provider": LlmProvider.CUSTOM, "model": "m", "base_url": "ftp://x"}, r"llm\.base_url must be"),
        ({"provider": LlmProvider.OPENAI, "api_key": KEY, "base_url": "http://example.com"}, "use https"),
    ],
)
def test_settings_that_can_not_work_fail_when_the_model_is_asked_and_not_before(
    settings: dict[str, Any], why: str
) -> None:
    model = chosen(**settings)
    with pytest.raises(ProviderRefused, match=why) as caught:
        model.chat(HELLO)
    assert KEY not in str(caught.value)
