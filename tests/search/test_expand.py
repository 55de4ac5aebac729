"""Other ways to ask: cached, skipped where they are not needed, and never the end of a search."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.errors import ProviderFailed
from holdfast.llm.chat_model import Answer, Request, Stop
from holdfast.llm.scripted_model import ScriptedModel
from holdfast.search.query_expansion import Expander, Expansion, needs_expansion


def said(*variants: Any, answer: Any = "") -> str:
    return json.dumps({"variants": list(variants), "answer": answer})


@pytest.mark.parametrize(
    ("scores", "wanted"),
    [
        ([], True),
        ([0.9, 0.7, 0.1], False),
        ([0.7, 0.9, 0.1], False),
        ([0.9, 0.8], True),
        ([0.84, 0.1], True),
        ([0.9], False),
        ([0.5], True),
        ([math.nan, 0.9], False),
    ],
)
def test_a_strong_first_hit_needs_no_expansion(scores: list[float], wanted: bool) -> None:
    assert needs_expansion(scores) is wanted


@given(st.lists(st.floats(0, 1)), st.floats(0, 1), st.floats(0, 1))
def test_whoever_asks_for_a_stronger_signal_expands_no_less(scores: list[float], strong: float, gap: float) -> None:
    if needs_expansion(scores, strong=strong, gap=gap):
        assert needs_expansion(scores, strong=min(1.0, strong + 0.1), gap=min(1.0, gap + 0.1))


def test_variants_and_a_made_up_answer_come_back() -> None:
    model = ScriptedModel(said("spare key location", "where the house key is", answer="The key is under the mat."))
    found = Expander(model).expand("where is the key?")
    assert found == Expansion(("spare key location", "where the house key is"), "The key is under the mat.", "")
    (request,) = model.requests
    assert "| where is the key?" in request.messages[1].text and request.schema is not None


def test_a_question_is_asked_once_of_each_model() -> None:
    model = ScriptedModel(said("first"), said("second"))
    expander = Expander(model)
    assert expander.expand("where is  the key?") == expander.expand(" where is the key? ")
    assert len(model.requests) == 1
    model.model = "another"
    assert expander.expand("where is the key?").variants == ("second",)


def test_the_cache_keeps_what_was_used_last() -> None:
    model = ScriptedModel(always=said("v"))
    expander = Expander(model, entries=2)
    for question in ("a", "b", "a", "c", "a", "b"):
        expander.expand(question)
    assert [request.messages[1].text.split("| ")[1][0] for request in model.requests] == ["a", "b", "c", "b"]


@pytest.mark.promise("P7")
@pytest.mark.parametrize(
    ("line", "why"),
    [
        (ProviderFailed("openai", "it is unavailable"), "unavailable"),
        ("I don't know.", "can't be read"),
        ("[1, 2]", "can't be read"),
        (said(), "can't be read"),
        (said(7, None, answer=8), "can't be read"),
        (Answer("", stop=Stop.REFUSED), "would not"),
    ],
)
def test_a_failure_leaves_the_question_alone_and_is_not_remembered(line: Any, why: str) -> None:
    model = ScriptedModel(line, said("later"))
    expander = Expander(model)
    found = expander.expand("where is the key?")
    assert (found.variants, found.answer) == ((), "")
    assert found.because.startswith("the question was not expanded: ") and why in found.because
    assert expander.expand("where is the key?") == Expansion(("later",))


def test_a_model_that_raises_anything_leaves_the_question_alone() -> None:
    def broken(request: Request) -> str:
        raise KeyError("not our kind of error")

    assert "KeyError" in Expander(ScriptedModel(broken)).expand("q").because


def test_an_empty_question_asks_nobody_and_no_time_is_a_failure() -> None:
    model = ScriptedModel(always=said("v"))
    assert Expander(model).expand(" \n").because == "the question is empty"
    assert "no time" in Expander(model, seconds=0.0).expand("q").because
    assert model.requests == []


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("```json\n" + said("a b", answer="c") + "\n```", Expansion(("a b",), "c")),
        ('{"variants": "only one"}', Expansion(("only one",))),
        ('{"variants": ["cut off"], "answer": "and so', Expansion(because="x")),
        (said("Q?", "q?", " a ", "A", "b", "c", "d"), Expansion(("a", "b", "c"))),
        (said('-not "this phrase" pre*', "a -- b"), Expansion(("not this phrase pre", "a -- b"))),
        (said('"-0 *-b', '"+-c"'), Expansion(("0 b", "c"))),
        (said("a well-known --flag", "+ 1 +x"), Expansion(("a well-known flag", "+ 1 x"))),
        (said("two\nlines\u202e \x1b[31m red"), Expansion(("two lines [31m red",))),
    ],
)
def test_what_a_model_writes_becomes_words(line: str, found: Expansion) -> None:
    got = Expander(ScriptedModel(line)).expand("q?")
    assert (got.variants, got.answer) == (found.variants, found.answer)
    assert bool(got.because) is bool(found.because)


@pytest.mark.promise("P13")
def test_what_is_sent_and_what_comes_back_is_bounded() -> None:
    model = ScriptedModel(said("word " * 1_000, "x" * 1_000, answer="long " * 1_000))
    found = Expander(model).expand("why " * 100_000)
    assert len(model.requests[0].messages[1].text) < 2_200
    assert [len(text) for text in found.variants] == [199, 200] and len(found.answer) <= 600


@given(st.text())
def test_whatever_a_model_says_variants_are_short_lines(text: str) -> None:
    lines: list[Callable[[Request], str]] = [lambda request: text, lambda request: said(text, answer=text)]
    expander = Expander(ScriptedModel(*lines))
    for question in ("first", "second"):
        found = expander.expand(question)
        for words in (*found.variants, found.answer):
            assert len(words) <= 600 and len(words.splitlines()) <= 1
        assert not any(set('"*') & set(words) or re.match(r"[-+]+[^\s+-]", words) for words in found.variants)
        assert bool(found.because) is not bool(found.variants or found.answer)
