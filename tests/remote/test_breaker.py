from __future__ import annotations

import threading

from counts import counted
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from holdfast.remote.breaker import Breaker, BreakerState


class Clock:
    """A monotonic clock that a test moves."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


def opened(clock: Clock) -> Breaker:
    breaker = Breaker(now=clock)
    for number in range(3):
        assert breaker.allows()
        breaker.failed(f"failure {number}")
    return breaker


def test_three_failures_in_a_row_open_it_and_say_why() -> None:
    breaker = opened(Clock())
    assert (breaker.state, breaker.because) == (BreakerState.OPEN, "failure 2")
    assert not breaker.allows()
    assert breaker.rest_seconds() == 60.0


def test_a_success_in_between_starts_the_count_anew() -> None:
    breaker = Breaker(now=Clock())
    for _ in range(5):
        breaker.failed("once")
        breaker.failed("twice")
        breaker.succeeded()
    assert (breaker.state, breaker.because, breaker.allows()) == (BreakerState.CLOSED, "", True)


def test_after_the_rest_one_trial_goes_out_and_its_success_closes() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.time += 59.9
    assert not breaker.allows()
    clock.time += 0.1
    assert [breaker.allows() for _ in range(3)] == [True, False, False]
    assert breaker.state is BreakerState.TRIAL
    breaker.succeeded()
    assert breaker.allows()


def test_a_failed_trial_rests_once_more() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.time += 60
    assert breaker.allows()
    breaker.failed("still down")
    assert (breaker.state, breaker.because, breaker.rest_seconds()) == (BreakerState.OPEN, "still down", 60.0)
    clock.time += 60
    assert breaker.allows()


def test_a_trial_that_never_reports_does_not_keep_the_provider_out() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.time += 60
    assert breaker.allows()
    clock.time += 60
    assert [breaker.allows(), breaker.allows()] == [True, False]


def test_a_straggler_of_before_does_not_make_the_rest_longer() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.time += 50
    breaker.failed("sent before it opened")
    assert breaker.rest_seconds() == 10.0


def test_of_many_threads_exactly_one_gets_the_trial() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.time += 60
    start, got = threading.Barrier(16), []

    def ask() -> None:
        start.wait()
        got.append(breaker.allows())

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got) == [False] * 15 + [True]


class BreakerAgainstItsModel(RuleBasedStateMachine):
    """Any order of calls and times, against a plain account of what should happen."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.breaker = Breaker(now=self.clock)
        self.failures = 0
        self.until: float | None = None
        self.trying = False

    @rule(seconds=st.floats(0, 100))
    def time_passes(self, seconds: float) -> None:
        self.clock.time += seconds

    @rule()
    def ask(self) -> None:
        expected = self.until is None or self.clock.time - self.until >= 60.0
        assert self.breaker.allows() is expected
        if expected and self.until is not None:
            self.trying, self.until = True, self.clock.time

    @rule()
    def succeed(self) -> None:
        self.breaker.succeeded()
        self.failures, self.until, self.trying = 0, None, False

    @rule()
    def fail(self) -> None:
        self.breaker.failed("down")
        self.failures += 1
        if self.trying or (self.until is None and self.failures >= 3):
            self.until, self.trying = self.clock.time, False

    @invariant()
    def it_is_open_exactly_when_the_account_says_so(self) -> None:
        assert (self.breaker.state is BreakerState.CLOSED) is (self.until is None)
        assert (self.breaker.state is BreakerState.TRIAL) is self.trying
        assert 0.0 <= self.breaker.rest_seconds() <= 60.0


TestBreakerAgainstItsModel = BreakerAgainstItsModel.TestCase
TestBreakerAgainstItsModel.settings = settings(max_examples=counted(5, 240), stateful_step_count=30, deadline=None)
