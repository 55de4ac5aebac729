"""A question → what it asks about: the subject and the attribute that a claim would have which answers it.

"Where do I live?" has more words in common with "Pandas live in China" than with "I've moved to Munich". So a question
is turned into a sentence that could answer it, and what that sentence claims tells which facts are meant. Where none of
the forms fits, or no such sentence claims anything, nobody knows, and a search has to tell.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from datetime import date
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from holdfast.guard.origin import Origin, origins_at_least
from holdfast.pattern import compile_late

if TYPE_CHECKING:
    from holdfast.facts.fact import Fact

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
# Before each form stand the words that such a question begins with: most messages begin with none of them, or with that
# of a few forms, and compiling all takes as long as a search.
_FORMS: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    # English
    (
        "where",
        rf"where (?:do|did) i {_YET}(?:live|reside)|where am i {_YET}(?:living|based)|where i live",
        ("I live in Rome",),
    ),
    ("what which", rf"(?:what|which) (?:city|town|place|country) (?:do|did) i {_YET}live in", ("I live in Rome",)),
    ("where", r"where (?:did i used? to live|have i lived)|where i used to live", ("I live in Rome",)),
    ("in", rf"in (?:what|which) (?:city|town|place|country) (?:do|did) i {_YET}live", ("I live in Rome",)),
    (
        "where",
        r"where (?:did|have) i (?:just |recently )?moved? to|where is my (?:home|house|flat)",
        ("I live in Rome",),
    ),
    (
        "where who whom",
        rf"where (?:do|did) i {_YET}work|who(?:m)? do i {_YET}work for|where am i {_YET}working",
        ("I work at Acme",),
    ),
    ("what which who", rf"(?:what|which) company do i {_YET}work (?:for|at)|who is my employer", ("I work at Acme",)),
    (
        "what",
        r"what do i do(?: for a living| for work)?|what am i working as|what do i work as",
        ("I work as a nurse",),
    ),
    ("what what's", r"what(?: is|'s) my (?:job|profession|occupation)", ("I work as a nurse", "My job is nurse")),
    ("what who", r"who am i|what am i called|what should (?:i|you) call (?:me|myself)", ("My name is Ada",)),
    ("what what's how", r"how old am i|what(?: is|'s) my age", ("I am 42 years old",)),
    (
        "what when when's",
        r"when was i born|when(?: is|'s) my birthday|what day is my birthday",
        ("My birthday is 3 May",),
    ),
    (
        "where what what's which who who's when when's where's which's",
        rf"(?:what|which|who|when|where)(?: is|'s| are) my {_OF}(?:'s name)?(?: called)?",
        ("My {a} is {v}",),
    ),
    (
        "what which",
        rf"(?:what|which) {_OF} do i (?:prefer|like best|like most|like|love)",
        ("My favourite {a} is {v}",),
    ),
    ("my", rf"my {_OF}", ("My {a} is {v}",)),
    ("do", r"do i (?P<a>(?:still )?(?:like|love|enjoy|use|drink|eat) .+)", ("I {a}",)),
    ("am", r"am i (?:still )?(?P<a>.+)", ("I am {a}",)),
    ("where", r"where does (?P<s>.+?) live|where is (?P<s2>.+?) living", ("{s} lives in Rome",)),
    ("where who", r"where does (?P<s>.+?) work|who does (?P<s2>.+?) work for", ("{s} works at Acme",)),
    ("when", r"when is (?P<s>.+?)'s birthday", ("{s}'s birthday is 3 May",)),
    ("who", r"who(?: is)? (?:leads|leading|running|runs) (?P<s>.+)", ("Ada leads {s}",)),
    (
        "what what's which who who's when when's which's",
        rf"(?:what|which|who|when)(?: is|'s) the {_OF} (?:of|for|on) (?P<s>.+)",
        ("The {a} of {s} is {v}", "{v} is the {a} of {s}"),
    ),
    # German
    (
        "wo in",
        r"(?:wo|in welche[rm] (?:stadt|ort|land)) (?:wohne|lebe|wohnte|lebte) ich(?: jetzt)?",
        ("Ich wohne in Rom",),
    ),
    ("wo wohin", r"wo (?:ich|habe ich) (?:wohne|lebe|gewohnt|gelebt)|wohin bin ich gezogen", ("Ich wohne in Rom",)),
    (
        "wo bei für wer",
        r"(?:wo|bei wem|für wen) arbeite ich(?: jetzt)?|wer ist mein arbeitgeber",
        ("Ich arbeite bei Acme",),
    ),
    ("als was", r"als was arbeite ich|was (?:ist mein beruf|bin ich von beruf|arbeite ich)", ("Ich arbeite als Arzt",)),
    ("wer was wie", r"wie (?:heiße|heisse) ich|(?:wie|was) ist mein name|wer bin ich", ("Ich heiße Ada",)),
    ("wie", r"wie alt bin ich", ("Ich bin 42 Jahre alt",)),
    (
        "wann",
        r"wann (?:habe ich geburtstag|bin ich geboren|ist mein geburtstag)",
        ("Mein Geburtstag ist am 3. Mai", "Ich bin am 3. Mai geboren"),
    ),
    (
        "wer was welche welcher welches",
        r"(?:was|wer|welche[rs]?) (?:ist|sind) meine? lieblings-?(?P<a>[^\W\d_][\w-]{1,40})",
        ("Mein Lieblings{a} ist {v}",),
    ),
    (
        "welche welchen welcher welches",
        rf"welche[nrs]? {_OF} (?:mag|bevorzuge) ich(?: am liebsten)?",
        ("Mein Lieblings{a} ist {v}",),
    ),
    ("wer", r"wer leitet (?P<s>.+)", ("Ada leitet {s}",)),
    # French
    (
        "où dans",
        r"(?:où|dans quelle ville|dans quel pays) (?:(?:est-ce que )?(?:j'habite|je vis)|habit[eé]-je|vis-je)",
        ("J'habite à Rome",),
    ),
    (
        "où chez pour",
        r"(?:où|chez qui|pour qui) (?:est-ce que je travaille|je travaille|travaillé-je)",
        ("Je travaille chez Acme",),
    ),
    (
        "quel qu'est-ce",
        r"quel est mon (?:métier|travail)|qu'est-ce que je fais dans la vie",
        ("Mon métier est infirmier",),
    ),
    (
        "quel comment c'est",
        r"comment (?:est-ce que )?je m'appelle|comment m'appelé-je|(?:quel|c'est quoi) (?:est )?mon nom",
        ("Je m'appelle Ada",),
    ),
    ("quel", r"quel âge (?:est-ce que )?(?:ai-je|j'ai)", ("J'ai 42 ans",)),
    (
        "c'est quand",
        r"quand (?:est|c'est) mon anniversaire|c'est quand mon anniversaire",
        ("Mon anniversaire est le 3 mai",),
    ),
    (
        "quel quelle quels quelles",
        rf"quel(?:le)?s? (?:est|sont) m(?:on|a|es) {_OF} (?P<f>préféré|favori)\w{{0,3}}",
        ("Mon {a} préféré est {v}",),
    ),
    # Spanish
    (
        "dónde donde en",
        r"(?:dónde|donde|en qué ciudad|en qué país) (?:vivo|resido)(?: yo)?(?: ahora)?",
        ("Vivo en Roma",),
    ),
    (
        "dónde donde en para",
        r"(?:dónde|donde|para quién|en qué empresa) trabajo(?: yo)?(?: ahora)?",
        ("Trabajo en Acme", "Trabajo para Acme"),
    ),
    ("de a cuál", r"de qué trabajo|a qué me dedico|cuál es mi (?:profesión|trabajo)", ("Trabajo como enfermero",)),
    ("cuál cómo quién", r"cómo me llamo(?: yo)?|cuál es mi nombre|quién soy(?: yo)?", ("Me llamo Ada",)),
    ("cuántos", r"cuántos años tengo", ("Tengo 42 años",)),
    ("cuándo", r"cuándo (?:es mi cumpleaños|nací)", ("Mi cumpleaños es el 3 de mayo",)),
    ("cuál cuáles", rf"cuál(?:es)? (?:es|son) mis? {_OF} (?:favorit|preferid)\w{{1,2}}", ("Mi {a} favorito es {v}",)),
    # Italian
    ("dove in", r"(?:dove|in che città|in quale città) (?:vivo|abito)", ("Vivo a Roma",)),
    ("dove per", r"(?:dove|per chi) lavoro", ("Lavoro per Acme",)),
    ("come qual", r"come mi chiamo|qual è il mio nome", ("Mi chiamo Ada",)),
    ("quanti", r"quanti anni ho", ("Ho 42 anni",)),
    # Portuguese
    ("onde em", r"(?:onde|em que cidade|em que país) (?:eu )?(?:moro|vivo|resido)", ("Moro em Roma", "Vivo em Roma")),
    (
        "onde para",
        r"(?:onde|para quem) (?:eu )?trabalho",
        ("Trabalho na Acme", "Trabalho para Acme", "Trabalho em Acme"),
    ),
    (
        "em com qual",
        r"(?:em|com) (?:o )?que (?:eu )?trabalho|qual (?:é )?(?:a )?minha profissão",
        ("Trabalho como enfermeiro",),
    ),
    ("qual como quem", r"como (?:eu )?me chamo|qual (?:é )?(?:o )?meu nome|quem sou eu", ("Me chamo Ada",)),
    ("quantos", r"quantos anos (?:eu )?tenho", ("Tenho 42 anos",)),
    ("quando", r"quando é (?:o )?meu aniversário", ("Meu aniversário é 3 de maio",)),
    (
        "qual quais",
        rf"(?:qual|quais) (?:é|são) (?:o |a |os |as )?(?:meus?|minhas?) {_OF} (?:favorit|preferid)\w{{1,2}}",
        ("Meu {a} favorito é {v}",),
    ),
)
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
    if "user" in asked.casefold():
        for pattern, said in _THE_USER:
            asked = pattern.sub(said, asked)
    return asked


@cache
def _patterns() -> tuple[tuple[frozenset[str], re.Pattern[str], tuple[str, ...]], ...]:
    """Return each form with the words that it begins with, and what could answer it."""
    return tuple(
        (frozenset(words.split()), compile_late(f"(?:{form}){_NOW}", re.IGNORECASE), answers)
        for words, form, answers in _FORMS
    )
