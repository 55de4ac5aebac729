"""Public knowledge of embedding models by their names: how long their vectors and windows are.

What a model wants written in front of a text is the same wherever it runs, so that comes from the local room. A model
that is not known is asked for one vector, and its text is sent as it is.
"""

from __future__ import annotations

from holdfast.embeddings.local.model_prompts import Prompts
from holdfast.embeddings.local.model_prompts import known_prompts as prompts_of
from holdfast.named_tuple import NamedTuple

__all__ = ["KnownModel", "known_model"]


class KnownModel(NamedTuple):
    """One model; `dimensions` is None where they are not known, `window` is in tokens."""

    dimensions: int | None = None
    window: int = 8192
    prompts: Prompts = Prompts()


# Vendors' model cards: dimensions and window; for what Ollama serves, the window that its model files set.
_MODELS: dict[str, tuple[int | None, int]] = {
    "text-embedding-3-small": (1536, 8191),
    "text-embedding-3-large": (3072, 8191),
    "text-embedding-ada-002": (1536, 8191),
    "gemini-embedding-001": (3072, 2048),
    "gemini-embedding-2": (3072, 8192),
    "gemini-embedding-2-preview": (3072, 8192),
    "text-embedding-004": (768, 2048),
    "nomic-embed-text": (768, 2048),
    "nomic-embed-text-v1.5": (768, 2048),
    "nomic-embed-text-v2-moe": (768, 512),
    "embeddinggemma": (768, 2048),
    "mxbai-embed-large": (1024, 512),
    "all-minilm": (384, 512),
    "bge-m3": (1024, 8192),
    "snowflake-arctic-embed2": (1024, 8192),
    "snowflake-arctic-embed": (None, 512),
    "qwen3-embedding": (None, 32768),
    "multilingual-e5": (None, 512),
    "e5": (None, 512),
}
_FAMILIES = sorted(_MODELS, key=len, reverse=True)
# Google's second generation has no task types any more; it is told its task in the text.
_GEMINI_2 = Prompts("task: search result | query: ", "title: none | text: ")


def known_model(model: str) -> KnownModel:
    """Return what is known of a model, whoever serves it; a longer name of a known family keeps no dimensions."""
    name = model.lower().rpartition("/")[2].partition(":")[0]
    if name.startswith("gemini-embedding-2"):
        prompts = _GEMINI_2
    else:
        prompts = prompts_of(name.replace("embed2", "embed-v2"))
    if name in _MODELS:
        return KnownModel(*_MODELS[name], prompts)
    family = next((family for family in _FAMILIES if name.startswith(f"{family}-")), None)
    if family:
        return KnownModel(None, _MODELS[family][1], prompts)
    return KnownModel(prompts=prompts)
