"""A few patterns stand for many paths: for each of them, and for no other."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from holdfast.evaluation.path_cover import cover
from holdfast.search.scope import Scope

PATHS = st.frozensets(st.text("ab0-", min_size=1, max_size=6).map(lambda stem: f"memory/{stem}.md"), max_size=30)


@given(PATHS, PATHS)
def test_the_patterns_match_what_is_wanted_and_nothing_else(some: frozenset[str], more: frozenset[str]) -> None:
    wanted, others = some - more, more
    scope = Scope(without=cover(wanted, others))
    assert not any(scope.allows(path, "memory") for path in wanted)
    assert all(scope.allows(path, "memory") for path in others)


def test_hundreds_of_later_days_take_a_few_patterns() -> None:
    days = [f"memory/sessions/2026-{month:02}-{day:02}.md" for month in range(1, 13) for day in range(1, 29)]
    assert len(cover(days[100:], days[:100])) < 20
    assert cover(days, []) == ("m*",)
