"""T4 and T5: many processes on one home (P3, P6)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from counts import counted
from faults.children import children
from faults.rebuilding import index_rows, notes_of, of_a_rebuild, seen

from holdfast import Memory

pytestmark = pytest.mark.fault

_PROCESSES = 8


@pytest.mark.row("T4", saves=_PROCESSES * counted(12, 100), lost=0, doubled=0)
@pytest.mark.promise("P3")
def test_eight_processes_that_append_to_one_note_lose_no_line(home: Path, tmp_path: Path) -> None:
    each = counted(12, 100)
    with children("_child_appends.py", [[home, who, each] for who in range(_PROCESSES)]) as running:
        for child in running:
            child.go()
        answers = [child.answer() for child in running]
    assert [error for answer in answers for error in answer["errors"]] == []
    assert [token for answer in answers for token in answer["unseen"]] == [], "saved, and not found at once"
    tokens = {f"w{who}n{number}z" for who in range(_PROCESSES) for number in range(each)}
    lines = notes_of(home)["memory/shared.md"].decode("utf-8").splitlines()
    assert sorted(lines) == sorted(f"- the token {token}" for token in tokens)
    with Memory.open(home) as memory:
        changes = memory.history(limit=1_000)
        assert [change.seq for change in reversed(changes)] == list(range(1, len(tokens) + 1))
        for token in tokens:
            assert seen(memory, token) == {"memory/shared.md"}
        assert index_rows(memory) == of_a_rebuild(memory, tmp_path / "rebuild")


@pytest.mark.row("T10", edits=counted(20, 200), overwritten=0)
@pytest.mark.promise("P3")
@pytest.mark.promise("P4")
def test_a_lost_race_for_one_hash_is_told_and_never_overwrites(home: Path) -> None:
    for number in range(counted(20, 200)):
        with Memory.open(home) as first, Memory.open(home) as second:
            first.save(f"- start {number}", file="memory/race.md", append=False)
            read = first.get("memory/race.md").hash
            second.save(f"- won {number}", file="memory/race.md", append=False, expected_hash=read)
            with pytest.raises(Exception, match="changed since it was read"):
                first.save(f"- lost {number}", file="memory/race.md", append=False, expected_hash=read)
        assert notes_of(home)["memory/race.md"] == f"- won {number}\n".encode()


@pytest.mark.row("T5", rounds=counted(1, 20), wrong=0)
@pytest.mark.promise("P6")
def test_eight_processes_that_open_a_fresh_home_at_once_make_one_index(tmp_path: Path) -> None:
    for number in range(counted(1, 20)):
        home = tmp_path / f"home{number}"
        paths = _written(home)
        answers = _opened_at_once(home, with_embedder=number % 2 == 1)
        assert [answer["found"] for answer in answers] == [paths] * _PROCESSES
        assert [answer["set_aside"] for answer in answers] == [None] * _PROCESSES
        with Memory.open(home) as memory:
            states = memory.ctx.database.connection.all("SELECT state FROM editions")
            assert states == [("serving",)]
            assert memory.ctx.database.check() == []
            assert index_rows(memory) == of_a_rebuild(memory, tmp_path / "rebuild")


@pytest.mark.row("T5", rounds=counted(1, 20), wrong=0)
@pytest.mark.promise("P6")
def test_eight_processes_that_open_a_damaged_index_at_once_all_answer_and_agree_afterwards(tmp_path: Path) -> None:
    for number in range(counted(1, 20)):
        home = tmp_path / f"home{number}"
        paths = _written(home)
        with Memory.open(home) as memory:
            index = Path(memory.ctx.index_path)
        index.parent.mkdir(parents=True, exist_ok=True)
        index.write_bytes(b"this is no database " * 1_000)
        answers = _opened_at_once(home, with_embedder=False)
        assert [answer["found"] for answer in answers] == [paths] * _PROCESSES
        assert len({answer["set_aside"] for answer in answers} - {None}) == 1, "a sound index was set aside"
        with Memory.open(home) as memory:
            memory.sync()
            assert index_rows(memory) == of_a_rebuild(memory, tmp_path / "rebuild")


def _written(home: Path) -> list[str]:
    (home / "memory").mkdir(parents=True)
    for number in range(20):
        text = f"# Note {number}\n\nThe kestrel was seen at place{number}.\n" * 3
        (home / "memory" / f"n{number}.md").write_text(text, encoding="utf-8")
    return sorted(notes_of(home))


def _opened_at_once(home: Path, *, with_embedder: bool) -> list[dict[str, object]]:
    arguments = [[home, "kestrel", "yes" if with_embedder else "no"]] * _PROCESSES
    with children("_child_opens.py", arguments) as running:
        for child in running:
            child.go()
        answers = [child.answer() for child in running]
    assert all(answer["skipped"] == 0 for answer in answers), json.dumps(answers)
    return answers
