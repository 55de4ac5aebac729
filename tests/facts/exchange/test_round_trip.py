"""An export read back is what was exported, byte for byte; and many facts come into the notes in one go."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path

import pytest
from counts import counted
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.errors import HoldfastError
from holdfast.exchange.bundle import open_bundle
from holdfast.exchange.export_bundle import as_lines, as_zip
from holdfast.exchange.fact_import import add_all
from holdfast.exchange.findings import FoundFact
from holdfast.exchange.holdfast_bundle import is_own, notes_of
from holdfast.facts.fact import Draft
from holdfast.facts.fact_insert import add_fact, all_facts
from holdfast.guard.origin import Origin
from holdfast.markdown.fact_row import Category, note_of

DAY = date(2026, 11, 15)
NOTES = tuple(map(note_of, Category))
NOTE = b"\xef\xbb\xbf# Mine\r\n\r\n- I like plums\r\n  - the dark ones <!-- fact id=a1 origin=user strange=1 -->\r\n"

PATHS = st.sampled_from(
    ["MEMORY.md", "memory/facts.md", "memory/a b.md", "memory/own/deep/é.md", "memory/2026-01-01.md"]
)
NOTES_OF_ALL_KINDS = st.dictionaries(PATHS, st.binary(max_size=80) | st.text(max_size=80).map(lambda t: t.encode()))


def read_back(place: Path) -> dict[str, bytes]:
    with open_bundle(str(place)) as bundle:
        assert is_own(bundle)
        return notes_of(bundle)


@settings(max_examples=counted(5, 240), deadline=None)
@given(notes=NOTES_OF_ALL_KINDS)
def test_what_is_exported_comes_back_byte_for_byte(
    tmp_path_factory: pytest.TempPathFactory, notes: Mapping[str, bytes]
) -> None:
    folder = tmp_path_factory.mktemp("export")
    for name, way in (("a.jsonl", as_lines), ("a.zip", as_zip)):
        (folder / name).write_bytes(way(notes, "main", "2026-11-15", DAY))
        assert read_back(folder / name) == dict(notes)


def test_a_note_in_another_coding_comes_back_byte_for_byte(tmp_path: Path) -> None:
    notes = {"memory/facts.md": "- I like plums\n".encode("utf-16")}
    for name, way in (("a.jsonl", as_lines), ("a.zip", as_zip)):
        (tmp_path / name).write_bytes(way(notes, "main", "2026-11-15", DAY))
        assert read_back(tmp_path / name) == notes


def test_the_same_notes_make_the_same_bytes() -> None:
    notes = {"memory/facts.md": NOTE, "MEMORY.md": b"a"}
    assert as_zip(notes, "main", "now", DAY) == as_zip(dict(reversed(notes.items())), "main", "now", DAY)


def test_an_export_that_was_cut_or_changed_anywhere_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "a.jsonl"
    whole = as_lines({"memory/facts.md": NOTE, "MEMORY.md": b"plain"}, "main", "now", DAY)
    for cut in range(0, len(whole) - 1, 7):
        place.write_bytes(whole[:cut])
        with pytest.raises(HoldfastError), open_bundle(str(place)) as bundle:
            notes_of(bundle)
    place.write_bytes(whole.replace(b"plums", b"pears", 1))
    with pytest.raises(HoldfastError, match="not what was exported"):
        read_back(place)
    place.write_bytes(whole.replace(b'"format": 1', b'"format": 2'))
    with pytest.raises(HoldfastError, match="use a newer one"):
        read_back(place)


@pytest.mark.parametrize("path", ["../x.md", "/etc/x.md", "memory/../x.md", "holdfast.toml", "memory/.x.md", "a.md"])
def test_an_export_that_names_anything_but_notes_is_refused(tmp_path: Path, path: str) -> None:
    for name, way in (("a.jsonl", as_lines), ("a.zip", as_zip)):
        (tmp_path / name).write_bytes(way({path: b"x"}, "main", "now", DAY))
        with pytest.raises(HoldfastError):
            read_back(tmp_path / name)


def found(text: str, days_ago: int = 0, **more: object) -> FoundFact:
    return FoundFact(text, "elsewhere", observed=DAY - timedelta(days_ago), **more)  # type: ignore[arg-type]


def test_adding_twice_changes_nothing_and_keeps_what_a_person_wrote() -> None:
    notes = {"memory/facts.md": NOTE}
    facts = [
        found("I like plums - the dark ones", category=Category.FACT),
        found("Ada has a boat", category=Category.FACT),
    ]
    once = add_all(notes, facts, DAY, most=100)
    made = once.changes["memory/facts.md"]
    assert made is not None
    assert made.startswith(NOTE)
    assert ([one.text for one in once.added], once.known) == (["Ada has a boat"], 1)
    again = add_all({**notes, **once.changes}, facts, DAY, most=100)
    assert (again.changes, again.added, again.known) == ({}, (), 2)


def test_of_two_that_contradict_each_other_the_later_is_in_force_and_the_user_is_never_overruled() -> None:
    facts = [found("I live in Rome", 10), found("I live in Paris", 900), found("My favourite tea is Assam", 1)]
    mine = b"- My favourite tea is Sencha <!-- fact id=t1 origin=user observed=2020-01-01 -->\n"
    notes = {"memory/facts.md": mine}
    after = {**notes, **add_all(notes, facts, DAY, most=100).changes}
    live = {fact.text: fact for fact in all_facts(after) if fact.live(DAY)}
    assert set(live) == {"I live in Rome", "My favourite tea is Sencha", "My favourite tea is Assam"}
    assert live["My favourite tea is Sencha"].origin is Origin.USER
    # What was superseded does not come back.
    assert add_all(after, facts, DAY, most=100).changes == {}


def test_what_is_of_an_earlier_time_than_what_is_known_comes_in_as_history() -> None:
    mine = b"- I live in Rome <!-- fact id=r1 origin=user observed=2026-01-01 -->\n"
    done = add_all({"memory/facts.md": mine}, [found("I live in Paris", 900, category=Category.FACT)], DAY, most=100)
    made = done.changes["memory/facts.md"]
    assert made is not None
    assert made.startswith(mine)
    rome, paris = all_facts(done.changes)
    assert (rome.live(DAY), paris.struck, paris.superseded_by) == (True, True, "r1")
    assert (paris.valid_until, paris.rule) == (date(2026, 1, 1), "subject:user/lives-in")
    assert paris.held_on(date(2025, 1, 1))


CLAIMS = st.lists(
    st.tuples(
        st.sampled_from(
            "I live in Rome;I live in Oslo;I moved to Bern;I no longer live in Oslo;My name is Ada;My name is Bo;"
            "I like tea;I don't like tea;Ada has a boat".split(";")
        ),
        st.integers(0, 3),
    ),
    max_size=8,
    unique_by=lambda one: one[0],
)


@settings(max_examples=counted(10, 800), deadline=None)
@given(CLAIMS, st.sampled_from([Origin.USER, Origin.IMPORT]))
def test_adding_many_decides_as_storing_one_after_the_other_does(claims: list[tuple[str, int]], origin: Origin) -> None:
    mine = f"- I live in Nice <!-- fact id=n1 origin={origin.value} observed=2020-01-01 -->\n".encode()
    notes: dict[str, bytes | None] = {"memory/other.md": mine}
    facts = [found(text, days) for text, days in claims]
    many = {**notes, **add_all(notes, facts, DAY, most=100).changes}
    for one in sorted(facts, key=lambda one: one.observed or DAY):
        assert one.observed is not None
        notes |= add_fact(notes, Draft(one.text, one.category), Origin.IMPORT, one.observed).changes

    def told(held: Mapping[str, bytes | None]) -> set[tuple[object, ...]]:
        facts = all_facts(held)
        names = {fact.id: fact.text for fact in facts}
        return {
            (
                *(fact.text, fact.struck, fact.observed, fact.valid_until, fact.rule, names.get(fact.superseded_by)),
                *sorted(names[one] for one in fact.supersedes),
            )
            for fact in facts
        }

    assert told(many) == told(notes)


def test_what_there_is_no_room_for_goes_to_the_archive_and_nothing_of_the_users_does() -> None:
    notes = {"memory/facts.md": b"- One of mine\n- Two of mine\n"}
    facts = [found(f"Thing number {n} is blue", n, importance=0.1 * (n % 5)) for n in range(20)]
    done = add_all(notes, facts, DAY, most=7)
    after = {**notes, **done.changes}
    outside = [fact for fact in all_facts(after) if not fact.archived]
    assert (len(outside), done.archived, len(all_facts(after))) == (7, 15, 22)
    assert {"One of mine", "Two of mine"} <= {fact.text for fact in outside}
    assert all(fact.category is Category.OTHER for fact in all_facts(after) if fact.archived)


def test_a_note_that_ends_in_open_code_takes_new_facts_above_it() -> None:
    notes = {"memory/other.md": b"```\n- code\n"}
    done = add_all(notes, [found("The sea is wide"), found("The hill is steep")], DAY, most=100)
    after = {**notes, **done.changes}
    assert sorted(fact.text for fact in all_facts(after)) == ["The hill is steep", "The sea is wide"]
    made = after["memory/other.md"]
    assert made is not None
    assert made.endswith(b"```\n- code\n")


TEXTS = st.lists(
    st.sampled_from(["I live in Rome", "I live in Oslo", "tea", "Tea.", "A *b*", "1. x", "~~z~~ y"]), max_size=8
)


@settings(max_examples=counted(6, 320), deadline=None)
@given(TEXTS, TEXTS, st.sampled_from(["", "# Mine\n", "- tea\n", "- a\r\n", "- I live in Rome\n\n```\nopen"]))
def test_any_two_imports_are_added_once_and_lose_no_line(first: list[str], second: list[str], before: str) -> None:
    notes: dict[str, bytes | None] = {path: before.encode() if path == NOTES[4] else None for path in NOTES}
    for texts in (first, second, first):
        facts = [found(text, number) for number, text in enumerate(texts)]
        notes = {**notes, **add_all(notes, facts, DAY, most=100).changes}
    settled = dict(notes)
    for texts in (first, second):
        facts = [found(text, number) for number, text in enumerate(texts)]
        assert add_all(settled, facts, DAY, most=100).changes == {}
    told = (notes[NOTES[4]] or b"").decode()
    assert all(line in told for line in before.split())
