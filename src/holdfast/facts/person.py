"""A sentence about "the user" → the same sentence as the user would say it.

A model that stores a fact writes "The user lives in Oslo", rules keep the user's own "I live in Oslo", and a person
would call that one fact. So sentences are compared in the first person; what is written in a note stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

__all__ = ["first_person", "with_subject"]


class _Tongue(NamedTuple):
    """Says how a language speaks of the user: as a subject and an owner, what stands before the verb, and its forms."""

    subject: str
    owner: str
    says: str
    mine: str
    before: str
    """Words that may stand before the verb."""
    verbs: Mapping[str, str]
    endings: tuple[tuple[str, str], ...]
    """The end of a verb that is not in `verbs`, and what stands in its place; the first that fits."""
    words: Mapping[str, str]
    """Words of the rest that mean the user."""


def _pairs(text: str) -> dict[str, str]:
    return {word: other.replace("_", " ") for word, _, other in (pair.partition(":") for pair in text.split())}


_TONGUES: Final = (
    _Tongue(
        r"(?:the )?user ",
        r"(?:the )?user's ",
        "i ",
        "my ",
        "really always usually now currently also still just generally often mostly strongly recently definitely "
        "no longer never",
        _pairs(
            "is:am isn't:am_not has:have hasn't:haven't does:do doesn't:don't goes:go was:was this:this always:always"
        ),
        (("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("sses", "ss"), ("ss", "ss"), ("s", "")),
        _pairs(
            "their:my his:my her:my they:i he:i she:i them:me him:me theirs:mine themselves:myself themself:myself "
            "himself:myself herself:myself they're:i'm"
        ),
    ),
    _Tongue(
        r"(?:der |die )?(?:(?:be)?nutzer|anwender)(?:in)? ",
        "",
        "ich ",
        "",
        "",
        _pairs(
            "ist:bin hat:habe mag:mag isst:esse heißt:heiße heisst:heisse spricht:spreche liest:lese fährt:fahre "
            "schläft:schlafe trägt:trage hält:halte vergisst:vergesse möchte:möchte will:will kann:kann"
        ),
        (("et", "e"), ("t", "e")),
        _pairs(
            "sein:mein seine:meine seinen:meinen seinem:meinem seiner:meiner ihr:mein ihre:meine ihren:meinen sich:mich"
        ),
    ),
    _Tongue(
        r"l'utilisat(?:eur|rice) ",
        "",
        "je ",
        "",
        "ne",
        _pairs(
            "est:suis n'est:ne_suis a:ai n'a:n'ai vit:vis s'appelle:m'appelle boit:bois va:vais veut:veux fait:fais "
            "dort:dors lit:lis écrit:écris prend:prends tient:tiens s'est:me_suis"
        ),
        (),
        _pairs("son:mon sa:ma ses:mes se:me"),
    ),
    _Tongue(
        r"(?:el |la |al |a la )?usuari[oa] ",
        "",
        "",
        "",
        "no ya nunca siempre ahora también casi le se",
        _pairs(
            "es:soy tiene:tengo ha:he está:estoy va:voy hace:hago gusta:gusta gustan:gustan encanta:encanta mudó:mudé "
            "quiere:quiero conduce:conduzco conoce:conozco sabe:sé"
        ),
        (("a", "o"), ("e", "o")),
        _pairs("su:mi sus:mis se:me le:me"),
    ),
    _Tongue(
        r"(?:o |a )?(?:usuári[oa]|utilizadora?) ",
        "",
        "",
        "",
        "não já nunca sempre agora também se",
        _pairs(
            "é:sou tem:tenho está:estou vai:vou faz:faço prefere:prefiro quer:quero sabe:sei mudou:mudei "
            "mudou-se:mudei-me chama-se:chamo-me dorme:durmo"
        ),
        (("a", "o"), ("e", "o")),
        _pairs("seu:meu sua:minha seus:meus suas:minhas se:me"),
    ),
)
_WHOSE: Final = compile_late(r"(?:der|die|das) (?P<what>.{1,60}?) (?:des|der) (?:be)?nutzers? (?P<rest>ist .+|sind .+)")
# What other programs store of a user leaves out who it is about: "Lives in Coimbra", "Name is Ada".
_DOES: Final = compile_late(
    r"(?:(?:now|currently|no longer|never|always|usually|often|really|recently) )?"
    r"(?:(?:lives|lived|moved|relocated) (?:in|to)|works (?:as|at|for|in|with|on)|"
    r"(?:prefers|likes|loves|enjoys|hates|dislikes|uses|drinks|eats|speaks|plays|studies|owns|wants|needs) "
    r"(?!(?:of|by|like|to the)\b)|(?:does not|doesn't) (?:live|work|like|drink|eat|use|own|speak)\b|"
    r"is (?:(?:not|no longer) )?(?:an? )?(?:vegan|vegetarian|smoker|married|single|pregnant|allergic to|based in|"
    r"living in|working (?:as|at|for)|called|named|\d{1,3} years old)\b)"
)
_HAS: Final = compile_late(
    r"(?i:(?:first |last |full )?name|nickname|birthday|time ?zone|employer|job title|email|phone number|wife|husband|"
    r"partner|manager|native language|nationality|home ?town|favou?rite [\w' -]{1,40}) (?i:is|are) "
    r"(?=[A-Z\d]|[\w.+-]+@)"
)
_SUBJECTS: Final = compile_late(r"(?:yo|eu|io) ")
_VOWELS: Final = "aeiouyàâéèêëîïôùûh"


def with_subject(sentence: str, written: str) -> str:
    """Return the sentence, which is in small letters, about the user where it leaves out whom it is about.

    Else as it is.
    """
    if _DOES.match(sentence):
        return f"user {sentence}"
    if _HAS.match(written):
        return f"my {sentence}"
    return sentence


def first_person(sentence: str) -> str:
    """Return the sentence, which is in small letters, in the first person where it is about the user."""
    for tongue, subject, owner in _patterns():
        if owner is not None and (found := owner.match(sentence)):
            return tongue.mine + _others(tongue, sentence[found.end() :].split())
        if found := subject.match(sentence):
            return _joined(tongue, sentence[found.end() :].split())
    whose = _WHOSE.fullmatch(sentence)
    if whose is not None:
        return f"mein {whose['what']} {whose['rest']}"
    if _SUBJECTS.match(sentence):
        return _SUBJECTS.sub("", sentence, count=1)
    return sentence


def _joined(tongue: _Tongue, words: list[str]) -> str:
    before = tongue.before.split()
    at = next((place for place, word in enumerate(words) if word not in before), len(words))
    head = [tongue.words.get(word, word) for word in words[:at]]
    verb = [_verb(tongue, words[at])] if at < len(words) else []
    said = " ".join((*head, *verb, _others(tongue, words[at + 1 :]))).strip()
    if tongue.says == "je " and said[:1] in _VOWELS:
        return f"j'{said}"
    return tongue.says + said


def _verb(tongue: _Tongue, word: str) -> str:
    if word in tongue.verbs:
        return tongue.verbs[word]
    return next((word.removesuffix(end) + new for end, new in tongue.endings if word.endswith(end)), word)


def _others(tongue: _Tongue, words: list[str]) -> str:
    return " ".join(tongue.words.get(word, word) for word in words)


@cache
def _patterns() -> tuple[tuple[_Tongue, re.Pattern[str], re.Pattern[str] | None], ...]:
    return tuple(
        (tongue, re.compile(tongue.subject), re.compile(tongue.owner) if tongue.owner else None) for tongue in _TONGUES
    )
