"""The pieces of a text: what SentencePiece was recorded to say, and random vocabularies against a plain search.

The recordings are made by `training/record_pieces.py`, which also compares with SentencePiece at length.
"""

from __future__ import annotations

import hashlib
import json
import lzma
from itertools import combinations, pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from counts import counted
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.embeddings.static.charmap import CharMap, joining_characters
from holdfast.embeddings.static.piece_blocks import SPACE, PieceBlocks
from holdfast.embeddings.static.unigram import COSTS_PER_NAT, UNKNOWN, Unigram, find_signs

RECORDED = Path(__file__).parent.parent / "data" / "unigram"


class Recorded(NamedTuple):
    """A small vocabulary, and how the reference cut texts with it: a run of unknown characters is UNKNOWN once."""

    pieces: list[str]
    costs: list[int]
    cuts: list[tuple[str, list[int]]]
    normalized: str


@pytest.fixture(scope="module")
def recorded() -> Recorded:
    return Recorded(**json.loads((RECORDED / "recorded.json").read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def charmap() -> CharMap:
    content = lzma.decompress((RECORDED / "charmap.xz").read_bytes())
    return CharMap(content, joining_characters(content))


@pytest.fixture(scope="module")
def cutter(recorded: Recorded, charmap: CharMap) -> Unigram:
    return unigram(recorded.pieces, recorded.costs, charmap)


def unigram(pieces: list[str], costs: list[int], charmap: CharMap) -> Unigram:
    return Unigram(PieceBlocks.of(pieces), costs, charmap, find_signs(pieces))


def without_repeated_unknowns(numbers: list[int]) -> list[int]:
    kept = numbers[:1]
    for before, number in pairwise(numbers):
        if number != UNKNOWN or before != UNKNOWN:
            kept.append(number)
    return kept


def test_texts_in_many_languages_are_cut_as_sentencepiece_cut_them(cutter: Unigram, recorded: Recorded) -> None:
    assert len(recorded.cuts) > 40
    for text, numbers in recorded.cuts:
        assert without_repeated_unknowns(cutter.encode(text)) == numbers, text


def test_every_character_is_normalised_as_sentencepiece_normalised_it(charmap: CharMap, recorded: Recorded) -> None:
    codes = [*range(1, 0xD800), *range(0xE000, 0x20000), *range(0x2F800, 0x2FA20)]
    lines = []
    for at in range(0, len(codes), 64):
        text = "".join(f"ab{chr(code)}ly {chr(code)} " for code in codes[at : at + 64])
        words = charmap.normalize(text).split(" ")
        lines.append("".join(SPACE + word for word in words if word))
    assert hashlib.sha256("\n".join(lines).encode()).hexdigest() == recorded.normalized


@pytest.mark.parametrize(
    ("text", "normalized"),
    [
        ("", ""),
        ("plain", "plain"),
        ("e\u0301", "é"),
        ("o\u0302\u0301n", "ốn"),
        ("\u1112\u1161\u11ab", "한"),
        ("ｶﾞ", "ガ"),
        ("ﬁ½", "fi1⁄2"),
        ("a\tb\u200bc▁d", "a b c d"),
        ("x\ud800y", "x y"),
        ("x\ud83d", "x "),
        ("\u0301", "\u0301"),
        ("q\u0323\u0307", "q\u0323\u0307"),
    ],
)
def test_characters_and_their_marks_become_one(charmap: CharMap, text: str, normalized: str) -> None:
    assert charmap.normalize(text) == normalized


@given(st.text(max_size=60), st.text(max_size=60))
def test_text_is_normalised_word_by_word(charmap: CharMap, left: str, right: str) -> None:
    assert charmap.normalize(f"{left} | {right}") == f"{charmap.normalize(left)} | {charmap.normalize(right)}"


def test_damaged_character_map_is_refused() -> None:
    with pytest.raises(ValueError, match="cut short"):
        CharMap(b"\xff\xff\0\0" + bytes(8), "")


class Vocabulary(NamedTuple):
    """Pieces and what each costs."""

    pieces: list[str]
    costs: list[int]


@st.composite
def vocabularies(draw: st.DrawFn) -> Vocabulary:
    """A few pieces of a few characters, so that they overlap, at costs of which many sums are equal."""
    body = st.text("aab.1é", min_size=1, max_size=4)
    piece = st.one_of(body, body.map(SPACE.__add__), st.just(SPACE))
    pieces = draw(st.lists(piece, min_size=1, max_size=14, unique=True))
    costs = [draw(st.integers(0, 6)) for _ in pieces]
    return Vocabulary(pieces, costs)


def slow_cut(text: str, vocabulary: Vocabulary) -> list[str | None]:
    """The cheapest of all ways to cut a text; of equal ones that whose last piece begins first, then the one before."""
    costs = dict(zip(*vocabulary, strict=True))
    unknown = max(costs.values()) + 10 * COSTS_PER_NAT
    text = "".join(SPACE + word for word in text.split(" ") if word)
    ways = []
    for count in range(len(text)):
        for inner in combinations(range(1, len(text)), count):
            places = [0, *inner, len(text)]
            parts = [text[first:last] for first, last in pairwise(places)]
            if all(part in costs or len(part) == 1 for part in parts):
                cost = sum(costs.get(part, unknown) for part in parts)
                ways.append((cost, places[::-1], [part if part in costs else None for part in parts]))
    return min(ways)[2] if ways else []


@settings(max_examples=counted(75, 5_000))
@given(vocabularies(), st.text("aab.1éz ", max_size=9))
def test_pieces_are_the_cheapest_of_all_ways_to_cut(vocabulary: Vocabulary, text: str) -> None:
    charmap = CharMap(b"", "")
    needless = unigram(*vocabulary, charmap).needless()
    kept = [number for number in range(len(vocabulary.pieces)) if number not in needless]
    pieces = [vocabulary.pieces[number] for number in kept]
    costs = [vocabulary.costs[number] for number in kept]
    cut = [pieces[number] if number != UNKNOWN else None for number in unigram(pieces, costs, charmap).encode(text)]
    assert cut == slow_cut(text, vocabulary)


@given(st.text())
def test_any_text_has_pieces_and_they_spell_it(
    cutter: Unigram, charmap: CharMap, recorded: Recorded, text: str
) -> None:
    words = [SPACE + word for word in charmap.normalize(text).split(" ") if word]
    spelled = "".join(recorded.pieces[number] if number != UNKNOWN else "?" for number in cutter.encode(text))
    known = {piece for piece in recorded.pieces if len(piece) == 1}
    if set("".join(words)) <= known:
        assert spelled == "".join(words)
    assert len(cutter.encode(text)) <= len("".join(words))


def test_sentence_of_a_hundred_thousand_letters_without_a_space_is_cut(cutter: Unigram, recorded: Recorded) -> None:
    text = "การประชุมถูกเลื่อน" * 5_000
    pieces = [recorded.pieces[number] for number in cutter.encode(text)]
    assert "".join(pieces) == SPACE + text


def test_signs_are_cut_from_letters_and_never_split_a_piece(recorded: Recorded) -> None:
    signs = set(find_signs(recorded.pieces))
    assert signs.issuperset(".,()'-0123456789「」")
    assert not any(sign.isalpha() for sign in signs)
    for piece in recorded.pieces:
        characters = set(piece.removeprefix(SPACE))
        assert not characters & signs or not characters - signs


def test_a_piece_of_letters_and_signs_leaves_fewer_signs() -> None:
    assert find_signs(["ab", ".", ",", "a."]) == ","
    assert find_signs([".,", "a", ".1", "1b"]) == ""
