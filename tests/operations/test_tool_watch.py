"""watch: the index follows the notes, at once and at intervals, until it is told to stop."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.errors import BadArgument
from holdfast.guard.origin import Origin

QUICK = {"memory.sync.watch_debounce_ms": 50}


def test_watch_syncs_at_the_start_and_after_a_change(home: Path) -> None:
    stop = threading.Event()
    with Memory.open(origin=Origin.USER, settings=QUICK) as memory:
        memory.save("one")
        syncs = memory.watch(stop)
        assert next(syncs).unchanged == 1
        (home / "memory").mkdir()
        (home / "memory/a.md").write_text("a walrus\n", encoding="utf-8")
        assert next(syncs).added == 1
        (home / "memory/a.md").unlink()
        assert next(syncs).removed == 1
        stop.set()
        assert list(syncs) == []


def test_a_change_right_after_the_call_is_not_missed(home: Path) -> None:
    for number in range(5):
        stop = threading.Event()
        with Memory.open(settings=QUICK) as memory:
            syncs = memory.watch(stop)
            next(syncs)
            (home / f"MEMORY{number}.txt").write_text("not a note\n", encoding="utf-8")
            (home / "MEMORY.md").write_text(f"edit {number}\n", encoding="utf-8")
            seen = next(syncs)
            assert seen.added + seen.changed == 1
            stop.set()


def test_watch_also_syncs_at_the_interval() -> None:
    clock, stop = FakeClock(), threading.Event()
    settings = {"memory.sync.watch": False, "memory.sync.interval": 5}
    with Memory.open(settings=settings, clock=clock) as memory:
        syncs = memory.watch(stop)
        next(syncs)
        clock.advance(300)
        assert next(syncs).unchanged == 0
        clock.advance(300)
        next(syncs)
        stop.set()
        assert list(syncs) == []


def test_a_watch_that_could_never_wake_is_refused_at_once() -> None:
    with Memory.open(settings={"memory.sync.watch": False}) as memory, pytest.raises(BadArgument):
        memory.watch()
