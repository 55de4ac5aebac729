"""QMD's index follows the notes; until it has, the builtin search answers, so that what was written is found."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from qmd_backend.program import Qmd, stands_in

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.guard.origin import Origin
from holdfast.notes.faulty_disk import Call, FaultyDisk
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.qmd.index_removal import remove_index
from holdfast.qmd.update_record import UpdateRecord, read_record, write_record


def updated(memory: Memory) -> None:
    """Wait until a thread has brought its index level."""
    backend = memory.ctx.qmd
    assert backend is not None
    backend.wait()
    assert not backend.sidecar.is_stale(memory.ctx.database), backend.sidecar.update_failure


def test_what_was_just_written_is_found_and_not_by_an_index_that_lacks_it(qmd: Qmd) -> None:
    with qmd.open() as memory:
        memory.save("The walrus sleeps.\n", file="memory/a.md")
        assert memory.search("walrus").backend == "qmd"
        memory.save("The narwhal wakes.\n", file="memory/b.md")
        found = memory.search("narwhal")
    assert (found.backend, found.results[0].path) == ("builtin", "memory/b.md")
    assert "does not have the last changes" in found.because


def test_what_was_edited_by_hand_makes_its_index_stale_too(qmd: Qmd, home: Path) -> None:
    with qmd.open() as memory:
        memory.save("The walrus sleeps.\n", file="memory/a.md")
        assert memory.search("walrus").backend == "qmd"
        (home / "memory" / "hand.md").write_text("The narwhal wakes.\n", encoding="utf-8")
        assert memory.search("narwhal").backend == "builtin"


def test_after_changes_it_follows_once_they_are_quiet(qmd: Qmd) -> None:
    with qmd.open(memory__qmd__update__debounce_ms=0) as memory:
        memory.save("The walrus sleeps.\n", file="memory/a.md")
        updated(memory)
        memory.save("The narwhal wakes.\n", file="memory/b.md")
        updated(memory)
        found = memory.search("narwhal")
    assert (found.backend, [hit.path for hit in found.results]) == ("qmd", ["memory/b.md"])


@stands_in
def test_the_first_search_waits_for_an_update_unless_that_is_not_wanted(qmd: Qmd) -> None:
    with qmd.open(memory__qmd__update__on_boot=False) as memory:
        memory.save("The walrus sleeps.\n", file="memory/a.md")
        assert memory.search("walrus").backend == "builtin"
    with qmd.open() as memory:
        assert memory.search("walrus").backend == "qmd"
    assert qmd.verbs() == ["update", "search"]


@stands_in
def test_another_process_knows_that_its_index_is_level(qmd: Qmd) -> None:
    with qmd.open() as memory:
        memory.save("The walrus sleeps.\n", file="memory/a.md")
        memory.search("walrus")
    with qmd.open() as memory:
        assert memory.search("walrus").backend == "qmd"
    assert qmd.verbs() == ["update", "search", "search"]


@stands_in
def test_it_looks_again_at_an_interval(qmd: Qmd, monkeypatch: pytest.MonkeyPatch) -> None:
    with qmd.open(memory__qmd__update__interval=1) as memory:
        upkeep = memory.ctx.qmd._upkeep  # type: ignore[union-attr]
        assert upkeep._wait(-1e9, 60) is True
        upkeep.close()
        assert upkeep._wait(-1e9, 60) is False


def test_what_a_sync_finds_makes_it_follow_too(qmd: Qmd, home: Path) -> None:
    with qmd.open(memory__qmd__update__debounce_ms=0) as memory:
        memory.save("The walrus sleeps.\n", file="memory/a.md")
        updated(memory)
        (home / "memory" / "hand.md").write_text("The narwhal wakes.\n", encoding="utf-8")
        memory.sync()
        updated(memory)
        assert memory.search("narwhal").backend == "qmd"


@stands_in
def test_it_embeds_in_the_background_only_with_models_and_when_it_is_time(qmd: Qmd) -> None:
    clock = FakeClock()
    with Memory.open(settings=qmd.settings(), origin=Origin.USER, clock=clock) as memory:
        memory.save("The walrus sleeps.\n", file="memory/a.md")
        memory.search("walrus")
        backend = memory.ctx.qmd
        assert backend is not None
        backend.sidecar.embed()
        assert "embed" not in qmd.verbs(), "it would wait for a download"
        qmd.has_models()
        backend.sidecar.embed()
        backend.sidecar.embed()
        assert qmd.verbs().count("embed") == 1
        clock.advance(3601)
        backend.sidecar.embed()
        assert qmd.verbs().count("embed") == 2
    with qmd.open(memory__qmd__update__embed_interval=0) as memory:
        assert memory.ctx.qmd is not None
        memory.ctx.qmd.sidecar.embed()
    assert qmd.verbs().count("embed") == 2


def test_another_set_of_places_makes_its_index_stale(qmd: Qmd, tmp_path: Path) -> None:
    with qmd.open() as memory:
        memory.save("The walrus sleeps.\n", file="memory/a.md")
        memory.search("walrus")
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "p.md").write_text("The narwhal paper.\n", encoding="utf-8")
    with qmd.open(memory__qmd__paths=[str(tmp_path / "papers")]) as memory:
        assert [hit.path for hit in memory.search("narwhal").results] == ["qmd/path-1/p.md"]


@pytest.mark.promise("P15")
def test_what_is_gone_from_the_notes_is_gone_from_its_index(qmd: Qmd, home: Path) -> None:
    with qmd.open() as memory:
        memory.save("The walrus code is QX-4711-ZZ.\n", file="memory/a.md")
        memory.save("Something else.\n", file="memory/b.md")
        memory.search("walrus")
        memory.delete("memory/a.md", delete_file=True)
        backend = memory.ctx.qmd
        assert backend is not None
        backend.sidecar.update(memory.ctx.database)
        assert backend.sidecar.update_failure == ""
    index = home / "state" / "qmd" / "main"
    assert [path for path in index.rglob("*") if path.is_file() and b"QX-4711-ZZ" in path.read_bytes()] == []


@pytest.mark.promise("P15")
def test_what_is_forgotten_everywhere_is_nowhere_in_its_files(qmd: Qmd, home: Path) -> None:
    with qmd.open(memory__qmd__sessions__enabled=True) as memory:
        memory.save("The walrus code is QX-4711-ZZ.\n", file="memory/a.md")
        with memory.session("one") as session:
            session.append("user", "The walrus code is QX-4711-ZZ.")
        assert memory.search("walrus").backend == "qmd"
        held = [path for path in (home / "state" / "qmd").rglob("*") if path.is_file()]
        assert any(b"QX-4711-ZZ" in path.read_bytes() for path in held)
        memory.forget(text="The walrus code is QX-4711-ZZ.", everywhere=True)
    assert [p for p in (home / "state").rglob("*") if p.is_file() and b"QX-4711-ZZ" in p.read_bytes()] == []


def test_a_session_that_is_excluded_or_too_old_is_not_written_down_for_it(qmd: Qmd, home: Path) -> None:
    clock = FakeClock()
    settings = {**qmd.settings(), "memory.qmd.sessions.enabled": True, "memory.qmd.sessions.retention_days": 10}
    with Memory.open(settings=settings, origin=Origin.USER, clock=clock) as memory:
        memory.save("Something else.\n", file="memory/b.md")
        with memory.session("old") as session:
            session.append("user", "The old walrus.")
        clock.advance(20 * 86_400)
        with memory.session("hidden") as session:
            session.append("user", "The hidden walrus.")
            session.exclude()
        with memory.session("new") as session:
            session.append("user", "The new walrus.")
        memory.search("walrus")
    [kept] = (home / "state" / "qmd" / "main" / "sessions").iterdir()
    assert "The new walrus." in kept.read_text(encoding="utf-8")


def test_what_is_forgotten_while_its_index_is_updated_is_not_written_down_behind_that(home: Path) -> None:
    came, held = threading.Event(), threading.Event()

    def update() -> None:
        with FileWorkspace.open(home) as workspace, workspace.job_lock("qmd"):
            workspace.replace_file("state/qmd/main/sessions/a.md", b"What was said.")
            held.set()
            assert came.wait(60)
            write_record(workspace, UpdateRecord("notes", sessions=("a.md",)))

    def noticed(_: int, call: Call) -> None:
        if call.subject == ".qmd.main.lock":
            came.set()

    updating = threading.Thread(target=update)
    updating.start()
    assert held.wait(60)
    with FileWorkspace.open(home, disk=FaultyDisk(before=noticed)) as workspace:
        remove_index(workspace)
        came.set()
        updating.join(60)
        assert read_record(workspace) == UpdateRecord()
        assert workspace.read_file("state/qmd/main/sessions/a.md") is None


@stands_in
def test_a_failure_is_not_noted_over_an_update_that_another_process_is_at(qmd: Qmd) -> None:
    with qmd.open() as memory:
        memory.save("The walrus sleeps.\n", file="memory/a.md")
        assert memory.search("walrus").backend == "qmd"
        before = read_record(memory.ctx.workspace)
        Path(qmd.command).write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
        with memory.ctx.workspace.job_lock("qmd"):
            assert memory.search("walrus").backend == "builtin"
            assert read_record(memory.ctx.workspace) == before
