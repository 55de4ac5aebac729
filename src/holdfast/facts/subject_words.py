"""The sentence forms that say one thing about one subject, as data: for each, what it is about.

A form names an attribute that has one value at a time: who lives in one town does not live in another. In a form, `s`
is the subject (without it, the user), `a` what the attribute is about, `v` its value; `no` marks a form that takes
something back. All are anchored, and the sentences that they are tried on are short.
"""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = ["BOTH_WAYS", "CLAUSE", "FORMS", "NO_PLACE", "OPENERS", "Form"]


class Form(NamedTuple):
    """A sentence form. `cuts` ends the value where the next clause begins; `place` wants a name and no description."""

    attribute: str
    pattern: str
    no: bool = False
    cuts: bool = False
    place: bool = False


_FAVOURITE = r"(?P<a>[^\W\d_][\w' -]{1,40}?)"
_ROLE = (
    r"(?P<a>team lead|tech lead|technical lead|project lead|lead|head|owner|product owner|manager|project manager|"
    r"director|ceo|cto|cfo|maintainer|chair|president|boss|captain|editor)"
)
_THING = (
    r"(?P<a>lead|team lead|tech lead|owner|manager|maintainer|deadline|due date|launch date|release date|start date|"
    r"launch|status|version|budget|price|address|port|host|url|default branch|license|licence|code name|"
    r"database|capital|birthday|phone number|email|email address)"
)
_MINE = (
    r"(?P<a>name|first name|last name|surname|nickname|age|birthday|date of birth|time ?zone|email|email address|"
    r"address|phone number|phone|job|job title|employer|company|nationality|native language|mother tongue|"
    r"blood type|height|weight|shoe size|home ?town|wife|husband|partner|spouse|girlfriend|boyfriend|boss|manager|"
    r"mother|mom|mum|father|dad|landlord|doctor|dentist|therapist|accountant|pronouns)"
)
_STATE = r"(?P<a>vegan|vegetarian|smoker|married|single|pregnant|allergic to .+)"
_LIVES, _WORKS, _JOB, _NAME, _AGE, _BORN = "lives-in", "works-at", "works-as", "name", "age", "birthday"

FORMS: Final[tuple[Form, ...]] = (
    # English
    Form(_LIVES, r"i (?:no longer live|don't live|do not live) in (?P<v>.+)", no=True, cuts=True),
    Form(_LIVES, r"i(?: am|'m)? (?:live|living|based) in (?P<v>.+)", cuts=True, place=True),
    Form(_LIVES, r"i(?:'ve| have)?(?: just)? (?:moved|relocated) (?:from .+? )?to (?P<v>.+)", cuts=True, place=True),
    Form(_WORKS, r"i (?:no longer work|don't work|do not work) (?:at|for) (?P<v>.+)", no=True, cuts=True),
    Form(_WORKS, r"i(?: am|'m)? (?:work|working|employed) (?:at|for|by) (?P<v>.+)", cuts=True, place=True),
    Form(_JOB, r"i(?: am|'m)? (?:work|working|employed) as (?:an? )?(?P<v>.+)", cuts=True),
    Form(_NAME, r"(?:my name is|my name's|i am called|i'm called|call me|i go by) (?P<v>.+)", cuts=True),
    Form(_AGE, r"i(?: am|'m) (?P<v>\d{1,3}) years old"),
    Form(_BORN, r"(?:i was born on|my birthday is(?: on)?|my birthday's(?: on)?) (?P<v>.+)"),
    Form("favourite {a}", rf"my favou?rite {_FAVOURITE} (?:is|are) (?:now )?(?P<v>.+)"),
    Form("{a}", rf"my {_MINE}(?:'s name)? is (?:called |named |now )?(?P<v>.+)", cuts=True),
    Form(
        "{a}",
        r"my (?P<a>(?:preferred|default|current|main|primary|usual) [^\W\d_][\w' -]{1,40}?) "
        r"(?:is|are) (?:now )?(?P<v>.+)",
    ),
    Form("{a}", rf"(?P<v>[^\W\d_].{{0,60}}?) is (?:now )?the (?:new )?{_ROLE} (?:of|for|on) (?:the )?(?P<s>.+)"),
    Form("{a}", rf"(?:the )?(?:new )?{_THING} (?:of|for|on) (?:the )?(?P<s>.+?) is (?:now )?(?:on |set to )?(?P<v>.+)"),
    Form("lead", r"(?P<s>[^\W\d_].{0,60}?) is (?:now )?led by (?P<v>.+)"),
    Form("birthday", r"(?P<s>[^\W\d_][\w .-]{0,40})'s birthday is (?:on )?(?P<v>.+)"),
    Form(
        _LIVES,
        r"(?P<s>[^\W\d_][\w'-]*(?: [^\W\d_][\w'-]*){0,2}) (?:lives in|moved to) (?P<v>.+)",
        cuts=True,
        place=True,
    ),
    Form(_WORKS, r"(?P<s>[^\W\d_][\w'-]*(?: [^\W\d_][\w'-]*){0,2}) works (?:at|for) (?P<v>.+)", cuts=True, place=True),
    Form(
        "version of {a}",
        r"(?P<s>[^\W\d_][\w' -]{0,60}?) (?:uses|use|runs|run|is on|are on) (?P<a>[^\W\d_][\w.#+-]*) v?(?P<v>\d[\w.]*)",
    ),
    Form(
        "uses for {a}",
        r"(?:we|the team) (?:decided to use|chose|picked|settled on|will use|use) (?P<v>.+?) for (?P<a>.+)",
    ),
    # German
    Form(_LIVES, r"ich (?:wohne|lebe) nicht mehr in (?P<v>.+)", no=True, cuts=True),
    Form(_LIVES, r"ich (?:wohne|lebe)(?: jetzt| nun)? in (?P<v>.+)", cuts=True, place=True),
    Form(_LIVES, r"ich bin(?: jetzt| gerade)? nach (?P<v>.+?) (?:gezogen|umgezogen)", place=True),
    Form(_WORKS, r"ich arbeite nicht mehr (?:bei|für) (?P<v>.+)", no=True, cuts=True),
    Form(_WORKS, r"ich arbeite(?: jetzt| nun)? (?:bei|für) (?P<v>.+)", cuts=True, place=True),
    Form(_JOB, r"ich arbeite(?: jetzt| nun)? als (?P<v>.+)", cuts=True),
    Form(_NAME, r"(?:ich heiße|ich heisse|mein name ist|nenn mich) (?P<v>.+)", cuts=True),
    Form(_AGE, r"ich bin (?P<v>\d{1,3}) jahre alt"),
    Form(_BORN, r"(?:mein geburtstag ist(?: am)?|ich bin am) (?P<v>.+?)(?: geboren)?"),
    Form("favourite {a}", r"mein(?:e|er)? lieblings-?(?P<a>[^\W\d_][\w-]{1,40}?) (?:ist|sind) (?:jetzt )?(?P<v>.+)"),
    Form("lead", r"(?P<v>[^\W\d_].{0,60}?) leitet (?:jetzt |nun )?(?:das |die |den )?(?P<s>.+)"),
    # French
    Form(_LIVES, r"je n'habite plus (?:à|en|au|aux) (?P<v>.+)", no=True, cuts=True),
    Form(
        _LIVES,
        r"(?:j'habite|je vis|je réside)(?: maintenant| désormais)? (?:à|en|au|aux) (?P<v>.+)",
        cuts=True,
        place=True,
    ),
    Form(_LIVES, r"j'ai déménagé (?:à|en|au|aux) (?P<v>.+)", cuts=True, place=True),
    Form(_WORKS, r"je ne travaille plus (?:chez|pour) (?P<v>.+)", no=True, cuts=True),
    Form(_WORKS, r"je travaille(?: maintenant| désormais)? (?:chez|pour) (?P<v>.+)", cuts=True, place=True),
    Form(_JOB, r"je travaille(?: maintenant)? comme (?P<v>.+)", cuts=True),
    Form(_NAME, r"(?:je m'appelle|mon nom est|appelle-moi) (?P<v>.+)", cuts=True),
    Form(_AGE, r"j'ai (?P<v>\d{1,3}) ans"),
    Form(_BORN, r"(?:mon anniversaire est|je suis née? le) (?:le )?(?P<v>.+)"),
    Form(
        "favourite {a}", r"m(?:on|a|es) (?P<a>[^\W\d_][\w' -]{1,40}?) (?:préféré|favori)\w{0,3} (?:est|sont) (?P<v>.+)"
    ),
    # Spanish
    Form(_LIVES, r"(?:yo )?ya no vivo en (?P<v>.+)", no=True, cuts=True),
    Form(_LIVES, r"(?:yo )?(?:vivo|resido)(?: ahora)? en (?P<v>.+)", cuts=True, place=True),
    Form(_LIVES, r"me (?:he mudado|mudé) a (?P<v>.+)", cuts=True, place=True),
    Form(_WORKS, r"ya no trabajo (?:en|para) (?P<v>.+)", no=True, cuts=True),
    Form(_WORKS, r"(?:yo )?trabajo(?: ahora)? (?:en|para) (?P<v>.+)", cuts=True, place=True),
    Form(_JOB, r"(?:yo )?trabajo(?: ahora)? como (?P<v>.+)", cuts=True),
    Form(_NAME, r"(?:me llamo|mi nombre es|llámame) (?P<v>.+)", cuts=True),
    Form(_AGE, r"tengo (?P<v>\d{1,3}) años"),
    Form(_BORN, r"(?:mi cumpleaños es|nací) (?:el )?(?P<v>\d.+)"),
    Form("favourite {a}", r"mis? (?P<a>[^\W\d_][\w' -]{1,40}?) (?:favorit|preferid)\w{1,2} (?:es|son) (?P<v>.+)"),
    # Italian
    Form(_LIVES, r"non (?:vivo|abito) più (?:a|in) (?P<v>.+)", no=True, cuts=True),
    Form(_LIVES, r"(?:io )?(?:vivo|abito)(?: ora| adesso)? (?:a|in) (?P<v>.+)", cuts=True, place=True),
    Form(_LIVES, r"mi sono trasferit[oa] (?:a|in) (?P<v>.+)", cuts=True, place=True),
    Form(_WORKS, r"(?:io )?lavoro(?: ora| adesso)? (?:per|presso) (?P<v>.+)", cuts=True, place=True),
    Form(_NAME, r"(?:mi chiamo|il mio nome è|chiamami) (?P<v>.+)", cuts=True),
    Form(_AGE, r"ho (?P<v>\d{1,3}) anni"),
    Form(
        "favourite {a}",
        r"(?:il mio|la mia|i miei|le mie) (?P<a>[^\W\d_][\w' -]{1,40}?) preferit\w (?:è|sono) (?P<v>.+)",
    ),
    # Portuguese
    Form(_LIVES, r"(?:eu )?(?:já )?não moro mais (?:em|no|na) (?P<v>.+)", no=True, cuts=True),
    Form(_LIVES, r"(?:eu )?(?:moro|vivo)(?: agora)? (?:em|no|na) (?P<v>.+)", cuts=True, place=True),
    Form(_LIVES, r"(?:eu )?(?:me )?mudei(?:-me)? para (?P<v>.+)", cuts=True, place=True),
    Form(_WORKS, r"(?:eu )?trabalho(?: agora)? (?:para|na|no) (?P<v>.+)", cuts=True, place=True),
    Form(_NAME, r"(?:(?:eu )?me chamo|meu nome é|chamo-me) (?P<v>.+)", cuts=True),
    Form(_AGE, r"tenho (?P<v>\d{1,3}) anos"),
    Form(
        "favourite {a}",
        r"(?:o meu|a minha|meus?|minhas?) (?P<a>[^\W\d_][\w' -]{1,40}?) (?:favorit|preferid)\w (?:é|são) (?P<v>.+)",
    ),
)

BOTH_WAYS: Final[tuple[tuple[str, str], ...]] = (
    # What one does or does not: the attribute is the thing itself, its value is yes or no.
    ("likes", r"i (?P<n>don't |do not |no longer |never )?(?:really )?(?:like|love|enjoy) (?P<a>.+)"),
    ("uses", r"i (?P<n>don't |do not |no longer |never |stopped |quit )?(?:use|using) (?P<a>.+)"),
    ("drinks", r"i (?P<n>don't |do not |no longer |never |stopped |quit )?(?:drink|drinking) (?P<a>.+)"),
    ("eats", r"i (?P<n>don't |do not |no longer |never |stopped |quit )?(?:eat|eating) (?P<a>.+)"),
    ("is", rf"i(?: am|'m) (?P<n>not |no longer )?(?:an? )?{_STATE}"),
    ("likes", r"ich mag (?P<a>.+?)(?P<n> nicht(?: mehr)?)?"),
    ("likes", r"(?P<n>je n'aime (?:pas|plus) )(?P<a>.+)"),
    ("likes", r"j'aime (?P<a>.+)"),
    ("likes", r"(?P<n>ya no |no )?me gustan? (?P<a>.+)"),
    ("likes", r"(?P<n>non )?mi (?:piace|piacciono)(?: più)? (?P<a>.+)"),
    ("likes", r"(?:eu )?(?P<n>não )?gosto (?:mais )?d[eoa]s? (?P<a>.+)"),
)

OPENERS: Final = (
    r"(?:(?:actually|now|currently|btw|by the way|fyi|well|so|as of (?:today|now)|these days|nowadays|from now on|"
    r"übrigens|eigentlich|jetzt|en fait|maintenant|en realidad|ahora|in realtà|ora|na verdade|agora),? )*"
)
"""What a sentence may begin with and say the same."""

CLAUSE: Final = (
    r"\s*(?:[,;(–—]|\. |\b(?:and|but|because|since|with|so|now|where|which|who|as|in|last|this|recently|yesterday|"
    r"today|a few|two|three|at the moment|these days|und|letztes|letzten|vor|aber|weil|seit|mit|jetzt|et|mais|avec|"
    r"depuis|maintenant|pero|con|desde|ahora|ma|dal|ora|com|agora)\b(?=\s|$)).*"
)
"""Where the next clause begins."""

NO_PLACE: Final = frozenset(
    "a an the my our your his her their this that home night nights weekends school it ein eine einem einer der die "
    "das dem meinem meiner zuhause un une le la les mon ma chez una el los las mi casa uno il lo mio minha meu um "
    "uma".split()
)
"""With these begins a description and not a name: who lives in a flat may still live in Berlin."""
