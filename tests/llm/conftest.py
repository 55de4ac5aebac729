"""The test server for this folder, with the chat APIs and a script for what its models say."""

from __future__ import annotations

from collections.abc import Iterator

import provider_chat_anthropic
import provider_chat_gemini
import provider_chat_ollama
import provider_chat_openai
import pytest
from provider_chat_script import ChatScript
from provider_fixture import provider, running_provider
from provider_server import ProviderServer

__all__ = ["provider", "running_provider"]

_APIS = (provider_chat_openai, provider_chat_anthropic, provider_chat_gemini, provider_chat_ollama)


@pytest.fixture(scope="session")
def running_script(running_provider: ProviderServer) -> ChatScript:
    """The script of the one server; tests take `script`."""
    found = ChatScript()
    for api in _APIS:
        running_provider.add(api.routes(found))
    return found


@pytest.fixture
def script(running_script: ChatScript, provider: ProviderServer) -> Iterator[ChatScript]:
    """A script without lines."""
    running_script.reset()
    yield running_script
    running_script.reset()
