"""A sentence → what it says about whom, where that has one value at a time; None for all other sentences.

It decides which fact takes the place of another, so it is deterministic, and it would rather not know: a sentence that
none of the forms fits supersedes nothing, however much it looks like another.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import NamedTuple

from holdfast.facts.person import first_person
from holdfast.facts.subject_limits import names_no_employer, names_no_place, only_at_times
from holdfast.facts.subject_words import (
    BOTH_WAYS,
    CLAUSE,
    FORMS,
    IDLE,
    LIVES,
    ONE_OF_A_KIND,
    OPENERS,
    PROJECT,
    WORKS,
    Form,
)

__all__ = ["USER", "Claim", "claim_of", "plainly"]

USER = "user"
_LONGEST = 400  # characters; a longer text is no plain statement
_SAME = {"favorite": "favourite", "timezone": "time zone", "hometown": "home town", "mom": "mother", "mum": "mother"}
_SAME |= {"dad": "father", "email address": "email", "licence": "license", "launch": "launch date"}
_SAME |= {"employer": "works-at", "job": "works-as", "job title": "works-as", "date of birth": "birthday"}
_SAME |= {"team lead": "lead", "project lead": "lead", "project manager": "manager", "phone": "phone number"}
_PREFER = re.compile(
    r"(?:i|we) (?:now )?prefer (?P<v>.+?) (?:over|to|rather than|instead of) (?P<o>.+)"
    r"|ich (?:mag|bevorzuge) (?P<v2>.+?) lieber als (?P<o2>.+)|je préfère (?P<v3>.+?) (?:à|au|aux) (?P<o3>.+)"
    r"|prefiero (?P<v4>.+?) (?:a|que|antes que) (?P<o4>.+)|preferisco (?P<v5>.+?) (?:a|al|alla) (?P<o5>.+)"
    r"|prefiro (?P<v6>.+?) (?:a|ao|à|do que) (?P<o6>.+)"
)
_ARTICLE = re.compile(r"(?:the|an?|der|die|das|den|ein|eine|le|la|les|un|une|el|los|las|una|il|lo|o|os|as|um|uma) ")


class Claim(NamedTuple):
    """What a sentence says: the value of an attribute of a subject; `denied` where it says that it is not so."""

    subject: str
    attribute: str
    value: str
    denied: bool = False
    more: str = ""
    """What the sentence says beside that."""

    @property
    def about(self) -> tuple[str, str]:
        """What it is about: two claims about the same can contradict each other."""
        return self.subject, self.attribute

    def agrees(self, other: Claim) -> bool:
        """Whether both can be true: they are about different things, or one says what the other does or more of it."""
        if self.about != other.about:
            return True
        if self.denied and other.denied:
            return True
        alike = _begins(self.value, other.value) or _begins(other.value, self.value)
        return alike if self.denied == other.denied else not alike

    def repeats(self, other: Claim) -> bool:
        """Whether it says what the other one does and nothing else, in whatever words."""
        same = self.about == other.about and self.value == other.value and self.denied == other.denied
        return same and self.more in ("", other.more)


@lru_cache(maxsize=20_000)
def claim_of(text: str) -> Claim | None:
    """What a sentence claims."""
    if len(text) > _LONGEST or "\n" in text:
        return None
    sentence = plainly(text)
    if not sentence or sentence.endswith("?"):
        return None
    preferred = _preferred(sentence)
    if preferred is not None:
        return preferred
    for pattern, form in _forms():
        found = pattern.fullmatch(sentence)
        if found is not None:
            return _claimed(form, found, text)
    for name, pattern in _both_ways():
        found = pattern.fullmatch(sentence)
        if found is not None:
            said_no = bool(found["n"]) if "n" in pattern.groupindex else False
            return Claim(USER, f"{name} {_value(found['a'])}", "no" if said_no else "yes")
    return None


@lru_cache(maxsize=20_000)
def plainly(text: str) -> str:
    """A sentence in small letters and in the first person, without words that only lead up to it."""
    flat = unicodedata.normalize("NFKC", text).replace("’", "'")
    sentence = " ".join(flat.split()).strip(" .!…")
    return first_person(_opener().sub("", sentence.casefold(), count=1))


def _claimed(form: Form, found: re.Match[str], text: str) -> Claim | None:
    groups = found.groupdict()
    value, subject, more = groups["v"], groups.get("s") or "", groups.get("m") or ""
    if not form.once and (only_at_times(value) or only_at_times(subject)):
        return None
    if form.cuts and (clause := _clause().search(value)):
        more = more or _idle().sub("", clause[0].strip(" .,;"), count=1)
        value = value[: clause.start()]
    if form.place and (names_no_place(value) if form.attribute == LIVES else names_no_employer(value)):
        return None
    subject = _value(subject) or USER
    project = _project().sub("", subject, count=1) if form.attribute not in (LIVES, WORKS) else subject
    if form.named and not (_is_named(subject, text) or _is_named(project, text)):
        return None
    subject = project
    if subject in ("i", "he", "she", "it", "they", "we", "who", "er", "sie", "il", "elle", "él", "ella", "user"):
        if subject not in ("i", "user"):
            return None  # who that is, the sentence before would say
        subject = USER
    about = " ".join(_SAME.get(word, word) for word in (groups.get("a") or "").split())
    attribute = form.attribute.replace("{a}", _SAME.get(about, about))
    value = _value(value)
    return Claim(subject, attribute, value, form.no, more) if value else None


def _preferred(sentence: str) -> Claim | None:
    found = _PREFER.fullmatch(sentence)
    if found is None:
        return None
    one, other = (_value(part) for part in found.groups() if part is not None)
    return Claim(USER, "prefers " + " or ".join(sorted((one, other))), one)


def _value(text: str) -> str:
    bare = " ".join(text.split()).strip(" .,;:!\"'“”«»")
    return _ARTICLE.sub("", bare, count=1) if _ARTICLE.match(bare) else bare


def _is_named(subject: str, text: str) -> bool:
    """Whether a subject is written as a name is, or is something that there is one of."""
    first = subject.partition(" ")[0]
    said = (word.strip(".,;:!\"'“”«»") for word in text.split())
    capital = any(word[:1].isupper() and word.casefold() == first for word in said)
    return capital or re.fullmatch(ONE_OF_A_KIND, subject) is not None


def _begins(one: str, other: str) -> bool:
    return one == other or one.startswith(f"{other} ")


@cache
def _opener() -> re.Pattern[str]:
    return re.compile(OPENERS)


@cache
def _clause() -> re.Pattern[str]:
    return re.compile(CLAUSE)


@cache
def _project() -> re.Pattern[str]:
    return re.compile(PROJECT)


@cache
def _idle() -> re.Pattern[str]:
    return re.compile(IDLE)


@cache
def _forms() -> tuple[tuple[re.Pattern[str], Form], ...]:
    return tuple((re.compile(form.pattern), form) for form in FORMS)


@cache
def _both_ways() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(pattern)) for name, pattern in BOTH_WAYS)
