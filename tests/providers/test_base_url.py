"""An address without a provider is used, or refused with what to set; it is never ignored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from provider_server import ProviderServer
from providers.scenes import first, notes, texts_sent

from holdfast import Memory

KEY = "sk-somebody-elses-secret"


def test_auto_with_an_address_asks_the_server_there(
    home: Path, provider: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = notes(home, 2)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)  # a key for somebody else's service goes nowhere
    given = {"memory.base_url": f"{provider.url}/v1", "memory.api_key": provider.key, "memory.dimensions": 8}
    with Memory.open(home, settings=given) as memory:
        memory.sync()
        found = memory.search("number1")
        assert (found.mode, found.provider) == ("hybrid", "custom")
        assert memory.status().provider_because == "memory.base_url names its server"
    assert set(texts) <= set(texts_sent(provider))
    assert all(KEY not in str(seen.headers) for seen in provider.requests)


@pytest.mark.parametrize(
    ("address", "provider"),
    [
        ("http://localhost:8080/v1", "custom"),
        ("models.example.com", "custom"),
        ("http://localhost:11434", "ollama"),
        ("http://localhost:11434/v1", "ollama"),
        ("192.168.1.9:11434", "ollama"),
        ("https://api.openai.com/v1", "openai"),
        ("https://generativelanguage.googleapis.com/v1beta", "gemini"),
        ("https://api.anthropic.com", "custom"),  # which has no embeddings
    ],
)
def test_whom_an_address_speaks_for(home: Path, address: str, provider: str) -> None:
    with Memory.open(home, settings={"memory.base_url": address}) as memory:
        assert first(memory).name == provider


@pytest.mark.parametrize("other", [{}, {"memory.provider": "auto-remote"}])
def test_an_address_goes_before_whatever_else_auto_would_find(
    home: Path, other: dict[str, Any], provider: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", KEY)
    with Memory.open(home, settings={"memory.base_url": provider.url, **other}) as memory:
        assert first(memory).name == "custom"


@pytest.mark.parametrize(
    ("name", "value"), [("memory.local.model_path", "m.gguf"), ("memory.local.model_path", "use-multilingual")]
)
def test_an_address_and_a_model_of_this_machine_are_refused_and_the_embedded_model_answers(
    home: Path, tmp_path: Path, provider: ProviderServer, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    notes(home, 2)
    (tmp_path / "m.gguf").write_bytes(b"GGUF and nothing more")
    monkeypatch.chdir(tmp_path)
    both = {"memory.base_url": provider.url, name: value}
    with Memory.open(home, settings=both) as memory:
        assert 'Set memory.provider to "custom" (the server) or "local" (the model here)' in memory.sync().because
        found = memory.search("number1")
        assert (found.mode, found.provider) == ("hybrid", "local")
        assert f"both memory.base_url and {name} are set" in found.because
        assert memory.status().sends_to is None
    assert provider.requests == []
    for chosen in ("local", "custom"):
        with Memory.open(home, settings={**both, "memory.provider": chosen}) as memory:
            assert first(memory).name == chosen
