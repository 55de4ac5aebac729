"""An embedder for tests and demonstrations: no model, no network, and it still ranks sensibly."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence

from holdfast.embeddings.embedder import Embedded, Purpose, SpaceKey
from holdfast.errors import ProviderFailed

__all__ = ["FakeEmbedder"]

_WORD = re.compile(r"\w+")


class FakeEmbedder:
    """Hashes words and their beginnings into a few dimensions, so that texts that share words are near.

    `down = True` makes it fail as a provider that can't be reached does; `calls` and `texts` count its work.
    """

    def __init__(self, model: str = "fake-64", dimensions: int = 64) -> None:
        self.space = SpaceKey("fake", model, "", dimensions)
        self.down = False
        self.calls = 0
        self.texts = 0

    def embed(self, texts: Sequence[str], purpose: Purpose) -> Embedded:  # noqa: ARG002 - both are embedded alike
        """Return one vector for each text; a text without words has none."""
        if self.down:
            raise ProviderFailed("fake", "it was switched off")
        self.calls += 1
        self.texts += len(texts)
        return Embedded(self.space, [self._vector(text) for text in texts])

    def _vector(self, text: str) -> list[float] | None:
        vector = [0.0] * self.space.dimensions
        for word in _WORD.findall(text.lower()):
            for feature, weight in ((word, 1.0), (word[:4], 0.5)):
                spread = zlib.crc32(f"{self.space.model}/{feature}".encode())
                if spread & 0x10000:
                    vector[spread % self.space.dimensions] += weight
                else:
                    vector[spread % self.space.dimensions] += -weight
        if any(vector):
            return vector
        return None
