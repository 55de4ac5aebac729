"""What a passage borrows from its surroundings, and what stands by itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.index.store_contract import Places
from holdfast.search.neighbour_scores import LineScores, neighbour_loans

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


@pytest.mark.parametrize(("names", "borrows"), [(("Ida", "Bob"), True), (("User", "Assistant"), False)])
def test_a_turn_said_to_an_assistant_or_by_one_borrows_nothing_from_the_turns_beside_it(
    home: Path, names: tuple[str, str], borrows: bool
) -> None:
    lent = _lent(home, names, ENTRIES)
    assert lent and any(lent.values()) is borrows


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
def test_neighbours_lend_at_most_their_shares_and_none_to_who_talks_with_an_assistant(
    chunks: list[tuple[int, int, float]], spoken: set[int]
) -> None:
    chunks.sort(key=lambda chunk: chunk[0])
    rows = list(range(len(chunks)))
    places = Places(rows, [note for note, _, _ in chunks], [size for _, size, _ in chunks])
    scores = {row: score for row, (_, _, score) in enumerate(chunks)}
    loans = neighbour_loans(LineScores(scores, places), places, rows, (), spoken)
    for row in rows:
        beside = [at for at in (row - 1, row, row + 1) if 0 <= at < len(rows) and chunks[at][0] == chunks[row][0]]
        neighbours, note = loans[row]
        assert 0.0 <= neighbours <= 0.7 and note >= 0.0
        assert not (neighbours and spoken.intersection(beside))
