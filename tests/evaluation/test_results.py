"""Figures of many runs in one file: kept, replaced, and shown on one page."""

from __future__ import annotations

from pathlib import Path

import pytest
from row_data import ASKED, FACTS, TALK, UPDATES, put_set

from holdfast.errors import BadArgument
from holdfast.evaluation.configurations import named_ways
from holdfast.evaluation.eval_memory import in_temporary_homes
from holdfast.evaluation.eval_run import Outcome, evaluate, floor_of
from holdfast.evaluation.figures import add_results, read_results
from holdfast.evaluation.homes import Homes
from holdfast.evaluation.note_shapes import Shape
from holdfast.evaluation.page import quality_page
from holdfast.evaluation.provenance import chosen_on
from holdfast.evaluation.set_list import load_set
from holdfast.evaluation.sets import with_foreign


@pytest.fixture
def outcomes(tmp_path: Path) -> list[Outcome]:
    put_set(tmp_path / "sets/talk", TALK, ASKED)
    put_set(tmp_path / "sets/facts", FACTS, UPDATES)
    found: list[Outcome] = []
    for name, shape in (("talk", Shape.BULLETS), ("talk", Shape.PARAGRAPHS), ("facts", Shape.DAILY)):
        labelled = load_set(name, str(tmp_path), shape)
        if name == "talk":
            labelled = with_foreign(labelled, labelled)
        with Homes() as homes:
            opening = in_temporary_homes(homes, name, {})
            found += [*floor_of(labelled), *evaluate(labelled, named_ways(["shipped"]), opening)]
    return found


def test_what_is_kept_is_read_again_as_it_was_but_for_times_and_misses(outcomes: list[Outcome], tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    add_results(str(file), outcomes)
    read = read_results(str(file))
    assert sorted(str(one.to_json()) for one in read) == sorted(
        str(one.replace(p50_ms=0.0, p95_ms=0.0).to_json()) for one in outcomes
    )
    before = file.read_bytes()
    add_results(str(file), reversed(outcomes))
    assert file.read_bytes() == before


def test_a_later_run_of_the_same_replaces_the_earlier_one_and_leaves_the_others(
    outcomes: list[Outcome], tmp_path: Path
) -> None:
    file = str(tmp_path / "figures.json")
    add_results(file, outcomes)
    add_results(file, [outcomes[0].replace(modes={"keyword": 7})])
    read = read_results(file)
    assert len(read) == len(outcomes)
    assert sum(one.modes == {"keyword": 7} for one in read) == 1


def test_a_page_shows_every_set_beside_the_floor_with_its_shape_and_what_it_chose(outcomes: list[Outcome]) -> None:
    page = quality_page(outcomes, command="holdfast eval page figures.json")
    rows = [line for line in page.splitlines() if line.startswith(("| talk, rows | floor", "| talk, rows | shipped"))]
    assert [row.split(" | ")[1] for row in rows] == ["floor", "shipped", "floor", "shipped"]
    assert [row.split(" | ")[-2] for row in rows] == ["bullets", "bullets", "paragraphs", "paragraphs"]
    assert "### talk, sessions, paragraphs" in page
    assert "## Confidence" in page
    assert "## The newer above the older" in page
    assert "| facts, rows, daily | floor | " in page
    assert " ms" not in page


def test_the_page_says_which_sets_had_a_part_in_choosing_constants() -> None:
    assert "weights" in chosen_on("locomo")
    assert "scales of passages and notes" in chosen_on("realmem")
    assert chosen_on("product-docs") == "scales of passages and notes"
    assert chosen_on("drcd-dev") == ""


@pytest.mark.parametrize("text", ["", "[]", '{"outcomes": [{}]}', '{"outcomes": 3}'])
def test_a_file_that_is_none_of_results_is_named(text: str, tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadArgument, match="no file of results"):
        read_results(str(file))
