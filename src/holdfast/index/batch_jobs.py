"""Texts without a vector → a provider's batch service → the space, however often the work is broken off.

A job is on disk before it is sent and until its vectors are stored; what is found on record is finished before
anything new is sent. What a job does not bring back is pending again, and the caller asks for it directly.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from holdfast.embeddings.batch.batch_contract import BatchState
from holdfast.errors import BadAnswer, BadArgument, ProviderFailed, ProviderRefused
from holdfast.index.sqlite.database import Database
from holdfast.index.sqlite.job_rows import Job, Jobs
from holdfast.named_tuple import NamedTuple
from holdfast.plural import count_of
from holdfast.progress import Progress
from holdfast.settings.embedding_settings import BatchSettings

if TYPE_CHECKING:
    from holdfast.embeddings.batch.batch_contract import Batcher
    from holdfast.index.sqlite.vectors import Vectors

__all__ = ["BatchResult", "Pace", "batch"]

_ROWS = 10_000  # of one job; OpenAI takes 50,000
# About a million tokens: the smallest accounts may have three million waiting at OpenAI, and two jobs run at a time.
_CHARACTERS = 4_000_000
_RESULT = 96_000_000  # bytes that the answers of one job may take, at the length that a number has in JSON
_NUMBER_BYTES = 16
_LINE_BYTES = 512  # beside its numbers
_FINDS = 2  # a job that was just created may not be on the list yet; twice not found is not there
_UNREADABLE = 5  # calls that could not read a job's results; then they are paid for a second time
_FAILURES = 3  # rounds in a row in which the provider could not be asked


class BatchResult(NamedTuple):
    """The texts that came back, how many are still in a job, and why not all of them came."""

    embedded: int = 0
    waiting: int = 0
    because: str = ""


class Pace(NamedTuple):
    """The most rows of a job, and the clock by which jobs are waited for."""

    rows: int = _ROWS
    sleep: Callable[[float], None] = time.sleep
    now: Callable[[], float] = time.monotonic


_PACE = Pace()


def batch(
    database: Database,
    vectors: Vectors,
    batcher: Batcher,
    settings: BatchSettings,
    *,
    progress: Progress | None = None,
    forced: bool = False,
    pace: Pace = _PACE,
) -> BatchResult:
    """Finish the jobs on record, then send what is pending, if that is enough for a job or `forced`.

    Unless the settings say to `wait`, it looks once and leaves what is not done to a later call.
    """
    if batcher.space != vectors.space:
        raise BadArgument("batcher", "it embeds in another space")
    jobs = Jobs(database.connection, vectors.space)

    def enough() -> bool:
        threshold = max(1, settings.threshold)
        return forced or (settings.enabled and len(vectors.pending(threshold)) >= threshold)

    if not jobs.open_jobs() and not enough():
        return BatchResult()
    # No clock decides whether a job without a remote id is just being sent or was left behind: the lock does.
    with database.alone("jobs") as ours:
        if not ours:
            waiting = sum(job.rows for job in jobs.open_jobs())
            return BatchResult(0, waiting, "another process is looking after the batch jobs")
        run = _Run(jobs, vectors, batcher, pace.rows, enough, progress)
        deadline = pace.now() + settings.timeout_minutes * 60
        while run.round(settings.concurrency) and settings.wait and (left := deadline - pace.now()) > 0:
            pace.sleep(min(left, settings.poll_interval_ms / 1000))
        return run.result(batcher.space.provider)


class _Run:
    """One call: what it has stored, what it will not send again, and why it is not complete."""

    def __init__(
        self,
        jobs: Jobs,
        vectors: Vectors,
        batcher: Batcher,
        rows: int,
        enough: Callable[[], bool],
        progress: Progress | None,
    ) -> None:
        self._jobs, self._vectors, self._batcher = jobs, vectors, batcher
        self._rows = max(1, min(rows, _RESULT // (_NUMBER_BYTES * batcher.space.dimensions + _LINE_BYTES)))
        self._enough = enough
        self._sending = enough()
        self._stopped = False
        self._progress = progress
        texts, before = vectors.coverage()
        self._total = texts - before
        self._embedded = 0
        self._running = 0
        self._passed_over: set[str] = set()
        self._unreadable: set[str] = set()
        self._failures = 0
        self._trouble = ""  # of the last round; the next may be better
        self._because = ""

    def round(self, concurrency: int) -> bool:
        """Look at every job, and send new ones; says whether it is worth to come again."""
        failure = self._look()
        if failure is None:
            self._failures, self._trouble = 0, ""
            while (
                self._sending and not self._stopped and len(self._jobs.open_jobs()) < concurrency and self._send_job()
            ):
                pass
        else:
            # a wrong key stays wrong; everything else may be over at the next look
            if isinstance(failure, ProviderRefused):
                self._failures = _FAILURES
            else:
                self._failures = self._failures + 1
            self._trouble = str(failure)
        if self._progress is not None and self._total:
            self._progress("Embedding in batches", min(self._total, self._embedded + self._running), self._total)
        open_now = {job.id for job in self._jobs.open_jobs()}
        return bool(open_now - self._unreadable) and self._failures < _FAILURES

    def result(self, provider: str) -> BatchResult:
        """Return how the call ended."""
        waiting = sum(job.rows for job in self._jobs.open_jobs())
        because = self._trouble or self._because
        if waiting and not because:
            texts = count_of(waiting, "text")
            because = f"{texts} waiting in a batch job of '{provider}'; `holdfast index` collects them later"
        return BatchResult(self._embedded, waiting, because)

    def _look(self) -> ProviderFailed | None:
        """Bring every job forward; one that can't be looked at is no reason to leave the others."""
        failure: ProviderFailed | None = None
        running = 0
        for job in self._jobs.open_jobs():
            try:
                running += self._advance(job)
            except ProviderFailed as error:
                failure = error
        if failure is None:
            self._running = running
        else:
            self._running = max(self._running, running)
        return failure

    def _advance(self, job: Job) -> int:
        """Bring one job forward; gives how many of its rows are done while it still runs."""
        remote = job.remote or self._find_remote(job)
        if remote is None or job.id in self._unreadable:
            return 0
        try:
            status = self._batcher.look(remote)
        except ProviderRefused:
            # The key may be wrong, or the job is gone, and providers say both in the same words. The list tells: with
            # a wrong key there is none.
            if self._batcher.find(job.id) is not None:
                raise
            self._store(job, {}, "the provider does not have the job any more")
            return 0
        if status.state is BatchState.RUNNING:
            return status.done
        found = self._collect(job, remote)
        if found is not None:
            self._store(job, found, status.because)
            self._batcher.forget(remote)
        return 0

    def _find_remote(self, job: Job) -> str | None:
        """Return the remote id of a job that somebody created, or tried to, and could not write down."""
        remote = self._batcher.find(job.id)
        if remote is not None:
            self._jobs.sent(job.id, remote)
        elif self._jobs.missed(job.id) >= _FINDS:
            self._jobs.end(job.id)
            self._sending = self._enough()  # its texts are pending again
        return remote

    def _collect(self, job: Job, remote: str) -> dict[str, bytes] | None:
        try:
            return self._batcher.collect(remote)
        except (BadAnswer, ProviderRefused) as failure:
            self._because = str(failure)
            if self._jobs.missed(job.id) >= _UNREADABLE:
                return {}
            self._unreadable.add(job.id)  # they are paid for: another time they may be readable
            return None

    def _store(self, job: Job, found: dict[str, bytes], because: str) -> None:
        """Keep what a job brought, and strike it off; what it did not bring is pending again."""
        hashes = self._jobs.rows_of(job.id)
        rows = [(text_hash, found[text_hash]) for text_hash in hashes if text_hash in found]
        with self._jobs.durably():  # together: a kill in between would ask, and pay, for them again
            self._vectors.put(rows)
            self._jobs.end(job.id)
        self._embedded += len(rows)
        if len(rows) < len(hashes):
            self._passed_over.update(set(hashes) - set(found))
            reason = because or "they were missing or could not be used"
            self._because = (
                f"{len(hashes) - len(rows):,} of {count_of(len(hashes), 'text')} came back without a vector: {reason}"
            )
        if not rows:
            self._stopped = True  # the next job would fare no better

    def _send_job(self) -> bool:
        """Send one more job; False when there is nothing to send, or it could not be sent."""
        texts = self._slice()
        job, hashes = self._jobs.begin(list(texts)) if texts else ("", [])
        if not hashes:
            self._sending = False
            return False
        try:
            remote = self._batcher.submit(
                job, self._vectors.outgoing([(text_hash, texts[text_hash]) for text_hash in hashes])
            )
        except ProviderRefused as failure:
            self._jobs.end(job)
            self._stopped, self._because = True, str(failure)
            return False
        except ProviderFailed as failure:  # it may have been created all the same; the next look finds out
            self._stopped, self._because = True, str(failure)
            return False
        self._jobs.sent(job, remote)
        return True

    def _slice(self) -> dict[str, str]:
        """Return the pending texts that one job takes, by their hash."""
        taken: dict[str, str] = {}
        characters = 0
        for text_hash, text in self._vectors.pending(self._rows + len(self._passed_over)):
            if text_hash in self._passed_over:
                continue
            if not text.strip():  # it has no vector, and is not worth a row: the direct call knows that
                self._passed_over.add(text_hash)
                continue
            characters += len(text)
            if taken and (len(taken) == self._rows or characters > _CHARACTERS):
                break
            taken[text_hash] = text
        return taken
