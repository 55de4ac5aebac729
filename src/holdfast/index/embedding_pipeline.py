"""Embeds what was just written while the next notes are still being read and cut.

The main thread writes and reads; other threads wait for whoever makes the vectors: a second process with the embedded
model, a model that runs outside Python, or a provider on another machine. What they do not finish, `fill` does.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

from holdfast.embeddings.chain import Chain
from holdfast.embeddings.embedder import Purpose
from holdfast.embeddings.provider_link import Effort, Link
from holdfast.errors import ProviderFailed
from holdfast.index.sqlite.database import Database
from holdfast.index.store_contract import NoteRows

if TYPE_CHECKING:
    from holdfast.embeddings.static.embedding_worker import SecondProcess
    from holdfast.index.sqlite.vectors import Vectors
    from holdfast.index.vector_fill import FillOptions, Neighbours

__all__ = ["Ahead", "ahead_of"]

_Rows = Sequence[tuple[str, str]]
_MOST_WAITING = 64  # calls; with the embedded model some ten thousand passages
_STORED_AT_ONCE = 8_192  # vectors that nobody paid for: each transaction has its price


def ahead_of(chain: Chain | None, database: Database, filling: FillOptions) -> Ahead | None:
    """Return somebody to work ahead of `fill`, where nobody has to be asked first."""
    if chain is None or filling.limit is not None:
        return None
    link = chain.first
    # How much it will cost, and whether a batch job is cheaper, is known only when all notes are read.
    if link.away and not (filling.approved and filling.direct):
        return None
    try:
        width = 1
        if link.remote:
            width = filling.concurrency
        return Ahead(link, database.vectors(link.space()), width, filling.neighbours)
    except ProviderFailed:
        return None


class Ahead:
    """Takes the notes of each batch, and stores their vectors as they come."""

    def __init__(self, link: Link, vectors: Vectors, width: int, neighbours: Neighbours | None) -> None:
        self._link = link
        self._neighbours: Neighbours | None = None
        if link.effort is not Effort.NONE:
            self._neighbours = neighbours
        self._vectors = vectors
        self._pool = ThreadPoolExecutor(width)
        self._under_way: deque[tuple[_Rows, Future[list[bytes]]]] = deque()
        self._second: SecondProcess | None = None
        if link.effort is Effort.NONE and link.embedded:
            self._second = _second(link)
        self._taken: list[tuple[str, bytes]] = []
        self._failed = False
        self.embedded = 0

    def feed(self, notes: Sequence[NoteRows]) -> None:
        """Begin with the texts of these notes, which are in the index by now."""
        if self._failed or (self._second is None and self._link.effort is Effort.NONE):
            return
        texts = {text_hash: text for note in notes for text_hash, text in self._vectors.texts_of(note).items()}
        missing = self._vectors.missing(list(texts))
        if self._neighbours is not None:
            given = dict(self._neighbours(self._vectors, missing))
            self._vectors.put(list(given.items()))
            self.embedded += len(given)
            missing = [text_hash for text_hash in missing if text_hash not in given]
        rows = [(text_hash, texts[text_hash]) for text_hash in missing]
        if self._link.remote:
            rows = self._vectors.outgoing(rows)
        for start in range(0, len(rows), self._link.texts_a_call):
            batch = rows[start : start + self._link.texts_a_call]
            self._under_way.append((batch, self._pool.submit(self._ask, [text for _, text in batch])))
        # Who writes is quicker than who embeds; without an end, the texts of all notes would wait in memory.
        while self._under_way and (len(self._under_way) > _MOST_WAITING or self._under_way[0][1].done()):
            self._take(*self._under_way.popleft())
        self._store_taken()

    def finish(self) -> None:
        """Store what is still to come from the second process; what nobody else has begun, `fill` asks for.

        The second process knows the words of these notes by now; to learn them here as well would take twice as long.
        """
        if self._second is None:
            self._under_way = deque(pair for pair in self._under_way if not pair[1].cancel())
        while self._under_way:
            self._take(*self._under_way.popleft())
        self._store_taken()

    def close(self) -> None:
        """Let go of the threads and the process."""
        self._pool.shutdown(cancel_futures=True)
        if self._second is not None:
            self._second.close()

    def _ask(self, texts: list[str]) -> list[bytes]:
        rows = None
        if self._second is not None:
            rows = self._second.ask(texts)
        if rows is not None:
            return rows
        return self._link.ask(texts, Purpose.DOCUMENT)

    def _take(self, batch: _Rows, future: Future[list[bytes]]) -> None:
        try:
            rows = future.result()
        except ProviderFailed:
            self._failed = True  # `fill` asks again, and says why it failed
            for _, waiting in self._under_way:
                waiting.cancel()
            self._under_way = deque(pair for pair in self._under_way if not pair[1].cancelled())
            return
        self._taken += [(text_hash, row) for (text_hash, _), row in zip(batch, rows, strict=True)]
        # What was paid for is stored before anything else is waited for.
        if self._second is None or len(self._taken) >= _STORED_AT_ONCE:
            self._store_taken()

    def _store_taken(self) -> None:
        taken, self._taken = self._taken, []
        self._vectors.put(taken)
        self.embedded += len(taken)


def _second(link: Link) -> SecondProcess:
    from holdfast.embeddings.static.embedding_worker import SecondProcess

    return SecondProcess(link.space().model)
