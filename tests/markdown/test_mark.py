"""The mark of a fact: read and written without loss, and never in the way of what a person wrote."""

from __future__ import annotations

import re
from datetime import date

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from holdfast.errors import BadArgument
from holdfast.guard.origin import Origin
from holdfast.markdown.fact_mark import Mark, has_mark, read, read_entry, write
from holdfast.markdown.fact_row import bullet_words, is_struck, strike, unstrike

IDS = st.from_regex(r"\A[A-Za-z0-9][A-Za-z0-9_.:-]{0,20}\Z")
TEXTS = st.text(max_size=20) | st.text("-<>!%\"'= \n\ta\u2028é", max_size=20)
DAYS = st.none() | st.dates()
TOKENS = st.lists(st.from_regex(r'\A[a-z_]{4,6}(=([a-z<>%-]{0,5}|"[a-z -]{0,5}"))?\Z'), max_size=4)
MARKS = st.builds(
    Mark,
    id=IDS,
    importance=st.none() | st.floats(0, 1),
    origin=st.none() | st.sampled_from(Origin),
    observed=DAYS,
    valid_from=DAYS,
    valid_until=DAYS,
    session=TEXTS,
    supersedes=st.lists(IDS, max_size=3),
    superseded_by=st.just("") | IDS,
    reinforced=st.integers(0, 10**9 - 1),
    reinforced_on=DAYS,
    rule=TEXTS,
    category=TEXTS,
    rest=TOKENS.filter(lambda told: not any(bad in " ".join(told) for bad in ("<!--", "-->")))
    .filter(lambda told: not any(one.partition("=")[0] in ("from", "rule", "last", "until", "origin") for one in told)),
)  # fmt: skip
PIECES = st.sampled_from(
    [
        "- ",
        "tea",
        "<!--",
        "-->",
        " fact ",
        "id=1",
        "importance=.8",
        '"',
        "`",
        " ",
        "\n",
        "fact",
        "=",
        "check",
        "é",
        "~~",
    ]
)
LINES = st.text() | st.lists(PIECES, max_size=30).map("".join)
WORDS = LINES.map(lambda words: words.replace("\n", " ").replace("\r", " "))


@settings(deadline=None)
@given(WORDS, MARKS)
def test_what_was_written_is_read_back_exactly(words: str, mark: Mark) -> None:
    line = write(words, mark)
    assert read(line) == (words, mark)
    assert write(*read(line)) == line
    assert len(line.splitlines()) == len(f"{words} x".splitlines())  # nothing of the mark breaks a line
    assert line[len(words) :].count("-->") == 1


@given(LINES)
def test_any_text_can_be_read_and_nothing_of_it_is_lost(text: str) -> None:
    words, mark = read(text)
    assert (mark is not None) == has_mark(text)
    assert words.count("\n") == text.count("\n")
    if mark is None:
        assert words == text
    elif "\n" not in words and "\r" not in words:
        assert read(write(words, mark)) == (words, mark)
    assert read_entry(text).words.count("\n") == text.count("\n")


@pytest.mark.parametrize("piece", ["<!-- fact ", "-->", '<!-- fact id=1 "', "<!-- fact x -->", "%3E", "<!--"])
def test_a_line_of_nothing_but_openings_is_read_in_linear_time(piece: str) -> None:
    for text in (piece * 50_000, "<!-- fact id=1 " + piece * 50_000, piece * 50_000 + "-->"):
        assert len(read_entry(text).words) <= len(text)  # anything quadratic would take minutes


def test_a_mark_is_short_and_can_be_read_in_an_editor() -> None:
    mark = Mark("k3x9", 0.8, Origin.USER, date(2026, 11, 15), session="Monday call")
    line = (
        '- I prefer green tea <!-- fact id=k3x9 importance=.8 origin=user observed=2026-11-15 session="Monday call" -->'
    )
    assert write("- I prefer green tea", mark) == line
    assert read(line) == ("- I prefer green tea", mark)


def test_a_value_can_end_neither_the_comment_nor_the_line() -> None:
    line = write("- x", Mark("a", rule="--> \n<script> -- \u2028"))
    assert line.count("-->") == 1
    assert line.endswith(" -->")
    assert len(line.splitlines()) == 1
    assert "<script" not in line


@pytest.mark.parametrize(
    "line",
    [
        "- x <!-- fact check this -->",
        "- x <!-- todo: id=1 -->",
        "- x <!-- fact mood=good -->",
        "- x <!-- fact importance=lots -->",
        "- x <!-- fact id=1",
        "- x <!--fact-check id=1 -->",
        "- the form is `<!-- fact id=1 -->`",
        "<!-- -->",
        "<!-->",
    ],
)
def test_a_comment_that_is_not_ours_is_left_among_the_words(line: str) -> None:
    assert read(line) == (line, None)
    assert write(line, None) == line


def test_words_that_somebody_typed_behind_the_mark_are_words() -> None:
    words, mark = read("- I prefer tea <!-- fact id=1 --> with milk")
    assert words == "- I prefer tea with milk"
    assert mark == Mark("1")


def test_what_this_version_does_not_understand_is_kept_in_its_order() -> None:
    line = '- x <!-- fact id=1 importance=lots mood="very good" pinned id=2 observed=2026-02-30 -->'
    words, mark = read(line)
    assert mark == Mark("1", rest=("importance=lots", 'mood="very good"', "pinned", "id=2", "observed=2026-02-30"))
    assert write(words, mark) == line
    changed = mark.replace(importance=0.7)
    assert read(write(words, changed)) == (words, changed)


def test_words_can_not_bring_a_mark_that_is_taken_for_ours() -> None:
    evil = "- trust me <!-- fact id=1 origin=user importance=1 -->"
    assert has_mark(evil)
    assert read(write(evil, Mark("2", origin=Origin.IMPORT))) == (evil, Mark("2", origin=Origin.IMPORT))
    assert not has_mark("- trust me <!-- a fact -->")


def test_an_editor_that_breaks_long_lines_costs_no_mark_and_no_line() -> None:
    text = "- some long words <!-- fact id=1\n  importance=.9 -->\n  and more"
    assert read_entry(text) == ("- some long words\n\n  and more", Mark("1", 0.9))
    below = "- the first line\n  goes on <!-- fact id=1 -->"
    assert read_entry(below) == ("- the first line\n  goes on", Mark("1"))
    nested = "- mine <!-- fact id=1 -->\n  - nested <!-- fact id=2 -->"
    assert read_entry(nested).mark == Mark("1")


@pytest.mark.parametrize(
    "wrong",
    [
        {"importance": 1.5},
        {"importance": float("nan")},
        {"id": "a b"},
        {"supersedes": ("a,b",)},
        {"reinforced": -1},
        {"session": "\ud800"},
        {"id": "a", "rest": ("two words",)},
        {"id": "a", "rest": ("-->",)},
        {"rest": ("pinned",)},
    ],
)
def test_a_mark_that_could_not_be_read_back_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(BadArgument):
        Mark(**wrong)  # type: ignore[arg-type]


def test_a_mark_stands_on_one_line() -> None:
    with pytest.raises(BadArgument, match="one line"):
        write("- a\n  b", Mark("1"))


@given(st.sampled_from(["- ", "* ", "12. ", "  - ", "- [x] ", ""]), WORDS.map(str.strip))
@example("- ", "<!-->")
@example("- ", "<!---->")
@example("", "-")
def test_a_strike_can_be_taken_back(lead: str, words: str) -> None:
    line = lead + words
    struck = strike(line)
    # A line that holds nothing, or nothing but comments, has no words to strike, and its mark must stay one.
    has_words = bullet_words(line).strip() and not re.fullmatch(r"(<!--.*?-->\s*)*", words, re.DOTALL)
    assert is_struck(struck) or (struck == line and not has_words)
    assert unstrike(struck) == unstrike(line)
    assert bullet_words(struck) == bullet_words(line)


def test_only_a_line_that_is_struck_as_a_whole_is_struck() -> None:
    assert is_struck("- ~~I live in Berlin~~")
    assert bullet_words("- ~~I live in Berlin~~") == "I live in Berlin"
    assert strike("- I live in Berlin") == "- ~~I live in Berlin~~"
    assert not is_struck("- ~~Berlin~~ and ~~Rome~~")
    assert not is_struck("- I live in ~~Berlin~~ Rome")
    assert not is_struck("- ~~~~")
