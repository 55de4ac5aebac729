"""`holdfast eval`, end to end: for people, for programs, in the user's home and in homes of its own."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from commandline import done, holdfast

PLANS = "# Launch plans\n\nThe launch moved to 3 March because the storage migration was late.\n"


@pytest.fixture
def notes(home: Path) -> Path:
    done("save", PLANS, "--file", "memory/plans.md")
    done("save", "# Party\n\nBring cake and lemonade for all of the guests.\n", "--file", "memory/party.md")
    return home


def mine(tmp_path: Path, *lines: dict[str, object]) -> str:
    file = tmp_path / "mine.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(file)


def state(home: Path) -> dict[str, bytes]:
    """Every file of the home but the index."""
    return {
        str(path.relative_to(home)): path.read_bytes()
        for path in home.rglob("*")
        if path.is_file() and ".sqlite" not in path.name
    }


def test_own_questions_are_asked_in_the_own_home_and_change_nothing_but_the_index(notes: Path, tmp_path: Path) -> None:
    file = mine(
        tmp_path,
        {"query": "when do we launch?", "path": "memory/plans.md", "line": 3, "category": "dates"},
        {"query": "what to bring", "path": "memory/party.md", "text": "cake and lemonade", "category": "food"},
        {"query": "storage migration", "path": "memory/party.md", "category": "food"},
    )
    before = state(notes)
    ran = done("eval", "run", file)
    assert ran.out.startswith("own, lines: shipped\n")
    rows = {line.split()[0]: line.split() for line in ran.out.splitlines() if line.startswith(("all", "dates", "food"))}
    assert rows["dates"][1:3] == ["1", "1"]
    assert rows["all"][1] == "3"
    assert "p50 " in ran.err
    assert all(len(line) <= 80 for line in ran.out.splitlines())
    assert state(notes) == before


def test_json_has_every_figure_and_the_misses_that_were_asked_for(notes: Path, tmp_path: Path) -> None:
    file = mine(tmp_path, {"query": "cake", "path": "memory/plans.md"}, {"query": "launch", "path": "memory/plans.md"})
    (outcome,) = done("eval", "run", file, "--json", "--misses", "5").json["outcomes"]
    assert (outcome["set"], outcome["way"], outcome["level"]) == ("own", "shipped", "line")
    assert outcome["overall"]["questions"] == 2
    assert outcome["overall"]["any@1"] == 0.5
    assert {"any@5", "all@5", "any@10", "all@10", "frac@10", "nDCG@10", "MRR"} <= outcome["overall"].keys()
    (miss,) = outcome["misses"]
    assert (miss["question"], miss["gold"], miss["found"][0]) == ("cake", ["memory/plans.md"], "memory/party.md")


def test_a_note_that_questions_name_and_that_is_not_there_is_said(notes: Path, tmp_path: Path) -> None:
    file = mine(tmp_path, {"query": "cake", "path": "memory/prty.md"}, {"query": "launch", "path": "memory/plans.md"})
    assert "There is no such note, so no hit is right for it: memory/prty.md\n" in done("eval", "run", file).err
    assert "no such note" not in done("eval", "run", mine(tmp_path, {"query": "launch", "text": "3 March"})).err


def test_misses_are_shown_to_people(notes: Path, tmp_path: Path) -> None:
    file = mine(tmp_path, {"query": "zebra", "path": "memory/plans.md"})
    ran = done("eval", "run", file, "--misses", "1", "--way", "keywords")
    assert "  zebra\n" in ran.out
    assert "questions, not found: memory/plans.md" in ran.out
    assert "instead: nothing" in ran.out


def test_a_drafted_set_can_be_run_and_is_never_overwritten(notes: Path, tmp_path: Path) -> None:
    file = tmp_path / "draft.jsonl"
    ran = done("eval", "make", "-n", "4", "--out", str(file))
    assert f"holdfast eval run {file}" in ran.out
    assert done("eval", "run", str(file), "--json").json["outcomes"][0]["overall"]["any@3"] == 1
    again = holdfast("eval", "make", "--out", str(file))
    assert again.status == 2
    assert "there already" in again.err


def test_a_draft_goes_to_standard_output_as_lines_of_json(notes: Path) -> None:
    lines = [json.loads(line) for line in done("eval", "make").out.splitlines()]
    assert {"query": "Launch plans", "path": "memory/plans.md", "line": [1, 3], "category": "heading"} in lines
    assert done("eval", "make", "--json").json["questions"] == lines


def test_an_empty_home_has_nothing_to_ask() -> None:
    ran = done("eval", "make")
    assert ran.out == ""
    assert "nothing to ask" in ran.err


def test_a_public_set_is_scored_beside_the_floor_and_the_home_is_not_touched(data: Path, home: Path) -> None:
    ran = done("eval", "run", "locomo", "--data", str(data), "--level", "both")
    heads = [line for line in ran.out.splitlines() if line.startswith("locomo,")]
    assert heads == [
        "locomo, turns: floor",
        "locomo, sessions: floor",
        "locomo, turns: shipped",
        "locomo, sessions: shipped",
    ]
    assert all(len(line) <= 80 for line in ran.out.splitlines())
    assert not home.exists()


def test_the_environment_names_the_data_too(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDFAST_EVAL_DATA", str(data))
    outcomes = done("eval", "run", "qmd", "--json").json["outcomes"]
    assert [one["way"] for one in outcomes] == ["floor", "shipped"]
    assert all(one["present"] for one in done("eval", "sets", "--json").json["sets"])


def test_all_sets_run_and_the_page_is_written_by_the_command(data: Path, tmp_path: Path) -> None:
    page, note = tmp_path / "quality.md", tmp_path / "note.md"
    note.write_text("## Tuning\n\nBy hand.\n", encoding="utf-8")
    command = ["eval", "run", "all", "--data", str(data), "--sample", "3", "--write", str(page), "--note", str(note)]
    done(*command)
    text = page.read_text(encoding="utf-8")
    assert "holdfast eval run all --sample 3 --write docs/quality.md" in text
    for title in ("LoCoMo, turns", "LoCoMo, sessions", "SciFact", "XQuAD", "QMD's example", "GitHub's documentation"):
        assert f"| {title} | shipped |" in text
    assert text.endswith("## Tuning\n\nBy hand.\n")
    assert str(tmp_path) not in text
    done(*command)
    assert page.read_text(encoding="utf-8") == text


def test_an_ablation_runs_every_way_and_ends_with_one_table(data: Path, tmp_path: Path) -> None:
    homes = str(tmp_path / "homes")
    ran = done("eval", "run", "qmd", "--data", str(data), "--ablate", "--homes", homes)
    table = ran.out.split("all ways\n")[1].splitlines()
    assert [row.split()[2] for row in table[1:5]] == ["floor", "shipped", "keywords", "vectors"]
    assert "is left out" in ran.err
    assert (tmp_path / "homes/qmd").is_dir()


def test_ways_and_settings_are_chosen_by_name(data: Path) -> None:
    command = ["eval", "run", "qmd", "--data", str(data), "--json"]
    ran = done(*command, "--way", "keywords", "--way", "shipped", "--set", "memory.search.vector_weight=0.9")
    assert [one["way"] for one in ran.json["outcomes"]] == ["floor", "keywords", "shipped"]
    assert ran.json["outcomes"][1]["modes"] == {"keyword": 1}


def test_a_set_that_is_missing_says_how_to_get_it(tmp_path: Path) -> None:
    ran = holdfast("eval", "run", "locomo", "--data", str(tmp_path))
    assert ran.status == 3
    assert "CC BY-NC 4.0" in ran.err
    assert "snap-research/locomo" in ran.err
    shown = done("eval", "sets", "--data", str(tmp_path)).out
    assert shown.count("not here") == 7


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["run", "lokomo"], "is not one of locomo"),
        (["run", "qmd", "--sample", "0"], "--sample"),
        (["run", "qmd", "--note", "x"], "--write"),
        (["run", "qmd", "--way", "sideways"], "no way 'sideways'"),
        (["run", "qmd", "--set", "memory.search.hybrid"], "KEY=VALUE"),
        (["run", "qmd", "--level", "word"], "--level takes no 'word'"),
        (["make", "-n", "0"], "--count"),
    ],
)
def test_a_mistake_is_named(arguments: list[str], why: str, data: Path) -> None:
    ran = holdfast("eval", *arguments, *(["--data", str(data)] if arguments[0] == "run" else []))
    assert ran.status == 2
    assert why in ran.err


def test_a_home_that_is_not_there_is_not_made(home: Path, tmp_path: Path) -> None:
    ran = holdfast("eval", "run", mine(tmp_path, {"query": "a", "path": "MEMORY.md"}))
    assert ran.status == 3
    assert "holdfast init" in ran.err
    assert not home.exists()


def test_the_command_line_does_not_import_the_room_before_it_is_asked() -> None:
    import subprocess

    code = "import sys, holdfast.surfaces.cli.commands.eval; print([m for m in sys.modules if 'evaluation' in m])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, encoding="utf-8")
    assert ran.stdout.strip() == "[]"
