"""What every engine promises of logs, and of the state of sessions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise

import pytest
from engines.engine import Engine

from holdfast.errors import BadArgument, TooLarge, UnsafeFile
from holdfast.notes.log import MAX_LINE_BYTES, Log
from holdfast.notes.workspace import Workspace
from holdfast.transcripts.session_key import Kind
from holdfast.transcripts.state import StateStore
from holdfast.transcripts.state_engine import open_state

PARTS = ("sessions", "main")


@pytest.fixture
def workspace(engine: Engine) -> Iterator[Workspace]:
    with closing(engine.workspace()) as opened:
        yield opened


@pytest.fixture
def log(workspace: Workspace) -> Log:
    return workspace.log(PARTS, "talk.jsonl")


@pytest.fixture
def state(workspace: Workspace) -> Iterator[StateStore]:
    with closing(open_state(workspace)) as opened:
        yield opened


def texts(log: Log, start: int = 0) -> list[bytes | None]:
    return [line.data for line in log.lines(start)]


def test_lines_come_back_in_their_order_and_from_any_of_their_offsets(log: Log) -> None:
    assert (list(log.lines()), log.status(), log.sibling_names()) == ([], None, [])
    written = [log.append(data, first=b"opening") for data in (b"one", b"", b"\xff\0 two", b"x" * 70_000)]
    read = list(log.lines())
    assert [line.data for line in read] == [b"opening", b"one", b"", b"\xff\0 two", b"x" * 70_000]
    assert read[1:] == written
    assert all(before.end == after.start for before, after in pairwise(read))
    assert read[1].start == len(b"opening\n")
    assert texts(log, written[2].start) == [b"\xff\0 two", b"x" * 70_000]
    status = log.status()
    assert status is not None and status.size == read[-1].end
    assert texts(log, status.size) == []


def test_what_is_no_line_is_refused(log: Log) -> None:
    with pytest.raises(BadArgument):
        log.append(b"two\nlines")
    with pytest.raises(TooLarge):
        log.append(b"x" * (MAX_LINE_BYTES + 1))
    assert log.status() is None


def test_more_lines_than_are_read_at_once_are_all_read(log: Log) -> None:
    for number in range(450):
        log.append(b"%d" % number)
    assert texts(log) == [b"%d" % number for number in range(450)]


def test_a_log_is_renamed_rewritten_and_removed_and_is_another_by_then(log: Log) -> None:
    with log.exclusive() as nothing:
        assert nothing is None
    for data in (b"one", b"two"):
        log.append(data)
    first = log.status()
    with log.exclusive() as held:
        assert held is not None and held.read() == b"one\ntwo\n"
        held.rewrite(b"uno\ndos\ntres\n")
    second = log.status()
    assert first is not None and second is not None and (first.device, first.inode) != (second.device, second.inode)
    assert (texts(log), second.size) == ([b"uno", b"dos", b"tres"], 13)
    assert log.append(b"four").start == 13
    other = log.sibling("talk.1.jsonl")
    other.append(b"in the way")
    with log.exclusive() as held, pytest.raises(UnsafeFile):
        assert held is not None
        held.rename("talk.1.jsonl")
    with log.exclusive() as held:
        assert held is not None
        held.rename("talk.2.jsonl")
    assert log.sibling_names() == ["talk.1.jsonl", "talk.2.jsonl"]
    assert (texts(log), texts(log.sibling("talk.2.jsonl"))[-1]) == ([], b"four")
    with other.exclusive() as held:
        assert held is not None
        held.remove()
    assert log.append(b"anew", first=b"opening").start == 8
    assert log.sibling_names() == ["talk.2.jsonl", "talk.jsonl"]


def test_a_value_is_kept_compared_listed_and_cleared(state: StateStore) -> None:
    place = ("main", "talk")
    assert state.get(*place, "a", "x", 7) == 7
    for value in ({"deep": [1, None, "é\0"]}, "text", None, 1.5):
        state.set(*place, "a", "x", value, 5.0)
        assert state.get(*place, "a", "x", 7) == value
    assert not state.compare_and_set(*place, "a", "x", 2, 3, 6.0)
    assert state.compare_and_set(*place, "a", "x", 1.5, 3, 6.0)
    assert state.compare_and_set(*place, "b", "new", None, 1, 6.0)
    assert not state.compare_and_set(*place, "b", "new", None, 2, 6.0)
    state.set(*place, "b", "null", None, 6.0)
    assert state.compare_and_set(*place, "b", "null", None, 2, 7.0)
    state.set(*place, "flush", "ours", True, 8.0)
    listed = [(one.namespace, one.key, one.value, one.updated) for one in state.list(*place, own=False)]
    assert listed == [("a", "x", 3, 6.0), ("b", "new", 1, 6.0), ("b", "null", 2, 7.0)]
    assert state.delete(*place, "b", "new") and not state.delete(*place, "b", "new")
    assert state.clear(*place, own=False) == 2
    assert [one.key for one in state.list(*place)] == ["ours"]
    for name in ("", "a\nb", "x" * 300):
        with pytest.raises(BadArgument):
            state.set(*place, name, "k", 1, 1.0)


def test_sessions_are_listed_hidden_forgotten_and_renamed(state: StateStore) -> None:
    state.register("main", "Old talk", Kind.DIRECT, "", 1.0)
    state.register("main", "team", Kind.GROUP, "slack", 2.0)
    assert state.register("main", "Old talk", Kind.DIRECT, "phone", 0.5) is Kind.DIRECT
    assert state.register("main", "Old talk", Kind.GROUP, "slack", 0.7) is Kind.DIRECT, "as it was begun"
    known = state.known("main", "Old talk")
    assert known is not None and (known.channel, known.created, known.last) == ("phone", 1.0, 1.0)
    assert [one.key for one in state.sessions("main")] == ["team", "Old talk"]
    assert state.known("other", "team") is None
    state.exclude("main", "team", True)
    assert state.hidden("main", "team") and not state.forgotten("main", "team")
    assert [one.excluded for one in state.sessions("main")] == [True, False]
    state.set("main", "team", "a", "x", 1, 1.0)
    state.rename("main", "team", "crew")
    assert state.hidden("main", "crew") and state.get("main", "crew", "a", "x") == 1
    state.exclude("main", "crew", False)
    assert not state.hidden("main", "crew")
    state.forget("main", "crew", 3.0)
    assert state.forgotten("main", "crew") and state.get("main", "crew", "a", "x") is None
    state.delete_session("main", "crew")
    assert state.forgotten("main", "crew")
    state.exclude("main", "Old talk", True)
    state.delete_session("main", "Old talk")
    assert not state.hidden("main", "Old talk") and state.sessions("main") == []


def test_a_text_is_cleared_from_values_and_from_their_names(state: StateStore) -> None:
    state.set("main", "talk", "app", "secret plan", {"is": "secret"}, 1.0)
    state.set("main", "talk", "app", "other", "nothing", 1.0)

    def cleared(data: bytes) -> bytes:
        return data.replace(b"secret", b"[gone]")

    assert state.erase("main", cleared, dry_run=True) == 1
    assert state.erase("main", cleared) == 1
    assert [(one.key, one.value) for one in state.list("main", "talk")] == [
        ("[gone] plan", {"is": "[gone]"}),
        ("other", "nothing"),
    ]
