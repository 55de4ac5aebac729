"""`memory.notes.write_all`: many notes as one change, whole or not at all, with one undo and one sync of the index."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from counts import counted

from holdfast import Memory
from holdfast.checkpoints.integrity import verify
from holdfast.clock import SystemClock
from holdfast.context.context import Context
from holdfast.errors import (
    BadArgument,
    BadPath,
    NoteChangedOutside,
    SecretFound,
    StorageFailed,
    TooLarge,
    TwinPath,
    WriteModeRefused,
)
from holdfast.guard.origin import Origin
from holdfast.notes.disk import Disk
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.settings.loader import load

MANY = {f"memory/n{number}.md": f"The heron number {number} nests in March.\n" for number in range(30)}


@pytest.fixture
def memory(home: Path) -> Iterator[Memory]:
    with Memory.open(home) as opened:
        yield opened


def texts(home: Path) -> dict[str, str]:
    return {path.relative_to(home).as_posix(): path.read_text() for path in home.glob("memory/*.md")}


def sound(home: Path) -> bool:
    with FileWorkspace.open(home) as workspace:
        return [problem for problem in verify(workspace) if problem.kind != "unreferenced"] == []


def test_a_batch_is_one_change_that_one_undo_takes_back(memory: Memory, home: Path) -> None:
    memory.save("The swan nests in May.", file="memory/n1.md")
    memory.save("Old.", file="memory/old.md")
    before = texts(home)
    made = memory.notes.write_all({**MANY, "memory/old.md": None, "memory/none.md": None}, reason="many")
    assert texts(home) == MANY
    assert [one.path for one in made] == [*MANY, "memory/old.md"]
    assert [one.existed for one in made].count(True) == 2
    changes = memory.history(limit=31)
    assert {change.group for change in changes} == {changes[-1].id} and {change.reason for change in changes} == {
        "many"
    }
    memory.undo()
    assert texts(home) == before
    memory.undo()
    assert "memory/old.md" not in texts(home)
    assert sound(home)


def test_a_note_of_a_batch_can_be_put_back_by_itself(memory: Memory, home: Path) -> None:
    made = memory.notes.write_all(MANY)
    memory.restore(made[3].checkpoint_id, alone=True)
    assert texts(home) == {path: text for path, text in MANY.items() if path != "memory/n3.md"}


def test_a_batch_is_put_back_as_a_whole_by_any_of_its_checkpoints(memory: Memory, home: Path) -> None:
    made = memory.notes.write_all(MANY)
    restored = memory.restore(made[3].checkpoint_id)
    assert texts(home) == {} and {restored.path, *restored.also} == set(MANY)
    memory.restore(restored.checkpoint_id)
    assert texts(home) == MANY


def test_what_a_batch_wrote_is_found_at_once(memory: Memory) -> None:
    memory.notes.write_all(MANY)
    assert [hit.path for hit in memory.search("heron number 17").results][:1] == ["memory/n17.md"]
    assert memory.notes.read_all(["memory/n2.md", "memory/no.md"]).keys() == {"memory/n2.md"}
    memory.notes.write_all({"memory/n17.md": None, "memory/n18.md": "The stork nests in June.\n"})
    assert "memory/n17.md" not in [hit.path for hit in memory.search("heron number 17").results]


@pytest.mark.parametrize(
    ("text", "error"),
    [("key AKIAIOSFODNN7EXAMPLA", SecretFound), ("x" * 60_000, TooLarge)],
)
def test_one_text_that_is_refused_leaves_all_notes_as_they_were(
    memory: Memory, home: Path, text: str, error: type[Exception]
) -> None:
    memory.notes.write_all({"memory/n0.md": "old\n"})
    with pytest.raises(error):
        memory.notes.write_all({**MANY, "memory/last.md": text})
    assert texts(home) == {"memory/n0.md": "old\n"}
    assert len(memory.history()) == 1


def test_what_can_t_be_one_of_many_is_refused_in_words(memory: Memory, home: Path) -> None:
    odd: list[tuple[object, type[Exception]]] = [
        ({"MEMORY.md": "x"}, BadArgument),
        ({"memory/../x.md": "x"}, BadPath),
        (["memory/a.md"], BadArgument),
        ({"memory/a.md": 1}, BadArgument),
        ({3: "x"}, BadArgument),
    ]
    for given, error in odd:
        with pytest.raises(error):
            memory.notes.write_all(given)  # type: ignore[arg-type]
    assert memory.notes.write_all({}) == ()
    (home / "memory").mkdir(exist_ok=True)
    (home / "memory" / "N1.md").write_text("typed\n")
    with pytest.raises(TwinPath):
        memory.notes.write_all(MANY)
    assert list(texts(home)) == ["memory/N1.md"]
    with Memory.open(home, settings={"memory.agent_write_mode": "off"}) as shut, pytest.raises(WriteModeRefused):
        shut.notes.by(Origin.AGENT).write_all(MANY)


class Failing(Disk):
    """Fails at the Nth call of one kind about notes, once, or (`for_good`) from then on."""

    def __init__(self, method: str, left: int, *, for_good: bool) -> None:
        self.method, self.left, self.for_good = method, left, for_good

    def _count(self, method: str) -> None:
        if method == self.method:
            self.left -= 1
            if self.left == 0 or (self.for_good and self.left < 0):
                raise OSError(errno.ENOSPC, "full")

    def rename(self, source: str, target: str, *, src_dir_fd: int, dst_dir_fd: int) -> None:
        self._count("rename")
        super().rename(source, target, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

    def fsync(self, fd: int) -> None:
        self._count("fsync")
        super().fsync(fd)

    def unlink(self, name: str, *, dir_fd: int) -> None:
        if not name.endswith(".hf-tmp"):
            self._count("unlink")
        super().unlink(name, dir_fd=dir_fd)


def memory_on(home: Path, disk: Disk) -> Memory:
    return Memory(Context(load(str(home)).settings, FileWorkspace.open(home, disk=disk), SystemClock(), Origin.API))


@pytest.mark.parametrize("for_good", [False, True])
@pytest.mark.parametrize("method", ["rename", "fsync", "unlink"])
def test_a_disk_that_fails_anywhere_leaves_all_of_a_batch_or_nothing(home: Path, method: str, for_good: bool) -> None:
    start = {"memory/a.md": "a\n", "memory/b.md": "b\n", "memory/gone.md": "gone\n", "memory/too.md": "too\n"}
    after = {
        **{f"memory/new{number}.md": f"{number}\n" for number in range(4)},
        "memory/a.md": "A\n",
        "memory/b.md": "b\n",
    }
    batch = {**{path: text for path, text in after.items() if path != "memory/b.md"}, "memory/gone.md": None}
    batch["memory/too.md"] = None
    outcomes = set()
    with Memory.open(home / "start") as memory:
        memory.notes.write_all(start)
    for nth in [*range(1, 60, counted(9, 1)), 99]:
        place = home / str(nth)
        shutil.copytree(home / "start", place)
        with memory_on(place, Failing(method, nth, for_good=for_good)) as failing:
            try:
                failing.notes.write_all(batch)
                failed = False
            except StorageFailed:
                failed = True
        with Memory.open(place) as memory:
            memory.save("next writer", file="memory/next.md")
            found = {path: text for path, text in texts(place).items() if path != "memory/next.md"}
            assert found in (start, after)
            if failed and not for_good:
                assert found == start
            listed = [change.path for change in memory.history(limit=50) if change.path != "memory/next.md"]
            assert len(listed) == len(start) + (len(batch) if found == after else 0)
        assert sound(place)
        outcomes.add(failed)
    assert outcomes == {True, False}


def test_an_edit_of_its_owner_in_the_last_moment_is_kept_and_ends_the_batch(home: Path) -> None:
    class Typing(Disk):
        def rename(self, source: str, target: str, *, src_dir_fd: int, dst_dir_fd: int) -> None:
            super().rename(source, target, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)
            if target == "n3.md":
                (home / "memory" / "n20.md").write_text("typed meanwhile\n")

    with memory_on(home, Typing()) as memory, pytest.raises(NoteChangedOutside):
        memory.notes.write_all(MANY)
    assert texts(home) == {"memory/n20.md": "typed meanwhile\n"}
    with Memory.open(home) as memory:
        assert memory.history() == []


@pytest.mark.parametrize("before", ["first", "middle", "last", "done"])
def test_the_next_writer_settles_what_a_killed_one_left(home: Path, before: str) -> None:
    start = dict.fromkeys(list(MANY)[:10], "old\n")
    with Memory.open(home) as memory:
        memory.notes.write_all(start)
    journal = home / "state/checkpoints/main/journal.jsonl"
    kept = journal.read_bytes().splitlines(keepends=True)
    with Memory.open(home) as memory:
        memory.notes.write_all(MANY)
    lines = journal.read_bytes().splitlines(keepends=True)
    assert len(lines) == len(kept) + len(MANY) + 1  # a change each, and one line for all
    journal.write_bytes(b"".join(lines[:-1]))  # as the kill left it: the last line was not written
    missing = {"first": list(MANY), "middle": list(MANY)[15:], "last": list(MANY)[-1:], "done": []}[before]
    for path in missing:
        if path in start:
            (home / path).write_text(start[path])
        else:
            (home / path).unlink()
    with Memory.open(home) as memory:
        assert len({change.path for change in memory.history(limit=99)}) >= len(start)  # a look changes nothing
        memory.save("next", file="memory/next.md")
        found = {path: text for path, text in texts(home).items() if path != "memory/next.md"}
        assert found == (MANY if before == "done" else start)
        memory.undo()
        memory.undo()
        assert texts(home) == (start if before == "done" else {})
    assert sound(home)
