"""Many words cut at once have the pieces that each has when it is cut alone."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from embeddings.small_model import small_model
from hypothesis import given
from hypothesis import strategies as st

from holdfast.embeddings.static.charmap import CharMap
from holdfast.embeddings.static.piece_blocks import SPACE, PieceBlocks
from holdfast.embeddings.static.piece_hashes import PieceHashes, character_codes
from holdfast.embeddings.static.token_tables import UnigramPart, WordMeasure
from holdfast.embeddings.static.unigram import Unigram
from holdfast.embeddings.static.unigram_batch import LONGEST_WORD, UnigramBatch
from holdfast.embeddings.static.unigramfile import read, write

LETTERS = "aehinrstß üéкоеа经理的ทานก회의 .,!1ሰ🙂"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("batch") / "small.model"
    write(path, small_model())
    return path


@pytest.fixture(scope="module")
def part(path: Path) -> UnigramPart:
    return UnigramPart(path)


@pytest.fixture(scope="module")
def batch(path: Path, part: UnigramPart) -> UnigramBatch:
    model = read(path)
    return UnigramBatch(hashes_of(model.pieces.lines), model.costs, part.cutter.unknown_cost)


def hashes_of(lines: bytes | memoryview) -> PieceHashes:
    return PieceHashes(PieceHashes.bytes_of(lines), bytes(lines).count(b"\n"))


def cut_together(batch: UnigramBatch, words: list[str]) -> list[list[tuple[int, int]]]:
    """The pieces of each word, and where in it each ends."""
    lengths = np.array([len(word) for word in words], np.int64)
    found = batch.cut(character_codes("".join(words)), lengths)
    firsts = (np.cumsum(lengths) - lengths).tolist()
    pieces: list[list[tuple[int, int]]] = [[] for _ in words]
    for word, piece, end in zip(found.words.tolist(), found.pieces.tolist(), found.ends.tolist(), strict=True):
        pieces[word].append((piece, end - firsts[word]))
    return [sorted(one, key=lambda pair: pair[1]) for one in pieces]


WORDS = st.lists(st.one_of(st.text(st.sampled_from(LETTERS.replace(" ", SPACE)), max_size=40), st.text(max_size=12)))


@given(WORDS)
def test_words_have_the_same_pieces_together_and_alone(
    batch: UnigramBatch, part: UnigramPart, words: list[str]
) -> None:
    words = [word for word in words if " " not in word and word.isprintable()]
    assert cut_together(batch, words) == [part.cutter.cut(word) if word else [] for word in words]


@given(st.lists(st.text("abc", min_size=1, max_size=4), unique=True, min_size=1), st.data())
def test_cheapest_way_is_found_with_any_costs(pieces: list[str], data: st.DataObject) -> None:
    costs = data.draw(st.lists(st.integers(1, 9), min_size=len(pieces), max_size=len(pieces)))
    words = data.draw(st.lists(st.text("abcd", min_size=1, max_size=12), min_size=1))
    alone = Unigram(PieceBlocks.of(pieces), costs, CharMap(b"", ""), "")
    kept = [number for number in range(len(pieces)) if number not in alone.needless()]
    pieces, costs = [pieces[number] for number in kept], [costs[number] for number in kept]
    alone = Unigram(PieceBlocks.of(pieces), costs, CharMap(b"", ""), "")
    lines = "".join(f"{piece}\n" for piece in pieces).encode()
    together = UnigramBatch(hashes_of(lines), np.array(costs, np.uint16), alone.unknown_cost)
    assert cut_together(together, words) == [alone.cut(word) for word in words]


def sorted_pieces(measured: WordMeasure) -> WordMeasure:
    return measured._replace(pieces=sorted(measured.pieces))


def test_many_new_words_are_measured_as_few_are(path: Path) -> None:
    lot = random.Random(0)
    words = ["".join(lot.choices(LETTERS.replace(" ", ""), k=lot.randrange(1, 20))) for _ in range(5_000)]
    many, few = UnigramPart(path), UnigramPart(path)
    together = list(many.measure_all(words))
    alone = [measured for start in range(0, 5_000, 50) for measured in few.measure_all(words[start : start + 50])]
    assert list(map(sorted_pieces, together)) == list(map(sorted_pieces, alone))
    # A text without a space is cut by itself, whatever comes with it.
    long = [*words[:3_000], "经理" * LONGEST_WORD]
    (last,) = few.measure_all(long[-1:])
    assert sorted_pieces(list(many.measure_all(long))[-1]) == sorted_pieces(last)
