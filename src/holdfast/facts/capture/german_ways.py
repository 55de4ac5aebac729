"""How a German clause begins that says how people live together, where they went, what they train for and follow."""

from __future__ import annotations

from typing import Final

from holdfast.facts.capture.german_words import ILL, JOBS, KIN, OFTEN, STYLE, TRAITS, VERBS
from holdfast.facts.capture.speech import NAME, Form
from holdfast.markdown.fact_row import Category

__all__ = ["WAYS"]

_FIRM: Final = (
    r"(?:firma|betrieb|unternehmen|laden|geschäft|startup|studio|agentur|verein|band|bäckerei|café|restaurant|hof|"
    r"praxis|"
    r"schule|club|werkstatt|brauerei|salon|marke|genossenschaft|kanzlei|büro|verlag|gärtnerei|apotheke|chor|stiftung|"
    r"initiative|kita|weingut|gasthof)"
)
_PLACE: Final = (
    rf"(?:{_FIRM}|bibliothek|kurs|besprechung|geschäftsjahr|woche|schicht|heizung|vertrag|mietvertrag|team|gebäude|"
    r"abteilung|fabrik|lager|gemeinde|pfarrei|viertel|kantine|müllabfuhr|training|probe|unterricht|hort|standup|"
    r"meeting)"
)
_SETTLED: Final = (
    r"(?:entschieden|beschlossen|festgelegt|vereinbart|abgemacht|abgestimmt|geeinigt|verabschiedet|ausgemacht|gewählt|"
    r"genehmigt|verworfen)"
)

WAYS: Final = (
    Form(
        "decision",
        Category.DECISION,
        0.7,
        rf"(?:(?:im|in der|auf der|bei der|beim|am|nach der|nach dem) [\w -]{{3,40}}? )(?:wurde|ist|haben (?:wir|"
        rf"sie|alle)) "
        rf".{{0,60}}?{_SETTLED}\b|(?:haben|hab|habe) (?:uns|mich) .{{0,80}}\b{_SETTLED}\b|es wurde "
        rf".{{0,60}}?{_SETTLED}\b|"
        rf"(?:der|die|das|unsere?|meine?) [\w-]*(?:vorstand|ausschuss|verein|leitung|rat|beirat|team|gruppe|"
        rf"versammlung|"
        rf"familie|klasse|band|wg|gremium|chor|gemeinde|mehrheit|fraktion|jury) (?:hat|haben) .{{0,100}}\b{_SETTLED}\b|"
        rf"(?:der|die|das|unsere?|meine?) [\w-]*(?:vorstand|ausschuss|verein|leitung|rat|beirat|team|gruppe|"
        rf"versammlung|familie|klasse|wg|chor|"
        rf"gemeinde|mehrheit) (?:hat|haben) .{{0,80}}\b(?:abgelehnt|abgesagt|verschoben|gewählt|gestrichen|"
        rf"angenommen)\b|"
        rf"[^,:]{{4,100}}, (?:das )?(?:steht|ist (?:fix|beschlossen|entschieden|abgemacht))$|"
        rf"(?:wir|ich) (?:sind|bin) (?:am ende |letztlich |schließlich |jetzt )?bei (?-i:[A-Z])\w+ (?:gelandet|"
        rf"geblieben)\b",
    ),
    Form(
        "project",
        Category.ENTITY,
        0.6,
        rf"unsere? (?:[\w-]+ )?[\w-]+ ist {NAME} {NAME}\b|(?:meine?|unsere?) (?!frage|problem|gott|"
        rf"rat\b)(?:[a-zäöüß-]+ )?[\w-]+(?: "
        rf"[A-Z][\w-]+)?, {NAME}(?: {NAME})?, (?!und\b)\w|"
        rf"(?:meine?|unsere?) (?:[\w-]+ )?{_FIRM},? (?:die |der |das )?{NAME}(?: [\w.&'-]+){{0,3}}?, \w|"
        rf"(?:meine?|unsere?) (?:[\w-]+ ){{0,2}}{KIN}[en]?,? {NAME},? (?:und|&) {NAME}\b,? \w",
    ),
    Form(
        "household",
        Category.FACT,
        0.6,
        r"(?:bei (?:uns|mir)(?: zu ?hause| daheim)?|zu ?hause|daheim|in (?:meiner|unserer) (?:familie|wg)|im haushalt) "
        r"(?:isst|trinkt|raucht|verträgt|mag|spricht|hat|darf|kann|ist|lebt|arbeitet|fährt) (?:keiner|niemand|jeder|"
        r"jede|"
        r"alle|fast (?:keiner|niemand)|kein\w*)\b|(?:keiner|niemand|jeder|alle) (?:bei uns|in (?:meiner|unserer) "
        r"familie|"
        r"von uns) \w|"
        rf"(?:wir|ich) (?:haben|habe|sind|bin|wohnen|leben) (?:[\w-]+ ){{0,5}}?hier (?:oben |unten |draußen )?(?:in|"
        rf"im|am|auf) "
        rf"(?:der |dem |den )?{NAME}|(?:wir|ich) habe?n? hier (?:oben |unten |draußen )?(?:in|im|am|auf) (?:der |"
        rf"dem |den )?"
        rf"{NAME} \w|(?:wir|ich) (?:haben|habe) (?:[\w-]+ ){{0,2}}(?:hartes|kalkiges|weiches|schlechtes) \w|"
        rf"(?:wir|ich) heizen? (?:[\w-]+ ){{0,3}}(?:mit|über) \w|"
        rf"(?:ich|wir) habe?n? (?:die |meine |unsere )?{KIN}\w* (?:[\w-]+ ){{0,3}}?(?:{OFTEN}|im wechsel|wochenweise)",
        weak=True,
    ),
    Form(
        "place or work",
        Category.FACT,
        0.65,
        rf"(?:ich bin|bin ich|bin|wir sind|sind) .{{0,50}}\b(?:nach|in die|ins) (?:{NAME}|\w+) (?:gezogen|umgezogen|"
        rf"ausgewandert|zurückgekehrt|übergesiedelt)\b|(?:ich bin |wir sind )?in {NAME} geboren\b|"
        r"(?:ich )?(?:mache|absolviere) (?:gerade |grad |derzeit |nebenbei ){0,3}(?:eine?n? |meine?n? )?(?:\w+ )?"
        r"(?:\w*ausbildung|lehre|studium|techniker|meister|master|bachelor|abi|abitur|umschulung|fsj|weiterbildung|"
        r"referendariat|promotion|fernstudium)\b|(?:ich )?(?:lerne|büffle|übe|trainiere|bereite mich) (?:gerade |grad |"
        r"derzeit |seit \w+ |momentan ){0,3}(?:für|auf|fürs|für den|für die|für das|aufs|auf den|auf die|auf das) "
        r"(?:die |"
        r"den |das |meine?n? )?(?!morgen|die klausur morgen)\w*(?:examen|prüfung|abitur|abi|führerschein|marathon|"
        r"meister|"
        r"schein|zertifikat|diplom|toefl|ielts|b[12]|c[12]|triathlon)\b",
    ),
    Form(
        "trait",
        Category.FACT,
        0.65,
        rf"{TRAITS} hier\b|als (?:[\w.-]+ ){{0,2}}?(?:rollstuhlfahrer(?:in)?|\w+träger(?:in)?|\w*anfänger(?:in)?|"
        rf"\w*betroffener?|{JOBS}|"
        rf"{TRAITS}) (?:brauche?|habe?|bin|muss|kann|darf|arbeite?|fahre?|esse?|suche?) (?:ich|wir)\b|als "
        rf"(?:[\w.-]+ ){{0,2}}?(?:rollstuhlfahrer(?:in)?|\w+träger(?:in)?|{JOBS}|{TRAITS})$|"
        r"(?:ich bin )?seit (?:den |dem |der |meiner |meinem |über |gut |fast )?(?:\w+ ){0,2}?(?:\d0ern|\w+zigern|"
        r"jahren|"
        r"kindesbeinen|kindheit|jugend|(?:19|20)\d\d|studium|schulzeit|ewigkeiten) (?:ein |eine "
        r")?(?-i:[A-ZÄÖÜ])[\w-]{3,}|"
        rf"(?:meine?|der|die) \w*(?:arzt|ärztin|orthopäd\w+|therapeut\w*|kardiolog\w+|neurolog\w+|internist\w*|hebamme|"
        rf"psychiater\w*),? (?:(?:dr\.?|frau|herr) {NAME},? )?hat (?:bei )?mir .{{2,50}} (?:verschrieben|verordnet|"
        rf"diagnostiziert|festgestellt|verboten|empfohlen)|"
        rf"\w{{3,}}allergie(?=,|$)|(?:ich )?(?:habe|trage) (?:seit [\w ]{{3,15}} )?(?:eine?n? )?(?:künstliche[sn]? "
        rf"\w+|\w*prothese|herzschrittmacher|"
        rf"stent|hörgeräte?|spirale|zahnspange|insulinpumpe|gehhilfe|rollator|notfallset|epipen|{ILL})\b",
    ),
    Form(
        "likes",
        Category.PREFERENCE,
        0.6,
        r"(?!(?:das|dies|es|diese[rs]?|was|wer)\b)[\w' -]{2,40} (?:ist|sind|war|waren) (?:\w+ )?(?:überhaupt |gar |"
        r"echt |"
        r"wirklich |einfach |leider )*(?:nicht|nix|nichts|nie) (?:so |ganz |wirklich |unbedingt |so ganz )?(?:meins|"
        r"mein "
        r"(?:ding|fall|stil|geschmack|bier)|meine (?:welt|sache|richtung)|für mich|was für mich)\b|"
        r"(?:ich )?(?:stehe?|fahre?) (?:\w+ )?(?:total|voll|mega|sehr|extrem|tierisch|ziemlich|eher|mehr)? ?(?:auf|"
        r"ab auf) "
        r"(?!dem|der|die (?:lösung|version)|deine|meine[mr]|einem|einer)\w|"
        r"mit [\w -]{2,30} (?:konnte|kann) ich (?:noch )?(?:nie|nichts|nix|wenig) (?:was |viel )?anfangen|"
        r"(?:ich bin )?(?:ganz |total |völlig |echt )?(?:verrückt nach|versessen auf|süchtig nach|vernarrt in|"
        r"scharf auf) \w|"
        r"(?:ich bin |bin )(?:[\w-]+ ){0,4}?(?-i:[A-ZÄÖÜ])[\w0-9.]*-?(?:fan|anhänger(?:in)?|mitglied|ultra)\b|"
        r"(?!(?:das|dies|es|diese[rs]?|was|wer|die (?:zweite|erste))\b)[\w -]{2,30} (?:kann|mag|esse|ess|trinke?|"
        r"ertrage?|"
        r"vertrage?) ich (?:\w+ )?(?:nicht|kaum|nie|überhaupt nicht|gar nicht)\b|(?:ich )?(?:lese?|höre?|schaue?|"
        r"gucke?|"
        r"trinke?|esse?|spiele?) lieber \w",
        about_things=True,
        weak=True,
    ),
    Form(
        "attribute",
        Category.FACT,
        0.6,
        rf"(?:meine?|unsere?) (?:ganzes? )?(?:team|firma|familie|abteilung) (?:sitzt|ist|arbeitet|wohnt|lebt) in "
        rf"{NAME}|ich mache alles (?:in|mit|über|auf|per) \w|"
        rf"(?:seit (?:\w+ ){{1,2}}jahren |auf einem (?:ohr|auge) )(?:{TRAITS}|trocken|nüchtern|clean|taub|blind|"
        rf"rauchfrei|vegan|\w+los)\b|seit ich .{{3,60}} (?:verzichte|aufgehört habe|wohne|"
        rf"arbeite|lebe|habe|bin)\b|(?:meine?|unsere?) (?:[\w-]+ )?{_PLACE} (?:macht|hat|schließt|öffnet|beginnt|"
        rf"startet|endet|ist|tagt|trifft sich|"
        rf"läuft|wird|dauert|fällt) (?:[\w-]+ ){{0,4}}?(?:{OFTEN}|um \d\w*|ab \d\w*|bis \d\w*|von \d\w*|am \d|im "
        rf"\w+)\b|"
        r"(?:mein|unser|das|dein) (?:[\w-]+ )?(?:back-?end|front-?end|server|system|shop) (?:ist|läuft|wurde|haben "
        r"wir) "
        r"(?:\w+ )?(?:in|mit|auf|unter) (?-i:[A-Z])\w",
        weak=True,
    ),
    Form(
        "answers",
        Category.PREFERENCE,
        0.7,
        r"(?:(?:deine|die|den|das|der) )?(?:antworten?|erklärungen|beispiele|zusammenfassungen|code|kommentare|"
        r"texte?|listen|"
        r"zahlen|daten|uhrzeiten|zeiten|preise|maße|einheiten|mengen|temperaturen|rezepte|mails|variablen)(?: bitte|"
        r" für mich| an mich| bei mir){0,3} "
        r"(?:immer|nur|stets|nie|grundsätzlich|ausschließlich)(?: bitte| nur)? (?:in |mit |ohne |auf |als |im )?\w|"
        rf"(?:bei|für|mit) mir (?:bitte |lieber |immer ){{0,3}}(?:keine?n?|nur|ohne|immer|nie) \w|keine {STYLE} "
        rf"(?:bei|für|mit) "
        rf"mir\b|"
        rf"(?:immer|jedes ?mal),? wenn (?:ich|du) [^,]{{3,60}},? (?:dann )?(?:bitte|{VERBS})\b[\w ,-]{{3,60}}\w",
    ),
)
