"""The settings of the language model that helps where one is wanted."""

from __future__ import annotations

from enum import StrEnum

from holdfast.settings.declaration import PLENTY, Section, choice, number, text, whole
from holdfast.settings.text_checks import url_flaw

__all__ = ["LlmProvider", "LlmSettings"]


class LlmProvider(StrEnum):
    """The provider of the language model that helps, where one is wanted."""

    AUTO = "auto"
    NONE = "none"
    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"
    OLLAMA = "ollama"
    CUSTOM = "custom"


class LlmSettings(Section, table="llm"):
    """The language model for the parts that need one; without it they are left out, and say so."""

    provider: LlmProvider = choice(
        LlmProvider.AUTO,
        "Whose language model helps where one is wanted: `auto` is the server at `llm.base_url`, or nobody where "
        "that is not set; `none` leaves those parts out.",
    )
    model: str | None = text(None, "The model that is asked for.", example="gpt-5-mini")
    base_url: str | None = text(
        None,
        "Where it is, if not at the provider's own address; with `auto`, a server that speaks OpenAI's language "
        "(or Anthropic's or Gemini's address, or Ollama's port).",
        flaw=url_flaw,
        example="http://localhost:8080/v1",
    )
    api_key: str | None = text(
        None, "Its key; without it, the provider's usual environment variable.", example="…", secret=True
    )
    timeout_seconds: int = whole(60, "How long an answer that comes in one piece may take, retries included.", 1, 3600)
    # A prompt of 4,000 tokens is read in 270 s at 15 tokens a second, which a small model on an old CPU manages.
    idle_timeout_seconds: int = whole(
        300,
        "How long an answer that is streamed may pause, also before it begins; in all it may take any time.",
        1,
        3600,
    )
    max_tokens: int = whole(4096, "The longest answer, in tokens.", 1, 1_000_000)
    temperature: float | None = number(None, "How freely it answers; without it, as the model does.", 0, 2, example=1)
    price_input: float | None = number(
        None,
        "What a million tokens that it reads cost, in any currency; without both prices no cost is shown.",
        0,
        PLENTY,
        example=1,
    )
    price_output: float | None = number(
        None, "What a million tokens that it writes cost, in the same currency.", 0, PLENTY, example=4
    )
