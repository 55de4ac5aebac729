"""status and doctor: what there is, what answers, what is wrong."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.operations.diagnosis import Check, doctor
from holdfast.surfaces.cli.commands.status import status_rows


def test_status_of_an_empty_home_makes_no_index(home: Path) -> None:
    with Memory.open() as memory:
        status = memory.status()
    assert (status.notes, status.notes_on_disk, status.chunks, status.up_to_date) == (0, 0, 0, True)
    assert (status.mode, status.settings_file) == ("keyword", None)
    assert not (home / "state/main.sqlite").exists()


def test_status_counts_notes_by_source_and_names_what_was_skipped(home: Path, tmp_path: Path) -> None:
    extra = tmp_path / "extra"
    extra.mkdir()
    (extra / "e.md").write_text("x\n", encoding="utf-8")
    with Memory.open(settings={"memory.extra_paths": [str(extra)]}) as memory:
        memory.save("x", file="memory/a.md")
        (home / "memory/link.md").symlink_to(extra / "e.md")
        memory.sync()
        status = memory.status()
    assert status.by_source == {"memory": 1, "extra": 1}
    assert status.skipped == (("memory/link.md", "it is a symbolic link"),)
    assert json.loads(json.dumps(status.to_json()))["skipped"] == [
        {"path": "memory/link.md", "why": "it is a symbolic link"}
    ]


def test_status_shows_notes_that_cannot_be_read_as_skipped_and_the_index_as_up_to_date(home: Path) -> None:
    with Memory.open() as memory:
        memory.save("x", file="memory/a.md")
        memory.save("gone bad", file="memory/b.md")
        (home / "memory/b.md").write_bytes(b"\xff\xfe no text of ours")
        (home / "memory/c.md").write_bytes(b"caf\xe9\n")
        assert not memory.status().up_to_date  # what the index has of b is no longer so
        memory.sync()
        status = memory.status()
        assert status.up_to_date
        assert [path for path, _ in status.skipped] == ["memory/b.md", "memory/c.md"]
        assert all("UTF-8" in why for _, why in status.skipped)
        assert (status.notes_on_disk, status.notes) == (3, 1)
        assert dict(status_rows(status))["notes"] == "3 on disk, 1 indexed (up to date), 2 skipped"
        (home / "memory/d.md").write_text("new\n", encoding="utf-8")
        status = memory.status()
        assert not status.up_to_date
        assert [path for path, _ in status.skipped] == ["memory/b.md", "memory/c.md"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_note_without_permission_is_skipped_and_the_index_up_to_date(home: Path) -> None:
    with Memory.open() as memory:
        memory.save("x", file="memory/a.md")
        (home / "memory/a.md").chmod(0)
        memory.sync()
        status = memory.status()
    assert (status.up_to_date, [path for path, _ in status.skipped]) == (True, ["memory/a.md"])


def test_status_tells_spaces_and_engine_when_there_are_vectors() -> None:
    embedder = FakeEmbedder()
    with Memory.open(embedder=embedder) as memory:
        assert memory.status().mode == "keyword"
        memory.save("one walrus")
        status = memory.status(deep=True)
        assert (status.mode, status.because, status.provider) == ("hybrid", "", embedder.space.provider)
        assert status.engine
        assert [(space["embedded"], space["current"]) for space in status.spaces] == [(1, True)]
        assert status.problems == ()
        embedder.down = True
        deep = memory.status(deep=True).problems
        assert deep
        assert "failed" in deep[0]


@pytest.mark.parametrize(
    ("key", "value", "mode"), [("disable_rag", True, "keyword"), ("search.hybrid", False, "vector")]
)
def test_status_says_what_the_settings_make_of_search(key: str, value: bool, mode: str) -> None:
    with Memory.open(embedder=FakeEmbedder(), settings={f"memory.{key}": value}) as memory:
        memory.save("one walrus")
        status = memory.status()
        assert (status.mode, key.rpartition(".")[2] in status.because) == (mode, True)


def test_status_sees_an_edit_that_is_not_indexed_yet(home: Path) -> None:
    with Memory.open() as memory:
        memory.save("one")
        assert memory.status().up_to_date
        (home / "MEMORY.md").write_text("two words\n", encoding="utf-8")
        assert not memory.status().up_to_date
        memory.sync()
        assert memory.status().up_to_date


def test_the_doctor_goes_on_after_each_finding(home: Path) -> None:
    with Memory.open() as memory:
        memory.save("fine", file="memory/a.md")
    (home / "memory/esc.md").write_bytes(b"a\x1b[2Jb\n")
    (home / "memory/latin.md").write_bytes(b"\xe9\n")
    (home / "holdfast.toml").write_text("[memory]\nbogus = 1\n", encoding="utf-8")
    (home / "state/main.sqlite").write_bytes(b"this is no database" * 1000)
    home.chmod(0o777)
    bad = {check.name: check for check in doctor(str(home), "main") if not check.ok}
    assert set(bad) == {"settings", "home", "unreadable notes", "hidden characters", "index"}
    assert all(check.remedy for check in bad.values())


def test_the_doctor_survives_a_home_that_is_none(home: Path) -> None:
    home.write_text("a file", encoding="utf-8")
    assert [check.ok for check in doctor(str(home), "main")][-1] is False


def checked(home: Path) -> dict[str, Check]:
    return {check.name: check for check in doctor(str(home), "main")}


def test_the_doctor_finds_nothing_wrong_with_files_that_are_no_notes(home: Path) -> None:
    with Memory.open() as memory:
        memory.save("fine", file="memory/a.md")
    (home / "memory/.hidden.md").write_text("x", encoding="utf-8")
    (home / "memory/link.md").symlink_to("a.md")
    checks = checked(home)
    assert all(check.ok for check in checks.values())
    assert "memory/.hidden.md: it is hidden" in checks["skipped"].detail
    assert "memory/link.md: it is a symbolic link" in checks["skipped"].detail
    assert checks["skipped"].remedy == ""
    for number in range(3):
        (home / f"memory/link{number}.md").symlink_to("a.md")
    assert checked(home)["skipped"].detail.endswith("; and 2 more")
    assert "status --json" in checked(home)["skipped"].remedy


def test_a_journal_that_is_no_file_keeps_no_other_check_from_running(home: Path) -> None:
    with Memory.open() as memory:
        memory.save("fine", file="memory/a.md")
    journal = home / "state/checkpoints/main/journal.jsonl"
    journal.unlink()
    os.mkfifo(journal)
    checks = checked(home)
    assert [name for name, check in checks.items() if not check.ok] == ["checkpoints"]
    assert "journal.jsonl" in checks["checkpoints"].detail
    assert checks["checkpoints"].remedy
    assert {"settings", "home", "notes", "index"} <= set(checks)


@pytest.mark.parametrize("wrong", ["/nowhere/at/all", "../../../../../../../../..", "/dev/null"])
def test_a_wrong_extra_path_keeps_no_other_check_from_running(home: Path, wrong: str) -> None:
    with Memory.open() as memory:
        memory.save("fine")
    (home / "holdfast.toml").write_text(f'[memory]\nextra_paths = ["{wrong}"]\n', encoding="utf-8")
    checks = checked(home)
    assert [name for name, check in checks.items() if not check.ok] == ["extra paths"]
    assert "memory.extra_paths" in checks["extra paths"].remedy
    assert {"home", "notes", "index", "checkpoints"} <= set(checks)


def test_an_index_that_is_not_ours_keeps_no_other_check_from_running(home: Path) -> None:
    with Memory.open() as memory:
        memory.save("fine")
    (home / "state/main.sqlite").unlink()
    (home / "state/main.sqlite").mkdir()
    checks = checked(home)
    assert [name for name, check in checks.items() if not check.ok] == ["index"]
    assert checks["checkpoints"].detail == "whole"


def test_the_doctor_mentions_copies_of_damaged_indexes(home: Path) -> None:
    with Memory.open() as memory:
        memory.save("fine")
    assert "damaged indexes" not in checked(home)
    for tail in ("", "-wal", "-shm"):
        (home / f"state/main.sqlite.damaged-0a1b2c3d{tail}").write_bytes(b"x")
    copies = checked(home)["damaged indexes"]
    assert (copies.ok, copies.detail) == (True, str(home / "state/main.sqlite.damaged-0a1b2c3d"))
    assert copies.remedy


def test_the_doctor_says_when_sqlite_vec_was_asked_for_and_does_not_load(home: Path, tmp_path: Path) -> None:
    with Memory.open(embedder=FakeEmbedder()) as memory:
        memory.save("fine")
    assert "sqlite-vec" not in checked(home)
    path = tmp_path / "nothing.so"
    settings = f'[memory.store.vector]\nextension_path = "{path}"\n'
    (home / "holdfast.toml").write_text(settings, encoding="utf-8")
    check = checked(home)["sqlite-vec"]
    assert not check.ok
    assert "could not be loaded" in check.detail
    assert "memory.store.vector.extension_path" in check.remedy
    (home / "holdfast.toml").write_text(settings + "enabled = false\n", encoding="utf-8")
    assert "sqlite-vec" not in checked(home)


def test_the_doctor_is_content_when_sqlite_vec_loads(home: Path) -> None:
    sqlite_vec = pytest.importorskip("sqlite_vec")
    with Memory.open(embedder=FakeEmbedder()) as memory:
        memory.save("fine")
    (home / "holdfast.toml").write_text(
        f'[memory.store.vector]\nextension_path = "{sqlite_vec.loadable_path()}"\n', encoding="utf-8"
    )
    assert checked(home)["sqlite-vec"] == Check("sqlite-vec", ok=True, detail="loads")
