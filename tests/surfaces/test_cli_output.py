"""What a command says when nobody can read it: a full disk, a reader that has gone, a stderr that takes nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryFile

import fork_server
import pytest
from commandline import SCRIPT, done

from holdfast import Memory

pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")

MEM0 = json.dumps({"results": [{"id": "1", "memory": "Rides a bicycle to work", "created_at": "2026-01-02T00:00:00Z"}]})


@contextmanager
def full_disk() -> Iterator[int]:
    """A stream that takes nothing."""
    with open("/dev/full", "wb") as full:
        yield full.fileno()


@contextmanager
def gone_reader() -> Iterator[int]:
    """A pipe whose reader has gone."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        yield writer
    finally:
        os.close(writer)


def spoken(*argv: str, out: int | None = None, err: int | None = None) -> tuple[int, str, str]:
    """How a command ended, and what it said on the streams that were not given."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with TemporaryFile() as nothing, TemporaryFile() as said, TemporaryFile() as complained:
        given = [stream if stream is not None else own.fileno() for stream, own in ((out, said), (err, complained))]
        child = fork_server.start(SCRIPT, *argv, env=env, streams=[nothing.fileno(), *given])
        status = child.wait(60)
        said.seek(0)
        complained.seek(0)
        return status, said.read().decode(), complained.read().decode()


def spoken_unbuffered(*argv: str, out: int) -> tuple[int, str]:
    """How a command of a Python that keeps nothing back ended, and what it said on stderr."""
    whole = [sys.executable, "-u", "-c", SCRIPT, *argv]
    ran = subprocess.run(whole, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, timeout=60, check=False)
    return ran.returncode, ran.stderr.decode()


def newest() -> str:
    with Memory.open() as memory:
        changes = memory.history(limit=1)
    return changes[0].id if changes else ""


def _saved(_: Path) -> list[str]:
    return ["save", "The launch moved"]


def _deleted(_: Path) -> list[str]:
    return ["delete", "memory/old.md", "--text", "An old line"]


def _removed(_: Path) -> list[str]:
    return ["delete", "memory/old.md", "--file-itself"]


def _forgotten(_: Path) -> list[str]:
    return ["forget", "--text", "An old line"]


def _restored(_: Path) -> list[str]:
    return ["restore", newest()]


def _undone(_: Path) -> list[str]:
    return ["undo"]


def _undone_by_origin(_: Path) -> list[str]:
    return ["undo", "--origin", "user", "--since", "2020-01-01"]


def _stored(_: Path) -> list[str]:
    return ["facts", "add", "I live in Berlin"]


def _fact_forgotten(_: Path) -> list[str]:
    fact = done("facts", "add", "I like plums", "--json").json
    return ["facts", "forget", fact["id"]]


def _fact_archived(_: Path) -> list[str]:
    fact = done("facts", "add", "I like plums", "--json").json
    return ["facts", "archive", fact["id"]]


def _imported(home: Path) -> list[str]:
    (home / "mem0.json").write_text(MEM0, encoding="utf-8")
    return ["import", str(home / "mem0.json"), "--from", "mem0", "--yes"]


def _exported(_: Path) -> list[str]:
    with Memory.open() as memory, memory.session("work") as session:
        session.append("user", "When do we launch?")
        session.append("assistant", "In March.")
    return ["session", "export", "work"]


COMMANDS: list[Callable[[Path], list[str]]] = [
    *(_saved, _deleted, _removed, _forgotten, _restored, _undone, _undone_by_origin),
    *(_stored, _fact_forgotten, _fact_archived, _imported, _exported),
]


@pytest.mark.promise("P2")
@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
@pytest.mark.parametrize("lost", [full_disk, gone_reader])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_change_whose_report_is_lost_is_said_to_be_made(
    home: Path, command: Callable[[Path], list[str]], lost: Callable[[], AbstractContextManager[int]], as_json: bool
) -> None:
    done("save", "An old line\nand another", "--file", "memory/old.md")
    argv = [*command(home), *(["--json"] if as_json else [])]
    before = newest()
    with lost() as stream:
        status, _, said = spoken(*argv, out=stream)
    made = newest()
    assert made != before, said
    assert status == 8
    assert made in said
    assert "was made" in said
    assert "unchanged" not in said
    assert "try again" not in said
    assert "Traceback" not in said
    if as_json:
        assert json.loads(said.splitlines()[-1])["error"]["type"] == "OutputFailed"


@pytest.mark.parametrize("lost", [full_disk, gone_reader])
def test_without_a_buffer_a_lost_report_is_told_the_same(
    home: Path, lost: Callable[[], AbstractContextManager[int]]
) -> None:
    with lost() as stream:
        status, said = spoken_unbuffered("save", "x", out=stream)
        nothing, _ = spoken_unbuffered("search", "nothing of the kind", "--min-score", "1", out=stream)
    assert (status, newest() in said, nothing) == (8, True, 0)


def test_the_profile_s_change_is_said_to_be_made(home: Path) -> None:
    with full_disk() as stream:
        status, _, said = spoken("user", "set", "name", "Ada", out=stream)
    assert (status, "was made" in said, "USER.md" in said) == (8, True, True)
    assert "Ada" in done("user", "show").out


@pytest.mark.parametrize(
    "argv", [["get", "MEMORY.md"], ["search", "x"], ["status", "--json"], ["--help"], ["config", "set", "a", "b"]]
)
def test_a_command_that_changes_no_note_claims_no_change(home: Path, argv: list[str]) -> None:
    done("save", "x")
    before = newest()
    with full_disk() as stream:
        status, _, said = spoken(*argv, out=stream)
    assert status == (8 if argv[0] != "config" else 4)
    assert "was made" not in said
    assert ("No space left" in said) == (argv[0] != "config")
    assert newest() == before


def test_a_setting_that_was_written_is_not_said_to_be_unchanged(home: Path) -> None:
    with full_disk() as stream:
        status, _, said = spoken("config", "set", "memory.style", "search-only", out=stream)
    assert status == 8
    assert "unchanged" not in said
    assert "stays done" in said
    assert "search-only" in done("config", "get", "memory.style").out


@pytest.mark.parametrize("lost", ["full", "gone", "both full"])
@pytest.mark.parametrize(
    ("argv", "status"),
    [
        (["get", "memory/none.md"], 3),
        (["get", "memory/none.md", "--json"], 3),
        (["nonsense"], 2),
        (["save"], 2),
        (["save", "x", "--file", "../x.md"], 2),
        (["session", "show", "none"], 3),
        (["search", "nothing at all"], 0),
        (["save", "x"], 0),
        (["index"], 0),
    ],
)
def test_a_stderr_that_takes_nothing_changes_no_status(home: Path, argv: list[str], status: int, lost: str) -> None:
    done("save", "Known already.")
    with full_disk() as full, gone_reader() as gone:
        ended, out, _ = spoken(*argv, out=full if lost == "both full" else None, err=gone if lost == "gone" else full)
    _, printed, _ = spoken(*argv)
    assert ended == (8 if lost == "both full" and printed else status)
    assert "Traceback" not in out
