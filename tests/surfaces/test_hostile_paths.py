"""No path leads outside on any surface: the library, the tools, the command line and the server (T11)."""

from __future__ import annotations

import importlib.util
import os
import stat
from collections.abc import Callable
from functools import cache
from pathlib import Path
from urllib.parse import quote

import pytest
from commandline import holdfast
from counts import by_turns
from surfaces.http.serving import served
from tally import Count

from holdfast import Memory
from holdfast.errors import BadPath, HoldfastError, UnsafeFile
from holdfast.guard.paths import readable_path

SECRET = "the secret outside\n"


@cache
def corpus() -> list[str]:
    """The paths that the room checkpoints is tested with."""
    file = Path(__file__).parents[1] / "checkpoints" / "test_escape_faults.py"
    spec = importlib.util.spec_from_file_location("escape_corpus", file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    paths: list[str] = module.corpus()
    return paths


def odd_but_inside(path: str) -> bool:
    """Whether a path may be read, though not written: the owner may name a note in memory/ as they like."""
    try:
        parts = readable_path(path).parts
    except BadPath:
        return False
    assert parts[0] == "memory"
    assert not {"", ".", ".."} & set(parts)
    return True


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    place = tmp_path / "outside"
    place.mkdir()
    (place / "note.md").write_text(SECRET, encoding="utf-8")
    return place


def files(place: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(place)): file.read_bytes()
        for file in sorted(place.rglob("*"))
        if file.is_file() and not file.is_symlink() and "state" not in file.parts
    }


@pytest.mark.row("T11")
@pytest.mark.row("paths")
@pytest.mark.fault
@pytest.mark.promise("P9")
def test_the_library_refuses_every_path_of_the_corpus(home: Path, outside: Path, tmp_path: Path, tally: Count) -> None:
    assert len(corpus()) >= 300
    with Memory.open() as memory:
        memory.save("ours", file="memory/a.md")
        before = files(tmp_path)
        writes: list[Callable[[str], object]] = [
            lambda path: memory.save("x", file=path),
            lambda path: memory.delete(path, text="ours"),
            lambda path: memory.delete(path, delete_file=True),
        ]
        reads: list[Callable[[str], object]] = [memory.get, memory.history, memory.undo, memory.purge]
        for path in corpus():
            inside = odd_but_inside(path)
            for door in writes if inside else [*writes, *reads]:
                with pytest.raises(BadPath):
                    accepted = door(path)
                    pytest.fail(f"{path!r} was accepted: {accepted!r}")
            if inside:
                assert memory.get(path).status == "not_found"
                assert (memory.history(path), memory.purge(path).changes) == ([], 0)
        assert len(memory.history()) == 1
    assert files(tmp_path) == before
    tally(paths=len(corpus()), escaped=0)


@pytest.mark.row("T11")
@pytest.mark.row("paths")
@pytest.mark.fault
@pytest.mark.promise("P9")
def test_the_tools_refuse_every_path_of_the_corpus(home: Path, outside: Path, tmp_path: Path, tally: Count) -> None:
    with Memory.open() as memory:
        memory.save("ours", file="memory/a.md")
        before = files(tmp_path)
        tools = memory.tools()
        for path in corpus():
            for name, arguments in (
                ("memory_save", {"content": "x", "file": path}),
                ("memory_delete", {"file": path, "text": "ours"}),
                ("memory_delete", {"file": path, "delete_file": True}),
                ("memory_get", {"path": path}),
                ("checkpoints_list", {"path": path}),
            ):
                answer = tools.call(name, arguments)
                if "path" in arguments and odd_but_inside(path):
                    assert answer.get("status", "not_found") == "not_found"
                    assert answer.get("count", 0) == 0
                else:
                    assert answer.get("error", {}).get("type") == "BadPath", (name, path)
            assert tools.call("memory_get", {"chunk_id": f"{path}:1"})["status"] == "not_found"
        assert len(memory.history()) == 1
    assert files(tmp_path) == before
    tally(paths=len(corpus()), escaped=0)


@pytest.mark.row("T11")
@pytest.mark.row("paths")
@pytest.mark.fault
@pytest.mark.promise("P9")
def test_the_command_line_refuses_every_path_of_the_corpus(
    home: Path, outside: Path, tmp_path: Path, tally: Count
) -> None:
    assert holdfast("save", "ours", "--file", "memory/a.md").status == 0
    before = files(tmp_path)
    for path in corpus():
        for argv in (
            ["save", "x", f"--file={path}"],
            ["get", "--", path],
            ["delete", "--file-itself", "--", path],
            ["history", "--", path],
        ):
            ran = holdfast(*argv)
            read = argv[0] in ("get", "history") and odd_but_inside(path)
            expected = 3 if read else 2
            assert (ran.status, ran.out) == (expected, ""), (argv, ran)
            assert read or ran.err.startswith("holdfast: "), argv
    assert files(tmp_path) == before
    tally(paths=len(corpus()), escaped=0)


@pytest.mark.row("T11")
@pytest.mark.row("paths")
@pytest.mark.fault
@pytest.mark.promise("P9")
def test_the_server_refuses_every_path_of_the_corpus(home: Path, outside: Path, tmp_path: Path, tally: Count) -> None:
    paths = by_turns(corpus(), 0, 60)
    with served(home, "--no-watch") as web:
        assert web.call("POST", "/api/v1/notes", {"file": "memory/a.md", "content": "ours"}).status == 201
        before = files(tmp_path)
        for path in paths:
            named = quote(path.encode("utf-8", "surrogatepass"), safe="")
            for method, place, body in (
                ("POST", "/api/v1/notes", {"file": path, "content": "x"}),
                ("PUT", f"/api/v1/notes/{named}", {"content": "x"}),
                ("GET", f"/api/v1/notes/{named}", None),
                ("DELETE", f"/api/v1/notes/{named}", None),
            ):
                answer = web.call(method, place, body) if len(place) < 60_000 else None
                if answer is not None:
                    assert 400 <= answer.status < 500, (method, path, answer)
                    assert SECRET.strip().encode() not in answer.data
        assert files(tmp_path) == before
    tally(paths=len(paths), escaped=0)


@pytest.mark.row("T11")
@pytest.mark.row("links")
@pytest.mark.fault
@pytest.mark.promise("P9")
def test_odd_files_are_neither_read_nor_changed_and_none_hangs(home: Path, outside: Path) -> None:
    memory_dir = home / "memory"
    memory_dir.mkdir(parents=True)
    makers: dict[str, Callable[[Path], object]] = {
        "link": lambda file: file.symlink_to(outside / "note.md"),
        "dangling": lambda file: file.symlink_to(outside / "made.md"),
        "proc": lambda file: file.symlink_to("/proc/self/fd/0"),
        "hard": lambda file: os.link(outside / "note.md", file),
        "fifo": lambda file: os.mkfifo(file),
        "folder": lambda file: file.mkdir(),
    }
    if os.geteuid() == 0:
        makers["zero"] = lambda file: os.mknod(file, stat.S_IFCHR | 0o666, os.makedev(1, 5))
    for name, make in makers.items():
        make(memory_dir / f"{name}.md")
    with Memory.open() as memory:
        for name in makers:
            path = f"memory/{name}.md"
            doors: list[Callable[[], object]] = [
                lambda path=path: memory.get(path),  # type: ignore[misc]
                lambda path=path: memory.save("x", file=path),  # type: ignore[misc]
                lambda path=path: memory.save("x", file=path, append=False),  # type: ignore[misc]
                lambda path=path: memory.delete(path, delete_file=True),  # type: ignore[misc]
            ]
            for door in doors:
                with pytest.raises(UnsafeFile):
                    door()
            assert memory.tools().call("memory_save", {"content": "x", "file": path})["error"]["type"] == "UnsafeFile"
            for argv in (["get", path], ["save", "x", "--file", path], ["delete", path, "--file-itself"]):
                assert holdfast(*argv).status == 7
        assert not memory.search("secret").results
        assert memory.history() == []
    assert files(outside) == {"note.md": SECRET.encode()}


@pytest.mark.row("T11")
@pytest.mark.row("links", files=1, escaped=0)
@pytest.mark.fault
@pytest.mark.promise("P9")
@pytest.mark.parametrize("place", ["memory", "agents", "state"])
def test_a_directory_that_is_a_link_is_not_followed(home: Path, outside: Path, place: str) -> None:
    home.mkdir()
    (home / place).symlink_to(outside)
    for agent in ("main", "nova"):
        try:
            with Memory.open(agent=agent) as memory:
                memory.save("x", file="memory/a.md")
                assert memory.get("memory/note.md").status == "not_found"
        except HoldfastError:
            continue
    assert files(outside) == {"note.md": SECRET.encode()}
