"""Dreaming while nothing happens: when it is time, only with something new, and never in anybody's way."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from dreaming.asking import DAY, NOTE, TEA, asked_for, everything, prompt

from holdfast import Memory
from holdfast.clock import FakeClock, SystemClock
from holdfast.dreaming.dream_counts import signals_of
from holdfast.dreaming.dream_idle import IdleDreamer
from holdfast.dreaming.report import Dream
from holdfast.guard.origin import Origin
from holdfast.index.sqlite.signal_table import LineAnswer
from holdfast.markdown.claim_key import key_of

QUARTER = 900.0
QUICK = {"memory.sync.watch_debounce_ms": 50, "dreaming.idle_minutes": 0}


def wakes_on(call: int) -> Callable[[], bool]:
    """Something that happens when it is asked for the so-manieth time."""
    calls = 0

    def stirring() -> bool:
        nonlocal calls
        calls += 1
        return calls >= call

    return stirring


def waiting_for(memory: Memory, clock: FakeClock) -> None:
    """A line that a run would promote."""
    memory.save(f"- {TEA}\n", file=NOTE)
    asked_for(memory, clock)


def test_it_dreams_once_it_has_been_quiet_for_long_enough(memory: Memory, home: Path, clock: FakeClock) -> None:
    waiting_for(memory, clock)
    dreamer, last = IdleDreamer(memory.ctx), clock.now()
    assert dreamer.tick(last + QUARTER - 1, last) is None and prompt(home) == ""
    done = dreamer.tick(last + QUARTER, last)
    assert done is not None and [one.text for one in done.of("promoted")] == [TEA]
    assert TEA in prompt(home) and not done.stopped


def test_it_does_not_dream_again_before_its_time_or_without_anything_new(memory: Memory, clock: FakeClock) -> None:
    waiting_for(memory, clock)
    last = clock.now()
    clock.advance(QUARTER)
    dreamer = IdleDreamer(memory.ctx)
    assert dreamer.tick(clock.now(), last) is not None
    memory.search("what else is there about green tea")
    clock.advance(3600)
    assert dreamer.tick(clock.now(), last) is None  # a day has not passed
    clock.advance(DAY)
    assert dreamer.tick(clock.now(), last) is not None  # for the question
    clock.advance(2 * DAY)
    assert dreamer.tick(clock.now(), last) is None  # for nothing
    memory.save("- A new day\n", file="memory/2026-11-18.md")
    clock.advance(61)
    assert dreamer.tick(clock.now(), last) is not None


def test_a_run_that_somebody_asked_for_counts_also_in_other_processes(memory: Memory, clock: FakeClock) -> None:
    waiting_for(memory, clock)
    memory.dreams.run()
    memory.search("green tea again")
    clock.advance(3600)
    assert IdleDreamer(memory.ctx).tick(clock.now(), 0.0) is None
    clock.advance(DAY)
    assert IdleDreamer(memory.ctx).tick(clock.now(), 0.0) is not None


@pytest.mark.parametrize("setting", [{"dreaming.enabled": False}, {"dreaming.every_hours": 0}])
def test_it_never_dreams_by_itself_where_that_is_not_wanted(
    home: Path, clock: FakeClock, setting: dict[str, Any]
) -> None:
    with Memory.open(home, origin=Origin.USER, clock=clock) as memory:
        waiting_for(memory, clock)
    with Memory.open(home, origin=Origin.USER, clock=clock, settings=setting) as memory:
        assert IdleDreamer(memory.ctx).tick(clock.now(), 0.0) is None
        assert prompt(home) == ""


@pytest.mark.parametrize(("setting", "waits"), [({}, QUARTER), ({"dreaming.idle_minutes": 2}, 120.0)])
def test_how_long_it_waits_is_set(home: Path, clock: FakeClock, setting: dict[str, Any], waits: float) -> None:
    with Memory.open(home, origin=Origin.USER, clock=clock, settings=setting) as memory:
        waiting_for(memory, clock)
        dreamer, last = IdleDreamer(memory.ctx), clock.now()
        assert dreamer.tick(last + waits - 1, last) is None
        assert dreamer.tick(last + waits, last) is not None


@pytest.mark.parametrize(("hours", "again"), [(24, False), (2, True)])
def test_how_often_it_dreams_is_set(home: Path, clock: FakeClock, hours: int, again: bool) -> None:
    with Memory.open(home, origin=Origin.USER, clock=clock, settings={"dreaming.every_hours": hours}) as memory:
        waiting_for(memory, clock)
        assert IdleDreamer(memory.ctx).tick(clock.now(), 0.0) is not None
        memory.search("green tea again")
        clock.advance(3 * 3600)
        assert (IdleDreamer(memory.ctx).tick(clock.now(), 0.0) is not None) is again


@pytest.mark.parametrize("call", range(1, 7))
def test_it_gives_way_at_any_step_and_leaves_nothing_half_done(
    memory: Memory, home: Path, clock: FakeClock, call: int
) -> None:
    memory.save("# Mine\n")
    waiting_for(memory, clock)
    before = prompt(home)
    done = IdleDreamer(memory.ctx, wakes_on(call)).tick(clock.now(), 0.0)
    assert done is not None
    if done.stopped:
        assert prompt(home) == before and "gave way" in done.because and not done.candidates
    assert done.stopped is (call < 6), "nobody is asked after the last step, which writes"
    clock.advance(61)
    later = IdleDreamer(memory.ctx).tick(clock.now(), 0.0)
    assert (later is not None) is done.stopped
    assert prompt(home).count(TEA) == 1
    assert not memory.dreams.run().changed


def test_a_request_on_another_thread_stops_it(memory: Memory, home: Path, clock: FakeClock) -> None:
    waiting_for(memory, clock)

    def request() -> bool:
        thread = threading.Thread(target=dreamer.stir)
        thread.start()
        thread.join()
        return False

    dreamer = IdleDreamer(memory.ctx, request)
    done = dreamer.tick(clock.now(), 0.0)
    assert done is not None and done.stopped and prompt(home) == ""


def test_another_process_that_dreams_is_left_alone(memory: Memory, home: Path, clock: FakeClock) -> None:
    waiting_for(memory, clock)
    dreamer = IdleDreamer(memory.ctx)
    with memory.ctx.workspace.job_lock("dream"):
        assert dreamer.tick(clock.now(), 0.0) is None
    assert "dream of agent main" in dreamer.failure and prompt(home) == ""
    clock.advance(600)
    assert dreamer.tick(clock.now(), 0.0) is None  # it does not try every minute
    clock.advance(3600)
    assert dreamer.tick(clock.now(), 0.0) is not None and dreamer.failure == ""


def test_what_was_over_a_days_number_goes_in_on_another_day_without_anything_new(home: Path, clock: FakeClock) -> None:
    lines = (TEA, "The Helios launch is on 3 March", "My bicycle has the red tyres of Anna")
    with Memory.open(home, origin=Origin.USER, clock=clock, settings={"dreaming.deep.limit": 2}) as memory:
        memory.save("".join(f"- {text}\n" for text in lines), file=NOTE)
        promote(memory, *lines)
        dreamer = IdleDreamer(memory.ctx)
        numbers = []
        for _ in range(3):
            done = dreamer.tick(clock.now(), 0.0)
            numbers.append(len(done.of("promoted")) if done is not None else None)
            clock.advance(DAY)
        assert numbers == [2, 1, None]


def test_a_clock_that_is_set_back_does_not_keep_it_waiting(memory: Memory, clock: FakeClock) -> None:
    waiting_for(memory, clock)
    dreamer = IdleDreamer(memory.ctx)
    assert dreamer.tick(clock.now() + 30 * DAY, 0.0) is not None
    memory.search("green tea again")
    clock.jump(-40 * DAY)
    assert dreamer.tick(clock.now(), 0.0) is not None


def promote(memory: Memory, *texts: str) -> None:
    """Count the lines as asked for by five questions on each of four days."""
    now = memory.ctx.clock.now()
    rows = [
        LineAnswer(key_of(t), f"q{q}", f"2026-11-0{1 + d}", NOTE, 0.9, now)
        for t in texts
        for q in range(5)
        for d in range(4)
    ]
    signals_of(memory.ctx).record(rows)


def test_watch_dreams_while_nothing_happens_and_tells(home: Path) -> None:
    stop, told = threading.Event(), list[Dream]()

    def dreamed(done: Dream) -> None:
        told.append(done)
        stop.set()

    with Memory.open(home, origin=Origin.USER, settings=QUICK, clock=SystemClock()) as memory:
        memory.save(f"- {TEA}\n", file=NOTE)
        promote(memory, TEA)
        for _ in memory.watch(stop, dreamed):
            pass
    assert [one.text for one in told[0].of("promoted")] == [TEA] and TEA in prompt(home)


def test_watch_without_anybody_to_tell_does_not_dream(home: Path) -> None:
    stop = threading.Event()
    settings = {**QUICK, "memory.sync.watch": False, "memory.sync.interval": 1}
    clock = FakeClock(SystemClock().now() + DAY)
    with Memory.open(home, origin=Origin.USER, settings=settings, clock=clock) as memory:
        memory.save(f"- {TEA}\n", file=NOTE)
        promote(memory, TEA)
        before = everything(home)
        syncs = memory.watch(stop)
        next(syncs)
        clock.advance(DAY)
        next(syncs)
        stop.set()
        assert list(syncs) == [] and everything(home) == before
