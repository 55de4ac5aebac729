"""A sentence → what it says about whom, where that has one value at a time; None for all other sentences.

It decides which fact takes the place of another, so it is deterministic, and it would rather not know: a sentence that
none of the forms fits supersedes nothing, however much it looks like another.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import NamedTuple

from holdfast.facts.subject_words import BOTH_WAYS, CLAUSE, FORMS, NO_PLACE, OPENERS, Form

__all__ = ["USER", "Claim", "claim_of"]

USER = "user"
_LONGEST = 400  # characters; a longer text is no plain statement
_SAME = {"favorite": "favourite", "timezone": "time zone", "hometown": "home town", "mom": "mother", "mum": "mother"}
_SAME |= {"dad": "father", "email address": "email", "licence": "license", "launch": "launch date"}
_SAME |= {"team lead": "lead", "project lead": "lead", "project manager": "manager", "phone": "phone number"}
_PREFER = re.compile(
    r"(?:i|the user|we) (?:now )?prefer (?P<v>.+?) (?:over|to|rather than|instead of) (?P<o>.+)"
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


@lru_cache(maxsize=20_000)
def claim_of(text: str) -> Claim | None:
    """What a sentence claims."""
    if len(text) > _LONGEST or "\n" in text:
        return None
    flat = unicodedata.normalize("NFKC", text).replace("’", "'")
    sentence = " ".join(flat.split()).strip(" .!…")
    if not sentence or sentence.endswith("?"):
        return None
    sentence = _opener().sub("", sentence.casefold(), count=1)
    sentence = re.sub(r"^the user(?:'s)? ", lambda found: "my " if "'" in found[0] else "user ", sentence)
    preferred = _preferred(sentence)
    if preferred is not None:
        return preferred
    for pattern, form in _forms():
        found = pattern.fullmatch(sentence)
        if found is not None:
            return _claimed(form, found)
    for name, pattern in _both_ways():
        found = pattern.fullmatch(sentence)
        if found is not None:
            said_no = bool(found["n"]) if "n" in pattern.groupindex else False
            return Claim(USER, f"{name} {_value(found['a'])}", "no" if said_no else "yes")
    return None


def _claimed(form: Form, found: re.Match[str]) -> Claim | None:
    groups = found.groupdict()
    value = groups["v"]
    if form.cuts:
        value = _clause().sub("", value, count=1)
    if form.place and value.partition(" ")[0] in NO_PLACE:
        return None
    subject = _value(groups.get("s") or "") or USER
    if subject in ("i", "he", "she", "it", "they", "we", "who", "er", "sie", "il", "elle", "él", "ella", "user"):
        if subject not in ("i", "user"):
            return None  # who that is, the sentence before would say
        subject = USER
    about = " ".join(_SAME.get(word, word) for word in (groups.get("a") or "").split())
    attribute = form.attribute.replace("{a}", _SAME.get(about, about))
    value = _value(value)
    return Claim(subject, attribute, value, form.no) if value else None


def _preferred(sentence: str) -> Claim | None:
    found = _PREFER.fullmatch(sentence)
    if found is None:
        return None
    one, other = (_value(part) for part in found.groups() if part is not None)
    return Claim(USER, "prefers " + " or ".join(sorted((one, other))), one)


def _value(text: str) -> str:
    bare = " ".join(text.split()).strip(" .,;:!\"'“”«»")
    return _ARTICLE.sub("", bare, count=1) if _ARTICLE.match(bare) else bare


def _begins(one: str, other: str) -> bool:
    return one == other or one.startswith(f"{other} ")


@cache
def _opener() -> re.Pattern[str]:
    return re.compile(OPENERS)


@cache
def _clause() -> re.Pattern[str]:
    return re.compile(CLAUSE)


@cache
def _forms() -> tuple[tuple[re.Pattern[str], Form], ...]:
    return tuple((re.compile(form.pattern), form) for form in FORMS)


@cache
def _both_ways() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(pattern)) for name, pattern in BOTH_WAYS)
