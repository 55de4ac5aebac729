"""What images show → vectors, in a space of their own, where the chosen model takes images."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.embeddings.chain import Chain

__all__ = ["picture_embedder"]


def picture_embedder(chain: Chain | None) -> None:
    """Nobody yet."""
    return None
