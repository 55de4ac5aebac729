"""A fault that comes again and again is one line a minute in the log, and the line says how many there were."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator

import pytest

from holdfast.surfaces.log_throttle import INTERVAL_SECONDS, MAX_FAULTS, ThrottledHandler


class Log:
    """A logger of its own, with a clock in the test's hands."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.stream = io.StringIO()
        self.handler = ThrottledHandler(self.stream, monotonic=lambda: self.now)
        self.logger = logging.Logger("throttled")
        self.logger.addHandler(self.handler)

    @property
    def lines(self) -> list[str]:
        return self.stream.getvalue().splitlines()


@pytest.fixture
def log() -> Iterator[Log]:
    made = Log()
    yield made
    made.handler.close()


def test_the_same_fault_is_written_once_a_minute_with_the_number_left_out(log: Log) -> None:
    for number in range(1001):
        log.logger.warning("no file for %d", number)
    assert log.lines == ["no file for 0"]
    log.now += INTERVAL_SECONDS
    log.logger.warning("no file for %d", 5)
    assert log.lines[1:] == ["no file for 5 (1,000 more like this were left out)"]
    log.now += INTERVAL_SECONDS
    log.logger.warning("no file for %d", 6)
    assert log.lines[2:] == ["no file for 6"]


def test_other_faults_are_written_at_once(log: Log) -> None:
    log.logger.warning("one")
    log.logger.warning("two")
    log.logger.error("one")
    assert log.lines == ["one", "two", "one"]


def test_failures_are_told_apart_by_the_line_that_raised(log: Log) -> None:
    def first() -> None:
        raise KeyError("a")

    def second() -> None:
        raise KeyError("b")

    for work in (first, second, first, second):
        try:
            work()
        except KeyError:
            log.logger.exception("request %s failed", "x")
    assert log.lines.count("request x failed") == 2
    assert [line for line in log.lines if line.startswith("KeyError")] == ["KeyError: 'a'", "KeyError: 'b'"]


def test_however_many_different_faults_there_are_the_log_stays_small(log: Log) -> None:
    for number in range(10_000):
        log.logger.warning(f"fault number {number}")
    assert len(log.lines) == MAX_FAULTS + 1
    log.now += INTERVAL_SECONDS
    log.logger.warning("another one")
    assert f"({10_000 - MAX_FAULTS - 2:,} more like this were left out)" in log.stream.getvalue()
    assert log.lines[-1] == "another one"


def test_what_was_left_out_is_said_at_the_end(log: Log) -> None:
    for number in range(4):
        log.logger.warning("fault %d", number)
    log.handler.close()
    assert log.lines == ["fault 0", "fault 3 (2 more like this were left out)"]
