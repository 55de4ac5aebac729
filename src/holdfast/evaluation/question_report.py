"""The owner's questions asked in the owner's home: how many were answered, and why each of the others was not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from holdfast.evaluation.baseline import Floor, content_words
from holdfast.evaluation.configurations import SHIPPED, named_ways
from holdfast.evaluation.eval_memory import in_own_home, notes_of
from holdfast.evaluation.eval_run import Miss, evaluate
from holdfast.evaluation.metrics import any_at
from holdfast.evaluation.own_questions import own_set
from holdfast.evaluation.ranked_ids import gold_ids
from holdfast.evaluation.sets import Gold, Level, Question
from holdfast.memory import Memory
from holdfast.progress import Progress

__all__ = ["missed_because", "question_report"]

_FIRST: Final = 5  # hits among which an answer counts as found
_MOST_MISSES: Final = 200
_MOST_WORDS: Final = 6


def question_report(memory: Memory, text: str, progress: Progress | None = None) -> dict[str, Any]:
    """Ask every question of these JSON lines, and score the answers beside the floor; nothing but the index changes."""
    labelled = own_set(text, "questions")
    (collection,) = labelled.collections
    answerable = [question for question in collection.questions if question.gold]
    if not answerable:
        return {"questions": 0, "lines": None, "notes": None, "floor": None, "misses": []}
    opening = in_own_home(memory.home, memory.agent, {})
    by_level = {
        outcome.level: outcome for outcome in evaluate(labelled, named_ways([SHIPPED]), opening, progress=progress)
    }
    notes = notes_of(memory)
    asked = {question.text: question for question in answerable}
    lines = by_level[Level.LINE]
    return {
        "questions": len(answerable),
        "first": round(lines.overall["any@1"], 4),
        "lines": round(lines.overall["any@5"], 4),
        "notes": round(by_level[Level.NOTE].overall["any@5"], 4),
        "floor": _floor(answerable, notes),
        "misses": [_describe_miss(miss, asked[miss.question], notes) for miss in lines.misses[:_MOST_MISSES]],
    }


def _floor(questions: Sequence[Question], notes: Mapping[str, str]) -> float | None:
    """Return how many questions plain full-text search has among the first notes; None where an answer has no note."""
    if any(not gold.path for question in questions for gold in question.gold):
        return None
    floor = Floor(notes.items())
    found = [any_at(floor.search(question.text), gold_ids(question, Level.NOTE), _FIRST) for question in questions]
    return round(sum(found) / len(found), 4)


def _describe_miss(miss: Miss, question: Question, notes: Mapping[str, str]) -> dict[str, Any]:
    return {
        "query": miss.question,
        "rank": miss.rank,
        "wanted": [_place(gold) for gold in question.gold],
        "got": miss.found[0].partition("-")[0] if miss.found else None,
        "because": missed_because(miss, question, notes),
    }


def _place(gold: Gold) -> dict[str, Any]:
    return {"path": gold.path, "line": gold.first, "text": gold.text}


def missed_because(miss: Miss, question: Question, notes: Mapping[str, str]) -> str:
    """Say in a sentence why a question was missed.

    The answer is gone, it stands behind others, or it lacks words of the question.
    """
    named = [gold for gold in question.gold if gold.path]
    gone = [gold for gold in named if gold.path not in notes]
    if named and len(gone) == len(question.gold):
        return f"There is no note {gone[0].path} any more; the question wants another answer."
    beyond = [gold for gold in named if gold.first > notes.get(gold.path, "").count("\n") + 1]
    if named and len(beyond) == len(question.gold):
        return f"{beyond[0].path} has no line {beyond[0].first} any more; the question wants another answer."
    behind = "The answer is not among the first ten hits. "
    if miss.rank:
        behind = f"The answer is hit {miss.rank}. "
    return behind + _about_words(question, notes)


def _about_words(question: Question, notes: Mapping[str, str]) -> str:
    """Return which words of a question its best answer lacks: what words do not find, meaning has to."""
    words = list(dict.fromkeys(content_words(question.text)))
    lacking = min(([word for word in words if word not in _answer(gold, notes)] for gold in question.gold), key=len)
    if not words or not lacking:
        return "It has every word of the question; others have them closer together, or more often."
    shown = ", ".join(lacking[:_MOST_WORDS])
    if len(lacking) == len(words):
        return f"It has no word of the question: {shown}."
    return f"It does not say: {shown}."


def _answer(gold: Gold, notes: Mapping[str, str]) -> str:
    text = notes.get(gold.path, gold.text)
    if gold.first:
        text = "\n".join(text.split("\n")[gold.first - 1 : gold.last])
    return text.lower()
