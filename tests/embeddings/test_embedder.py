from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from holdfast.embeddings.embedder import Embedded, Purpose, SpaceKey
from holdfast.embeddings.embedder_contract import check_embedder
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.embeddings.vector_check import pack_vectors
from holdfast.errors import BadVectors, ProviderFailed

SPACE = SpaceKey("fake", "m", "", 3)


def test_the_fake_keeps_the_contract() -> None:
    check_embedder(FakeEmbedder())
    check_embedder(FakeEmbedder("other", 7))


def test_a_fake_that_is_down_fails_as_a_provider_does() -> None:
    embedder = FakeEmbedder()
    embedder.down = True
    with pytest.raises(ProviderFailed, match="switched off"):
        embedder.embed(["x"], Purpose.QUERY)


@pytest.mark.promise("P8")
@pytest.mark.parametrize(
    ("space", "vectors", "why"),
    [
        (SPACE, [[1.0, 0.0, 0.0]], "1 vectors for 2 texts"),
        (SPACE, [[1.0, 0.0, 0.0], [1.0, 0.0]], "shape"),
        (SPACE, [[1.0, 0.0, 0.0], [math.nan, 0.0, 1.0]], "not finite"),
        (SPACE, [[1.0, 0.0, 0.0], [math.inf, 0.0, 1.0]], "not finite"),
        (SPACE, [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0]], "all zeros"),
        (SPACE._replace(model="n"), [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], "answered as 'n'"),
    ],
)
def test_a_bad_answer_is_refused_whole(space: SpaceKey, vectors: Sequence[Sequence[float]], why: str) -> None:
    with pytest.raises(BadVectors, match=why):
        pack_vectors(Embedded(space, vectors), 2, SPACE)


def test_vectors_are_stored_at_unit_length_and_none_as_nothing() -> None:
    import numpy as np

    rows = pack_vectors(Embedded(SPACE, [[3.0, 0.0, 4.0], None]), 2, SPACE)
    assert np.frombuffer(rows[0], "<f4").tolist() == pytest.approx([0.6, 0.0, 0.8])
    assert rows[1] == b""
