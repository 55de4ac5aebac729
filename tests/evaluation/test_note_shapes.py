"""Whatever the rows and the shape: every row stands on its own lines, and none on those of another."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from holdfast.evaluation.note_shapes import Page, Row, Shape, write_pages
from holdfast.evaluation.sets import one_line

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x85\x1c\x1d\x1e\x0b\x0c\u2028\u2029"), min_size=1)
ROWS = st.lists(st.tuples(TEXTS, st.sampled_from(["", "User", "Ross Geller"])), min_size=1, max_size=6)
REPLIES = ("First.\n\n```\ncode", "- a\n- b", "One line.")


@given(st.lists(ROWS, min_size=1, max_size=3), st.sampled_from(list(Shape)))
def test_every_row_stands_on_lines_of_its_own(sessions: list[list[tuple[str, str]]], shape: Shape) -> None:
    pages = [
        Page(
            f"memory/{number}.md",
            f"Session {number}",
            tuple(Row(f"{number}:{place}", text, who) for place, (text, who) in enumerate(held)),
        )
        for number, held in enumerate(sessions)
    ]
    written = write_pages(pages, shape, REPLIES)
    texts = {row.id: row for page in pages for row in page.rows}
    assert written.places.keys() == texts.keys()
    assert written.notes.keys() == written.turns.keys() == {path for path, _, _ in written.places.values()}
    for name, (path, first, last) in written.places.items():
        shown = one_line(" ".join(written.notes[path].split("\n")[first - 1 : last]))
        assert one_line(texts[name].text) in shown
        assert not texts[name].speaker or f"**{texts[name].speaker}**:" in shown
        assert written.turns[path][first] == last
    for turns in written.turns.values():
        ordered = sorted(turns.items())
        assert all(last < further for (_, last), (further, _) in pairwise(ordered))


@given(ROWS)
def test_a_bullet_is_one_line(rows: list[tuple[str, str]]) -> None:
    page = Page("memory/a.md", "", tuple(Row(str(place), text, who) for place, (text, who) in enumerate(rows)))
    for shape in (Shape.BULLETS, Shape.DAILY):
        turns = write_pages([page], shape).turns["memory/a.md"]
        assert all(first == last for first, last in turns.items())


def test_an_open_fence_does_not_swallow_the_next_row() -> None:
    page = Page("memory/a.md", "Talk", (Row("a", "```python\nprint(1)", "User"), Row("b", "Thanks", "User")))
    note = write_pages([page], Shape.PARAGRAPHS).notes["memory/a.md"]
    assert note == "# Talk\n\n**User**: ```python\nprint(1)\n\n**User**: Thanks\n"
    page = Page("memory/a.md", "", (Row("a", "See:\n```python\nprint(1)"), Row("b", "Thanks")))
    assert write_pages([page], Shape.PARAGRAPHS).notes["memory/a.md"] == "See:\n```python\nprint(1)\n```\n\nThanks\n"


def test_replies_follow_every_row_on_one_line_or_as_they_are() -> None:
    page = Page("memory/a.md", "", (Row("a", "Hello", "Ana"), Row("b", "Bye", "Ben")))
    replies = write_pages([page], Shape.REPLIES, ("One\n\ntwo",))
    assert replies.notes["memory/a.md"].split("\n\n")[1] == "**Assistant**: One two"
    assert len(replies.turns["memory/a.md"]) == 4
    assert "**Assistant**: One\n\ntwo\n" in write_pages([page], Shape.CHAT, ("One\n\ntwo",)).notes["memory/a.md"]


def test_a_note_a_row_has_no_heading_that_tells_which() -> None:
    page = Page("memory/a.md", "Session 1", (Row("a", "Hello"), Row("b", "Bye")))
    assert write_pages([page], Shape.NOTES).notes == {"memory/a-001.md": "Hello\n", "memory/a-002.md": "Bye\n"}
