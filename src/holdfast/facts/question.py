"""A question → what it asks about: the subject and the attribute that a claim would have which answers it.

"Where do I live?" has more words in common with "Pandas live in China" than with "I've moved to Munich". So a question
is turned into a sentence that could answer it, and what that sentence claims tells which facts are meant. Where none of
the forms fits, or no such sentence claims anything, nobody knows, and a search has to tell.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache, lru_cache
from typing import Final

from holdfast.facts.fact import Fact
from holdfast.guard.origin import Origin, origins_at_least
from holdfast.pattern import compile_late

__all__ = ["FIRST", "answers_to", "asked_about", "speaks_of_the_user", "successors"]

_LONGEST: Final = 200  # characters; a longer one asks for more than one thing
_OWN: Final = origins_at_least(Origin.AUTO_CAPTURE)
_DERIVED: Final = origins_at_least(Origin.API)
_VALUES: Final = ("Ada", "3 May 1990", "Europe/Rome", "42", "a nurse", "blue", "Rome", "ada@example.org", "555-0101")
"""What an answer may be: a name, a day, a zone and so on; the first that fits makes a claim."""

_NOW: Final = (
    r"(?: now| today| currently| these days| at the moment| at present| again| before| earlier| previously|"
    r" last year| (?:back )?in \d{4})?"
)
_YET: Final = r"(?:currently |now |still |actually |usually )?"
_OF: Final = r"(?P<a>[^\W\d_][\w' -]{1,40}?)"
_WORD: Final = compile_late(r"[\w']+")
_OPENERS: Final = compile_late(
    r"(?:(?:please|so|and|ok(?:ay)?|hey|hi|well|bitte|sag(?: mir)?|und|also|dis(?:-moi)?|et|dime|y|dimmi|e|me diga|"
    r"do you (?:know|remember)|can you tell me|could you tell me|tell me|remind me|remember|you know|i wonder|"
    r"weißt du(?: noch)?|erinnerst du dich|(?:tu )?(?:sais|te souviens)(?:-tu)?|sabes|recuerdas|sai|você sabe|"
    r"lembra)[,:]? )+",
    re.IGNORECASE,
)
_THE_USER: Final = (
    (compile_late(r"\b(?:does|do) the user\b", re.IGNORECASE), "do I"),
    (compile_late(r"\bdid the user\b", re.IGNORECASE), "did I"),
    (compile_late(r"\bis the user\b(?!')", re.IGNORECASE), "am I"),
    (compile_late(r"\b(?:the )?user's\b", re.IGNORECASE), "my"),
)

# A question, and the sentences that could answer it; {v} is each of the values, {a} and {s} what the question names.
# The forms of a language stand behind the words that such questions begin with: most messages begin with none of them,
# or with one of one language, and compiling all forms takes as long as a search.
_FORMS: Final[Mapping[str, tuple[tuple[str, tuple[str, ...]], ...]]] = {
    "where what what's which who whom who's when when's where's which's in how my do am": (
        (
            rf"where (?:do|did) i {_YET}(?:live|reside)|where am i {_YET}(?:living|based)|where i live",
            ("I live in Rome",),
        ),
        (rf"(?:what|which) (?:city|town|place|country) (?:do|did) i {_YET}live in", ("I live in Rome",)),
        (r"where (?:did i used? to live|have i lived)|where i used to live", ("I live in Rome",)),
        (rf"in (?:what|which) (?:city|town|place|country) (?:do|did) i {_YET}live", ("I live in Rome",)),
        (r"where (?:did|have) i (?:just |recently )?moved? to|where is my (?:home|house|flat)", ("I live in Rome",)),
        (rf"where (?:do|did) i {_YET}work|who(?:m)? do i {_YET}work for|where am i {_YET}working", ("I work at Acme",)),
        (rf"(?:what|which) company do i {_YET}work (?:for|at)|who is my employer", ("I work at Acme",)),
        (r"what do i do(?: for a living| for work)?|what am i working as|what do i work as", ("I work as a nurse",)),
        (r"what(?: is|'s) my (?:job|profession|occupation)", ("I work as a nurse", "My job is nurse")),
        (r"who am i|what am i called|what should (?:i|you) call (?:me|myself)", ("My name is Ada",)),
        (r"how old am i|what(?: is|'s) my age", ("I am 42 years old",)),
        (r"when was i born|when(?: is|'s) my birthday|what day is my birthday", ("My birthday is 3 May",)),
        (rf"(?:what|which|who|when|where)(?: is|'s| are) my {_OF}(?:'s name)?(?: called)?", ("My {a} is {v}",)),
        (rf"(?:what|which) {_OF} do i (?:prefer|like best|like most|like|love)", ("My favourite {a} is {v}",)),
        (rf"my {_OF}", ("My {a} is {v}",)),
        (r"do i (?P<a>(?:still )?(?:like|love|enjoy|use|drink|eat) .+)", ("I {a}",)),
        (r"am i (?:still )?(?P<a>.+)", ("I am {a}",)),
        (r"where does (?P<s>.+?) live|where is (?P<s2>.+?) living", ("{s} lives in Rome",)),
        (r"where does (?P<s>.+?) work|who does (?P<s2>.+?) work for", ("{s} works at Acme",)),
        (r"when is (?P<s>.+?)'s birthday", ("{s}'s birthday is 3 May",)),
        (r"who(?: is)? (?:leads|leading|running|runs) (?P<s>.+)", ("Ada leads {s}",)),
        (
            rf"(?:what|which|who|when)(?: is|'s) the {_OF} (?:of|for|on) (?P<s>.+)",
            ("The {a} of {s} is {v}", "{v} is the {a} of {s}"),
        ),
    ),
    "wo in wohin bei für wer als was wie wann welche welchen welcher welches": (
        (r"(?:wo|in welche[rm] (?:stadt|ort|land)) (?:wohne|lebe|wohnte|lebte) ich(?: jetzt)?", ("Ich wohne in Rom",)),
        (r"wo (?:ich|habe ich) (?:wohne|lebe|gewohnt|gelebt)|wohin bin ich gezogen", ("Ich wohne in Rom",)),
        (r"(?:wo|bei wem|für wen) arbeite ich(?: jetzt)?|wer ist mein arbeitgeber", ("Ich arbeite bei Acme",)),
        (r"als was arbeite ich|was (?:ist mein beruf|bin ich von beruf|arbeite ich)", ("Ich arbeite als Arzt",)),
        (r"wie (?:heiße|heisse) ich|(?:wie|was) ist mein name|wer bin ich", ("Ich heiße Ada",)),
        (r"wie alt bin ich", ("Ich bin 42 Jahre alt",)),
        (
            r"wann (?:habe ich geburtstag|bin ich geboren|ist mein geburtstag)",
            ("Mein Geburtstag ist am 3. Mai", "Ich bin am 3. Mai geboren"),
        ),
        (
            r"(?:was|wer|welche[rs]?) (?:ist|sind) meine? lieblings-?(?P<a>[^\W\d_][\w-]{1,40})",
            ("Mein Lieblings{a} ist {v}",),
        ),
        (rf"welche[nrs]? {_OF} (?:mag|bevorzuge) ich(?: am liebsten)?", ("Mein Lieblings{a} ist {v}",)),
        (r"wer leitet (?P<s>.+)", ("Ada leitet {s}",)),
    ),
    "où dans chez pour quel quelle quels quelles qu'est-ce comment c'est quand": (
        (
            r"(?:où|dans quelle ville|dans quel pays) (?:(?:est-ce que )?(?:j'habite|je vis)|habit[eé]-je|vis-je)",
            ("J'habite à Rome",),
        ),
        (
            r"(?:où|chez qui|pour qui) (?:est-ce que je travaille|je travaille|travaillé-je)",
            ("Je travaille chez Acme",),
        ),
        (r"quel est mon (?:métier|travail)|qu'est-ce que je fais dans la vie", ("Mon métier est infirmier",)),
        (
            r"comment (?:est-ce que )?je m'appelle|comment m'appelé-je|(?:quel|c'est quoi) (?:est )?mon nom",
            ("Je m'appelle Ada",),
        ),
        (r"quel âge (?:est-ce que )?(?:ai-je|j'ai)", ("J'ai 42 ans",)),
        (r"quand (?:est|c'est) mon anniversaire|c'est quand mon anniversaire", ("Mon anniversaire est le 3 mai",)),
        (
            rf"quel(?:le)?s? (?:est|sont) m(?:on|a|es) {_OF} (?P<f>préféré|favori)\w{{0,3}}",
            ("Mon {a} préféré est {v}",),
        ),
    ),
    "dónde donde en para de a cuál cómo quién cuántos cuándo cuáles": (
        (r"(?:dónde|donde|en qué ciudad|en qué país) (?:vivo|resido)(?: yo)?(?: ahora)?", ("Vivo en Roma",)),
        (
            r"(?:dónde|donde|para quién|en qué empresa) trabajo(?: yo)?(?: ahora)?",
            ("Trabajo en Acme", "Trabajo para Acme"),
        ),
        (r"de qué trabajo|a qué me dedico|cuál es mi (?:profesión|trabajo)", ("Trabajo como enfermero",)),
        (r"cómo me llamo(?: yo)?|cuál es mi nombre|quién soy(?: yo)?", ("Me llamo Ada",)),
        (r"cuántos años tengo", ("Tengo 42 años",)),
        (r"cuándo (?:es mi cumpleaños|nací)", ("Mi cumpleaños es el 3 de mayo",)),
        (rf"cuál(?:es)? (?:es|son) mis? {_OF} (?:favorit|preferid)\w{{1,2}}", ("Mi {a} favorito es {v}",)),
    ),
    "dove in per come qual quanti": (
        (r"(?:dove|in che città|in quale città) (?:vivo|abito)", ("Vivo a Roma",)),
        (r"(?:dove|per chi) lavoro", ("Lavoro per Acme",)),
        (r"come mi chiamo|qual è il mio nome", ("Mi chiamo Ada",)),
        (r"quanti anni ho", ("Ho 42 anni",)),
    ),
    "onde em para com qual como quem quantos quando quais": (
        (r"(?:onde|em que cidade|em que país) (?:eu )?(?:moro|vivo|resido)", ("Moro em Roma", "Vivo em Roma")),
        (r"(?:onde|para quem) (?:eu )?trabalho", ("Trabalho na Acme", "Trabalho para Acme", "Trabalho em Acme")),
        (r"(?:em|com) (?:o )?que (?:eu )?trabalho|qual (?:é )?(?:a )?minha profissão", ("Trabalho como enfermeiro",)),
        (r"como (?:eu )?me chamo|qual (?:é )?(?:o )?meu nome|quem sou eu", ("Me chamo Ada",)),
        (r"quantos anos (?:eu )?tenho", ("Tenho 42 anos",)),
        (r"quando é (?:o )?meu aniversário", ("Meu aniversário é 3 de maio",)),
        (
            rf"(?:qual|quais) (?:é|são) (?:o |a |os |as )?(?:meus?|minhas?) {_OF} (?:favorit|preferid)\w{{1,2}}",
            ("Meu {a} favorito é {v}",),
        ),
    ),
}
FIRST: Final = frozenset(
    "i i'm i've i'd i'll me my mine myself we we're our us ich mich mir mein meine meinen meinem meiner wir unser "
    "unsere je j'ai j'habite moi mon ma mes nous notre yo me mi mis nosotros nuestro io mio mia noi eu meu minha meus "
    "minhas nós user user's nutzer benutzer".split()
)
"""Words for the one who speaks."""

_BEGINS: Final = frozenset(
    "vivo resido trabajo tengo soy estoy prefiero uso moro trabalho tenho sou estou prefiro gosto abito lavoro sono ho "
    "lives works prefers likes loves has is uses wants".split()
)
"""With these begins a sentence about the user that has no word for them."""


@lru_cache(maxsize=1_000)
def asked_about(question: str) -> tuple[str, str] | None:
    """Return the subject and the attribute that a question asks for, as `Claim.about` has them.

    None where nobody can tell.
    """
    asked = _plain(question)
    if not asked or len(asked) > _LONGEST:
        return None
    first = asked.partition(" ")[0].casefold()
    for words, pattern, answers in _patterns():
        if first not in words:
            continue
        found = pattern.fullmatch(asked)
        if found is None:
            continue
        from holdfast.facts.subject import claim_of  # most messages ask for nothing that a claim would answer

        named = {name.rstrip("2"): said for name, said in found.groupdict().items() if said is not None}
        for answer in answers:
            for value in _VALUES if "{v}" in answer else ("",):
                claim = claim_of(answer.format(**named, v=value))
                if claim is not None:
                    return claim.about
    return None


def answers_to(question: str, facts: Sequence[Fact]) -> list[Fact]:
    """Return the facts about just what a question asks for, those in force first.

    Of them the user's own come before what others brought, and those that were true last before earlier ones.
    """
    about = asked_about(question)
    if about is None:
        return []
    from holdfast.facts.subject import claim_of

    claims = ((fact, claim_of(fact.text)) for fact in facts)
    found = [fact for fact, claim in claims if claim is not None and claim.about == about]
    # What a file or a program claims of the user may stand beside what the user said, and must not pass for it.
    return sorted(
        found,
        key=lambda fact: (
            fact.struck,
            fact.origin not in _OWN,
            fact.origin not in _DERIVED,
            -(fact.since or date.min).toordinal(),
            -fact.line,
        ),
    )


def successors(fact: Fact, facts: Sequence[Fact]) -> list[Fact]:
    """Return the fact that took the place of one, or of that one, and so on: the latest; none where nothing did."""
    by_id = {fact.id: fact for fact in facts if fact.id}
    seen: set[str] = set()
    while fact.struck and fact.superseded_by in by_id and fact.superseded_by not in seen:
        seen.add(fact.superseded_by)
        fact = by_id[fact.superseded_by]
    if seen:
        return [fact]
    return []


def speaks_of_the_user(text: str) -> bool:
    """Say whether a sentence has a word for the one who says it, so that it may be about the user at all."""
    words = _WORD.findall(text.replace("’", "'").casefold())
    return not FIRST.isdisjoint(words) or (bool(words) and words[0] in _BEGINS)


def _plain(question: str) -> str:
    flat = unicodedata.normalize("NFKC", question).replace("’", "'")
    asked = " ".join(flat.split()).strip(" .!?…¿¡\"'")
    asked = _OPENERS.sub("", asked, count=1) if _OPENERS.match(asked) else asked
    for pattern, said in _THE_USER:
        asked = pattern.sub(said, asked)
    return asked


@cache
def _patterns() -> tuple[tuple[frozenset[str], re.Pattern[str], tuple[str, ...]], ...]:
    """Return each form with the words that questions of its language begin with, and what could answer it."""
    return tuple(
        (frozenset(words.split()), compile_late(f"(?:{form}){_NOW}", re.IGNORECASE), answers)
        for words, forms in _FORMS.items()
        for form, answers in forms
    )
