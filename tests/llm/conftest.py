"""The test server for this folder, with the chat APIs and a script for what its models say."""

from __future__ import annotations

import provider_chat_anthropic
import provider_chat_gemini
import provider_chat_ollama
import provider_chat_openai
import pytest
from provider_chat_script import ChatScript
from provider_fixture import provider
from provider_server import ProviderServer

__all__ = ["provider"]

_APIS = (provider_chat_openai, provider_chat_anthropic, provider_chat_gemini, provider_chat_ollama)


@pytest.fixture
def script(provider: ProviderServer) -> ChatScript:
    """What the models at the server say next."""
    found = ChatScript()
    for api in _APIS:
        provider.add(api.routes(found))
    return found
