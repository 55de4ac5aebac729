from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.search.boost import Boosts, Signals, access, age_of, boost_score, largest_turn, recency

NOW = datetime(2026, 11, 15, 10, tzinfo=UTC)
SCORES = st.floats(0.0, 1.0)
ANY = st.floats(allow_nan=True, allow_infinity=True)
SIGNALS = st.builds(
    Signals,
    age_days=st.none() | ANY,
    importance=st.none() | ANY,
    uses=ANY,
    idle_days=ANY,
    in_project=st.booleans(),
    fit=st.none() | ANY,
    exact=st.booleans(),
    superseded=st.just(False),  # what that costs has a bound of its own: test_fact_search.py
)
WEIGHTS = st.floats(0.0, 3.0)
BOOSTS = st.builds(
    Boosts,
    cap=st.floats(0.0, 1.0),
    recency=WEIGHTS,
    importance=WEIGHTS,
    access=WEIGHTS,
    project=WEIGHTS,
    time=WEIGHTS,
    half_life_days=ANY,
    access_half_life_days=ANY,
)


@given(SCORES, SIGNALS, BOOSTS)
def test_scores_stay_between_0_and_1_and_are_the_sum_of_their_parts(
    score: float, signals: Signals, boosts: Boosts
) -> None:
    found = boost_score(score, signals, boosts)
    assert 0.0 <= found.score <= 1.0
    assert found.score == pytest.approx(score + sum(found.parts.values()), abs=1e-12)
    assert all(found.parts.values())


@given(SCORES, SCORES, SIGNALS, SIGNALS, BOOSTS)
def test_hits_that_differ_by_more_than_the_bound_never_change_places(
    better: float, worse: float, mine: Signals, other: Signals, boosts: Boosts
) -> None:
    if better > worse * largest_turn(boosts) * (1 + 1e-9):
        assert boost_score(better, mine, boosts).score >= boost_score(worse, other, boosts).score


@given(st.floats(0.001, 1.0), SCORES, SIGNALS, SIGNALS, st.floats(0.0, 1.0))
def test_without_time_the_bound_is_the_cap(
    better: float, worse: float, mine: Signals, other: Signals, cap: float
) -> None:
    boosts = Boosts(cap=cap, time=0.0)
    assert largest_turn(boosts) == pytest.approx(1 + cap)
    if better > worse * (1 + cap) * (1 + 1e-9):
        assert boost_score(better, mine, boosts).score >= boost_score(worse, other, boosts).score


@given(SCORES, st.floats(0.0, 1.0), SIGNALS, SIGNALS, BOOSTS)
def test_nothing_that_scored_less_overtakes_an_exact_match(
    score: float, share: float, mine: Signals, other: Signals, boosts: Boosts
) -> None:
    first = boost_score(score, mine._replace(exact=True), boosts).score
    assert first >= boost_score(score * share, other, boosts).score - 1e-12


def test_a_needle_of_three_years_ago_stays_before_whatever_is_new_important_and_often_read() -> None:
    needle = boost_score(1.0, Signals(age_days=3 * 365.0), Boosts())
    hay = Signals(age_days=0.0, importance=1.0, uses=500.0, in_project=True)
    assert needle.score > boost_score(0.86, hay, Boosts()).score


@given(SCORES)
def test_what_is_not_known_changes_nothing(score: float) -> None:
    assert boost_score(score, Signals(), Boosts()) == (score, {})


@given(SCORES, SIGNALS.map(lambda one: one._replace(exact=False, fit=None)))
def test_weights_of_zero_switch_everything_off(score: float, signals: Signals) -> None:
    off = Boosts(recency=0.0, importance=0.0, access=0.0, project=0.0, time=0.0)
    assert boost_score(score, signals, off) == (score, {})


def test_recency_halves_with_each_half_life() -> None:
    assert recency(0, 30) == 1.0
    assert recency(30, 30) == pytest.approx(0.5)
    assert recency(90, 30) == pytest.approx(0.125)
    assert recency(-5, 30) == 1.0
    assert recency(1e300, 30) == pytest.approx(0.0)
    assert recency(1000, 0) == 1.0


@given(ANY, ANY, ANY, ANY)
def test_every_signal_is_between_0_and_1(age: float, half_life: float, uses: float, idle: float) -> None:
    assert 0.0 <= recency(age, half_life) <= 1.0
    assert 0.0 <= access(uses, idle, half_life) <= 1.0


@given(st.integers(0, 10_000), st.integers(0, 10_000), st.floats(0, 5000), st.floats(0, 5000))
def test_more_and_later_recalls_never_count_less(few: int, more: int, idle: float, longer: float) -> None:
    assert access(few, idle) <= access(few + more, idle)
    assert access(few, idle + longer) <= access(few, idle)


def test_dated_notes_age_by_their_date_sessions_and_extra_paths_by_mtime_and_evergreen_not_at_all() -> None:
    ten_days_ago = NOW.timestamp() - 10 * 86_400
    assert age_of(NOW, "memory", date(2026, 11, 5), None) == 10.0
    assert age_of(NOW, "sessions", date(2026, 11, 5), NOW.timestamp()) == 10.0
    assert age_of(NOW, "sessions", None, ten_days_ago) == pytest.approx(10.0)
    assert age_of(NOW, "extra", None, ten_days_ago) == pytest.approx(10.0)
    assert age_of(NOW, "memory", None, ten_days_ago) is None
    assert age_of(NOW, "extra", None, None) is None
    assert age_of(NOW, "memory", date(2030, 1, 1), None) == 0.0


def test_an_old_note_loses_and_an_important_one_gains() -> None:
    old = boost_score(0.5, Signals(age_days=300), Boosts())
    assert old.score < 0.5
    assert set(old.parts) == {"recency"}
    assert boost_score(0.5, Signals(importance=0.9), Boosts()).score > 0.5
    assert boost_score(0.5, Signals(importance=0.1), Boosts()).score < 0.5
    assert boost_score(0.5, Signals(importance=0.5), Boosts()).score == 0.5
    assert boost_score(0.5, Signals(in_project=True), Boosts()).parts["project"] > 0
    assert boost_score(0.5, Signals(fit=1.0), Boosts()).score == pytest.approx(0.75)


def test_what_is_not_known_of_a_hit_leaves_its_share_to_what_is_and_all_together_stay_within_the_cap() -> None:
    boosts = Boosts(recency=1.0, importance=1.0, half_life_days=30.0)
    old = Signals(age_days=1e6)
    alone = boost_score(0.5, old, boosts).parts["recency"]
    beside = boost_score(0.5, old._replace(importance=0.5), boosts).parts["recency"]
    assert alone == pytest.approx(2.0 * beside)
    best = boost_score(0.5, Signals(age_days=0.0, importance=1.0), boosts.replace(goes_on=True))
    worst = boost_score(0.5, Signals(age_days=1e6, importance=0.0), boosts.replace(goes_on=True))
    assert best.score / worst.score == pytest.approx(1.0 + boosts.cap)
