"""Each public set, read from small files of its shape: notes as a user would have them, and gold that is right."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from holdfast.errors import NotFound
from holdfast.evaluation.set_files import SOURCES, data_directory, is_present
from holdfast.evaluation.set_list import NAMES, load_set
from holdfast.evaluation.sets import LabelledSet, Level, sampled

FIRST = "memory/sessions/2023-05-08-session-1.md"
SECOND = "memory/sessions/2023-09-13-session-2.md"


def test_a_conversation_is_written_as_an_export_of_sessions_would_be(data: Path) -> None:
    (talk,) = load_set("locomo", str(data)).collections
    assert talk.notes == {
        FIRST: "# Session 1: 8 May 2023, 13:56\n\n"
        "- **Ana**: I adopted a greyhound yesterday.\n"
        "- **Ben**: Lovely! [image: a photo of a violin]\n"
        "- **Ana**: We are moving to Lisbon in June.\n",
        SECOND: "# Session 2: 13 September 2023, 00:09\n\n"
        "- **Ben**: The pottery course starts on Monday.\n"
        "- **Ana**: My greyhound won a race.\n",
    }
    assert talk.turns == {FIRST: {3: 3, 4: 4, 5: 5}, SECOND: {3: 3, 4: 4}}
    assert talk.asked == datetime(2023, 9, 14, 0, 9, tzinfo=UTC).timestamp()


def test_evidence_is_taken_apart_and_questions_without_any_are_left_out(data: Path) -> None:
    labelled = load_set("locomo", str(data))
    (talk,) = labelled.collections
    found = {asked.category: [(gold.path, gold.first) for gold in asked.gold] for asked in talk.questions}
    assert found == {
        "single-hop": [(FIRST, 3)],
        "multi-hop": [(FIRST, 3), (SECOND, 4)],
        "temporal": [(SECOND, 3)],
        "adversarial": [(FIRST, 4)],
    }
    assert labelled.levels == (Level.LINE, Level.NOTE)


def test_every_gold_line_is_a_turn_that_stands_in_its_note(data: Path) -> None:
    for collection in load_set("locomo", str(data)).collections:
        for asked in collection.questions:
            for gold in asked.gold:
                assert gold.first in collection.turns[gold.path]
                assert collection.notes[gold.path].split("\n")[gold.first - 1].startswith("- **")


def test_an_abstract_has_its_title_as_heading_and_whole_sentences(data: Path) -> None:
    (papers,) = load_set("scifact", str(data)).collections
    assert papers.notes["memory/11.md"] == (
        "# Newborn brains\n\nWhite matter develops early. It's measured in vivo. 24.0 +/- 4.4\n"
    )
    assert [(asked.text, [gold.path for gold in asked.gold]) for asked in papers.questions] == [
        ("White matter of newborns develops early.", ["memory/11.md"]),
        ("Sugar is fermented by yeast.", ["memory/12.md"]),
    ]


def test_a_language_is_a_memory_and_a_category(data: Path) -> None:
    labelled = load_set("xquad", str(data))
    assert [one.name for one in labelled.collections] == "ar de el en es hi ro ru th tr vi zh".split()
    english = labelled.collections[3]
    assert english.notes["memory/paragraph-001.md"] == "Warsaw lies on the river Vistula.\n"
    assert [(asked.category, asked.gold[0].path) for asked in english.questions] == [
        ("en", "memory/paragraph-000.md"),
        ("en", "memory/paragraph-001.md"),
    ]


def test_across_languages_the_english_paragraphs_are_asked_for_in_the_others(data: Path) -> None:
    (english,) = load_set("xquad-across", str(data)).collections
    assert english.notes["memory/paragraph-001.md"] == "Warsaw lies on the river Vistula.\n"
    assert {asked.category for asked in english.questions} == set("ar de el es hi ro ru th tr vi zh".split())
    assert len(english.questions) == 22


def test_mixed_languages_are_one_memory_that_is_asked_in_each(data: Path) -> None:
    (mixed,) = load_set("xquad-mixed", str(data)).collections
    assert (
        mixed.notes["memory/paragraph-000.md"]
        == load_set("xquad", str(data)).collections[3].notes["memory/paragraph-000.md"]
    )
    assert (
        mixed.notes["memory/paragraph-001.md"]
        == load_set("xquad", str(data)).collections[1].notes["memory/paragraph-001.md"]
    )
    assert {asked.category for asked in mixed.questions} == set("en de es ru zh tr ar th".split())


def test_a_document_is_asked_for_by_a_title_that_its_note_does_not_hold(data: Path) -> None:
    (files,) = load_set("docs", str(data)).collections
    assert len(files.notes) == 5
    assert [asked.text for asked in files.questions] == ["Managing your keys", "About teams"]
    note = files.notes[files.questions[0].gold[0].path]
    assert "Rotate every key" in note
    assert "eys" not in note


def test_the_example_of_qmd_expects_its_files(data: Path) -> None:
    (example,) = load_set("qmd", str(data)).collections
    assert sorted(example.notes) == ["memory/api.md", "memory/money.md"]
    assert example.questions[0].gold[0].path == "memory/api.md"


@pytest.mark.parametrize("name", NAMES)
def test_a_set_that_is_not_there_says_what_it_is_and_how_to_get_it(name: str, tmp_path: Path) -> None:
    with pytest.raises(NotFound) as caught:
        load_set(name, str(tmp_path))
    told = str(caught.value)
    for part in (SOURCES[name].title, SOURCES[name].licence, SOURCES[name].project, "--data", "HOLDFAST_EVAL_DATA"):
        assert part in told
    assert not is_present(str(tmp_path), name)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("content", [b"{}", b"[1]", b"not JSON", b"\xff\xfe"])
def test_a_file_of_another_shape_is_named_and_nothing_else_breaks(name: str, content: bytes, data: Path) -> None:
    file = data / SOURCES[name].file
    file.write_bytes(content)
    with pytest.raises(NotFound) as caught:
        load_set(name, str(data))
    assert SOURCES[name].title in str(caught.value)


def test_a_session_without_a_date_is_no_session(data: Path) -> None:
    file = data / "locomo/locomo10.json"
    file.write_text(file.read_text(encoding="utf-8").replace("1:56 pm on 8 May, 2023", "some day"), encoding="utf-8")
    with pytest.raises(NotFound, match="some day"):
        load_set("locomo", str(data))


def test_the_data_directory_is_what_was_named_then_the_environment_then_beside_the_checkout(tmp_path: Path) -> None:
    environ = {"HOLDFAST_EVAL_DATA": str(tmp_path)}
    assert data_directory("/given", environ) == "/given"
    assert data_directory(None, environ) == str(tmp_path)
    assert data_directory(None, {}).endswith("/shared/data")
    installed = tmp_path / "venv/lib/python3.12/site-packages/holdfast/evaluation/set_files.py"
    assert data_directory(None, {}, str(installed)) == os.getcwd()


def test_a_sample_is_always_the_same_and_keeps_every_note(data: Path) -> None:
    labelled = load_set("xquad", str(data))
    assert sampled(labelled, None) is labelled
    assert sampled(labelled, 24) is labelled
    some = sampled(labelled, 5)
    assert some == sampled(labelled, 5)
    assert sum(len(one.questions) for one in some.collections) == 5
    assert all(len(one.notes) == 2 and one.questions for one in some.collections)
    assert _names(some) <= _names(labelled)


def _names(labelled: LabelledSet) -> set[str]:
    return {one.name for one in labelled.collections}


def test_the_mini_set_has_the_shape_of_the_real_one(data: Path) -> None:
    read = json.loads((data / "locomo/locomo10.json").read_text(encoding="utf-8"))
    assert {"sample_id", "conversation", "qa"} <= read[0].keys()
