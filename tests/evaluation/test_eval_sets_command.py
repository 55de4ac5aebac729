"""`holdfast eval` with sets in the common format: shapes, slices, one home, prompts, and the page of many runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import done, holdfast
from row_data import ASKED, FACTS, TALK, UPDATES, put_set


@pytest.fixture
def sets(tmp_path: Path) -> str:
    put_set(tmp_path / "data/sets/talk", TALK, ASKED)
    put_set(tmp_path / "data/sets/facts", FACTS, UPDATES)
    return str(tmp_path / "data")


def test_a_set_is_run_by_row_and_by_session_in_a_shape(sets: str, home: Path) -> None:
    ran = done("eval", "run", "talk", "--shape", "paragraphs", "--level", "both", "--data", sets)
    heads = [line for line in ran.out.splitlines() if line.startswith("talk,")]
    assert heads == ["talk, rows: floor", "talk, sessions: floor", "talk, rows: shipped", "talk, sessions: shipped"]
    assert all(len(line) <= 80 for line in ran.out.splitlines())
    assert not home.exists()


def test_json_says_the_shape_the_share_without_a_hit_and_what_confidence_is_worth(sets: str) -> None:
    command = ["eval", "run", "talk", "--only", "first turn", "--foreign", "facts", "--data", sets, "--json"]
    floor, shipped = done(*command).json["outcomes"]
    assert floor["shape"] == shipped["shape"] == "bullets"
    assert shipped["overall"]["questions"] == 2
    assert shipped["overall"]["none"] == 0
    assert shipped["calibration"]["unanswerable"] == 2
    assert "calibration" not in floor
    (updated, _) = done("eval", "run", "facts", "--data", sets, "--json").json["outcomes"]
    assert updated["newer_first"] in (0, 1)


def test_the_sets_that_are_there_are_listed(sets: str) -> None:
    assert "facts, talk" in done("eval", "sets", "--data", sets).out
    assert done("eval", "sets", "--data", sets, "--json").json["in_sets"] == ["facts", "talk"]


def test_the_prompt_of_a_session_is_looked_into(sets: str) -> None:
    ran = done("eval", "prompt", "talk", "--level", "both", "--data", sets)
    assert "talk, rows: in the prompt" in ran.out
    assert "talk, sessions: in the prompt" in ran.out
    read = done("eval", "prompt", "talk", "--sample", "1", "--seed", "3", "--data", sets, "--json").json
    assert read["prompt"]["line"]["all questions"]["questions"] == 1


def test_many_runs_make_one_page(sets: str, tmp_path: Path) -> None:
    figures, page, note = (str(tmp_path / name) for name in ("figures.json", "quality.md", "note.md"))
    Path(note).write_text("## Tuning\n\nBy hand.\n", encoding="utf-8")
    for name, shape in (("talk", "bullets"), ("talk", "chat"), ("facts", "daily")):
        if shape == "chat":
            put_set(Path(sets) / "sets/realmem", TALK, ASKED)
        done("eval", "run", name, "--shape", shape, "--data", sets, "--results", figures)
    done("eval", "page", figures, "--write", page, "--note", note)
    text = Path(page).read_text(encoding="utf-8")
    assert "holdfast eval page docs/figures.json --note note.md --write docs/quality.md" in text
    assert "| talk, rows | shipped | 3 |" in text
    assert "| chat |" in text
    assert text.endswith("## Tuning\n\nBy hand.\n")
    assert str(tmp_path) not in text


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["run", "talk", "--only", "nouns"], "no questions 'nouns'"),
        (["run", "talk", "--shape", "poem"], "'poem'"),
        (["run", "talk", "--together"], "not in one home"),
        (["prompt", "talk", "--sample", "0"], "--sample"),
        (["run", "tolk"], "is not one of"),
    ],
)
def test_a_mistake_is_named(arguments: list[str], why: str, sets: str) -> None:
    ran = holdfast("eval", *arguments, "--data", sets)
    assert ran.status == 2
    assert why in ran.err
