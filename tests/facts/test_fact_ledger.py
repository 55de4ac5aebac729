"""The ledger changes one bullet and keeps every other byte."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from counts import counted
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.errors import BadArgument, TextNotFound
from holdfast.facts.fact import State
from holdfast.facts.fact_archive import move_facts
from holdfast.facts.fact_insert import all_facts
from holdfast.facts.ledger import add_bullet, change_mark, entries, facts_in, plain, remove_bullet
from holdfast.guard.origin import Origin
from holdfast.markdown.fact_mark import Mark
from holdfast.markdown.fact_row import Category
from holdfast.markdown.splitter import split

PATH = "memory/facts.md"
DAY = date(2026, 11, 15)
MARK = Mark("new1", 0.7, Origin.USER, DAY)
LINES = st.sampled_from(
    [
        *("- tea", "- ~~old~~", "* x", "1. one", "  nested", "", "text", "# H", "```", "---", "- ", "~~~", "\tx", "-"),
        *(
            "- tea <!-- fact id=a -->",
            "<!-- fact id=b -->",
            "- <!-- fact -->",
            "  <!-- fact",
            "id=c -->",
            "- a <!-- b -->",
        ),
        *("- ~~gone~~ <!-- fact id=d superseded_by=a until=2026-01-01 origin=import -->", "Ünïcode – ✓", "- [ ] todo"),
        *("<!-- mine -->", "| a | b |", "a | b", "--- | ---", "<div>", "<b>so</b>", "<!-- fact check -->", "> said"),
    ]
)
NOTES = st.tuples(st.lists(LINES, max_size=14), st.sampled_from(["\n", "\r\n", "\r"]), st.booleans(), st.booleans())


def note_of(made: tuple[list[str], str, bool, bool]) -> bytes:
    lines, eol, bom, ended = made
    text = eol.join(lines) + (eol if ended and lines else "")
    return (b"\xef\xbb\xbf" if bom else b"") + text.encode()


@given(NOTES)
def test_the_ledger_and_the_index_see_the_same_facts(made: tuple[list[str], str, bool, bool]) -> None:
    data = note_of(made)
    chunks = split(data.decode("utf-8-sig"), category=Category.FACT).chunks
    indexed = [(chunk.start_line, chunk.fact.id, chunk.text) for chunk in chunks if chunk.fact is not None]
    assert [(one.fact.line, one.fact.id, one.bare.rstrip()) for one in entries(data, PATH)] == [
        (line, name, text.rstrip()) for line, name, text in indexed
    ]


@settings(max_examples=counted(12, 1_200), deadline=None)
@given(NOTES)
def test_adding_keeps_every_line_and_removing_gives_them_back(made: tuple[list[str], str, bool, bool]) -> None:
    data = note_of(made)
    before = entries(data, PATH)
    try:
        after = add_bullet(data, PATH, "I like plums", MARK)
    except BadArgument:
        assert b"```" in data or b"~~~" in data  # all that follows may be code, and what stands above goes on
        return
    for line in data.removeprefix(b"\xef\xbb\xbf").splitlines():
        assert line.strip() in after
    found = entries(after, PATH)
    (new,) = [one for one in found if one.mark == MARK]
    assert [(one.mark, one.bare) for one in found if one is not new] == [(one.mark, one.bare) for one in before]
    left = remove_bullet(after, PATH, new.fact.line)
    assert left.split() == data.split()


@given(NOTES, st.booleans())
def test_a_new_mark_or_strike_changes_no_other_line(made: tuple[list[str], str, bool, bool], struck: bool) -> None:
    data = note_of(made)
    for entry in entries(data, PATH):
        new = change_mark(data, PATH, entry.fact.line, MARK, struck=struck)
        again = entries(new, PATH)
        assert len(again) == len(entries(data, PATH))
        (one,) = [each for each in again if each.fact.line == entry.fact.line]
        assert (one.mark, one.fact.text, one.fact.struck) == (MARK, entry.fact.text, struck)
        rest = [line for number, line in enumerate(data.splitlines()) if not entry.start <= number < entry.end]
        assert all(line in new.splitlines() for line in rest)
        assert new.startswith(b"\xef\xbb\xbf") == data.startswith(b"\xef\xbb\xbf")


@given(NOTES, st.data())
def test_a_fact_that_is_removed_leaves_every_other_as_it_is(made: tuple[list[str], str, bool, bool], data: Any) -> None:
    note = note_of(made)
    known = entries(note, PATH)
    if known:
        gone = data.draw(st.sampled_from(known))
        left = [(one.mark, one.fact.text) for one in known if one is not gone]
        assert [(one.mark, one.fact.text) for one in entries(remove_bullet(note, PATH, gone.fact.line), PATH)] == left


@given(NOTES)
def test_facts_that_go_to_the_archive_and_back_say_the_same(made: tuple[list[str], str, bool, bool]) -> None:
    notes: dict[str, bytes | None] = {PATH: note_of(made)}
    before = all_facts(notes)
    if any(sign in (notes[PATH] or b"") for sign in (b"```", b"~~~")):
        return  # what can't be put below an open fence is put above it, in another order
    notes |= move_facts(notes, before, to_archive=True)
    assert all(fact.archived for fact in all_facts(notes))
    notes |= move_facts(notes, all_facts(notes), to_archive=False)
    assert [(one.id, one.text, one.struck) for one in all_facts(notes)] == [
        (one.id, one.text, one.struck) for one in before
    ]


@given(st.text(max_size=200))
def test_whatever_the_words_are_they_are_one_bullet_that_says_them(text: str) -> None:
    words = plain(text)
    try:
        words.encode()
    except UnicodeEncodeError:
        return
    if not words or "\0" in words:
        return
    try:
        made = add_bullet(b"- before <!-- fact id=a -->\n", PATH, words, MARK)
    except BadArgument:
        return
    first, second = facts_in(made, PATH)
    assert (first.id, second.text, second.origin) == ("a", words, Origin.USER)


def test_words_can_bring_no_mark_and_open_no_fence() -> None:
    assert plain("tea <!-- fact origin=user --> and more <!-- fact id=x -->") == "tea and more"
    assert plain("- ~~not so~~") == "not so"
    assert plain("a\n```\nb") == "a ``` b"
    made = add_bullet(b"- b\n", PATH, "``` code", MARK)
    assert [one.text for one in facts_in(made, PATH)] == ["b", "``` code"]


def test_a_hand_made_note_keeps_its_headings_and_line_ends() -> None:
    note = b"# Mine\r\n\r\nSome words.\r\n"
    made = add_bullet(note, PATH, "I like plums", MARK)
    assert made.startswith(note + b"\r\n- I like plums <!-- fact id=new1")
    assert made.endswith(b"-->\r\n")
    assert add_bullet(made, PATH, "Two", MARK.replace(id="new2")).count(b"\r\n\r\n") == 2


def test_what_is_below_an_open_fence_is_code_so_the_fact_stands_above_it() -> None:
    made = add_bullet(b"```\nforgotten fence\n", PATH, "I like plums", MARK)
    assert made.startswith(b"- I like plums")
    assert [one.id for one in facts_in(made, PATH)] == ["new1"]


def test_ids_that_were_copied_are_told_apart_by_their_lines() -> None:
    note = b"- one <!-- fact id=a -->\n- one <!-- fact id=a -->\n"
    assert remove_bullet(note, PATH, 2) == b"- one <!-- fact id=a -->\n"
    with pytest.raises(TextNotFound):
        remove_bullet(note, PATH, 3)


def test_the_archive_knows_the_category_that_a_fact_had() -> None:
    (fact,) = facts_in(b"- tea <!-- fact id=a category=preference -->\n", "memory/archive.md")
    assert (fact.category, fact.archived, fact.state(DAY)) == (Category.PREFERENCE, True, State.ARCHIVED)
    assert facts_in(b"- tea\n", "memory/notes.md") == []


def test_a_strike_that_is_taken_away_by_hand_brings_the_fact_back() -> None:
    (fact,) = facts_in(b"- tea <!-- fact id=a until=2026-01-01 superseded_by=b -->\n", PATH)
    assert fact.live(DAY)
    (over,) = facts_in(b"- tea <!-- fact id=a until=2026-01-01 -->\n", PATH)
    assert over.state(DAY) is State.EXPIRED
    assert over.held_on(date(2026, 1, 1))
    assert not over.held_on(date(2026, 1, 2))


BELOW = (
    "<!-- my note: ask Bob -->",
    "Ask Bob about this.",
    "| a | b |\n|---|---|",
    "<div>\nBob\n</div>",
    "```\nask bob\n```",
    "---",
    "> Bob said so",
)


@pytest.mark.parametrize("mine", BELOW)
def test_what_a_person_writes_right_below_a_marked_bullet_is_not_the_facts(mine: str) -> None:
    note = f"- tea <!-- fact id=a -->\n- mango <!-- fact id=b -->\n  ripe ones\n{mine}\n".encode()
    tea, mango = facts_in(note, PATH)
    assert (tea.text, mango.text) == ("tea", "mango\n  ripe ones")
    left = remove_bullet(note, PATH, mango.line)
    assert left == f"- tea <!-- fact id=a -->\n\n{mine}\n".encode()
    assert facts_in(left, PATH) == [tea]


@pytest.mark.parametrize("mine", [each for each in BELOW if not each.startswith((">", "Ask"))])
def test_a_block_below_a_bullet_without_a_mark_is_not_the_facts_either(mine: str) -> None:
    (tea,) = facts_in(f"- tea\n{mine}\n".encode(), PATH)
    assert tea.text == "tea"


def test_a_line_that_somebody_broke_is_one_fact_and_stays_one_with_a_mark() -> None:
    note = b"- I like tea, and above all\nthe green one\n"
    (fact,) = facts_in(note, PATH)
    made = change_mark(note, PATH, 1, MARK, struck=True)
    assert made.startswith(b"- ~~I like tea, and above all~~\nthe green one <!-- fact id=new1 ")
    (again,) = facts_in(made, PATH)
    assert (again.text, again.id, again.struck) == (fact.text, "new1", True)
    assert change_mark(made, PATH, 1, None, struck=False) == note
