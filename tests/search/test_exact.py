from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.search.title_match import TitleMatcher, exact

NOTE = "memory/projects/apollo-deploy.md"


@pytest.mark.parametrize(
    "question",
    [
        "memory/projects/apollo-deploy.md",
        "memory/projects/apollo-deploy",
        "what is in projects/apollo-deploy.md?",
        "open apollo-deploy.md",
        "Apollo-Deploy.MD",
        "apollo-deploy",
        "apollo deploy",
        "show me the Apollo deploy",
    ],
)
def test_a_path_or_a_file_name_names_the_note(question: str) -> None:
    assert exact(question, NOTE) == 1.0
    assert exact(question, "memory/projects/other.md") == 0.0


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Deployment checklist", "Deployment Checklist!"),
        ("the deployment checklist", "Deployment: checklist"),
        ("please show me the deployment checklist", "Deployment Checklist"),
        ('who wrote "deployment checklist"?', "Deployment Checklist"),
        ("who wrote the product launch retrospective, and when?", "Product Launch Retrospective"),
        ("straße nach süden", "Straße nach Süden"),
        ("STRASSE NACH SÜDEN", "Straße nach Süden"),
        ("what is in 2026-03-05-outage please", "2026-03-05 outage"),
        ("会議の記録", "会議の記録"),
        ("Photosynthesis", "Photosynthesis"),
    ],
)
def test_a_title_or_a_heading_names_its_note(question: str, name: str) -> None:
    assert exact(question, "memory/x.md", name) == 1.0
    assert exact(question, "memory/x.md", "", ("Log", name)) == 1.0


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("notes", "Notes"),
        ("the summary", "Summary"),
        ('what do "notes" say', "Notes"),
        ("what does the deployment checklist say", "Deployment Checklist"),
        ("how do I plan the work of next week", "Plan"),
        ("where is the harbour", "Where is the"),
        ("harbour", ""),
        ("", "Harbour"),
        ("?!", "?!"),
        ("outage", "Outages"),
    ],
)
def test_what_stands_in_a_question_by_chance_names_nothing(question: str, name: str) -> None:
    assert exact(question, "memory/x.md", name, (name,)) == 0.0


def test_a_file_name_with_a_date_counts_inside_a_question() -> None:
    named = TitleMatcher("what was wrong in 2026-03-05-outage yesterday")
    assert named.score("memory/2026-03-05-outage.md") == 1.0
    assert named.score("memory/2026-03-05.md") == 1.0
    assert named.score("memory/2026-03-06.md") == 0.0


def test_the_paths_in_a_question_are_told_for_a_look_up() -> None:
    assert TitleMatcher("compare `memory/a.md`, (memory/b.md) and c.md.").paths == (
        "memory/a.md",
        "memory/b.md",
        "c.md",
    )
    assert TitleMatcher("and what else?").paths == ()


@given(st.text(), st.text(), st.text(), st.lists(st.text(), max_size=3))
def test_any_text_is_safe_and_the_answer_is_0_or_1(question: str, path: str, title: str, headings: list[str]) -> None:
    assert exact(question, path, title, headings) in (0.0, 1.0)


@given(st.lists(st.text("abcdefghij", min_size=2, max_size=8), min_size=2, max_size=5))
def test_a_title_typed_whole_names_its_note_however_it_is_written(words: list[str]) -> None:
    title = " ".join(words)
    for question in (title, title.upper(), "-".join(words), f"“{title}”", f"  {title}?! "):
        assert exact(question, "memory/x.md", title) == 1.0
