from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.search.syntax import parts_of


@pytest.mark.parametrize(
    ("question", "phrases"),
    [
        ('find "dark mode" please', ("dark mode",)),
        ("find “dark mode” please", ("dark mode",)),
        ("suche „dunkler Modus“", ("dunkler Modus",)),
        ("cherche «mode sombre»", ("mode sombre",)),
        ("「深色模式」在哪里", ("深色模式",)),
        ('"one" and "two three"', ("one", "two three")),
        ('5" nails and 6" screws', ()),
        ('say "unclosed', ()),
        ('"a\nb"', ()),
        ('""', ()),
        ('"..."', ()),
    ],
)
def test_quotes_make_phrases_where_they_are_closed(question: str, phrases: tuple[str, ...]) -> None:
    assert parts_of(question).phrases == phrases


@pytest.mark.parametrize(
    ("question", "without"),
    [
        ("dark mode -windows", ("windows",)),
        ("-windows dark mode", ("windows",)),
        ('editor -"visual studio"', ("visual studio",)),
        ("тёмная тема -окна", ("окна",)),
        ("a well-known fact", ()),
        ("tea - or coffee", ()),
        ("it was -5 degrees", ()),
        ("git commit --amend -message", ()),
        ("tar -xzf archive", ()),
        ("rm -rf folder", ()),
        ("- milk\n-eggs", ()),
        ("-windows", ()),
        ("word " * 30 + "-windows", ()),
    ],
)
def test_a_dash_negates_only_where_it_can_mean_nothing_else(question: str, without: tuple[str, ...]) -> None:
    assert parts_of(question).without == without


@pytest.mark.parametrize(
    ("question", "beginnings"),
    [("config* of the db", ("config",)), ("**bold** text", ()), ("*slanted*", ()), ("2 * 3", ()), ("a*b", ())],
)
def test_a_star_at_the_end_of_a_word_asks_for_its_beginning(question: str, beginnings: tuple[str, ...]) -> None:
    assert parts_of(question).beginnings == beginnings


def test_what_must_not_be_there_is_not_looked_for() -> None:
    assert "windows" not in parts_of("dark mode -windows").text
    assert parts_of('"dark mode" -"light theme"').only_phrases
    assert not parts_of('the "dark mode"').only_phrases


@given(st.text(alphabet=st.sampled_from("ab -\"“”*«»「」\n'.,x?"), max_size=60))
def test_any_text_has_parts_and_none_of_them_is_invented(question: str) -> None:
    parts = parts_of(question)
    assert all(one in question for one in (*parts.phrases, *parts.without, *parts.beginnings))
    assert parts.text == question or any(map(str.isalnum, parts.text)) or not parts.without


@given(st.text(max_size=200))
def test_a_question_without_signs_is_its_text(question: str) -> None:
    if not set(question) & set('"“”„«»「」『』*-'):
        assert parts_of(question) == (question, (), (), (), False)
