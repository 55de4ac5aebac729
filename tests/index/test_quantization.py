from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.embeddings.vector_bytes import quantize
from holdfast.index.sqlite.quantization import ByteVectors


def units(count: int, dimensions: int, seed: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    made = np.random.default_rng(seed).standard_normal((count, dimensions))
    rows: np.ndarray[Any, np.dtype[np.float32]] = (made / np.linalg.norm(made, axis=1, keepdims=True)).astype("<f4")
    return rows


@given(dimensions=st.integers(1, 600), seed=st.integers(0, 999))
def test_a_vector_is_kept_in_a_byte_a_number_and_stays_near_itself_and_as_long_as_one(
    dimensions: int, seed: int
) -> None:
    (vector,) = units(1, dimensions, seed)
    (row,) = quantize([vector.tobytes()], dimensions)
    assert len(row) == dimensions
    (found,) = ByteVectors.of([row], dimensions).floats()
    assert abs(float(np.linalg.norm(found)) - 1.0) < 1e-5
    assert float(found @ vector) > 0.999


@given(dimensions=st.integers(64, 600), seed=st.integers(0, 999))
def test_cosines_stay_within_a_hundredth(dimensions: int, seed: int) -> None:
    *vectors, query = units(40, dimensions, seed)
    rows = quantize([vector.tobytes() for vector in vectors], dimensions)
    found = ByteVectors.of(rows, dimensions).cosines(query)
    assert np.abs(found - np.array(vectors) @ query).max() < 0.01


@given(dimensions=st.integers(2, 64), seed=st.integers(0, 999))
def test_what_is_read_and_kept_again_does_not_change(dimensions: int, seed: int) -> None:
    rows = quantize([vector.tobytes() for vector in units(5, dimensions, seed)], dimensions)
    again = quantize([vector.tobytes() for vector in ByteVectors.of(rows, dimensions).floats()], dimensions)
    assert list(again) == list(rows)


def test_a_vector_of_zeros_and_an_empty_one_do_no_harm() -> None:
    assert quantize([bytes(12), b""], 3) == [bytes(3), b""]
    assert ByteVectors.of([bytes(3)], 3).cosines(np.ones(3, "<f4")).tolist() == [0.0]


def test_vectors_of_four_bytes_a_number_as_an_older_index_has_them_are_used_and_not_asked_for_again(
    home: Path,
) -> None:
    embedder = FakeEmbedder()
    with Memory.open(home, embedder=embedder) as memory:
        for number, line in enumerate(("The heron nests in the alder.", "Ida moved to Ghent.", "Tea is in the tin.")):
            memory.save(line, file=f"memory/n{number}.md")
        before = [hit.citation for hit in memory.search("Where did Ida move to?").results]
        database = memory.ctx.database
        with database.connection.writing() as raw:
            for number, vector in raw.execute("SELECT id, vector FROM vectors").fetchall():
                longer = ByteVectors.of([vector], embedder.space.dimensions).floats()[0].tobytes()
                raw.execute("UPDATE vectors SET vector = ? WHERE id = ?", (longer, number))
    asked = embedder.texts
    with Memory.open(home, embedder=embedder) as memory:
        memory.sync()
        assert embedder.texts == asked
        assert [hit.citation for hit in memory.search("Where did Ida move to?").results] == before
        assert memory.ctx.database.check() == []
