"""Texts without a vector → the providers → their spaces; never inside a transaction, never a reason to fail a sync.

The first provider's space is filled first. Spare providers whose vectors cost next to nothing are kept level with it,
so that one of them can answer at once; others are only asked while the first fails.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from holdfast.embeddings.chain import Chain
from holdfast.embeddings.embedder import Purpose
from holdfast.embeddings.provider_link import Effort, Link
from holdfast.errors import ProviderFailed
from holdfast.index.sqlite.database import Database
from holdfast.named_tuple import NamedTuple
from holdfast.plural import count_of
from holdfast.progress import Progress
from holdfast.remote.deadline import Deadline
from holdfast.settings.index_settings import CacheSettings
from holdfast.value import Value

if TYPE_CHECKING:
    from typing import TypeAlias

    from holdfast.index.sqlite.vectors import Vectors

    Neighbours: TypeAlias = Callable[[Vectors, Sequence[str]], list[tuple[str, bytes]]]

__all__ = ["FillOptions", "FillResult", "fill", "fill_texts"]

_FEW_GONE, _GONE_SHARE = (
    128,
    8,
)  # vectors that cost nothing, of texts that are gone: so many, or an eighth of the others
_TEXTS_A_LOOK = 4096  # finding what is pending reads the whole index, so it is done rarely
_UNCOUNTED = 8  # texts


class FillOptions(Value):
    """The bounds and the helpers of a fill.

    `limit` is the most texts; `seconds` the most time in all, on the clock of `now`; `approved` says that the
    owner agreed to send more than `ask_above` texts to another machine, and `direct` that no batch job will be used.
    `neighbours` gives vectors that others have
    paid for. `batched` finishes batch jobs and, if it may, sends new ones; it says how many texts came back, how many
    are still in a job, and why.
    """

    cache: CacheSettings = CacheSettings()
    limit: int | None = None
    seconds: float | None = None
    now: Callable[[], float] = time.monotonic
    approved: bool = False
    direct: bool = False
    ask_above: int = 2000
    concurrency: int = 4
    neighbours: Neighbours | None = None
    batched: Callable[[Link, Vectors, bool], tuple[int, int, str]] | None = None
    progress: Progress | None = None


class FillResult(NamedTuple):
    """The outcome of a fill: how far the vectors came, and why no further."""

    embedded: int = 0
    pending: int = 0
    because: str = ""
    failed: bool = False
    held_back: int = 0
    """Texts that are not sent before the owner agrees."""


def fill(database: Database, chain: Chain | None, filling: FillOptions, *, dirty: bool = True) -> FillResult:
    """Embed what is pending; a provider that fails leaves the rest for another time."""
    if chain is None:
        return FillResult()
    deadline = None
    if filling.seconds is not None:
        deadline = Deadline(filling.seconds, filling.now)
    done = _fill(database, chain.first, filling, dirty, deadline)
    for link in chain.ready:
        _fill(database, link, filling, dirty, deadline)
    if filling.limit is None:
        wanting = [link for link in chain.spare if link.effort is not Effort.NONE and not _covers(database, link)]
        if wanting and (done.failed or not _answers_now(chain.first)):
            for link in wanting:
                if not _fill(database, link, filling, dirty, deadline).failed:
                    break
    return done


def fill_texts(database: Database, chain: Chain | None, texts: Mapping[str, str]) -> int | None:
    """Embed those of these texts, by their hashes, that have no vector yet, with the model that comes with Holdfast.

    Says how many the first space had not; None where another model is to be asked as well, or this one fails. What else
    is pending is not looked for: to find that, the whole index is read.
    """
    links: tuple[Link, ...] = ()
    if chain is not None:
        links = (chain.first, *chain.ready)
    if not all(link.embedded for link in links):
        return None
    counts: list[int] = []
    try:
        for link in links:
            vectors = database.vectors(link.space())
            missing = vectors.missing(list(texts))
            if missing:
                rows = link.ask([texts[text_hash] for text_hash in missing], Purpose.DOCUMENT)
                vectors.put(list(zip(missing, rows, strict=True)))
            counts.append(len(missing))
    except ProviderFailed:
        return None
    if not counts:
        return 0
    return counts[0]


def _covers(database: Database, link: Link) -> bool:
    """Say whether a spare provider's space holds everything already."""
    space = link.known_space()
    if space is None or space not in database.spaces():
        return False
    texts, embedded = database.vectors(space).coverage()
    return embedded >= texts


def _answers_now(link: Link) -> bool:
    """Say whether the first provider is well; only asked where another could be got ready to stand in for it."""
    try:
        link.ask(["ping"], Purpose.QUERY)
    except ProviderFailed:
        return False
    return True


def _fill(database: Database, link: Link, filling: FillOptions, dirty: bool, deadline: Deadline | None) -> FillResult:
    try:
        vectors = database.vectors(link.space())
    except ProviderFailed as failure:
        return FillResult(0, database.texts(by_block=link.remote), str(failure), failed=True)
    if not link.remote:
        return _fill_space(link, vectors, filling, dirty, deadline)
    with database.alone("sending") as ours:  # two at once would pay for the same texts
        if ours:
            return _fill_space(link, vectors, filling, dirty, deadline)
    texts, embedded = vectors.coverage()
    return FillResult(0, texts - embedded, "another process is embedding" if embedded < texts else "")


def _fill_space(
    link: Link, vectors: Vectors, filling: FillOptions, dirty: bool, deadline: Deadline | None
) -> FillResult:
    texts, before = vectors.coverage()
    if filling.limit is None:
        wanted = texts - before
    else:
        wanted = min(filling.limit, texts - before)
    embedded, because, failed, held_back = 0, "", False, 0
    if wanted and filling.neighbours is not None and link.effort is not Effort.NONE:
        embedded = _take_from_neighbours(vectors, filling.neighbours, wanted)
    may_send = filling.approved or texts - before - embedded <= filling.ask_above or not link.away
    try:
        if wanted and filling.batched is not None:
            came, waiting, because = filling.batched(link, vectors, may_send)
            embedded += came
            wanted -= waiting
        if not may_send and wanted > embedded:
            held_back = texts - before - embedded
            # Agents read this: it names no command, as one that lifts a limit is run by whoever reads it.
            because = (
                f"{count_of(held_back, 'text')} would be sent to {link.name} ({vectors.space.endpoint}), more than "
                f"{filling.ask_above:,}; that is the owner's to allow"
            )
            wanted = embedded
        for count in _embed_pending(link, vectors, wanted - embedded, filling, deadline):
            embedded += count
            if filling.progress is not None:
                filling.progress("Embedding", embedded, wanted)
    except ProviderFailed as failure:
        because, failed = str(failure), True
    if deadline is not None and deadline.passed and embedded < wanted:
        because = because or f"{count_of(wanted - embedded, 'text')} more than {deadline.seconds:g} s were enough for"
    if embedded and link.remote:
        vectors.remember(getattr(link.embedder(), "reported", None))
    vectors.keep_coverage()
    if dirty or embedded:
        _evict(link, vectors, filling, texts)
        vectors.tidy()
    texts, now = vectors.coverage()
    pending = texts - now  # counted again: a job may have brought vectors of texts that are gone by now
    if not pending:
        return FillResult(embedded, 0, "", False, 0)
    return FillResult(embedded, pending, because, failed and pending > 0, held_back)


def _evict(link: Link, vectors: Vectors, filling: FillOptions, texts: int) -> None:
    """Forget vectors of texts that are gone: those that were paid for late, those of the model in the package soon.

    A note that grows line by line leaves one behind with each line, and a search passes all of them by.
    """
    keep = filling.cache.max_entries if filling.cache.enabled else 0
    few = max(_FEW_GONE, texts // _GONE_SHARE)
    if link.embedded and few < keep:
        vectors.evict(few, spare=few)
    else:
        vectors.evict(keep)


def _take_from_neighbours(vectors: Vectors, neighbours: Neighbours, wanted: int) -> int:
    """Store what others have paid for; says how many that were."""
    found = neighbours(vectors, [text_hash for text_hash, _ in vectors.pending(wanted)])
    vectors.put(found)
    return len(found)


def _embed_pending(
    link: Link, vectors: Vectors, wanted: int, filling: FillOptions, deadline: Deadline | None
) -> Iterator[int]:
    """Embed so many of the pending texts, as far as the time goes; yields how many came at a time.

    A few more are asked for than were counted: in a damaged index one that nobody counted may stand before the others.
    """
    done = 0
    most = wanted + _UNCOUNTED
    if filling.limit is not None:
        most = min(most, filling.limit)
    # The model that comes with Holdfast needs milliseconds. Any other must not keep a search waiting.
    hurried = None
    if not link.embedded:
        hurried = deadline
    while (
        done < wanted
        and not (hurried and hurried.passed)
        and (pending := vectors.pending(min(_TEXTS_A_LOOK, most - done)))
    ):
        if link.remote:
            pending = vectors.outgoing(pending)
        if hurried is not None and not link.remote:
            answers = _answers_in_time(link, pending, hurried)
        else:
            size = link.texts_a_call
            batches = [pending[start : start + size] for start in range(0, len(pending), size)]
            answers = _answers(link, batches, filling, hurried)
        taken: list[tuple[str, bytes]] = []
        for batch, rows in answers:
            taken += [(text_hash, row) for (text_hash, _), row in zip(batch, rows, strict=True)]
            if not link.embedded:  # what was paid for is stored before anything else is waited for
                vectors.put(taken)
                taken.clear()
            done += len(batch)
            yield len(batch)
        vectors.put(taken)  # many at once are a file of their own


_Batch = Sequence[tuple[str, str]]


def _answers_in_time(link: Link, pending: _Batch, deadline: Deadline) -> Iterator[tuple[_Batch, list[bytes]]]:
    """Yield the vectors of as many texts as a model on this machine manages until then.

    It can't be broken off, so it is given as many at a time as it will be done with in time by what it took so far;
    the first one alone, to measure that. It is late by one text at the most.
    """
    began = deadline.remaining()
    done, size = 0, 1
    while done < len(pending) and not deadline.passed:
        batch = pending[done : done + size]
        yield batch, link.ask([text for _, text in batch], Purpose.DOCUMENT)
        done += len(batch)
        spent = began - deadline.remaining()
        if spent <= 0:
            fitting = link.texts_a_call
        else:
            fitting = int(done * deadline.remaining() / spent)
        size = max(1, min(link.texts_a_call, fitting))


def _answers(
    link: Link, batches: Sequence[_Batch], filling: FillOptions, deadline: Deadline | None
) -> Iterator[tuple[_Batch, list[bytes]]]:
    """Yield the vectors of each batch as they come; several requests at once where it is another machine that works."""

    def ask(batch: _Batch) -> list[bytes]:
        if deadline is None or not link.remote:
            seconds = None
        else:
            seconds = deadline.remaining()
        return link.ask([text for _, text in batch], Purpose.DOCUMENT, seconds)

    if not link.remote or len(batches) < 2 or filling.concurrency < 2:
        for batch in batches:
            yield batch, ask(batch)
        return
    from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

    rest = iter(batches)
    with ThreadPoolExecutor(filling.concurrency) as pool:
        # The next request leaves when an answer is stored: a kill loses no more paid answers than are under way.
        under_way = {pool.submit(ask, batch): batch for batch in islice(rest, filling.concurrency)}
        failure: ProviderFailed | None = None
        while under_way:
            for answered in wait(under_way, return_when=FIRST_COMPLETED).done:
                batch = under_way.pop(answered)
                try:
                    rows = answered.result()
                except ProviderFailed as error:  # what is paid for is kept; what has not begun is called off
                    failure = failure or error
                    continue
                yield batch, rows
                if failure is None:
                    under_way |= {pool.submit(ask, batch): batch for batch in islice(rest, 1)}
        if failure is not None:
            raise failure
