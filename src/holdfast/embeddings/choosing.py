"""Settings in; the embedder that answers for them out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.settings.values import MemorySettings

if TYPE_CHECKING:
    from holdfast.embeddings.embedder import Embedder

__all__ = ["choose"]


def choose(settings: MemorySettings) -> Embedder | None:
    """The provider that the settings name; `auto` takes the model that comes with Holdfast, which is always there."""
    if settings.disable_rag:
        return None
    from holdfast.embeddings.static.embedder import StaticEmbedder

    return StaticEmbedder()
