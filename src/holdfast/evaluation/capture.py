"""Measure how well facts are noticed: labelled messages come in, precision and recall by language come out.

{"language": "en", "text": "I live in Porto.", "facts": [{"category": "fact", "words": ["live", "Porto"]}]}

A noticed fact is right where all words of an expected one stand in it and its category is one of that one's; an
expected one is found where such a fact was noticed. A message without facts must yield nothing. A fact with
`"may": true` is one that is there and that nobody has to notice: noticing it is right, leaving it is no miss.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from typing import Any

from holdfast.errors import BadArgument
from holdfast.evaluation.jsonl import text_of
from holdfast.facts.capture.fact_extraction import THRESHOLD, Noticed, notice
from holdfast.markdown.fact_row import Category
from holdfast.named_tuple import NamedTuple
from holdfast.value import Value

__all__ = [
    "CaptureScores",
    "Expected",
    "Labelled",
    "Missed",
    "by_language",
    "labelled_messages",
    "read_labelled",
    "score",
]

_ALL = "all"


class Expected(NamedTuple):
    """A fact that a message tells: words that must stand in it, and the categories it may be put under."""

    words: tuple[str, ...]
    categories: tuple[Category, ...]
    may: bool = False

    def fits(self, found: Noticed) -> bool:
        """Say whether what was noticed is this fact."""
        text = found.text.casefold()
        return found.category in self.categories and all(word.casefold() in text for word in self.words)


class Labelled(NamedTuple):
    """A message, and the facts in it."""

    text: str
    language: str
    facts: tuple[Expected, ...] = ()


class Missed(Value):
    """A message that was read wrongly: what was noticed and is no fact, and what is one and was not noticed."""

    text: str
    language: str
    wrong: tuple[str, ...]
    missing: tuple[str, ...]


class CaptureScores(Value):
    """The counts over some messages, and what they come to."""

    messages: int = 0
    silent: int = 0
    """Messages that must yield nothing."""
    noticed: int = 0
    right: int = 0
    expected: int = 0
    found: int = 0
    misses: tuple[Missed, ...] = ()

    @property
    def precision(self) -> float:
        """Return which part of what was noticed is right; 1 where nothing was."""
        if not self.noticed:
            return 1.0
        return self.right / self.noticed

    @property
    def recall(self) -> float:
        """Return which part of what there was, was noticed; 1 where there was nothing."""
        if not self.expected:
            return 1.0
        return self.found / self.expected

    def to_json(self, *, misses: int = 0) -> dict[str, Any]:
        """Return the shape that every surface shows."""
        counts = {name: getattr(self, name) for name in self.fields if name != "misses"}
        shown = counts | {"precision": round(self.precision, 4), "recall": round(self.recall, 4)}
        if misses:
            shown["misses"] = [
                {"text": miss.text, "language": miss.language, "wrong": list(miss.wrong), "missing": list(miss.missing)}
                for miss in self.misses[:misses]
            ]
        return shown


def score(messages: Iterable[Labelled], threshold: float = THRESHOLD) -> CaptureScores:
    """Return the scores of capture on some messages; `threshold` is how sure it must be of a sentence."""
    made = CaptureScores()
    for message in messages:
        noticed = notice(message.text, threshold)
        wrong = [candidate for candidate in noticed if not any(fact.fits(candidate) for fact in message.facts)]
        due = [fact for fact in message.facts if not fact.may]
        missing = [fact for fact in due if not any(fact.fits(candidate) for candidate in noticed)]
        made = made.replace(
            messages=made.messages + 1,
            silent=made.silent + (not message.facts),
            noticed=made.noticed + len(noticed),
            right=made.right + len(noticed) - len(wrong),
            expected=made.expected + len(due),
            found=made.found + len(due) - len(missing),
        )
        if wrong or missing:
            wrong_texts = tuple(f"{fact.text} ({fact.category.value})" for fact in wrong)
            made = made.replace(
                misses=(
                    *made.misses,
                    Missed(
                        message.text, message.language, wrong_texts, tuple(" ".join(fact.words) for fact in missing)
                    ),
                )
            )
    return made


def by_language(messages: Sequence[Labelled]) -> dict[str, CaptureScores]:
    """Return the scores of all messages, and of those of each language."""
    languages = dict.fromkeys(message.language for message in messages)
    each = {name: score(message for message in messages if message.language == name) for name in languages}
    return {_ALL: score(messages), **each}


def read_labelled(paths: Iterable[str]) -> list[Labelled]:
    """Return the messages of files of JSON lines, or of all such files of a directory."""
    found: list[Labelled] = []
    for path in paths:
        if os.path.isdir(path):
            names = sorted(os.listdir(path))
        else:
            names = [""]
        if names != [""]:
            files = [os.path.join(path, name) for name in names if name.endswith(".jsonl")]
        else:
            files = [path]
        for file in files:
            found += labelled_messages(text_of(file, "messages", "set of messages"), os.path.basename(file))
    if not found:
        raise BadArgument("messages", "there are none; give .jsonl files, or a directory with such files")
    return found


def labelled_messages(text: str, title: str) -> list[Labelled]:
    """Return the messages of a text of JSON lines; a line that can't be used is an error that names it."""
    lines = enumerate(text.removeprefix("\ufeff").split("\n"), 1)
    return [_message(line, f"{title}, line {number}") for number, line in lines if line.strip()]


def _message(line: str, where: str) -> Labelled:
    try:
        read: Any = json.loads(line)
        text, language, facts = read["text"], read.get("language", ""), read.get("facts", [])
        expected = tuple(_expected(fact) for fact in facts)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise BadArgument("messages", f"{where}: it needs 'text', and 'facts' with 'category' and 'words'") from None
    if not isinstance(text, str) or not isinstance(language, str):
        raise BadArgument("messages", f"{where}: 'text' and 'language' are not text")
    return Labelled(text, language, expected)


def _expected(fact: Any) -> Expected:
    categories = fact["category"]
    if isinstance(categories, str):
        names = [categories]
    else:
        names = categories
    words = tuple(str(word) for word in fact["words"])
    if not words:
        raise ValueError("no words")
    return Expected(words, tuple(Category(name) for name in names), fact.get("may", False) is True)
