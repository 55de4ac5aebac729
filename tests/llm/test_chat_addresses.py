from __future__ import annotations

import pytest
from provider_chat_kinds import ANTHROPIC, CUSTOM, GEMINI, OLLAMA, ChatKind

from holdfast.errors import ProviderRefused


@pytest.mark.parametrize(
    ("kind", "written", "called"),
    [
        (CUSTOM, "localhost:8080", "http://localhost:8080/v1/chat/completions"),
        (CUSTOM, "https://api.example.com/v1/", "https://api.example.com/v1/chat/completions"),
        (CUSTOM, "https://api.example.com/v1/chat/completions", "https://api.example.com/v1/chat/completions"),
        (
            CUSTOM,
            "https://x.example/openai/v1?api-version=7",
            "https://x.example/openai/v1/chat/completions?api-version=7",
        ),
        (OLLAMA, "", "http://127.0.0.1:11434/api/chat"),
        (OLLAMA, "gpu-box", "http://gpu-box:11434/api/chat"),
        (OLLAMA, "http://gpu-box:1/api/chat", "http://gpu-box:1/api/chat"),
        (OLLAMA, "http://gpu-box:1/v1", "http://gpu-box:1/api/chat"),
        (ANTHROPIC, "", "https://api.anthropic.com/v1/messages"),
        (ANTHROPIC, "https://proxy.example/anthropic", "https://proxy.example/anthropic/v1/messages"),
        (ANTHROPIC, "https://proxy.example/v1", "https://proxy.example/v1/messages"),
        (ANTHROPIC, "https://proxy.example/v1/messages/", "https://proxy.example/v1/messages"),
        (GEMINI, "", "https://generativelanguage.googleapis.com/v1beta"),
        (GEMINI, "https://proxy.example", "https://proxy.example/v1beta"),
        (GEMINI, "https://proxy.example/v1?x=1", "https://proxy.example/v1?x=1"),
    ],
)
def test_an_address_may_be_written_in_many_ways(kind: ChatKind, written: str, called: str) -> None:
    assert kind.build("m", base_url=written).url == called


@pytest.mark.promise("P12")
@pytest.mark.parametrize("kind", [CUSTOM, ANTHROPIC, GEMINI, OLLAMA], ids=str)
def test_a_key_is_not_sent_where_anybody_can_read_it(kind: ChatKind) -> None:
    with pytest.raises(ProviderRefused, match=r"not sent to api\.example\.com over http") as caught:
        kind.build("m", base_url="http://api.example.com", api_key="sk-secret-secret")
    assert "secret-secret" not in str(caught.value)


def test_what_is_no_address_is_refused_by_the_name_of_its_setting() -> None:
    with pytest.raises(ProviderRefused, match=r"llm\.base_url must be"):
        CUSTOM.build("m", base_url="ftp://example.com")


def test_a_header_of_the_owners_is_not_replaced() -> None:
    model = CUSTOM.build("m", base_url="https://x.example", api_key="k", headers={"authorization": "Basic abc"})
    assert model._headers == {"Content-Type": "application/json", "authorization": "Basic abc"}
