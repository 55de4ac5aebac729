from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.search.diversity import jaccard, mmr, similarity_of, words_in

KEYS = st.lists(st.tuples(st.integers(0, 30), st.floats(0.0, 1.0)), max_size=25, unique_by=lambda one: one[0])
LAMBDAS = st.floats(0.0, 1.0)
NOTES = st.lists(st.tuples(st.sampled_from("abcd"), st.floats(0.0, 1.0)), max_size=30)


def likeness(seed: int) -> Callable[[int, int], float]:
    return lambda one, other: ((one + 1) * (other + 1) * (seed + 7919) % 101) / 100


@given(KEYS, st.integers(0, 50), LAMBDAS, st.integers(0, 30))
def test_the_first_k_do_not_depend_on_how_many_are_wanted(
    candidates: list[tuple[int, float]], seed: int, lambda_: float, count: int
) -> None:
    whole = mmr(candidates, likeness(seed), lambda_)
    assert sorted(whole) == sorted(key for key, _ in candidates)
    assert mmr(candidates, likeness(seed), lambda_, count) == whole[:count]


@given(KEYS, st.integers(0, 50), LAMBDAS)
def test_the_best_comes_first(candidates: list[tuple[int, float]], seed: int, lambda_: float) -> None:
    if candidates:
        best = max(score for _, score in candidates)
        assert dict(candidates)[mmr(candidates, likeness(seed), lambda_, 1)[0]] == best


@given(KEYS, st.integers(0, 50))
def test_lambda_1_is_the_order_of_the_scores_and_equals_keep_theirs(
    candidates: list[tuple[int, float]], seed: int
) -> None:
    assert mmr(candidates, likeness(seed), 1.0) == [key for key, _ in sorted(candidates, key=lambda one: -one[1])]


def test_what_says_the_same_makes_room() -> None:
    texts = {1: "the harbour is closed today", 2: "the harbour is closed, today", 3: "invoices are due in May"}
    candidates = [(1, 1.0), (2, 0.95), (3, 0.8)]
    assert mmr(candidates, similarity_of(texts), 0.7) == [1, 3, 2]
    assert mmr(candidates, similarity_of(texts), 1.0) == [1, 2, 3]


def test_equals_keep_their_order_and_a_key_counts_once() -> None:
    assert mmr([("b", 0.5), ("a", 0.5), ("b", 0.9)], lambda one, other: 0.0, 0.5) == ["b", "a"]
    assert mmr([], lambda one, other: 0.0) == []


def test_vectors_measure_where_both_have_one_and_words_elsewhere() -> None:
    np = pytest.importorskip("numpy")
    rows = {1: [1.0, 0.0], 2: [0.6, 0.8]}
    vectors = {key: np.array(row, dtype="<f4").tobytes() for key, row in rows.items()} | {3: b""}
    measure = similarity_of({1: "one two", 2: "none", 3: "one two"}, vectors)
    assert measure(1, 2) == pytest.approx(0.6)
    assert measure(1, 3) == 1.0
    assert measure(2, 3) == 0.0


def test_vectors_of_different_lengths_are_never_compared() -> None:
    assert similarity_of({1: "a b", 2: "a c"}, {1: b"\0" * 8, 2: b"\0" * 12})(1, 2) == pytest.approx(1 / 3)


@given(st.text(), st.text())
def test_likeness_of_words_is_the_same_both_ways_and_within_bounds(one: str, other: str) -> None:
    first, second = words_in(one), words_in(other)
    assert jaccard(first, second) == jaccard(second, first)
    assert 0.0 <= jaccard(first, second) <= 1.0
    assert jaccard(first, first) == (1.0 if first else 0.0)


def test_scripts_without_spaces_are_compared_by_pairs() -> None:
    assert jaccard(words_in("港口今天关闭"), words_in("港口明天关闭")) > 0.2
