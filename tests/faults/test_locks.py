"""A memory that is open holds its databases' locks, whatever it does (P2): POSIX drops all of a process's locks on a
file with the first close() of any descriptor of it, and the next process would reset the log under a live writer."""

from __future__ import annotations

import inspect
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from commandline import process
from faults.children import Child
from lock_probe import LockProbe
from surfaces.http.serving import begun

from holdfast import Memory
from holdfast.embeddings.fake import FakeEmbedder
from holdfast.errors import HoldfastError
from holdfast.guard.origin import Origin
from holdfast.llm.fake import ScriptedModel
from holdfast.sessions.state import BoundState
from holdfast.tools.doctor import doctor
from holdfast.tools.dreams import Dreams
from holdfast.tools.facts import Facts
from holdfast.tools.notes import Notes
from holdfast.tools.session import Session
from holdfast.tools.user_profile import UserProfile

pytestmark = [pytest.mark.fault, pytest.mark.promise("P2")]

SECRET = "The quokka lives at Elm Street 55"
KEPT = 9
DATABASE = re.compile(r"\.sqlite(-\w+|\.usage(-\w+)?|\.signals(-\w+)?)?$")
# Nothing of a memory is open after these.
ENDS = {"Memory.close", "Memory.open", "Session.close"}


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


def operations(memory: Memory, tmp_path: Path) -> dict[str, Callable[[], Any]]:
    """Every public method of a memory and of what it hands out, each called so that it really works."""
    session = memory.session("work")
    model = ScriptedModel(*["Noted."] * 20)
    stop = threading.Event()
    stop.set()
    facts, notes, dreams, profile, state = memory.facts, memory.notes, memory.dreams, memory.profile, session.state
    bundle = tmp_path / "out.jsonl"

    def newest_fact() -> str:
        return facts.list().facts[0].id

    return {
        "Memory.save": lambda: memory.save(f"- {SECRET}\n- Works at Acme\n"),
        "Memory.search": lambda: memory.search("quokka"),
        "Memory.get": lambda: memory.get(chunk_id=memory.search("quokka").results[0].chunk_id),
        "Memory.sync": lambda: memory.sync(force=True),
        "Memory.status": lambda: memory.status(deep=True),
        "Memory.history": lambda: memory.history(),
        "Memory.diff": lambda: memory.diff(memory.history()[0].id),
        "Memory.export": lambda: memory.export(bundle),
        "Memory.restore_export": lambda: memory.restore_export(bundle),
        "Memory.import_from": lambda: memory.import_from(memory.home),
        "Memory.spaces": lambda: memory.spaces(),
        "Memory.watch": lambda: list(memory.watch(stop)),
        "Memory.session": lambda: memory.session("other").append("user", "Hello."),
        "Memory.sessions": lambda: memory.sessions(),
        "Memory.tools": lambda: memory.tools().call("memory_search", {"query": "quokka"}),
        "Memory.forget": lambda: memory.forget(text=SECRET, everywhere=True),
        "Memory.prune": lambda: memory.prune(),
        "Memory.delete": lambda: memory.delete("MEMORY.md", text="Works at Acme"),
        "Memory.undo": lambda: memory.undo(),
        "Memory.restore": lambda: memory.restore(memory.history()[0].id),
        "Memory.undo_origin": lambda: memory.undo_origin("import"),
        "Memory.purge": lambda: memory.purge("MEMORY.md"),
        "Memory.drop_space": lambda: memory.drop_space("1"),
        "Notes.write": lambda: notes.write("memory/a.md", "- The heron waits.\n"),
        "Notes.by": lambda: notes.by(Origin.USER).list(),
        "Notes.list": lambda: notes.list(),
        "Notes.page": lambda: notes.page(),
        "Notes.read": lambda: notes.read("memory/a.md"),
        "Notes.hash_of": lambda: notes.hash_of("memory/a.md"),
        "Notes.rename": lambda: notes.rename("memory/a.md", "memory/b.md"),
        "Notes.delete": lambda: notes.delete("memory/b.md"),
        "Facts.store": lambda: facts.store("Prefers tea to coffee."),
        "Facts.recall": lambda: facts.recall("tea"),
        "Facts.list": lambda: facts.list(),
        "Facts.history": lambda: facts.history("tea"),
        "Facts.stats": lambda: facts.stats(),
        "Facts.reindex": lambda: facts.reindex(),
        "Facts.archive": lambda: facts.archive(newest_fact()),
        "Facts.restore": lambda: facts.restore(facts.list(state="all").facts[0].id),
        "Facts.undo_supersession": lambda: facts.undo_supersession(newest_fact()),
        "Facts.forget": lambda: facts.forget(newest_fact()),
        "Dreams.run": lambda: dreams.run(),
        "Dreams.proposals": lambda: dreams.proposals(),
        "Dreams.approve": lambda: dreams.approve("none"),
        "Dreams.reject": lambda: dreams.reject("none"),
        "Dreams.roll_back": lambda: dreams.roll_back(),
        "UserProfile.save": lambda: profile.save("name", "Ada"),
        "UserProfile.read": lambda: profile.read(),
        "UserProfile.observed": lambda: profile.observed(timezone="Europe/Berlin"),
        "UserProfile.undo": lambda: profile.undo(),
        "Session.append": lambda: session.append("user", "I like tea."),
        "Session.messages": lambda: session.messages(),
        "Session.context": lambda: session.context(),
        "Session.prompt": lambda: session.prompt("What do I like?"),
        "Session.refresh_prompt": lambda: session.refresh_prompt(),
        "Session.recall": lambda: session.recall("tea"),
        "Session.tools": lambda: session.tools().call("session_state", {"action": "list"}),
        "Session.turn": lambda: session.turn("Hello?", model=model),
        "Session.capture": lambda: session.capture(),
        "Session.needs_flush": lambda: session.needs_flush(),
        "Session.before_compaction": lambda: session.before_compaction(model, force=True),
        "Session.compact": lambda: session.compact(model),
        "Session.compacted": lambda: session.compacted(),
        "Session.export": lambda: session.export(),
        "Session.exclude": lambda: session.exclude(),
        "Session.new": lambda: memory.session("third").new("fourth").append("user", "Hi."),
        "Session.delete": lambda: memory.session("other").delete(everywhere=True),
        "Session.forget": lambda: memory.session("fourth").forget(),
        "BoundState.set": lambda: state.set("plan", "a", 1),
        "BoundState.get": lambda: state.get("plan", "a"),
        "BoundState.list": lambda: state.list(),
        "BoundState.compare_and_set": lambda: state.compare_and_set("plan", "a", 1, 2),
        "BoundState.delete": lambda: state.delete("plan", "a"),
        "BoundState.clear": lambda: state.clear(),
        "Session.reset": lambda: session.reset(),
    }  # fmt: skip


def public_methods() -> set[str]:
    kinds = (Memory, Notes, Facts, Dreams, UserProfile, Session, BoundState)
    return {
        f"{kind.__name__}.{name}"
        for kind in kinds
        for name, _ in inspect.getmembers(kind, callable)
        if not name.startswith("_")
    }


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
            memory.rooms.session_index.wait()
            assert probe.locked(index, state) == whole, f"{name} dropped the locks"


def test_two_memories_of_one_process_do_not_drop_each_others_locks(home: Path, probe: LockProbe) -> None:
    index, state = home / "state/main.sqlite", home / "state/sessions.sqlite"
    with Memory.open(home) as memory:
        memory.save("- An otter swims.\n")
        memory.session("first").append("user", "Hello.")
        whole = probe.locked(index, state)
        with Memory.open(home) as other:
            assert other.search("otter").results
            assert other.sessions()
        assert probe.locked(index, state) == whole


def test_no_operation_opens_a_database_by_hand(home: Path, tmp_path: Path, opened: list[str]) -> None:
    settings = {"memory.sources": ["memory", "sessions"]}
    with Memory.open(home, settings=settings, embedder=FakeEmbedder(), origin=Origin.USER) as memory:
        for name, call in operations(memory, tmp_path).items():
            with suppress(HoldfastError):
                call()
            memory.rooms.session_index.wait()
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
        assert memory.search("otter").results
        _remove(home / "state/main.sqlite", gone)
        memory.save("- A bittern booms.\n", file="memory/bittern.md")
        assert memory.search("bittern").results and memory.search("otter").results
        with Memory.open(home, settings={"memory.sync.on_search": False}) as other:
            assert other.search("bittern").results and other.search("otter").results
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
        server.call("POST", "/api/v1/tools/memory_save", {"arguments": {"content": f"- {SECRET}\n"}})
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
        assert memory.search("heron").results
        assert memory.status(deep=True).problems == ()
