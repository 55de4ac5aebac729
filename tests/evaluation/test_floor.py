"""The floor: any word matches, small words do not count, and no question is FTS5 syntax."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from holdfast.evaluation.baseline import Floor

ROWS = [("a", "Ana adopted a greyhound"), ("b", "Ben plays the violin"), ("c", "The greyhound won; greyhounds run")]
FLOOR = Floor(ROWS)


def test_any_word_matches_and_the_better_match_comes_first() -> None:
    assert FLOOR.search("who adopted the greyhound?") == ["a", "c"]
    assert FLOOR.search("violins") == ["b"]
    assert FLOOR.search("greyhound", limit=1) in (["a"], ["c"])


def test_small_words_alone_find_nothing() -> None:
    assert FLOOR.search("what is the") == []
    assert FLOOR.search("") == []


@given(st.text())
def test_no_question_is_syntax(question: str) -> None:
    assert set(FLOOR.search(question)) <= {"a", "b", "c"}


@given(
    st.sampled_from(['"', "NEAR(", "a* OR", "NOT violin", "body:violin", "violin AND", "^violin", "{x}:", "-violin"])
)
def test_operators_are_words(question: str) -> None:
    FLOOR.search(question)
