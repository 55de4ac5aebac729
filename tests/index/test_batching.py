"""Batch jobs from the record on disk to the vectors in the space: every row is paid for once, and none is lost."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import provider_faults as faults
import pytest
from provider_any_batch import BatchService, Mishap
from provider_faults import status
from provider_fixture import provider
from provider_index_batch import all_embedded, indexed, paid_once, some_texts
from provider_kinds_batch import BATCH_KINDS, BatchKind
from provider_server import ProviderServer

from holdfast.embeddings.embed_call import ask
from holdfast.embeddings.embedder import Purpose, SpaceKey
from holdfast.errors import BadArgument
from holdfast.index.batch_jobs import BatchResult, Pace, batch
from holdfast.index.sqlite.database import Database
from holdfast.index.sqlite.job_rows import Jobs
from holdfast.settings.embedding_settings import BatchSettings

__all__ = ["provider"]

every_kind = pytest.mark.parametrize("kind", BATCH_KINDS, ids=str)
TEXTS = some_texts(20)


class Setting:
    """One index, one provider, and the calls between them."""

    def __init__(self, kind: BatchKind, provider: ProviderServer, path: Path) -> None:
        self.kind, self.provider, self.path = kind, provider, path
        self.service: BatchService = kind.serve(provider)
        self.embedder = kind.embedder(provider)
        self.batcher = kind.batcher(provider)
        self.database = indexed(path, TEXTS)
        self.slept: list[float] = []
        self.seen: list[tuple[str, int, int]] = []

    def run(self, *, on_sleep: Callable[[], None] | None = None, **more: Any) -> BatchResult:
        settings = BatchSettings(threshold=4, poll_interval_ms=10).replace(**more.pop("settings", {}))

        def sleep(seconds: float) -> None:
            self.slept.append(seconds)
            assert len(self.slept) < 100, "it never ends"
            if on_sleep is not None:
                on_sleep()

        vectors = self.database.vectors(self.batcher.space)
        pace = Pace(8, sleep, more.pop("now", time.monotonic))
        given = {"progress": lambda *told: self.seen.append(told), **more}
        return batch(self.database, vectors, self.batcher, settings, pace=pace, **given)

    def direct(self) -> None:
        """What the caller does with the texts that are left."""
        vectors = self.database.vectors(self.batcher.space)
        pending = vectors.pending(100)
        rows = ask(self.embedder, [text for _, text in pending], Purpose.DOCUMENT)
        vectors.put([(one, row) for (one, _), row in zip(pending, rows, strict=True)])

    @property
    def jobs(self) -> Jobs:
        return Jobs(self.database.connection, self.batcher.space)

    def complete(self) -> bool:
        return all_embedded(self.kind, self.database, self.batcher.space, TEXTS)


@pytest.fixture(params=BATCH_KINDS, ids=str)
def setting(request: pytest.FixtureRequest, provider: ProviderServer, tmp_path: Path) -> Iterator[Setting]:
    one = Setting(request.param, provider, tmp_path / "index.sqlite")
    yield one
    one.database.close()


def test_all_texts_are_embedded_in_jobs_and_paid_for_once(setting: Setting) -> None:
    assert setting.run() == (20, 0, "")
    assert setting.complete() and paid_once(setting.provider, TEXTS)
    assert len(setting.provider.asked(setting.kind.create)) == 3  # 8 + 8 + 4
    assert setting.service.files == {}
    assert set(setting.slept) == {0.01}
    assert setting.seen[-1] == ("Embedding in batches", 20, 20)
    assert [done for _, done, _ in setting.seen] == sorted(done for _, done, _ in setting.seen)


def test_no_more_jobs_run_at_a_time_than_the_settings_allow(setting: Setting) -> None:
    most: list[int] = []
    setting.run(settings={"concurrency": 1}, on_sleep=lambda: most.append(len(setting.jobs.open_jobs())))
    assert set(most) == {1} and setting.complete()


def test_few_texts_are_left_to_direct_calls_unless_it_is_forced(setting: Setting) -> None:
    assert setting.run(settings={"threshold": 21}) == (0, 0, "")
    assert setting.run(settings={"enabled": False}) == (0, 0, "")
    assert setting.provider.requests == []
    assert setting.run(settings={"enabled": False, "threshold": 21}, forced=True) == (20, 0, "")
    assert setting.complete()


def test_without_waiting_the_jobs_stay_on_record_and_a_later_call_collects_them(setting: Setting) -> None:
    done = setting.run(settings={"wait": False})
    assert done[:2] == (0, 16) and "holdfast index" in done.because
    assert setting.slept == []
    setting.database.close()
    setting.database = Database(str(setting.path))  # another process, later
    assert setting.run() == (20, 0, "")
    assert setting.complete() and paid_once(setting.provider, TEXTS)


def test_jobs_on_record_are_collected_also_when_batches_were_switched_off(setting: Setting) -> None:
    setting.run(settings={"wait": False})
    assert setting.run(settings={"enabled": False})[:2] == (16, 0)


def test_a_job_that_takes_too_long_is_left_on_record(setting: Setting) -> None:
    setting.service.next(Mishap.ENDLESS, Mishap.ENDLESS)
    clock = iter(range(0, 10_000, 100))
    done = setting.run(now=lambda: float(next(clock)), settings={"timeout_minutes": 10})
    assert done[:2] == (0, 16)
    assert setting.provider.texts_paid == 16
    assert len(setting.jobs.open_jobs()) == 2


@pytest.mark.parametrize(
    ("mishap", "back"),
    [
        (Mishap.ERROR_ROW, 19),
        (Mishap.MISSING, 19),
        (Mishap.DUPLICATED, 19),
        (Mishap.UNKNOWN, 20),
        (Mishap.NAN, 19),
        (Mishap.CUT_LINE, 19),
        (Mishap.EXPIRED, 16),
        (Mishap.CANCELLED, 16),
    ],
)
def test_what_a_job_does_not_bring_is_left_to_direct_calls(setting: Setting, mishap: Mishap, back: int) -> None:
    setting.service.next(mishap)
    done = setting.run()
    assert done[:2] == (back, 0)
    assert ("without a vector" in done.because) is (back < 20)
    assert len(setting.provider.asked(setting.kind.create)) == 3  # the rows that are left are not sent in a job again
    setting.direct()
    assert setting.complete()


def test_after_a_job_that_brought_nothing_no_more_are_sent(setting: Setting) -> None:
    setting.service.next(Mishap.FAILED)
    done = setting.run(settings={"concurrency": 1})
    assert done[:2] == (0, 0) and "It is full" in done.because and setting.provider.key not in done.because
    assert len(setting.provider.asked(setting.kind.create)) == 1
    setting.direct()
    assert setting.complete() and paid_once(setting.provider, TEXTS)


@pytest.mark.parametrize("mishap", [Mishap.CREATED_BUT_500, Mishap.CREATED_BUT_CUT], ids=str)
def test_a_job_that_was_created_in_spite_of_an_error_is_found_and_not_paid_twice(
    setting: Setting, mishap: Mishap
) -> None:
    setting.service.next(mishap)
    assert setting.run()[:2] == (8, 0)
    setting.direct()
    assert setting.complete() and paid_once(setting.provider, TEXTS)


def test_a_job_that_is_not_on_the_list_at_once_is_not_paid_twice(setting: Setting) -> None:
    setting.service.next(Mishap.CREATED_BUT_500)
    setting.service.lag = 1
    assert setting.run()[:2] == (8, 0)
    setting.direct()
    assert setting.complete() and paid_once(setting.provider, TEXTS)


def test_a_job_that_was_never_created_is_given_up_after_two_looks(setting: Setting) -> None:
    setting.provider.script(status(500), on=setting.kind.create)
    done = setting.run()
    assert done[:2] == (0, 0) and "500" in done.because
    assert len(setting.slept) == 2
    setting.direct()
    assert setting.complete() and paid_once(setting.provider, TEXTS)


def test_a_refused_job_is_off_the_record_at_once(setting: Setting) -> None:
    setting.provider.script(status(400, "no batches for you"), on=setting.kind.create)
    done = setting.run()
    assert done[:2] == (0, 0) and "no batches for you" in done.because
    assert setting.slept == []


def test_a_provider_that_is_down_while_it_is_polled_leaves_the_jobs_on_record(setting: Setting) -> None:
    setting.run(settings={"wait": False})
    # 3 rounds, and each asks 3 times for each of the 2 jobs
    setting.provider.script(*[status(503)] * 18)
    done = setting.run()
    assert done[:2] == (0, 16) and "503" in done.because
    assert len(setting.slept) == 2  # the third failure in a row ends the call
    assert setting.provider.texts_paid == 16
    assert setting.run() == (20, 0, "")
    assert setting.complete() and paid_once(setting.provider, TEXTS)


def test_a_provider_that_stumbles_once_while_it_is_polled_is_polled_on(setting: Setting) -> None:
    setting.provider.script(*[status(503)] * 3, on=setting.kind.look)
    assert setting.run() == (20, 0, "")
    assert setting.complete() and paid_once(setting.provider, TEXTS)


def test_a_wrong_key_loses_no_job(setting: Setting) -> None:
    setting.run(settings={"wait": False})
    good, setting.batcher = setting.batcher, setting.kind.batcher(setting.provider, api_key="sk-another-one")
    for _ in range(8):
        assert setting.run()[:2] == (0, 16)
    setting.batcher = good
    assert setting.run() == (20, 0, "")
    assert setting.complete() and paid_once(setting.provider, TEXTS)


def test_a_job_that_the_provider_has_no_more_is_struck_off(setting: Setting) -> None:
    setting.run(settings={"wait": False})
    setting.service.jobs.clear()
    done = setting.run(settings={"enabled": False})
    assert done[:2] == (0, 0) and "does not have the job any more" in done.because
    setting.direct()
    assert setting.complete()


def test_results_that_can_not_be_read_are_kept_for_later_and_given_up_in_the_end(setting: Setting) -> None:
    setting.service.next(Mishap.HTML)
    assert setting.run()[:2] == (12, 8)
    for _ in range(3):
        done = setting.run()
        assert done[:2] == (0, 8) and "can't be read" in done.because
    assert setting.run()[:2] == (0, 0)
    setting.direct()
    assert setting.complete()


def test_results_that_can_be_read_later_are_not_paid_for_again(setting: Setting) -> None:
    setting.provider.script(*[faults.HTML] * 4, on=setting.kind.content)
    assert setting.run()[1] == 16
    assert setting.run()[1] == 0
    assert setting.complete() and paid_once(setting.provider, TEXTS)


def test_one_process_at_a_time_looks_after_the_jobs(setting: Setting) -> None:
    other = Database(str(setting.path))
    answers: list[BatchResult] = []

    def meanwhile() -> None:
        vectors = other.vectors(setting.batcher.space)
        answers.append(batch(other, vectors, setting.batcher, BatchSettings(threshold=1)))

    assert setting.run(on_sleep=meanwhile) == (20, 0, "")
    other.close()
    assert {answer.because for answer in answers} == {"another process is looking after the batch jobs"}
    assert answers[0].waiting == 16
    assert paid_once(setting.provider, TEXTS)


def test_a_text_that_is_gone_when_its_vector_comes_does_no_harm(setting: Setting) -> None:
    setting.run(settings={"wait": False})
    setting.database.close()
    setting.database = indexed(setting.path, TEXTS[:10])
    setting.run(forced=True)
    assert setting.database.vectors(setting.batcher.space).coverage() == (10, 10)
    assert max(setting.provider.paid.values()) == 1


def test_a_batcher_of_another_space_is_refused(setting: Setting) -> None:
    vectors = setting.database.vectors(SpaceKey("openai", "other", "", 8))
    with pytest.raises(BadArgument, match="another space"):
        batch(setting.database, vectors, setting.batcher, BatchSettings())


def test_a_text_is_in_one_job_at_most_and_in_none_when_it_has_a_vector(setting: Setting) -> None:
    vectors = setting.database.vectors(setting.batcher.space)
    vectors.put([("c", b"\0" * 32)])
    first, taken = setting.jobs.begin(["a", "b", "a", "c"])
    assert taken == ["a", "b"]
    second, rest = setting.jobs.begin(["b", "d"])
    assert rest == ["d"]
    nothing, none = setting.jobs.begin(["a", "c"])
    assert none == [] and nothing not in {job.id for job in setting.jobs.open_jobs()}
    setting.jobs.sent(first, "remote-1")
    assert [(job.id, job.remote, job.rows) for job in setting.jobs.open_jobs()] == [
        (first, "remote-1", 2),
        (second, None, 1),
    ]
    setting.jobs.end(first)
    assert setting.jobs.rows_of(first) == [] and setting.jobs.begin(["a"])[1] == ["a"]


def test_the_end_of_a_job_and_its_vectors_come_together_or_not_at_all(setting: Setting) -> None:
    vectors = setting.database.vectors(setting.batcher.space)
    job, _ = setting.jobs.begin(["a"])
    with pytest.raises(apsw.SQLError), setting.jobs.durably():
        vectors.put([("a", b"\0" * 32)])
        setting.jobs.end(job)
        setting.database.connection.all("SELECT * FROM nothing")
    assert setting.jobs.rows_of(job) == ["a"]
    assert setting.database.connection.all("SELECT * FROM vectors") == []


def test_what_must_not_be_lost_is_written_through_and_the_rest_is_not(setting: Setting) -> None:
    def level() -> int:
        return int(setting.database.connection.one("PRAGMA synchronous"))

    with setting.jobs.durably():
        assert level() == 2
    assert level() == 1
    with pytest.raises(ValueError, match="x"), setting.jobs.durably():
        raise ValueError("x")
    assert level() == 1


def test_an_index_from_before_there_were_jobs_gets_their_tables(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite"
    indexed(path, TEXTS[:3]).close()
    raw = apsw.Connection(str(path))
    raw.execute("DROP TABLE jobs; DROP TABLE job_rows; ALTER TABLE spaces DROP COLUMN reported; PRAGMA user_version=1")
    raw.close()
    Database(str(path)).close()
    database = indexed(path, TEXTS[:3])  # its rows are made from the notes anew
    vectors = database.vectors(SpaceKey("openai", "tiny", "", 8))
    assert database.set_aside is None and vectors.coverage().texts == 3
    assert Jobs(database.connection, vectors.space).open_jobs() == []
    database.close()
