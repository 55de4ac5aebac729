"""An embedder in; the batch service that goes with it out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.embeddings.embedder import Embedder

if TYPE_CHECKING:
    from holdfast.embeddings.batch.batch_contract import Batcher

__all__ = ["batcher_for"]


def batcher_for(embedder: Embedder) -> Batcher | None:
    """Return the batch service of OpenAI or Gemini.

    It is None for everybody else, also for those who speak OpenAI's language.
    """
    from holdfast.embeddings.remote.gemini_embedder import GeminiEmbedder
    from holdfast.embeddings.remote.openai_embedder import OpenAIEmbedder

    if isinstance(embedder, OpenAIEmbedder) and embedder.provider == "openai":
        from holdfast.embeddings.batch.openai_batch import OpenAIBatcher

        return OpenAIBatcher(embedder)
    if isinstance(embedder, GeminiEmbedder):
        from holdfast.embeddings.batch.gemini_batch import GeminiBatcher

        return GeminiBatcher(embedder)
    return None
