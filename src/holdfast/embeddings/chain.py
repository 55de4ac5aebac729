"""The providers of one memory, in the order in which they are asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from holdfast.embeddings.embedder import Embedder
from holdfast.embeddings.provider_link import Effort, Link
from holdfast.errors import ProviderFailed
from holdfast.progress import Progress

__all__ = ["Chain"]


class Chain:
    """The provider that the settings chose, then those that answer while it can't; each has a space of its own."""

    def __init__(
        self,
        links: Sequence[Link],
        prepare: Callable[[Progress | None], None] | None = None,
        is_owed: Callable[[], bool] = lambda: False,
    ) -> None:
        self.links = tuple(links)
        self._prepare = prepare
        self.is_owed = is_owed  # whether a model is still to be downloaded, which takes minutes

    @classmethod
    def of(cls, embedder: Embedder) -> Chain:
        """Return a chain of one, for an embedder that somebody brought."""
        return cls([Link.of(embedder)])

    @property
    def first(self) -> Link:
        """The provider that the settings chose."""
        return self.links[0]

    @property
    def spare(self) -> tuple[Link, ...]:
        """Those that answer while the first can't."""
        return self.links[1:]

    @property
    def ready(self) -> tuple[Link, ...]:
        """The spare ones whose vectors cost next to nothing, so that they are kept up to date all the time."""
        return tuple(link for link in self.spare if link.effort is Effort.NONE)

    def prepare(self, progress: Progress | None = None) -> None:
        """Fetch what the first provider needs and the owner asked for: a model that is still to be downloaded."""
        if self._prepare is None:
            return
        try:
            self._prepare(progress)
        except ProviderFailed as failure:
            self.first.hinder(failure)

    def __repr__(self) -> str:
        return f"Chain({', '.join(link.name for link in self.links)})"
