"""Whatever QMD does, a search is answered within its time, and says who answered and why."""

from __future__ import annotations

import os
import select
from pathlib import Path

import pytest
from qmd_backend.program import Qmd, stands_in

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.guard.origin import Origin

SOON = {"memory__qmd__timeout_ms": 3000}  # for a program that hangs; one that answers gets all the time it needs


def ready(qmd: Qmd, **more: object) -> Memory:
    """A memory whose notes QMD knows."""
    with qmd.open() as memory:
        memory.save("The walrus sleeps in the harbour.\n", file="memory/animals.md")
        assert memory.search("walrus").backend == "qmd"
    return qmd.open(**more)


@stands_in
@pytest.mark.promise("P7")
@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ("exit", "`qmd search` ended with 1 (SqliteError: database disk image is malformed)"),
        ("garbage", "its answer is not JSON"),
        ("object", "its answer is no list of hits"),
        ("flood", "it said more than 8,388,608 bytes"),
        ("hang", "it took longer than"),
    ],
)
def test_the_builtin_search_answers_when_it_fails(qmd: Qmd, fault: str, why: str) -> None:
    with ready(qmd, **(SOON if fault == "hang" else {})) as memory:
        qmd.fails(f"search:{fault}")
        found = memory.search("walrus")
        again = memory.search("walrus")
        status = memory.status()
    assert (found.backend, found.results[0].path) == ("builtin", "memory/animals.md")
    assert f"QMD did not answer: {why}" in found.because
    assert "it is asked again in" in again.because and qmd.verbs().count("search") == 2, "a breaker spares the rest"
    assert (status.backend, status.wanted) == ("builtin", "qmd") and why in (status.qmd or {})["because"]


@stands_in
def test_what_it_started_goes_with_it(qmd: Qmd, tmp_path: Path) -> None:
    started = [tmp_path / name for name in ("qmd-grandchild", "qmd-stray")]
    for seconds in (3, 30):  # on a busy machine it may not come to start them before it is stopped
        with ready(qmd, memory__qmd__timeout_ms=1000 * seconds) as memory:
            qmd.fails("search:hang")
            assert memory.search("walrus").backend == "builtin"
        if all(file.exists() for file in started):
            break
        qmd.fails("")
    for file in started:
        assert ends(int(file.read_text(encoding="utf-8"))), file.name


def ends(pid: int) -> bool:
    """Say whether a process has ended, or does so when its turn comes: to be killed may take a moment."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([process], [], [], 60)[0])
    finally:
        os.close(process)


@stands_in
def test_a_question_without_a_word_does_not_reach_it(qmd: Qmd) -> None:
    with ready(qmd) as memory:
        before = qmd.verbs()
        found = memory.search("!!! … ??")
        assert (found.backend, qmd.verbs()) == ("builtin", before)
        assert "there is no word to look for" in found.because
        assert memory.search("walrus").backend == "qmd", "and nobody took it for a failure"


@stands_in
def test_the_time_that_was_waited_for_it_counts(qmd: Qmd) -> None:
    with ready(qmd, memory__qmd__timeout_ms=700) as memory:
        qmd.fails("search:hang")
        assert memory.search("walrus").took_ms >= 700


@stands_in
@pytest.mark.parametrize("fault", ["update:exit", "update:hang"])
def test_an_update_that_fails_leaves_the_answer_to_the_builtin_search(qmd: Qmd, fault: str) -> None:
    qmd.fails(fault)
    with qmd.open(memory__qmd__timeout_ms=1000) as memory:
        memory.save("The walrus sleeps.\n", file="memory/animals.md")
        found = memory.search("walrus")
    assert found.backend == "builtin" and found.results and "QMD did not answer: " in found.because


def test_where_its_files_can_not_be_written_the_builtin_search_answers(qmd: Qmd, home: Path) -> None:
    (home / "state").mkdir(parents=True)
    (home / "state" / "qmd").write_text("in the way", encoding="utf-8")
    with qmd.open() as memory:
        memory.save("The walrus sleeps.\n", file="memory/animals.md")
        found = memory.search("walrus")
        assert memory.status().backend == "builtin"
    assert found.backend == "builtin" and found.results and "QMD did not answer: " in found.because


def test_a_missing_program_is_named_with_what_to_do(qmd: Qmd) -> None:
    with Memory.open(settings={**qmd.settings(), "memory.qmd.command": "no-such-qmd"}) as memory:
        memory.save("The walrus sleeps.\n", file="memory/animals.md")
        found = memory.search("walrus")
        status = memory.status()
    assert found.backend == "builtin" and found.results
    assert "the program 'no-such-qmd' is not here" in found.because
    assert (status.backend, status.wanted) == ("builtin", "qmd")


@stands_in
def test_after_a_minute_it_is_asked_again(qmd: Qmd) -> None:
    clock = FakeClock()
    with Memory.open(settings=qmd.settings(), origin=Origin.USER, clock=clock) as memory:
        memory.save("The walrus sleeps.\n", file="memory/animals.md")
        qmd.fails("search:exit")
        assert memory.search("walrus").backend == "builtin"
        qmd.fails("")
        assert memory.search("walrus").backend == "builtin"
        clock.advance(61)
        assert memory.search("walrus").backend == "qmd"


@stands_in
def test_the_next_process_does_not_wait_for_the_same_failure(qmd: Qmd) -> None:
    with ready(qmd, **SOON) as memory:
        qmd.fails("search:hang")
        memory.search("walrus")
    with qmd.open() as memory:
        found = memory.search("walrus")
        because = (memory.status().qmd or {})["because"]
    assert found.backend == "builtin" and "it took longer than" in found.because and "asked again in" in because
    assert qmd.verbs().count("search") == 2


@stands_in
def test_another_command_is_asked_at_once_after_one_that_failed(qmd: Qmd, tmp_path: Path) -> None:
    with ready(qmd) as memory:
        qmd.fails("search:exit")
        assert memory.search("walrus").backend == "builtin"
    qmd.fails("")
    other = tmp_path / "bin" / "qmd-mended"
    other.symlink_to(qmd.command)
    with qmd.open(memory__qmd__command=str(other)) as memory:
        assert memory.search("walrus").backend == "qmd"


@stands_in
def test_without_time_left_it_is_not_even_started(qmd: Qmd) -> None:
    qmd.fails("update:hang")
    with qmd.open(memory__qmd__timeout_ms=50) as memory:
        memory.save("The walrus sleeps.\n", file="memory/animals.md")
        assert memory.search("walrus").backend == "builtin"
    assert "search" not in qmd.verbs()


@stands_in
def test_it_is_told_no_key_and_runs_in_its_own_directory(qmd: Qmd, monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-for-qmd")
    monkeypatch.setenv("NODE_OPTIONS", "--require /tmp/evil.js")
    with ready(qmd):
        pass
    for call in qmd.calls():
        assert not {"OPENAI_API_KEY", "NODE_OPTIONS"} & set(call["environment"])
        assert {"INDEX_PATH", "QMD_CONFIG_DIR"} <= set(call["environment"])
        assert call["cwd"] == os.path.realpath(home / "state" / "qmd" / "main")


def test_its_files_are_their_owners_alone(qmd: Qmd, home: Path) -> None:
    with ready(qmd):
        pass
    place = home / "state" / "qmd" / "main"
    for path in (place, *place.rglob("*")):
        assert path.stat().st_mode & 0o077 == 0, path
