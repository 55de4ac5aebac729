from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.index.word_fold import fold


@pytest.mark.parametrize(
    "spellings",
    [
        ("Ёлка", "елка", "ёлка"),
        ("город", "города", "городу", "городе", "городами"),
        ("новый", "новая", "новое", "новых", "новыми"),
        ("місто", "міста", "місту", "містом"),
        ("работа", "работы", "работу", "работе"),
        ("πόλη", "πόλης", "ΠΟΛΗ", "πολη"),
        ("άνθρωπος", "άνθρωποι", "ανθρώπων", "ΑΝΘΡΩΠΟΣ"),
        ("كتاب", "الكتاب", "والكتاب", "كِتَاب", "كتـــاب"),
        ("مدرسة", "مدرسه", "المدرسة"),
        ("أحمد", "احمد", "إحمد"),
        ("किताब", "किताबें", "किताबों"),
        ("ज़मीन", "जमीन"),
        ("हिन्दी", "हिंदी"),
        ("שָׁלוֹם", "שלום"),
        ("İstanbul", "istanbul", "ISTANBUL"),
        ("ılık", "ilik"),
        ("Łódź", "lodz"),
        ("Straße", "STRASSE"),
    ],
)
def test_spellings_of_one_word_meet(spellings: tuple[str, ...]) -> None:
    assert len({fold(one) for one in spellings}) == 1


@pytest.mark.parametrize(
    "pair", [("мой", "мои"), ("стол", "стул"), ("νόμος", "νέος"), ("كتاب", "كلاب"), ("दिन", "दान"), ("çok", "sok")]
)
def test_different_words_stay_different(pair: tuple[str, str]) -> None:
    assert fold(pair[0]) != fold(pair[1])


@given(st.text(min_size=1, max_size=40))
def test_any_text_folds_and_ascii_only_loses_its_case(text: str) -> None:
    folded = fold(text)
    if text.isascii():
        assert folded == text.lower()
    assert len(folded) <= 18 * len(text)  # NFKC's longest, which nobody calls a word
