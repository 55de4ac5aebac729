"""A sentence → what it says about whom, where that has one value at a time; None for all other sentences.

It decides which fact takes the place of another, so it is deterministic, and it would rather not know: a sentence that
none of the forms fits supersedes nothing, however much it looks like another.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from holdfast.facts.person import first_person, with_subject
from holdfast.facts.subject_dates import Began, said_since
from holdfast.facts.subject_forms import CALLED, LIVES, WORKS, Form, forms, in_english, two_way_forms, wording
from holdfast.facts.subject_limits import only_at_times, only_told
from holdfast.facts.subject_places import is_in_a_country, is_quarter_of
from holdfast.facts.subject_values import Kind, agree, capitals_of, kind_of, read_value
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

__all__ = ["USER", "Claim", "claim_of", "plainly"]

USER = "user"
_EDGES: Final = " .,;:!\"'“”«»"
_NOT: Final = compile_late(r"(?:no longer|not any ?more|not|nicht mehr|nicht|keine?|ya no|já não|não) ")
_LONGEST = 400  # characters; a longer text is no plain statement
# What is spelt in two ways, word by word; and what names one attribute, as a whole.
_SPELT: Final = {
    "favorite": "favourite",
    "color": "colour",
    "flavor": "flavour",
    "theater": "theatre",
    "mom": "mother",
    "mum": "mother",
    "dad": "father",
    "licence": "license",
    "e-mail": "email",
    "timezone": "time zone",
    "hometown": "home town",
}
_SAME: Final = {
    "email address": "email",
    "launch": "launch date",
    "employer": "works-at",
    "job": "works-as",
    "job title": "works-as",
    "date of birth": "birthday",
    "phone": "phone number",
    "team lead": "lead",
    "project lead": "lead",
    "project manager": "manager",
}
# Who that is, the sentence before would say.
_NOBODY: Final = frozenset(
    "he she it they we who nobody somebody someone everybody everyone er sie es wer niemand jemand man il elle ça on "
    "qui personne él ella ello quien nadie alguien ele ela isso quem ninguém alguém lui lei chi".split()
)
_PREFER = compile_late(
    r"(?:i|we) (?:now )?prefer (?P<v>.+?) (?:over|to|rather than|instead of) (?P<o>.+)"
    r"|ich (?:mag|bevorzuge) (?P<v2>.+?) lieber als (?P<o2>.+)|je préfère (?P<v3>.+?) (?:à|au|aux) (?P<o3>.+)"
    r"|prefiero (?P<v4>.+?) (?:a|que|antes que) (?P<o4>.+)|preferisco (?P<v5>.+?) (?:a|al|alla) (?P<o5>.+)"
    r"|prefiro (?P<v6>.+?) (?:a|ao|à|do que) (?P<o6>.+)"
)
_ARTICLE = compile_late(r"(?:the|an?|der|die|das|den|ein|eine|le|la|les|un|une|el|los|las|una|il|lo|o|os|as|um|uma) ")


class Claim(NamedTuple):
    """Holds what a sentence says: the value of an attribute of a subject; `denied` where it says that it is not so."""

    subject: str
    attribute: str
    value: str
    denied: bool = False
    more: str = ""
    """What the sentence says beside that."""
    means: str = ""
    """The value in the spelling that all ways of writing it have in common, where it has several."""
    began: Began | None = None
    """Since when, where the sentence names a year."""
    named: bool = False
    """Say whether the value is written as a name is."""
    vague: bool = False
    """Say whether the value may only say how the thing is, and not which one."""
    changed: bool = False
    """Say whether the sentence says that it was otherwise before: who moved, or lives there now."""

    @property
    def about(self) -> tuple[str, str]:
        """Return what it is about: two claims about the same can contradict each other."""
        return self.subject, self.attribute

    def agrees(self, other: Claim) -> bool:
        """Say whether both can be true: they are about different things, or one says what the other does or more."""
        if self.about != other.about:
            return True
        if self.denied and other.denied:
            return True
        if self.denied != other.denied:
            return not (_begins(self._meant, other._meant) or _begins(other._meant, self._meant))
        if (self.vague and other.named) or (other.vague and self.named):
            return True
        kind = kind_of(self.attribute)
        if kind is Kind.PLACE and not self.changed and is_quarter_of(self._meant, other._meant):
            return True
        return agree(kind, self._meant, other._meant)

    def repeats(self, other: Claim) -> bool:
        """Say whether it says what the other one does and nothing else, in whatever words."""
        # Who has a name is called by it; who wants to be called something has another name as well.
        about = other.about == self.about or (self.attribute == CALLED and other.about == (self.subject, "name"))
        same = about and self._meant == other._meant and self.denied == other.denied
        return same and self.more in ("", other.more) and self.began in (None, other.began)

    @property
    def _meant(self) -> str:
        return self.means or self.value


@lru_cache(maxsize=20_000)
def claim_of(text: str) -> Claim | None:
    """Return what a sentence claims; of a fact with lines below it, its first line."""
    first, _, below = text.partition("\n")
    claim = _claim_of(first)
    if claim is not None and below.strip():
        return claim._replace(more=f"{claim.more} {' '.join(below.casefold().split())}".strip())
    return claim or (_claim_of(" ".join(text.split())) if below else None)


def _claim_of(text: str) -> Claim | None:
    if len(text) > _LONGEST:
        return None
    sentence = plainly(text)
    if not sentence or sentence.endswith("?"):
        return None
    preferred = _preferred(sentence)
    if preferred is not None:
        return preferred
    since = said_since(sentence)
    if since is not None:
        claim = _by_form(since.sentence, text, only_once=since.once)
        if claim is not None:
            if since.several:
                return None
            return claim._replace(began=since.began)
    return _by_form(sentence, text)


def _by_form(sentence: str, text: str, *, only_once: bool = False) -> Claim | None:
    for form in forms():
        found = None
        if form.once or not only_once:
            found = form.pattern.fullmatch(sentence)
        if found is not None:
            return _claimed(form, found, text)
    for name, pattern in () if only_once else two_way_forms():
        found = pattern.fullmatch(sentence)
        if found is not None:
            value = "yes"
            if found.groupdict().get("n"):
                value = "no"
            return Claim(USER, f"{name} {_value(found['a'])}", value)
    return None


@lru_cache(maxsize=20_000)
def plainly(text: str) -> str:
    """Return a sentence in small letters and in the first person, without words that only lead up to it."""
    flat = unicodedata.normalize("NFKC", text).replace("’", "'")
    sentence = " ".join(flat.split()).strip(" .!…")
    return first_person(with_subject(wording("openers").sub("", sentence.casefold(), count=1), sentence))


def _claimed(form: Form, found: re.Match[str], text: str) -> Claim | None:
    groups = found.groupdict()
    value, subject, more = groups["v"] or groups["v2"], groups.get("s") or "", groups.get("m") or ""
    if form.attribute in (LIVES, WORKS) and only_told(value):
        return None
    if not form.once and (only_at_times(value) or only_at_times(subject)):
        return None
    if form.cuts and (clause := wording("clause").search(value)):
        more = f"{more} {wording('idle').sub('', clause[0].strip(' .,;'), count=1)}".strip()
        value = value[: clause.start()]
    subject = _value(subject) or USER
    project = subject
    if form.attribute not in (LIVES, WORKS):
        project = wording("project").sub("", subject, count=1)
    if form.named and not (_is_named(subject, text) or _is_named(project, text)):
        return None
    subject = project
    if subject in ("i", "user"):
        subject = USER
    elif subject in _NOBODY:
        return None
    about = " ".join(_SPELT.get(word, word) for word in (groups.get("a") or "").split())
    attribute = form.attribute.replace("{a}", _SAME.get(about) or in_english().get(about, about))
    value, denied = _without_no(value, form.no)
    read = read_value(attribute, value.strip(_EDGES), capitals_of(text), called=form.sure)
    value = ""
    if read is not None:
        value = _value(read.value)
    if read is None or not value:
        return None
    more = " ".join(filter(None, (read.more, more)))
    if attribute == LIVES and not is_in_a_country(read.means) and wording("together").match(found.string):
        return None  # a team moves to a new tool, too
    changed = form.once or denied or wording("changed").search(found.string) is not None
    return Claim(subject, attribute, value, denied, more, read.means, None, read.named, read.vague, changed)


def _without_no(value: str, denied: bool) -> tuple[str, bool]:
    """Return a value without a "no longer" before it, and whether it is denied."""
    found = _NOT.match(value)
    if found is not None:
        return (value[found.end() :], True)
    return (value, denied)


def _preferred(sentence: str) -> Claim | None:
    found = _PREFER.fullmatch(sentence)
    if found is None:
        return None
    value, other = (_value(part) for part in found.groups() if part is not None)
    return Claim(USER, "prefers " + " or ".join(sorted((value, other))), value)


def _value(text: str) -> str:
    bare = " ".join(text.split()).strip(_EDGES)
    if _ARTICLE.match(bare):
        return _ARTICLE.sub("", bare, count=1)
    return bare


def _is_named(subject: str, text: str) -> bool:
    """Say whether a subject is written as a name is, or is something that there is one of."""
    first = subject.partition(" ")[0]
    said = (word.strip(".,;:!\"'“”«»") for word in text.split())
    capital = any(word[:1].isupper() and word.casefold() == first for word in said)
    return capital or wording("one_of_a_kind").fullmatch(subject) is not None


def _begins(value: str, other: str) -> bool:
    return value == other or value.startswith(f"{other} ")
