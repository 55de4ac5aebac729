"""Each remote chat model, made for the test server, with what the tests must know about its API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from provider_server import ProviderServer

from holdfast.llm.anthropic_chat import AnthropicChat
from holdfast.llm.gemini_chat import GeminiChat
from holdfast.llm.ollama_chat import OllamaChat
from holdfast.llm.openai_chat import OpenAIChat
from holdfast.llm.remote_chat import RemoteChatModel
from holdfast.remote.provider_calls import Caller

__all__ = ["ANTHROPIC", "CUSTOM", "GEMINI", "KINDS", "OLLAMA", "OPENAI", "ChatKind"]


class ChatKind(NamedTuple):
    """One kind of chat model; `cut` and `refused` are how its API says that a turn ended early."""

    name: str
    build: Callable[..., RemoteChatModel]
    model: str
    path: str
    cut: str
    refused: str

    def __str__(self) -> str:
        return self.name

    def make(self, server: ProviderServer, caller: Caller | None = None, **more: Any) -> RemoteChatModel:
        """A model with the server's key; `caller` lets a test count what it would sleep."""
        model = more.pop("model", self.model)
        return self.build(model, **{"base_url": server.url, "api_key": server.key, "caller": caller, **more})


def _custom(model: str, **arguments: Any) -> RemoteChatModel:
    return OpenAIChat(model, **{"provider": "custom", **arguments})


_COMPLETIONS = "/v1/chat/completions"
OPENAI = ChatKind("openai", OpenAIChat, "gpt-5-mini", _COMPLETIONS, "length", "content_filter")
CUSTOM = ChatKind("custom", _custom, "local-model", _COMPLETIONS, "length", "content_filter")
ANTHROPIC = ChatKind("anthropic", AnthropicChat, "claude-haiku-4-5", "/v1/messages", "max_tokens", "refusal")
GEMINI = ChatKind("gemini", GeminiChat, "gemini-3-flash", r"/v1beta/models/.*", "MAX_TOKENS", "SAFETY")
OLLAMA = ChatKind("ollama", OllamaChat, "qwen3", "/api/chat", "length", "")
KINDS = [OPENAI, CUSTOM, ANTHROPIC, GEMINI, OLLAMA]
