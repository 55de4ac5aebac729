"""Sets in the common format: spaces as homes, sessions as notes, rows as answers, and nothing from the future."""

from __future__ import annotations

from pathlib import Path

import pytest
from row_data import ASKED, FACTS, REPLY, TALK, UPDATES, put_set

from holdfast.errors import BadArgument, NotFound
from holdfast.evaluation.configurations import named_ways
from holdfast.evaluation.eval_memory import in_temporary_homes
from holdfast.evaluation.eval_run import FLOOR, Outcome, evaluate, floor_of
from holdfast.evaluation.homes import Homes
from holdfast.evaluation.note_shapes import Shape
from holdfast.evaluation.set_list import known_sets, load_set
from holdfast.evaluation.sets import Gold, LabelledSet, Level, in_one_home, only_slice, sampled, with_foreign

FIRST, SECOND = (f"memory/sessions/2026-01-05-session-000{number}.md" for number in (1, 2))


@pytest.fixture
def talk(tmp_path: Path) -> LabelledSet:
    put_set(tmp_path / "data/sets/talk", TALK, ASKED)
    return load_set("talk", str(tmp_path / "data"))


def outcomes(labelled: LabelledSet) -> dict[tuple[str, Level], Outcome]:
    with Homes() as homes:
        opening = in_temporary_homes(homes, labelled.name, {})
        found = [*floor_of(labelled), *evaluate(labelled, named_ways(["shipped"]), opening)]
    return {(one.way, one.level): one for one in found}


def test_a_space_is_a_collection_and_a_session_a_note_with_a_bullet_for_each_row(talk: LabelledSet) -> None:
    ana, ben = talk.collections
    assert list(ana.notes) == [FIRST, SECOND, "memory/sessions/2026-02-01-session-0003.md"]
    assert ana.notes[FIRST].splitlines()[:3] == ["# Session 1: 2026-01-05", "", "- **User**: I adopted a dog."]
    assert ana.turns[FIRST] == {3: 3, 4: 4}
    assert list(ben.notes.values()) == ["# Session 1: 2026-01-07\n\n- **User**: I moved to Lisbon.\n"]
    assert talk.levels == (Level.LINE, Level.NOTE)


def test_a_question_knows_its_rows_its_slices_its_moment_and_what_was_said_before(talk: LabelledSet) -> None:
    first, second = talk.collections[0].questions
    assert first.gold == (Gold(SECOND, 3, 3),)
    assert first.slices == ("first turn",)
    assert second.slices == ("later turn",)
    assert second.gold == (Gold(FIRST, 3, 3), Gold(SECOND, 3, 3))
    assert second.context == ("What is my dog called?", "Rex.")
    assert first.asked is not None
    assert [asked.text for asked in talk.collections[1].questions] == ["When did I move to Lisbon?"]


def test_what_was_not_there_yet_is_left_out_before_ranking(talk: LabelledSet) -> None:
    found = outcomes(only_slice(talk, "names"))
    for way in (FLOOR, "shipped"):
        # The asking session says the very same words, and would be the first of all.
        assert found[way, Level.LINE].overall["any@1"] == 1, way
        assert found[way, Level.NOTE].overall["any@1"] == 1, way
    ana = talk.collections[0]
    assert ana.later(ana.questions[0]) == {"memory/sessions/2026-02-01-session-0003.md"}


def test_the_same_rows_are_found_in_every_shape(tmp_path: Path) -> None:
    put_set(tmp_path / "sets/talk", TALK, ASKED)
    put_set(tmp_path / "sets/realmem", [{**TALK[1], "text": REPLY}], ASKED)
    for shape in Shape:
        labelled = only_slice(load_set("talk", str(tmp_path), shape), "places")
        found = outcomes(labelled)
        assert labelled.shape == shape.value
        assert found["shipped", Level.LINE].overall["any@10"] == 1, shape


def test_rows_without_a_session_become_daily_files_of_ten_in_their_order(tmp_path: Path) -> None:
    put_set(tmp_path / "sets/facts", FACTS, UPDATES)
    labelled = load_set("facts", str(tmp_path), Shape.DAILY)
    (facts,) = labelled.collections
    assert [(path, text.count("\n- ")) for path, text in facts.notes.items()] == [
        ("memory/2026-01-01.md", 10),
        ("memory/2026-01-02.md", 3),
    ]
    assert labelled.levels == (Level.LINE,)
    newer = outcomes(labelled)["shipped", Level.LINE].newer_first
    assert newer in (0.0, 1.0)


def test_rows_of_several_lines_without_a_session_are_a_note_each(tmp_path: Path) -> None:
    rows = [{"id": "a", "text": "Who pays?\nWe do."}, {"id": "b", "text": "Who asks?\nThey do."}]
    put_set(tmp_path / "sets/faq", rows, [{"id": "q", "query": "pays", "gold": ["a"], "kind": "faq"}], packed=False)
    (faq,) = load_set("faq", str(tmp_path)).collections
    assert len(faq.notes) == 2


def test_a_set_is_named_by_its_folder_in_the_data_or_by_a_path_anywhere(tmp_path: Path) -> None:
    folder = put_set(tmp_path / "sets/talk", TALK, ASKED)
    (tmp_path / "sets/empty").mkdir()
    assert "talk" in known_sets(str(tmp_path))
    assert "empty" not in known_sets(str(tmp_path))
    assert load_set(str(folder), "/nowhere") == load_set("talk", str(tmp_path))


def test_a_sample_depends_on_its_seed_alone(talk: LabelledSet) -> None:
    assert sampled(talk, 1, 7) == sampled(talk, 1, 7)
    assert len({sampled(talk, 1, seed).collections[0].questions for seed in range(20)}) > 1


def test_a_slice_that_there_is_not_names_those_that_there_are(talk: LabelledSet) -> None:
    assert len(only_slice(talk, "first turn").collections) == 2
    with pytest.raises(BadArgument, match=r"no questions 'nouns'.*first turn, later turn, names"):
        only_slice(talk, "nouns")


def test_questions_of_another_space_have_no_answer_and_do_not_count_as_missed(talk: LabelledSet) -> None:
    asked = with_foreign(talk, talk)
    assert [one.text for one in asked.collections[1].questions if not one.gold]
    assert not {"When did I move to Lisbon?"} & {one.text for one in asked.collections[1].questions if not one.gold}
    found = outcomes(asked)["shipped", Level.LINE]
    assert found.overall.questions == 3
    assert found.calibration is not None
    assert found.calibration.unanswerable == 3
    with pytest.raises(BadArgument, match="foreign"):
        with_foreign(only_slice(talk, "places"), only_slice(talk, "places"))


def test_all_collections_in_one_home_keep_their_answers(tmp_path: Path) -> None:
    rows = [{name: value for name, value in row.items() if name != "ord"} for row in TALK]
    queries = [{name: value for name, value in query.items() if name != "before"} for query in ASKED]
    put_set(tmp_path / "sets/talk", rows, queries)
    (together,) = in_one_home(load_set("talk", str(tmp_path))).collections
    assert len(together.notes) == 4
    assert all(gold.path in together.notes for asked in together.questions for gold in asked.gold)
    assert set(together.turns) == set(together.notes)


def test_a_set_with_a_past_is_not_put_into_one_home(talk: LabelledSet) -> None:
    with pytest.raises(BadArgument, match="not in one home"):
        in_one_home(talk)


@pytest.mark.parametrize(
    ("rows", "queries", "why"),
    [
        ([{"text": "no id"}], ASKED, "another shape"),
        (TALK, [{"id": "q", "query": "no kind", "gold": ["a:0"], "space": "Ana"}], "another shape"),
        (TALK, [], "no question"),
        ([{"id": "x", "text": "t", "date": "soon"}], [{"id": "q", "query": "q", "gold": ["x"], "kind": "k"}], "soon"),
    ],
)
def test_a_set_of_another_shape_is_named(
    rows: list[dict[str, object]], queries: list[dict[str, object]], why: str, tmp_path: Path
) -> None:
    put_set(tmp_path / "sets/broken", rows, queries)
    with pytest.raises(NotFound, match=rf"broken.*{why}"):
        load_set("broken", str(tmp_path))


def test_a_spoilt_file_and_a_missing_set_are_named(tmp_path: Path) -> None:
    folder = put_set(tmp_path / "sets/talk", TALK, ASKED)
    (folder / "corpus.jsonl.xz").write_bytes(b"not packed")
    with pytest.raises(NotFound, match=r"corpus\.jsonl\.xz.*Get it anew"):
        load_set("talk", str(tmp_path))
    with pytest.raises(NotFound, match="no set in"):
        load_set("tolk", str(tmp_path))
    with pytest.raises(NotFound, match="Long replies"):
        load_set("talk", str(tmp_path), Shape.CHAT)
