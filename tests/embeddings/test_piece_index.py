"""Pieces are found in either kind of file as they are in a dictionary of all of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.embeddings.static.modelfile import read as read_model
from holdfast.embeddings.static.piece_hashes import PieceHashes, character_codes, extend
from holdfast.embeddings.static.piece_index import FEW_CHARACTERS, PieceIndex, index_of
from holdfast.embeddings.static.static_embedder import STATIC_2
from holdfast.embeddings.static.token_tables import Part, read_part
from holdfast.embeddings.static.unigramfile import read as read_unigram

PIECES = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n"), min_size=1), unique=True, max_size=40)
WORDS = ["the", "garden", "Remembering", "встреча", "nächste", "東京都", "antidisestablishment", "x" * 40, "\U0001f980"]


def lines_of(pieces: list[str]) -> bytes:
    return "".join(f"{piece}\n" for piece in pieces).encode()


def index_for(pieces: list[str]) -> PieceIndex:
    return PieceIndex(lines_of(pieces), index_of(pieces), len(pieces))


def hashes_for(pieces: list[str]) -> PieceHashes:
    return PieceHashes(PieceHashes.bytes_of(lines_of(pieces)), len(pieces))


def hashed(piece: str) -> np.uint64:
    codes = character_codes(piece)
    found = np.zeros(1, np.uint64)
    for place in range(len(codes)):
        found = extend(found, codes[place : place + 1])
    return np.uint64(found[0])


@pytest.mark.parametrize("make", [index_for, hashes_for])
@given(pieces=PIECES, others=st.lists(st.text()))
def test_each_piece_has_its_number_and_nothing_else_has_one(
    make: Callable[[list[str]], PieceIndex | PieceHashes], pieces: list[str], others: list[str]
) -> None:
    index = make(pieces)
    assert [index.find(piece) for piece in pieces] == list(range(len(pieces)))
    assert all(index.find(other) is None for other in others if other not in pieces)


@given(PIECES, st.lists(st.text(min_size=1)))
def test_many_pieces_are_found_at_once_as_one_by_one(pieces: list[str], others: list[str]) -> None:
    index, asked = hashes_for(pieces), [*pieces, *others]
    found = index.find_all(np.array([hashed(piece) for piece in asked], np.uint64)).tolist()
    assert [None if number < 0 else number for number in found] == [index.find(piece) for piece in asked]


def test_the_files_that_are_shipped_are_those_of_the_models() -> None:
    english, languages = STATIC_2.parts
    for part, data in (
        (english, index_of(read_model(english.path).pieces)),
        (languages, PieceHashes.bytes_of(lines_of(read_unigram(languages.path).pieces.all()))),
    ):
        assert part.index_path is not None
        with open(part.index_path, "rb") as file:
            assert file.read() == data


def test_half_of_a_surrogate_pair_is_no_piece() -> None:
    assert index_for(["a"]).find("\ud800") is None
    assert hashes_for(["a"]).find("\ud800") is None


@pytest.mark.parametrize("data", [b"", b"\2", index_of(["a", "b"])[:-1], index_of(["a", "b", "c"]), b"\1" + bytes(8)])
def test_an_index_that_is_cut_short_or_of_other_pieces_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="index of its pieces"):
        PieceIndex(b"a\nb\n", data, 2)


HASHES = PieceHashes.bytes_of(b"a\nb\n")


@pytest.mark.parametrize(
    "data", [b"", HASHES[:-1], PieceHashes.bytes_of(b"a\nb\nc\n"), HASHES[:-8] + bytes(4) + HASHES[-4:]]
)
def test_hashes_that_are_cut_short_or_of_other_pieces_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="index of its pieces"):
        PieceHashes(data, 2)


@given(st.binary(min_size=16, max_size=16))
def test_hashes_that_are_damaged_inside_find_something_wrong_and_nothing_out_of_bounds(damage: bytes) -> None:
    found = PieceHashes(HASHES[:24] + damage + HASHES[40:], 2)
    assert {found.find(piece) for piece in ("a", "b", "c", "ab")} <= {None, 0, 1}
    hashes = extend(np.zeros(3, np.uint64), character_codes("abc"))
    assert set(found.find_all(hashes).tolist()) <= {-1, 0, 1}


@pytest.mark.parametrize("number", [0, 1])
def test_words_are_cut_alike_in_the_file_and_after_all_pieces_are_read(number: int) -> None:
    shipped = STATIC_2.parts[number]
    looked_up, read = read_part(shipped.path, shipped.index_path), read_part(shipped.path)
    before = list(looked_up.measure_all(WORDS))
    assert before == list(read.measure_all(WORDS))
    exhaust(looked_up)
    assert list(looked_up.measure_all(WORDS)) == before


def exhaust(part: Part) -> None:
    """Have so many words cut that all pieces are read."""
    list(part.measure_all([f"word{number}" for number in range(FEW_CHARACTERS // 4)]))
