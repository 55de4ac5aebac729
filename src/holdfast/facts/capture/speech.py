"""How people speak about themselves in one language: patterns as data, compiled when a message first needs them.

Every pattern is tried on one sentence of bounded length, and repeats nothing that repeats: no message makes it slow.
Texts are matched in small and capital letters alike, with single blanks and straight apostrophes; `NAME` alone asks
for a capital.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from holdfast.chunks.fact import Category

__all__ = ["NAME", "NO_THING", "Compiled", "Form", "Speech", "any_of", "compiled"]

NAME = r"(?-i:[A-ZÀ-ÖØ-ÞŁŚŽČŠİ][\w'.-]{0,40})"
"""A word with a capital letter."""
NO_THING = (
    r"\b(?! (?:la|le|les|el|los|las|o|a|os|as|die|den|das|l'|ma|mon|mes|mi|mis|meu|minha|meine?n?) ?"
    r"(?!phrase|texte?|texto|faute|falta|fehler|err|mail|e-mail|correo|lettre|carta|brief|satz|sätze|komma|abs(?:atz|"
    r"ätze)|"
    r"paragraph|párrafo|parágrafo|ort[ho]*gra|rechtschreib|grammati|message|mensa|nachricht|rédaction|redac|redaç|"
    r"tradu)"
    r"\w)"
)
"""Behind "correct": not followed by a thing that is no text, as in "correct the address"; in every language, because
all of them are asked about every message."""


class Form(NamedTuple):
    """A way to begin a clause that says something lasting; "I live in", "we decided to"."""

    rule: str
    category: Category
    importance: float
    pattern: str
    about_things: bool = False
    """Whether "this one" or "your second draft" could follow, which makes it talk about the task."""


class Speech(NamedTuple):
    """The patterns of one language."""

    code: str
    words: str
    """Frequent words by which the language is known."""
    fillers: str
    """What may stand before a clause and says nothing."""
    explicit: str
    """Requests to remember; what is to be remembered follows."""
    explicit_after: str
    """The same, behind it."""
    no_memory: str
    """What follows a request to remember that is none: "remember when we …", "remember to buy milk"."""
    standing: str
    """Instructions that hold for good, from the start of a clause to the words that say so."""
    orders: str
    """Instructions that hold for good, from the start of a clause."""
    forms: tuple[Form, ...]
    at_hand: str
    """Things of this conversation, behind a verb: "this", "your draft", "the second one"."""
    dangling: str
    """Anywhere before the first comma: what only the messages before it explain, and no reader of a note can."""
    doubtful: str
    """Anywhere in a sentence: hypotheses, the words of others, sarcasm, talk about the task."""
    wishing: str
    """Anywhere in a clause: what somebody would like; the clauses beside it may still be facts."""
    asking: str
    """How a question begins that has no mark at its end."""
    material: str
    """Anywhere in a message: its sentences are text to work on, or invented."""
    joking: str
    """Anywhere in a message: none of it is meant."""
    laughing: str
    """Anywhere in a clause, which then is not meant; where a sentence begins with it, nothing is."""
    joints: str
    """Where a sentence falls into clauses of their own; the match itself is dropped."""
    about_me: str
    """Anywhere in the line that leads a list of facts in."""
    states: str
    """Words by which something to be remembered is a statement."""


class Compiled(NamedTuple):
    """The same, ready to be matched."""

    code: str
    fillers: re.Pattern[str]
    explicit: re.Pattern[str]
    explicit_after: re.Pattern[str]
    no_memory: re.Pattern[str]
    standing: re.Pattern[str]
    orders: re.Pattern[str]
    forms: tuple[tuple[Form, re.Pattern[str]], ...]
    at_hand: re.Pattern[str]
    dangling: re.Pattern[str]
    doubtful: re.Pattern[str]
    wishing: re.Pattern[str]
    asking: re.Pattern[str]
    material: re.Pattern[str]
    joking: re.Pattern[str]
    laughing: re.Pattern[str]
    joints: re.Pattern[str]
    about_me: re.Pattern[str]
    states: re.Pattern[str]


@cache
def compiled(speech: Speech) -> Compiled:
    """The patterns of a language, compiled once."""
    fields = {name: _pattern(getattr(speech, name)) for name in Compiled._fields if name not in ("code", "forms")}
    forms = tuple((form, _pattern(form.pattern)) for form in speech.forms)
    return Compiled(code=speech.code, forms=forms, **fields)


def any_of(*phrases: str) -> str:
    """One of the phrases, each given alone or several with bars between them."""
    return f"(?:{'|'.join(phrases)})"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)
