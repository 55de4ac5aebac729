"""What keeps a sentence from claiming anything: it holds only at times, or the place that it names is none.

Who lives in Paris during the summer may live in Nice during the winter, and who lives in constant fear lives in some
town as well. Such a sentence is kept like any other, and takes no place of another one.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from holdfast.facts.subject_contact_words import GIVEN_NAMES
from holdfast.facts.subject_places import is_known
from holdfast.facts.subject_value_words import ZONES

__all__ = ["names_no_employer", "names_no_place", "only_at_times", "only_told"]

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
    r"until|till|for now|for the time being|(?:from|between|von|de|entre|zwischen) (?:19|20)\d\d",
    r"when|whenever|while|if|unless|as long as|as a (?:side|second) (?:job|gig)|depending on",
    # German
    r"(?:im|in den|den|jeden|diesen|während des) (?:sommer|winter|frühling|frühjahr|herbst|urlaub|semester)(?:n|s)?",
    r"(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs|werktags|wochentags|sommers|winters|morgens|abends|nachts",
    r"tagsüber|unter der woche|(?:am|an|jedes) wochenenden?",
    r"(?:jeden|an) (?:(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)(?:en)?",
    r"bis|wenn|falls|sofern|solange|teilzeit|manchmal|zeitweise|gelegentlich|meistens|halbtags|nebenbei|vorübergehend",
    r"die hälfte|ab und zu",
    # French
    r"(?:en |l'|cet |chaque |pendant l'|durant l')(?:été|hiver|automne)|au printemps|(?:le|les|chaque) week-?ends?",
    r"(?:le|chaque|tous les) (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)s?|pendant les (?:vacances|week)",
    r"jusqu\w*|quand|lorsqu\w*|parfois|de temps en temps|à mi-temps|à temps partiel|la moitié|en semaine",
    # Spanish
    r"(?:en|durante|cada|este)(?: el| la| los| las)? (?:veranos?|inviernos?|otoño|primavera|vacaciones)",
    r"(?:los|cada) (?:lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|fin(?:es)? de semana)|entre semana",
    r"hasta|cuando|mientras|a veces|de vez en cuando|a media jornada|a tiempo parcial|la mitad",
    # Italian
    r"(?:in |d'|durante l'|ogni )(?:estate|inverno|autunno|primavera)|nei? (?:fine settimana|weekend)",
    r"(?:il|ogni) (?:lunedì|martedì|mercoledì|giovedì|venerdì|sabato)|la domenica|quando|mentre|a volte",
    # Portuguese
    r"(?:no|na|nas|durante o|durante a|cada) (?:verão|inverno|outono|primavera|férias)",
    r"às vezes|meio período|enquanto|até",
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
    "free fun money cash food peanuts hours heights scale speed sea both least most pleasure love fame charity me "
    "myself mich nacht regen kälte hitze wetter musik wind schnee strom lärm zwei geld moi vivre deux turnos equipo "
    "equipe remoto dos mim dois".split()
)
"""What one works at or for that is no employer."""
_LIGHTS: Final = ("licht", "schein", "wetter")
"""Words of these ends stand behind the German "bei", and pay nobody."""
_ROLES: Final = frozenset(
    "ceo cto cfo coo cio vp boss director president chairman head manager owner chef chefin vorstand jefe jefa chefe "
    "patron patrão pdg directeur directora diretor".split()
)
"""For whom one works within a company, which keeps its name."""
_LANGUAGES: Final = frozenset(
    "python typescript javascript rust golang go kotlin java php perl swift sql react c c++ c# ruby scala haskell "
    "excel it ti marketing vertrieb ventas vendas rh rrhh".split()
)
"""In these one works as well, behind the same word as in a company."""
_ONLY_TOLD: Final = re.compile(
    r"\b(?:in|of|en|dans|em|nei|nos) (?:my|his|her|our|their|meinen?|mes|mon|mis|meus?|minha|miei|mi|your) "
    r"(?:\w+ )?(?:dreams?|head(?! office)|mind|imagination|fantas(?:y|ies)|sleep|novel|story|game|träumen?|kopf|"
    r"fantasie|rêves?|tête|sueños|cabeza|imaginación|sonhos|cabeça|imaginação|sogni)\b|"
    r"[,\"'”»] ?(?:said|says|wrote|writes|claims|claimed|according to|told|sagte?|schrieb|schreibt|meinte?|laut|dit|"
    r"a dit|a écrit|écrit|selon|dijo|dice|escribió|según|disse|diz|escreveu|segundo)\b|"
    r"^(?:(?!\b(?:which|where|who|and|but|wo|und|qui|où|et|que|donde|y|onde|e)\b)[^,;(])* "
    r"(?:is|was|ist|war|est|était|es|era|é|foi) (?:what|how|an?|the|my|his|her|das|was|der|die|eine?|ce|le|la|une?|lo|"
    r"el|una|o|uma?)\b"
)
"""Words of somebody else, of a dream or of a title."""
_OFFSET: Final = re.compile(r"(?:utc|gmt)(?: ?[+-] ?\d.*)?")
_NO_TOWN: Final = frozenset(
    "slack excel outlook teams discord jira notion figma photoshop powerpoint word gmail whatsapp zoom twitter "
    "facebook instagram reddit youtube minecraft skyrim fortnite jupyter matlab java php perl swift sql react node "
    "chrome firefox safari obsidian xcode intellij pycharm unity blender autocad confluence aws azure gcp "
    "terraform kafka redis mongodb nginx svelte vue angular bun deno poetry pytest vitest jest tailwind webpack vite "
    "npm pnpm yarn bazel cmake ansible jenkins circleci netlify vercel heroku cloudflare dropbox icloud onedrive "
    "thunderbird protonmail fastmail signal telegram spotify netflix kindle ipad iphone mac chromebook opensuse kde "
    "gnome wayland zsh nushell alacritty ghostty cursor zed claude chatgpt copilot mastodon bluesky linkedin trello "
    "fear terror dread anxiety panic agony misery pain grief despair sorrow peace harmony hope bliss luxury comfort "
    "poverty squalor debt denial exile hiding isolation solitude silence darkness chaos sin shame limbo uncertainty "
    "captivity prison jail town suburbia housing accommodation lodgings dorms tents retirement management tears decaf "
    "part-time full-time remote room building apartment flat house street road avenue block downtown centre center "
    "straße haus wohnung zentrum innenstadt rue centre-ville calle avenida rua centro "
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
    if not words or words[0] in _DESCRIBES or not _NO_TOWN.isdisjoint(words):
        return True
    return value in ZONES or _OFFSET.fullmatch(value) is not None


def names_no_employer(value: str) -> bool:
    """Whether what somebody works at or for has no name."""
    first = value.partition(" ")[0]
    if first in _DESCRIBES or first in _UNPAID or first.endswith(_LIGHTS):
        return True
    # Behind "en" and "em" stands a town or a language as well as an employer.
    return value in GIVEN_NAMES or value in _ROLES or value in _LANGUAGES or is_known(value)


def only_told(words: str) -> bool:
    """Whether a part of a sentence goes on to say that it is somebody's words, a dream or a title."""
    return _ONLY_TOLD.search(words) is not None


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    # Behind a word of its own: "in the summer" alone is a value, as of a birthday.
    return re.compile(rf"(?<=[\s(,])(?:{'|'.join(_AT_TIMES)})(?!\w)"), re.compile(_NEXT_CLAUSE)
