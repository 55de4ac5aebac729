"""The contract between text and vectors: what an embedder is asked, and what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from holdfast.named_tuple import NamedTuple

__all__ = ["Embedded", "Embedder", "Purpose", "SpaceKey"]


class Purpose(StrEnum):
    """The purpose of vectors; some models embed a question and its answer differently."""

    DOCUMENT = "document"
    QUERY = "query"


class SpaceKey(NamedTuple):
    """The key of a space: only vectors of one and the same space are ever compared (P8)."""

    provider: str
    model: str
    endpoint: str
    dimensions: int

    @property
    def by_block(self) -> bool:
        """True if passages are embedded in blocks.

        They are by a provider that is asked over HTTP, and takes something for each text it is sent. A model in this
        process takes nothing but the words, and tells passages apart better.
        """
        return self.endpoint != ""

    @property
    def is_packaged(self) -> bool:
        """True if the model comes with Holdfast: its vectors cost nothing, and can be made again at any time."""
        return self.provider == "local" and self.model.startswith("holdfast-static-") and "#" not in self.model

    @property
    def of_pictures(self) -> SpaceKey:
        """The space of what images show, by the same model: no text is compared in it but a question."""
        return self._replace(provider=f"{self.provider}-images")


class Embedded(NamedTuple):
    """An answer, which names the model that really gave it.

    A vector is a sequence of floats or a float32 array; None is an honest "this text has no vector", and the
    text is then left to keywords.
    """

    space: SpaceKey
    vectors: Sequence[Sequence[float] | None]


class Embedder(Protocol):
    """Text in, vectors out; raises `ProviderFailed` and nothing else when it can't."""

    @property
    def space(self) -> SpaceKey:
        """The space its vectors belong to, known without a call."""
        ...

    def embed(self, texts: Sequence[str], purpose: Purpose) -> Embedded:
        """Return one vector for each text, in order."""
        ...
