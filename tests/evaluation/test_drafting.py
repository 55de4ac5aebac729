"""Drafted questions: always the same, each about a line that is there, none about a secret."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from holdfast.evaluation.own_questions import own_set
from holdfast.evaluation.question_draft import as_lines, draft
from holdfast.markdown.lines import split_lines

KEY = "AKIA" + "QX7M2LPN4RTVWY3Z"
NOTES = {
    "MEMORY.md": "# People\n\n- Ana prefers green tea over coffee in the early mornings before standup\n",
    "memory/plans.md": (
        "---\ntitle: Plans\n---\n# Launch plans\n\nThe launch moved to March because ticket INC-43948-QJV "
        "blocked the storage migration.\n\n## Notes\n\n```\nretry_budget = 4\n```\n\n## 2026-03-05\n\nA 90-day trial.\n"
    ),
    "memory/keys.md": f"# Cloud account\n\nThe access key of the staging account is {KEY} until further notice\n",
}


def test_headings_ids_and_sentences_are_asked_for_with_path_and_line() -> None:
    found = {(one.query, one.path, one.first, one.last, one.category) for one in draft(NOTES, 50)}
    assert ("Launch plans", "memory/plans.md", 4, 6, "heading") in found
    assert ("INC-43948-QJV", "memory/plans.md", 6, 6, "id") in found
    sentences = {path: query for query, path, *_, category in found if category == "sentence"}
    assert sentences.keys() == {"MEMORY.md", "memory/plans.md"}
    said = iter("Ana prefers green tea over coffee in the early mornings before standup".split())
    assert all(word in said for word in sentences["MEMORY.md"].split())


def test_code_front_matter_dates_and_dull_headings_are_not_asked_for() -> None:
    queries = {one.query for one in draft(NOTES, 50)}
    assert not queries & {"Notes", "2026-03-05", "retry_budget", "Plans", "90-day"}


def test_a_secret_is_in_no_question() -> None:
    assert KEY not in as_lines(draft(NOTES, 50))
    assert "staging" not in as_lines(draft(NOTES, 50))


def test_what_several_notes_share_is_not_asked_for() -> None:
    notes = {"memory/a.md": "# Setup guide\n\nabc_123\n", "memory/b.md": "# Setup Guide\n\nabc_123\n"}
    assert draft(notes, 50) == []


def test_the_draft_is_spread_over_the_notes_and_does_not_depend_on_their_order() -> None:
    notes = {f"memory/{n}.md": "".join(f"# Topic {n} {m}\n\ntext\n\n" for m in range(9)) for n in range(5)}
    drafts = draft(notes, 5)
    assert {one.path for one in drafts} == set(notes)
    assert draft(dict(reversed(notes.items())), 5) == drafts


def test_a_draft_is_what_eval_run_reads() -> None:
    drafts = draft(NOTES, 50)
    read = own_set(as_lines(drafts), "draft").collections[0].questions
    assert [asked.text for asked in read] == [one.query for one in drafts]
    assert [asked.gold[0][:3] for asked in read] == [(one.path, one.first, one.last) for one in drafts]


MARKDOWN = st.lists(
    st.sampled_from(["# Title of it", "## Two words", "- bullet with id_4711", "```", "---", "", "a b"]) | st.text(),
    max_size=20,
).map("\n".join)


@given(st.dictionaries(st.sampled_from(["MEMORY.md", "memory/a.md", "memory/b.md"]), MARKDOWN), st.integers(1, 30))
def test_every_question_is_about_lines_that_are_there(notes: dict[str, str], count: int) -> None:
    drafts = draft(notes, count)
    assert len(drafts) <= count
    assert drafts == draft(notes, count)
    for one in drafts:
        assert 1 <= one.first <= one.last <= len(split_lines(notes[one.path]))
        assert one.query.strip()
    lines = as_lines(drafts).encode("utf-8", "surrogatepass").decode("utf-8", "surrogatepass")
    assert [json.loads(line)["query"] for line in lines.split("\n") if line] == [one.query for one in drafts]
