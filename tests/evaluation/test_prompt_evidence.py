"""Whether the evidence stands in the prompt: by its words, and never from notes that were not there yet."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from row_data import ASKED, TALK, put_set

from holdfast.evaluation.prompt_evidence import prompt_evidence, stands_in
from holdfast.evaluation.set_list import load_set
from holdfast.evaluation.sets import Level

WORDS = st.lists(st.sampled_from("the dog is called Rex and lives in Lisbon near a river".split()), min_size=1)


def test_what_a_session_recalls_is_counted_by_row_and_by_note(tmp_path: Path) -> None:
    put_set(tmp_path / "sets/talk", TALK, ASKED)
    labelled = load_set("talk", str(tmp_path))
    told: list[str] = []
    found = prompt_evidence(labelled, {}, levels=labelled.levels, progress=lambda what, done, total: told.append(what))
    for level in (Level.LINE, Level.NOTE):
        scores = found[level]
        assert scores["all questions"].questions == 3
        assert scores["names"].found == scores["names"].all == 1
        assert scores["names"].characters > 0
        assert set(scores) == {"all questions", "names", "pets", "places", "first turn", "later turn"}
        assert all(0 <= one.all <= one.found <= 1 for one in scores.values())
    assert set(found[Level.LINE]["names"].to_json()) == {"questions", "found", "all", "silent", "characters"}


def test_nothing_is_recalled_where_recall_is_off(tmp_path: Path) -> None:
    put_set(tmp_path / "sets/talk", TALK, ASKED)
    found = prompt_evidence(load_set("talk", str(tmp_path)), {"memory.recall.enabled": False}, levels=[Level.LINE])
    assert found[Level.LINE]["all questions"].silent == 1
    assert found[Level.LINE]["all questions"].found == 0


@given(WORDS, WORDS, WORDS)
def test_a_row_stands_in_a_prompt_that_quotes_it_however_its_lines_are_broken(
    before: list[str], row: list[str], after: list[str]
) -> None:
    quoted = "\n".join(f"| {word}" for word in row)
    assert stands_in(f"- {' '.join(row)}", "\n".join([" ".join(before), quoted, " ".join(after)]))


def test_a_run_of_a_long_row_is_enough_and_a_phrase_is_not() -> None:
    row = " ".join(f"word{number}" for number in range(200))
    assert stands_in(row, f"… {row[400:600]} …")
    assert not stands_in(row, f"… {row[400:450]} …")
    assert not stands_in("The dog is called Rex.", "The dog is called")
