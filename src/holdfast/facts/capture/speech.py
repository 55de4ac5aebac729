"""How people speak about themselves in one language: patterns as data, compiled when a message first needs them.

Every pattern is tried on one sentence of bounded length, and repeats nothing that repeats: no message makes it slow.
Texts are matched in small and capital letters alike, with single blanks and straight apostrophes; `NAME` alone asks
for a capital.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, cached_property
from typing import NamedTuple

from holdfast.facts.capture.quick import at_words
from holdfast.markdown.fact_row import Category

__all__ = ["NAME", "NO_THING", "PATTERNS", "Compiled", "Form", "Speech", "any_of", "compiled"]

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
_LONG_WORD = re.compile(r"(\\.|\[(?:\\.|[^\]\\]){0,400}\])|[a-zà-ÿ]{5,}")  # what comes first are escapes and classes


_SOUGHT = frozenset(
    "doubtful unsure technical passing wishing material joking laughing dangling about_me states".split()
)


class Form(NamedTuple):
    """A way to begin a clause that says something lasting; "I live in", "we decided to"."""

    rule: str
    category: Category
    importance: float
    pattern: str
    about_things: bool = False
    """Whether "this one" or "your second draft" could follow, which makes it talk about the task."""
    weak: bool = False
    """Whether it tells nothing where the talk is technical or of today: "I use", "I have", "I drive"."""


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
    leads: str = r"(?!)"
    """When or where, at the start of a clause: "on Fridays", "at home"; it stays in the note, and no form has to know
    it. What is nothing else is no clause of its own."""
    unsure: str = r"(?!)"
    """Anywhere in a clause: what is only thought of or told by others, with all that follows in the sentence; what
    stands before it is said."""
    technical: str = r"(?!)"
    """Anywhere in a sentence: talk about the code at hand, in which "I use" and "I have" tell nothing that lasts."""
    passing: str = r"(?!)"
    """Anywhere in a clause: now, today, this once; where it stands, what is weak tells nothing that lasts either."""
    given: str = r"(?!)"
    """What even a question takes for granted: "my son who is four", "my sister Lea"."""
    because: str = r"(?!)"
    """Right before the last clause of a question, which then is a statement: "…, given that I film birds?"."""
    profile: str = r"(?!)"
    """At the start of a sentence: what leads in a list of what somebody is: "about me: nurse, 36, Lyon"."""
    loose: bool = False
    """Whether people leave its accents out when they type in a hurry."""


class Compiled:
    """The same, ready to be matched; each is compiled when it is first asked for: a language that nobody speaks to us
    costs nothing, and one costs a tenth of a second."""

    fillers: re.Pattern[str]
    explicit: re.Pattern[str]
    explicit_after: re.Pattern[str]
    no_memory: re.Pattern[str]
    standing: re.Pattern[str]
    orders: re.Pattern[str]
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
    leads: re.Pattern[str]
    unsure: re.Pattern[str]
    technical: re.Pattern[str]
    passing: re.Pattern[str]
    given: re.Pattern[str]
    because: re.Pattern[str]
    profile: re.Pattern[str]

    def __init__(self, speech: Speech) -> None:
        self.code = speech.code
        self._speech = speech
        self._read = _without_accents_too if speech.loose else str

    def __getattr__(self, name: str) -> re.Pattern[str]:
        if name not in PATTERNS:
            raise AttributeError(name)
        text = self._read(getattr(self._speech, name))
        made = self.__dict__[name] = _pattern(at_words(text) if name in _SOUGHT else text)
        return made

    @cached_property
    def forms(self) -> tuple[tuple[Form, re.Pattern[str]], ...]:
        """The forms, in their order."""
        return tuple((form, _pattern(self._read(form.pattern))) for form in self._speech.forms)


PATTERNS = frozenset(name for name in Compiled.__annotations__ if name not in ("code", "forms"))
"""The names of all patterns but those of the forms."""


@cache
def compiled(speech: Speech) -> Compiled:
    """The patterns of a language, each compiled once."""
    return Compiled(speech)


def any_of(*phrases: str) -> str:
    """One of the phrases, each given alone or several with bars between them."""
    return f"(?:{'|'.join(phrases)})"


def _without_accents_too(pattern: str) -> str:
    """A pattern that also fits words of five letters and more whose accents were left out: "alergico", "diabete".

    Shorter ones would turn into other words: "está" and "esta", "é" and "e".
    """
    return _LONG_WORD.sub(lambda found: found[1] or "".join(_either(letter) for letter in found[0]), pattern)


def _either(letter: str) -> str:
    bare = unicodedata.normalize("NFD", letter)[0]
    return letter if bare == letter else f"[{letter}{bare}]"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)
