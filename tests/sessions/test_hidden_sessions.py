"""A session that was excluded or forgotten stays so, whatever becomes of the state."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.operations.diagnosis import doctor
from holdfast.transcripts.hidden_sessions import NAME, HiddenSessions, Mark

ON = {"memory.sources": ["memory", "sessions"], "memory.disable_rag": True}


def lose_the_state(home: Path, how: str) -> None:
    file = home / "state" / "sessions.sqlite"
    if how == "damaged":
        file.write_bytes(b"rubbish" * 4096)
    else:
        file.unlink()
    for ending in ("-wal", "-shm"):
        Path(f"{file}{ending}").unlink(missing_ok=True)


def sources(memory: Memory, query: str) -> list[str]:
    memory.sync()
    memory.ctx.session_index.wait()
    return [hit.source for hit in memory.search(query).results]


@pytest.mark.parametrize("how", ["damaged", "gone"])
def test_an_excluded_session_stays_so_when_the_state_is_lost(home: Path, how: str) -> None:
    with Memory.open(home, settings=ON) as memory, memory.session("diary") as session:
        session.append("user", "the zeppelin lands on Monday")
        session.exclude()
    lose_the_state(home, how)
    with Memory.open(home, settings=ON) as memory, memory.session("diary") as session:
        assert session.excluded
        session.append("user", "the zeppelin is late")  # which registers the session anew
        assert [one.excluded for one in memory.sessions()] == [True]
        assert session.export() is None
        assert sources(memory, "zeppelin") == []


@pytest.mark.parametrize("how", ["damaged", "gone"])
def test_a_forgotten_session_stays_so_when_the_state_is_lost(home: Path, how: str) -> None:
    with Memory.open(home, settings=ON) as memory, memory.session("diary") as session:
        session.append("user", "the zeppelin lands on Monday")
        session.forget()
    lose_the_state(home, how)
    with Memory.open(home, settings=ON) as memory, memory.session("diary") as session:
        session.append("user", "the zeppelin again")
        assert session.excluded
        assert memory.ctx.state_store.forgotten("main", "diary")
        assert session.reset() is None
        assert sources(memory, "zeppelin") == []


def test_a_session_that_is_let_in_again_is_found_also_without_the_state(home: Path) -> None:
    with Memory.open(home, settings=ON) as memory, memory.session("diary") as session:
        session.append("user", "the zeppelin lands on Monday")
        session.forget()
        session.append("user", "the zeppelin lands on Tuesday")
        session.exclude(excluded=False)
    lose_the_state(home, "gone")
    with Memory.open(home, settings=ON) as memory:
        assert sources(memory, "zeppelin") == ["sessions"]


def test_a_deleted_session_is_not_excluded_when_its_key_is_used_again(home: Path) -> None:
    with Memory.open(home) as memory:
        session = memory.session("diary")
        session.append("user", "hello there")
        session.exclude()
        session.delete()
        assert not session.excluded


def test_the_log_of_hidden_sessions_is_the_owners_alone_and_tells_no_key(home: Path) -> None:
    with Memory.open(home) as memory, memory.session("my divorce") as session:
        session.append("user", "hello there")
        session.forget()
    log = home / "sessions" / "main" / NAME
    assert os.stat(log).st_mode & 0o777 == 0o600
    assert b"divorce" not in log.read_bytes()


def test_lines_of_the_log_that_are_none_of_ours_hide_nothing_and_lose_nothing(home: Path) -> None:
    with Memory.open(home) as memory, memory.session("diary") as session:
        session.append("user", "hello there")
        session.exclude()
        with (home / "sessions" / "main" / NAME).open("ab") as log:
            log.write(b'[]\n{"session":5}\n\xff\xfe\n{"session":"x","is":"eaten"}\n{"sess')
        hidden = HiddenSessions(memory.ctx.workspace)
        assert hidden.mark("main", "diary") is Mark.EXCLUDED
        hidden.set("main", "other", Mark.FORGOTTEN)
        assert HiddenSessions(memory.ctx.workspace).mark("main", "other") is Mark.FORGOTTEN


def test_doctor_reports_a_damaged_state_that_was_set_aside(home: Path) -> None:
    with Memory.open(home) as memory, memory.session("diary") as session:
        session.state.set("a", "k", 1)
    assert [one.ok for one in doctor(str(home), "main") if one.name == "session state"] == [True]
    lose_the_state(home, "damaged")
    with Memory.open(home) as memory, memory.session("diary") as session:
        assert session.state.get("a", "k") is None
    check = next(one for one in doctor(str(home), "main") if one.name == "session state")
    assert not check.ok
    assert "sessions.sqlite.damaged" in check.detail
    assert "delete" in check.remedy
