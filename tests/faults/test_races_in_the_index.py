"""What one process writes to the index must not undo what another has just written (P6): races, step by step."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest
from counts import counted
from faults.rebuilding import index_rows, of_a_rebuild, seen

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.context.context import Context
from holdfast.embeddings.chain import Chain
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.guard.origin import Origin
from holdfast.notes.disk import Disk
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.settings.loader import load

pytestmark = [pytest.mark.fault, pytest.mark.promise("P6")]


_NO_LOOK = {"memory.sync.on_search": False, "memory.sync.on_session_start": False}


class PausingDisk(Disk):
    """Lets something else happen, once, right after a directory was listed."""

    def __init__(self) -> None:
        self.after_listing: Callable[[], object] | None = None

    def scandir(self, fd: int) -> list[os.DirEntry[str]]:
        """The entries of an open directory."""
        entries = super().scandir(fd)
        then, self.after_listing = self.after_listing, None
        if then is not None:
            then()
        return entries


def before_statement(memory: Memory, start: str, then: Callable[[], object], *, times: int = 1) -> None:
    """Let something else happen, once, when the index is about to run a statement for the Nth time.

    Not while it holds the write lock: the other one would wait for it, as it should, and here for ever.
    """
    raw = memory.ctx.database.connection.raw
    left = times

    def statement(cursor: Any, sql: str, values: Any) -> bool:
        nonlocal left
        if sql.startswith(start) and raw.txn_state("main") != apsw.SQLITE_TXN_WRITE:
            left -= 1
            if left == 0:
                then()
        return True

    raw.set_exec_trace(statement)


def before_writing(memory: Memory, then: Callable[[], object], *, transaction: int = 1) -> None:
    """The same when it is about to take its write lock."""
    before_statement(memory, "BEGIN IMMEDIATE", then, times=transaction)


@pytest.fixture
def disk() -> PausingDisk:
    return PausingDisk()


@pytest.fixture
def slow(home: Path, disk: PausingDisk) -> Iterator[Memory]:
    """The process that is overtaken."""
    workspace = FileWorkspace.open(home, disk=disk)
    with Memory(Context(load(str(home)).settings, workspace, FakeClock(), Origin("api"))) as memory:
        memory.save("- the first line about a heron", file="memory/a.md")
        memory.sync()
        yield memory


@pytest.fixture
def quick(home: Path, slow: Memory) -> Iterator[Memory]:
    """The process that overtakes; its searches do not look at the notes, so that they repair nothing."""
    with Memory.open(home, settings=_NO_LOOK) as memory:
        memory.sync()
        yield memory


def test_a_new_note_of_another_process_is_not_dropped_by_a_sync_that_had_listed_before(
    slow: Memory, quick: Memory, disk: PausingDisk
) -> None:
    disk.after_listing = lambda: quick.save("- a stork", file="memory/b.md")
    slow.sync()
    assert seen(quick, "stork") == {"memory/b.md"}


def test_a_save_of_another_process_is_not_undone_by_a_sync_that_had_read_before(
    home: Path, slow: Memory, quick: Memory
) -> None:
    (home / "memory" / "a.md").write_text("- a line from outside\n", encoding="utf-8")
    before_writing(slow, lambda: quick.save("- a stork", file="memory/a.md"))
    slow.sync()
    assert seen(quick, "stork") == {"memory/a.md"}


def test_a_save_of_another_process_is_not_undone_by_a_save_that_had_read_before(slow: Memory, quick: Memory) -> None:
    before_writing(slow, lambda: quick.save("- a stork", file="memory/a.md"))
    slow.save("- a crane", file="memory/a.md")
    assert seen(quick, "stork") == {"memory/a.md"}
    assert seen(quick, "crane") == {"memory/a.md"}


@pytest.mark.promise("P15")
def test_a_deletion_of_another_process_is_not_undone_by_a_sync_that_had_read_before(
    home: Path, slow: Memory, quick: Memory
) -> None:
    (home / "memory" / "a.md").write_text("- a secret from outside\n", encoding="utf-8")
    before_writing(slow, lambda: quick.delete("memory/a.md", delete_file=True))
    slow.sync()
    assert seen(quick, "secret") == set()


def test_a_rebuild_is_finished_although_another_process_saves_meanwhile(
    slow: Memory, quick: Memory, tmp_path: Path
) -> None:
    before = _edition(slow)
    before_writing(slow, lambda: quick.save("- a stork", file="memory/b.md"), transaction=2)
    slow.sync(force=True)
    assert _edition(slow) != before, "the rebuild was given up without a word"
    assert seen(quick, "stork") == {"memory/b.md"}
    slow.sync()
    assert index_rows(slow) == of_a_rebuild(slow, tmp_path / "rebuild")


def test_a_rebuild_does_not_lose_what_another_process_saved_after_it_had_read(slow: Memory, quick: Memory) -> None:
    before_writing(slow, lambda: quick.save("- a stork", file="memory/a.md"), transaction=2)
    slow.sync(force=True)
    assert seen(quick, "stork") == {"memory/a.md"}


def test_a_sync_that_another_processs_rebuild_overtakes_still_sees_every_edit(
    home: Path, slow: Memory, quick: Memory, disk: PausingDisk
) -> None:
    def overtake() -> None:
        quick.sync(force=True)
        (home / "memory" / "late.md").write_text("- a plover\n", encoding="utf-8")

    disk.after_listing = overtake
    slow.sync()
    before_writing(slow, lambda: quick.sync(force=True))
    (home / "memory" / "later.md").write_text("- a plover\n", encoding="utf-8")
    slow.sync()
    assert seen(quick, "plover") == {"memory/late.md", "memory/later.md"}


@pytest.mark.parametrize("times", range(1, 9, counted(3, 1)))
def test_a_rebuild_by_another_process_at_any_statement_disturbs_nobody(
    home: Path, slow: Memory, quick: Memory, times: int
) -> None:
    slow.ctx.chain = Chain.of(FakeEmbedder())
    (chunk,) = slow.search("heron").results
    for work in (
        lambda: slow.search("heron"),
        lambda: slow.get(chunk_id=chunk.chunk_id),
        lambda: slow.sync(),
        lambda: slow.save(f"- a plover {times}", file="memory/a.md"),
        lambda: slow.delete("memory/a.md", text=f"- a plover {times}\n"),
        lambda: slow.status(),
        lambda: slow.sync(force=True),
    ):
        before_statement(slow, "SELECT", lambda: quick.sync(force=True), times=times)
        work()
        slow.ctx.database.connection.raw.set_exec_trace(None)
    assert seen(quick, "heron") == {"memory/a.md"}


@pytest.mark.promise("P7")
@pytest.mark.parametrize("times", range(1, 6))
def test_a_search_that_begins_a_space_while_another_process_writes_still_answers(
    home: Path, slow: Memory, quick: Memory, times: int
) -> None:
    with Memory.open(home, settings=_NO_LOOK, embedder=FakeEmbedder("new", 16)) as memory:
        before_statement(memory, "SELECT", lambda: quick.save("- a stork", file="memory/b.md"), times=times)
        assert "memory/a.md" in {hit.path for hit in memory.search("heron").results}


def _edition(memory: Memory) -> int:
    serving = memory.ctx.database.serving()
    assert serving is not None
    return serving.number
