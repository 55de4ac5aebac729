from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.remote.deadline import Deadline
from holdfast.remote.retry_policy import Policy, backoff, retry_after, worth_another_try

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)


def wall() -> float:
    return NOW.timestamp()


@given(st.integers(0, 10**9))
def test_seconds_are_taken_as_they_are(seconds: int) -> None:
    assert retry_after(str(seconds), None, wall) == seconds
    assert retry_after(f" {seconds} ", None, wall) == seconds


@given(st.integers(-(10**6), 10**6), st.integers(-(10**6), 10**6))
def test_a_date_is_measured_against_the_date_of_the_answer(wait: int, wrong: int) -> None:
    sent = NOW + timedelta(seconds=wrong)
    then = format_datetime(sent + timedelta(seconds=wait), usegmt=True)
    assert retry_after(then, format_datetime(sent, usegmt=True), wall) == max(0, wait)


def test_a_date_without_a_date_beside_it_is_measured_against_our_clock() -> None:
    then = format_datetime(NOW + timedelta(seconds=7), usegmt=True)
    assert retry_after(then, None, wall) == 7
    assert retry_after(then, "yesterday", wall) == 7


@given(st.text() | st.from_regex(r"[-+0-9a-z.: ,]{0,30}", fullmatch=True))
def test_whatever_the_header_holds_the_wait_is_none_or_a_number_of_seconds(value: str) -> None:
    found = retry_after(value, None, wall)
    assert found is None or (math.isfinite(found) and found >= 0)


@pytest.mark.parametrize("value", ["", "soon", "-3", "1e9", "nan", "inf", "0x10", "٣", "1 minute", "Fri, 99 Foo 2026"])
def test_what_is_no_time_is_ignored(value: str) -> None:
    assert retry_after(value, None, wall) is None


def test_more_digits_than_python_reads_are_simply_very_long() -> None:
    found = retry_after("9" * 10_000, None, wall)
    assert found is not None and found > 10**9


@given(st.integers(1, 50), st.floats(0, 1, exclude_max=True))
def test_waiting_grows_up_to_a_limit_and_is_spread_over_all_of_it(attempt: int, chance: float) -> None:
    policy = Policy()
    assert 0 <= backoff(attempt, policy, lambda: chance) <= policy.longest_wait
    assert backoff(attempt, policy, lambda: 0.0) == 0.0


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504, 529])
def test_not_now_is_asked_again(status: int) -> None:
    assert worth_another_try(status)


@pytest.mark.parametrize("status", [200, 301, 400, 401, 403, 404, 409, 413, 422, 501, 505, 600])
def test_no_is_not_asked_again(status: int) -> None:
    assert not worth_another_try(status)


def test_a_deadline_runs_on_the_clock_it_was_given() -> None:
    time = [50.0]
    deadline = Deadline(2.0, lambda: time[0])
    assert (deadline.remaining(), deadline.passed) == (2.0, False)
    time[0] = 51.5
    assert deadline.remaining() == 0.5
    assert "0.500 s left" in repr(deadline)
    time[0] = 99.0
    assert (deadline.remaining(), deadline.passed) == (0.0, True)
