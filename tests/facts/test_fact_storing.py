"""Storing decides on the bytes that are there: add, strengthen, supersede; and what made room can come back."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from holdfast.errors import BadArgument, FactNotFound
from holdfast.facts.capacity import least_valuable, value_of
from holdfast.facts.fact import Draft, Fact, State
from holdfast.facts.fact_archive import move_facts
from holdfast.facts.fact_insert import Notes, Outcome, add_fact, all_facts, undo_supersession, without_fact
from holdfast.facts.ids import new_id
from holdfast.facts.ledger import entries
from holdfast.guard.origin import Origin
from holdfast.markdown.fact_row import Category

DAY = date(2026, 11, 15)
EARLIER = date(2026, 3, 1)


def put(
    notes: Notes, text: str, category: Category = Category.FACT, **more: object
) -> tuple[dict[str, bytes | None], str]:
    origin, day = more.pop("origin", Origin.USER), more.pop("day", DAY)
    done = add_fact(notes, Draft(text, category, **more), origin, day)  # type: ignore[arg-type]
    return {**notes, **done.changes}, done.id


def by_id(notes: Notes, name: str) -> Fact:
    (found,) = [fact for fact in all_facts(notes) if fact.id == name]
    return found


def test_a_fact_that_is_said_again_is_counted_dated_and_a_little_more_important() -> None:
    notes, name = put({}, "I prefer green tea", Category.PREFERENCE, day=EARLIER)
    done = add_fact(notes, Draft("i prefer green tea!", Category.FACT), Origin.AUTO_CAPTURE, DAY)
    assert (done.outcome, done.id, list(done.changes)) == (Outcome.REINFORCED, name, ["memory/preferences.md"])
    fact = by_id({**notes, **done.changes}, name)
    assert (fact.text, fact.reinforced, fact.reinforced_on, fact.observed) == ("I prefer green tea", 1, DAY, EARLIER)
    assert fact.importance == 0.55
    assert fact.origin is Origin.USER


def test_saying_the_same_over_and_over_makes_it_more_important_once_a_day_and_up_to_a_bound() -> None:
    notes, name = put({}, "I prefer green tea", day=EARLIER)
    for _ in range(80):
        notes = {**notes, **add_fact(notes, Draft("I prefer green tea"), Origin.USER, DAY).changes}
    assert (by_id(notes, name).importance, by_id(notes, name).reinforced) == (0.55, 80)
    for later in range(1, 80):
        day = DAY + timedelta(days=later)
        notes = {**notes, **add_fact(notes, Draft("I prefer green tea"), Origin.USER, day).changes}
    assert by_id(notes, name).importance == 0.8
    given = add_fact(notes, Draft("I prefer green tea", importance=0.95), Origin.USER, day)
    notes = {**notes, **given.changes}
    assert by_id(notes, name).importance == 0.95
    notes = {**notes, **add_fact(notes, Draft("I prefer green tea"), Origin.USER, day + timedelta(days=1)).changes}
    assert by_id(notes, name).importance == 0.95  # what was given is not taken away


def test_what_comes_from_elsewhere_makes_nothing_more_important() -> None:
    notes, name = put({}, "I prefer green tea")
    again = add_fact(notes, Draft("I prefer green tea", importance=1.0), Origin.IMPORT, DAY)
    fact = by_id({**notes, **again.changes}, name)
    assert (fact.importance, fact.reinforced, fact.origin) == (0.5, 1, Origin.USER)


def test_a_line_that_a_person_typed_is_not_touched_for_being_said_again() -> None:
    done = add_fact({"memory/facts.md": b"- I like plums\n"}, Draft("I like plums"), Origin.USER, DAY)
    assert (done.outcome, done.changes) == (Outcome.REINFORCED, {})


def test_a_contradiction_strikes_the_old_fact_and_links_both() -> None:
    notes, old = put({}, "I live in Berlin", day=EARLIER)
    done = add_fact(notes, Draft("I moved to Munich", Category.OTHER), Origin.USER, DAY)
    assert (done.outcome, done.replaced, done.rule) == (Outcome.SUPERSEDED, (old,), "subject:user/lives-in")
    assert list(done.changes) == ["memory/other.md", "memory/facts.md"]  # who is stopped in between has both
    notes = {**notes, **done.changes}
    former, now = by_id(notes, old), by_id(notes, done.id)
    assert (former.struck, former.superseded_by, former.valid_until, former.rule) == (True, now.id, DAY, done.rule)
    assert (now.supersedes, now.live(DAY)) == ((old,), True)
    assert (former.state(DAY), former.held_on(date(2026, 6, 1)), former.held_on(DAY)) == (State.SUPERSEDED, True, False)


def test_a_hand_made_fact_is_struck_and_keeps_its_words() -> None:
    notes: Notes = {"memory/facts.md": b"# Me\n\n- I live in Berlin\n  near the river\n- I live in Berlin\n"}
    notes, _ = put(notes, "I live in Munich")
    text = (notes["memory/facts.md"] or b"").decode()
    first, below, second, _ = text.removeprefix("# Me\n\n").splitlines()
    assert below == "  near the river"
    assert first.startswith("- ~~I live in Berlin~~ <!-- fact id=")
    assert second.startswith("- ~~I live in Berlin~~ <!-- fact id=")


def test_a_supersession_can_be_undone_and_a_valid_date_of_before_comes_back() -> None:
    notes, old = put({}, "I live in Berlin", day=EARLIER, valid_until=date(2027, 1, 1))
    notes, new = put(notes, "I live in Munich")
    assert by_id(notes, old).valid_until == DAY
    notes = {**notes, **undo_supersession(notes, by_id(notes, old))}
    former = by_id(notes, old)
    assert (former.live(DAY), former.superseded_by, former.rule) == (True, "", "")
    assert former.valid_until == date(2027, 1, 1)
    assert by_id(notes, new).supersedes == ()
    with pytest.raises(BadArgument, match="not superseded"):
        undo_supersession(notes, by_id(notes, old))


def test_moving_back_after_a_while_gives_a_history_of_three() -> None:
    notes, first = put({}, "I live in Berlin", day=EARLIER)
    notes, second = put(notes, "I live in Munich", day=EARLIER + timedelta(30))
    notes, third = put(notes, "I live in Berlin", day=DAY)
    assert len({first, second, third}) == 3
    assert [fact.live(DAY) for fact in all_facts(notes)] == [False, False, True]


def test_a_fact_is_forgotten_with_its_mark_and_an_empty_note_goes() -> None:
    notes, name = put({}, "I live in Berlin")
    fact = by_id(notes, name)
    assert without_fact(notes, fact) == {"memory/facts.md": None}
    with pytest.raises(FactNotFound):
        without_fact(notes, fact.replace(text="I live in Rome"))


def test_what_goes_to_the_archive_and_back_is_what_it_was() -> None:
    notes: Notes = {
        "memory/preferences.md": b"\xef\xbb\xbf# Mine\r\n\r\n- ~~tea~~ <!-- fact id=a importance=.9 -->\r\n"
        b"- coffee <!-- fact id=b origin=agent pinned -->\r\n  black\r\n  - and hot\r\n\r\nwords\r\n"
    }
    before = {one.fact.id: (one.mark, one.fact.text, one.fact.struck) for one in entries(*reversed_of(notes))}
    away = move_facts(notes, all_facts(notes), to_archive=True)
    assert list(away) == ["memory/archive.md", "memory/preferences.md"]  # never in neither
    left = away["memory/preferences.md"] or b""
    assert left.startswith(b"\xef\xbb\xbf# Mine\r\n")
    assert left.endswith(b"words\r\n")
    notes = {**notes, **away}
    assert {fact.category for fact in all_facts(notes)} == {Category.PREFERENCE}
    assert all(fact.archived for fact in all_facts(notes))
    notes = {**notes, **move_facts(notes, all_facts(notes), to_archive=False)}
    assert notes["memory/archive.md"] is None
    after = {one.fact.id: (one.mark, one.fact.text, one.fact.struck) for one in entries(*reversed_of(notes))}
    assert after == before


def reversed_of(notes: Notes) -> tuple[bytes | None, str]:
    return notes["memory/preferences.md"], "memory/preferences.md"


def test_the_least_important_oldest_and_least_used_make_room_and_hand_made_ones_never() -> None:
    facts = [Fact(f"f{n}", f"fact {n}", Category.FACT, 0.5, observed=DAY, line=n) for n in range(8)]
    facts[2] = facts[2].replace(importance=0.1)
    facts[3] = facts[3].replace(observed=date(2020, 1, 1))
    facts[4] = facts[4].replace(marked=False, importance=0.0)
    facts[5] = facts[5].replace(struck=True)
    assert least_valuable(facts, 8, DAY) == []
    assert {fact.id for fact in least_valuable(facts, 6, DAY)} == {"f3", "f5"}
    used = least_valuable(facts, 6, DAY, lambda fact: (50.0, 0.0) if fact.id == "f3" else (0.0, 0.0))
    assert {fact.id for fact in used} == {"f2", "f5"}
    assert value_of(facts[0], DAY) > value_of(facts[0].replace(struck=True), DAY)


def test_what_was_just_brought_back_goes_after_all_others_for_a_month_and_room_is_made_all_the_same() -> None:
    facts = [Fact(f"f{n}", f"fact {n}", Category.FACT, 0.5, observed=DAY, line=n) for n in range(4)]
    facts[1] = facts[1].replace(importance=0.0, restored=DAY - timedelta(days=29))
    assert [fact.id for fact in least_valuable(facts, 3, DAY)] == ["f0"]
    assert [fact.id for fact in least_valuable(facts, 3, DAY + timedelta(days=1))] == ["f1"]
    back = [fact.replace(restored=DAY) for fact in facts]
    assert [fact.id for fact in least_valuable(back, 3, DAY)] == ["f1"]


def test_ids_are_short_and_never_taken() -> None:
    signs = iter("bbbbbb" + "cccccc")
    assert new_id({"bbbbbb"}, lambda _: next(signs)) == "cccccc"
    assert len({new_id(()) for _ in range(500)}) == 500


def test_the_archive_is_no_category_to_store_under() -> None:
    with pytest.raises(BadArgument, match="category"):
        add_fact({}, Draft("x", Category.ARCHIVE), Origin.USER, DAY)
