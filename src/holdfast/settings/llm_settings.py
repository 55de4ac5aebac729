"""The settings of the language model that helps where one is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final, TypeVar

from holdfast.settings.declaration import PLENTY, Section, choice, fixed, listed, number, text, texts, whole
from holdfast.settings.text_checks import url_flaw

__all__ = ["LLM_TASKS", "LlmProvider", "LlmSettings", "for_task"]

_Declared = TypeVar("_Declared")
LLM_TASKS: Final = ("capture", "captions", "dreaming", "expand", "summary")
"""What `llm.tasks` can name."""
_IDLE_FACTOR: Final = 5
_BOTH: Final = 2
_LONGEST_PRICE: Final = 12


def for_task(declared: _Declared, task: str, *, when: object = True) -> _Declared:
    """Declare what `llm.tasks` names, where a key of its own said so before."""
    return listed(declared, task, "llm.tasks", when=when, instead=f'Name "{task}" in llm.tasks, or leave it out there.')


def _task_flaw(name: str) -> str | None:
    if name in LLM_TASKS:
        return None
    return f"it must be one of {', '.join(LLM_TASKS)}"


def _price_flaw(price: str) -> str | None:
    whole, _, part = price.partition(".")
    if (whole + part).isascii() and (whole + part).isdigit() and len(price) <= _LONGEST_PRICE:
        return None
    return "it must be a number such as 0.25"


def _price_count(prices: Sequence[str]) -> str | None:
    if len(prices) <= _BOTH:
        return None
    return "it has more than two prices"


def _timeout_for(idle: int, before: int) -> int | None:
    """Return the timeout with which a stream may pause as long as it was allowed to."""
    needed = -(-idle // _IDLE_FACTOR)
    if needed <= before:
        return None
    return needed


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
    tasks: tuple[str, ...] = texts(
        ("dreaming",),
        "What it does beyond what it is asked for outright: `capture` looks for more facts in what was said, "
        "`captions` describes each image once, `dreaming` decides what says the same as a line of MEMORY.md or takes "
        "its place, `expand` finds other ways to ask where a search leaves room, `summary` stands in for the part of "
        "a conversation that is left out; `memory.llm_reranking` has it judge hits.",
        flaw=_task_flaw,
    )
    timeout_seconds: int = whole(
        60,
        "How long an answer that comes in one piece may take, retries included; one that is streamed may pause five "
        "times as long, and five minutes at least.",
        1,
        3600,
    )
    # A prompt of 4,000 tokens is read in 270 s at 15 tokens a second, which a small model on an old CPU manages.
    idle_timeout_seconds: int = fixed(
        whole(
            300,
            "How long an answer that is streamed may pause, also before it begins; in all it may take any time.",
            1,
            5 * 3600,
        ),
        "It is five times llm.timeout_seconds now, and 300 at least.",
        heir="llm.timeout_seconds",
        carry=_timeout_for,
    )
    prices: tuple[str, ...] = texts(
        (),
        "What a million tokens cost that it reads, and a million that it writes, in any currency: `1`, `4`; without "
        "both no cost is shown.",
        flaw=_price_flaw,
        together=_price_count,
    )
    max_tokens: int = fixed(whole(4096, "The longest answer, in tokens.", 1, 1_000_000))
    temperature: float | None = fixed(
        number(None, "How freely it answers; without it, as the model does.", 0, 2, example=1),
        "Each model answers as freely as it does by itself now.",
    )
    price_input: float | None = fixed(
        number(
            None,
            "What a million tokens that it reads cost, in any currency; without both prices no cost is shown.",
            0,
            PLENTY,
            example=1,
        ),
        "Write it into llm.prices, before that of what it writes.",
        heir="llm.prices",
        carry=lambda price, before: (f"{price:g}", *before[1:]),
    )
    price_output: float | None = fixed(
        number(None, "What a million tokens that it writes cost, in the same currency.", 0, PLENTY, example=4),
        "Write it into llm.prices, after that of what it reads.",
        heir="llm.prices",
        carry=lambda price, before: (*(before[:1] or ("0",)), f"{price:g}"),
    )

    def settle(self, held: dict[str, Any]) -> None:
        """Let a stream pause longer where the owner is patient, and read the prices."""
        if len(self.prices) == _BOTH:
            held["price_input"], held["price_output"] = map(float, self.prices)
        if self.timeout_seconds > type(self).timeout_seconds:
            held["idle_timeout_seconds"] = max(self.idle_timeout_seconds, _IDLE_FACTOR * self.timeout_seconds)
