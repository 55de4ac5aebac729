from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.errors import BadArgument, TooLarge
from holdfast.index.analyzer import Analyser
from holdfast.index.store_contract import Word
from holdfast.search.query import MAX_QUERY_BYTES, question_of, words_of


def heavy(question: str) -> list[str]:
    return [word.text for word in words_of(question) if word.heavy]


@pytest.mark.parametrize(
    "name",
    [
        "INC-43948-QJV",
        "v3.76.30-rc7",
        "retry_budget_k21",
        "10.20.30.40",
        "a828e60b3b98",
        "src/app/main.py",
        "config.yaml",
        "memory.search.typos",
        "anna@example.org",
        "2026-03-05",
    ],
)
def test_names_ids_versions_paths_and_dates_are_heavy(name: str) -> None:
    assert heavy(f"what did we say about {name} last time?") == [name.lower()]


def test_a_flag_is_heavy_and_the_same_word_without_dashes_is_not() -> None:
    assert heavy("what does --dry-run do") == ["dry-run"]
    assert heavy("how was the dry-run") == []


@pytest.mark.parametrize("word", ["well-known", "and/or", "IL-6", "0.05", "GitHub", "don't", "e.g."])
def test_words_of_a_language_are_not_names(word: str) -> None:
    assert heavy(f"the {word} thing") == []


def test_a_hyphen_joins_what_may_be_written_apart() -> None:
    assert words_of("self-hosted runner")[:3] == [
        Word("self", typed="self-hosted"),
        Word("host", typed="self-hosted"),
        Word("self host", light=True, typed="self-hosted"),
    ]


def test_a_name_in_camel_case_is_itself_first() -> None:
    assert words_of("GitHub") == [Word("github", parts=("git", "hub"), typed="GitHub")]
    assert words_of("C++") == [Word("c++", parts=("c",), typed="C++")]
    assert words_of("việt") == [Word("việt", parts=("viet",), typed="việt")]


def test_a_phrase_is_in_the_words_of_the_index() -> None:
    question = question_of('"the Stories we told" -"light theme" config* x')
    assert question.phrases == (Word("the story we tell", heavy=True, typed="the Stories we told"),)
    assert [word.text for word in question.without] == ["light theme"]
    assert Word("config", prefix=True, typed="config") in question.words
    assert question_of("「深色模式」").phrases[0].text == "深色 色模 模式"
    assert question_of("「深」").phrases[0] == Word("深", prefix=True, heavy=True, typed="深")


def test_of_a_page_of_instructions_only_the_question_and_the_names_are_looked_for() -> None:
    rules = "Always be careful with the production system and never touch INC-43948-QJV without asking. " * 12
    question = question_of(f"{rules}\n\nUser: where is the telescope?")
    assert question.text == "where is the telescope?"
    assert [word.text for word in question.words] == ["telescop", "inc-43948-qjv"]
    assert question.words[-1].light


def test_what_a_page_repeats_that_says_nowhere_what_is_asked_is_looked_for_lightly() -> None:
    page = "\n\n".join(f"Step {number}: ask about the referral bonus of your card." for number in "abcdefghijklmn")
    question = question_of(f"{page}\n\nNever hint at the answer, stay calm.")
    lightly = {word.text for word in question.words if word.light}
    assert {"referral", "bonus", "card"} <= lightly
    assert {word.text for word in question.words if not word.light} == {"never", "hint", "answer", "stay", "calm"}
    assert question.text.startswith("Never hint at the answer, stay calm. ")
    assert "referral" in question.text
    asked = question_of(f"{page}\n\nWho has the telescope?")
    assert (asked.text, [word.text for word in asked.words]) == ("Who has the telescope?", ["telescop"])


def test_a_page_of_instructions_does_not_say_more_than_what_is_asked_at_its_end() -> None:
    rules = "Call the memory tool with a query, answer the user in short sentences, keep every note private. " * 12
    question = question_of(f"{rules}\n\nfind the telescope of Caroline")
    asked = {word.text for word in question.words if not word.light}
    assert {"telescop", "carolin"} <= asked
    assert len([word for word in question.words if word.light]) <= len(asked)


def test_the_signs_of_a_search_are_prose_in_a_long_message() -> None:
    said = 'We call it "the old plan" at work, and I ran the script with -force. '
    short, long = question_of(said), question_of(said + "Nothing else of it matters to anybody now, I think. " * 4)
    assert (len(short.phrases), len(short.without)) == (1, 1)
    assert (long.phrases, long.without) == ((), ())
    assert {"old", "plan", "script"} <= {word.text for word in long.words}


def test_a_long_question_is_answered_and_an_endless_one_refused() -> None:
    assert words_of("telescope " * 3000)
    with pytest.raises(TooLarge, match="query"):
        words_of("x" * (MAX_QUERY_BYTES + 1))
    with pytest.raises(BadArgument, match="empty"):
        words_of("  \n ")


@given(st.text(min_size=1, max_size=300).filter(str.strip))
def test_every_loose_word_is_one_the_index_would_have(text: str) -> None:
    indexed = set(Analyser().index(text).split())
    question = question_of(text)
    for word in question.words:
        if not word.prefix and text.isascii() and '"' not in text:
            assert set(word.text.split()) <= indexed
    assert all(word.text.strip() for word in (*question.words, *question.without))
    assert len({(word.text, word.prefix) for word in question.words}) == len(question.words)
