"""What a passage borrows from its surroundings, and what stands by itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.index.store_contract import Places
from holdfast.search.neighbour_scores import NEAR, LineScores, neighbour_loans, neighbour_rows

ENTRIES = ("the boiler makes a noise", "plumber comes at nine", "the boiler was bought in May", "tea with Ida")


@pytest.mark.parametrize(
    ("shape", "borrows"),
    [("- {0}", False), ("* {0}", False), ("- **{1}**: {0}", True), ("**{1}**: {0}\n", True)],
)
def test_a_turn_of_a_conversation_borrows_from_its_neighbours_and_an_entry_of_a_list_does_not(
    home: Path, shape: str, borrows: bool
) -> None:
    (home / "memory").mkdir(parents=True)
    lines = [shape.format(entry, ("Ida", "Bob")[at % 2]) for at, entry in enumerate(ENTRIES)]
    (home / "memory/2026-11-15.md").write_text("\n".join(["# Sunday", "", *lines]) + "\n", encoding="utf-8")
    (home / "memory/2026-11-14.md").write_text("# Saturday\n\n- a walk by the river\n", encoding="utf-8")
    with Memory.open(home, settings={"memory.disable_rag": True}) as memory:
        memory.sync()
        hits = memory.search("boiler noise", by_passage=True).results
    lent = max((hit.explain.get("neighbours", 0.0) for hit in hits), default=0.0)
    assert (lent > 0.0) is borrows


def _lent(home: Path, names: tuple[str, str], talk: tuple[str, ...]) -> dict[str, float]:
    """Return what each turn of a talk was lent by its neighbours, by its words."""
    (home / "memory").mkdir(parents=True)
    lines = [f"**{names[at % 2]}**: {text}\n" for at, text in enumerate(talk)]
    (home / "memory/talk.md").write_text("\n".join(lines), encoding="utf-8")
    (home / "memory/other.md").write_text("A walk by the river.\n", encoding="utf-8")
    with Memory.open(home, settings={"memory.disable_rag": True}) as memory:
        memory.sync()
        hits = memory.search("boiler noise", by_passage=True).results
    return {hit.snippet: hit.explain.get("neighbours", 0.0) for hit in hits if hit.path == "memory/talk.md"}


@pytest.mark.parametrize("talk", [ENTRIES, ("tea with Ida", *ENTRIES[:2], "the river is high")])
def test_an_assistant_s_turn_neither_borrows_from_the_turns_beside_it_nor_lends_to_them(
    home: Path, talk: tuple[str, ...]
) -> None:
    between_people = _lent(home / "people", ("Ida", "Bob"), talk)
    assert len([turn for turn, lent in between_people.items() if lent]) > 1
    lent = _lent(home / "assistant", ("User", "Assistant"), talk)
    assert lent and not any(share for turn, share in lent.items() if turn.startswith("**Assistant**"))
    # Of the second talk the assistant alone speaks of the boiler: the person has nobody to borrow from.
    assert any(lent.values()) is (talk is ENTRIES)


def _given_by_note(home: Path, words: int) -> float:
    """Return what an entry with so many words more gets from its note, whose other entry is the answer."""
    (home / "memory").mkdir(parents=True)
    filler = " ".join(f"word{number}" for number in range(words))
    entries = f"- The boiler makes a noise at night.\n- The boiler was bought in May. {filler}\n"
    (home / "memory/2026-11-15.md").write_text(entries, encoding="utf-8")
    for number in range(40):
        (home / f"memory/walk-{number}.md").write_text(f"Walk {number} by the river.\n", encoding="utf-8")
    with Memory.open(home, settings={"memory.disable_rag": True}) as memory:
        memory.sync()
        found = memory.search("boiler noise at night", by_passage=True, min_score=0).results
    first, second = (hit for hit in found if hit.path == "memory/2026-11-15.md")
    assert (first.start_line, second.start_line) == (1, 2)
    return second.explain["note"]


def test_a_long_entry_that_is_not_the_best_gets_less_for_what_else_its_note_holds(home: Path) -> None:
    short, long = _given_by_note(home / "short", 10), _given_by_note(home / "long", 150)
    assert long < 0.9 * short


@given(
    st.lists(st.tuples(st.integers(1, 3), st.integers(1, 2_000), st.floats(0, 1)), min_size=1, max_size=12),
    st.sets(st.integers(0, 11)),
)
def test_neighbours_lend_at_most_their_shares_and_an_assistant_neither_lends_nor_borrows(
    chunks: list[tuple[int, int, float]], spoken: set[int]
) -> None:
    chunks.sort(key=lambda chunk: chunk[0])
    rows = list(range(len(chunks)))
    places = Places(rows, [note for note, _, _ in chunks], [size for _, size, _ in chunks])
    scores = {row: score for row, (_, _, score) in enumerate(chunks)}
    loans = neighbour_loans(LineScores(scores, places), places, rows, (), spoken)
    of_persons = {row: score for row, score in scores.items() if row not in spoken}
    without_answers = neighbour_loans(LineScores(of_persons, places), places, rows, (), spoken)
    for row in rows:
        neighbours, note = loans[row]
        assert 0.0 <= neighbours <= 0.7 and note >= 0.0
        assert not (neighbours and row in spoken)
        beside = {at for at in (row - 1, row + 1) if 0 <= at < len(rows) and chunks[at][0] == chunks[row][0]}
        if spoken & beside:
            assert neighbours == without_answers[row][0]


def test_beside_what_a_person_says_to_an_assistant_stands_what_they_said_before_and_after() -> None:
    rows = list(range(8))  # a person at 1, 4 and 7 of one note; the rest are answers
    places = Places(rows, [1] * 8, [100] * 8)
    spoken = set(rows) - {1, 4, 7}
    scores = {1: 0.8, 3: 1.0, 7: 0.4}
    assert neighbour_rows(places, [4], 1, 2, spoken)[1] == {1, 2, 3, 4, 5, 6, 7}
    assert neighbour_rows(places, [1], 1, 2, spoken)[1] == {0, 1, 2, 3, 4}
    lent = {row: loan[0] for row, loan in neighbour_loans(LineScores(scores, places), places, rows, (), spoken).items()}
    assert lent[4] == pytest.approx(NEAR * (0.8 + 0.4))
    assert (lent[1], lent[3], lent[7]) == (0.0, 0.0, 0.0)  # nobody's score is known at 4
