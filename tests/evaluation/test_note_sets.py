"""Homes with questions: ours, which must be what they say they are, and folders that are not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from holdfast.errors import BadArgument, NotFound
from holdfast.evaluation.baseline import Floor
from holdfast.evaluation.configurations import named_ways
from holdfast.evaluation.eval_memory import in_temporary_homes
from holdfast.evaluation.eval_run import evaluate, floor_of
from holdfast.evaluation.homes import Homes
from holdfast.evaluation.note_shapes import Shape
from holdfast.evaluation.own_questions import own_set
from holdfast.evaluation.set_list import load_set
from holdfast.evaluation.sets import Level, one_line

DATA = Path(__file__).parents[2] / "bench/data"


def small_home(folder: Path, **told: object) -> str:
    (folder / "notes/memory").mkdir(parents=True)
    (folder / "notes/memory/tea.md").write_text("# Tea\n\nIda drinks green tea.\n", encoding="utf-8")
    questions = [
        {"query": "what does Ida drink?", "path": "memory/tea.md", "text": "green tea", "category": "food"},
        {"query": "which shoes does Olof wear?", "unanswerable": True, "category": "no answer"},
    ]
    (folder / "questions.jsonl").write_text("".join(json.dumps(one) + "\n" for one in questions), encoding="utf-8")
    (folder / "set.json").write_text(json.dumps({"title": "Small", "asked": "2026-05-20", **told}), encoding="utf-8")
    return str(folder)


def test_no_paraphrase_shares_a_word_with_its_note() -> None:
    (notes,) = load_set(str(DATA / "one-liners"), "", Shape.NOTES).collections
    assert len(notes.notes) == len(set(notes.notes.values())) == 300
    assert len({asked.text for asked in notes.questions}) == len(notes.questions) == 60
    for asked in notes.questions:
        (gold,) = asked.gold
        assert Floor([("note", notes.notes[gold.path])]).search(asked.text) == [], asked.text


def test_the_one_liners_are_kept_singly_and_in_daily_files_of_ten() -> None:
    for shape, files in ((Shape.NOTES, 300), (Shape.DAILY, 30)):
        (notes,) = load_set(str(DATA / "one-liners"), "", shape).collections
        assert len(notes.notes) == files
        assert all(path.count("/") == 1 for path in notes.notes)


def test_the_household_has_its_notes_its_questions_and_some_without_an_answer() -> None:
    (home,) = load_set(str(DATA / "household"), "").collections
    assert len(home.notes) == 64
    assert sum(bool(asked.gold) for asked in home.questions) == 100
    assert sum(not asked.gold for asked in home.questions) == 30
    for asked in home.questions:
        for gold in asked.gold:
            assert one_line(gold.text).casefold() in one_line(home.notes[gold.path]).casefold(), asked.text


def test_a_home_is_asked_by_note_and_by_what_is_shown(tmp_path: Path) -> None:
    labelled = load_set(small_home(tmp_path / "small"), "")
    with Homes() as homes:
        found = [
            *floor_of(labelled),
            *evaluate(labelled, named_ways(["shipped"]), in_temporary_homes(homes, "small", {})),
        ]
    assert [(one.way, one.level) for one in found] == [
        ("floor", Level.NOTE),
        ("shipped", Level.LINE),
        ("shipped", Level.NOTE),
    ]
    for one in found:
        assert one.overall.questions == 1
        assert one.overall["any@1"] == 1
        assert list(one.categories) == ["food"]
    calibration = found[1].calibration
    assert calibration is not None
    assert calibration.unanswerable == 1
    assert found[0].calibration is None


def test_a_question_that_names_a_note_which_is_not_there_is_an_error(tmp_path: Path) -> None:
    folder = small_home(tmp_path / "small")
    (tmp_path / "small/notes/memory/tea.md").rename(tmp_path / "small/notes/memory/coffee.md")
    with pytest.raises(NotFound, match=r"memory/tea\.md"):
        load_set(folder, "")


@pytest.mark.parametrize("told", [{"asked": "soon"}, {"asked": 3}])
def test_a_home_that_does_not_say_when_it_is_asked_is_an_error(told: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"set\.json"):
        load_set(small_home(tmp_path / "small", **told), "")


def test_a_question_without_an_answer_says_no_place() -> None:
    labelled = own_set('{"query": "q", "unanswerable": true}\n{"query": "a", "path": "MEMORY.md"}', "mine")
    assert [asked.gold == () for asked in labelled.collections[0].questions] == [True, False]
    with pytest.raises(BadArgument, match="line 1 has no answer and says where it stands"):
        own_set('{"query": "q", "unanswerable": true, "path": "MEMORY.md"}', "mine")
