"""A process is killed at every step of its batch jobs: the next one finishes them, and no row is paid for twice."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from counts import counted
from faults._child_batches import ROWS, SETTINGS
from faults.children import Child, children
from provider_any_batch import BatchService
from provider_fixture import provider
from provider_index_batch import all_embedded, indexed, paid_once, some_texts
from provider_kinds_batch import BATCH_KINDS, BatchKind
from provider_server import ProviderServer

from holdfast.index.batch_jobs import BatchResult, Pace, batch
from holdfast.index.sqlite.database import Database

__all__ = ["provider"]

pytestmark = [pytest.mark.fault, pytest.mark.promise("P6")]

_TEXTS = some_texts(4 * ROWS)


class Point(NamedTuple):
    """Where a process dies: at the Nth request, before or after the provider has done it, or at the Nth commit."""

    name: str
    after: int


class Dropped(Exception):
    """The request of a process that is dead: the connection ends, and nothing was done."""


class Executioner:
    """Counts what the provider is asked, and kills the process at its request."""

    def __init__(self, point: Point, child: Child) -> None:
        self.point, self.child = point, child
        self.before = self.later = 0

    def __call__(self, where: str, done: bool) -> None:
        if done:
            self.later += 1
        else:
            self.before += 1
        if self.point == Point("after a request" if done else "before a request", self.later if done else self.before):
            assert self.child.kill_after(0)
            if not done:
                raise Dropped


def _finish(kind: BatchKind, provider: ProviderServer, path: Path) -> BatchResult:
    """The next process: one call, as `holdfast index` makes it."""
    batcher = kind.batcher(provider)
    database = Database(str(path))
    try:
        return batch(database, database.vectors(batcher.space), batcher, SETTINGS, pace=Pace(ROWS, lambda _: None))
    finally:
        database.close()


def _points(kind: BatchKind, provider: ProviderServer, service: BatchService, path: Path) -> list[Point]:
    """Every step of an undisturbed run, counted by making it."""
    requests: list[str] = []
    commits = 0

    def commit() -> bool:
        nonlocal commits
        commits += 1
        return False

    service.struck = lambda where, done: requests.append(where) if done else None
    batcher = kind.batcher(provider)
    database = indexed(path, _TEXTS)
    vectors = database.vectors(batcher.space)
    database.connection.raw.set_commit_hook(commit)
    assert batch(database, vectors, batcher, SETTINGS, pace=Pace(ROWS, lambda _: None)) == (len(_TEXTS), 0, "")
    assert all_embedded(kind, database, batcher.space, _TEXTS)
    database.close()
    service.struck = None
    return [
        *(
            Point(name, after)
            for name in ("before a request", "after a request")
            for after in range(1, len(requests) + 1)
        ),
        *(Point(name, after) for name in ("before commit", "after commit") for after in range(1, commits + 1)),
    ]


def _chosen(points: list[Point], count: int) -> Iterator[Point]:
    """So many of the points, each as often as any other; all of them before one comes twice."""
    chance = random.Random(11)
    while count > 0:
        yield from chance.sample(points, min(count, len(points)))
        count -= len(points)


@pytest.mark.parametrize("kind", BATCH_KINDS, ids=str)
def test_a_batch_that_was_killed_at_any_step_is_finished_by_the_next_process_and_paid_for_once(
    kind: BatchKind, provider: ProviderServer, tmp_path: Path
) -> None:
    points = _points(kind, provider, kind.serve(provider), tmp_path / "counted.sqlite")
    for number, point in enumerate(_chosen(points, counted(4, 100))):
        provider.reset()
        service = kind.serve(provider)
        path = tmp_path / f"{number}.sqlite"
        indexed(path, _TEXTS).close()
        with children("_child_batches.py", [[path, provider.url, provider.key, kind, *point]]) as (child,):
            service.struck = Executioner(point, child)
            child.go()
            assert child.killed_itself(), f"{point} was not reached"
        service.struck = None
        done = _finish(kind, provider, path)
        assert (done.waiting, done.because) == (0, ""), point
        database = Database(str(path))
        assert all_embedded(kind, database, kind.batcher(provider).space, _TEXTS), point
        assert database.check() == []
        database.close()
        assert paid_once(provider, _TEXTS), point


@pytest.mark.parametrize("kind", BATCH_KINDS, ids=str)
def test_processes_that_begin_together_and_die_one_after_the_other_pay_once(
    kind: BatchKind, provider: ProviderServer, tmp_path: Path
) -> None:
    chance = random.Random(str(kind))
    for number in range(counted(1, 10)):
        provider.reset()
        kind.serve(provider)
        path = tmp_path / f"{number}.sqlite"
        indexed(path, _TEXTS).close()
        points = [("before commit", chance.randint(1, 12)), ("after commit", chance.randint(1, 12)), ("never", 1)]
        arguments = [[path, provider.url, provider.key, kind, *point] for point in points]
        with children("_child_batches.py", arguments) as started:
            for child in started:
                child.go()
            for child in started:
                child.killed_itself()
        assert _finish(kind, provider, path)[1:] == (0, "")
        database = Database(str(path))
        assert all_embedded(kind, database, kind.batcher(provider).space, _TEXTS)
        database.close()
        assert paid_once(provider, _TEXTS)
