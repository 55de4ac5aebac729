"""A question that was asked before stands behind its answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.search.question_echo import is_question


def texts(home: Path, talk: str, query: str) -> list[str]:
    note = home / "memory/sessions/2026-11-02-talk.md"
    note.parent.mkdir(parents=True)
    note.write_text(talk, encoding="utf-8")
    with Memory.open(home) as memory:
        return [hit.snippet for hit in memory.search(query, by_passage=True).results]


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("Where did we put the spare key of the boat?", "Under the blue flowerpot by the gate."),
        ("Wo haben wir den Ersatzschlüssel vom Boot hingelegt?", "Unter den blauen Topf am Tor."),
        ("ボートの予備の鍵はどこに置きましたか？", "門のそばの青い植木鉢の下です。"),
    ],
)
def test_the_answer_stands_before_an_earlier_copy_of_the_question(home: Path, asked: str, answered: str) -> None:
    talk = f"- **User**: Good morning.\n- **User**: {asked}\n- **Assistant**: {answered}\n- **User**: Thank you.\n"
    found = texts(home, talk, asked)
    assert found.index(f"- **Assistant**: {answered}") < found.index(f"- **User**: {asked}")


def test_a_question_that_says_more_than_was_asked_stays_where_it_is(home: Path) -> None:
    long = "Since the gate is painted blue, and Ida lost hers, where is the spare key, or did Ben take it to Riga?"
    talk = f"- **User**: Good morning.\n- **User**: {long}\n- **Assistant**: No idea at all.\n- **User**: Thanks.\n"
    assert texts(home, talk, "spare key")[0] == f"- **User**: {long}"


def test_a_question_that_is_answered_by_a_question_stays_where_it_is(home: Path) -> None:
    asked = "Where is the spare key of the boat?"
    talk = f"- **User**: Good morning.\n- **User**: {asked}\n- **Assistant**: Which one?\n- **User**: Thanks.\n"
    assert texts(home, talk, asked)[0] == f"- **User**: {asked}"


@pytest.mark.parametrize(
    ("text", "asks"), [("Which one?", True), ("Πού είναι το κλειδί;", True), ("SELECT name FROM users;", False)]
)
def test_a_semicolon_asks_in_greek_alone(text: str, asks: bool) -> None:
    assert is_question(text) is asks
