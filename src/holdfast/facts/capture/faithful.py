"""A fact that a model named, and the words of the user that it quotes → why it does not say what the user said.

A quotation that stands word for word in a message proves nothing about the fact beside it: "we usually do not eat meat"
can be quoted for "I eat meat". So the part of the sentence around the quotation is looked at as well, and a fact is
dropped that turns a no into a yes, a question or a perhaps into a statement, somebody else's life into the user's, or
that has hardly a word in common with what it quotes. It would rather drop a fact than keep one that nobody stated.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from holdfast.named_tuple import NamedTuple

__all__ = ["Spoken", "unfaithful"]

_LEAST_SHARED: Final = 0.5  # of the telling words of a fact; a fair rewording keeps the nouns
_STEM: Final = 4  # letters; an ending of three may differ

_NEGATED: Final = (
    r"not|\w+n't|cannot|no|never|none|nobody|nothing|neither|nor|without|hardly|barely|rarely|seldom|stop(?:ped|s)?|quit|"
    r"gave up|given up|giving up|avoid(?:s|ed|ing)?|dislikes?|disliked|hates?|hated|detests?|refuses?|refused|far from|"
    r"nicht|kein(?:e|en|em|er|es)?|nie|niemals|niemand|nichts|ohne|weder|kaum|selten|hasse|hasst|aufgehört|"
    r"vermeide|ne|n'\w+|pas|jamais|aucun(?:e)?|rien|sans|rarement|déteste|arrêté|évite|nunca|jamás|nada|nadie|"
    r"ning[uú]n(?:a|o)?|tampoco|apenas|odio|evito|dejé de|não|jamais|ninguém|nenhum(?:a)?|sem|odeio|parei de|deixei de|"
    r"non|niente|nessun[oa]?|senza"
)
_UNSURE: Final = (
    r"maybe|perhaps|might|possibly|probably|supposedly|i guess|not sure|unsure|wonder(?:ing)?|consider(?:ing|ed)?|"
    r"thinking (?:about|of)|think about|dream(?:ing|t)? (?:about|of)|would|could|should|if|unless|wish|hope|hoping|"
    r"almost|nearly|some ?day|one day|want to|wants to|plan(?:ning)? to|joking|kidding|pretend(?:ing)?|imagine|"
    r"vielleicht|eventuell|möglicherweise|wahrscheinlich|würde|könnte|sollte|wenn|falls|überlege|hoffe|wünschte|"
    r"möchte|will|peut-être|probablement|pourrais|pourrait|devrais|voudrais|aimerais|espère|envisage|presque|"
    r"qui[zs]ás?|tal vez|a lo mejor|puede que|podría|debería|quisiera|ojalá|casi|talvez|poderia|deveria|gostaria|"
    r"tomara|quase|forse|magari|potrei|dovrei|vorrei"
)
_PAST: Final = (
    r"used to|formerly|previously|in the past|back then|ex|former|früher|damals|ehemals|ehemalig\w*|autrefois|"
    r"avant|ancien(?:ne)?|antes|antiguamente|solía|antigamente|costumava|una volta"
)
_ASKS: Final = (
    r"(?:should|shall|would|could|can|may|might|do|does|did|am|is|are|was|were|will|have|has|had|don't|doesn't|isn't|"
    r"aren't|shouldn't|wouldn't|couldn't) (?:i|we|you|he|she|they|it|my|our|the|this|that|there|anyone|somebody)\b|"
    r"(?:what|where|why|how|who|whose|which|what's|who's|how's)\b|when (?:is|are|do|does|did|will|should)\b|"
    r"(?:soll(?:te|ten|en)?|kann|können|könnte(?:n)?|darf|muss|bin|ist|sind|habe|hast) (?:ich|wir|du|er|sie|es)\b|"
    r"(?:wo|wer|warum|wieso|weshalb|welche[rs]?)\b|est-ce que\b|qu'est-ce\b|(?:où|pourquoi|quel(?:le)?s?|combien)\b|"
    r"(?:dónde|quién|cuándo|cuál(?:es)?|cuánt[oa]s?|debería(?:mos)?|onde|quem|quando|qual|quais|será que|deveríamos)\b"
)
_FIRST: Final = (
    r"i|i'\w+|im|ive|me|myself|mine|we|we'\w+|us|ourselves|ich|mich|mir|wir|uns|je|j'\w+|m'\w+|moi|nous|yo|nosotr[oa]s|"
    r"eu|nós|io|noi|me|mi|my|our|ours|mein\w{0,2}|unser\w{0,2}|mon|ma|mes|notre|nos|mis|nuestr[oa]s?|meus?|minhas?|"
    r"noss[oa]s?|mio|mia|miei|mie|the team|das team|l'équipe|el equipo|a equipe|o time"
)
_SUBJECT: Final = r"(?:i|i'\w+|im|ive|we|we'\w+|ich|wir|je|j'\w+|nous|yo|nosotr[oa]s|eu|nós|io|noi)"
_SOMEBODY: Final = (
    r"friend|wife|husband|partner|girlfriend|boyfriend|fiancée?|brother|sister|mother|father|mom|mum|dad|parents?|son|"
    r"daughter|kids?|child|children|cousin|uncle|aunt|grand\w+|niece|nephew|boss|manager|colleagues?|coworkers?|"
    r"co-workers?|neighbou?rs?|roommate|flatmate|landlord|teacher|doctor|team|dog|cat|in-laws?|"
    r"freund(?:in)?|frau|mann|bruder|schwester|mutter|vater|eltern|sohn|tochter|kind(?:er)?|chef(?:in)?|kolleg\w+|"
    r"nachbar(?:in)?|hund|katze|amie?s?|femme|mari|frère|sœur|soeur|mère|père|fils|fille|enfants?|collègues?|voisine?|"
    r"chien|chat|amig[oa]s?|mujer|esposa|esposo|marido|herman[oa]s?|madre|padre|padres|hij[oa]s?|jef[ea]|vecin[oa]|"
    r"perro|gat[oa]|irmão|irmã|mãe|pai|pais|filh[oa]s?|chefe|vizinh[oa]|cachorro|mulher|namorad[oa]"
)
_OTHER: Final = rf"(?:(?:my|our|mein\w{{0,2}}|unser\w{{0,2}}|mon|ma|mes|mis?|meus?|minhas?) (?:\w+ )?(?:{_SOMEBODY})|"
_OTHERS: Final = (
    _OTHER + r"he|she|they|he's|she's|they're|you|you're|er|sie|il|elle|ils|elles|él|ella|ellos|ele|ela|eles)\b"
)
_SENTENCE: Final = re.compile(r"(?<![.!?…;:])[.!?…;:]++(?=\s|$)|\n")
_CLAUSE: Final = re.compile(
    r"[,(–—]|\b(?:but|and|because|while|although|though|so|yet|whereas|since|aber|und|weil|obwohl|denn|sondern|mais|et|"
    r"car|parce que|pero|y|porque|sino|mas|e|ma|perché)\b(?=\s)"
)
_INTERJECTION: Final = re.compile(r"^(?:no|nope|nah|nein|nee|non|não|well|yes|yeah|ja|oui|sí|sim|sì)\s*[,.!–—-]\s*")
_MOST_PLACES: Final = 20  # of a quotation in a message: each costs a look at the whole of it
_WORD: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_IDLE: Final = frozenset(
    "the and for with from that this there here are was were has have had does did been being not don't doesn't didn't "
    "isn't really very quite just also always usually often now currently still about into over than then its their "
    "his her your our my mine who which what when where live lives living work works working called named name own "
    "owns user person people like likes der die das und mit von ist sind war habe hat haben wohne lebe arbeite heiße "
    "nicht kein keine sehr auch jetzt les des une dans avec pour est suis habite travaille m'appelle pas très los las "
    "una con por para está estoy soy vivo trabajo llamo uma com dos das sou estou moro trabalho chamo não muito".split()
)


class Spoken(NamedTuple):
    """Holds what the user said in one message: one line of plain text, in small letters, and where its lines ended."""

    text: str
    breaks: frozenset[int] = frozenset()

    def around(self, at: int, quote: str) -> tuple[str, str]:
        """The part of a sentence that a quotation belongs to, and the sign that ends its sentence."""
        ends = sorted({*((found.start(), found.end()) for found in _SENTENCE.finditer(self.text)),
                       *((place, place + 1) for place in self.breaks)})  # fmt: skip
        begin = max((end for _, end in ends if end <= at), default=0)
        stop, after = next(((start, end) for start, end in ends if start >= at + len(quote)), (len(self.text),) * 2)
        before, behind = self.text[begin:at], self.text[at + len(quote) : stop]
        if re.match(rf"{_SUBJECT}(?!\w)", quote):
            # It has its own subject: what was said before a comma or an "and" is about something else.
            before = before[max((found.end() for found in _CLAUSE.finditer(before)), default=0) :]
        cut = _CLAUSE.search(behind)
        sign = self.text[stop:after] if cut is None else ""
        return f"{before}{quote}{behind if cut is None else behind[: cut.start()]}".strip(), sign


def unfaithful(text: str, quote: str, spoken: Spoken) -> str:
    """Return why a fact does not say what the user said where it quotes them; "" where it does. Both are plain."""
    why = "its quotation is not in the user's own words"
    at = spoken.text.find(quote)
    for _ in range(_MOST_PLACES):
        if at < 0:
            break
        why = _fault(text, *spoken.around(at, quote))
        if not why:
            return ""
        at = spoken.text.find(quote, at + 1)
    return why


def _fault(text: str, said: str, sign: str) -> str:
    said = _INTERJECTION.sub("", said, count=1)
    text = _INTERJECTION.sub("", text, count=1)
    if "?" in sign or _pattern(_ASKS).match(said):
        return "the user asked that, and did not say it"
    if _has(_NEGATED, said) != _has(_NEGATED, text):
        return "the user said the opposite there"
    if _has(_UNSURE, said) and not _has(_UNSURE, text):
        return "the user was not sure of it"
    if _has(_PAST, said) != _has(_PAST, text):
        return "the user spoke of another time"
    if _about_another(text, said):
        return "the user spoke of somebody else there"
    telling = _telling(text)
    held = [word for word in telling if word[: max(_STEM, len(word) - 3)] in said]
    if len(held) < _LEAST_SHARED * len(telling):
        return "it has too little in common with what the user said there"
    return ""


def _about_another(text: str, said: str) -> bool:
    """Say whether a fact is about the user and the words that it quotes are not."""
    if re.match(r"(?:(?:no|não|non|ya|já) )?(?:me|mi|\w+o|soy|estoy|sou) ", text):
        return _pattern(_OTHERS).match(said) is not None  # where a verb says who, no word for the user is needed
    if not _has(_FIRST, text):
        return False
    if not _has(_FIRST, said):
        return True
    owns = _pattern(_SUBJECT).match(text) is not None
    # "My friend Tom enjoys sailing" has a word for the user, and is about Tom.
    return owns and not _has(_SUBJECT, said) and _pattern(_OTHERS).match(said) is not None


def _telling(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if len(word) > 2 and word not in _IDLE]


def _has(words: str, text: str) -> bool:
    return _pattern(rf"(?<![\w'])(?:{words})(?![\w'])").search(text) is not None


@cache
def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(words)
