"""How the noticing of facts is measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commandline import done, holdfast

from holdfast.errors import BadArgument, NotFound
from holdfast.evaluation.capture import Expected, Labelled, labelled_messages, read_labelled, score
from holdfast.markdown.fact_row import Category

LISBON = Expected(("live", "Lisbon"), (Category.FACT,))


def test_a_right_fact_counts_for_precision_and_for_recall() -> None:
    found = score([Labelled("I live in Lisbon", "en", (LISBON,)), Labelled("what now?", "en")])
    assert (found.messages, found.silent, found.precision, found.recall, found.misses) == (2, 1, 1.0, 1.0, ())


def test_a_fact_where_there_is_none_and_one_in_the_wrong_category_lower_it() -> None:
    found = score(
        [
            Labelled("I live in Lisbon", "en"),
            Labelled("I like green tea", "en", (Expected(("tea",), (Category.FACT,)),)),
        ]
    )
    assert (found.noticed, found.right, found.expected, found.found) == (2, 0, 1, 0)
    assert [miss.wrong for miss in found.misses] == [("I live in Lisbon (fact)",), ("I like green tea (preference)",)]


def test_a_fact_that_may_be_noticed_is_right_and_is_never_missed() -> None:
    line = {"text": "I live in Lisbon", "facts": [{"category": "fact", "words": ["Lisbon"], "may": True}]}
    there = labelled_messages(json.dumps(line), "set")
    found = score([*there, *labelled_messages(json.dumps(line | {"text": "what now?"}), "set")])
    assert (found.noticed, found.right, found.expected, found.recall, found.misses) == (1, 1, 0, 1.0, ())


@pytest.mark.parametrize(
    "line", ["no", "[]", '{"text": 3}', '{"text": "x", "facts": [{"words": []}]}', '{"facts": []}']
)
def test_a_line_that_can_not_be_used_is_named(line: str) -> None:
    with pytest.raises(BadArgument, match="set, line 1"):
        labelled_messages(line, "set")


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        read_labelled([str(tmp_path / "none.jsonl")])


def test_the_command_shows_the_figures_and_on_request_what_was_read_wrongly(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    lines = [
        {"text": "I live in Lisbon", "language": "en", "facts": []},
        {"text": "Ich wohne in Bonn", "language": "de"},
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    shown = done("eval", "capture", str(tmp_path), "--misses", "5").out
    assert "precision" in shown and "wrong: I live in Lisbon (fact)" in shown
    told = holdfast("eval", "capture", str(file), "--json").json
    assert set(told) == {"all", "en", "de"} and told["all"]["precision"] == 0.0
