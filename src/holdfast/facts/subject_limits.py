"""What keeps a sentence from claiming anything: it holds only at times, or the place that it names is none.

Who lives in Paris during the summer may live in Nice during the winter, and who lives in constant fear lives in some
town as well. Such a sentence is kept like any other, and takes no place of another one.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

__all__ = ["names_no_employer", "names_no_place", "only_at_times"]

_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_TIMES = (
    r"(?:summer|winter|spring|autumn|fall|holiday|vacation|semester|term|season|school year|weekend|weekday|week|"
    r"morning|afternoon|evening|night|day)"
)
_AT_TIMES: Final = (
    # English
    rf"(?:in|during|over|for|at|on|through|throughout|this|next)(?: the| most| some| all)? {_TIMES}(?:s|time)?",
    rf"(?:every|each|most|some|alternate)(?: other| second)? (?:{_TIMES}|{_DAYS}|month|year)s?",
    rf"{_DAYS}s|summers|winters|weekends|weekdays|nights",
    r"(?:part|half|most|some|much|rest) of the (?:time|year|week|month|day)|half the (?:time|year|week|month)",
    r"part[- ]time|half[- ]time|sometimes|occasionally|usually|mostly|often|temporarily|on the side|on and off",
    r"(?:once|twice|[\w-]+ (?:days?|weeks?|months?|times|hours)) (?:a|per|each|every) (?:week|month|year|day)",
    r"from (?:january|february|march|april|may|june|july|august|september|october|november|december) (?:to|till|until)",
    r"when|whenever|while|if|unless|as long as|as a (?:side|second) (?:job|gig)|depending on",
    # German
    r"(?:im|in den|den|jeden|diesen|während des) (?:sommer|winter|frühling|frühjahr|herbst|urlaub|semester)(?:n|s)?",
    r"(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs|werktags|wochentags|sommers|winters|morgens|abends|nachts",
    r"tagsüber|unter der woche|(?:am|an|jedes) wochenenden?",
    r"(?:jeden|an) (?:(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)(?:en)?",
    r"wenn|falls|sofern|solange|teilzeit|manchmal|zeitweise|gelegentlich|meistens|halbtags|nebenbei|vorübergehend",
    r"die hälfte|ab und zu",
    # French
    r"(?:en |l'|cet |chaque |pendant l'|durant l')(?:été|hiver|automne)|au printemps|(?:le|les|chaque) week-?ends?",
    r"(?:le|chaque|tous les) (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)s?|pendant les (?:vacances|week)",
    r"quand|lorsqu\w*|parfois|de temps en temps|à mi-temps|à temps partiel|la moitié|en semaine",
    # Spanish
    r"(?:en|durante|cada|este)(?: el| la| los| las)? (?:veranos?|inviernos?|otoño|primavera|vacaciones)",
    r"(?:los|cada) (?:lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|fin(?:es)? de semana)|entre semana",
    r"cuando|mientras|a veces|de vez en cuando|a media jornada|a tiempo parcial|la mitad",
    # Italian
    r"(?:in |d'|durante l'|ogni )(?:estate|inverno|autunno|primavera)|nei? (?:fine settimana|weekend)",
    r"(?:il|ogni) (?:lunedì|martedì|mercoledì|giovedì|venerdì|sabato)|la domenica|quando|mentre|a volte",
    # Portuguese
    r"(?:no|na|nas|durante o|durante a|cada) (?:verão|inverno|outono|primavera|férias)|às vezes|meio período|enquanto",
    r"(?:às|nas|aos|cada) (?:segundas?|terças?|quartas?|quintas?|sextas?|sábados?|domingos?|fins? de semana)|metade",
)
_NEXT_CLAUSE: Final = (
    r";|\. |,? (?:and (?=(?:i|i'm|we|my|our|work|have|am|like|love|commute|travel)\b)|where\b|which\b|who\b|because\b|"
    r"since\b|wo\b|weil\b|seit\b|où\b|donde\b|dove\b|onde\b|porque\b)"
)
_DESCRIBES: Final = frozenset(
    "a an the my our your his her their this that both home night nights weekends school it ein eine einem einer der "
    "die das dem meinem meiner zuhause un une le la les mon ma chez una el los las mi casa uno il lo mio minha meu um "
    "uma".split()
)
"""With these begins a description and not a name: who lives in a flat may still live in Berlin."""
_UNPAID: Final = frozenset(
    "free fun money cash food peanuts hours heights scale speed sea both least most turnos equipo equipe remoto".split()
)
"""What one works at or for that is no employer."""
_NO_TOWN: Final = frozenset(
    "fear terror dread anxiety panic agony misery pain grief despair sorrow peace harmony hope bliss luxury comfort "
    "poverty squalor debt denial exile hiding isolation solitude silence darkness chaos sin shame limbo uncertainty "
    "captivity prison jail town suburbia housing accommodation lodgings dorms tents retirement management tears decaf "
    "part-time full-time remote "
    "vim neovim emacs helix tmux terminal vscode linux windows macos ubuntu debian fedora nixos android ios python "
    "typescript javascript rust golang kotlin postgres postgresql mysql sqlite kubernetes docker github gitlab "
    "angst frieden armut scheidung trennung luxus freiheit harmonie ungewissheit einsamkeit untermiete "
    "paix peur crainte couple colocation concubinage banlieue ville appartement libre "
    "paz pareja miedo familia comunidad soledad pobreza alquiler piso "
    "pace paura povertà campagna affitto periferia città medo pobreza solidão apartamento".split()
)
"""In these one lives as well, or has moved to them, and they are on no map."""


def only_at_times(words: str) -> bool:
    """Whether a part of a sentence goes on to say on which days, in which season or on what condition it holds."""
    at_times, next_clause = _patterns()
    ends = next_clause.search(words)
    return at_times.search(words, 1, ends.start() if ends else len(words)) is not None


def names_no_place(value: str) -> bool:
    """Whether what somebody lives in, or has moved to, is no place with a name."""
    words = value.split()
    return not words or words[0] in _DESCRIBES or not _NO_TOWN.isdisjoint(words)


def names_no_employer(value: str) -> bool:
    """Whether what somebody works at or for has no name."""
    first = value.partition(" ")[0]
    return first in _DESCRIBES or first in _UNPAID


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    # Behind a word of its own: "in the summer" alone is a value, as of a birthday.
    return re.compile(rf"(?<=[\s(,])(?:{'|'.join(_AT_TIMES)})(?!\w)"), re.compile(_NEXT_CLAUSE)
