from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.index.store_contract import Near, RankedRow
from holdfast.search.fusion import CLOSE, HELD, Fused
from holdfast.search.fusion import fuse as fuse_and_legs
from holdfast.settings.memory_settings import MergeStrategy

RANKINGS = st.lists(st.integers(1, 40), unique=True, max_size=30)
WEIGHTS = st.floats(0.0, 10.0)


def fuse(
    vector: Near | None, told: list[RankedRow] | None, strategy: MergeStrategy, vector_weight: float, text_weight: float
) -> list[Fused]:
    return fuse_and_legs(vector, told, strategy, vector_weight, text_weight)[0]


def ranked(row: int, score: float) -> RankedRow:
    return RankedRow(row, score)


def leg(rows: list[int]) -> list[RankedRow]:
    return [ranked(row, 1.0 - 0.01 * place) for place, row in enumerate(rows)]


def near(rows: list[int], background: float = 0.0, **others: float) -> Near:
    return Near(leg(rows), {int(row[1:]): score for row, score in others.items()}, background)


def test_rrf_adds_weighted_reciprocal_ranks_and_scales_them() -> None:
    scores = {one.row: one.score for one in fuse(near([1, 2]), leg([2, 3]), MergeStrategy.RRF, 0.7, 0.3)}
    assert scores[1] == pytest.approx(0.7)
    assert scores[2] == pytest.approx(0.7 * 61 / 62 + 0.3)
    assert scores[3] == pytest.approx(0.3 * 61 / 62)


def test_linear_adds_shares_of_the_best_score_above_the_background() -> None:
    vector = Near([ranked(1, 0.9), ranked(2, 0.5)], {3: 0.3}, 0.1)
    text = [ranked(2, 8.0), ranked(3, 2.0)]
    found = {one.row: one for one in fuse(vector, text, MergeStrategy.LINEAR, 0.4, 0.6)}
    assert found[1].score == pytest.approx(0.4)
    assert found[2].score == pytest.approx(0.4 * 0.5 + 0.6)
    assert found[3].score == pytest.approx(0.4 * 0.25 + 0.6 * 0.25)
    assert found[2].vector_score == pytest.approx(0.5)
    assert found[2].text_score == 1.0
    assert found[1].text_score is None


def test_where_nothing_is_near_nothing_gets_a_full_mark() -> None:
    (only,) = fuse(Near([ranked(1, 0.3)], {}, 0.0, spread=0.1), [], MergeStrategy.LINEAR, 1.0, 0.0)
    assert only.score == pytest.approx(0.3 / (CLOSE * 0.1))


def test_a_text_score_is_a_share_of_what_the_question_could_reach_where_nothing_comes_near_that() -> None:
    told = [ranked(1, 2.0), ranked(2, 1.0)]
    scores = [one.text for one in fuse_and_legs(None, told, MergeStrategy.LINEAR, 0.0, 1.0, ideal=100.0)[0]]
    assert scores == [pytest.approx(2.0 / (HELD * 100.0)), pytest.approx(1.0 / (HELD * 100.0))]
    assert fuse_and_legs(None, told, MergeStrategy.LINEAR, 0.0, 1.0, ideal=2.0)[0][0].text == 1.0


def test_where_no_word_tells_chunks_apart_half_a_question_gets_half_a_mark() -> None:
    told = [ranked(1, 1e-6), ranked(2, 5e-7)]
    for ideal, marks in ((0.0, [1.0, 0.5]), (2.4, [0.5, 0.25])):
        found = fuse_and_legs(None, told, MergeStrategy.LINEAR, 0.0, 1.0, ideal=ideal)[0]
        assert [one.text for one in found] == [pytest.approx(mark) for mark in marks]


def test_what_only_vectors_found_is_there_however_far_it_is_and_scores_as_little() -> None:
    faint = Near([ranked(1, 0.9), ranked(2, 0.09), ranked(3, -0.2)], {}, 0.0)
    scores = {one.row: one.score for one in fuse(faint, [], MergeStrategy.LINEAR, 0.5, 0.5)}
    assert scores == {1: pytest.approx(0.5), 2: pytest.approx(0.05), 3: 0.0}


def test_what_is_no_nearer_than_the_background_scores_nothing_for_it() -> None:
    vector = Near([ranked(1, 0.9)], {2: 0.05}, 0.1)
    found = {one.row: one for one in fuse(vector, [ranked(2, 3.0)], MergeStrategy.LINEAR, 0.5, 0.5)}
    assert found[2].vector_score == 0.0
    assert found[2].score == pytest.approx(0.5)


def test_a_leg_that_answers_alone_carries_the_whole_weight() -> None:
    assert fuse(None, leg([4]), MergeStrategy.LINEAR, 0.7, 0.3)[0].score == 1.0
    assert fuse(near([4]), None, MergeStrategy.RRF, 0.0, 0.3)[0].score == 1.0


@given(RANKINGS, RANKINGS, st.floats(-0.5, 1.2), st.sampled_from(MergeStrategy), WEIGHTS, WEIGHTS)
def test_scores_stay_between_0_and_1_and_are_the_sum_of_their_parts(
    vector: list[int],
    told: list[int],
    background: float,
    strategy: MergeStrategy,
    vector_weight: float,
    text_weight: float,
) -> None:
    fused = fuse(near(vector, background), leg(told), strategy, vector_weight, text_weight)
    assert set(told) <= {one.row for one in fused} <= set(vector) | set(told)
    for one in fused:
        assert 0.0 <= one.score <= 1.0 + 1e-9
        assert one.score == pytest.approx(one.vector + one.text)


@given(RANKINGS, st.sampled_from(MergeStrategy))
def test_a_better_place_never_scores_less(rows: list[int], strategy: MergeStrategy) -> None:
    scores = {one.row: one.score for one in fuse(None, leg(rows), strategy, 0.7, 0.3)}
    assert [scores[row] for row in rows] == sorted(scores.values(), reverse=True)


def test_the_nearness_of_a_block_counts_for_less_and_nothing_changes_for_the_others() -> None:
    close = Near([RankedRow(1, 0.9), RankedRow(2, 0.9), RankedRow(3, 0.9)], {}, 0.1)
    told = [RankedRow(2, 4.0), RankedRow(3, 4.0)]
    plain, _ = fuse_and_legs(close, told, MergeStrategy.LINEAR, 0.7, 0.3, 10.0)
    mixed, _ = fuse_and_legs(close, told, MergeStrategy.LINEAR, 0.7, 0.3, 10.0, {1, 2})
    before, after = ({one.row: one for one in some} for some in (plain, mixed))
    assert after[3] == before[3]
    assert after[1].vector < before[1].vector
    assert after[2].text > before[2].text
    assert all(one.score == pytest.approx(one.vector + one.text) for one in mixed)
    alone, _ = fuse_and_legs(close, None, MergeStrategy.LINEAR, 0.7, 0.3, 10.0, {1, 2})
    assert [one.score for one in alone] == pytest.approx([before[1].score / 0.7] * 3)
