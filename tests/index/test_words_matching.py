from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from counts import counted
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from holdfast.index.sqlite.connection import Connection
from holdfast.index.sqlite.edition import Edition
from holdfast.index.sqlite.expression import WordCount, expression
from holdfast.index.sqlite.lexicon import Lexicon
from holdfast.index.sqlite.schema import create_edition, migrate
from holdfast.index.store_contract import Batch, ChunkRow, Identity, NoteRows, NoteState, Word
from holdfast.index.sync import identity_of
from holdfast.search.query import question_of
from holdfast.settings.index_settings import ChunkingSettings

QUIET = 150  # of the copies below: enough for candidates, and few beside the other words
TEXTS = {
    "dark.md": "The user likes dark mode on Windows.",
    "mode.md": "The dark side of the fashion mode: no windows.",
    "try.md": "Every harbour has a telescope for the GitHub runners.",
    "hub.md": "A hub for the harbour, configured by --dry-run and retry_budget_k21.",
    "zh.md": "用户喜欢深色模式。",
    "ru.md": "Мы переехали в новый город.",
    "many.md": "harbour harbour harbour dark windows mode",
}


def _copy(number: int) -> str:
    common = ("dark", "mode", "side")[number % 3]
    return f"{common} fashion {'quiet' if number < QUIET else 'loud'} number{number}"


def filled(path: Path, tokenizer: str, copies: int = 1) -> Edition:
    """An edition with the texts above, each a note of its own, and copies of the last."""
    connection = Connection(str(path))
    with connection.writing() as raw:
        migrate(raw)
        create_edition(raw, 1, tokenizer)
        identity = Identity(400, 80, 1, tokenizer)
        raw.execute("INSERT INTO editions VALUES (1, json_array(?, ?, ?, ?, ?), 'serving')", identity)
    edition = Edition(connection, 1)
    texts = {**TEXTS, **{f"copy{n}.md": _copy(n) for n in range(copies)}}
    state = NoteState("h", 1, 1, 1, 1, settled=True)
    notes = [
        NoteRows(f"memory/{name}", "memory", state, "", [ChunkRow(name, name, 1, 1, (), text)])
        for name, text in texts.items()
    ]
    edition.write(Batch(puts=notes))
    return edition


@pytest.fixture(scope="module", params=["holdfast", "unicode61", "trigram"])
def edition(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Edition]:
    opened = filled(tmp_path_factory.mktemp("words") / "words.sqlite", request.param)
    yield opened
    opened.connection.close()


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Edition]:
    opened = filled(tmp_path_factory.mktemp("ours") / "words.sqlite", "holdfast", copies=7_500)
    yield opened
    opened.connection.close()


def paths(edition: Edition, query: str, *, typos: bool = True) -> list[str]:
    question = question_of(query)
    words = edition.with_near(question.words) if typos else question.words
    ranked = edition.keywords(words, 5, without=question.without, strict=question.phrases if question.strict else ())
    chunks = edition.chunks([one.row for one in ranked])
    return [chunks[one.row].path.removeprefix("memory/") for one in ranked]


@example("AAMode")
@settings(max_examples=counted(7, 600), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(min_size=1, max_size=80).filter(str.strip))
def test_no_text_is_syntax_of_any_tokenizer(edition: Edition, query: str) -> None:
    question = question_of(query)
    # Where no chunk holds a word whole, its parts are looked for, but `-GitHub` leaves out no chunk for a hub in it.
    left = {one.row for one in edition.keywords(question.words, 5, without=question.words)}
    assert not left & edition.holding(question.words)
    edition.keywords(edition.with_near(question.words), 5, without=question.without, strict=question.phrases)
    edition.holding(question.words)


@pytest.mark.parametrize("query", ['"', "a AND", "NEAR(x y)", '"* OR *"', "body:x", '-"("', "x'); DROP TABLE", "dark*"])
def test_fts_syntax_is_only_text_for_every_tokenizer(edition: Edition, query: str) -> None:
    paths(edition, query)


def test_every_tokenizer_finds_words_phrases_and_ids(edition: Edition) -> None:
    assert paths(edition, '"dark mode"') == ["dark.md"]
    assert paths(edition, "retry_budget_k21")[0] == "hub.md"
    assert "dark.md" not in paths(edition, "dark -user")
    assert paths(edition, "telescope")[0] == "try.md"


@pytest.mark.parametrize("query", ["深色", "深", "模式", "户"])
def test_trigrams_find_words_of_one_and_two_characters(tmp_path: Path, query: str) -> None:
    edition = filled(tmp_path / "words.sqlite", "trigram")
    assert paths(edition, query)[0] == "zh.md"
    edition.connection.close()


def test_a_quoted_phrase_ranks_first_and_alone_is_all_that_counts(ours: Edition) -> None:
    assert paths(ours, 'what about "dark mode" and windows?')[0] == "dark.md"
    assert paths(ours, '"dark mode"') == ["dark.md"]
    assert paths(ours, '"mode dark telescope"')  # nowhere in a row: then by its words
    assert paths(ours, "「深色模式」") == ["zh.md"]


def test_what_must_not_be_there_is_not(ours: Edition) -> None:
    assert paths(ours, "harbour -telescope -hub") == ["many.md"]
    assert "many.md" not in paths(ours, 'harbour -"dark windows"')
    rows = ours.holding(question_of("dark -telescope").without)
    assert [chunk.path for chunk in ours.chunks(rows).values()] == ["memory/try.md"]


def test_a_beginning_finds_what_begins_so(ours: Edition) -> None:
    assert paths(ours, "telesc*") == ["try.md"]
    assert paths(ours, "retry_b*") == ["hub.md"]


def test_a_slip_of_the_finger_finds_the_word_unless_that_is_switched_off(ours: Edition) -> None:
    assert paths(ours, "telescpoe") == ["try.md"]
    assert paths(ours, "telescpoe", typos=False) == []
    assert paths(ours, "городами") == ["ru.md"]


def test_an_id_that_is_one_letter_off_is_another_id(ours: Edition) -> None:
    question = question_of("retry_budget_k22")
    assert not any(word.light for word in ours.with_near(question.words))


def test_a_name_is_not_its_parts_unless_it_stands_nowhere(ours: Edition) -> None:
    assert paths(ours, "GitHub") == ["try.md"]
    assert paths(ours, "DarkWindow")  # in no note as one word


def test_words_that_are_counted_together_have_the_counts_that_each_has_alone(ours: Edition) -> None:
    words = [Word(text) for text in ("quiet", "dark", "dark mode", "mode", "nowhere", "dark nowhere")]
    ours.lexicon.learn([*words, Word("da", prefix=True)])
    fresh = Lexicon(ours.connection, ours.number)
    fresh.total()
    assert [ours.lexicon.count(word) for word in words] == [fresh.count(word) for word in words]
    assert ours.lexicon.count(Word("dark")) > 0 == ours.lexicon.count(Word("nowhere"))


def test_common_words_are_scored_where_rare_ones_are_found(ours: Edition) -> None:
    words = question_of("quiet dark mode").words
    asked = ours.lexicon.asked(words)
    assert asked is not None and ") AND (" in asked.match and asked.scale == 2
    scores = {one.row: one.score for one in ours.keywords(words, 5)}
    assert len(scores) == 5
    flat = ours.connection.all(
        "SELECT rowid, -bm25(e1_words, 2.0, 2.0, 1.5, 1.0) FROM e1_words WHERE e1_words MATCH ?",
        (" OR ".join(f'"{word.text}"' for word in words),),
    )
    for row, score in flat:
        if row in scores:
            assert scores[row] == pytest.approx(score)


@given(
    st.lists(
        st.tuples(st.text(min_size=1, max_size=8), st.integers(0, 10**6), st.booleans(), st.booleans()), max_size=60
    ),
    st.integers(0, 10**6),
)
def test_an_expression_is_bounded_however_long_the_question(
    words: list[tuple[str, int, bool, bool]], total: int
) -> None:
    counted = [WordCount(Word(text, heavy=heavy, light=light), rows) for text, rows, heavy, light in words]
    asked = expression(counted, total)
    assert (asked is None) == (not any(rows for _, rows, _, _ in words))
    if asked is not None:
        assert asked.scale in (1, 2, 4)
        assert asked.match.count('"') % 2 == 0


def test_the_tokenizer_is_part_of_the_identity() -> None:
    chunking = ChunkingSettings()
    assert identity_of(chunking) != identity_of(chunking, "trigram")
    assert identity_of(chunking).tokenizer == "holdfast"
