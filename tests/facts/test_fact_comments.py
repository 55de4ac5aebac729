"""A comment that an owner wrote into a fact is theirs: it stays in the file, and is no part of what the fact says."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.markdown.fact_row import Category, fact_of, is_struck, strike, unstrike, without_comments

NOTE = "memory/facts.md"


def typed(home: Path, text: str) -> Path:
    """A note of facts that a person typed."""
    place = home / NOTE
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text.encode())
    return place


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("My timezone is CET <!-- todo -->", "My timezone is CET"),
        ("My <!-- own --> timezone is CET", "My timezone is CET"),
        ("I live<!-- a --> in <!-- b -->Rome", "I live in Rome"),
        ("I write `<!-- x -->` in HTML", "I write `<!-- x -->` in HTML"),
        ("I like <!-- and nobody closed it", "I like <!-- and nobody closed it"),
        ("I like plums\n  <!-- the dark\n  ones -->\n  and figs", "I like plums\n  and figs"),
    ],
)
def test_what_a_fact_says_has_no_comments(line: str, said: str) -> None:
    assert without_comments(line) == said


def test_a_bullet_that_is_only_a_comment_is_no_fact() -> None:
    assert fact_of(Category.FACT, "- <!-- todo -->", None) is None


@given(st.text(alphabet="ab <!->`~\\", max_size=40))
def test_any_line_struck_through_and_taken_back_is_the_same_line(text: str) -> None:
    line = f"- {text}"
    without_comments(text)
    if not is_struck(line):
        assert unstrike(strike(line)) == line


def test_a_line_struck_by_hand_counts_with_a_comment_behind_it() -> None:
    assert is_struck("- ~~I live in Bonn~~ <!-- until May -->")
    assert strike("- I live in Bonn <!-- until May -->") == "- ~~I live in Bonn~~ <!-- until May -->"


def test_the_same_value_does_not_strike_a_line_with_a_comment(tmp_path: Path) -> None:
    place = typed(tmp_path, "- My timezone is CET <!-- todo -->\n")
    before = place.read_bytes()
    with Memory.open(tmp_path) as memory:
        made = memory.facts.store("My timezone is CET", category="fact")
        assert (made.outcome, made.replaced) == ("reinforced", ())
        assert [fact.text for fact in memory.facts.list().facts] == ["My timezone is CET"]
    assert place.read_bytes() == before


def test_another_value_strikes_the_words_and_the_comment_stays(tmp_path: Path) -> None:
    place = typed(tmp_path, "- I live in Berlin <!-- todo: ask Bob -->\n")
    with Memory.open(tmp_path) as memory:
        made = memory.facts.store("I live in Munich", category="fact")
        assert len(made.replaced) == 1
        assert "- ~~I live in Berlin~~ <!-- todo: ask Bob --> <!-- fact " in place.read_text()
        memory.facts.restore(made.replaced[0])
        memory.facts.forget(made.id)
    assert place.read_bytes() == b"- I live in Berlin <!-- todo: ask Bob -->\n"


def test_a_comment_goes_to_the_archive_with_its_fact_and_comes_back(tmp_path: Path) -> None:
    place = typed(tmp_path, "- I live in Berlin <!-- own --> <!-- fact id=a1 -->\n- I like figs <!-- fact id=a2 -->\n")
    with Memory.open(tmp_path) as memory:
        memory.facts.archive("a1")
        assert "- I live in Berlin <!-- own --> <!-- fact id=a1" in (tmp_path / "memory/archive.md").read_text()
        memory.facts.restore("a1")
    assert "- I live in Berlin <!-- own --> <!-- fact id=a1" in place.read_text()


def test_an_export_with_comments_imported_into_itself_is_nothing_new(tmp_path: Path) -> None:
    home = tmp_path / "home"
    place = typed(home, "- My timezone is CET <!-- todo -->\n- I keep bees <!-- since May -->\n")
    before = place.read_bytes()
    with Memory.open(home) as memory:
        memory.export(tmp_path / "all.jsonl")
        done = memory.import_from(tmp_path / "all.jsonl")
        assert (done.facts, done.refused, done.known) == ((), (), 2)
    assert place.read_bytes() == before
