"""The sentence forms that say one thing about one subject, as data: for each, what it is about.

A form names an attribute that has one value at a time: who lives in one town does not live in another. In a form, `s`
is the subject (without it, the user), `a` what the attribute is about, `v` its value, `m` what else is said; `no`
marks a form that takes something back. All are anchored, and the sentences that they are tried on are short.
"""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = [
    "BOTH_WAYS",
    "CALLED",
    "CHANGED",
    "CLAUSE",
    "FORMS",
    "IDLE",
    "LIVES",
    "ONE_OF_A_KIND",
    "OPENERS",
    "PROJECT",
    "TOGETHER",
    "WHO",
    "WORKS",
    "Form",
]


class Form(NamedTuple):
    """A sentence form. `cuts` ends the value where the next clause begins.

    `once` marks what happens on a day: a time in it says when, and not that it holds only then.
    `named` wants a subject with a name, or one of which there is one: many lead yoga classes, and one the class team.
    `sure` marks what can only be followed by a value: "I work as" by an occupation, "is called" by a name.
    """

    attribute: str
    pattern: str
    no: bool = False
    cuts: bool = False
    once: bool = False
    named: bool = False
    sure: bool = False


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
    r"e-mail|e-mail address|address|phone number|phone|mobile number|cell number|job|job title|"
    r"employer|company|nationality|native language|mother tongue|"
    r"blood type|height|weight|shoe size|home ?town|wife|husband|partner|spouse|girlfriend|boyfriend|boss|manager|"
    r"mother|mom|mum|father|dad|landlord|doctor|dentist|therapist|accountant|pronouns)"
)
_STATE = r"(?P<a>vegan|vegetarian|smoker|married|single|pregnant|allergic to .+?)"
_LATELY = (
    r"(?:(?:yesterday|today|recently|(?:last|this|earlier this|a) (?:week|month|year|spring|summer|autumn|fall|winter)"
    r"(?: ago)?),? )?"
)
_US = r"(?:i|we|my (?:wife|husband|partner|family|girlfriend|boyfriend) and i)"
WHO = (
    r"(?P<s>(?!(?:i|we|ich|wir|je|nous|on|yo|eu|nós|nosotros|si|se|wenn|if|when|who|quem|quien|qui|wer|where|wo)\b)"
    r"[^\W\d_][\w'-]*(?: [^\W\d_][\w'-]*){0,2}?)"
)
_LEADER = (
    r"(?!(?:my|our|your|his|her|their|the|an?|this|that|these|those|it|he|she|they|we|who|which|what|one|some\w+|every\w+|"
    r"any\w+|nobody)\b)(?P<v>[^\W\d_][\w'.-]*(?: (?!(?:no|not|never|sometimes|often|usually|rarely|and|or|who|that)\b)"
    r"[^\W\d_][\w'.-]*){0,2}?)"
)
_LED = r"(?P<s>(?!(?:to|by|up|from|with|into|on|off|me|us|an?|people|towards?)\b)[^,;]{1,60}?)"
_LED += r"(?: now| again| currently| these days| since .+| as of .+)?"
LIVES, WORKS, CALLED, _LEAD = "lives-in", "works-at", "called", "lead"
_JOB, _NAME, _CALLED, _AGE, _BORN = "works-as", "name", CALLED, "age", "birthday"

FORMS: Final[tuple[Form, ...]] = (
    # English
    Form(LIVES, r"(?:i|we) (?:no longer live|don't live|do not live) in (?P<v>.+)", no=True, cuts=True),
    Form(
        LIVES,
        rf"(?!we\b.* based in ){_US}(?: am| are|'m|'re|'ve been| have been)?(?: now| currently| still)? "
        r"(?:live|living|based|reside|residing) in (?P<v>.+)",
        cuts=True,
    ),
    Form(LIVES, r"my home is (?:now )?in (?P<v>.+)", cuts=True),
    Form(
        LIVES,
        rf"{_LATELY}{_US}(?:'ve| have)?(?: just| recently)? (?:moved|relocated)(?: back)? "
        r"(?:from (?P<m>.+?) )?(?:back )?to (?P<v>.+)",
        cuts=True,
        once=True,
    ),
    Form(WORKS, r"i (?:no longer work|don't work|do not work) (?:at|for) (?P<v>.+)", no=True, cuts=True),
    Form(
        WORKS,
        r"i(?: am|'m|'ve been| have been)?(?: now| currently| still)? "
        r"(?:work|working|employed) (?:at|for|by) (?P<v>.+)",
        cuts=True,
    ),
    Form(
        WORKS, r"i(?:'ve| have)?(?: just)? started (?:working |a new job )?(?:at|for) (?P<v>.+)", cuts=True, once=True
    ),
    Form(
        _JOB,
        r"i(?: am|'m)?(?: now| currently| still)? (?:work|working|employed) as (?P<v>.+)",
        cuts=True,
        sure=True,
    ),
    Form(_NAME, r"(?:my name is|my name's|i am called|i'm called) (?P<v>.+)", cuts=True),
    Form(_CALLED, r"(?:please )?(?:call me|i go by) (?P<v>.+)", cuts=True),
    Form(_AGE, r"i(?: am|'m)(?: now)? (?P<v>\d{1,3})(?: years old)?"),
    Form(_AGE, r"i(?:'ve| have)?(?: just)? turned (?P<v>\d{1,3})(?: today| yesterday| last (?:week|month))?"),
    Form(_BORN, r"(?:i was born on|my birthday is(?: on)?|my birthday's(?: on)?) (?P<v>.+)"),
    Form("favourite {a}", rf"my (?:favou?rite|preferred|go-to) {_FAVOURITE} (?:is|are) (?:now )?(?P<v>.+)"),
    Form(
        "favourite {a}",
        rf"(?P<v>[^\W_].{{0,60}}?) (?:is|are) (?:now )?my (?:favou?rite|preferred|go-to) {_FAVOURITE}",
    ),
    Form("favourite {a}", rf"i (?:now )?prefer (?P<v>[^\W_].{{0,60}}?) as (?:my |an? |the )?{_FAVOURITE}"),
    Form("{a}", rf"my (?:new )?{_MINE}(?:'s name is| is (?:now )?(?:called|named)) (?P<v>.+)", cuts=True, sure=True),
    Form("{a}", rf"my (?:new )?{_MINE} is (?:now )?(?P<v>.+)", cuts=True),
    Form("weight", r"i(?: now)? weigh (?P<v>\d.*)", cuts=True),
    Form(
        "height", r"i(?: am|'m) (?P<v>\d{3} ?cm|[12][.,]\d\d? ?(?:m|met(?:er|re)s)|\d ?(?:'|f(?:ee|oo)?t).*?)(?: tall)?"
    ),
    Form(
        "{a}",
        r"my (?P<a>(?:default|current|main|primary|usual) [^\W\d_][\w' -]{1,40}?) "
        r"(?:is|are) (?:now )?(?P<v>.+)",
    ),
    Form("{a}", rf"(?P<v>[^\W\d_].{{0,60}}?) is (?:now )?the (?:new )?{_ROLE} (?:of|for|on) (?:the )?(?P<s>.+)"),
    Form("{a}", rf"(?:the )?(?:new )?{_THING} (?:of|for|on) (?:the )?(?P<s>.+?) is (?:now )?(?:on |set to )?(?P<v>.+)"),
    Form(_LEAD, r"(?P<s>[^\W\d_].{0,60}?) is (?:now )?led by (?P<v>.+)"),
    Form(_LEAD, rf"{_LEADER} (?:no longer leads|doesn't lead|does not lead) {_LED}", no=True, named=True),
    Form(_LEAD, rf"{_LEADER}(?: now| currently| also| still)? (?:leads|is (?:now )?leading) {_LED}", named=True),
    Form(_LEAD, rf"(?P<v>i)(?: am|'m)?(?: now| currently| also| still)? (?:lead|leading) {_LED}", named=True),
    Form(
        _LEAD,
        rf"{_LEADER} (?:dirige|lidera|pilote|guida)(?: maintenant| désormais| ahora| ora| agora)? (?:le |el |il |o )?"
        r"(?P<s>(?:projet|proyecto|progetto|projeto) [^,;]{1,60})",
    ),
    Form(
        "{a}",
        r"(?P<s>[^\W\d_][\w .-]{0,40})'s (?P<a>deadline|due date|launch date|release date|start date) is (?:now )?"
        r"(?:on )?(?P<v>.+)",
    ),
    Form("birthday", r"(?P<s>[^\W\d_][\w .-]{0,40})'s birthday is (?:on )?(?P<v>.+)"),
    Form(LIVES, rf"{WHO} (?:no longer lives|doesn't live|does not live) in (?P<v>.+)", no=True, cuts=True),
    Form(LIVES, rf"{WHO}(?: now)? (?:lives|is living) in (?P<v>.+)", cuts=True),
    Form(
        LIVES,
        rf"{_LATELY}{WHO}(?: has)?(?: just| recently)? moved(?: back)? (?:from (?P<m>.+?) )?to (?P<v>.+)",
        cuts=True,
        once=True,
    ),
    Form(WORKS, rf"{WHO} works (?:at|for) (?P<v>.+)", cuts=True),
    Form(
        "version of {a}",
        r"(?P<s>[^\W\d_][\w' -]{0,60}?) (?:uses|use|runs|run|is on|are on) (?P<a>[^\W\d_][\w.#+-]*) v?(?P<v>\d[\w.]*)",
    ),
    Form(
        "uses for {a}",
        r"(?:we|the team) (?:decided to use|chose|picked|settled on|will use|use) (?P<v>.+?) for (?P<a>.+)",
    ),
    # German
    Form(LIVES, r"ich (?:wohne|lebe) nicht mehr in (?P<v>.+)", no=True, cuts=True),
    Form(
        LIVES,
        r"(?:ich (?:wohne|lebe)|(?:wohne|lebe) ich)(?: jetzt| nun| inzwischen| mittlerweile| derzeit)? in (?P<v>.+)",
        cuts=True,
    ),
    Form(
        LIVES,
        r"(?:ich bin|bin ich)(?: jetzt| gerade| kürzlich| im \w+)? (?:von (?P<m>.+?) )?nach (?P<v>.+?) (?:um)?gezogen",
        once=True,
    ),
    Form(LIVES, r"mein wohnort ist(?: jetzt)? (?P<v>.+)", cuts=True),
    Form(WORKS, r"ich arbeite nicht mehr (?:bei|für) (?P<v>.+)", no=True, cuts=True),
    Form(
        WORKS,
        r"(?:ich arbeite|arbeite ich)(?: jetzt| nun| inzwischen)? (?:bei|für) (?P<v>.+)",
        cuts=True,
    ),
    Form(WORKS, r"ich bin(?: jetzt)? bei (?P<v>.+?) angestellt"),
    Form(WORKS, r"mein arbeitgeber ist(?: jetzt)? (?P<v>.+)", cuts=True),
    Form(_JOB, r"(?:ich arbeite|arbeite ich)(?: jetzt| nun)? als (?P<v>.+)", cuts=True, sure=True),
    Form(_JOB, r"ich bin (?P<v>.+?) von beruf", sure=True),
    Form(_JOB, r"mein beruf ist (?P<v>.+)", cuts=True),
    Form(_NAME, r"(?:ich heiße|ich heisse|mein name ist) (?P<v>.+)", cuts=True),
    Form(_CALLED, r"(?:bitte )?nenn(?:t|en sie)? mich (?:bitte )?(?P<v>.+)", cuts=True),
    Form(_AGE, r"ich bin (?P<v>\d{1,3}) jahre alt"),
    Form(_BORN, r"(?:mein geburtstag ist(?: am)?|ich bin am) (?P<v>.+?)(?: geboren)?"),
    Form("favourite {a}", r"mein(?:e|er)? lieblings-?(?P<a>[^\W\d_][\w-]{1,40}?) (?:ist|sind) (?:jetzt )?(?P<v>.+)"),
    Form("favourite {a}", r"(?P<v>[^\W_].{0,60}?) ist (?:jetzt )?mein(?:e|er)? lieblings-?(?P<a>[^\W\d_][\w-]{1,40})"),
    Form("favourite {a}", r"mein(?:e)? bevorzugter? (?P<a>[^\W\d_][\w-]{1,40}) ist (?:jetzt )?(?P<v>.+)"),
    Form(
        "favourite {a}",
        r"ich bevorzuge (?P<v>[^\W_].{0,60}?) als (?:meinen? |eine[nm]? )?(?P<a>[^\W\d_][\w-]{1,40})",
    ),
    Form(_LEAD, r"(?P<v>[^\W\d_].{0,60}?) leitet (?:jetzt |nun )?(?:das |die |den )?(?P<s>.+)"),
    # French
    Form(LIVES, r"je n'habite plus (?:à|en|au|aux) (?P<v>.+)", no=True, cuts=True),
    Form(
        LIVES,
        r"(?:j'habite|je vis|je réside)(?: maintenant| désormais)? (?:à|en|au|aux) (?P<v>.+)",
        cuts=True,
    ),
    Form(
        LIVES,
        r"(?:j'ai|je viens de|je me suis)(?: récemment)? (?:déménagée?|emménagée?|déménager|emménager|installée?) "
        r"(?:de (?P<m>.+?) )?(?:à|en|au|aux) (?P<v>.+)",
        cuts=True,
        once=True,
    ),
    Form(WORKS, r"je ne travaille plus (?:chez|pour) (?P<v>.+)", no=True, cuts=True),
    Form(WORKS, r"je travaille(?: maintenant| désormais)? (?:chez|pour) (?P<v>.+)", cuts=True),
    Form(WORKS, r"je suis employée? (?:chez|par) (?P<v>.+)", cuts=True),
    Form(WORKS, r"mon employeur est(?: maintenant)? (?P<v>.+)", cuts=True),
    Form(_JOB, r"je travaille(?: maintenant)? (?:comme|en tant que) (?P<v>.+)", cuts=True, sure=True),
    Form(_JOB, r"mon métier est (?P<v>.+)", cuts=True),
    Form(_NAME, r"(?:je m'appelle|mon nom est) (?P<v>.+)", cuts=True),
    Form(_CALLED, r"appelle(?:z)?-moi (?P<v>.+)", cuts=True),
    Form(_AGE, r"j'ai (?P<v>\d{1,3}) ans"),
    Form(_BORN, r"(?:mon anniversaire est|je suis née? le) (?:le )?(?P<v>.+)"),
    Form(
        "favourite {a}", r"m(?:on|a|es) (?P<a>[^\W\d_][\w' -]{1,40}?) (?:préféré|favori)\w{0,3} (?:est|sont) (?P<v>.+)"
    ),
    Form(
        "favourite {a}",
        r"(?P<v>[^\W_].{0,60}?) est (?:maintenant )?m(?:on|a) (?P<a>[^\W\d_][\w' -]{1,40}?) (?:préféré|favori)\w{0,3}",
    ),
    Form("favourite {a}", r"je préfère (?P<v>[^\W_].{0,60}?) comme (?:mon |ma )?(?P<a>[^\W\d_][\w' -]{1,40})"),
    # Spanish
    Form(LIVES, r"ya no vivo en (?P<v>.+)", no=True, cuts=True),
    Form(LIVES, r"(?:vivo|resido)(?: ahora)? en (?P<v>.+)", cuts=True),
    Form(LIVES, r"estoy viviendo(?: ahora)? en (?P<v>.+)", cuts=True),
    Form(
        LIVES,
        r"me (?:he mudado|mudé|he trasladado|trasladé) (?:de (?P<m>.+?) )?a (?P<v>.+)",
        cuts=True,
        once=True,
    ),
    Form(WORKS, r"ya no trabajo (?:en|para) (?P<v>.+)", no=True, cuts=True),
    Form(WORKS, r"trabajo(?: ahora)? (?:en|para) (?P<v>.+)", cuts=True),
    Form(_JOB, r"trabajo(?: ahora)? como (?P<v>.+)", cuts=True, sure=True),
    Form(_NAME, r"(?:me llamo|mi nombre es) (?P<v>.+)", cuts=True),
    Form(_CALLED, r"llámame (?P<v>.+)", cuts=True),
    Form(_AGE, r"tengo (?P<v>\d{1,3}) años"),
    Form(_BORN, r"(?:mi cumpleaños es|nací) (?:el )?(?P<v>\d.+)"),
    Form("favourite {a}", r"mis? (?P<a>[^\W\d_][\w' -]{1,40}?) (?:favorit|preferid)\w{1,2} (?:es|son) (?P<v>.+)"),
    Form(
        "favourite {a}",
        r"(?P<v>[^\W_].{0,60}?) es (?:ahora )?mi (?P<a>[^\W\d_][\w' -]{1,40}?) (?:favorit|preferid)[oa]",
    ),
    Form("favourite {a}", r"prefiero (?P<v>[^\W_].{0,60}?) como (?:mi )?(?P<a>[^\W\d_][\w' -]{1,40})"),
    # Italian
    Form(LIVES, r"non (?:vivo|abito) più (?:a|in) (?P<v>.+)", no=True, cuts=True),
    Form(LIVES, r"(?:vivo|abito)(?: ora| adesso)? (?:a|in) (?P<v>.+)", cuts=True),
    Form(LIVES, r"mi sono trasferit[oa] (?:a|in) (?P<v>.+)", cuts=True, once=True),
    Form(WORKS, r"lavoro(?: ora| adesso)? (?:per|presso) (?P<v>.+)", cuts=True),
    Form(_NAME, r"(?:mi chiamo|il mio nome è) (?P<v>.+)", cuts=True),
    Form(_CALLED, r"chiamami (?P<v>.+)", cuts=True),
    Form(_AGE, r"ho (?P<v>\d{1,3}) anni"),
    Form(
        "favourite {a}",
        r"(?:il mio|la mia|i miei|le mie) (?P<a>[^\W\d_][\w' -]{1,40}?) preferit\w (?:è|sono) (?P<v>.+)",
    ),
    # Portuguese
    Form(LIVES, r"(?:já )?não (?:moro|vivo)(?: mais)? (?:em|no|na) (?P<v>.+)", no=True, cuts=True),
    Form(LIVES, r"(?:moro|vivo|resido)(?: agora)? (?:em|no|na) (?P<v>.+)", cuts=True),
    Form(LIVES, r"estou (?:morando|a morar|vivendo|a viver)(?: agora)? (?:em|no|na) (?P<v>.+)", cuts=True),
    Form(LIVES, r"(?:me )?mudei(?:-me)? (?:de (?P<m>.+?) )?para (?P<v>.+)", cuts=True, once=True),
    Form(WORKS, r"(?:já )?não trabalho(?: mais)? (?:em|para|na|no) (?P<v>.+)", no=True, cuts=True),
    Form(WORKS, r"trabalho(?: agora)? (?:em|para|na|no) (?P<v>.+)", cuts=True),
    Form(_JOB, r"trabalho(?: agora)? como (?P<v>.+)", cuts=True, sure=True),
    Form(_BORN, r"(?:o )?meu aniversário é (?:em |no dia |dia )?(?P<v>\d.+)"),
    Form(_NAME, r"(?:me chamo|(?:o )?meu nome é|chamo-me) (?P<v>.+)", cuts=True),
    Form(_CALLED, r"(?:me chame|chame-me|chama-me)(?: de)? (?P<v>.+)", cuts=True),
    Form(_AGE, r"tenho (?P<v>\d{1,3}) anos"),
    Form(
        "favourite {a}",
        r"(?:o meu|a minha|meus?|minhas?) (?P<a>[^\W\d_][\w' -]{1,40}?) (?:favorit|preferid)\w (?:é|são) (?P<v>.+)",
    ),
    Form(
        "favourite {a}",
        r"(?P<v>[^\W_].{0,60}?) é (?:agora )?(?:o meu|a minha|meu|minha) (?P<a>[^\W\d_][\w' -]{1,40}?) "
        r"(?:favorit|preferid)[oa]",
    ),
    Form("favourite {a}", r"prefiro (?P<v>[^\W_].{0,60}?) como (?:o meu |meu |minha )?(?P<a>[^\W\d_][\w' -]{1,40})"),
)

_MORE = r"(?: any ?more)?"
BOTH_WAYS: Final[tuple[tuple[str, str], ...]] = (
    # What one does or does not: the attribute is the thing itself, its value is yes or no.
    ("likes", rf"i (?P<n>don't |do not |no longer |never )?(?:really )?(?:like|love|enjoy) (?P<a>.+?){_MORE}"),
    ("uses", rf"i (?P<n>don't |do not |no longer |never |stopped |quit )?(?:use|using) (?P<a>.+?){_MORE}"),
    ("drinks", rf"i (?P<n>don't |do not |no longer |never |stopped |quit )?(?:drink|drinking) (?P<a>.+?){_MORE}"),
    ("eats", rf"i (?P<n>don't |do not |no longer |never |stopped |quit )?(?:eat|eating) (?P<a>.+?){_MORE}"),
    ("does", rf"i (?P<n>don't |do not |no longer |never )?(?P<a>smoke){_MORE}"),
    ("is", rf"i(?: am|'m) (?P<n>not |no longer )?(?:an? )?{_STATE}{_MORE}"),
    ("likes", r"ich mag (?P<n>keine?n? )(?P<a>.+?)(?: mehr)?"),
    ("likes", r"ich mag (?P<a>.+?)(?P<n> nicht(?: mehr)?)?"),
    ("likes", r"(?P<n>je n'aime (?:pas|plus) )(?P<a>.+)"),
    ("likes", r"j'aime (?P<a>.+)"),
    ("likes", r"(?P<n>ya no |no )?me gustan? (?P<a>.+)"),
    ("likes", r"(?P<n>non )?mi (?:piace|piacciono)(?: più)? (?P<a>.+)"),
    ("likes", r"(?P<n>(?:já )?não )?gosto (?:mais )?d[eoa]s? (?P<a>.+)"),
)

OPENERS: Final = (
    r"(?:(?:actually|now|currently|btw|by the way|fyi|well|so|as of (?:today|now)|these days|nowadays|from now on|"
    r"übrigens|eigentlich|jetzt|inzwischen|mittlerweile|aktuell|en fait|maintenant|désormais|actuellement|en realidad|"
    r"ahora|actualmente|in realtà|ora|na verdade|agora|atualmente),? |"
    r"(?:small )?(?:correction|update|korrektur|berichtigung|rectification|corrección|actualización|correção|"
    r"atualização) ?: )*"
)
"""What a sentence may begin with and say the same."""

PROJECT: Final = (
    r"(?:project|projekt|projet|proyecto|progetto|projeto) (?=\S)|(?<=\S)(?: |-)(?:project|projekt|projet|proyecto|"
    r"progetto|projeto)$"
)
"""What may stand beside the name of a project and names the same."""

ONE_OF_A_KIND: Final = (
    r".+ (?:project|team|group|department|squad|guild|chapter|programme|program|initiative|committee|division|unit)"
)
"""What there is one of, whatever the letters that it is written with."""

CLAUSE: Final = (
    r"(?<!\s)\s*(?:[;–—]|[,(](?!\d)|(?<!\bdr)(?<!\bmr)(?<!\bms)(?<!\bst)(?<!\bmrs)(?<!\bprof)\. |"
    r"\b(?:and|but|because|since|with|so|now|where|which|who|as|in|last|this|recently|yesterday|"
    r"today|a few|two|three|at the moment|these days|und|letztes|letzten|vor|aber|weil|seit|mit|jetzt|et|mais|avec|"
    r"depuis|maintenant|pero|con|desde|ahora|ma|dal|ora|com|agora)\b(?=\s|$)).*"
)
"""Where the next clause begins."""

CHANGED: Final = (
    r"\b(?:now|no longer|any ?more|instead|jetzt|nun|inzwischen|mittlerweile|neuerdings|nicht mehr|maintenant|"
    r"désormais|ahora|ya no|ora|adesso|agora|já não)\b"
)
"""What says that it was otherwise before."""

TOGETHER: Final = r"(?:\w+ \w+,? )?(?:we|wir|nous|on|nos|nosotros|nós|vivimos|moramos|vivemos)\b"
"""With these begins what several do."""

IDLE: Final = (
    r"^(?:now|these days|at the moment|recently|jetzt|inzwischen|maintenant|désormais|en ce moment|ahora|ora|adesso|"
    r"agora)$"
)
"""A clause that says nothing more than that it is so."""
