"""A message of the user → the facts in it, by rules: the words as they were said, a category and an importance. Pure.

Precision before recall: a sentence counts where it asks to be remembered, or where it begins as people begin when they
speak about themselves, and nothing around it says that it is a question, a wish, a joke, a story, somebody else's words
or talk about the task at hand.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from holdfast.chunks.fact import Category
from holdfast.facts.capture.borrowed import asks_about_a_text, credited, withheld
from holdfast.facts.capture.english import ENGLISH
from holdfast.facts.capture.french import FRENCH
from holdfast.facts.capture.german import GERMAN
from holdfast.facts.capture.german_order import main_clause
from holdfast.facts.capture.own_words import OwnLine, own_lines
from holdfast.facts.capture.portuguese import PORTUGUESE
from holdfast.facts.capture.refusing import holds_secret, orders_a_model
from holdfast.facts.capture.sentences import Sentence, inside, quotations, sentences
from holdfast.facts.capture.spanish import SPANISH
from holdfast.facts.capture.speech import Compiled, Form, compiled

__all__ = ["LANGUAGES", "Noticed", "notice"]

_SPEECHES = (ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE)
LANGUAGES = tuple(speech.code for speech in _SPEECHES)
"""The languages that the rules know."""

_WORDS = tuple((speech, frozenset(speech.words.split())) for speech in _SPEECHES)
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_STRAIGHT = str.maketrans("’‘ʼ\u00a0\u202f", "'''  ")
_EDGES = " \t,;:–—-.!…*_\"'“”«»"
_TOO = re.compile(r",? (?:too|as well|either|auch|aussi|también|também)$", re.IGNORECASE)
_BLANK = re.compile(r"\[[^\]]{2,40}\](?!\()|_{3,}")  # of a form that somebody is to fill in
_LETTERS = re.compile(r"[^\W\d_]")
_MOST_FACTS = 8  # in one message; whoever says more pastes
_FEWEST_LETTERS = 4
_EXPLICIT = 0.8
_ANNOUNCES = (":", ",", "-", "that", "dass", "que", "qu'")
_STANDING = 0.75
_MOST_FILLERS = 4
_LONGEST_MARK = 4  # words: "from this point on"
_LONGEST_LABEL = 2  # words before a colon: "small correction:", and not "put into plural:"
_STOP = re.compile(r"[.!?] ")
_COLON = re.compile(r" ?: ")
_REASON = re.compile(
    r",| (?:because|since|cause|weil|denn|parce qu|puisqu|porque|ya que|puesto que|já que|pois|visto que)\b"
)
_EITHER = {"en": " or ", "de": " oder ", "fr": " ou ", "es": " o ", "pt": " ou "}
_SHORTEST_QUESTION = 3  # words; "right", "n'est-ce pas" and "isn't it" ask whether what was said is so


class Noticed(NamedTuple):
    """A fact as it was said, and the rule that found it."""

    text: str
    category: Category
    importance: float
    rule: str
    language: str


def notice(message: str) -> list[Noticed]:
    """The facts of a message, in order and each once; none where it tries to steer a model."""
    lines, long = own_lines(message)
    lines = [OwnLine(_plain(text), _plain(led_by)) for text, led_by in lines]
    whole = "\n".join(line.text for line in lines)
    if not lines or orders_a_model(whole):
        return []
    # In every language: a request to translate is seldom in the language of what is to be translated.
    every = [compiled(speech) for speech in _SPEECHES]
    lines, invented = _before_material(lines, every)
    invented = invented or any(_jokes(whole, speech) for speech in every)
    main = _likely(whole)
    told = _each(lines, main, only_asked=long or invented)
    if asking := _about_a_text(lines):
        # The sentence that asks is the user's own: "I'm a nurse, can you review my CV?"
        told = chain(_each(asking, main, only_asked=long or invented), _each(lines, main, only_asked=True))
    found: dict[str, Noticed] = {}
    for one in told:
        if not holds_secret(one.text):
            found.setdefault(one.text.casefold(), one)
    return list(found.values())[:_MOST_FACTS]


def _each(lines: list[OwnLine], main: list[Compiled], *, only_asked: bool) -> Iterator[Noticed]:
    for line in lines:
        led_by = f"{line.led_by} "
        asked_for = bool(line.led_by) and any(speech.explicit.match(led_by) for speech in main)
        if line.led_by and not asked_for and not any(speech.about_me.search(led_by) for speech in main):
            continue  # what a colon leads in is somebody's text
        for sentence in sentences(line.text):
            for speech in _likely(sentence.text, main):
                asked = _asked_for(sentence, speech, listed=asked_for)
                told = [asked] if asked else []
                if not asked and not only_asked and not sentence.quoted:
                    told = list(_told(sentence, speech))
                yield from told
                if told:
                    break


def _asked_for(sentence: Sentence, speech: Compiled, *, listed: bool) -> Noticed | None:
    """What the user asks to be remembered."""
    words = _without_fillers(sentence.text, speech)
    request = speech.explicit.match(words) or speech.explicit.match(sentence.text)
    if request is not None:
        rest = request.string[request.end() :].strip(_EDGES)
    elif after := speech.explicit_after.search(words):
        rest = words[: after.start()].strip(_EDGES)
    elif listed:
        rest = words.strip(_EDGES)
    else:
        return None
    if speech.no_memory.match(rest) or len(_LETTERS.findall(rest)) < _FEWEST_LETTERS:
        return None
    form = _form(rest, speech)
    if sentence.asked and form is None:
        return None
    if form is not None:
        return _noticed(rest, form.category, max(form.importance, _EXPLICIT), "asked to remember", speech)
    if speech.standing.match(rest) or speech.orders.match(rest):
        return _noticed(rest, Category.PREFERENCE, _EXPLICIT, "asked to remember", speech)
    category = Category.FACT if speech.states.search(rest) else Category.OTHER
    if category is Category.OTHER and request is not None and not request[0].rstrip().endswith(_ANNOUNCES):
        return None  # "Remember the ice cream, he loves": a memory, and no request
    return _noticed(rest, category, _EXPLICIT, "asked to remember", speech)


def _told(sentence: Sentence, speech: Compiled) -> Iterator[Noticed]:
    """What the user says in passing."""
    if speech.doubtful.search(sentence.text) or _BLANK.search(sentence.text) or credited(sentence.text):
        return
    clauses = _clauses(sentence.text, speech)
    quoted = [sentence.text[start:end].strip(_EDGES) for start, end in quotations(sentence.text)]
    if sentence.asked and clauses:
        clauses[-1] = _before_the_question(clauses[-1], speech)
    for clause in clauses:
        words = _without_fillers(clause, speech)
        if speech.asking.match(words) or speech.asking.match(clause):
            continue
        if speech.wishing.search(clause) or speech.laughing.search(clause) or withheld(clause):
            continue
        if _lasts(words, speech) or speech.orders.match(words):
            yield _noticed(words, Category.PREFERENCE, _STANDING, "standing instruction", speech)
            continue
        if speech.code == "de" and words != clause:
            words = main_clause(words)  # "zu Hause nutze ich": what led it in took the place before the verb
        form = _form(words, speech)
        dangles = form is not None and form.category is not Category.ENTITY
        if form is None or (dangles and speech.dangling.search(_REASON.split(words)[0])):
            continue
        if form.category is not Category.ENTITY or not any(one in words for one in quoted):  # a boss's sayings
            yield _noticed(words, form.category, form.importance, form.rule, speech)


def _clauses(text: str, speech: Compiled) -> list[str]:
    """The clauses of a sentence that its speaker says: what is quoted, or led in by a colon, is nobody's word yet."""
    spans = quotations(text)
    colon = _COLON.search(text)
    if colon and len(text[: colon.start()].split()) > _LONGEST_LABEL:
        lead = text[: colon.end()]
        told = _without_fillers(text, speech) != text or _form(lead, speech) is not None
        if not told and not speech.about_me.search(lead):
            text = lead
    parts: list[str] = []
    start = 0
    for joint in speech.joints.finditer(text):
        if not inside(spans, joint.end()):
            parts.append(text[start : joint.start()])
            start = joint.end()
    return [part.strip(_EDGES) for part in (*parts, text[start:]) if part.strip(_EDGES)]


def _before_the_question(clause: str, speech: Compiled) -> str:
    """What is stated before a question that only a comma parts from it: "my son is four, any book for him?"."""
    head, _, question = clause.rpartition(",")
    asks = len(question.split()) >= _SHORTEST_QUESTION and _EITHER[speech.code] not in f"{question} "
    return head.strip(_EDGES) if asks else ""


def _lasts(clause: str, speech: Compiled) -> bool:
    """Whether a clause is an instruction for good, and more than the words that say so: "going forward" is none."""
    found = speech.standing.match(clause)
    return found is not None and (found.end() < len(clause) or len(clause.split()) > _LONGEST_MARK)


def _before_material(lines: list[OwnLine], every: Sequence[Compiled]) -> tuple[list[OwnLine], bool]:
    """The lines without a text to work on, and whether it could be any of them.

    Behind a colon it is what follows: who introduces themselves first and then asks for a translation is heard.
    """
    for number, line in enumerate(lines):
        starts = [found.start() for speech in every if (found := speech.material.search(line.text))]
        if not starts:
            continue
        before = line.text[: min(starts)]
        if ":" not in line.text[min(starts) :]:
            return lines, True
        end = max((sign.end() for sign in _STOP.finditer(before)), default=0)
        return [*lines[:number], OwnLine(before[:end].strip(), line.led_by)], False
    return lines, False


def _about_a_text(lines: list[OwnLine]) -> list[OwnLine]:
    """The sentences that ask about a text, where there is one in the message."""
    said = [(sentence, line.led_by) for line in lines for sentence in sentences(line.text)]
    asking = [(sentence, led_by) for sentence, led_by in said if asks_about_a_text(sentence.text)]
    return [OwnLine(f"{sentence.text}?" if sentence.asked else sentence.text, led_by) for sentence, led_by in asking]


def _jokes(whole: str, speech: Compiled) -> bool:
    """Whether a message says that it is a joke, or laughs about what it has just said."""
    if speech.joking.search(whole):
        return True
    return any(speech.laughing.match(sentence.text) for line in whole.split("\n") for sentence in sentences(line))


def _form(words: str, speech: Compiled) -> Form | None:
    """The first form that a clause begins with, where it goes on to say something of its own."""
    if len(_LETTERS.findall(words)) < _FEWEST_LETTERS:
        return None
    for form, pattern in speech.forms:
        found = pattern.match(words)
        if found is None:
            continue
        after = found.end() + words.startswith(" ", found.end())
        if not (form.about_things and speech.at_hand.match(words, after)):
            return form
    return None


def _without_fillers(words: str, speech: Compiled) -> str:
    for _ in range(_MOST_FILLERS):
        found = speech.fillers.match(words)
        if found is None or found.end() >= len(words):
            break
        words = words[found.end() :].lstrip(_EDGES)
    return words


def _noticed(words: str, category: Category, importance: float, rule: str, speech: Compiled) -> Noticed:
    text = _TOO.sub("", words.strip(_EDGES))
    if speech.code == "de":
        text = main_clause(text)
    return Noticed(text[:1].upper() + text[1:], category, importance, rule, speech.code)


def _plain(text: str) -> str:
    """The text as patterns expect it: composed, with straight apostrophes and single blanks."""
    return " ".join(unicodedata.normalize("NFC", text).translate(_STRAIGHT).split())


def _likely(text: str, main: Sequence[Compiled] = ()) -> list[Compiled]:
    """The language with most of its frequent words in a text; several where they have as many, the message's first."""
    words = [word.casefold() for word in _WORD.findall(text[:4000])]
    counts = {
        speech: sum(2 * (word in known) + (word.partition("'")[0] + "'" in known) for word in words)
        for speech, known in _WORDS
    }
    most = max(counts.values())
    equal = [compiled(speech) for speech, count in counts.items() if count == most]
    return sorted(equal, key=lambda speech: speech not in main)
