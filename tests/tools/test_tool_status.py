"""status and doctor: what there is, what answers, what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.embeddings.fake import FakeEmbedder
from holdfast.tools.doctor import doctor


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
    assert set(bad) == {"settings", "home", "skipped", "hidden characters", "index"}
    assert all(check.remedy for check in bad.values())


def test_the_doctor_survives_a_home_that_is_none(home: Path) -> None:
    home.write_text("a file", encoding="utf-8")
    assert [check.ok for check in doctor(str(home), "main")][-1] is False
