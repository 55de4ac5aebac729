"""Settings and environment in; the model that answers for them out."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from holdfast.errors import ProviderFailed
from holdfast.llm.chat_model import Answer, ChatModel, Request

if TYPE_CHECKING:
    from holdfast.llm.remote_chat import RemoteChatModel
    from holdfast.llm.server_report import ModelReport
    from holdfast.settings.llm_settings import LlmSettings

__all__ = ["KEYS", "MODELS", "ChosenModel", "choose"]

# Where each provider's own tools look for its key.
KEYS: Mapping[str, tuple[str, ...]] = {
    "openai": ("OPENAI_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY",),
    "gemini": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
}
MODELS: Mapping[str, str] = {
    "openai": "gpt-5-mini",
    "anthropic": "claude-haiku-4-5",
    "gemini": "gemini-flash-latest",
}
"""What is asked where `llm.model` is not set: small, fast, and under a name that its maker keeps up to date."""


def choose(
    settings: LlmSettings, environ: Mapping[str, str] | None = None, *, context_window: int | None = None
) -> ChatModel | None:
    """The model that the settings describe, made when it is first asked; None where they want none.

    `context_window` is what the owner set as the tokens of its window. A key in the environment alone chooses nobody:
    text leaves this machine only where the owner says so.
    """
    provider = str(settings.provider)
    if provider == "none" or (provider == "auto" and not settings.base_url):
        return None
    if provider == "auto":
        from holdfast.embeddings.remote.endpoint import provider_at

        provider = provider_at(settings.base_url or "")
    environment = os.environ if environ is None else environ
    model = settings.model or MODELS.get(provider, "")
    return ChosenModel(provider, model, lambda: _make_model(provider, model, settings, environment, context_window))


class ChosenModel:
    """A model that is made when it is first asked; what keeps it from being made is a failure like any other."""

    def __init__(self, provider: str, model: str, make: Callable[[], RemoteChatModel]) -> None:
        self.provider = provider
        self.model = model
        self._make = make
        self._made: RemoteChatModel | None = None
        self._lock = threading.Lock()

    def chat(
        self, request: Request, *, seconds: float | None = None, on_text: Callable[[str], None] | None = None
    ) -> Answer:
        """The next turn; raises `ProviderFailed` where the model can't be had, or can't answer."""
        return self._model().chat(request, seconds=seconds, on_text=on_text)

    def report(self) -> ModelReport:
        """Ask its server about the model; raises `ProviderFailed` where that can't be."""
        return self._model().report()

    def context_window(self) -> int | None:
        """The tokens of the window that its server says, asked once; None where it does not. Never raises."""
        try:
            return self._model().context_window()
        except ProviderFailed:
            return None

    def _model(self) -> RemoteChatModel:
        with self._lock:
            made = self._made = self._made or self._make()
        return made

    def __repr__(self) -> str:
        return f"ChosenModel(provider={self.provider!r}, model={self.model!r})"


def _make_model(
    provider: str, model: str, settings: LlmSettings, environ: Mapping[str, str], context_window: int | None
) -> RemoteChatModel:
    from holdfast.llm.remote_chat import Access, patience
    from holdfast.remote.provider_calls import Caller

    named = next((name for name in KEYS.get(provider, ()) if environ.get(name, "").strip()), None)
    given: Access = {
        "base_url": settings.base_url or "",
        "api_key": settings.api_key or (environ[named].strip() if named else None),
        "caller": Caller(provider, policy=patience(settings.timeout_seconds, settings.idle_timeout_seconds)),
        "max_tokens": settings.max_tokens,
        "temperature": settings.temperature,
        "context_window": context_window,
    }
    if provider == "anthropic":
        from holdfast.llm.anthropic_chat import AnthropicChat

        return AnthropicChat(model, **given)
    if provider == "gemini":
        from holdfast.llm.gemini_chat import GeminiChat

        return GeminiChat(model, **given)
    if provider == "ollama":
        from holdfast.llm.ollama_chat import OllamaChat

        given["base_url"] = settings.base_url or environ.get("OLLAMA_HOST", "")
        return OllamaChat(model, **given)
    from holdfast.llm.openai_chat import OpenAIChat

    return OpenAIChat(model, provider=provider, **given)
