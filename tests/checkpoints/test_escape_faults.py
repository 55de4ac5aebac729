"""No path and no swapped directory leads outside (T11, T12)."""

from __future__ import annotations

import ctypes
import os
import random
import shutil
import signal
import stat
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from counts import counted

from holdfast.checkpoints.change import Authorship, Change
from holdfast.checkpoints.change_history import history
from holdfast.checkpoints.note_change import change_note
from holdfast.checkpoints.rollback import restore_together
from holdfast.clock import FakeClock
from holdfast.errors import BadPath, HoldfastError, NoteNotFound, UnsafeFile
from holdfast.guard.origin import Origin
from holdfast.guard.paths import NotePath, writable_path
from holdfast.notes.faulty_disk import Call, FaultyDisk
from holdfast.notes.file_workspace import FileWorkspace

NOTE = writable_path("memory/note.md")
SECRET = b"the secret outside\n"


def corpus() -> list[str]:
    """At least 300 paths that must never be accepted, made from the tricks of 30 years."""
    ups = [
        "..",
        "%2e%2e",
        "%2E%2E",
        "%252e%252e",
        "..%00",
        ".%2e",
        "．．",
        "‥",
        "..;",
        "..\\",
        "....//",
        "%c0%ae%c0%ae",
    ]
    targets = ["etc/passwd", "outside.md", "memory/a.md", "MEMORY.md", "state/main.sqlite"]
    paths = [f"{start}{up}/{target}" for start in ("", "memory/") for up in ups for target in targets]
    paths += [f"memory/{up}/{up}/{up}/outside.md" for up in ups]
    absolute = ["/", "//", "///", "/./", "/../", "C:", "C:/", "C:\\", "c:/", "\\", "\\\\server\\share\\", "\\\\?\\C:\\"]
    absolute += [
        "\\\\.\\",
        "//server/share/",
        "file:",
        "file://",
        "file:///",
        "http://x/",
        "ftp://x/",
        "data:,",
        "~",
        "~/",
    ]
    absolute += [
        "~root/",
        "$HOME:/",
        "%HOME%/",
        "/proc/self/fd/",
        "/proc/self/cwd/",
        "/dev/fd/",
        "/dev/stdin/",
        "/tmp/",
    ]
    paths += [f"{start}{name}" for start in absolute for name in ("a.md", "memory/a.md", "MEMORY.md")]
    controls = [chr(code) for code in (*range(32), 127, 0x85, 0x9B)]
    paths += [f"memory/a{control}b.md" for control in controls] + [f"memory/a.md{control}" for control in controls]
    hidden = "\u00a0\u00ad\u034f\u061c\u115f\u180e\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202e\u2060\u2066"
    hidden += "\u2069\u2800\u3000\u3164\ufe0f\ufeff\uffa0\ufff9\uffff\U000e0041\U000e0100\ud800\udfff"
    paths += [f"memory/a{character}b.md" for character in hidden]
    devices = ["CON", "con", "PRN", "AUX", "NUL", "nul", "COM1", "COM9", "LPT1", "lpt9", "COM¹", "CONIN$", "CONOUT$"]
    paths += [f"memory/{device}{tail}" for device in devices for tail in (".md", ".x.md", "..md")]
    paths += [
        f"memory/{name}" for name in ("a.md.", "a.md ", "a.md..", "a .md", "a..md", " a.md", ".md", "..md", ". .md")
    ]
    paths += [
        f"memory/{name}" for name in ("a", "a.txt", "a.MD", "a.mdx", "a.md/", "a.md/.", "a.md::$DATA", "a.md:x", "a.")
    ]
    paths += [
        "",
        ".",
        "..",
        "/",
        "memory",
        "memory/",
        "memory//a.md",
        "memory/./a.md",
        "./memory/a.md",
        "memory/a//b.md",
    ]
    paths += [
        "MEMORY.MD",
        "Memory.md",
        "MEMORY.md/",
        "MEMORY.md/a.md",
        "memory.md/a.md",
        "MEMORY",
        "USER.md",
        "AGENTS.md",
    ]
    paths += ["holdfast.toml", "state/locks/main.lock", "agents/nova/MEMORY.md", "sessions/main/x.jsonl", "notes/a.md"]
    paths += [f"memory/{'n' * size}.md" for size in (198, 252, 253, 300, 5_000, 100_000)]
    paths += [f"memory/{'d/' * 600}a.md", f"memory/{'é' * 99}.md", f"memory/{'日' * 66}.md"]
    paths += [
        "memory/e\u0301.md",
        "memory/A\u030a.md",
        "memory/\u1100\u1161.md",
        "memory/\u212b.md",
        "memory/a\u2215b.md",
    ]
    paths += ["memory/a.sync-conflict-20260101-101010-ABCDEFG.md", "memory/.#a.md", "memory/#a.md#", "memory/a.md~"]
    paths += [
        "memory/.a.md.0123456789abcdef.hf-tmp",
        "memory/.a.md.0123456789abcdef.hf-tmp.md",
        "memory/.git/config.md",
    ]
    paths += ["memory/a*.md", "memory/a?.md", 'memory/a".md', "memory/a<b.md", "memory/a|b.md", "memory/`id`\n.md"]
    return sorted(set(paths))


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    place = tmp_path / "outside"
    place.mkdir()
    for name in ("note.md", "leak.md"):
        (place / name).write_bytes(SECRET)
    return place


def untouched(outside: Path) -> bool:
    return {file.name: file.read_bytes() for file in outside.iterdir()} == {"note.md": SECRET, "leak.md": SECRET}


def snapshot(home: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(home)): file.read_bytes()
        for file in home.rglob("*")
        if file.is_file() and "state" not in file.parts
    }


def put(workspace: FileWorkspace, path: NotePath, data: bytes | None = b"ours") -> Change:
    return change_note(workspace, path, lambda _: data, Authorship(Origin.API, "test", FakeClock()))


@pytest.mark.row("T11", paths=len(corpus()), escaped=0)
@pytest.mark.row("paths")
@pytest.mark.fault
@pytest.mark.promise("P9")
def test_no_path_of_the_corpus_is_accepted_by_any_door(home: Path, outside: Path) -> None:
    paths = corpus()
    assert len(paths) >= 300
    doors: list[Callable[[FileWorkspace, str], object]] = [
        lambda _, text: writable_path(text),
        lambda workspace, text: workspace.read(text),
        lambda workspace, text: workspace.read(NotePath(text)),
        lambda workspace, text: put(workspace, NotePath(text)),
        lambda workspace, text: put(workspace, NotePath(text), None),
    ]
    with FileWorkspace.open(home, extra_paths=[str(outside / "leak.md")]) as workspace:
        put(workspace, writable_path("memory/a.md"))
        put(workspace, writable_path("MEMORY.md"))
        before = snapshot(home)
        for text in paths:
            for number, door in enumerate(doors):
                # A name that may be read, such as one with a space, leads to no note.
                with pytest.raises((BadPath, NoteNotFound)):
                    accepted = door(workspace, text)
                    pytest.fail(f"door {number} accepted {text!r}: {accepted!r}")
        assert snapshot(home) == before
        assert len(history(workspace)) == 2
    assert untouched(outside)


@pytest.mark.row("T11")
@pytest.mark.row("links", files=9, escaped=0)
@pytest.mark.fault
@pytest.mark.promise("P9")
def test_no_odd_file_is_opened_or_changed_and_none_hangs(home: Path, outside: Path) -> None:
    memory = home / "memory"
    memory.mkdir(parents=True)
    makers: dict[str, Callable[[Path], object]] = {
        "link": lambda file: file.symlink_to(outside / "note.md"),
        "dangling": lambda file: file.symlink_to(outside / "made-by-us.md"),
        "loop": lambda file: file.symlink_to(file),
        "proc": lambda file: file.symlink_to("/proc/self/fd/0"),
        "hard": lambda file: os.link(outside / "note.md", file),
        "fifo": lambda file: os.mkfifo(file),
        "directory": lambda file: file.mkdir(),
    }
    if os.geteuid() == 0:
        makers["zero"] = lambda file: os.mknod(file, stat.S_IFCHR | 0o666, os.makedev(1, 5))
        makers["disk"] = lambda file: os.mknod(file, stat.S_IFBLK | 0o600, os.makedev(7, 200))
    for name, make in makers.items():
        make(memory / f"{name}.md")
    with FileWorkspace.open(home) as workspace:
        walk = workspace.walk()
        assert walk.found == []
        assert {path for path, _ in walk.skipped} == {f"memory/{name}.md" for name in makers} - {"memory/directory.md"}
        for name in makers:
            path = writable_path(f"memory/{name}.md")
            with pytest.raises(UnsafeFile):
                workspace.read(path)
            for data in (b"ours", None):
                with pytest.raises(UnsafeFile):
                    put(workspace, path, data)
        assert history(workspace) == []
        (memory / "hard.md").unlink()
    assert untouched(outside)


@pytest.mark.row("T11")
@pytest.mark.row("links", files=1, escaped=0)
@pytest.mark.fault
@pytest.mark.promise("P9")
@pytest.mark.parametrize("place", ["memory", "agents", "agents/nova", "state", "state/checkpoints", "state/locks"])
def test_a_directory_that_is_a_link_is_not_followed(home: Path, outside: Path, place: str) -> None:
    with FileWorkspace.open(home, "nova") as nova, FileWorkspace.open(home) as main:
        for workspace in (main, nova):
            put(workspace, NOTE)
        real = home / place
        real.rename(home / "moved")
        real.symlink_to(outside)
        for workspace in (main, nova):
            try:
                put(workspace, NOTE, b"new")
                assert workspace.read(NOTE).data == b"new"
            except UnsafeFile:
                pass
            assert all("leak" not in found.path for found in workspace.walk().found)
    assert untouched(outside)


EXCHANGE = 2


def exchange() -> Callable[[str, str], None]:
    """Swap two names at once where the system can, else in three steps."""
    library = ctypes.CDLL(None, use_errno=True)
    call = getattr(library, "renameat2", None)
    here = -100

    def at_once(one: str, other: str) -> None:
        assert call is not None
        if call(here, os.fsencode(one), here, os.fsencode(other), EXCHANGE) != 0:
            raise OSError(ctypes.get_errno(), "renameat2")

    def in_steps(one: str, other: str) -> None:
        os.rename(one, f"{one}.swap")
        os.rename(other, one)
        os.rename(f"{one}.swap", other)

    return at_once if call is not None else in_steps


@contextmanager
def swapping(one: str, other: str) -> Iterator[None]:
    """A child that swaps two names as fast as it can."""
    swap = exchange()
    with warnings.catch_warnings():
        # The child makes nothing but this one system call.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        try:
            parent = os.getppid()
            while os.getppid() == parent:
                swap(one, other)
        finally:
            os._exit(1)
    try:
        yield
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


@pytest.mark.row("T12", operations=counted(2_000, 50_000), escaped=0)
@pytest.mark.row("links")
@pytest.mark.fault
@pytest.mark.promise("P9")
def test_a_directory_swapped_for_a_link_all_the_time_leads_nowhere(home: Path, outside: Path) -> None:
    chance = random.Random(4)
    wanted = counted(2_000, 50_000)
    tally = {"read": 0, "refused": 0, "changed": 0}
    with FileWorkspace.open(home) as workspace:
        put(workspace, NOTE)
        made = [put(workspace, NOTE, b"ours 2")]
        (home / "elsewhere").symlink_to(outside)

        def read() -> None:
            assert workspace.read(NOTE).data != SECRET
            tally["read"] += 1

        def walk() -> None:
            walked = workspace.walk()
            assert all("leak" not in found.path for found in walked.found)
            with workspace.reader() as read_found:
                assert all(read_found(found).data != SECRET for found in walked.found)

        def write() -> None:
            made.append(put(workspace, NOTE, b"ours %d" % chance.randrange(9)))
            tally["changed"] += 1

        def back() -> None:
            restore_together(
                workspace, made[-1].id, Authorship(Origin.USER, "checkpoint_restore", FakeClock()), alone=True
            )
            tally["changed"] += 1

        with swapping(str(home / "memory"), str(home / "elsewhere")):
            for _ in range(wanted):
                try:
                    chance.choices((read, walk, write, back), (5, 3, 1, 1))[0]()
                except (UnsafeFile, NoteNotFound):
                    tally["refused"] += 1
    assert untouched(outside)
    assert tally["read"] > 0
    assert tally["refused"] > 0
    assert tally["changed"] > 0


@pytest.mark.row("T12")
@pytest.mark.row("links")
@pytest.mark.fault
@pytest.mark.promise("P9")
@pytest.mark.parametrize("operation", ["read", "walk", "write", "make", "delete", "restore"])
@pytest.mark.parametrize("victim", ["memory", "memory/note.md"])
def test_a_swap_at_any_single_call_leads_nowhere(
    home: Path, outside: Path, tmp_path: Path, operation: str, victim: str
) -> None:
    swap = exchange()
    made = home / "memory" / "other.md"

    def act(workspace: FileWorkspace) -> None:
        if operation == "read":
            assert workspace.read(NOTE).data == b"ours"
        elif operation == "walk":
            with workspace.reader() as read:
                for found in workspace.walk().found:
                    assert "leak" not in found.path
                    assert read(found).data == b"ours"
        elif operation == "restore":
            restore_together(
                workspace,
                history(workspace)[0].id,
                Authorship(Origin.USER, "checkpoint_restore", FakeClock()),
                alone=True,
            )
        else:
            path = writable_path("memory/other.md") if operation == "make" else NOTE
            put(workspace, path, None if operation == "delete" else b"ours too")

    with FileWorkspace.open(tmp_path / "template") as workspace:
        put(workspace, NOTE, b"ours, first")
        put(workspace, NOTE)
    step = counted(3, 1)
    for number in range(1, 1_000, step):
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(tmp_path / "template", home)
        target = home / victim
        bait = home / "bait"
        bait.symlink_to(outside if victim == "memory" else outside / "note.md")
        base = 1_000_000

        def before(now: int, _: Call, number: int = number) -> None:
            if now == base + number:  # noqa: B023
                swap(str(target), str(bait))  # noqa: B023

        disk = FaultyDisk(before=before)
        with FileWorkspace.open(home, disk=disk) as workspace:
            base = len(disk.log)
            try:
                act(workspace)
            except HoldfastError as error:
                assert isinstance(error, (UnsafeFile, NoteNotFound)) or "changed" in str(error), error
            finished = len(disk.log) < base + number
        assert untouched(outside), f"call {number}: {disk.log[base + number - 1]}"
        if finished:
            break
    assert not made.exists() or made.read_bytes() == b"ours too"
