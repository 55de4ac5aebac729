from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
import sqlite_vec
from hypothesis import given
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.embeddings.embedder import SpaceKey
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.errors import StorageFailed
from holdfast.index.sqlite.connection import Connection
from holdfast.index.sqlite.database import Database
from holdfast.index.sqlite.matrix import Matrix
from holdfast.index.sqlite.matrix_file import Batch, map_file
from holdfast.index.sqlite.matrix_file import write_file as write_batches
from holdfast.index.sqlite.quantization import ByteVectors
from holdfast.index.sqlite.vectors import Vectors
from holdfast.index.store_contract import Within
from holdfast.operations.diagnosis import doctor

UID = "0" * 32


def unit(seed: int, dimensions: int = 16) -> bytes:
    vector = np.random.default_rng(seed).standard_normal(dimensions).astype("<f4")
    return bytes((vector / np.linalg.norm(vector)).astype("<f4").tobytes())


def write_file(
    path: str, uid: str, dimensions: int, batches: Iterable[Sequence[tuple[int, bytes]]], exact_up_to: int
) -> None:
    write_batches(
        path,
        uid,
        dimensions,
        (Batch([row for row, _ in rows], ByteVectors.of([own for _, own in rows], dimensions)) for rows in batches),
        exact_up_to,
    )


def cosine(vector: bytes, query: bytes) -> float:
    """The cosine of a vector as it is kept, a byte a number, with a question's as it comes."""
    numbers = np.frombuffer(vector, "<f4")
    codes = np.rint(numbers * (np.float32(127) / np.abs(numbers).max()))
    product = np.vecdot(codes, np.frombuffer(query, "<f4")) * np.float32(1 / np.sqrt(np.vecdot(codes, codes)))
    return round(float(product), 6)


def by_hand(rows: list[tuple[int, bytes]], query: bytes) -> list[int]:
    scores = {row: cosine(vector, query) for row, vector in rows}
    return sorted(scores, key=lambda row: (-scores[row], row))


@given(count=st.integers(1, 60), cut=st.integers(0, 60), limit=st.integers(1, 70), seed=st.integers(0, 999))
def test_the_matrix_gives_the_exact_order_however_it_was_filled(count: int, cut: int, limit: int, seed: int) -> None:
    rows = [(i + 1, unit(seed * 1000 + i)) for i in range(count)]
    matrix = Matrix(16)
    matrix.append(rows[:cut])
    matrix.append(rows[cut:])
    found = matrix.nearest(unit(seed), limit)
    assert [row for row, _ in found] == by_hand(rows, unit(seed))[:limit]


@given(st.sets(st.integers(1, 60), min_size=2), st.integers(1, 59), st.lists(st.integers(0, 80)))
def test_some_rows_are_compared_wherever_they_stand_and_however_often_they_are_asked_for(
    numbers: set[int], cut: int, asked: list[int]
) -> None:
    rows = [(number, unit(number)) for number in sorted(numbers)]
    matrix, query = Matrix(16), unit(99)
    matrix.append(rows[:cut])
    matrix.on_file = min(cut, len(rows))  # so that what follows is a tail
    matrix.append(rows[cut:])
    expected = [round(cosine(unit(number), query), 2) if number in numbers else None for number in asked]
    first = matrix.cosines(query, asked)
    assert [None if score != score else round(score, 2) for score in first] == pytest.approx(expected, abs=0.03)
    for _ in range(12):  # after some, where each stands is known
        assert matrix.cosines(query, asked) == pytest.approx(first, abs=0.0, nan_ok=True)


def test_a_saved_matrix_answers_as_before_and_takes_more_rows(tmp_path: Path) -> None:
    rows = [(i + 1, unit(i)) for i in range(50)]
    path = str(tmp_path / "m")
    write_file(path, UID, 16, [rows[:15], rows[15:40]], exact_up_to=100)
    second = Matrix(16)
    second.load(path, UID)
    assert (second.count, second.on_file, second.gathered(range(60))[0]) == (40, 40, list(range(1, 41)))
    second.append(rows[40:])
    assert [row for row, _ in second.nearest(unit(7), 50)] == by_hand(rows, unit(7))


@pytest.mark.parametrize("coded", [0, 1])
@pytest.mark.parametrize("damage", ["missing", "short", "other space", "other dimensions"])
def test_a_file_that_does_not_fit_is_not_used(tmp_path: Path, damage: str, coded: int) -> None:
    path = tmp_path / "m"
    if damage != "missing":
        write_file(str(path), "f" * 32 if damage == "other space" else UID, 16, [[(1, unit(1))]], exact_up_to=coded)
    if damage == "short":
        path.write_bytes(path.read_bytes()[:-3])
    other = Matrix(8 if damage == "other dimensions" else 16)
    other.load(str(path), UID)
    assert other.count == 0


def in_topics(count: int, dimensions: int, seed: int = 0) -> list[tuple[int, bytes]]:
    """Vectors as texts have them: all lean one way, and those of one topic lie near each other."""
    draw = np.random.default_rng(seed)
    topics = np.random.default_rng(7).standard_normal((40, dimensions))
    made = topics[draw.integers(0, 40, count)] + 1.5 * draw.standard_normal((count, dimensions)) + 1.2
    made = (made / np.linalg.norm(made, axis=1, keepdims=True)).astype("<f4")
    return [(row, vector.tobytes()) for row, vector in enumerate(made, 1)]


@pytest.mark.parametrize("dimensions", [256, 100, 65])
def test_of_many_rows_codes_choose_and_hardly_any_of_the_nearest_is_missed(tmp_path: Path, dimensions: int) -> None:
    rows = in_topics(30_000, dimensions)
    path = str(tmp_path / "m")
    write_file(path, UID, dimensions, [rows[:17_000], rows[17_000:29_500]], exact_up_to=1000)
    quick, exact = Matrix(dimensions), Matrix(dimensions)
    quick.load(path, UID)
    quick.append(rows[29_500:29_700])
    quick.append(rows[29_700:])  # what is not on file yet is searched as well
    exact.append(rows)
    assert (quick.engine, exact.engine) == ("numpy-shortlist", "numpy-exact")
    found = missed = 0
    for _, query in in_topics(25, dimensions, seed=1):
        near, right = quick.nearest(query, 48), dict(exact.nearest(query, 48))
        assert [score for _, score in near] == sorted((score for _, score in near), reverse=True)
        assert all(right.get(row, score) == score for row, score in near)  # what is given is exact
        found += len(right.keys() & dict(near).keys())
        missed += len(right.keys() - dict(near).keys())
    assert missed <= 0.02 * (found + missed)


def test_a_file_that_is_not_kept_in_memory_gives_the_same_rows(tmp_path: Path) -> None:
    rows = in_topics(30_000, 64)
    path = str(tmp_path / "m")
    write_file(path, UID, 64, [rows[:29_000]], exact_up_to=1000)
    matrix = Matrix(64, bytes_read=64 * 7_000)  # of 29,000 rows the last piece has fewer
    matrix.load(path, UID)
    matrix.append(rows[29_000:])
    for _, query in in_topics(10, 64, seed=1):
        kept = matrix.nearest(query, 20)
        assert matrix.nearest(query, 20, keep=False) == kept
        assert matrix.nearest(query, 20) == kept  # what was let go is read again


@given(
    count=st.integers(0, 300),
    cut=st.integers(0, 300),
    limit=st.integers(1, 150),
    asked=st.integers(0, 5),
    topics=st.integers(1, 40),
    seed=st.integers(0, 999),
)
def test_many_questions_at_once_find_what_each_of_them_finds(
    count: int, cut: int, limit: int, asked: int, topics: int, seed: int
) -> None:
    rows = [(i + 1, unit(seed * 1000 + i % topics)) for i in range(count)]  # and many of them tie
    matrix = Matrix(16)
    matrix.append(rows[:cut])
    matrix.append(rows[cut:])
    queries = [unit(seed + place) for place in range(asked)]
    assert matrix.nearest_each(queries, limit) == [matrix.nearest(query, limit) for query in queries]


def test_many_questions_at_once_miss_nothing_that_is_near_in_a_large_file(tmp_path: Path) -> None:
    rows = in_topics(30_000, 64)
    path = str(tmp_path / "m")
    write_file(path, UID, 64, [rows[:29_000]], exact_up_to=1000)
    coded, exact = Matrix(64), Matrix(64)
    coded.load(path, UID)
    coded.append(rows[29_000:])
    exact.append(rows)
    queries = [query for _, query in in_topics(10, 64, seed=1)]
    assert coded.nearest_each(queries, 9) == [exact.nearest(query, 9) for query in queries]


def test_many_questions_at_once_are_answered_where_numbers_on_file_are_damaged(tmp_path: Path) -> None:
    rows = in_topics(5_000, 64)
    path = tmp_path / "m"
    write_file(str(path), UID, 64, [rows], exact_up_to=10_000)
    content = bytearray(path.read_bytes())
    steps = len(content) - 5_000 * (4 + 8)
    content[steps : steps + 400] = np.full(100, np.nan, "<f4").tobytes()
    path.write_bytes(content)
    matrix = Matrix(64)
    matrix.load(str(path), UID)
    queries = [query for _, query in in_topics(3, 64, seed=1)]
    assert matrix.nearest_each(queries, 9) == [matrix.nearest(query, 9) for query in queries]


def test_a_row_is_its_own_nearest_whether_on_file_or_not(tmp_path: Path) -> None:
    rows = in_topics(20_000, 64)
    path = str(tmp_path / "m")
    write_file(path, UID, 64, [rows[:19_000]], exact_up_to=1000)
    matrix = Matrix(64)
    matrix.load(path, UID)
    matrix.append(rows[19_000:])
    for row, vector in (rows[0], rows[8_191], rows[18_999], rows[19_000], rows[-1]):
        nearest, score = matrix.nearest(vector, 3)[0]
        assert nearest == row
        assert score == pytest.approx(1.0, abs=1e-3)


def test_who_asks_for_a_large_part_of_the_rows_gets_the_exact_order(tmp_path: Path) -> None:
    rows = in_topics(9_000, 32)
    path = str(tmp_path / "m")
    write_file(path, UID, 32, [rows], exact_up_to=1000)
    matrix = Matrix(32)
    matrix.load(path, UID)
    assert [row for row, _ in matrix.nearest(rows[5][1], 5_000)] == by_hand(rows, rows[5][1])[:5_000]


def test_the_same_rows_give_the_same_file_however_they_come(tmp_path: Path) -> None:
    rows = in_topics(20_000, 96)
    one, other = tmp_path / "one", tmp_path / "other"
    write_file(str(one), UID, 96, [rows], exact_up_to=1000)
    write_file(str(other), UID, 96, [rows[:5], rows[5:12_000], rows[12_000:]], exact_up_to=1000)
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize("same", ["equal", "zero"])
def test_vectors_that_are_all_alike_do_no_harm(tmp_path: Path, same: str) -> None:
    vector = unit(1, 32) if same == "equal" else bytes(4 * 32)
    path = str(tmp_path / "m")
    write_file(path, UID, 32, [[(row, vector) for row in range(1, 12_001)]], exact_up_to=1000)
    matrix = Matrix(32)
    matrix.load(path, UID)
    found = matrix.nearest(unit(1, 32), 5)
    assert len(found) == 5
    (score,) = {score for _, score in found}
    assert score == pytest.approx(1.0 if same == "equal" else 0.0, abs=1e-3)


def test_a_file_that_can_not_be_written_leaves_the_old_one_and_no_scraps(tmp_path: Path) -> None:
    path = tmp_path / "m"
    write_file(str(path), UID, 16, [[(1, unit(1))]], exact_up_to=100)

    def breaks_off() -> Iterator[list[tuple[int, bytes]]]:
        yield [(1, unit(1))]
        raise OSError(28, "No space left on device")

    write_file(str(path), UID, 16, breaks_off(), exact_up_to=100)
    mapped = map_file(str(path), UID, 16)
    assert mapped is not None
    assert mapped.rows.tolist() == [1]
    assert [entry.name for entry in tmp_path.iterdir()] == ["m"]


def test_many_texts_are_written_to_a_file_with_codes_and_later_ones_wait_in_the_tail(tmp_path: Path) -> None:
    database = Database(str(tmp_path / "x.sqlite"))
    vectors = Vectors(database.connection, SpaceKey("p", "m", "", 64), exact_up_to=4_000)
    rows = in_topics(9_500, 64)
    for some in (rows[:9_000], rows[9_000:]):
        vectors.put([(f"h{row}", vector) for row, vector in some])
        vectors.tidy()
    (uid, name) = database.connection.all("SELECT uid, name FROM spaces JOIN vector_files")[0]
    mapped = map_file(f"{database.path}.space1.{name}", uid, 64)
    assert mapped is not None
    assert mapped.codes is not None
    assert len(mapped.rows) == 9_000  # five hundred more are no reason to write nine thousand again
    assert vectors.engine == "numpy-shortlist"
    database.close()


def memory_with(home: Path, embedder: FakeEmbedder, **settings: object) -> Memory:
    patient = {"remote.query_timeout_ms": 60_000}  # a busy machine is no fault of an embedder
    given = {f"memory.{key}": value for key, value in (patient | settings).items()}
    memory = Memory.open(home, embedder=embedder, settings=given)
    (home / "memory").mkdir(parents=True, exist_ok=True)
    for i in range(30):
        (home / f"memory/n{i}.md").write_text(f"Entry {i} speaks of topic{i % 7} and of thing{i}.\n")
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
        lengths = memory.ctx.database.connection.all("SELECT DISTINCT space, length(vector) FROM vectors ORDER BY 1")
        assert lengths == [(1, 64), (2, 32)]
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


def test_the_coverage_that_a_sync_keeps_is_that_of_now_whatever_changed_since(home: Path) -> None:
    def coverage(memory: Memory) -> tuple[int, int]:
        return memory.ctx.database.vectors(embedder.space).coverage()

    embedder = FakeEmbedder()
    notes = home / "memory"
    notes.mkdir(parents=True)
    (notes / "heron.md").write_text("The heron nests in the alder.\n", encoding="utf-8")
    (notes / "owl.md").write_text("The owl sleeps.\n", encoding="utf-8")
    with Memory.open(home, embedder=embedder) as memory:
        memory.sync()
        assert coverage(memory) == (2, 2)
    with Memory.open(home, embedder=embedder) as memory:
        assert coverage(memory) == (2, 2)
        embedder.down = True
        (notes / "owl.md").write_text("The owl is awake.\n", encoding="utf-8")
        (notes / "me.md").write_text("So am I.\n", encoding="utf-8")
        memory.sync()
        assert coverage(memory) == (3, 1)
        embedder.down = False
        memory.sync()
        assert coverage(memory) == (3, 3)
        (notes / "owl.md").unlink()
        memory.sync()
        assert coverage(memory) == (2, 2)


def test_a_note_that_changed_is_embedded_without_a_look_through_the_index(home: Path) -> None:
    notes = home / "memory"
    notes.mkdir(parents=True)
    for name in ("heron", "owl"):
        (notes / f"{name}.md").write_text(f"The {name} sleeps.\n", encoding="utf-8")
    with Memory.open(home) as memory:
        memory.sync()
        (notes / "owl.md").write_text("The owl is awake.\n", encoding="utf-8")
        statements: list[str] = []

        def note_statement(_: object, sql: str, __: object) -> bool:
            statements.append(sql)
            return True

        memory.ctx.database.connection.raw.exec_trace = note_statement
        synced = memory.sync()
        memory.ctx.database.connection.raw.exec_trace = None
    assert (synced.changed, synced.embedded, synced.pending) == (1, 1, 0)
    looks = [sql for sql in statements if "count(v.id)" in sql or "NOT IN (SELECT hash FROM vectors" in sql]
    assert not looks  # what has a vector follows the change, and what is pending is known


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


def test_an_installed_sqlite_vec_is_found_where_the_settings_ask_for_it(home: Path) -> None:
    with memory_with(home, FakeEmbedder()) as plain:
        expected = [(hit.path, round(hit.vector_score or 0, 4)) for hit in plain.search("topic3 thing10").results]
    asked = {"memory.store.vector.enabled": True}
    with Memory.open(home, embedder=FakeEmbedder(), settings=asked) as memory:
        found = [(hit.path, round(hit.vector_score or 0, 4)) for hit in memory.search("topic3 thing10").results]
        assert (found, memory.status().engine) == (expected, "sqlite-vec")
    for settings in ({}, {"memory.store.vector.enabled": False}):  # and its table is in nobody's way
        with Memory.open(home, embedder=FakeEmbedder(), settings=settings) as memory:
            assert memory.search("topic3 thing10").mode == "hybrid"
            assert memory.status(deep=True).problems == ()
            assert memory.status().engine == "numpy-exact"


def test_a_sqlite_vec_that_is_asked_for_and_not_installed_is_reported(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sqlite_vec", None)  # as where it is not installed
    asked = {"memory.store.vector.enabled": True}
    with Memory.open(home, embedder=FakeEmbedder(), settings=asked) as memory:
        memory.save("some text")
        assert memory.search("some text").mode == "hybrid"
        assert "sqlite-vec could not be loaded" in memory.status().spaces[0]["because"]
    (home / "holdfast.toml").write_text("[memory.store.vector]\nenabled = true\n", encoding="utf-8")
    (check,) = [one for one in doctor(str(home), "main") if one.name == "sqlite-vec"]
    assert not check.ok and "pip install sqlite-vec" in check.remedy


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
        count = memory.ctx.database.connection.one("SELECT count(*) FROM vectors")
        assert count == 25 + 3
        before = embedder.texts
        memory.undo()  # the note deleted last comes back without a call
        assert embedder.texts == before
        assert memory.status().spaces[0]["embedded"] == 26


def test_few_vectors_of_texts_that_are_gone_are_kept_where_they_cost_nothing(home: Path) -> None:
    def gone(memory: Memory, first: int, count: int) -> Vectors:
        vectors = memory.ctx.database.vectors(memory.ctx.database.spaces()[0])
        vectors.put([(f"{first + number:064x}", unit(number, vectors.space.dimensions)) for number in range(count)])
        return vectors

    with Memory.open(home) as memory, Memory.open(home) as other:
        memory.save("The heron nests at kilometre 12.", file="memory/heron.md")
        memory.sync()
        gone(memory, 0, 1000)
        assert other.search("heron").results
        beside = gone(other, 2000, 0)
        assert beside.held == 1001
        (home / "memory" / "otter.md").write_text("The otter sleeps in the reeds.\n", encoding="utf-8")
        memory.sync()
        assert 2 < gone(memory, 0, 0).count() <= 2 + 128
        assert other.search("heron").results[0].path == memory.search("heron").results[0].path
        assert beside.held == beside.count(), "what another process evicted is still in memory"


@pytest.mark.promise("P5")
def test_a_file_of_vectors_that_cant_be_removed_is_told_of_and_what_was_forgotten_is_gone(home: Path) -> None:
    with Memory.open(home) as memory:
        memory.save("The heron nests at kilometre 12.", file="memory/heron.md")
        memory.sync()
        (home / "state" / "main.sqlite.space1").mkdir()
        assert (
            "traces in the index could not be cleared yet"
            in memory.forget(text="The heron nests at kilometre 12.").because
        )
        assert memory.search("heron").results == ()
        with pytest.raises(StorageFailed):
            memory.purge("memory/heron.md")


def test_without_a_cache_nothing_unreferenced_stays(home: Path) -> None:
    with memory_with(home, FakeEmbedder(), **{"cache.enabled": False}) as memory:
        memory.delete("memory/n5.md", delete_file=True)
        assert memory.ctx.database.connection.one("SELECT count(*) FROM vectors") == 29


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
        vectors = memory.ctx.database.vectors(SpaceKey("fake", "fake-64", "", 64))
        assert isinstance(vectors, Vectors)
        near = vectors.nearest(unit(3, 64), 5)
        assert len(near.ranked) == 5
        assert vectors.nearest_each([(unit(3, 64), []), (unit(4, 64), [near.ranked[0].row])], 5) == [
            near,
            vectors.nearest(unit(4, 64), 5, [near.ranked[0].row]),
        ]


def test_a_connection_closed_twice_is_no_error(tmp_path: Path) -> None:
    connection = Connection(str(tmp_path / "x.sqlite"))
    connection.close()
    connection.close()


@pytest.mark.parametrize("extension", [None, sqlite_vec.loadable_path()])
def test_a_narrow_scope_gives_what_a_wide_look_sifted_gives(home: Path, extension: str | None) -> None:
    settings = {} if extension is None else {"memory.store.vector.extension_path": extension}
    (home / "memory").mkdir(parents=True)
    for i in range(120):
        (home / f"memory/n{i}.md").write_text(f"Entry {i} speaks of topic{i % 7} and of thing{i}.\n")
    with Memory.open(home, embedder=FakeEmbedder(), settings=settings) as memory:
        memory.sync()
        vectors = memory.ctx.database.vectors(SpaceKey("fake", "fake-64", "", 64))
        assert isinstance(vectors, Vectors)
        everything = vectors.nearest(unit(3, 64), 200)
        chosen = sorted(one.row for one in everything.ranked)[::9]  # each note is one chunk, and has its number
        narrow = vectors.nearest(unit(3, 64), 5, within=Within(chosen[:-1], chosen[-1:]))
        inside = [one for one in everything.ranked if one.row in chosen]
        assert len(chosen) ** 2 <= 4 * 5 * 120  # which makes it narrow
        assert [one.score for one in narrow.ranked] == [one.score for one in inside][:5]
        assert {one.row for one in narrow.ranked} <= set(chosen)
        assert vectors.nearest(unit(3, 64), 5, within=Within([])).ranked == []


@pytest.mark.parametrize("facts", [4, 90])
def test_the_nearest_facts_are_those_that_a_look_at_everything_sifted_gives(home: Path, facts: int) -> None:
    (home / "memory").mkdir(parents=True)
    bullet = "- Ida likes topic{0} and thing{1} <!-- fact id=f{1:05d} origin=user observed=2026-03-02 -->\n"
    (home / "memory/facts.md").write_text("".join(bullet.format(i % 7, i) for i in range(facts)))
    for i in range(200):
        (home / f"memory/n{i}.md").write_text(f"Entry {i} speaks of topic{i % 7} and of thing{i}.\n")
    with Memory.open(home, embedder=FakeEmbedder()) as memory:
        memory.sync()
        vectors, edition = (
            memory.ctx.database.vectors(SpaceKey("fake", "fake-64", "", 64)),
            memory.ctx.database.serving(),
        )
        assert isinstance(vectors, Vectors)
        assert edition is not None
        among = {row for (row,) in memory.ctx.database.connection.all(f"SELECT chunk FROM e{edition.number}_facts")}
        everything = [one for one in vectors.nearest(unit(3, 64), 1_000).ranked if one.row in among]
        expected = sorted(everything, key=lambda one: (-one.score, one.row))
        assert vectors.nearest_facts(unit(3, 64), 3) == [one.row for one in expected][:3]
        assert len(expected) == facts
