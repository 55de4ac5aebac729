from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from holdfast.clock import FakeClock
from holdfast.guard.paths import writable_path
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.notes.watch_registry import last_event
from holdfast.notes.watcher import Debounce, watch

# A test that hears nothing for this long has failed; it never waits so long when it passes.
PATIENCE = 20.0


@contextmanager
def watching(workspace: FileWorkspace) -> Iterator[Callable[[str], None]]:
    """Run a watch in a thread; the value waits until a path was heard of."""
    heard: queue.Queue[str] = queue.Queue()
    stop = threading.Event()

    sets = watch(workspace, debounce_ms=20, stop=stop)

    def listen() -> None:
        for paths in sets:
            for path in paths:
                heard.put(path)

    def wait_for(path: str) -> None:
        while heard.get(timeout=PATIENCE) != path:
            pass

    thread = threading.Thread(target=listen)
    thread.start()
    try:
        yield wait_for
    finally:
        stop.set()
        thread.join(PATIENCE)
        assert not thread.is_alive()


def test_a_watch_tells_of_changed_made_and_removed_notes(home: Path, tmp_path: Path) -> None:
    extra = tmp_path / "extra"
    extra.mkdir()
    with FileWorkspace.open(home, extra_paths=[str(extra)]) as workspace:
        workspace.replace(writable_path("memory/a.md"), b"1")
        with watching(workspace) as wait_for:
            workspace.replace(writable_path("memory/a.md"), b"2")
            wait_for("memory/a.md")
            (home / "memory" / "ignored.txt").write_bytes(b"")
            (home / "memory" / "deep").mkdir()
            (home / "memory" / "deep" / "b.md").write_bytes(b"")
            wait_for("memory/deep/b.md")
            (extra / "e.md").write_bytes(b"")
            wait_for(str(extra / "e.md"))
            workspace.remove(writable_path("memory/a.md"))
            wait_for("memory/a.md")


def test_a_watch_survives_directories_that_do_not_exist_yet(home: Path) -> None:
    with FileWorkspace.open(home, "nova", extra_paths=["later"]) as workspace, watching(workspace) as wait_for:
        workspace.replace(writable_path("MEMORY.md"), b"1")
        wait_for("MEMORY.md")
        workspace.replace(writable_path("memory/first.md"), b"1")
        wait_for("memory/first.md")


def test_a_watch_that_is_stopped_ends(home: Path) -> None:
    stop = threading.Event()
    stop.set()
    with FileWorkspace.open(home) as workspace:
        assert list(watch(workspace, stop=stop)) == []


class CountedClock(FakeClock):
    """Moves on by a sixth of a debounce whenever it is read, and does something when that happens first."""

    def __init__(self, do: Callable[[], object]) -> None:
        super().__init__()
        self._do = do

    def monotonic(self) -> float:
        if not self.steady:
            self._do()
        self.steady += 0.4 / 6
        return self.steady


def test_the_first_note_of_a_home_is_told_of_after_one_debounce_like_any_other(home: Path) -> None:
    stop = threading.Event()
    with FileWorkspace.open(home) as workspace:
        # While it is listened already, and not yet to the folder of notes, which is not there.
        clock = CountedClock(lambda: workspace.replace(writable_path("memory/first.md"), b"1"))
        sets = watch(workspace, debounce_ms=400, stop=stop, clock=clock)
        assert next(sets) == {"memory/first.md"}
        stop.set()
        assert list(sets) == []
    assert clock.steady < 5 * 0.4


class SteppedClock(FakeClock):
    """Stands still, and lets a test wait until it was read so many times more."""

    def __init__(self) -> None:
        super().__init__()
        self._readings = threading.Semaphore(0)

    def monotonic(self) -> float:
        self._readings.release()
        return super().monotonic()

    def wait_for(self, readings: int) -> None:
        while self._readings.acquire(blocking=False):
            pass
        for _ in range(readings):
            assert self._readings.acquire(timeout=PATIENCE)


def test_notes_that_change_again_within_the_debounce_are_told_of_once(home: Path) -> None:
    clock, stop, heard = SteppedClock(), threading.Event(), queue.Queue[set[str]]()
    with FileWorkspace.open(home) as workspace:
        workspace.replace(writable_path("memory/begun.md"), b"1")
        sets = watch(workspace, debounce_ms=200, stop=stop, clock=clock)

        def listen() -> None:
            for paths in sets:
                heard.put(paths)

        thread = threading.Thread(target=listen)
        thread.start()
        try:
            for name in ("a", "b", "c"):
                workspace.replace(writable_path(f"memory/{name}.md"), b"1")
                clock.wait_for(5)  # the watcher has heard of it, and looked again and again whether it may tell
                clock.advance(0.15)  # not yet as long as the notes must be quiet
            clock.wait_for(5)
            assert heard.empty()
            clock.advance(0.1)
            assert heard.get(timeout=PATIENCE) == {"memory/a.md", "memory/b.md", "memory/c.md"}
        finally:
            stop.set()
            thread.join(PATIENCE)
    assert heard.empty()


def test_a_burst_ends_after_as_much_quiet_as_was_asked_for_or_when_it_has_no_end() -> None:
    clock = FakeClock()
    burst = Debounce(1500, clock)
    assert not burst.take() and not burst.pending
    for _ in range(9):
        burst.note_event()
        clock.advance(1.4)
        assert not burst.take() and burst.pending
    clock.advance(0.1)
    assert [burst.take(), burst.take(), burst.pending] == [True, False, False]
    ends = []
    for _ in range(100):  # a note that changes every second
        burst.note_event()
        clock.advance(1.0)
        ends.append(burst.take())
    assert ends.count(True) == 6


def test_while_a_watcher_listens_everybody_in_the_process_can_ask_whether_it_heard_something(home: Path) -> None:
    with FileWorkspace.open(home) as workspace:
        assert last_event(workspace.home, workspace.agent) is None
        with watching(workspace) as wait_for:
            workspace.replace(writable_path("memory/a.md"), b"1")
            wait_for("memory/a.md")
            workspace.replace(writable_path("memory/a.md"), b"2")
            wait_for("memory/a.md")
            before = last_event(workspace.home, workspace.agent)
            assert before is not None
            assert last_event(workspace.home, "another") is None
            workspace.replace(writable_path("memory/a.md"), b"3")
            wait_for("memory/a.md")
            assert last_event(workspace.home, workspace.agent) != before
        assert last_event(workspace.home, workspace.agent) is None
