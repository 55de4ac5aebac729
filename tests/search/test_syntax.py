from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.search.syntax import parts_of


@pytest.mark.parametrize(
    ("question", "phrases"),
    [
        ('find "dark mode" please', ("dark mode",)),
        ("find “dark mode” please", ("dark mode",)),
        ("suche „dunkler Modus“", ("dunkler Modus",)),
        ("cherche «mode sombre»", ("mode sombre",)),
        ("「深色模式」在哪里", ("深色模式",)),
        ('"one" and "two three"', ("one", "two three")),
        ('5" nails and 6" screws', ()),
        ('say "unclosed', ()),
        ('"a\nb"', ()),
        ('""', ()),
        ('"..."', ()),
    ],
)
def test_quotes_make_phrases_where_they_are_closed(question: str, phrases: tuple[str, ...]) -> None:
    assert parts_of(question).phrases == phrases


@pytest.mark.parametrize(
    ("question", "without"),
    [
        ("dark mode -windows", ("windows",)),
        ("-windows dark mode", ("windows",)),
        ('editor -"visual studio"', ("visual studio",)),
        ("тёмная тема -окна", ("окна",)),
        ("a well-known fact", ()),
        ("tea - or coffee", ()),
        ("it was -5 degrees", ()),
        ("git commit --amend -message", ()),
        ("tar -xzf archive", ()),
        ("rm -rf folder", ()),
        ("- milk\n-eggs", ()),
        ("-windows", ()),
        ("word " * 30 + "-windows", ()),
    ],
)
def test_a_dash_negates_only_where_it_can_mean_nothing_else(question: str, without: tuple[str, ...]) -> None:
    assert parts_of(question).without == without


@pytest.mark.parametrize(
    ("question", "beginnings"),
    [("config* of the db", ("config",)), ("**bold** text", ()), ("*slanted*", ()), ("2 * 3", ()), ("a*b", ())],
)
def test_a_star_at_the_end_of_a_word_asks_for_its_beginning(question: str, beginnings: tuple[str, ...]) -> None:
    assert parts_of(question).beginnings == beginnings


def test_what_must_not_be_there_is_not_looked_for() -> None:
    assert "windows" not in parts_of("dark mode -windows").text
    assert parts_of('"dark mode" -"light theme"').only_phrases
    assert not parts_of('the "dark mode"').only_phrases


@given(st.text(alphabet=st.sampled_from("ab -\"“”*«»「」\n'.,x?"), max_size=60))
def test_any_text_has_parts_and_none_of_them_is_invented(question: str) -> None:
    parts = parts_of(question)
    assert all(one in question for one in (*parts.phrases, *parts.without, *parts.beginnings))
    assert parts.text == question or any(map(str.isalnum, parts.text)) or not parts.without


@given(st.text(max_size=200))
def test_a_question_without_signs_is_its_text(question: str) -> None:
    if not set(question) & set('"“”„«»「」『』*-'):
        assert parts_of(question) == (question, (), (), (), False)


@pytest.fixture
def cutover(home: Path) -> Path:
    """Notes about moving a database, in which some words stand together and others do not."""
    (home / "memory").mkdir(parents=True)
    lines = [
        "Logical replication lags behind.",
        "The snapshot is taken at noon.",
        "Dublin is cheap.",
        "Tests are slow.",
    ]
    for number, line in enumerate(lines):
        (home / f"memory/note{number}.md").write_text(f"# Note {number}\n\n{line}\n", encoding="utf-8")
    return home


def test_a_phrase_that_stands_nowhere_is_said_and_what_is_found_instead_is_unlikely(cutover: Path) -> None:
    with Memory.open(cutover) as memory:
        found = memory.search('"replication logical"')
        assert found.because == "no note holds the phrase 'replication logical'"
        assert found.results and not found.likely and not any(hit.likely for hit in found.results)
        sure = min(hit.confidence for hit in memory.search("logical replication").results if hit.likely)
        assert all(hit.confidence < sure for hit in found.results)
        there = memory.search('"logical replication"')
        assert there.because == "" and there.likely


def test_phrases_that_stand_apart_are_said_to(cutover: Path) -> None:
    with Memory.open(cutover) as memory:
        found = memory.search('"logical replication" "snapshot is taken"')
        assert found.because == "no passage holds all of the phrases"
        assert found.results and not any(hit.likely for hit in found.results)


def test_a_phrase_is_looked_for_where_the_search_looks(cutover: Path) -> None:
    with Memory.open(cutover) as memory:
        found = memory.search('"logical replication"', path="memory/note1.md")
        said = "none of the notes that were asked for holds the phrase 'logical replication'"
        assert found.because == said and not found.likely
        assert memory.search('"logical replication" -lags').because == said


def test_a_missing_phrase_inside_a_question_is_said_and_the_rest_decides(cutover: Path) -> None:
    with Memory.open(cutover) as memory:
        found = memory.search('when is the snapshot taken, at noon or at "half past nine"?')
        assert found.because == "no note holds the phrase 'half past nine'"
        assert found.results[0].path == "memory/note1.md"


@pytest.mark.parametrize("tokenizer", ["unicode61", "trigram"])
def test_a_missing_phrase_is_said_with_every_tokenizer(cutover: Path, tokenizer: str) -> None:
    with Memory.open(cutover, settings={"memory.store.fts.tokenizer": tokenizer}) as memory:
        for phrase in ("zq", "replication logical"):
            found = memory.search(f'"{phrase}"')
            assert found.because.startswith(f"no note holds the phrase '{phrase}'") and not found.likely
        assert memory.search('"logical replication"').because == ""
