"""A memory that is open holds its databases' locks, whatever it does (P2): POSIX drops all of a process's locks on a
file with the first close() of any descriptor of it, and the next process would reset the log under a live writer."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from commandline import process
from faults.children import Child
from faults.every_operation import ENDS, SECRET, operations, public_methods
from lock_probe import LockProbe
from surfaces.http.serving import begun

from holdfast import Memory
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.errors import HoldfastError
from holdfast.guard.origin import Origin
from holdfast.operations.diagnosis import doctor

pytestmark = [pytest.mark.fault, pytest.mark.promise("P2")]

KEPT = 9
DATABASE = re.compile(r"\.sqlite(-\w+|\.usage(-\w+)?|\.signals(-\w+)?)?$")


@pytest.fixture
def probe() -> Iterator[LockProbe]:
    asked = LockProbe()
    yield asked
    asked.close()


@pytest.fixture
def opened() -> Iterator[list[str]]:
    """The databases that Python code of this process opens, and their logs, as long as the test lasts.

    SQLite opens its files itself, and unseen. To create one that is not there (O_EXCL) is no harm.
    """
    names: list[str] = []
    listening = True

    def listen(event: str, arguments: tuple[Any, ...]) -> None:
        if listening and event == "open" and DATABASE.search(str(arguments[0])) and not arguments[2] & os.O_EXCL:
            names.append(str(arguments[0]))

    sys.addaudithook(listen)  # there is no way to take it back
    yield names
    listening = False


def test_a_memory_keeps_its_locks_after_every_operation(home: Path, tmp_path: Path, probe: LockProbe) -> None:
    settings = {"memory.sources": ["memory", "sessions"]}
    with Memory.open(home, settings=settings, embedder=FakeEmbedder(), origin=Origin.USER) as memory:
        memory.save("- An otter swims.\n")
        memory.session("first").append("user", "Hello.")
        index, state = home / "state/main.sqlite", home / "state/sessions.sqlite"
        whole = {name + tail for name in (index.name, state.name) for tail in ("", "-shm")}
        assert probe.locked(index, state) == whole
        calls = operations(memory, tmp_path)
        assert public_methods() - set(calls) == ENDS, "an operation that nobody looked at"
        for name, call in calls.items():
            with suppress(HoldfastError):  # whether there was something to do is not asked here
                call()
            memory.ctx.session_index.wait()
            assert probe.locked(index, state) == whole, f"{name} dropped the locks"


def test_two_memories_of_one_process_do_not_drop_each_others_locks(home: Path, probe: LockProbe) -> None:
    index, state = home / "state/main.sqlite", home / "state/sessions.sqlite"
    with Memory.open(home) as memory:
        memory.save("- An otter swims.\n")
        memory.session("first").append("user", "Hello.")
        whole = probe.locked(index, state)
        with Memory.open(home) as other:
            assert "otter" in other.search("otter").results[0].snippet
            assert other.sessions()
        assert probe.locked(index, state) == whole


def test_no_operation_opens_a_database_by_hand(home: Path, tmp_path: Path, opened: list[str]) -> None:
    settings = {"memory.sources": ["memory", "sessions"]}
    with Memory.open(home, settings=settings, embedder=FakeEmbedder(), origin=Origin.USER) as memory:
        for name, call in operations(memory, tmp_path).items():
            with suppress(HoldfastError):
                call()
            memory.ctx.session_index.wait()
            assert opened == [], name
        for place in (home, home / "state", home / "state/main.sqlite", home / "state/sessions.sqlite-wal"):
            for read in (memory.import_from, memory.restore_export):
                with pytest.raises(HoldfastError):
                    read(place)
                assert opened == [], place
        assert doctor(str(home), "main")
        assert opened == []


@pytest.mark.parametrize("gone", ["", "-wal", "-shm"])
def test_an_index_whose_files_were_removed_is_written_where_others_find_it(home: Path, gone: str) -> None:
    with Memory.open(home) as memory:
        memory.save("- An otter swims.\n", file="memory/otter.md")
        assert "otter" in memory.search("otter").results[0].snippet
        _remove(home / "state/main.sqlite", gone)
        memory.save("- A bittern booms.\n", file="memory/bittern.md")
        assert [memory.search(one).results[0].text_score is not None for one in ("bittern", "otter")] == [True, True]
        with Memory.open(home, settings={"memory.sync.on_search": False}) as other:
            assert [other.search(one).results[0].text_score is not None for one in ("bittern", "otter")] == [True, True]
    with Memory.open(home) as memory:
        assert memory.status(deep=True).problems == ()


@pytest.mark.parametrize("gone", ["", "-wal"])
def test_state_is_kept_where_others_find_it_after_its_files_were_removed(home: Path, gone: str) -> None:
    with Memory.open(home) as memory, memory.session("work") as session:
        session.append("user", "Hello.")
        session.state.set("plan", "first", 1)
        _remove(home / "state/sessions.sqlite", gone)
        session.state.set("plan", "second", 2)
        with Memory.open(home) as other:
            kept = {stored.key: stored.value for stored in other.session("work").state.list("plan")}
        # What stood in a log alone is kept by whoever still has it open; what stood in the file itself is gone with it.
        assert kept == ({"second": 2} if not gone else {"first": 1, "second": 2})


def _remove(database: Path, tail: str) -> None:
    """Remove a database with all that belongs to it, or one of its files."""
    for one in ("", "-wal", "-shm") if not tail else (tail,):
        database.with_name(database.name + one).unlink()


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_what_a_library_keeps_after_forgetting_everywhere_outlives_its_end(home: Path, end: signal.Signals) -> None:
    child = Child("_child_keeps_state.py", home, SECRET, KEPT)
    try:
        assert child.line() == "ready"
        _come_and_go(home)
        child.go()
        for _ in range(KEPT):
            assert child.line() == "kept"
        _come_and_go(home)
        child.end(end)
    finally:
        child.close()
    _nothing_is_lost(home)


def test_what_a_server_keeps_after_forgetting_everywhere_outlives_a_kill(home: Path) -> None:
    server = begun(home)
    try:
        server.call(
            "POST", "/api/v1/tools/memory_save", {"arguments": {"content": f"- {SECRET}\n", "file": "memory/secret.md"}}
        )
        _state(server, "before", 1)
        answer = server.call("POST", "/api/v1/forget", {"text": SECRET, "everywhere": True})
        assert answer.status == 200, answer.data
        _come_and_go(home)
        for number in range(KEPT):
            _state(server, f"k{number}", number)
            found = server.call("POST", "/api/v1/search", {"query": "heron"})
            assert found.status == 200, found.data
        _come_and_go(home)
    finally:
        server.process.send_signal(signal.SIGKILL)
        server.process.communicate(timeout=30)
    _nothing_is_lost(home)


def _state(server: Any, key: str, value: int) -> None:
    told = server.call("PUT", f"/api/v1/sessions/work/state/plan/{key}", {"value": value})
    assert told.status == 200, told.data


def _come_and_go(home: Path) -> None:
    """Another process opens the same databases, writes to them, and closes them."""
    ran = process("session", "list", "--home", str(home))
    assert ran.returncode == 0, ran.stderr
    ran = process("save", "- A heron came by.", "--file", "memory/herons.md", "--home", str(home))
    assert ran.returncode == 0, ran.stderr
    with Memory.open(home) as memory:
        memory.session("visitor").append("user", "Hello.")


def _nothing_is_lost(home: Path) -> None:
    with Memory.open(home) as memory:
        state = memory.session("work").state
        kept = {stored.key: stored.value for stored in state.list("plan")}
        assert kept == {"before": 1, **{f"k{number}": number for number in range(KEPT)}}
        assert "heron" in memory.search("heron").results[0].snippet.lower()
        assert memory.status(deep=True).problems == ()
