"""session_state: JSON values by namespace and key, one session apart from another, gone with its session."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Any

import apsw
import pytest
from counts import counted
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.context.context import Context
from holdfast.errors import BadArgument, MemoryClosed, SecretFound, SessionClosed, StorageFailed, TooLarge
from holdfast.guard.origin import Origin
from holdfast.notes.faulty_disk import Call, FaultyDisk
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.operations.diagnosis import doctor
from holdfast.settings.settings import Settings
from holdfast.transcripts.session_key import Kind
from holdfast.transcripts.state import MAX_VALUE_BYTES, OWN_NAMESPACES
from holdfast.transcripts.state_engine import open_state

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize("depth", [300, 450, 600, 900])
def test_no_value_is_so_deep_that_a_secret_in_it_is_kept(home: Path, depth: int) -> None:
    key = "sk-ant-api03-" + "Ab3dEf6hIj9LmN0pQrS2" * 4
    value: Any = key
    for _ in range(depth):
        value = [value]
    with Memory.open(home, settings={"memory.secrets": "redact"}) as memory, memory.session() as session:
        try:
            session.state.set("n", "k", value)
        except BadArgument:
            return
        assert key not in repr(session.state.get("n", "k"))


def test_a_secret_is_kept_out_of_the_state_whoever_sets_it(home: Path) -> None:
    key = "ghp_" + "a1B2c3D4e5" * 4
    with Memory.open(home, settings={"memory.secrets": "redact"}) as memory, memory.session() as session:
        state = session.state
        state.set("a", "k", {"list": [f"my key is {key}"], "password": "correct-horse-7", "n": 3})
        held = state.get("a", "k")
        assert key not in str(held) and "correct-horse" not in str(held) and held["n"] == 3
        assert state.compare_and_set("a", "k2", None, key) and "redacted" in state.get("a", "k2")
        assert state.compare_and_set("a", "k2", key, "next"), "who set it can go on from it"
        state.set("a", "plain", {"offset": [1, 2.5, None], "text": "ä"})
        assert state.get("a", "plain") == {"offset": [1, 2.5, None], "text": "ä"}
    assert not any(key.encode() in file.read_bytes() for file in (home / "state").glob("sessions.sqlite*"))
    with Memory.open(home) as memory, memory.session() as session, pytest.raises(SecretFound):
        session.state.set("a", "k", {"token": key})
    with Memory.open(home, settings={"memory.secrets": "allow"}) as memory, memory.session() as session:
        session.state.set("a", "k", key)
        assert session.state.get("a", "k") == key


def test_values_are_json_by_namespace_and_key(home: Path) -> None:
    with Memory.open(home) as memory, memory.session() as session:
        state = session.state
        assert state.get("a", "k") is None
        assert state.get("a", "k", "default") == "default"
        state.set("a", "k", {"list": [1, 2.5, None, True], "text": "ä"})
        state.set("b", "k", 3)
        state.set("a", "k2", None)
        assert state.get("a", "k") == {"list": [1, 2.5, None, True], "text": "ä"}
        assert state.get("a", "k2", "default") is None
        assert [(one.namespace, one.key) for one in state.list()] == [("a", "k"), ("a", "k2"), ("b", "k")]
        assert [one.value for one in state.list("b")] == [3]
        assert (state.delete("a", "k"), state.delete("a", "k")) == (True, False)
        assert (state.clear("b"), state.clear(), state.list()) == (1, 1, [])


def test_what_holdfast_keeps_for_itself_is_neither_listed_nor_cleared_unless_it_is_named(home: Path) -> None:
    with Memory.open(home) as memory, memory.session() as session:
        state = session.state
        for namespace in OWN_NAMESPACES:
            state.set(namespace, "k", 1)
        state.set("mine", "k", 1)
        assert [one.namespace for one in state.list()] == ["mine"]
        assert (state.clear(), state.list()) == (1, [])
        assert all(state.get(namespace, "k") == 1 for namespace in OWN_NAMESPACES)
        assert [one.value for one in state.list("flush")] == [1]
        session.reset()
        assert [state.get(namespace, "k") for namespace in OWN_NAMESPACES] == [None] * len(OWN_NAMESPACES)


def test_sessions_and_agents_do_not_see_each_others_values(home: Path) -> None:
    with Memory.open(home) as memory, Memory.open(home, "other") as another:
        one, two, three = memory.session("one"), memory.session("two"), another.session("one")
        for number, session in enumerate((one, two, three)):
            session.state.set("a", "k", number)
        assert [session.state.get("a", "k") for session in (one, two, three)] == [0, 1, 2]
        one.state.clear()
        one.delete()
        assert [session.state.get("a", "k") for session in (two, three)] == [1, 2]


def test_values_outlast_the_process_and_end_with_the_session(home: Path) -> None:
    with Memory.open(home) as memory, memory.session() as session:
        session.state.set("a", "k", "the launch code word is heron")
    with Memory.open(home) as memory, memory.session() as session:
        assert session.state.get("a", "k")
        session.delete()
        assert session.state.list() == []
        assert memory.sessions() == []
    for file in (home / "state").glob("sessions.sqlite*"):
        assert b"heron" not in file.read_bytes(), "what was deleted must not linger in the file or its log"


def test_only_the_owner_can_read_the_file(home: Path) -> None:
    with Memory.open(home) as memory, memory.session() as session:
        session.state.set("a", "k", 1)
        for file in (home / "state").glob("sessions.sqlite*"):
            assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_compare_and_set_changes_only_what_was_expected(home: Path) -> None:
    with Memory.open(home) as memory, memory.session() as session:
        swap = session.state.compare_and_set
        assert not swap("a", "k", 1, 2)
        assert swap("a", "k", None, {"b": 1, "a": 2})
        assert not swap("a", "k", None, 3)
        assert swap("a", "k", {"a": 2, "b": 1}, True)
        assert not swap("a", "k", 1, 3), "true is not 1"
        assert swap("a", "k", True, None)
        assert swap("a", "k", None, "end")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=counted(5, 240))
@given(JSON, JSON)
def test_any_json_value_comes_back_and_is_expected_by_itself_alone(tmp_path: Path, one: Any, other: Any) -> None:
    with FileWorkspace.open(tmp_path / "any") as workspace:
        store = open_state(workspace)
        store.set("main", "s", "n", "k", one, 0.0)
        assert store.get("main", "s", "n", "k") == one
        swapped = store.compare_and_set("main", "s", "n", "k", other, 1, 0.0)
        assert not swapped or other == one
        assert swapped or store.compare_and_set("main", "s", "n", "k", one, 1, 0.0)
        store.close()


@pytest.mark.parametrize("value", [{1, 2}, float("nan"), float("inf"), object(), b"x"])
def test_what_json_can_not_hold_is_refused(home: Path, value: object) -> None:
    with Memory.open(home) as memory, pytest.raises(BadArgument, match="not JSON"):
        memory.session().state.set("a", "k", value)


@pytest.mark.promise("P13")
def test_names_and_values_have_limits(home: Path) -> None:
    with Memory.open(home) as memory:
        state = memory.session().state
        with pytest.raises(TooLarge):
            state.set("a", "k", "x" * MAX_VALUE_BYTES)
        for namespace, key in (("", "k"), ("a", ""), ("a\n", "k"), ("a", "x" * 201)):
            with pytest.raises(BadArgument):
                state.set(namespace, key, 1)


def test_a_missing_file_costs_the_state_and_nothing_else(home: Path) -> None:
    with Memory.open(home) as memory, memory.session() as session:
        session.append("user", "still here")
        session.state.set("a", "k", 1)
        for file in list((home / "state").glob("sessions.sqlite*")):
            file.unlink()
        assert session.state.get("a", "k") is None
        session.state.set("a", "k", 2)
        assert session.messages()[0].text == "still here"
        assert [one.key for one in memory.sessions()] == ["main"]
    with Memory.open(home) as memory:
        assert memory.session().state.get("a", "k") == 2


@pytest.mark.fault
@pytest.mark.parametrize("damage", ["rubbish", "zeros", "cut", "first page", "empty"])
def test_a_damaged_file_is_put_aside_and_costs_the_state_alone(home: Path, damage: str) -> None:
    with Memory.open(home) as memory, memory.session("Group 7", kind="group") as session:
        session.append("user", "still here")
        for number in range(300):
            session.state.set("a", f"k{number}", "x" * 200)
    file = home / "state" / "sessions.sqlite"
    data = file.read_bytes()
    rubbish = bytes(range(256)) * (len(data) // 256)
    file.write_bytes(
        {
            "rubbish": rubbish,
            "zeros": bytes(len(data)),
            "cut": data[: len(data) // 2],
            "first page": rubbish[:4096] + data[4096:],
            "empty": b"",
        }[damage]
    )
    with Memory.open(home) as memory:
        session = memory.session("Group 7")
        session.state.set("a", "new", 1)
        assert session.state.get("a", "new") == 1
        assert session.messages()[0].text == "still here"
        assert [(one.key, one.bytes > 0) for one in memory.sessions()] == [("Group 7", True)]
        aside = memory.ctx.state_store.set_aside
        assert (home / "state" / "sessions.sqlite.damaged").exists() == bool(aside) == (damage != "empty")


def test_a_file_of_a_newer_version_is_left_alone(home: Path) -> None:
    import apsw

    with Memory.open(home) as memory:
        memory.session().state.set("a", "k", 1)
    file = home / "state" / "sessions.sqlite"
    with apsw.Connection(str(file)) as raw:
        raw.execute("PRAGMA user_version=99")
    raw.close()
    before = file.read_bytes()
    with Memory.open(home) as memory:
        with pytest.raises(StorageFailed, match="newer Holdfast"):
            memory.session().state.get("a", "k")
        memory.session().append("user", "said all the same")
        assert memory.session().messages()[0].text == "said all the same"
    assert file.read_bytes() == before


@pytest.mark.fault
@pytest.mark.parametrize("there", [True, False])
def test_on_a_medium_that_can_not_be_written_to_what_is_there_can_be_read(home: Path, there: bool) -> None:
    with Memory.open(home) as memory, memory.session("team", kind="group") as session:
        session.append("user", "hello")
        session.state.set("a", "k", 1)
    if not there:
        (home / "state" / "sessions.sqlite").unlink()

    def closed(_: int, call: Call) -> None:
        if call.name in ("open", "access") and call.subject == "sessions.sqlite":
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    ctx = Context(Settings(), FileWorkspace.open(home, disk=FaultyDisk(before=closed)), FakeClock(), Origin.API)
    with Memory(ctx) as memory, memory.session("team") as session:
        assert session.kind is Kind.GROUP
        assert session.messages()[0].text == "hello"
        assert session.state.get("a", "k") == (1 if there else None)
        assert [one.key for one in memory.sessions()] == ["team"]
        with pytest.raises(StorageFailed):
            session.state.set("a", "k", 2)


@pytest.mark.fault
def test_damage_deep_inside_fails_once_and_costs_the_state_alone(home: Path) -> None:
    with Memory.open(home) as memory:
        for number in range(400):
            memory.ctx.state_store.set("main", "main", "a", f"k{number:03}", "x" * 200, 0.0)
    file = home / "state" / "sessions.sqlite"
    data = file.read_bytes()
    file.write_bytes(data[:-4096] + b"\xff" * 4096)
    with Memory.open(home) as memory:
        state = memory.session().state
        with pytest.raises(StorageFailed):
            state.list()
        assert state.list() == []
        state.set("a", "k", 1)
        assert state.get("a", "k") == 1
        assert (home / "state" / "sessions.sqlite.damaged").exists()


def test_a_closed_session_and_a_closed_memory_have_no_state(home: Path) -> None:
    with Memory.open(home) as memory:
        session = memory.session()
        session.state.set("a", "k", 1)
        session.close()
        with pytest.raises(SessionClosed):
            session.state.get("a", "k")
        other = memory.session()
    with pytest.raises(MemoryClosed):
        other.state.get("a", "k")
    with pytest.raises(MemoryClosed):
        other.append("user", "hello")


@pytest.mark.fault
def test_state_that_was_damaged_twice_is_kept_twice_and_named(home: Path) -> None:
    file = home / "state" / "sessions.sqlite"
    for number in (1, 2):
        with Memory.open(home) as memory:
            memory.session().state.set("a", "k", number)
        file.write_bytes(bytes([number]) * 20_000)
    with Memory.open(home) as memory:
        assert memory.session().state.get("a", "k") is None
    assert (home / "state/sessions.sqlite.damaged").read_bytes() == b"\1" * 20_000
    assert (home / "state/sessions.sqlite.damaged-2").read_bytes() == b"\2" * 20_000
    (check,) = [check for check in doctor(str(home), "main") if check.name == "session state"]
    assert not check.ok and "sessions.sqlite.damaged-2" in check.detail


@pytest.mark.fault
@pytest.mark.parametrize("value", ["CAST(x'22ff22' AS TEXT)", "'{\"half'"])
def test_a_value_that_is_damaged_fails_alone_and_is_named(home: Path, value: str) -> None:
    with Memory.open(home) as memory:
        memory.session().state.set("a", "good", 1)
        memory.session().state.set("b", "bad", 2)
    raw = apsw.Connection(str(home / "state" / "sessions.sqlite"))
    raw.execute(f"UPDATE session_state SET value={value} WHERE key='bad'")
    raw.close()
    with Memory.open(home) as memory:
        state = memory.session().state
        with pytest.raises(StorageFailed):
            state.get("b", "bad")
        assert state.get("a", "good") == 1
        assert any(check.name == "session state" and not check.ok for check in doctor(str(home), "main"))
        state.set("b", "bad", 3)
        assert state.get("b", "bad") == 3
