"""The language models that a search may ask: one to rerank its hits, one to put the question in other words."""

from __future__ import annotations

import os

from holdfast.context.context import Context
from holdfast.errors import ProviderRefused
from holdfast.named_tuple import NamedTuple

__all__ = ["Aid", "expander_of", "model_address", "reranker_of"]

_MODEL = "the language model"
_NO_MODEL = "no language model is configured; `holdfast config set llm.provider` names one"


class Aid(NamedTuple):
    """Says who helps, empty where nobody is to; and why that one can't, empty where it can."""

    who: str = ""
    lacks: str = ""

    @property
    def shown(self) -> str:
        """Both in a line."""
        if self.lacks:
            return f"{self.who}: {self.lacks}"
        return self.who


def reranker_of(ctx: Context) -> Aid:
    """Return the model that reads the best hits again."""
    settings, model = ctx.settings, ctx.chat_model
    by_model, place = settings.memory.llm_reranking, settings.rerank.model
    if not by_model and place is None:
        return Aid()
    if settings.memory.disable_rag:
        return Aid("nobody", "memory.disable_rag is on")
    if by_model and model is not None:
        return Aid(f"{_MODEL} {model.provider} / {model.model}")
    if place is None:
        return Aid("nobody", f"memory.llm_reranking is on, and {_NO_MODEL}")
    from holdfast.search.rerank_onnx import ChosenReranker

    reader = ctx.reranker
    if isinstance(reader, ChosenReranker):
        lacks = reader.lacks()
    else:
        lacks = ""
    return Aid(f"the cross-encoder {place.rstrip('/').rpartition('/')[2]}", lacks)


def expander_of(ctx: Context) -> Aid:
    """Return who finds other ways to ask."""
    if not ctx.settings.search.expand:
        return Aid()
    model = ctx.chat_model
    if model is None:
        return Aid("nobody", f"llm.tasks has expand, and {_NO_MODEL}")
    return Aid(f"{_MODEL} {model.provider} / {model.model}")


def model_address(ctx: Context) -> str:
    """Return where the language model is that a search sends questions or notes to.

    Empty where none leaves this machine.
    """
    if not any(aid.who.startswith(_MODEL) for aid in (reranker_of(ctx), expander_of(ctx))):
        return ""
    from holdfast.embeddings.remote.endpoint import is_here, ollama_endpoint

    llm = ctx.settings.llm
    written, provider = llm.base_url or "", ctx.chat_model.provider if ctx.chat_model is not None else ""
    try:
        if provider == "ollama":
            written = ollama_endpoint(provider, written or os.environ.get("OLLAMA_HOST", "")).url
    except ProviderRefused:
        return written
    if not written:
        return f"{provider}'s own address"
    if "://" in written:
        url = written
    else:
        url = f"https://{written}"
    return "" if is_here(url) else written
