from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

import pytest

from holdfast.errors import HoldfastError
from holdfast.guard.paths import readable_path
from holdfast.guard.text_rules import MAX_NOTE_BYTES
from holdfast.notes.disk import Disk
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.notes.note import Walk


def fill(root: Path, *names: str) -> None:
    for name in names:
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"x\n")


def paths(walk: Walk) -> list[str]:
    return [found.path for found in walk.found]


def test_a_walk_finds_every_note_in_order_with_its_stat(home: Path) -> None:
    fill(home, "memory/b.md", "memory/a/z.md", "MEMORY.md", "memory/a.md", "memory/日本.md", "memory/x.txt", "o.md")
    fill(home, "memory/dir.md/inside.md")
    with FileWorkspace.open(home) as workspace:
        walk = workspace.walk()
        assert paths(walk) == [
            "MEMORY.md",
            "memory/a.md",
            "memory/a/z.md",
            "memory/b.md",
            "memory/dir.md/inside.md",
            "memory/日本.md",
        ]
        assert walk.skipped == []
        for found in walk.found:
            status = os.stat(home / found.path)
            assert found.source == "memory"
            assert found[2:] == (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
            assert readable_path(found.path).text == found.path
        assert walk.directories == sorted(
            [str(home), *(str(home / name) for name in ("memory", "memory/a", "memory/dir.md"))]
        )


def test_an_empty_home_has_nothing_to_find(home: Path) -> None:
    with FileWorkspace.open(home) as workspace:
        assert workspace.walk() == Walk([], [], [str(home)])


def test_every_note_that_is_left_out_is_reported_with_its_reason(home: Path, tmp_path: Path) -> None:
    fill(
        home,
        "memory/good.md",
        "memory/.hidden.md",
        "memory/.git/a.md",
        "memory/a.sync-conflict-20260101-1-X.md",
        "memory/a (conflicted copy).md",
        "memory/a b.md",
        "memory/con.md",
        "memory/e\u0301.md",
        "memory/a.md~",
        "memory/.a.md.0123456789abcdef.hf-tmp",
        "memory/my dir/a.md",
        "outside.md",
    )
    os.truncate(home / "memory" / "good.md", 0)
    fill(home, "memory/big.md")
    os.truncate(home / "memory" / "big.md", MAX_NOTE_BYTES + 1)
    (home / "memory" / "link.md").symlink_to(home / "outside.md")
    (home / "memory" / "linked").symlink_to(tmp_path)
    (home / "memory" / ".link").symlink_to(tmp_path)
    os.link(home / "outside.md", home / "memory" / "hard.md")
    os.mkfifo(home / "memory" / "fifo.md")
    with suppress(OSError):  # some systems refuse to make such a name
        Path(os.fsdecode(os.fsencode(home / "memory") + b"/bad\xff.md")).write_bytes(b"")
    with FileWorkspace.open(home) as workspace:
        walk = workspace.walk()
    assert paths(walk) == sorted(
        ["memory/good.md", "memory/a b.md", "memory/con.md", "memory/e\u0301.md", "memory/my dir/a.md"]
    )
    reasons = {path.removeprefix("memory/"): why for path, why in walk.skipped}
    expected = {
        ".hidden.md": "hidden",
        "a (conflicted copy).md": "conflict",
        "a.sync-conflict-20260101-1-X.md": "conflict",
        "big.md": "limit",
        "link.md": "symbolic link",
        "linked": "symbolic link",
        "hard.md": "hard link",
        "fifo.md": "FIFO",
        "bad\\xff.md": "UTF-8",
    }
    if "bad\\xff.md" not in reasons:
        del expected["bad\\xff.md"]
    assert set(reasons) == set(expected)
    for name, why in expected.items():
        assert why in reasons[name], name
    assert walk.skipped == sorted(walk.skipped)


def test_extra_paths_bring_notes_with_absolute_paths_and_names_of_any_kind(home: Path, tmp_path: Path) -> None:
    docs = tmp_path / "my docs"
    fill(docs, "A Note.md", "deep/100%.md", ".obsidian/x.md", ".hidden.md", "a (conflicted copy).md", "b.txt", "con.md")
    fill(tmp_path, "one.md", "two.txt")
    fill(home, "relative/r.md", "memory/m.md")
    (docs / "link").symlink_to(tmp_path)
    (docs / "bad\n.md").write_bytes(b"")
    (tmp_path / "linked-root").symlink_to(docs)
    extras = [
        str(docs),
        f"{tmp_path}/one.md",
        "relative",
        f"{tmp_path}/two.txt",
        f"{tmp_path}/none",
        f"{tmp_path}/linked-root",
        f"{docs}/deep",
        "memory",
    ]
    with FileWorkspace.open(home, extra_paths=extras) as workspace:
        walk = workspace.walk()
        assert paths(walk) == sorted(
            [
                "memory/m.md",
                f"{tmp_path}/one.md",
                f"{docs}/A Note.md",
                f"{docs}/con.md",
                f"{docs}/deep/100%.md",
                f"{home}/relative/r.md",
            ]
        )
        assert {found.source for found in walk.found if found.path.startswith("/")} == {"extra"}
        assert {path for path, _ in walk.skipped} == {
            f"{docs}/.hidden.md",
            f"{docs}/a (conflicted copy).md",
            f"{docs}/link",
            f"{docs}/bad\n.md",
            f"{tmp_path}/two.txt",
            f"{tmp_path}/none",
            f"{tmp_path}/linked-root",
        }
        for found in walk.found:
            assert workspace.read(found.path).data == b"x\n"


def test_directories_too_deep_or_with_too_long_paths_are_reported(home: Path) -> None:
    fill(home, "memory/" + "d/" * 40 + "a.md")
    fill(home, "memory/" + ("n" * 190 + "/") * 4 + "a.md")
    with FileWorkspace.open(home) as workspace:
        walk = workspace.walk()
    assert paths(walk) == []
    assert sorted(why.split(" directories")[0] for _, why in walk.skipped) == [
        "it is nested deeper than 32",
        "its path is too long",
    ]


class Denying(Disk):
    """Says no, with one error code, to listing or opening certain names."""

    def __init__(self, call: str, name: str, code: int) -> None:
        self.denied, self.name, self.code = call, name, code
        self.names_of: dict[int, str] = {}

    def _check(self, call: str, name: str) -> None:
        if (call, name) == (self.denied, self.name):
            raise OSError(self.code, os.strerror(self.code))

    def open(self, name: str, flags: int, mode: int = 0o600, *, dir_fd: int | None = None) -> int:
        self._check("open", name)
        fd = super().open(name, flags, mode, dir_fd=dir_fd)
        self.names_of[fd] = name
        return fd

    def scandir(self, fd: int) -> list[os.DirEntry[str]]:
        self._check("scandir", self.names_of[fd])
        return super().scandir(fd)

    def lstat(self, name: str, *, dir_fd: int | None = None) -> os.stat_result:
        self._check("lstat", name)
        return super().lstat(name, dir_fd=dir_fd)


@pytest.mark.parametrize(
    ("call", "name", "skipped"),
    [
        ("open", "memory", "memory"),
        ("open", "sub", "memory/sub"),
        ("scandir", "sub", "memory/sub"),
        ("scandir", "memory", "memory"),
        ("lstat", "MEMORY.md", "MEMORY.md"),
    ],
)
def test_what_can_not_be_read_is_reported_and_the_rest_is_found(home: Path, call: str, name: str, skipped: str) -> None:
    fill(home, "MEMORY.md", "memory/a.md", "memory/sub/b.md")
    with FileWorkspace.open(home, disk=Denying(call, name, errno.EACCES)) as workspace:
        walk = workspace.walk()
    assert [path for path, _ in walk.skipped] == [skipped]
    assert len(walk.found) in (1, 2)


def test_a_directory_that_vanishes_during_the_walk_is_left_out(home: Path) -> None:
    fill(home, "memory/a.md", "memory/sub/b.md")
    with FileWorkspace.open(home, disk=Denying("open", "sub", errno.ENOENT)) as workspace:
        walk = workspace.walk()
    assert (paths(walk), walk.skipped) == (["memory/a.md"], [])


def test_a_file_that_vanishes_between_list_and_look_is_left_out(home: Path) -> None:
    fill(home, "memory/a.md", "memory/b.md")

    class Vanishing(Disk):
        def scandir(self, fd: int) -> list[os.DirEntry[str]]:
            entries = super().scandir(fd)
            (home / "memory" / "b.md").unlink()
            return entries

    with FileWorkspace.open(home, disk=Vanishing()) as workspace:
        walk = workspace.walk()
    assert (paths(walk), walk.skipped) == (["memory/a.md"], [])


def test_temps_of_a_dead_writer_go_with_the_next_walk_and_those_of_a_living_one_stay(home: Path) -> None:
    temp = "memory/a/b/.note.md.0123456789abcdef.hf-tmp"
    others = ["memory/a/.note.md.hf-tmp", "memory/a/b/note.hf-tmp"]
    fill(home, "memory/a/b/note.md", temp, *others)
    with FileWorkspace.open(home) as writer, FileWorkspace.open(home) as reader:
        with writer.lock():
            assert paths(reader.walk()) == ["memory/a/b/note.md"]
            assert (home / temp).exists()
        assert paths(reader.walk()) == ["memory/a/b/note.md"]
        assert not (home / temp).exists()
        assert all((home / other).exists() for other in others), "only what is named as ours is"


def test_prompt_memory_that_is_a_link_is_reported(home: Path, tmp_path: Path) -> None:
    fill(tmp_path, "secret.md")
    home.mkdir()
    (home / "MEMORY.md").symlink_to(tmp_path / "secret.md")
    (home / "agents").symlink_to(tmp_path)
    with FileWorkspace.open(home) as workspace:
        walk = workspace.walk()
        assert (paths(walk), [path for path, _ in walk.skipped]) == ([], ["MEMORY.md"])
        (home / "agents").unlink()
        assert [path for path, _ in workspace.walk().skipped] == ["MEMORY.md"]
        with pytest.raises(HoldfastError):
            workspace.read("MEMORY.md")


def test_two_walks_of_the_same_files_are_equal(home: Path) -> None:
    fill(home, *(f"memory/d{number % 7}/n{number}.md" for number in range(100)))
    with FileWorkspace.open(home) as workspace:
        assert workspace.walk() == workspace.walk()
