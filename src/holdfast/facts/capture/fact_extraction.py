"""A message of the user → the facts in it, by rules: the words as they were said, a category and an importance. Pure.

Precision before recall: a sentence counts where it asks to be remembered, or where it begins as people begin when they
speak about themselves, and nothing around it says that it is a question, a wish, a joke, a story, somebody else's words
or talk about the task at hand.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from holdfast.facts.capture import english_spelling, german_order, romance_spelling
from holdfast.facts.capture.asides import HELP, ITEMS, OURS, PROFILE, REQUEST, STRUGGLES, TAG
from holdfast.facts.capture.borrowed_text import asks_about_a_text, credited, letter_at, withheld
from holdfast.facts.capture.capture_refusal import holds_secret, orders_a_model
from holdfast.facts.capture.chat_sentences import LONGEST, Sentence, inside, quotations, sentences
from holdfast.facts.capture.german_order import main_clause
from holdfast.facts.capture.heads import own_head
from holdfast.facts.capture.own_words import OwnLine, own_lines
from holdfast.facts.capture.pretence import denied, lasting, misread, pretended, sung
from holdfast.facts.capture.sentence_frame import (
    announces,
    benign_label,
    casts,
    fronted,
    reported,
    reports_an_error,
)
from holdfast.facts.capture.speech import Compiled, Form
from holdfast.facts.capture.tongues import LANGUAGES, every, likely
from holdfast.markdown.fact_row import Category

__all__ = ["LANGUAGES", "Noticed", "notice"]

_READINGS: Mapping[str, Callable[[str], tuple[str, ...]]] = {
    "en": english_spelling.readings,
    "de": german_order.readings,
    **romance_spelling.READINGS,
}
"""How a clause is put before it is compared with the forms; what is noted stays as it was said."""
_STRAIGHT = str.maketrans("’‘ʼ\u00a0\u202f", "'''  ")
_EDGES = " \t,;:–—-.!…*_\"'“”«»"
_TOO = re.compile(r",? (?:too|as well|either|auch|aussi|también|também)$", re.IGNORECASE)
_BLANK = re.compile(r"\[[^\]]{2,40}\](?!\()|_{3,}")  # of a form that somebody is to fill in
_LETTERS = re.compile(r"[^\W_]")
_MOST_FACTS = 8  # in one message; whoever says more pastes
_FEWEST_LETTERS = 4
_EXPLICIT = 0.8
_ANNOUNCES = (":", ",", "-", "that", "dass", "que", "qu'")
_STANDING = 0.75
_MOST_FILLERS = 4
_LONGEST_MARK = 4  # words: "from this point on"
_ASIDE = re.compile(r" ?\(([^()]{8,200})\)")
_STOP = re.compile(r"[.!?] ")
_COLON = re.compile(r" ?: ")
_REASON = re.compile(
    r",| (?:because|since|cause|weil|denn|parce qu|puisqu|porque|ya que|puesto que|já que|pois|visto que)\b|"
    r" and (?:the|it|he|she|they|now|both)\b| (?:but|aber|mais|pero|mas) "
)
_EITHER = {"en": " or ", "de": " oder ", "fr": " ou ", "es": " o ", "pt": " ou "}
_PROFILED = 0.65
_LONGEST_REASON = 40  # characters of "teniendo en cuenta que", and some
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
    lines = [OwnLine(_plain(line.text), _plain(line.led_by)) for line in lines]
    main = likely("\n".join(line.text for line in lines))
    # Most messages tell nothing: whose words they are is asked only of those that seem to.
    if not lines or not (told := list(_each(lines, main, only_asked=long))):
        return []
    whole = "\n".join(line.text for line in lines)
    if orders_a_model(whole):
        return []
    # In every language: a request to translate is seldom in the language of what is to be translated.
    known = every()
    own, invented = _before_material(lines, known)
    begun = [sentence.text for line in own for sentence in sentences(line.text)]
    invented = invented or sung(whole) or any(casts(sentence) for sentence in begun)
    invented = invented or any(_jokes(whole, begun, speech) for speech in known)
    asking = _about_a_text(own)
    if invented or asking or own is not lines:
        told = list(_each(own, main, only_asked=long or invented or bool(asking)))
        if asking and not (long or invented):
            # The sentence that asks is the user's own: "I'm a nurse, can you review my CV?"
            told = [*_each(asking, main, only_asked=False), *told]
    if misread(whole):
        told = [one for one in told if not denied(one.text)]
    found: dict[str, Noticed] = {}
    for one in told:
        if not holds_secret(one.text):
            found.setdefault(one.text.casefold(), one)
    return list(found.values())[:_MOST_FACTS]


def _each(lines: list[OwnLine], main: list[Compiled], *, only_asked: bool) -> Iterator[Noticed]:
    for line in lines:
        led_by = f"{line.led_by[:LONGEST]} "  # as much as a sentence may have: no pattern is tried on more
        asked_for = bool(line.led_by) and any(speech.explicit.match(led_by) for speech in main)
        if line.led_by and PROFILE.match(f"{led_by}-") and not line.text.endswith(("?", ":")):
            yield _noticed(line.text, Category.FACT, _PROFILED, "profile", main[0])
            continue
        if line.led_by and not asked_for and not any(speech.about_me.search(led_by) for speech in main):
            continue  # what a colon leads in is somebody's text
        for sentence in sentences(line.text):
            spoken, elsewhere = likely(sentence.text, main), False
            for speech in spoken:
                asked = _asked_for(sentence, speech, listed=asked_for)
                told = [asked] if asked else []
                if not asked and not only_asked and not sentence.quoted:
                    told = list(_told(sentence, speech))
                    elsewhere = fronted(words := _without_fillers(sentence.text, speech))
                    if elsewhere or (told and reported(words)):
                        told = []
                yield from told
                if told:
                    break
            if elsewhere or announces(sentence.text) or _own_part(sentence.text, spoken[0]) != sentence.text:
                break  # behind the colon, and to the end of the line: "Improve this headline: We are new. We use oats."


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
    if (profile := PROFILE.match(sentence.text)) and not sentence.asked and len(ITEMS.findall(profile["rest"])) > 1:
        yield _noticed(profile["rest"], Category.FACT, _PROFILED, "profile", speech)
        return
    if speech.doubtful.search(sentence.text) or _BLANK.search(sentence.text) or credited(sentence.text):
        return
    if pretended(sentence.text):
        return
    lead = speech.profile.match(sentence.text)
    if lead and not sentence.asked and _form(sentence.text[lead.end() :].strip(_EDGES), speech) is None:
        yield _noticed(sentence.text[lead.end() :], Category.FACT, _STANDING, "profile", speech)
        return
    words, asides = _without_asides(sentence.text, speech)
    clauses = _clauses(words, speech)
    quoted = [sentence.text[start:end].strip(_EDGES) for start, end in quotations(sentence.text)]
    if sentence.asked and clauses and not _stated(clauses[-1], sentence, speech):
        clauses[-1] = _before_the_question(clauses[-1], speech)
    clauses += asides
    technical = speech.technical.search(sentence.text) is not None
    doubt = False
    for clause in clauses:
        doubt = doubt or speech.unsure.search(clause) is not None
        if doubt and not (speech.given.match(clause) and not speech.unsure.search(clause)):
            doubt = not any(one in clause for one in quoted)  # where a quotation ends, so does what somebody else said
            continue
        words = _without_fillers(clause, speech)
        if (speech.asking.match(words) or speech.asking.match(clause)) and not _wanted_for_good(words, speech):
            continue
        if speech.wishing.search(clause) or withheld(clause):
            continue
        if speech.laughing.search(clause) and not lasting(clause):
            continue
        if _lasts(words, speech) or speech.orders.match(words):
            yield _noticed(words, Category.PREFERENCE, _STANDING, "standing instruction", speech)
            continue
        if speech.code == "de" and words != clause:
            words = main_clause(words)  # "zu Hause nutze ich": what led it in took the place before the verb
        strong = technical or speech.passing.search(words) is not None
        form = _form(words, speech, strong=strong)
        if form is None and words != clause and (form := _form(clause, speech, strong=strong)) is not None:
            words = clause  # "at home nobody eats pork": what leads it in is what makes it theirs
        if form is not None and form.rule == "decision" and sentence.asked and not OURS.search(clause):
            continue  # "the council rejected the treaty, why?": history
        dangles = form is not None and form.category is not Category.ENTITY and form.rule != "name"
        if form is None or reports_an_error(words) or (dangles and speech.dangling.search(_REASON.split(words)[0])):
            continue
        if form.category is not Category.ENTITY or not any(one in words for one in quoted):  # a boss's sayings
            yield _noticed(words, form.category, form.importance, form.rule, speech)


def _clauses(text: str, speech: Compiled) -> list[str]:
    """The clauses of a sentence that its speaker says: what is quoted, or led in by a colon, is nobody's word yet."""
    own = _own_part(text, speech)
    label, colon, rest = own.partition(": ")
    return _parts(rest if colon and benign_label(label) else own, speech)


def _without_asides(text: str, speech: Compiled) -> tuple[str, list[str]]:
    """A sentence without what it says in brackets about its speaker, and that: "which soap (I have eczema) is "
    "mild?"."""
    asides: list[str] = []

    def taken(aside: re.Match[str]) -> str:
        parts = _parts(aside[1], speech)
        if aside[1].endswith("?") or not any(_form(_without_fillers(one, speech), speech) for one in parts):
            return aside[0]
        asides.extend(parts)
        return ""

    return (_ASIDE.sub(taken, text).strip(), asides) if "(" in text else (text, asides)


def _parts(text: str, speech: Compiled) -> list[str]:
    spans = quotations(text)
    parts: list[str] = []
    start = 0
    for joint in speech.joints.finditer(text):
        head = text[start : joint.start()]
        if inside(spans, joint.end()) or speech.leads.fullmatch(head.strip(_EDGES)):
            continue
        if joint[0] == " " and not head.rstrip().endswith(":") and not own_head(head) and not _says(head, speech):
            break  # "Anna believes I work at Acme": whoever that is says the rest of it as well
        parts.append(head)
        start = joint.end()
    return [part.strip(_EDGES) for part in (*parts, text[start:]) if part.strip(_EDGES)]


def _says(head: str, speech: Compiled) -> bool:
    """Whether a head is itself a clause of the user's own, or a question."""
    words = _without_fillers(head, speech)
    return _form(words, speech) is not None or speech.asking.match(words) is not None


def _own_part(text: str, speech: Compiled) -> str:
    """A sentence up to the colon that leads somebody's text in."""
    colon = _COLON.search(text)
    if colon:
        lead = text[: colon.end()]
        rest = _without_fillers(text, speech)
        told = len(rest) <= len(text) - colon.end() or benign_label(rest[: len(rest) - len(text) + colon.start()])
        told = told or any(one.match(lead) for one in (STRUGGLES, speech.leads))
        told = told or any(_form(one, speech) for one in (lead, *_parts(lead, speech)[-1:]))
        if not told and not speech.about_me.search(lead):
            return lead
    return text


def _stated(clause: str, sentence: Sentence, speech: Compiled) -> bool:
    """Whether the last clause of a question says something all the same."""
    if _wanted_for_good(clause, speech) or speech.given.match(clause):
        return True
    before = sentence.text[: sentence.text.rfind(clause)]
    return speech.because.search(before[-_LONGEST_REASON:]) is not None


def _before_the_question(clause: str, speech: Compiled) -> str:
    """What is stated before a question that only a comma parts from it: "my son is four, any book for him?"."""
    head, _, question = clause.rpartition(",")
    head = head.strip(_EDGES)
    if TAG.fullmatch(question.strip()) and (
        _lasts(head, speech) or speech.orders.match(head) or _answers(head, speech)
    ):
        return head  # "whenever I send a number, put it in euros, ok?"
    if _EITHER[speech.code] in f"{question} ":  # "I like tea, coffee or cocoa more?", and "my dog limps, vet or wait?"
        form = _form(_without_fillers(head, speech), speech)
        return head if form is not None and form.category is not Category.PREFERENCE else ""
    asks = len(question.split()) >= _SHORTEST_QUESTION or HELP.fullmatch(question.strip()) is not None
    if not asks and speech.code in romance_spelling.READINGS:
        asks = TAG.fullmatch(question.strip()) is None
    if not asks and question.count(" ") == 2 and question.strip()[:1].islower():  # "…, lieber lassen?"; no town
        asks = TAG.fullmatch(question.strip()) is None
    return head if asks else ""


def _answers(clause: str, speech: Compiled) -> bool:
    form = _form(_without_fillers(clause, speech), speech)
    return form is not None and form.rule == "answers"


def _lasts(clause: str, speech: Compiled) -> bool:
    """Whether a clause is an instruction for good, and more than the words that say so: "going forward" is none."""
    found = speech.standing.match(clause)
    return found is not None and (found.end() < len(clause) or len(clause.split()) > _LONGEST_MARK)


def _wanted_for_good(clause: str, speech: Compiled) -> bool:
    """Whether what looks like a question asks for something from now on: "can you always use metric units"."""
    return REQUEST.match(clause) is not None and (_lasts(clause, speech) or speech.orders.match(clause) is not None)


def _before_material(lines: list[OwnLine], known: Sequence[Compiled]) -> tuple[list[OwnLine], bool]:
    """The lines without a text to work on, and whether it could be any of them.

    Behind a colon it is what follows: who introduces themselves first and then asks for a translation is heard.
    """
    for number, line in enumerate(lines):
        starts = [found.start() for speech in known if (found := speech.material.search(line.text))]
        letter = letter_at(line.text)
        if letter is not None and not starts:
            return [*lines[:number], OwnLine(line.text[:letter].strip(), line.led_by)], False
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


def _jokes(whole: str, begun: Sequence[str], speech: Compiled) -> bool:
    """Whether a message says that it is a joke, or laughs about what it has just said."""
    if speech.joking.search(whole):
        return True
    return any(speech.laughing.match(sentence) for sentence in begun)


def _form(words: str, speech: Compiled, *, strong: bool = False) -> Form | None:
    """The first form that a clause begins with, where it goes on to say something of its own; `strong`: no weak one."""
    if len(_LETTERS.findall(words)) < _FEWEST_LETTERS:
        return None
    for reading in _READINGS[speech.code](words) if speech.code in _READINGS else (words,):
        lead = speech.leads.match(reading)
        begin = lead.end() if lead else 0
        for form, pattern in speech.forms:
            if strong and form.weak:
                continue
            found = pattern.match(reading) or (pattern.match(reading, begin) if begin else None)
            if found is None:
                continue
            after = found.end() + reading.startswith(" ", found.end())
            if not (form.about_things and speech.at_hand.match(reading, after)):
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
