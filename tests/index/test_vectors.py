from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import sqlite_vec
from hypothesis import given
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.embeddings.embedder import SpaceKey
from holdfast.embeddings.fake import FakeEmbedder
from holdfast.index.sqlite.connection import Connection
from holdfast.index.sqlite.matrix import Matrix
from holdfast.index.sqlite.vectors import Vectors

UID = "0" * 32


def unit(seed: int, dimensions: int = 16) -> bytes:
    vector = np.random.default_rng(seed).standard_normal(dimensions).astype("<f4")
    return bytes((vector / np.linalg.norm(vector)).astype("<f4").tobytes())


def by_hand(rows: list[tuple[int, bytes]], query: bytes) -> list[int]:
    asked = np.frombuffer(query, "<f4")
    scores = {row: round(float(np.frombuffer(vector, "<f4") @ asked), 6) for row, vector in rows}
    return sorted(scores, key=lambda row: (-scores[row], row))


@given(count=st.integers(1, 60), cut=st.integers(0, 60), limit=st.integers(1, 70), seed=st.integers(0, 999))
def test_the_matrix_gives_the_exact_order_however_it_was_filled(count: int, cut: int, limit: int, seed: int) -> None:
    rows = [(i + 1, unit(seed * 1000 + i)) for i in range(count)]
    matrix = Matrix(16)
    matrix.append(rows[:cut])
    matrix.append(rows[cut:])
    found = matrix.nearest(unit(seed), limit)
    assert [row for row, _ in found] == by_hand(rows, unit(seed))[:limit]


def test_a_saved_matrix_answers_as_before_and_takes_more_rows(tmp_path: Path) -> None:
    rows = [(i + 1, unit(i)) for i in range(50)]
    path = str(tmp_path / "m")
    first = Matrix(16)
    first.append(rows[:40])
    first.save(path, UID)
    second = Matrix(16)
    second.load(path, UID)
    assert (second.count, second.on_file, second.last) == (40, 40, 40)
    second.append(rows[40:])
    assert [row for row, _ in second.nearest(unit(7), 50)] == by_hand(rows, unit(7))


@pytest.mark.parametrize("damage", ["missing", "short", "other space", "other dimensions"])
def test_a_file_that_does_not_fit_is_not_used(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "m"
    matrix = Matrix(16)
    matrix.append([(1, unit(1))])
    if damage != "missing":
        matrix.save(str(path), "f" * 32 if damage == "other space" else UID)
    if damage == "short":
        path.write_bytes(path.read_bytes()[:-3])
    other = Matrix(8 if damage == "other dimensions" else 16)
    other.load(str(path), UID)
    assert other.count == 0


def test_with_many_rows_one_bit_chooses_and_the_order_is_still_exact_at_the_top() -> None:
    rows = [(i + 1, unit(i, 128)) for i in range(3000)]
    quick, exact = Matrix(128, exact_up_to=1000), Matrix(128)
    for matrix in (quick, exact):
        matrix.append(rows)
    assert (quick.engine, exact.engine) == ("numpy-1bit", "numpy-exact")
    overlap = 0
    for query in range(20):
        near = unit(query, 128)  # one of the rows, so its own row must come first
        assert quick.nearest(near, 1) == exact.nearest(near, 1)
        overlap += len({row for row, _ in quick.nearest(near, 10)} & {row for row, _ in exact.nearest(near, 10)})
    assert overlap >= 0.8 * 20 * 10  # random vectors are the worst case: no row is much nearer than the next


def memory_with(home: Path, embedder: FakeEmbedder, **settings: object) -> Memory:
    memory = Memory.open(home, embedder=embedder, settings={f"memory.{key}": value for key, value in settings.items()})
    for i in range(30):
        memory.save(f"Entry {i} speaks of topic{i % 7} and of thing{i}.", file=f"memory/n{i}.md")
    memory.sync()
    return memory


def test_vectors_and_words_answer_together(home: Path) -> None:
    with memory_with(home, FakeEmbedder()) as memory:
        found = memory.search("topic3 thing10")
        assert (found.mode, found.provider, found.model, found.because) == ("hybrid", "fake", "fake-64", "")
        assert found.results[0].path == "memory/n10.md"
        assert found.results[0].vector_score is not None
        assert found.results[0].text_score is not None


@pytest.mark.promise("P7")
def test_with_the_provider_down_keywords_answer_and_say_why(home: Path) -> None:
    embedder = FakeEmbedder()
    with memory_with(home, embedder) as memory:
        embedder.down = True
        found = memory.search("thing10")
        assert found.mode == "keyword"
        assert "switched off" in found.because
        assert found.results[0].path == "memory/n10.md"
        memory.save("written while it was down", file="memory/new.md")
        assert memory.search("written while").results[0].path == "memory/new.md"
        embedder.down = False
        assert memory.sync().embedded == 1
        assert memory.search("written while").mode == "hybrid"


@pytest.mark.promise("P8")
def test_another_model_starts_a_space_of_its_own(home: Path) -> None:
    with memory_with(home, FakeEmbedder("one", 64)) as memory:
        memory.search("topic1")
    second = FakeEmbedder("two", 32)
    with Memory.open(home, embedder=second) as memory:
        memory.sync()
        assert memory.search("topic1 thing1").mode == "hybrid"
        spaces = {(space["model"], space["dimensions"], space["embedded"]) for space in memory.status().spaces}
        assert spaces == {("one", 64, 30), ("two", 32, 30)}
        lengths = memory.rooms.database.connection.all("SELECT DISTINCT space, length(vector) FROM vectors ORDER BY 1")
        assert lengths == [(1, 64 * 4), (2, 32 * 4)]
    again = FakeEmbedder("one", 64)
    with Memory.open(home, embedder=again) as memory:
        memory.sync()
        assert again.texts == 0  # the first space was kept, and covers everything


def test_partial_vectors_are_admitted(home: Path) -> None:
    embedder = FakeEmbedder()
    with memory_with(home, embedder) as memory:
        embedder.down = True
        memory.save("one more, without a vector", file="memory/late.md")
        embedder.down = False
        found = memory.search("topic3", max_results=1)
        assert found.mode == "hybrid"  # the search itself has filled in the one that was missing
        assert found.because == ""


def test_disable_rag_means_keywords_and_no_call(home: Path) -> None:
    embedder = FakeEmbedder()
    with memory_with(home, embedder, disable_rag=True) as memory:
        found = memory.search("thing3")
        assert (found.mode, embedder.calls) == ("keyword", 0)
        assert "disable_rag" in found.because


def test_without_hybrid_vectors_answer_alone(home: Path) -> None:
    with memory_with(home, FakeEmbedder(), **{"search.hybrid": False}) as memory:
        found = memory.search("thing3")
        assert found.mode == "vector"
        assert all(hit.text_score is None for hit in found.results)


def test_sqlite_vec_answers_when_asked_for_and_agrees_with_numpy(home: Path) -> None:
    path = sqlite_vec.loadable_path()
    with memory_with(home, FakeEmbedder()) as plain:
        expected = [(hit.path, round(hit.vector_score or 0, 4)) for hit in plain.search("topic3 thing10").results]
        assert plain.status().engine == "numpy-exact"
    with Memory.open(home, embedder=FakeEmbedder(), settings={"memory.store.vector.extension_path": path}) as memory:
        memory.sync()
        found = [(hit.path, round(hit.vector_score or 0, 4)) for hit in memory.search("topic3 thing10").results]
        assert memory.status().engine == "sqlite-vec"
        memory.delete("memory/n10.md", delete_file=True)
        memory.save("thing10 is back", file="memory/again.md")
        memory.sync()
        assert "memory/n10.md" not in {hit.path for hit in memory.search("topic3 thing10", max_results=30).results}
    assert found == expected


def test_an_extension_that_does_not_load_is_reported_and_done_without(home: Path, tmp_path: Path) -> None:
    settings = {"memory.store.vector.extension_path": str(tmp_path / "nothing.so")}
    with Memory.open(home, embedder=FakeEmbedder(), settings=settings) as memory:
        memory.save("some text")
        assert memory.search("some text").mode == "hybrid"
        status = memory.status()
        assert status.engine == "numpy-exact"
        assert "could not be loaded" in status.spaces[0]["because"]


def test_unreferenced_vectors_are_kept_up_to_the_limit_least_recently_used_first(home: Path) -> None:
    embedder = FakeEmbedder()
    with memory_with(home, embedder, **{"cache.max_entries": 3}) as memory:
        for i in (5, 1, 9, 7, 2):
            memory.delete(f"memory/n{i}.md", delete_file=True)
        count = memory.rooms.database.connection.one("SELECT count(*) FROM vectors")
        assert count == 25 + 3
        before = embedder.texts
        memory.undo()  # the note deleted last comes back without a call
        assert embedder.texts == before
        assert memory.status().spaces[0]["embedded"] == 26


def test_without_a_cache_nothing_unreferenced_stays(home: Path) -> None:
    with memory_with(home, FakeEmbedder(), **{"cache.enabled": False}) as memory:
        memory.delete("memory/n5.md", delete_file=True)
        assert memory.rooms.database.connection.one("SELECT count(*) FROM vectors") == 29


def test_a_text_without_a_vector_is_left_to_keywords_and_not_asked_for_again(home: Path) -> None:
    embedder = FakeEmbedder()
    with Memory.open(home, embedder=embedder) as memory:
        memory.save("!!! ??? ***", file="memory/signs.md")
        memory.save("words", file="memory/words.md")
        before = embedder.texts
        memory.sync()
        assert embedder.texts == before
        assert memory.status().spaces[0]["embedded"] == 2


def test_dead_rows_do_not_crowd_out_live_ones(tmp_path: Path, home: Path) -> None:
    """The matrix may hold many vectors of texts that are gone; as many live ones as were asked for still come."""
    with Memory.open(home, embedder=FakeEmbedder()) as memory:
        for i in range(40):
            memory.save(f"shared words and the number {i}", file=f"memory/n{i}.md")
        for i in range(35):
            memory.delete(f"memory/n{i}.md", delete_file=True)
        vectors = memory.rooms.database.vectors(SpaceKey("fake", "fake-64", "", 64))
        assert isinstance(vectors, Vectors)
        near = vectors.nearest(unit(3, 64), 5)
        assert len(near.ranked) == 5


def test_a_connection_closed_twice_is_no_error(tmp_path: Path) -> None:
    connection = Connection(str(tmp_path / "x.sqlite"))
    connection.close()
    connection.close()
