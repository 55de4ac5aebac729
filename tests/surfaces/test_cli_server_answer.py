"""`holdfast search` beside a running server: the server answers, and nothing else is different."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from commandline import done, holdfast
from surfaces.http.serving import Served, served
from surfaces.test_cold_start import cold

ALONE = "HOLDFAST_MEMORY_SEARCH_MAX_RESULTS"
QUESTIONS = [
    ["when do we launch?"],
    ["launch", "-n", "1"],
    ["which database?", "--in", "memory/decisions.md"],
    ["launch", "--explain", "--by-passage"],
    ["launch", "--since", "2020-01-01", "--min-score", "0.1"],
    ["and when?", "--context", "the launch", "--context", "March"],
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("asked") / "home") as running:
        yield running


@pytest.fixture
def home(server: Served, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOLDFAST_HOME", str(server.home))
    done("save", "The launch moved to 3 March.", "--file", "memory/launch.md")
    done("save", "Chose PostgreSQL over MySQL.", "--file", "memory/decisions.md")
    done("index")
    return server.home


@pytest.mark.parametrize("asked", QUESTIONS, ids=" ".join)
def test_the_server_finds_what_the_command_finds_alone(
    home: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = done("search", *asked, "--json").json
    # With settings of its own the command asks nobody else.
    monkeypatch.setenv(ALONE, "10")
    alone = done("search", *asked, "--json").json
    assert found["results"]
    for answer in (found, alone):
        answer.pop("took_ms")
    assert found == alone


def test_a_search_that_the_server_answers_loads_no_index_and_no_vectors(home: Path) -> None:
    loaded = set(cold("search", "when do we launch?")["modules"])
    assert loaded.isdisjoint({"numpy", "apsw", "holdfast.memory", "holdfast.search.search_pipeline"})


def test_what_was_saved_a_moment_ago_is_found(home: Path) -> None:
    done("save", "The heron nests at kilometre 12.", "--file", "memory/birds.md")
    assert "memory/birds.md" in done("search", "where does the heron nest?").out


def test_what_is_wrong_or_not_there_is_said_as_it_is_without_a_server(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = [["launch", "-n", "0"], ["launch", "--in", "memory/nowhere.md"], ["launch", "--since", "whenever"]]
    beside = [holdfast("search", *asked) for asked in wrong]
    monkeypatch.setenv(ALONE, "10")
    assert beside == [holdfast("search", *asked) for asked in wrong]
    assert all(ran.status for ran in beside)


def test_a_server_that_does_not_answer_is_not_waited_for_long(home: Path, server: Served) -> None:
    os.kill(server.process.pid, signal.SIGSTOP)
    try:
        assert "memory/launch.md" in done("search", "when do we launch?").out
    finally:
        os.kill(server.process.pid, signal.SIGCONT)
