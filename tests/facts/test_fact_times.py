"""When a fact holds: from a day to come, since an earlier time than what is known, or no longer."""

from __future__ import annotations

import sys
from datetime import date, timedelta

import pytest

from holdfast.exchange.fact_import import add_all
from holdfast.exchange.findings import FoundFact
from holdfast.facts.fact import Draft, Fact, State
from holdfast.facts.fact_archive import move_facts
from holdfast.facts.fact_insert import (
    InsertResult,
    Notes,
    Outcome,
    add_fact,
    all_facts,
    undo_supersession,
    without_fact,
)
from holdfast.guard.origin import Origin
from holdfast.markdown.fact_mark import Mark, write
from holdfast.markdown.fact_row import Category, note_of

DAY = date(2026, 11, 15)
BERLIN = Draft("I live in Berlin", Category.FACT, valid_from=date(2024, 1, 1))
OSLO_TO_COME = Draft("I live in Oslo", valid_from=date(2027, 1, 1))


def put(
    notes: Notes, draft: Draft, origin: Origin = Origin.USER, day: date = DAY
) -> tuple[dict[str, bytes | None], InsertResult]:
    done = add_fact(notes, draft, origin, day)
    return {**notes, **done.changes}, done


def by_id(notes: Notes, name: str) -> Fact:
    (found,) = [fact for fact in all_facts(notes) if fact.id == name]
    return found


def held(notes: Notes, day: date) -> list[str]:
    return [fact.text for fact in all_facts(notes) if fact.held_on(day)]


def live(notes: Notes, day: date = DAY) -> list[str]:
    return [fact.text for fact in all_facts(notes) if fact.live(day)]


def test_what_holds_from_a_day_to_come_does_not_hold_yet_and_takes_over_on_that_day() -> None:
    notes, berlin = put({}, BERLIN)
    notes, oslo = put(notes, OSLO_TO_COME)
    assert (oslo.outcome, oslo.replaced) == (Outcome.STORED, ())
    assert "holds until it begins on 2027-01-01" in oslo.remark
    assert by_id(notes, oslo.id).state(DAY) is State.UPCOMING
    assert live(notes) == ["I live in Berlin"]
    assert live(notes, date(2027, 1, 1)) == ["I live in Oslo"]
    assert held(notes, date(2026, 12, 31)) == ["I live in Berlin"]
    assert held(notes, date(2027, 2, 1)) == ["I live in Oslo"]
    notes |= undo_supersession(notes, by_id(notes, berlin.id))
    assert live(notes, date(2027, 2, 1)) == ["I live in Berlin", "I live in Oslo"]
    assert by_id(notes, oslo.id).supersedes == ()


def test_what_was_to_end_holds_on_when_what_was_to_come_is_forgotten_before_its_day() -> None:
    notes, _ = put({}, BERLIN.replace(valid_until=date(2030, 1, 1)))
    notes, oslo = put(notes, OSLO_TO_COME)
    fact = by_id(notes, oslo.id)
    assert live({**notes, **without_fact(notes, fact, DAY)}, date(2027, 2, 1)) == ["I live in Berlin"]
    late = without_fact(notes, fact, date(2027, 2, 1))
    assert live({**notes, **late}, date(2027, 2, 1)) == []


def test_what_is_said_before_that_day_holds_until_then_and_twice_is_once() -> None:
    notes, _ = put({}, BERLIN)
    notes, _ = put(notes, OSLO_TO_COME)
    notes, again = put(notes, OSLO_TO_COME)
    assert again.outcome is Outcome.REINFORCED
    notes, paris = put(notes, Draft("I live in Paris"))
    assert paris.outcome is Outcome.SUPERSEDED
    assert (live(notes), live(notes, date(2027, 1, 1))) == (["I live in Paris"], ["I live in Oslo"])


def test_what_an_import_says_of_the_future_ends_nothing_that_the_user_said() -> None:
    notes, _ = put({}, BERLIN)
    notes, _ = put(notes, OSLO_TO_COME, Origin.MCP_TOOL)
    assert "I live in Berlin" in live(notes, date(2027, 2, 1))


def test_what_held_before_that_what_is_in_force_comes_in_as_history() -> None:
    notes, berlin = put({}, BERLIN)
    before = notes[note_of(Category.FACT)]
    oslo = Draft("I live in Oslo", valid_from=date(2021, 1, 1))
    notes, done = put(notes, oslo)
    fact = by_id(notes, done.id)
    assert (fact.struck, fact.superseded_by, fact.valid_until) == (True, berlin.id, date(2024, 1, 1))
    assert "earlier time" in done.remark
    assert notes[note_of(Category.FACT)] == before
    assert (live(notes), held(notes, date(2022, 6, 1))) == (["I live in Berlin"], ["I live in Oslo"])
    notes, again = put(notes, oslo)
    assert (again.outcome, again.id, len(all_facts(notes))) == (Outcome.REINFORCED, done.id, 2)


def test_the_users_own_words_are_no_history_for_what_an_import_says() -> None:
    notes, _ = put({}, Draft("I live in Berlin"), Origin.IMPORT)
    notes, done = put(notes, Draft("I live in Oslo", valid_from=date(2021, 1, 1)))
    assert not by_id(notes, done.id).struck


def test_what_was_over_when_it_was_said_held_before_that_since_nobody_knows_when() -> None:
    badge = Draft("The badge is valid", valid_until=date(2020, 1, 1))
    notes, done = put({}, badge)
    fact = by_id(notes, done.id)
    assert (fact.since, fact.state(DAY)) == (None, State.EXPIRED)
    assert held(notes, date(2019, 1, 1)) == ["The badge is valid"]
    assert held(notes, date(2020, 1, 2)) == []
    notes, again = put(notes, badge)
    assert again.id == done.id
    notes, now = put(notes, Draft("The badge is valid"))  # that it is over does not make it the same
    assert now.outcome is Outcome.STORED


def test_a_fact_whose_strike_was_taken_away_by_hand_holds_today_as_well() -> None:
    (fact,) = all_facts({"memory/facts.md": b"- tea <!-- fact id=a until=2026-01-01 superseded_by=b -->\n"})
    assert fact.live(DAY) and fact.held_on(DAY)


def test_a_fact_of_the_archive_that_is_said_again_is_back_and_more_certain() -> None:
    notes, done = put({}, Draft("I like plums", Category.PREFERENCE))
    notes |= move_facts(notes, all_facts(notes), to_archive=True)
    notes, again = put(notes, Draft("i like plums."), Origin.AUTO_CAPTURE, DAY + timedelta(1))
    assert (again.outcome, again.id, again.brought_back) == (Outcome.REINFORCED, done.id, True)
    assert list(again.changes) == ["memory/preferences.md", "memory/archive.md"]
    (fact,) = all_facts(notes)
    assert (fact.path, fact.reinforced, fact.archived, fact.live(DAY)) == ("memory/preferences.md", 1, False, True)


def test_a_fact_of_the_archive_that_is_said_again_takes_its_place_back() -> None:
    notes, old = put({}, Draft("I live in Berlin"))
    notes |= move_facts(notes, all_facts(notes), to_archive=True)
    notes, munich = put(notes, Draft("I live in Munich"))
    notes, again = put(notes, Draft("I live in Berlin"))
    assert set(again.replaced) == {munich.id, old.id}
    assert live(notes) == ["I live in Berlin"]
    notes |= move_facts(notes, [by_id(notes, old.id)], to_archive=False)
    assert live(notes) == ["I live in Berlin"]


def test_a_line_that_a_person_typed_into_the_archive_stays_there() -> None:
    notes, done = put({"memory/archive.md": b"- I like plums\n"}, Draft("I like plums"))
    assert done.outcome is Outcome.STORED
    assert notes["memory/archive.md"] == b"- I like plums\n"


@pytest.mark.parametrize(
    ("known", "earlier"),
    [
        ("I moved to Oslo in 2019.", "I moved to Bergen in 2015."),
        ("I live in Berlin since 2020", "I moved to Oslo in 2019"),
        ("I live in Berlin", "I moved to Oslo in May 2019"),
        ("Ich wohne seit 2020 in Berlin", "Ich bin im Mai 2019 nach Oslo gezogen"),
        ("Seit dem 1. Mai 2020 arbeite ich bei Acme", "Ich arbeite seit 2018 bei Initech"),
        ("J'habite à Lyon depuis 2020", "En 2019 j'ai déménagé à Nice"),
        ("Vivo en Madrid desde 2020", "Me mudé a Sevilla en marzo de 2018"),
        ("Moro em Lisboa desde 2020", "Mudei-me para Coimbra em maio de 2018"),
        ("I've been working for Acme since March 2020", "I started working at Initech in 2017"),
        ("Bob leads Kestrel since 2022", "Ada leads Kestrel since 2020"),
    ],
)
def test_what_its_words_date_earlier_comes_in_as_history(known: str, earlier: str) -> None:
    notes, first = put({}, Draft(known))
    notes, done = put(notes, Draft(earlier))
    fact = by_id(notes, done.id)
    assert (live(notes), fact.struck, fact.superseded_by) == ([known], True, first.id)
    assert fact.valid_from is not None
    assert held(notes, fact.valid_from) == [earlier]
    notes, again = put(notes, Draft(earlier))
    assert (again.outcome, again.id) == (Outcome.REINFORCED, done.id)


def test_a_year_in_the_words_is_when_it_began_where_no_day_was_given() -> None:
    notes, oslo = put({}, Draft("I moved to Oslo in 2019."))
    assert by_id(notes, oslo.id).valid_from == date(2019, 1, 1)
    notes, bergen = put(notes, Draft("I live in Bergen since 3 May 2021"))
    assert bergen.replaced == (oslo.id,)
    assert by_id(notes, oslo.id).valid_until == date(2021, 5, 3)
    given = put({}, Draft("I moved to Oslo in 2019.", valid_from=date(2019, 8, 1)))
    assert by_id(*given[:1], given[1].id).valid_from == date(2019, 8, 1)
    for text in ("My birthday is 3 May 1990", "I moved to Oslo in 2026", "My favourite film is 2001"):
        notes, done = put({}, Draft(text))
        assert by_id(notes, done.id).valid_from is None, text


def test_of_a_year_that_names_no_month_the_later_said_is_the_later() -> None:
    notes, berlin = put({}, Draft("I live in Berlin"), day=date(2025, 6, 1))
    notes, oslo = put(notes, Draft("I moved to Oslo in 2025"))  # in which month of it, nobody said
    assert (oslo.replaced, live(notes)) == ((berlin.id,), ["I moved to Oslo in 2025"])
    assert by_id(notes, berlin.id).valid_until == date(2025, 6, 1)


def test_what_another_program_knew_of_the_user_earlier_comes_in_as_history() -> None:
    notes, berlin = put({}, Draft("I live in Berlin"))
    known = [
        FoundFact("Lives in Coimbra", "mem0", observed=date(2024, 3, 1)),
        FoundFact("Moved to Rome in 2010", "mem0"),
    ]
    notes |= add_all(notes, known, DAY, most=100).changes
    assert live(notes) == ["I live in Berlin"]
    assert {fact.superseded_by for fact in all_facts(notes) if fact.struck} == {berlin.id}


def test_a_line_that_was_typed_and_says_since_when_is_not_struck_by_what_was_before() -> None:
    notes: Notes = {"memory/facts.md": b"- I live in Berlin since 2020\n"}
    notes, _ = put(notes, Draft("I moved to Oslo in 2019"))
    assert notes["memory/facts.md"] == b"- I live in Berlin since 2020\n"


@pytest.mark.parametrize(
    "typed",
    [
        b"- My manager is Bob\n",
        b"- My manager is Bob  \n- tea\n",
        b"* My manager is Bob\t \r\n  since the summer\r\n",
        b"- My manager is Bob, for ~2 years",
        b"- My manager is Bob, <!-- mine --> of course\n",
    ],
)
def test_a_typed_line_is_given_back_as_it_was_typed(typed: bytes) -> None:
    notes: Notes = {"memory/facts.md": typed}
    notes, done = put(notes, Draft("My manager is Carol", Category.OTHER))
    (old,) = done.replaced
    assert b"~~" in (notes["memory/facts.md"] or b"")
    notes |= undo_supersession(notes, by_id(notes, old))
    assert notes["memory/facts.md"] == typed
    assert by_id(notes, done.id).supersedes == ()


def test_what_else_is_known_of_a_restored_line_stays_in_its_mark() -> None:
    notes: Notes = {"memory/facts.md": b"- My manager is Bob <!-- fact importance=.9 -->\n"}
    notes, done = put(notes, Draft("My manager is Carol", Category.OTHER))
    notes |= undo_supersession(notes, by_id(notes, done.replaced[0]))
    assert b"importance=.9 -->" in (notes["memory/facts.md"] or b"")


def calls_to_move(count: int) -> int:
    """How many functions are called to move a tenth of so many facts of one note to the archive."""
    lines = [write(f"- Ship {count} {n} sails", Mark(f"s{n}", origin=Origin.USER, observed=DAY)) for n in range(count)]
    notes: Notes = {"memory/other.md": "\n".join(lines).encode()}
    facts = all_facts(notes)[::10]
    calls = 0

    def called(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        after = move_facts(notes, facts, to_archive=True)
    finally:
        sys.setprofile(before)
    assert (after["memory/archive.md"] or b"").count(b"\n") == count // 10
    return calls


def test_moving_twice_as_many_out_of_twice_as_many_is_twice_the_work() -> None:
    assert calls_to_move(800) < 2.5 * calls_to_move(400)
