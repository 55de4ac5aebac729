"""What a program wrote as one is indexed by the next search, in whichever process, and by no more than one of them."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.index.sqlite.owed_file import NOTHING, Mark, clear_owed, mark_paid, owe, read_owed

WORDS = {"memory.disable_rag": True}


def found(memory: Memory, question: str) -> list[str]:
    return [hit.path for hit in memory.search(question).results]


def owed(memory: Memory) -> tuple[str, ...]:
    return read_owed(memory.ctx.index_path, None).paths


def test_a_search_of_another_memory_finds_what_was_just_written(home: Path) -> None:
    with Memory.open(home, settings=WORDS) as writer, Memory.open(home, settings=WORDS) as reader:
        writer.notes.write_all({f"memory/bird{number}.md": f"Bird {number} nests." for number in range(120)})
        assert len(found(reader, "nests")) > 0  # from here on, neither of them looks before a moment has passed
        writer.notes.write_all({"memory/heron.md": "The heron stands on one leg."})
        assert owed(writer) == ("memory/heron.md",)
        assert found(reader, "one leg") == ["memory/heron.md"]
        assert owed(writer) == ()
        assert found(writer, "one leg") == ["memory/heron.md"]
        writer.notes.write_all({"memory/heron.md": None, "memory/owl.md": "The owl hunts at night."})
        assert found(reader, "one leg") == []
        assert found(reader, "hunts at night") == ["memory/owl.md"]


def test_it_is_indexed_also_where_searches_do_not_look(home: Path) -> None:
    with Memory.open(home, settings=WORDS | {"memory.sync.on_search": False}) as memory:
        memory.search("anything")
        memory.notes.write_all({"memory/heron.md": "The heron stands on one leg."})
        assert found(memory, "one leg") == ["memory/heron.md"]


def test_where_the_file_can_t_be_written_notes_are_indexed_at_once(home: Path) -> None:
    with Memory.open(home, settings=WORDS) as memory:
        memory.save("The owl hunts at night.", file="memory/owl.md")
        os.mkdir(f"{memory.ctx.index_path}.owed")
        memory.notes.write_all({"memory/heron.md": "The heron stands on one leg."})
        assert found(memory, "one leg") == ["memory/heron.md"]


def test_a_long_file_is_begun_anew_when_all_of_it_is_paid(home: Path) -> None:
    with Memory.open(home, settings=WORDS) as memory:
        memory.save("The owl hunts at night.", file="memory/owl.md")
        owe(memory.ctx.index_path, ["memory/owl.md"] * 3_000)
        assert found(memory, "hunts at night") == ["memory/owl.md"]
        assert not Path(f"{memory.ctx.index_path}.owed").exists()


def test_what_is_owed_is_what_stands_behind_the_last_mark(tmp_path: Path) -> None:
    index = str(tmp_path / "index.sqlite")
    assert read_owed(index, None) == NOTHING
    owe(index, ["memory/a.md", "memory/b.md"])
    first = read_owed(index, None)
    assert first.paths == ("memory/a.md", "memory/b.md") and first.mark is not None
    assert read_owed(index, first.mark).paths == ()
    owe(index, ["memory/c.md"])
    mark_paid(index, first.mark)
    assert read_owed(index, None).paths == ("memory/c.md",)
    clear_owed(index, first.mark)
    assert Path(f"{index}.owed").exists()
    assert os.stat(f"{index}.owed").st_mode & 0o777 == 0o600


@given(left=st.binary() | st.text(st.sampled_from('[]", 0123\n')).map(str.encode))
def test_any_file_owes_something_or_nothing(left: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "index.owed").write_bytes(left)
        owed_now = read_owed(f"{folder}/index", Mark(0, 0))
        assert all(isinstance(path, str) for path in owed_now.paths)
