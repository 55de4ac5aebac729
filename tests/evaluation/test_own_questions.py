"""The user's own questions: what a line may say, and that a bad one is named and never crashes."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.errors import BadArgument, NotFound, Refused
from holdfast.evaluation.own_questions import own_set, read_own
from holdfast.evaluation.ranked_ids import gold_ids, ranked_ids
from holdfast.evaluation.sets import Gold, Level, Question


def questions(*lines: object) -> tuple[Question, ...]:
    text = "".join(json.dumps(line) + "\n" for line in lines)
    return own_set(text, "mine.jsonl").collections[0].questions


def test_a_line_names_a_note_a_line_lines_or_a_text() -> None:
    assert questions(
        {"query": "a", "path": "memory/a.md"},
        {"query": "b", "path": "memory/b.md", "line": 7, "category": "dates"},
        {"query": "c", "path": "memory/c.md", "line": [3, 9]},
        {"query": "d", "path": "memory/d.md", "text": "moved\n to March"},
    ) == (
        Question("a", "questions", (Gold("memory/a.md"),)),
        Question("b", "dates", (Gold("memory/b.md", 7, 7),)),
        Question("c", "questions", (Gold("memory/c.md", 3, 9),)),
        Question("d", "questions", (Gold("memory/d.md", text="moved to March"),)),
    )


def test_lines_with_the_same_query_are_one_question_with_several_answers() -> None:
    (asked,) = questions(
        {"query": "a", "path": "memory/a.md", "line": 1},
        {"query": "a", "path": "memory/b.md", "line": 2},
        {"query": "a", "path": "memory/a.md", "line": 1},
    )
    assert [gold.path for gold in asked.gold] == ["memory/a.md", "memory/b.md"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("nonsense", "line 2 is not JSON"),
        ("[" * 100_000, "line 2 is not JSON"),
        ("[1]", "line 2 is not a JSON object"),
        ('{"path": "memory/a.md"}', "line 2 needs 'query'"),
        ('{"query": "a"}', "line 2 needs 'path'"),
        ('{"query": " ", "path": "memory/a.md"}', "line 2 needs 'query'"),
        ('{"query": "a", "path": "memory/a.md", "lines": 3}', "line 2 has lines; the keys are query, path, line"),
        ('{"query": "a", "path": "memory/a.md", "line": 0}', "line 2: 'line' is a line number"),
        ('{"query": "a", "path": "memory/a.md", "line": true}', "line 2: 'line' is a line number"),
        ('{"query": "a", "path": "memory/a.md", "line": [5, 2]}', "line 2: 'line' is a line number"),
    ],
)
def test_a_line_that_can_t_be_used_is_named(line: str, why: str) -> None:
    with pytest.raises(BadArgument) as caught:
        own_set(f'{{"query": "fine", "path": "MEMORY.md"}}\n{line}\n', "mine.jsonl")
    assert why in str(caught.value)


def test_a_file_that_is_missing_empty_or_binary_says_so(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="eval make"):
        read_own(str(tmp_path / "none.jsonl"))
    (tmp_path / "empty.jsonl").write_text("\n\n", encoding="utf-8")
    with pytest.raises(BadArgument, match=r"there are none in 'empty\.jsonl'"):
        read_own(str(tmp_path / "empty.jsonl"))
    (tmp_path / "binary.jsonl").write_bytes(b"\xff\xff")
    with pytest.raises(BadArgument, match="UTF-8"):
        read_own(str(tmp_path / "binary.jsonl"))


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(Refused):
        assert own_set(text, "any").collections[0].questions


VALUES = st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.integers(), max_size=3)
OBJECTS = st.dictionaries(st.sampled_from(["query", "path", "line", "text", "category"]), VALUES)


@given(OBJECTS)
def test_any_object_is_read_or_refused(read: dict[str, object]) -> None:
    try:
        (asked,) = questions(read)
    except Refused:
        return
    assert asked.text == read["query"]
    assert asked.gold[0].path == read.get("path", "")
    assert 0 <= asked.gold[0].first <= asked.gold[0].last


def test_a_text_alone_says_where_the_answer_is(home: Path) -> None:
    with Memory.open(home) as memory:
        memory.save("The launch is on 3 March.", file="memory/plans.md")
        found = memory.search("when is the launch?").results
    (question,) = own_set('{"query": "when is the launch?", "text": "3 march"}', "q").collections[0].questions
    assert ranked_ids(found, question, {}, Level.LINE)[0] in gold_ids(question, Level.LINE)
    assert ranked_ids(found, question, {}, Level.NOTE)[0] in gold_ids(question, Level.NOTE)
