"""One provider of a chain: asked through its breaker, told no secrets, and never in the way of an answer."""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, TypeVar, cast

from holdfast.embeddings.embed_call import ask
from holdfast.embeddings.embedder import Embedder, Purpose, SpaceKey
from holdfast.errors import ProviderFailed

if TYPE_CHECKING:
    from holdfast.embeddings.remote.remote_embedder import RemoteEmbedder
    from holdfast.embeddings.static.static_embedder import StaticEmbedder
    from holdfast.remote.breaker import Breaker

__all__ = ["Effort", "Link"]

_T = TypeVar("_T")

_STATIC = "holdfast.embeddings.static.static_embedder"

_TEXTS_A_CALL = 64
_TEXTS_A_CALL_EMBEDDED = 1_024  # a call of many new words is done with arrays, and their vectors are stored at once


class Effort(IntEnum):
    """The price of asking a provider: next to nothing, this machine's time, or another machine."""

    NONE = 0
    WORK = 1
    REMOTE = 2


class Link:
    """A provider that is made when it is first needed; what keeps it from being made is a failure like any other.

    Only one that is asked over HTTP has a breaker: here nothing is gained by not asking. `trouble` is why the last call
    failed, empty after one that did not; `embedded` marks the model that comes with Holdfast.
    """

    def __init__(
        self,
        name: str,
        make: Callable[[], Embedder],
        *,
        effort: Effort = Effort.NONE,
        why: str = "",
        embedded: bool = False,
        breaker: Breaker | None = None,
    ) -> None:
        self.name = name
        self.effort = effort
        self.why = why
        self.embedded = embedded
        self.breaker = breaker
        self.trouble = ""
        self.failed_at = -math.inf
        self._make = make
        self._made: Embedder | None = None
        self._hindrance: ProviderFailed | None = None
        self._older: dict[SpaceKey, Link] = {}
        self._lock = threading.Lock()

    @classmethod
    def of(cls, embedder: Embedder) -> Link:
        """Return a link for an embedder that somebody brought."""
        link = cls(embedder.space.provider, lambda: embedder, why="it was given to Memory.open")
        link._made = embedder
        return link

    @property
    def is_loaded(self) -> bool:
        """True where asking costs no more than the answer; only the model that comes with Holdfast can tell."""
        if not self.embedded:
            return True
        if self._made is None and _STATIC not in sys.modules:
            return False
        return cast("StaticEmbedder", self.embedder()).is_loaded

    @property
    def texts_a_call(self) -> int:
        """Return how many texts it is best asked for at once."""
        if self.embedded:
            return _TEXTS_A_CALL_EMBEDDED
        return _TEXTS_A_CALL

    @property
    def remote(self) -> bool:
        """True if it is asked over HTTP."""
        return self.effort is Effort.REMOTE

    @property
    def away(self) -> bool:
        """True if text leaves this machine; a provider that runs here is remote in manner only."""
        if not self.remote:
            return False
        from holdfast.embeddings.remote.endpoint import is_here

        try:
            return not is_here(cast("RemoteEmbedder", self.embedder()).identity[2])
        except ProviderFailed:
            return True

    def embedder(self) -> Embedder:
        """Return the provider itself; raises `ProviderFailed` where it can't be had."""
        with self._lock:
            if self._made is None:
                try:
                    self._made = self._make()
                except ProviderFailed:
                    if self._hindrance is not None:
                        raise self._hindrance from None
                    raise
            return self._made

    def hinder(self, failure: ProviderFailed) -> None:
        """Say why it can't be made, where somebody tried to help and knows more than the making does."""
        self._hindrance = failure

    def space(self) -> SpaceKey:
        """Return the space of its vectors; a provider whose vectors nobody has seen is asked for one."""
        known = self.known_space()
        if known is not None:
            return known
        self._let_through()
        return self._call_and_note(lambda: self.embedder().space)

    def known_space(self) -> SpaceKey | None:
        """Return the space of its vectors where that can be told without asking anybody; None where it can't."""
        try:
            embedder = self.embedder()
            if self.remote:
                return cast("RemoteEmbedder", embedder).known_space
            return embedder.space
        except ProviderFailed:
            return None

    def older(self, space: SpaceKey) -> Link | None:
        """Return the same provider at the same place, with the model and dimensions that it had before.

        It is None if it is another provider.

        It may answer questions until the new space is full: the text goes nowhere but where it goes anyway. The breaker
        is its own, so that a new model which does not exist takes nobody down with it.
        """
        if not (self.remote or self.embedded) or space == self.known_space():
            return None
        if space not in self._older:
            try:
                made = cast("RemoteEmbedder | StaticEmbedder", self.embedder()).older(space)
            except ProviderFailed:
                return None
            if made is None:
                return None
            self._older[space] = self._before(made)
        return self._older[space]

    def _before(self, embedder: Embedder) -> Link:
        """Return a link for what this provider had before."""
        breaker = None
        if self.remote:
            from holdfast.remote.breaker import Breaker

            breaker = Breaker()
        link = Link(self.name, lambda: embedder, effort=self.effort, why="it was used before", breaker=breaker)
        link._made = embedder
        return link

    def ask(self, texts: Sequence[str], purpose: Purpose, seconds: float | None = None) -> list[bytes]:
        """Return the packed vectors of the texts, b"" where there is none.

        A remote provider has so many seconds.
        """
        embedder = self.embedder()
        if not self.remote:
            return self._call_and_note(lambda: ask(embedder, texts, purpose))
        from holdfast.embeddings.remote.outbound_text import remove_secrets

        self._let_through()
        outbound = [remove_secrets(text) for text in texts]
        return self._call_and_note(lambda: ask(embedder, outbound, purpose, seconds))

    def _let_through(self) -> None:
        if self.breaker is not None and not self.breaker.allows():
            wait = max(1, round(self.breaker.rest_seconds()))
            raise ProviderFailed(self.name, f"it is left alone for {wait} s more, because {self.breaker.because}")

    def _call_and_note(self, call: Callable[[], _T]) -> _T:
        try:
            answer = call()
        except ProviderFailed as failure:
            self.trouble, self.failed_at = failure.why, time.monotonic()
            if self.breaker is not None:
                self.breaker.failed(failure.why)
            raise
        self.trouble = ""
        if self.breaker is not None:
            self.breaker.succeeded()
        return answer

    def __repr__(self) -> str:
        return f"Link({self.name!r})"
