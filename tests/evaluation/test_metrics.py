"""The metrics against numbers worked out by hand, and what must hold for any list."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.evaluation.metrics import METRICS, all_at, any_at, frac_at, mean, mrr, ndcg_at, percentile

IDS = st.lists(st.text("abcdefgh", min_size=1, max_size=2), unique=True, max_size=20)
GOLD = st.frozensets(st.text("abcdefgh", min_size=1, max_size=2), min_size=1, max_size=12)


def test_any_all_and_frac_tell_one_answer_from_every_answer() -> None:
    ranked, gold = ["x", "a", "y", "b", "z"], {"a", "b", "c"}
    assert [any_at(ranked, gold, k) for k in (1, 2, 5)] == [0, 1, 1]
    assert [all_at(ranked, {"a", "b"}, k) for k in (2, 3, 4)] == [0, 0, 1]
    assert frac_at(ranked, gold, 5) == pytest.approx(2 / 3)


def test_ndcg_is_what_one_works_out_by_hand() -> None:
    # Answers at the second and fourth place; the best would be the first and second.
    gain = 1 / math.log2(3) + 1 / math.log2(5)
    ideal = 1 / math.log2(2) + 1 / math.log2(3)
    assert ndcg_at(["x", "a", "y", "b"], {"a", "b"}, 10) == pytest.approx(gain / ideal)
    assert ndcg_at(["a"], {"a"}, 10) == 1
    assert ndcg_at(["x"] * 1 + [f"a{n}" for n in range(9)], {f"a{n}" for n in range(20)}, 10) < 1


def test_mrr_is_the_first_answers_place_up_to_the_tenth() -> None:
    assert mrr(["x", "y", "a", "b"], {"a", "b"}) == pytest.approx(1 / 3)
    assert mrr([f"x{n}" for n in range(10)] + ["a"], {"a"}) == 0
    assert mrr([], {"a"}) == 0


def test_means_are_over_questions() -> None:
    scores = mean([(["a"], {"a"}), (["b"], {"a"})])
    assert scores.questions == 2
    assert scores["any@1"] == scores["MRR"] == 0.5
    assert scores.to_json()["nDCG@10"] == 0.5


def test_percentiles_are_values_that_were_measured() -> None:
    assert percentile([], 0.5) == 0
    assert percentile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert percentile([float(n) for n in range(1, 101)], 0.95) == 95


@given(IDS, GOLD)
def test_every_metric_lies_between_0_and_1(ranked: list[str], gold: frozenset[str]) -> None:
    assert all(0 <= metric(ranked, gold) <= 1 + 1e-12 for metric in METRICS.values())


@given(IDS, GOLD, st.integers(1, 15))
def test_all_is_never_above_frac_nor_frac_above_any(ranked: list[str], gold: frozenset[str], k: int) -> None:
    assert all_at(ranked, gold, k) <= frac_at(ranked, gold, k) <= any_at(ranked, gold, k)


@given(IDS, GOLD, st.integers(1, 14))
def test_a_longer_look_never_finds_less(ranked: list[str], gold: frozenset[str], k: int) -> None:
    for metric in (any_at, all_at, frac_at):
        assert metric(ranked, gold, k) <= metric(ranked, gold, k + 1)


@given(IDS, GOLD, st.data())
def test_an_answer_that_moves_up_never_lowers_a_metric(
    ranked: list[str], gold: frozenset[str], draw: st.DataObject
) -> None:
    places = [place for place, one in enumerate(ranked) if one in gold and place and ranked[place - 1] not in gold]
    if not places:
        return
    at = draw.draw(st.sampled_from(places))
    better = [*ranked]
    better[at - 1], better[at] = better[at], better[at - 1]
    assert all(metric(better, gold) >= metric(ranked, gold) - 1e-12 for metric in METRICS.values())


@given(GOLD)
def test_the_answers_themselves_score_full_marks_up_to_ten(gold: frozenset[str]) -> None:
    ranked = sorted(gold)
    assert ndcg_at(ranked, gold, 10) == pytest.approx(1)
    assert mrr(ranked, gold) == 1
