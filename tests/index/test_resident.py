"""What is held in memory between two changes must say what the tables say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.index.sqlite.row_cache import Layout, Pairs, RowCache
from holdfast.index.store_contract import RankedRow

_WORDS = ("harbour", "lantern", "violin", "glacier", "saffron", "compass", "orchard")


def _turns(count: int) -> str:
    lines = (f"- turn {number}: {_WORDS[number % 7]} and {_WORDS[number % 5]}" for number in range(count))
    return "# A long evening\n\n" + "\n".join(lines) + "\n"


def _found(memory: Memory, question: str) -> list[tuple[str, int, float]]:
    return [(hit.path, hit.start_line, hit.score) for hit in memory.search(question, max_results=20).results]


def test_the_same_hits_are_found_before_and_after_the_tables_are_held_in_memory(home: Path) -> None:
    folder = home / "memory" / "sessions"
    folder.mkdir(parents=True)
    for name, count in (("one", 500), ("two", 400), ("three", 7)):
        (folder / f"{name}.md").write_text(_turns(count), encoding="utf-8")
    with Memory.open(home) as memory:
        memory.sync()
        first = _found(memory, "where was the violin?")
        # Nine hundred chunks pay for reading them with the fourth question.
        assert [_found(memory, "where was the violin?") for _ in range(6)] == [first] * 6
        memory.save("The theodolite was in the orchard.", file="memory/theodolite.md")
        assert _found(memory, "who has the theodolite?")[0][0] == "memory/theodolite.md"
        after = _found(memory, "where was the violin?")
        assert [_found(memory, "where was the violin?") for _ in range(6)] == [after] * 6
        memory.delete("memory/theodolite.md", delete_file=True)
        assert [_found(memory, "where was the violin?") for _ in range(6)] == [first] * 6


@given(st.dictionaries(st.integers(1, 60), st.integers(1, 20)), st.lists(st.integers(1, 25), unique=True))
def test_pairs_are_found_in_both_directions(vector_of: dict[int, int], asked: list[int]) -> None:
    pairs = Pairs(list(vector_of.items()))
    near = [(row, 1.0 / (1 + place)) for place, row in enumerate(asked)]
    expected = [
        RankedRow(chunk, score) for row, score in near for chunk in sorted(vector_of) if vector_of[chunk] == row
    ]
    assert pairs.chunks_of(near) == expected
    chunks, vectors = pairs.vectors_of(asked)
    assert chunks == [one for one in asked if one in vector_of]
    assert vectors.tolist() == [vector_of[one] for one in chunks]


@given(st.lists(st.tuples(st.integers(1, 8), st.integers(0, 900))), st.lists(st.integers(1, 40)), st.integers(1, 30))
def test_places_are_those_of_the_notes_that_were_asked_for(
    chunks: list[tuple[int, int]], asked: list[int], most: int
) -> None:
    ordered = sorted((note, row, size) for row, (note, size) in enumerate(chunks, 1))
    layout = Layout([(row, note, size, row % 3) for note, row, size in ordered])
    notes = {note for note, row, _ in ordered if row in asked}
    expected = [(row, note, size) for note, row, size in ordered if note in notes][:most]
    places = layout.places(asked, most)
    assert list(zip(places.rows, places.notes, places.sizes, strict=True)) == expected
    for row, note, _ in expected:
        assert places.notes[places.at[row]] == note and row in places.rows_of(note)
    assert 0 not in places.at and not places.rows_of(0)
    assert layout.of_kind(asked, 2) == {row for _, row, _ in ordered if row in asked and row % 3 == 2}
    assert layout.notes_of(asked) == {row: note for note, row, _ in ordered if row in asked}
    assert layout.sizes_of(asked) == {row: size for _, row, size in ordered if row in asked}
    named = sorted({note for note, _, _ in ordered})
    lengths = [sum(note == one for note, _, _ in ordered) for one in named]
    assert layout.lengths([*named, 99]) == [*lengths, 0]
    assert layout.openings([*named, 99]) == [min(row for note, row, _ in ordered if note == one) for one in named]
    assert layout.times_by_note(row for _, row, _ in ordered) == dict(zip(named, lengths, strict=True))


def test_a_row_is_read_once_until_something_changes(home: Path) -> None:
    with Memory.open(home) as memory:
        memory.save("The theodolite was in the orchard.", file="memory/theodolite.md")
        read: list[list[int]] = []

        def read_rows(rows: Sequence[int]) -> dict[int, str]:
            read.append(list(rows))
            return {row: f"row {row}" for row in rows if row < 90}

        remembered = RowCache(memory.ctx.database.connection, read_rows, most=4)
        assert remembered.of([1, 2]) == {1: "row 1", 2: "row 2"}
        assert remembered.of([3, 2, 91]) == {3: "row 3", 2: "row 2"}
        assert read == [[1, 2], [3, 91]]
        assert remembered.of(range(10, 20)) == {row: f"row {row}" for row in range(10, 20)}
        assert list(remembered.of([2, 3, 4, 5])) == [2, 3, 4, 5]
        assert read[2:] == [list(range(10, 20)), [4, 5]]
        assert remembered.of([1]) == {1: "row 1"}  # five were too many, and are gone
        memory.save("The violin was in the harbour.", file="memory/violin.md")
        assert remembered.of([1]) == {1: "row 1"}
        assert read[4:] == [[1], [1]]
