"""The word pieces of a text: known cases, and everything else against `tokenizers` where it is installed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from counts import counted
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.embeddings.static.modelfile import read
from holdfast.embeddings.static.static_embedder import STATIC_1
from holdfast.embeddings.static.wordpiece import WordPiece

Cut = Callable[[str], list[str]]


@pytest.fixture(scope="module")
def wordpiece() -> WordPiece:
    model = read(STATIC_1.parts[0].path)
    return WordPiece(lambda: model.pieces, model.unknown)


@pytest.fixture(scope="module")
def cut(wordpiece: WordPiece) -> Cut:
    pieces = read(STATIC_1.parts[0].path).pieces
    return lambda text: [pieces[number] for number in wordpiece.encode(text)]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", []),
        (" \t\n\u00a0\u3000", []),
        ("Hello, world!", ["hello", ",", "world", "!"]),
        ("unaffable", ["una", "##ffa", "##ble"]),
        ("naïve CAFÉ", ["naive", "cafe"]),
        ("don't", ["don", "'", "t"]),
        ("snake_case", ["snake", "_", "case"]),
        ("[CLS] [UNK]", ["[", "cl", "##s", "]", "[", "un", "##k", "]"]),
        ("日本", ["日", "本"]),
        ("a\u200bb", ["ab"]),
        ("\ud800x", ["x"]),
        ("🙂", ["[UNK]"]),
        ("x" * 101, ["[UNK]"]),
        ("ΟΔΟΣ", ["ο", "##δ", "##ο", "##σ"]),
    ],
)
def test_known_texts_are_cut_as_bert_cuts_them(cut: Cut, text: str, pieces: list[str]) -> None:
    assert cut(text) == pieces


@given(st.text())
def test_any_text_has_pieces_and_twice_the_same(wordpiece: WordPiece, text: str) -> None:
    first = wordpiece.encode(text)
    assert first == wordpiece.encode(text)
    assert all(0 <= number < 30522 for number in first)


def test_a_full_cache_changes_no_answer(wordpiece: WordPiece) -> None:
    before = wordpiece.encode("remembering things")
    for number in range(60_000):
        wordpiece.pieces(str(number))
    assert wordpiece.encode("remembering things") == before


@pytest.fixture(scope="module")
def reference() -> Callable[[str], list[int]]:
    tokenizers = pytest.importorskip("tokenizers")
    vocabulary = {piece: number for number, piece in enumerate(read(STATIC_1.parts[0].path).pieces)}
    limits = {"unk_token": "[UNK]", "max_input_chars_per_word": 100}
    made = tokenizers.Tokenizer(tokenizers.models.WordPiece(vocabulary, **limits))
    made.normalizer = tokenizers.normalizers.BertNormalizer()
    made.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()

    def encode(text: str) -> list[int]:
        numbers: list[int] = made.encode(text, add_special_tokens=False).ids
        return numbers

    return encode


# Lone surrogates can't be handed to the reference, which takes UTF-8.
_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
_NEAR_LATIN = st.text(st.characters(max_codepoint=0x2FFF), max_size=60)


@settings(max_examples=counted(12, 20_000))
@given(st.one_of(_TEXT, _NEAR_LATIN))
def test_pieces_are_those_of_the_reference(
    wordpiece: WordPiece, reference: Callable[[str], list[int]], text: str
) -> None:
    assert wordpiece.encode(text) == reference(text)


@pytest.mark.fault
def test_every_character_is_treated_as_the_reference_treats_it(
    wordpiece: WordPiece, reference: Callable[[str], list[int]]
) -> None:
    step = counted(13, 1)
    for code in [*range(0x3100), *range(0x3100, 0x110000, step)]:
        if not 0xD800 <= code <= 0xDFFF:
            text = f"ab{chr(code)}ly{chr(code)}"
            assert wordpiece.encode(text) == reference(text), hex(code)
