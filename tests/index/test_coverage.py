"""The row that says how many texts are embedded follows changes, and says what counting would say."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.embeddings.embedder import SpaceKey
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.index.store_contract import Coverage


class Hosted(FakeEmbedder):
    """A model that is asked over HTTP, as far as the index can tell: its texts are blocks of passages."""

    def __init__(self) -> None:
        super().__init__()
        self.space = SpaceKey("fake", "fake-64", "https://embeddings.internal", 64)


LINES = st.lists(st.sampled_from("heron owl kite wren dove".split()), max_size=4).map(
    lambda birds: "".join(f"- The {bird} sat on the fence for an hour.\n" for bird in birds)
)
STEPS = st.lists(st.tuples(st.sampled_from("abc"), st.none() | LINES, st.booleans()), min_size=1, max_size=6)


def kept(memory: Memory, space: SpaceKey) -> tuple[int, ...] | None:
    """What the row says, where there is one."""
    edition = memory.ctx.database.serving()
    assert edition is not None
    sql = (
        "SELECT texts, embedded FROM coverage WHERE edition = ? AND space = (SELECT id FROM spaces WHERE endpoint = ?)"
    )
    rows = memory.ctx.database.connection.all(sql, (edition.number, space.endpoint))
    return rows[0] if rows else None


def counted(memory: Memory, space: SpaceKey) -> Coverage:
    """What is there, looked through."""
    edition = memory.ctx.database.serving()
    assert edition is not None
    name = "ifnull(block, text_hash)" if space.by_block else "text_hash"
    texts = memory.ctx.database.connection.all(f"SELECT DISTINCT {name} FROM e{edition.number}_chunks")
    vectors = memory.ctx.database.connection.all(
        "SELECT hash FROM vectors WHERE space = (SELECT id FROM spaces WHERE endpoint = ?)", (space.endpoint,)
    )
    return Coverage(len(texts), len({*texts} & {*vectors}))


@given(STEPS)
@settings(deadline=None)
@pytest.mark.parametrize("made", [FakeEmbedder, Hosted])
def test_whatever_changes_the_row_says_what_counting_says(
    made: type[FakeEmbedder], steps: list[tuple[str, str | None, bool]]
) -> None:
    embedder = made()
    with tempfile.TemporaryDirectory() as home, Memory.open(home, embedder=embedder) as memory:
        memory.save("The heron nests in the alder.", file="memory/first.md")
        memory.sync()
        for name, text, down in steps:
            embedder.down = down
            note = Path(home) / "memory" / f"{name}.md"
            if text is None:
                note.unlink(missing_ok=True)
            else:
                note.write_text(text, encoding="utf-8")
            memory.sync()
            memory.save("One line more.", file="memory/first.md")
            assert kept(memory, embedder.space) == counted(memory, embedder.space)
            assert memory.ctx.database.vectors(embedder.space).coverage() == counted(memory, embedder.space)


def test_a_change_of_many_texts_is_counted_anew(tmp_path: Path) -> None:
    embedder = FakeEmbedder()
    with Memory.open(tmp_path, embedder=embedder) as memory:
        memory.save("The heron nests in the alder.", file="memory/first.md")
        memory.sync()
        lines = "".join(f"- Bird {number} sat on the fence.\n" for number in range(2_100))
        (tmp_path / "memory" / "2026-11-14.md").write_text(lines, encoding="utf-8")
        embedder.down = True
        memory.sync()
        assert memory.ctx.database.vectors(embedder.space).coverage() == counted(memory, embedder.space)
        embedder.down = False
        memory.sync()
        assert memory.ctx.database.vectors(embedder.space).coverage() == (2_101, 2_101)
