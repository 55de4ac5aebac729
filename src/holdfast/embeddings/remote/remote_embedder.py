"""The common part of remote embedders.

Batches of a size that is taken, one check of every answer, one model throughout.
"""

from __future__ import annotations

import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, Self, Unpack

from holdfast.embeddings.embedder import Embedded, Purpose, SpaceKey
from holdfast.embeddings.remote.endpoint import Endpoint
from holdfast.embeddings.remote.known_models import KnownModel, known_model
from holdfast.errors import BadVectors, ProviderRefused, ProviderTooLarge
from holdfast.named_tuple import NamedTuple
from holdfast.remote.attempt import Answer
from holdfast.remote.deadline import Deadline
from holdfast.remote.provider_calls import Caller, Options
from holdfast.remote.redaction import Scrubber
from holdfast.value import Value

__all__ = ["Batch", "Reading", "RemoteEmbedder", "RemoteOptions", "is_secret"]

_CHARACTERS_A_TOKEN = 4  # English; a text with more tokens than that is refused by the provider and then halved
_HALVINGS = 3
_OTHER_LENGTH = (
    "Mend memory.dimensions; if the model itself was changed, `holdfast spaces drop` forgets what it gave before. "
    "Until then search goes on without it."
)
_SECRET = re.compile(r"auth|key|token|secret|cookie|password", re.IGNORECASE)


class Batch(NamedTuple):
    """The most that one request carries."""

    texts: int
    characters: int


class Reading(NamedTuple):
    """An answer in our terms: the vectors in the order of the texts, and the model that it names, if it does."""

    rows: Sequence[Any]
    model: str | None


def is_secret(api_key: str | None, headers: Mapping[str, str]) -> bool:
    """Say whether what goes along with a request must not be read on the way."""
    return bool(api_key) or any(_SECRET.search(name) for name in headers)


class RemoteOptions(Value):
    """The way to a provider: its address, key and headers, the length of its vectors, and how long it may take."""

    base_url: str = ""
    api_key: str | None = None
    headers: Mapping[str, str] = {}
    dimensions: int | None = None
    caller: Caller | None = None
    query_seconds: float = 8.0

    @property
    def is_secret(self) -> bool:
        """Say whether what goes along with a request must not be read on the way."""
        return is_secret(self.api_key, self.headers)


class RemoteEmbedder(ABC):
    """Text in, vectors of one model out; threads may share it.

    Without `dimensions`, and for a model that is not known, the first use of `space` asks for one vector to learn
    their length. A question waits `query_seconds` in all, a batch of documents the caller's own limit each.
    """

    batch: Batch
    lacks: str = ""
    """What is missing before it can be asked at all; `status` says so without asking."""

    def __init__(
        self, provider: str, model: str, endpoint: Endpoint, options: RemoteOptions, headers: Mapping[str, str]
    ) -> None:
        """`headers` are those of the options, with the key among them as this provider wants it."""
        self.identity = (provider, model, endpoint.name)
        self.known: KnownModel = known_model(model)
        self.asked_dimensions = options.dimensions
        self.url = endpoint.url
        self._headers = dict(headers)
        self._caller = options.caller or Caller(provider)
        self._owns_caller = options.caller is None
        self._query_seconds = options.query_seconds
        self._lock = threading.Lock()
        self._dimensions = options.dimensions or self.known.dimensions
        self._reported: str | None = None

    @abstractmethod
    def question(self, texts: Sequence[str], purpose: Purpose) -> tuple[str, dict[str, Any]]:
        """Return the URL and the body that ask for these texts."""

    @abstractmethod
    def read_answer(self, answer: Any, count: int) -> Reading:
        """Return the vectors in an answer, or `BadAnswer`."""

    def complete(self) -> None:
        """Refuse before anything is sent, where something is missing."""
        if self.lacks:
            raise ProviderRefused(self.provider, self.lacks)

    @property
    def provider(self) -> str:
        """Its name in the settings."""
        return self.identity[0]

    @property
    def model(self) -> str:
        """The model that is asked for."""
        return self.identity[1]

    @property
    def reported(self) -> str | None:
        """The model that the answers so far named; None before the first, or where the API names none."""
        return self._reported

    @property
    def space(self) -> SpaceKey:
        """The space of its vectors; sends one word to learn their length where nothing else tells it."""
        if self._dimensions is None:
            self._ask_once(["ping"], Purpose.QUERY, self._caller.deadline(self._query_seconds))
        assert self._dimensions is not None
        return SpaceKey(*self.identity, self._dimensions)

    @property
    def known_space(self) -> SpaceKey | None:
        """The space of its vectors where their length is known already; None where it must still be asked."""
        if self._dimensions is None:
            return None
        return SpaceKey(*self.identity, self._dimensions)

    def remember(self, dimensions: int | None, reported: str | None = None) -> None:
        """Take over what came in another process, vectors of a length from a model; what differs is refused."""
        with self._lock:
            self._dimensions = self._dimensions or dimensions
            self._reported = self._reported or reported

    def older(self, space: SpaceKey) -> Self | None:
        """Return the same, asked for the model and dimensions of another space of this provider.

        It is None if the space is another provider's.
        """
        provider, model, endpoint, dimensions = space
        if (provider, endpoint) != (self.identity[0], self.identity[2]):
            return None
        embedder = copy(self)
        embedder.identity, embedder.known = (provider, model, endpoint), known_model(model)
        if dimensions == embedder.known.dimensions:
            embedder.asked_dimensions = None
        else:
            embedder.asked_dimensions = dimensions
        embedder._dimensions, embedder._reported = dimensions, None  # noqa: SLF001 - our own kind
        return embedder

    def embed(self, texts: Sequence[str], purpose: Purpose, *, seconds: float | None = None) -> Embedded:
        """Return one vector for each text, in order; a blank text has none and is not sent. `seconds` limits it all."""
        if seconds is None and purpose is Purpose.QUERY:
            seconds = self._query_seconds
        shared = None
        if seconds is not None:
            shared = self._caller.deadline(seconds)
        vectors: list[Any] = [None] * len(texts)
        waiting = [(place, self.prepare_text(text, purpose)) for place, text in enumerate(texts) if text.strip()]
        for group in _groups(waiting, self.batch):
            rows = self._ask_in_halves([text for _, text in group], purpose, shared)
            for (place, _), row in zip(group, rows, strict=True):
                vectors[place] = row
        return Embedded(self.space, vectors)

    def prepare_text(self, text: str, purpose: Purpose) -> str:
        """Return the text as it is sent: after what the model wants before it, and no longer than its window."""
        return self.known.prompts.of(purpose) + text[: self.known.window * _CHARACTERS_A_TOKEN]

    def fetch(self, method: str, url: str, *, seconds: float | None = None, **options: Unpack[Options]) -> Answer:
        """Send another request of the same API, with the same headers, within so many seconds.

        Batch jobs send these.
        """
        return self._caller.fetch(method, url, **self._complete_options(options, seconds))

    def send(self, method: str, url: str, *, seconds: float | None = None, **options: Unpack[Options]) -> Any:
        """Return the same where the answer is JSON."""
        return self._caller.send(method, url, **self._complete_options(options, seconds))

    def redact(self, text: str) -> str:
        """Return what the provider wrote into an answer, as it may be shown: one line, and without the key."""
        return Scrubber(self._headers, self.url).clean(text)

    def _complete_options(self, options: Options, seconds: float | None) -> Options:
        headers = {**self._headers, **(options.get("headers") or {})}
        return {**options, "headers": headers, "deadline": self._caller.deadline(seconds)}

    def close(self) -> None:
        """Close the connections, if they are its own."""
        if self._owns_caller:
            self._caller.close()

    def __repr__(self) -> str:
        provider, model, endpoint = self.identity
        return f"{type(self).__name__}(provider={provider!r}, model={model!r}, endpoint={endpoint!r})"

    def _ask_in_halves(self, texts: list[str], purpose: Purpose, shared: Deadline | None) -> Sequence[Any]:
        try:
            return self._ask_once(texts, purpose, shared or self._caller.deadline())
        except ProviderTooLarge:
            if len(texts) == 1:
                return self._ask_shortened(texts[0], purpose, shared)
        middle = len(texts) // 2
        first, rest = (self._ask_in_halves(part, purpose, shared) for part in (texts[:middle], texts[middle:]))
        return [*first, *rest]

    def _ask_shortened(self, text: str, purpose: Purpose, shared: Deadline | None) -> Sequence[Any]:
        for left in reversed(range(_HALVINGS)):
            text = text[: len(text) // 2]
            try:
                return self._ask_once([text], purpose, shared or self._caller.deadline())
            except ProviderTooLarge:
                if not left or len(text) < 2:
                    raise
        raise AssertionError("the last try returns or raises")

    def _ask_once(self, texts: Sequence[str], purpose: Purpose, deadline: Deadline) -> Sequence[Any]:
        import numpy as np

        from holdfast.embeddings.vector_check import pack_vectors

        url, body = self.question(texts, purpose)
        answer = self._caller.send("POST", url, json=body, headers=self._headers, deadline=deadline)
        reading = self.read_answer(answer, len(texts))
        if len(reading.rows) != len(texts):
            raise BadVectors(self.provider, f"it gave {len(reading.rows)} vectors for {len(texts)} texts")
        dimensions = self._dimensions or len(reading.rows[0])
        if {len(row) for row in reading.rows} - {dimensions} == {length := len(reading.rows[0])}:
            why = f"its vectors are of another shape: {length} numbers, not {dimensions}"
            raise BadVectors(self.provider, why, _OTHER_LENGTH)
        space = SpaceKey(*self.identity, dimensions)
        # refused here, before anything is kept of it: neither the length of its vectors nor the name of its model
        rows = [np.frombuffer(row, "<f4") for row in pack_vectors(Embedded(space, reading.rows), len(texts), space)]
        self._settle(reading.model, dimensions)
        return rows

    def _settle(self, model: str | None, dimensions: int) -> None:
        with self._lock:
            if model is not None and self._reported not in (None, model):
                raise BadVectors(self.provider, f"it answered as {model[:80]!r}, and before as {self._reported!r}")
            if self._dimensions not in (None, dimensions):
                raise BadVectors(self.provider, f"its vectors have {dimensions} numbers, and before {self._dimensions}")
            self._reported, self._dimensions = model or self._reported, dimensions


def _groups(waiting: Sequence[tuple[int, str]], most: Batch) -> list[list[tuple[int, str]]]:
    groups: list[list[tuple[int, str]]] = []
    characters = 0
    for place, text in waiting:
        if not groups or len(groups[-1]) >= most.texts or characters + len(text) > most.characters:
            groups.append([])
            characters = 0
        groups[-1].append((place, text))
        characters += len(text)
    return groups
