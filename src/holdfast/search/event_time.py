"""Time told by an event ("before the launch"): what to look for first, and the window once its day is known.

The caller searches for the event's words, takes the day of the best hit, and asks `around` for the window.
"""

from __future__ import annotations

import re
from datetime import date
from enum import StrEnum
from functools import cache

from holdfast.named_tuple import NamedTuple
from holdfast.search.calendar_spans import EARLIEST, Span, add_days
from holdfast.search.time_window import Window

__all__ = ["Event", "Relation", "around", "event"]

_MOST_CHARACTERS = 2_000
_MOST_WORDS = 6
_REACH = 30  # days; "before the launch" seldom means years before
_SINCE = 1_100  # and "since the launch" is all that came after, for some years
_SURE = 0.5  # the event may be found in the wrong note, and on another day than its own


class Relation(StrEnum):
    """Says how the asked time lies to the event."""

    BEFORE = "before"
    AFTER = "after"
    SINCE = "since"
    DURING = "during"


class Event(NamedTuple):
    """An event that a question measures time by: its words, without the preposition."""

    relation: Relation
    words: str


_RELATIONS = {
    Relation.BEFORE: "before|prior to|vor|avant|antes de|antes do|antes da|antes del|prima di|prima del|"
    "prima della|vóór",
    Relation.AFTER: "after|nach|après|después de|después del|depois de|depois do|depois da|dopo|na",
    Relation.SINCE: "since|seit|depuis|desde|sinds",
    Relation.DURING: "during|while at|während|pendant|durante|tijdens",
}
# What makes a thing out of the next words: without it, "after all" and "before we left" would be events.
_ARTICLE = (
    "the|my|our|his|her|their|your|der|die|das|dem|den|des|unser|unserem|unserer|meinem|meiner|le|la|les|l|notre|mon|ma|"
    "el|los|las|nuestro|nuestra|mi|o|a|os|as|nosso|nossa|il|lo|gli|i|nostro|nostra|het|de|onze|mijn"
)


@cache
def _pattern() -> re.Pattern[str]:
    kinds = "|".join(f"(?P<{relation.value}>{words})" for relation, words in _RELATIONS.items())
    article = rf"(?:(?:{_ARTICLE})(?:\s+|['’]))"
    word = r"[\w'’-]{1,60}"
    return re.compile(
        rf"\b(?:{kinds})\s+(?P<article>{article})?(?P<words>{word}(?:\s+{word}){{0,{_MOST_WORDS}}})", re.I
    )


# A verb or a preposition after a noun begins another part of the sentence.
_ENDS = frozenset(
    "did do does was were is are had have has would could should will can in on at about with for and or but that who "
    "which when where how why what from to into by hat haben war waren ist sind wir ich ai avons est était nous fue "
    "foi hemos abbiamo è era heeft hebben".split()
)
# "after the week of" and "before the end of" name no event.
_NO_EVENTS = frozenset(
    "day days week weeks month months year years time moment weekend morning evening night same last next first end "
    "tag woche monat jahr zeit jour semaine mois année temps día semana mes año tiempo".split()
)
# Prepositions that hold the article: "antes del viaje", "prima della festa".
_WITH_ARTICLE = frozenset(("del", "do", "da", "della"))
# In Portuguese "a" is "the"; in English it makes any such thing out of the event.
_ANY = ("before a ", "prior to a ", "after a ", "since a ", "during a ", "while at a ")


def event(question: str) -> Event | None:
    """Return the first event that a question measures time by, or None; in languages without articles, none."""
    for match in _pattern().finditer(question[-_MOST_CHARACTERS:]):
        phrase = match[0].casefold()
        if (match["article"] is None and phrase.split()[1] not in _WITH_ARTICLE) or phrase.startswith(_ANY):
            continue
        words: list[str] = []
        for word in match["words"].split():
            if word.casefold() in _ENDS:
                break
            words.append(word)
        thing = " ".join(words).strip("'’- ")
        if thing and words[0].casefold() not in _NO_EVENTS and not thing[0].isdigit():
            relation = next(kind for kind in Relation if match[kind.value] is not None)
            return Event(relation, thing)
    return None


def around(found: Event, day: date | Span) -> Window:
    """Return the window that an event opens, once its day is known.

    That day is in it: what followed is often written then.
    """
    if isinstance(day, Span):
        span = day
    else:
        span = Span(day, day)
    if found.relation is Relation.BEFORE:
        start, end = add_days(span.start, -_REACH), span.end
    elif found.relation is Relation.AFTER:
        start, end = span.start, add_days(span.end, _REACH)
    elif found.relation is Relation.SINCE:
        start, end = span.start, add_days(span.end, _SINCE)
    else:
        start, end = span
    return Window(max(min(start, end), EARLIEST), max(start, end), _SURE, f"{found.relation} {found.words}")
