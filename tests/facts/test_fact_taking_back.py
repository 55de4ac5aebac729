"""The facts of one origin are taken out of the notes in one go, and the line of succession closes behind them."""

from __future__ import annotations

import sys
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from holdfast.facts.fact import Fact
from holdfast.facts.ledger import facts_in
from holdfast.facts.origin_removal import added_below, is_gone, without_facts, words_added
from holdfast.guard.origin import Origin
from holdfast.markdown.fact_mark import Mark, write

NOTE = "memory/facts.md"
DAY = date(2026, 11, 15)


def imported(fact: Fact) -> bool:
    return fact.origin is Origin.IMPORT


def bullet(number: int, origin: Origin, *, by: str = "", of: tuple[str, ...] = ()) -> str:
    mark = Mark(f"f{number}", origin=origin, observed=DAY, superseded_by=by, supersedes=of)
    return write(f"- {'~~' if by else ''}Town {number}{'~~' if by else ''}", mark) + "\n"


def chain(origins: list[Origin]) -> bytes:
    """Facts of which each took the place of the one before."""
    last = len(origins) - 1
    lines = [
        bullet(at, origin, by=f"f{at + 1}" if at < last else "", of=(f"f{at - 1}",) if at else ())
        for at, origin in enumerate(origins)
    ]
    return "".join(lines).encode()


def calls_of(count: int, *, linked: bool) -> int:
    """How many functions are called to take back so many facts."""
    origins = [Origin.IMPORT, Origin.IMPORT, Origin.USER] * (count // 3)
    note = chain(origins) if linked else "".join(bullet(at, one) for at, one in enumerate(origins)).encode()
    note = note.replace(b"Town", f"Town of {count}".encode())  # or what another count has read would be known
    calls = 0

    def called(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        found = without_facts({NOTE: note}, imported)
    finally:
        sys.setprofile(before)
    assert len(found.gone) == 2 * (count // 3)
    return calls


def test_twice_as_many_facts_are_twice_the_work() -> None:
    for linked in (False, True):
        assert calls_of(600, linked=linked) < 2.5 * calls_of(300, linked=linked)


def test_a_place_that_was_taken_thousands_of_times_is_handed_on_once() -> None:
    note = chain([Origin.USER, *[Origin.IMPORT] * 3_000, Origin.USER])
    found = without_facts({NOTE: note}, imported)
    first, last = facts_in(found.changes[NOTE], NOTE)
    assert (first.superseded_by, last.supersedes) == (last.id, (first.id,))


@given(st.lists(st.sampled_from((Origin.USER, Origin.IMPORT)), min_size=1, max_size=12))
def test_what_is_left_is_a_line_of_succession_without_the_lost(origins: list[Origin]) -> None:
    note = chain(origins)
    found = without_facts({NOTE: note}, imported)
    left = facts_in(found.changes.get(NOTE, note), NOTE)
    ids = [f"f{at}" for at, origin in enumerate(origins) if origin is Origin.USER]
    assert [fact.id for fact in left] == ids
    assert [fact.superseded_by for fact in left] == [*ids[1:], ""][: len(ids)]
    assert [fact.supersedes for fact in left] == [(), *((one,) for one in ids[:-1])][: len(ids)]
    assert [fact.struck for fact in left] == [True] * (len(ids) - 1) + [False] * bool(ids)


def test_facts_that_superseded_each_other_in_a_ring_have_no_heir() -> None:
    ring = bullet(1, Origin.IMPORT, by="f2") + bullet(2, Origin.IMPORT, by="f1") + bullet(3, Origin.USER, by="f1")
    found = without_facts({NOTE: ring.encode()}, imported)
    (left,) = facts_in(found.changes[NOTE], NOTE)
    assert not left.struck and left.superseded_by == ""


def test_a_change_tells_what_it_made_facts_say_and_not_what_it_only_marked() -> None:
    one, two = bullet(1, Origin.IMPORT).encode(), bullet(2, Origin.IMPORT).encode()
    assert words_added(None, one) == {"f1": {"Town 1"}}
    assert words_added(one, one + two) == {"f2": {"Town 2"}}
    struck = bullet(1, Origin.IMPORT, by="f2").encode()
    assert words_added(one, struck + two) == {"f2": {"Town 2"}}
    assert words_added(one, one.replace(b"Town 1", b"Town 9")) == {"f1": {"Town 9"}}


def test_only_what_was_put_below_all_others_counts_as_that() -> None:
    assert added_below(b"a\n", b"a\n\nb \r\n") == frozenset({b"b"})
    assert added_below(None, b"a\n") == frozenset({b"a"})
    for before, after in ((b"a", b"ab\n"), (b"a\n", b"b\na\n"), (b"a\n", None), (b"a\n", b"c\nb\n")):
        assert added_below(before, after) is None
    assert is_gone(frozenset({b"b"}), b"a\nc\n") and is_gone(frozenset({b"b"}), None)
    assert not is_gone(frozenset({b"b"}), b"b  \n")
    assert not is_gone(None, b"a\n") and not is_gone(frozenset(), b"a\n")
