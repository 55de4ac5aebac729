"""The batch jobs of one space, on disk before they are sent, so that the next process finds and finishes them.

What is written here is money: a job that is forgotten is paid for again. A job is therefore durable before its first
byte leaves the machine, and its end is stored together with the vectors that it brought; both survive a power cut.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from holdfast.embeddings.embedder import SpaceKey
from holdfast.index.sqlite.connection import Connection
from holdfast.named_tuple import NamedTuple

__all__ = ["Job", "Jobs"]


class Job(NamedTuple):
    """A job on record; `remote` is the provider's id, None while nobody knows whether the provider has it."""

    id: str
    remote: str | None
    rows: int
    created: int


class Jobs:
    """The record of the jobs of one space; `wall` only tells people since when a job has been waiting."""

    def __init__(self, connection: Connection, space: SpaceKey, *, wall: Callable[[], float] = time.time) -> None:
        self._connection = connection
        self._wall = wall
        self._space: int | None = connection.one(
            "SELECT id FROM spaces WHERE provider = ? AND model = ? AND endpoint = ? AND dimensions = ?", space
        )

    @contextmanager
    def durably(self) -> Iterator[None]:
        """Begin one write transaction that is on the disk itself when it ends, and not only on its way there."""
        self._connection.one("PRAGMA synchronous=FULL")
        try:
            with self._connection.writing():
                yield
        finally:
            self._connection.one("PRAGMA synchronous=NORMAL")

    def begin(self, hashes: Sequence[str]) -> tuple[str, list[str]]:
        """Record a job for those of the texts that have no vector and are in no other job; gives its id and them."""
        job = os.urandom(16).hex()
        with self.durably(), self._connection.writing() as raw:
            raw.execute(
                "INSERT INTO job_rows(space, hash, job) SELECT DISTINCT ?1, j.value, ?2 FROM json_each(?3) j "
                "WHERE NOT EXISTS (SELECT 1 FROM job_rows r WHERE r.space = ?1 AND r.hash = j.value) "
                "AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.space = ?1 AND v.hash = j.value)",
                (self._space, job, json.dumps(list(hashes))),
            )
            taken = self.rows_of(job)
            if taken:
                raw.execute(
                    "INSERT INTO jobs(id, space, rows, created) VALUES (?,?,?,?)",
                    (job, self._space, len(taken), int(self._wall())),
                )
        return job, taken

    def sent(self, job: str, remote: str) -> None:
        """Record that the provider has the job, under this id."""
        with self._connection.writing() as raw:
            raw.execute("UPDATE jobs SET remote = ? WHERE id = ?", (remote, job))

    def missed(self, job: str) -> int:
        """Count that the job, or its results, were looked for in vain; gives how often by now."""
        with self._connection.writing() as raw:
            raw.execute("UPDATE jobs SET missed = missed + 1 WHERE id = ?", (job,))
            return int(raw.execute("SELECT missed FROM jobs WHERE id = ?", (job,)).get or 0)

    def open_jobs(self) -> list[Job]:
        """Return every job on record, oldest first."""
        rows = self._connection.all(
            "SELECT id, remote, rows, created FROM jobs WHERE space = ? ORDER BY rowid", (self._space,)
        )
        return [Job._make(row) for row in rows]

    def rows_of(self, job: str) -> list[str]:
        """Return the hashes of the texts in a job."""
        return [row for (row,) in self._connection.all("SELECT hash FROM job_rows WHERE job = ? ORDER BY hash", (job,))]

    def end(self, job: str) -> None:
        """Strike the job off; its texts that have no vector by now are pending again. Also inside `durably`."""
        with self._connection.writing() as raw:
            raw.execute("DELETE FROM job_rows WHERE job = ?", (job,))
            raw.execute("DELETE FROM jobs WHERE id = ?", (job,))
