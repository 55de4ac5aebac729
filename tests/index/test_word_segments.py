"""The full-text index stays in few pieces: a search looks each of its words up in every one of them."""

from __future__ import annotations

from pathlib import Path

from holdfast import Memory


def pieces_of(memory: Memory) -> int:
    edition = memory.ctx.database.serving()
    assert edition is not None
    return int(memory.ctx.database.connection.one(f"SELECT count(DISTINCT segid) FROM e{edition.number}_words_idx"))


def test_notes_that_are_saved_one_by_one_leave_few_pieces(tmp_path: Path) -> None:
    with Memory.open(tmp_path) as memory:
        most = 0
        for number in range(40):
            path = tmp_path / "memory" / f"note-{number}.md"
            path.parent.mkdir(exist_ok=True)
            path.write_text(f"The kettle of room {number} leaks.\n", encoding="utf-8")
            memory.sync()
            most = max(most, pieces_of(memory))
        assert most <= 8
        assert memory.search("kettle of room 27").results[0].path == "memory/note-27.md"


def test_what_was_written_in_several_batches_is_one_piece(tmp_path: Path) -> None:
    for number in range(2_010):
        path = tmp_path / "memory" / f"{number % 20}" / f"note-{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"The kettle of room {number} leaks.\n", encoding="utf-8")
    with Memory.open(tmp_path) as memory:
        assert memory.sync().added == 2_010
        assert pieces_of(memory) == 1
        assert memory.search("kettle of room 1234").results[0].path == "memory/14/note-1234.md"
