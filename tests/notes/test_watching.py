from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from holdfast.guard.paths import writable
from holdfast.notes.watch import watch
from holdfast.notes.workspace import Workspace

# A test that hears nothing for this long has failed; it never waits so long when it passes.
PATIENCE = 20.0


@contextmanager
def watching(workspace: Workspace) -> Iterator[Callable[[str], None]]:
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
    with Workspace.open(home, extra_paths=[str(extra)]) as workspace:
        workspace.replace(writable("memory/a.md"), b"1")
        with watching(workspace) as wait_for:
            workspace.replace(writable("memory/a.md"), b"2")
            wait_for("memory/a.md")
            (home / "memory" / "ignored.txt").write_bytes(b"")
            (home / "memory" / "deep").mkdir()
            (home / "memory" / "deep" / "b.md").write_bytes(b"")
            wait_for("memory/deep/b.md")
            (extra / "e.md").write_bytes(b"")
            wait_for(str(extra / "e.md"))
            workspace.remove(writable("memory/a.md"))
            wait_for("memory/a.md")


def test_a_watch_survives_directories_that_do_not_exist_yet(home: Path) -> None:
    with Workspace.open(home, "nova", extra_paths=["later"]) as workspace, watching(workspace) as wait_for:
        workspace.replace(writable("MEMORY.md"), b"1")
        wait_for("MEMORY.md")
        workspace.replace(writable("memory/first.md"), b"1")
        wait_for("memory/first.md")


def test_a_watch_that_is_stopped_ends(home: Path) -> None:
    stop = threading.Event()
    stop.set()
    with Workspace.open(home) as workspace:
        assert list(watch(workspace, stop=stop)) == []
