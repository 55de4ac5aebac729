"""Confidence against what was so, worked out by hand and for any questions."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.evaluation.calibration import Judged, calibration_of

QUESTIONS = st.lists(
    st.builds(
        lambda answerable, right, confidence, marked: Judged(answerable, answerable and right, confidence, marked),
        st.booleans(),
        st.booleans(),
        st.floats(0, 1),
        st.booleans(),
    ),
    max_size=120,
)


def test_what_is_marked_is_counted_where_it_should_be_and_where_it_must_not() -> None:
    found = calibration_of(
        [
            *[Judged(answerable=False, right=False, confidence=0.1, marked=True)] * 7,
            *[Judged(answerable=False, right=False, confidence=0.4, marked=False)] * 3,
            *[Judged(answerable=True, right=True, confidence=0.9, marked=False)] * 9,
            Judged(answerable=True, right=True, confidence=0.1, marked=True),
            *[Judged(answerable=True, right=False, confidence=0.2, marked=False)] * 10,
        ]
    )
    assert found.unanswerable == 10
    assert found.unanswerable_marked == pytest.approx(0.7)
    assert found.right_marked == pytest.approx(0.1)
    assert [band.questions for band in found.bands] == [10, 10]
    assert found.bands[0].right == pytest.approx(0.1)
    assert found.bands[1].right == pytest.approx(0.9)
    assert found.rises
    assert found.gap == pytest.approx(0.09)


def test_without_questions_nothing_is_claimed() -> None:
    found = calibration_of([])
    assert (found.unanswerable, found.unanswerable_marked, found.right_marked, found.bands) == (0, None, None, ())
    assert found.gap is None


@given(QUESTIONS)
def test_bands_hold_every_answerable_question_once_and_grow_in_confidence(questions: list[Judged]) -> None:
    found = calibration_of(questions)
    answerable = sum(one.answerable for one in questions)
    assert sum(band.questions for band in found.bands) in (0, answerable)
    assert all(band.questions >= 10 for band in found.bands)
    levels = [band.confidence for band in found.bands]
    assert all(lower <= higher + 1e-12 for lower, higher in pairwise(levels))
    assert found.gap is None or 0 <= found.gap <= 1 + 1e-12
