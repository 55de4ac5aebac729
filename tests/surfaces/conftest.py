"""A model for `holdfast chat`, on loopback."""

from __future__ import annotations

from collections.abc import Iterator

import provider_chat_openai
import pytest
from provider_chat_script import ChatScript
from provider_server import ProviderServer


@pytest.fixture
def server() -> Iterator[ProviderServer]:
    with ProviderServer() as running:
        yield running


@pytest.fixture
def script(server: ProviderServer, monkeypatch: pytest.MonkeyPatch) -> ChatScript:
    """A model is set; this is what it says."""
    found = ChatScript()
    server.add(provider_chat_openai.routes(found))
    for name, value in (("PROVIDER", "custom"), ("MODEL", "m"), ("BASE_URL", server.url), ("API_KEY", server.key)):
        monkeypatch.setenv(f"HOLDFAST_LLM_{name}", value)
    monkeypatch.setenv("HOLDFAST_MEMORY_RECALL_DEADLINE_MS", "60000")
    return found
