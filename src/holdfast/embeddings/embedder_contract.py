"""The contract of every embedder, as checks that any implementation's tests can call."""

from __future__ import annotations

from holdfast.embeddings.embedder import Embedder, Purpose
from holdfast.embeddings.vector_check import pack_vectors

__all__ = ["check_embedder"]

_TEXTS = ("the cat sat on the mat", "an invoice for March", "the cat sat on the mat", "猫が座った")


def check_embedder(embedder: Embedder) -> None:
    """Run the whole contract; an AssertionError or BadVectors says which part does not hold."""
    _count_order_and_space(embedder)
    _same_text_same_vector(embedder)
    _batching_changes_nothing(embedder)
    _odd_texts_are_answered(embedder)


def _count_order_and_space(embedder: Embedder) -> None:
    answer = embedder.embed(_TEXTS, Purpose.DOCUMENT)
    assert answer.space == embedder.space, "the answer must name the space it belongs to"
    rows = pack_vectors(answer, len(_TEXTS), embedder.space)
    assert rows[0] != rows[1], "different texts must not share a vector"
    assert pack_vectors(embedder.embed([], Purpose.DOCUMENT), 0, embedder.space) == [], "no texts, no vectors"


def _same_text_same_vector(embedder: Embedder) -> None:
    rows = pack_vectors(embedder.embed(_TEXTS, Purpose.DOCUMENT), len(_TEXTS), embedder.space)
    again = pack_vectors(embedder.embed(_TEXTS, Purpose.DOCUMENT), len(_TEXTS), embedder.space)
    assert rows[0] == rows[2], "equal texts must have equal vectors"
    assert rows == again, "the same call must give the same bytes"


def _batching_changes_nothing(embedder: Embedder) -> None:
    import numpy as np

    together = pack_vectors(embedder.embed(_TEXTS, Purpose.DOCUMENT), len(_TEXTS), embedder.space)
    for text, row in zip(_TEXTS, together, strict=True):
        (alone,) = pack_vectors(embedder.embed([text], Purpose.DOCUMENT), 1, embedder.space)
        assert bool(alone) == bool(row), "a text has a vector or has none, whatever it is sent with"
        if row:
            cosine = float(np.dot(np.frombuffer(row, "<f4"), np.frombuffer(alone, "<f4")))
            assert cosine > 0.999, "a vector must not depend on its neighbours in the batch"


def _odd_texts_are_answered(embedder: Embedder) -> None:
    odd = ["", " ", "\n\n", "x", "🙂" * 50, "word " * 20_000]
    for purpose in Purpose:
        pack_vectors(embedder.embed(odd, purpose), len(odd), embedder.space)
