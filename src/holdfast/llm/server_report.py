"""A server's report on its model: the name under which it knows it, and how many tokens its window has.

Nothing but the model's name is sent. A window is what the server gives to one conversation, which is often less than
what the model was trained for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from holdfast.errors import ProviderRefused
from holdfast.llm.answer_parts import count, name_or, objects
from holdfast.llm.chat_model import ChatModel
from holdfast.value import Value

__all__ = ["Fetch", "ModelReport", "ModelServer", "listed_model", "ollama_window", "props_window", "window_in"]

LEAST_WINDOW = 1000
"""The least that `compaction.context_window` takes; what says less is no window."""

# What a list of models calls the window: vLLM and SGLang; OpenRouter and Together; Groq; Mistral and LM Studio.
_WINDOW_FIELDS = ("max_model_len", "context_length", "context_window", "max_context_length", "n_ctx")
_PROPS_OWNERS = ("", "llamacpp", "koboldcpp")  # in a list of models; whoever names no owner may be one of them
_NUM_CTX = re.compile(r"^[ \t]*num_ctx[ \t]+(\d{1,12})[ \t]*$", re.MULTILINE)
_SHOWN_MODELS = 5


class ModelReport(Value):
    """A model as its server describes it; `window` is None where it does not say."""

    model: str
    window: int | None = None
    asks_props: bool = False
    """Whether the server may be one that says the window in `/props`."""


class Fetch(Protocol):
    """Sends one short request to the server and gives the JSON of the answer; raises `ProviderFailed`."""

    def __call__(self, method: str, url: str, body: Mapping[str, Any] | None = None) -> Any:
        """The answer."""
        ...


@runtime_checkable
class ModelServer(ChatModel, Protocol):
    """A model whose server can be asked about it."""

    def report(self) -> ModelReport:
        """Ask now; raises `ProviderFailed` where it can't be reached, or does not have the model."""
        ...

    def context_window(self) -> int | None:
        """The tokens of the window, asked once; None where the server does not say. Never raises."""
        ...


def window_in(value: Any) -> int | None:
    """A number of tokens that can be a window."""
    return value if count(value) >= LEAST_WINDOW else None


def listed_model(provider: str, name: str, answer: Any) -> ModelReport:
    """The model in an OpenAI-style list; raises `ProviderRefused` where the list has others only.

    A server with one model answers with that one, whatever it is asked for; its name is then the server's.
    """
    entries = objects(answer.get("data") if isinstance(answer, dict) else answer)
    named = [entry for entry in entries if name_or(entry.get("id"))]
    own = next((entry for entry in named if entry["id"] == name), None)
    if own is None and len(named) == 1 and named[0].get("owned_by") in _PROPS_OWNERS:
        own = named[0]
    if own is None and named:
        raise ProviderRefused(provider, f"it lists no model {name!r}; {_name_list([entry['id'] for entry in named])}")
    if own is None:
        return ModelReport(name, asks_props=True)
    meta = own.get("meta")
    places = (own, meta if isinstance(meta, dict) else {})
    windows = (window_in(place.get(field)) for place in places for field in _WINDOW_FIELDS)
    window = next((found for found in windows if found is not None), None)
    return ModelReport(own["id"], window, asks_props=name_or(own.get("owned_by")) in _PROPS_OWNERS)


def props_window(answer: Any) -> int | None:
    """The window of one conversation in llama.cpp's `/props`."""
    settings = None
    if isinstance(answer, dict):
        settings = answer.get("default_generation_settings")
    if not isinstance(settings, dict):
        return None
    return window_in(settings.get("n_ctx"))


def ollama_window(answer: Any, largest: int) -> int | None:
    """The window in Ollama's `/api/show`: what its owner set, else what the model has, up to the largest we ask for."""
    if not isinstance(answer, dict):
        return None
    info, parameters = answer.get("model_info"), answer.get("parameters")
    trained = [window_in(value) for name, value in _items(info) if name.endswith(".context_length")]
    chosen = None
    if isinstance(parameters, str):
        chosen = _NUM_CTX.search(parameters)
    windows = [window for window in trained if window is not None]
    if chosen is not None and window_in(int(chosen[1])) is not None:
        windows.append(int(chosen[1]))
    if not windows:
        return None
    return min(*windows, largest)


def _items(value: Any) -> Sequence[tuple[str, Any]]:
    if not isinstance(value, dict):
        return []
    return list(value.items())


def _name_list(names: Sequence[str]) -> str:
    if len(names) > _SHOWN_MODELS:
        more = f" and {len(names) - _SHOWN_MODELS} more"
    else:
        more = ""
    return f"it has {', '.join(names[:_SHOWN_MODELS])}{more}"
