from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast import Memory, Origin
from holdfast.index.analyzer import SHARED_ANALYSER, Analyser
from holdfast.index.stemmer import stem


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("INC-43948-QJV", "inc-43948-qjv inc 43948 qjv"),
        ("v3.76.30-rc7", "v3.76.30-rc7 v3 76 30 rc7"),
        ("snake_case_k29", "snake_case_k29 snake case k29"),
        ("ERR_LEASE_7949", "err_lease_7949 err leas 7949"),
        ("10.20.30.40", "10.20.30.40 10 20 30 40"),
        ("a828e60b3b98", "a828e60b3b98"),
        ("memorySearch.query", "memorysearch.query memorysearch memory search query"),
        ("HTTPServer", "httpserver http server"),
        ("iPhone15Pro", "iphone15pro phone 15 pro"),
        ("src/app/main.py", "src/app/main.py src app main py"),
        ("user's don't", "user dont"),
        ("(word), **bold**; `code`!", "word bold code"),
        ("José naïve Straße", "jose naiv strass"),
        ("深色模式", "深色 色模 模式 式"),
        ("東京", "東京 京"),
        ("데이터", "데이 이터 터"),
        ("ไทย", "ไท ทย ย"),
        ("हिन्दी", "हिंद"),
        ("C++ and C#, not issue#4", "c++ c and c# c not issue#4 issu 4"),
        ("don't we're O'Brien's", "dont were obrien brien"),
        ("l'eau dell'arte Ankara'da", "leau eau dellarte dell art ankarada ankara da"),
        ("tiếng Việt", "tiếng tieng việt viet"),
        ("२०२६ ٢٠٢٦", "2026 2026"),
        ("ship it 🚀✅ 🇩🇪 👍🏽", "ship it 🚀 ✅ 🇩🇪 👍"),
        ("abc深色x", "abc 深色 色 x"),
        ("__init__", "_init init"),
        ("_TRIES", "_tries try"),
        ("--- *** ...", ""),
        ("", ""),
    ],
)
def test_text_becomes_these_words(text: str, words: str) -> None:
    assert " ".join(Analyser().index(text).split()) == words


@pytest.mark.parametrize(
    "forms",
    [
        ("decide", "decided", "decides", "deciding"),
        ("note", "notes"),
        ("story", "stories"),
        ("try", "tried", "tries"),
        ("run", "runs", "running"),
        ("make", "makes", "making"),
        ("hop", "hops", "hopping"),
        ("plan", "plans", "planned", "planning"),
        ("process", "processes", "processed"),
        ("agree", "agreed", "agrees"),
        ("fall", "falls", "falling", "fell", "fallen"),
        ("buy", "buys", "bought"),
        ("child", "children"),
    ],
)
def test_inflected_forms_meet(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize(
    "pair", [("plan", "plane"), ("hop", "hope"), ("car", "care"), ("general", "generate"), ("find", "found")]
)
def test_different_words_stay_apart(pair: tuple[str, str]) -> None:
    assert stem(pair[0]) != stem(pair[1])


@pytest.mark.promise("P13")
@given(st.text(max_size=300))
def test_the_index_and_the_question_see_the_same_words(text: str) -> None:
    """Whatever a text holds, asking with the text itself uses only words that the index has for it."""
    indexed = Analyser().index(text).split()
    asked = [form for _, forms in Analyser().query(text) for form in forms]
    assert asked == indexed


@given(st.lists(st.text(max_size=40), max_size=30))
def test_remembering_words_changes_no_answer(texts: list[str]) -> None:
    experienced = Analyser()
    for text in texts:
        experienced.index(text)
    for text in texts:
        assert experienced.index(text) == Analyser().index(text)


def test_words_that_are_new_all_the_time_are_remembered_up_to_a_limit_and_change_no_answer() -> None:
    """A server meets new words as long as it runs: six that remembered 120,000 each came to 150 MB."""
    analyser, most = Analyser(), 0
    for start in range(0, 100_000, 1_000):
        words = [f"birds, {number}-{number}." for number in range(start, start + 1_000)]
        assert analyser.index(" ".join(words)) == Analyser().index(" ".join(words))
        most = max(most, analyser.remembered())
    assert 16_384 < most < 40_000


def test_all_that_read_texts_share_what_they_have_learnt(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "home", origin=Origin.USER) as memory:
        memory.save("The heron of Tring nests at kilometre 12.", file="memory/birds.md")
        memory.search("where does the heron of Tring nest?")
        ours = [module for name, module in sys.modules.items() if name.startswith("holdfast.")]
        held = [thing for module in ours for thing in vars(module).values() if isinstance(thing, Analyser)]
        assert {analyser for analyser in held if analyser.remembered()} == {SHARED_ANALYSER}


@given(st.text(alphabet=st.characters(min_codepoint=97, max_codepoint=122), max_size=60))
def test_a_stem_is_never_longer_and_never_empty(word: str) -> None:
    assert len(stem(word)) <= len(word) + 1
    assert bool(stem(word)) == bool(word)
