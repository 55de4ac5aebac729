"""When two facts are one: the same words but for case, ends and person, the same claim, or nearly the same vectors.

Vectors hardly see what facts differ by: measured with the embedded model, dark mode and light mode have a similarity of
.97, before and after of .99, and a number, a name or a "not" weigh no more. A duplicate is not written down, so what
it says would be lost: similarity makes two facts one only where the new one says nothing that the old one does not.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import lru_cache
from typing import Final, TypeAlias

from holdfast.facts.fact import Fact
from holdfast.facts.subject import Claim, claim_of, plainly
from holdfast.facts.subject_words import BOTH_WAYS

__all__ = ["Similar", "duplicate_of", "may_be_one", "normalised", "same_among", "says_the_same", "telling"]

Similar: TypeAlias = Callable[[Fact], float]
"""How similar a fact is to the one at hand, within one space; 0 where that is not known."""

_WORD: Final = re.compile(r"[^\W_]+(?:['’.+#/-][^\W_]+)*[+#]*")
_KINDS: Final = frozenset(kind for kind, _ in BOTH_WAYS)
_EDGES: Final = " \t.!?…;,:\"'“”„«»‘’"
_QUOTES: Final = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "–": "-", "—": "-"})
_NEGATIONS: Final = frozenset(
    "not no never none without nor don't doesn't didn't isn't aren't wasn't won't can't cannot couldn't stopped quit "
    "nicht kein keine keinen keiner keinem nie niemals ohne pas jamais sans aucun plus non mai senza nunca sin jamás "
    "não nem sem jamais ninguna ningún nessun nessuna former formerly longer mehr".split()
)
_HOLDING: Final = frozenset(
    "i i'm i've i'd me my mine we our us the a an user user's is are am be being do does have has "
    "to of in on at as for by with that this it its and so very really just also quite actually definitely "
    "please remember ich mein meine meinen wir der die das ein eine einen ist sind bin habe zu und sehr wirklich "
    "auch je j'ai mon ma mes le la les un une est sont suis et très vraiment aussi yo mi mis el los las una es "
    "son soy y muy de en du des da io il lo gli è sono e molto eu meu minha os um uma são sou muito benutzer "
    "utilisateur usuario".split()
)
_LIKING: Final = frozenset(
    "like lik love lov prefer enjoy favor favour fond mag lieb bevorzug aim préfèr gust prefier".split()
)
_ENDINGS: Final = ("ing", "es", "ed", "en", "s", "e")
# With these the order of two things is what is said.
_ORDERING: Final = frozenset(
    "than over before after from to instead under above als statt vor nach von plutôt que avant après de antes después "
    "prima dopo da depois".split()
)


@lru_cache(maxsize=20_000)
def normalised(text: str) -> str:
    """A text without what does not change what it says: case, spaces, kinds of quotes, the stop at its end."""
    flat = unicodedata.normalize("NFKC", text).translate(_QUOTES).casefold()
    return " ".join(flat.split()).strip(_EDGES)


def duplicate_of(
    text: str, facts: Iterable[Fact], day: date, similar: Similar | None = None, threshold: float = 0.95
) -> Fact | None:
    """The live fact that says the same; of several, the most similar one."""
    return same_among(text, [fact for fact in facts if fact.live(day)], similar, threshold)


def same_among(
    text: str, facts: Sequence[Fact], similar: Similar | None = None, threshold: float = 0.95
) -> Fact | None:
    """The fact among these that says the same; of several, the most similar one."""
    same = normalised(text)
    for fact in facts:
        if normalised(fact.text) == same:
            return fact
    for fact in facts:
        if says_the_same(text, fact.text):
            return fact
    if similar is None:
        return None
    near = [(score, fact) for fact in facts if (score := similar(fact)) >= threshold and may_be_one(text, fact.text)]
    return max(near, key=lambda one: one[0])[1] if near else None


def says_the_same(new: str, old: str) -> bool:
    """Whether a sentence says what a known one does and no more, in another person or in other words for it."""
    if _plain(new) == _plain(old):
        return True
    claim = claim_of(new)
    # What each of thousands claims takes a hundred patterns to find out; most have nothing in common with this one.
    if claim is None or telling(claim) not in plainly(old):
        return False
    known = claim_of(old)
    return known is not None and claim.repeats(known)


@lru_cache(maxsize=64)
def telling(claim: Claim) -> str:
    """The longest word of what is claimed: it stands in every sentence that claims the same."""
    kind, _, thing = claim.attribute.partition(" ")
    either = claim.value in ("yes", "no")
    if either and kind not in _KINDS:
        return ""
    return max((thing if either else claim.value).split(), key=len, default="")


def may_be_one(new: str, old: str) -> bool:
    """Whether a sentence that is very similar to a known one says nothing new: no name, number, "not" or other word."""
    first, second = claim_of(new), claim_of(old)
    if first is not None and second is not None and not first.agrees(second):
        return False
    ones, others = _words(new), _words(old)
    if list(filter(_tells, ones)) != list(filter(_tells, others)):
        return False
    said, known = _content(ones), _content(others)
    if not set(said) <= set(known):
        return False
    return said == known or not _ORDERING & {*ones, *others}


@lru_cache(maxsize=20_000)
def _plain(text: str) -> str:
    return normalised(plainly(text))


def _words(text: str) -> list[str]:
    """The words of a sentence: as they are written where they are names, in small letters otherwise."""
    found = _WORD.findall(unicodedata.normalize("NFKC", text).translate(_QUOTES))
    small = [word.casefold() for word in found]
    return [
        word if place and word[:1].isupper() and small[place] not in _HOLDING else small[place]
        for place, word in enumerate(found)
    ]


def _content(words: Iterable[str]) -> list[str]:
    """What a sentence says, without the words that only hold it together; liking has many words."""
    bare = (_stemmed(word.casefold()) for word in words if word.casefold() not in _HOLDING)
    return ["like" if word in _LIKING else word for word in bare]


@lru_cache(maxsize=20_000)
def _stemmed(word: str) -> str:
    return next((word[: -len(end)] for end in _ENDINGS if word.endswith(end) and len(word) - len(end) >= 2), word)


def _tells(word: str) -> bool:
    return word[:1].isupper() or any(sign.isdigit() for sign in word) or word in _NEGATIONS
