from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.index.typos import beginning, can_slip, guesses, near

WORDS = ("harbour", "harvest", "telescope", "telephone", "marathon", "kubernetes", "configuration", "confirmation")


def found(word: str) -> list[str]:
    return near(word, [(term, 3) for term in WORDS])


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("harbuor", "harbour"),
        ("habour", "harbour"),
        ("harbourr", "harbour"),
        ("telescpoe", "telescope"),
        ("kuberntes", "kubernetes"),
        ("kubernetis", "kubernetes"),
        ("configurations", "configuration"),
        ("configurating", "configuration"),
        ("mrathon", "marathon"),
    ],
)
def test_a_slip_and_another_ending_find_the_word(typed: str, meant: str) -> None:
    assert found(typed)[:1] == [meant]


@pytest.mark.parametrize("typed", ["orchard", "tele", "harp", "kernel", "confetti"])
def test_other_words_find_nothing(typed: str) -> None:
    assert found(typed) == []


@pytest.mark.parametrize("word", ["code", "a828e60b3b98", "inc-43948-qjv", "2026", "v3.76", "深色模式深色", ""])
def test_short_words_ids_numbers_and_pairs_never_slip(word: str) -> None:
    assert not can_slip(word)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("xarbour", "harbour"), ("ahrbour", "harbour"), ("arbour", "harbour"), ("харьор", "харбор"), ("αόληαα", "πόληαα")],
)
def test_a_slip_at_the_beginning_is_guessed(typed: str, meant: str) -> None:
    assert meant in guesses(typed) or near(typed, [(meant, 1)]) == [meant]


@given(st.text(alphabet="abcdefgh", min_size=5, max_size=14), st.integers(0, 13), st.sampled_from("dirt"))
def test_one_slip_anywhere_is_always_found(word: str, place: int, kind: str) -> None:
    """Whatever one slip makes of a word, the word is among the guesses or begins alike, and is judged near."""
    at = place % len(word)
    slipped = {
        "d": word[:at] + word[at + 1 :],
        "i": word[:at] + "z" + word[at:],
        "r": word[:at] + "z" + word[at + 1 :],
        "t": word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :],
    }[kind]
    if slipped == word or not can_slip(slipped):
        return
    assert word in guesses(slipped) or word.startswith(beginning(slipped))
    assert near(slipped, [(word, 1)]) == [word]


@given(st.text(min_size=5, max_size=30), st.lists(st.tuples(st.text(max_size=30), st.integers(0, 9)), max_size=30))
def test_near_words_are_few_and_among_those_there_are(word: str, terms: list[tuple[str, int]]) -> None:
    chosen = near(word, terms)
    assert len(chosen) <= 4
    assert set(chosen) <= {term for term, _ in terms} - {word}
