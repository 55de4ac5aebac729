"""A look at the notes is told to other processes without touching the index."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from holdfast.index.freshness import Look
from holdfast.index.sqlite.database import Database

_LOOK = Look(1_794_870_000.25, 140.5)


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "state" / "main.sqlite")


def test_another_process_sees_the_last_look(path: str) -> None:
    one, other = Database(path), Database(path)
    assert other.last_look() is None
    one.record_look(Look(1.0, 30.0))
    one.record_look(_LOOK)
    assert other.last_look() == _LOOK
    one.close()
    other.close()


def test_a_look_leaves_the_index_as_it_was_for_all_who_have_it_open(path: str) -> None:
    one, other = Database(path), Database(path)
    one.record_look(Look(1.0, 30.0))  # the first makes the mark
    before = one.connection.version(), other.connection.version()
    one.record_look(_LOOK)
    other.record_look(_LOOK)
    assert (one.connection.version(), other.connection.version()) == before
    one.close()
    other.close()


def test_a_look_at_an_index_that_was_deleted_says_nothing_of_the_next_one(path: str) -> None:
    first = Database(path)
    first.record_look(_LOOK)
    first.close()
    for ending in ("", "-wal", "-shm"):
        if os.path.exists(path + ending):
            os.unlink(path + ending)
    second = Database(path)
    assert second.last_look() is None
    second.record_look(Look(2.0, 40.0))
    assert second.last_look() == Look(2.0, 40.0)
    second.close()


@pytest.mark.parametrize("left", [b"", b"12", b"\xff\x00 1 2 end", b"x y z end", b"1 2 3 end"])
def test_a_file_that_says_nothing_sensible_costs_a_look(path: str, left: bytes) -> None:
    database = Database(path)
    database.record_look(_LOOK)
    Path(f"{path}.look").write_bytes(left)
    assert database.last_look() is None
    database.close()


def test_a_torn_line_is_no_look(path: str) -> None:
    database = Database(path)
    database.record_look(_LOOK)
    whole = Path(f"{path}.look").read_bytes()
    for cut in range(len(whole) - 2):
        Path(f"{path}.look").write_bytes(whole[:cut])
        assert database.last_look() is None
    database.close()


def test_the_file_is_its_owners_alone_and_no_link_is_followed(path: str, tmp_path: Path) -> None:
    database = Database(path)
    database.record_look(_LOOK)
    assert os.stat(f"{path}.look").st_mode & 0o777 == 0o600
    victim = tmp_path / "victim"
    victim.write_text("untouched", encoding="utf-8")
    os.unlink(f"{path}.look")
    os.symlink(victim, f"{path}.look")
    database.record_look(_LOOK)
    assert database.last_look() is None
    assert victim.read_text(encoding="utf-8") == "untouched"
    database.close()


def test_an_index_in_memory_records_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    database = Database.in_memory()
    database.record_look(_LOOK)
    assert database.last_look() is None
    assert not os.listdir(tmp_path)
    database.close()
