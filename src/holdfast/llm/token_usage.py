"""Count what the answers of models have taken: requests, tokens of each kind, and money where there are prices."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Protocol

from holdfast.errors import ProviderFailed, TokensSpent
from holdfast.llm.chat_model import Answer, ChatModel, Request, ToolCall, Usage
from holdfast.llm.server_report import ModelReport, ModelServer
from holdfast.markdown.token_estimate import PER_TOKEN, weight
from holdfast.value import Value

__all__ = ["Meter", "MeteredModel", "Prices", "Spent", "Weighable", "estimate"]

_MILLION = 1_000_000
_PER_MESSAGE = 4  # tokens around each message: its role and its ends


class Weighable(Protocol):
    """A message with a text and tool calls, of a request or of a transcript."""

    @property
    def text(self) -> str:
        """The text of the message."""
        ...

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The calls in the message."""
        ...


class Prices(Value):
    """The prices of a million tokens, in the owner's currency; None where nobody has said.

    A cache makes what is read from it cheaper, and what is written to it dearer, by factors that differ between
    providers and change; the price of all input is the one that is given.
    """

    price_input: float | None = None
    price_output: float | None = None

    def of(self, usage: Usage) -> float | None:
        """Return the cost of so many tokens; None without both prices."""
        if self.price_input is None or self.price_output is None:
            return None
        return (usage.input_tokens * self.price_input + usage.output_tokens * self.price_output) / _MILLION


class Spent(Value):
    """The tokens taken so far.

    `estimated` requests were answered without a count, and ours stands for it.
    """

    requests: int = 0
    failures: int = 0
    estimated: int = 0
    usage: Usage = Usage()
    cost: float | None = None

    @property
    def tokens(self) -> int:
        """Everything that was read and written."""
        return self.usage.input_tokens + self.usage.output_tokens

    def since(self, before: Spent) -> Spent:
        """Return what was taken between two looks at one meter."""
        usage = Usage(*(getattr(self.usage, name) - getattr(before.usage, name) for name in self.usage.fields))
        return Spent(
            self.requests - before.requests,
            self.failures - before.failures,
            self.estimated - before.estimated,
            usage,
            None if self.cost is None else self.cost - (before.cost or 0.0),
        )

    def plus(self, other: Spent) -> Spent:
        """Both together."""
        if self.cost is None and other.cost is None:
            cost = None
        else:
            cost = (self.cost or 0.0) + (other.cost or 0.0)
        return _sum(self, other).replace(cost=cost)


class Meter:
    """Adds up, for any number of models and threads; `limit` is the most tokens in all.

    The limit is looked at before each request, since only the answer says what it took: the last one may go over it.
    """

    def __init__(self, prices: Prices | None = None, *, limit: int | None = None) -> None:
        self.limit = limit
        self._prices = prices or Prices()
        self._lock = threading.Lock()
        self._models: dict[str, Spent] = {}

    def check(self, provider: str) -> None:
        """Raise `TokensSpent` where the limit is reached."""
        spent = self.total.tokens
        if self.limit is not None and spent >= self.limit:
            raise TokensSpent(provider, spent, self.limit)

    def answered(self, request: Request, answer: Answer) -> None:
        """Count an answer."""
        counted = answer.usage != Usage()
        if counted:
            usage = answer.usage
        else:
            usage = Usage(estimate(request.messages), estimate((answer.message,)))
        self._add(answer.model, Spent(1, 0, 0 if counted else 1, usage))

    def failed(self, model: str) -> None:
        """Count a request that brought nothing; what it took, nobody says."""
        self._add(model, Spent(1, 1))

    @property
    def total(self) -> Spent:
        """All models together."""
        with self._lock:
            found = Spent()
            for spent in self._models.values():
                found = _sum(found, spent)
        return self._priced(found)

    @property
    def by_model(self) -> dict[str, Spent]:
        """Each model that answered, under the name that it gave."""
        with self._lock:
            return {model: self._priced(spent) for model, spent in self._models.items()}

    def metered(self, model: ChatModel) -> MeteredModel:
        """The same model, counted here."""
        return MeteredModel(model, self)

    def _add(self, model: str, more: Spent) -> None:
        with self._lock:
            self._models[model] = _sum(self._models.get(model, Spent()), more)

    def _priced(self, spent: Spent) -> Spent:
        return spent.replace(cost=self._prices.of(spent.usage))


class MeteredModel:
    """A model whose answers are counted."""

    def __init__(self, model: ChatModel, meter: Meter) -> None:
        self.meter = meter
        self._model = model

    @property
    def provider(self) -> str:
        """Its name in the settings."""
        return self._model.provider

    @property
    def model(self) -> str:
        """The model that is asked for."""
        return self._model.model

    def chat(
        self, request: Request, *, seconds: float | None = None, on_text: Callable[[str], None] | None = None
    ) -> Answer:
        """The next turn; raises `TokensSpent` where the limit is reached, and nobody is asked then."""
        self.meter.check(self.provider)
        try:
            answer = self._model.chat(request, seconds=seconds, on_text=on_text)
        except ProviderFailed:
            self.meter.failed(self.model)
            raise
        self.meter.answered(request, answer)
        return answer

    def report(self) -> ModelReport:
        """Ask its server about the model, which takes no tokens; raises `ProviderFailed` where that can't be."""
        if not isinstance(self._model, ModelServer):
            return ModelReport(self.model)
        return self._model.report()

    def context_window(self) -> int | None:
        """The tokens of the window that its server says; None where it does not, or where there is no server."""
        if not isinstance(self._model, ModelServer):
            return None
        return self._model.context_window()

    def __repr__(self) -> str:
        return f"MeteredModel({self._model!r})"


def estimate(messages: Iterable[Weighable]) -> int:
    """About how many tokens messages have: a quarter of the characters of Latin text, one for each of CJK."""
    weighed = 0
    for message in messages:
        weighed += _PER_MESSAGE * PER_TOKEN + weight(message.text)
        for call in message.tool_calls:
            weighed += weight(call.name) + weight(str(dict(call.arguments)))
    return -(-weighed // PER_TOKEN)


def _sum(first: Spent, second: Spent) -> Spent:
    return Spent(
        first.requests + second.requests,
        first.failures + second.failures,
        first.estimated + second.estimated,
        first.usage + second.usage,
    )
