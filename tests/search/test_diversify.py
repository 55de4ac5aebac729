from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.search.diversify import Merged, Piece, alike, jaccard, merge_neighbours, mmr, spread, words_in

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
    assert mmr(candidates, alike(texts), 0.7) == [1, 3, 2]
    assert mmr(candidates, alike(texts), 1.0) == [1, 2, 3]


def test_equals_keep_their_order_and_a_key_counts_once() -> None:
    assert mmr([("b", 0.5), ("a", 0.5), ("b", 0.9)], lambda one, other: 0.0, 0.5) == ["b", "a"]
    assert mmr([], lambda one, other: 0.0) == []


def test_vectors_measure_where_both_have_one_and_words_elsewhere() -> None:
    np = pytest.importorskip("numpy")
    rows = {1: [1.0, 0.0], 2: [0.6, 0.8]}
    vectors = {key: np.array(row, dtype="<f4").tobytes() for key, row in rows.items()} | {3: b""}
    measure = alike({1: "one two", 2: "none", 3: "one two"}, vectors)
    assert measure(1, 2) == pytest.approx(0.6)
    assert measure(1, 3) == 1.0
    assert measure(2, 3) == 0.0


def test_vectors_of_different_lengths_are_never_compared() -> None:
    assert alike({1: "a b", 2: "a c"}, {1: b"\0" * 8, 2: b"\0" * 12})(1, 2) == pytest.approx(1 / 3)


@given(st.text(), st.text())
def test_likeness_of_words_is_the_same_both_ways_and_within_bounds(one: str, other: str) -> None:
    first, second = words_in(one), words_in(other)
    assert jaccard(first, second) == jaccard(second, first)
    assert 0.0 <= jaccard(first, second) <= 1.0
    assert jaccard(first, first) == (1.0 if first else 0.0)


def test_scripts_without_spaces_are_compared_by_pairs() -> None:
    assert jaccard(words_in("港口今天关闭"), words_in("港口明天关闭")) > 0.2


def test_the_fourth_hit_of_a_note_gives_way() -> None:
    keys = ["a1", "a2", "a3", "a4", "b1", "a5", "c1"]
    assert spread(keys, lambda key: key[0]) == ["a1", "a2", "a3", "b1", "c1", "a4", "a5"]
    assert spread(keys, lambda key: key[0], most=1) == ["a1", "b1", "c1", "a2", "a3", "a4", "a5"]


def test_a_hit_does_not_give_way_to_one_that_is_much_worse() -> None:
    scores = {"a1": 1.0, "a2": 0.9, "a3": 0.8, "a4": 0.7, "b1": 0.5, "c1": 0.1, "a5": 0.05}
    ordered = spread(list(scores), lambda key: key[0], score_of=scores.__getitem__)
    assert ordered == ["a1", "a2", "a3", "b1", "a4", "c1", "a5"]


@given(NOTES, st.integers(1, 4))
def test_spreading_loses_nothing_and_keeps_the_order_inside_a_note(hits: list[tuple[str, float]], most: int) -> None:
    hits = sorted(hits, key=lambda one: -one[1])
    keys = list(range(len(hits)))
    for score_of in (None, lambda key: hits[key][1]):
        ordered = spread(keys, lambda key: hits[key][0], most, score_of=score_of)
        assert sorted(ordered) == keys
        for note in "abcd":
            mine = [key for key in ordered if hits[key][0] == note]
            assert mine == sorted(mine)
    held = Counter(note for note, _ in hits)
    room = sum(min(most, count) for count in held.values())  # so many places can be filled with no note more than most
    first = spread(keys, lambda key: hits[key][0], most)[:room]
    assert all(count <= most for count in Counter(hits[key][0] for key in first).values())


PIECES = st.lists(
    st.tuples(st.sampled_from(["a.md", "b.md"]), st.integers(1, 40), st.integers(0, 9), st.floats(0.01, 1.0)),
    max_size=20,
)


def pieces_of(rows: list[tuple[str, int, int, float]]) -> list[Piece]:
    rows = sorted(rows, key=lambda row: -row[3])
    return [
        Piece(key, path, start, start + more, score, 40 * (more + 1))
        for key, (path, start, more, score) in enumerate(rows)
    ]


@given(PIECES, st.integers(0, 2000), st.floats(0.0, 1.0))
def test_merging_keeps_every_hit_once_its_lines_and_the_best_score(
    rows: list[tuple[str, int, int, float]], most_size: int, least: float
) -> None:
    pieces = pieces_of(rows)
    merged = merge_neighbours(pieces, most_size, least=least)
    assert sorted(str(key) for one in merged for key in one.keys) == sorted(str(one.key) for one in pieces)
    by_key = {one.key: one for one in pieces}
    for one in merged:
        members = [by_key[key] for key in one.keys]
        assert {member.path for member in members} == {one.path}
        assert (one.start, one.end) == (min(m.start for m in members), max(m.end for m in members))
        assert one.score == members[0].score == max(member.score for member in members)
        assert len(members) == 1 or one.size <= most_size
        lines = {line for member in members for line in range(member.start, member.end + 1)}
        assert lines == set(range(one.start, one.end + 1))  # no line in between that no hit holds
    assert [one.score for one in merged] == sorted((one.score for one in merged), reverse=True)


def test_neighbours_become_one_in_the_place_of_the_best() -> None:
    pieces = [
        Piece("x", "a.md", 10, 12, 0.9, 100),
        Piece("y", "b.md", 1, 2, 0.8, 50),
        Piece("z", "a.md", 16, 18, 0.7, 100),
        Piece("w", "a.md", 13, 15, 0.6, 100),
    ]
    merged = merge_neighbours(pieces, 700)
    assert merged == [
        Merged(("x", "w", "z"), "a.md", 10, 18, 0.9, 302),
        Merged(("y",), "b.md", 1, 2, 0.8, 50),
    ]
    assert [one.keys for one in merge_neighbours(pieces, 250)] == [("x", "w"), ("y",), ("z",)]


def test_a_poor_neighbour_stays_alone() -> None:
    pieces = [Piece("x", "a.md", 1, 2, 0.9, 10), Piece("y", "a.md", 3, 4, 0.2, 10)]
    assert len(merge_neighbours(pieces, 700)) == 2
    assert len(merge_neighbours(pieces, 700, least=0.1)) == 1


@given(PIECES)
def test_what_is_merged_leaves_no_two_that_would_merge(rows: list[tuple[str, int, int, float]]) -> None:
    merged = merge_neighbours(pieces_of(rows), 10**9, least=0.0)
    spans = sorted((one.path, one.start, one.end) for one in merged)
    for (path, _, end), (other, start, _) in pairwise(spans):
        assert path != other or start > end + 1
