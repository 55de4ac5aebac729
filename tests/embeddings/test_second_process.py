"""A second process with the same model: what it gives is kept as what this one would have made."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from holdfast.embeddings.embed_call import ask
from holdfast.embeddings.embedder import Purpose
from holdfast.embeddings.static.embedding_worker import SecondProcess
from holdfast.embeddings.static.piece_arrays import Words
from holdfast.embeddings.static.static_embedder import CURRENT, StaticEmbedder
from holdfast.embeddings.static.token_tables import WordMeasure
from holdfast.embeddings.vector_bytes import quantize

TEXTS = [
    "",
    "The garden, (the garden) and THE GARDEN: garden's gardens.",
    "Die Kündigungsfrist beträgt drei Monate.\nWe moved the meeting to Friday.",
    "a\x0bb \x1c c\u00a0d\te\r\nf",
    "会议推迟到下周二，因为经理生病了。",
    "plerorkwur plerorkwur, Plerorkwur. PLERORKWUR! file_shandro: 15",
    "word " * 3_000,
]


@pytest.fixture(scope="module")
def second() -> Iterator[SecondProcess]:
    process = SecondProcess(CURRENT.name)
    yield process
    process.close()


def test_a_second_process_gives_the_vectors_that_are_kept(second: SecondProcess) -> None:
    many = [*TEXTS, *(f"line {i} of {i % 7} xorb{i}el, Xorb{i}el." for i in range(700))]
    embedder = StaticEmbedder()
    here = [list(quantize(ask(embedder, texts, Purpose.DOCUMENT), CURRENT.space.dimensions)) for texts in (TEXTS, many)]
    assert [second.ask(TEXTS), second.ask(many)] == here
    assert second.ask(TEXTS) == here[0]  # when it has met all of the words


class _Fails:
    """A part that can't cut words at first."""

    def __init__(self) -> None:
        self.scales = range(10)
        self.fails = True

    def measure_all(self, words: list[str]) -> list[WordMeasure]:
        if self.fails:
            raise MemoryError
        return [WordMeasure([len(word)], len(word), len(word), 0) for word in words]


def test_words_that_could_not_be_cut_are_cut_when_they_come_again() -> None:
    part = _Fails()
    words = Words([part])  # type: ignore[list-item]  # all that is asked of a part here
    with pytest.raises(MemoryError):
        words.of(["one three"])
    part.fails = False
    assert words.of(["three one", "fourth"]).pieces.tolist() == [5, 3, 6]
