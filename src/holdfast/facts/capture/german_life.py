"""How a German clause begins that says how somebody lives: tastes, times, places, things, wishes about answers."""

from __future__ import annotations

from typing import Final

from holdfast.facts.capture.english_words import PLATFORMS
from holdfast.facts.capture.german_phrases import ADVERBS, HEAD, HERE
from holdfast.facts.capture.german_words import (
    LACKED,
    LIVES,
    NO_HABIT,
    NOT_LASTING,
    OFTEN,
    OWN_LIST,
    OWNED,
    STYLE,
    VERBS,
)
from holdfast.facts.capture.speech import Form
from holdfast.markdown.fact_row import Category

__all__ = ["LIFE"]

LIFE: Final = (
    Form(
        "likes",
        Category.PREFERENCE,
        0.6,
        rf"ich {ADVERBS}(?:bevorzuge?|präferiere|mag|liebe?|hasse?|verabscheue|vermeide|meide|"
        rf"genieße) (?:{ADVERBS})|"
        r"ich kann .{2,80}\b(?:nicht|gar nicht) (?:leiden|ausstehen|ab|riechen|vertragen)|ich (?:stehe|"
        r"steh) (?:nicht |total |"
        r"voll )?auf |(?:ich bin )?(?:kein |ein |gar kein )?(?:großer |riesen)?fan von |"
        r"ich vertrage (?:\w+ )?(?:keine?n?|nicht)\b|"
        r"ich vertrage \w+ nicht|mir (?:schmeckt|schmecken) |hasse? (?!ich\b)\w|"
        r"ich habe (?:\w+ ){0,2}angst vor (?!de[mrn] (?:\w+ )?"
        r"(?:prüfung|termin|test))|[\w-]+ schmeckt (?:für mich|mir) (?:nach|nicht|wie|gar)|ich finde \w+ (?:eklig|"
        r"schrecklich|furchtbar|widerlich)|ich (?:will|möchte) (?:nie|immer) |"
        r"[\w -]{2,30} (?:gehen?|geht) (?:bei mir )?gar nicht|(?:mit|vor) [\w-]+ (?:(?:kann man|kannst du|"
        r"könnt ihr) mich jagen|ekle? ich mich|graut(?:'s| es)? mir)|[\w -]{2,30} (?:ist|sind) mir zuwider|"
        r"ich habe (?:\w+ )?(?:eine vorliebe|eine schwäche|eine abneigung)|(?:ich bin )?(?:nicht so|kein|eher|"
        r"mehr) (?:der |die |ein )?[\w-]+(?:typ|mensch|trinker|esser|fan|freund)\b",
        about_things=True,
        weak=True,
    ),
    Form(
        "diet",
        Category.PREFERENCE,
        0.6,
        r"(?:ich |wir )?essen? (?:[\w-]+ ){0,4}?(?:halal|koscher|vegan|vegetarisch|kein\w*|nur|glutenfrei|low ?carb|"
        r"nie|gerne?|"
        r"lieber|nichts|zuckerfrei|laktosefrei)\b|(?:ich |wir )?trinken? (?:[\w-]+ ){0,2}?(?:kein\w*|nur|nie|gerne?|"
        r"lieber)\b|"
        r"(?:ich|wir) (?:ernähren?|leben?) (?:mich|uns)? ?(?:rein |streng )?(?:vegan|vegetarisch|halal|koscher|"
        r"ketogen|low)\b|"
        r"(?:ich|wir) (?:essen?|trinken?|kochen?|kaufen?) (?:[\w-]+ ){0,8}(?:nicht mehr|nie|niemals|immer)\b",
        about_things=True,
    ),
    Form(
        "schedule",
        Category.FACT,
        0.6,
        rf"(?:ich|wir) habe?n? (?!{NOT_LASTING}\b)(?:[\w-]+ ){{0,6}}?{OFTEN}\b|(?:ich|wir) habe?n? {OFTEN} |"
        r"(?:ich|wir) (?!bekomm|krieg|seh|versuch|hab|bin|war|muss|kann|will|verlier|vergess|brauch|such|glaub|ess|"
        r"trink|rauch)\w+ "
        rf"(?:[\w-]+ ){{0,5}}?{OFTEN}\b|{HEAD} (?!ist|sagt|meint|will)\w+ (?:[\w-]+ ){{0,4}}?{OFTEN}\b|"
        rf"(?:ich|wir) (?:arbeiten?|unterrichten?|trainieren?|bin|sind) (?:[\w-]+ ){{0,5}}?{OFTEN}|"
        rf"ich arbeite (?:im schichtdienst|"
        r"schicht|nachts|teilzeit|halbtags|von zu ?hause|vier tage)|ich (?:fange|höre) (?:\w+ ){0,5}um \d|(?:ich|"
        r"wir) habe?n? "
        r"(?:im \w+ |am \S+ (?:\w+ )?)?(?:geburtstag|hochzeitstag|prüfung|abgabe)\b",
        about_things=True,
    ),
    Form(
        "habit",
        Category.PREFERENCE,
        0.55,
        r"ich (?:esse?|trinke?|rauche?|benutze?|verwende|nutze?|nehme?|schreibe?|lese?|kaufe?|fahre?|fliege?|"
        r"trage?|koche?|schaue?|höre?|stehe?|jogge?|reise?|laufe?|gehe?|schlafe?|zahle?) "
        r"(?:[\w-]+ ){0,3}(?:jeden (?:tag|morgen|abend|\w+tag)|täglich|jede woche|nie|niemals|immer|meistens|"
        r"meist|gern|gerne|lieber|am liebsten|keine?n?|nicht mehr|ungern|nur|normalerweise|grundsätzlich|"
        r"ausschließlich|"
        r"nichts mit|um \d|um halb|unter der woche)\b|"
        r"ich habe (?:\w+ ){0,3}(?:aufgehört|angefangen|begonnen) zu ",
        about_things=True,
        weak=True,
    ),
    Form(
        "place or work",
        Category.FACT,
        0.65,
        rf"wir (?:wohnen|leben) {ADVERBS}(?:in|im|am|auf|bei|mit|zu|zur|nahe|an)\b|wir mieten\b|"
        r"(?:ich|wir) habe?n? (?:mir |uns )?(?:gerade |grad |jetzt |frisch |letzt\w+ \w+ ){0,4}(?:eine?n?|"
        r"unsere?n?) (?:\w+ )?(?:\w*(?:wohnung|haus|hof|garten|boot|auto|wagen|laden|grundstück|hund|katze)).{0,30} "
        r"(?:gekauft|geholt|geerbt|adoptiert|gemietet)|ich (?:mache|eröffne|gründe) (?:[\w-]+ ){0,4}eigene[nrs]? \w|"
        r"ich gebe (?:[\w-]+ ){0,2}?\w*(?:unterricht|nachhilfe|kurse|stunden)\b|"
        r"ich mache (?:[\w-]+ ){0,3}?(?:das )?(?:abi|abitur|fachabi|matura|abschluss|führerschein)\b|ich (?:bekomme|"
        r"beziehe|erhalte|kriege) (?:[\w-]+ )?(?:bürgergeld|rente|bafög|elterngeld|arbeitslosengeld|alg|"
        r"wohngeld|pflegegeld|grundsicherung|unterhalt|erwerbsminderungsrente)\b|ich (?:schreibe|arbeite) (?:gerade |"
        r"grad )?an (?:meiner?|einem|einer) |ich fahre rollstuhl|ich lerne (?:gerade |grad |seit \w+ |derzeit ){0,4}"
        r"(?-i:[A-Z])\w+(?! (?:aus|auswendig))|ich (?:mache|absolviere) (?:gerade |grad |derzeit |"
        r"nebenbei ){0,4}(?:meinen?|eine?n?) (?:\w+)?(?:ausbildung|lehre|studium|techniker|meister|master|bachelor|"
        r"abi|"
        r"abitur|führerschein|umschulung|fsj|praktikum|weiterbildung|doktor|referendariat|kurs|diät)\b|"
        rf"(?:ich|wir) habe?n? (?:[\w-]+ ){{0,4}}keine?n? {LACKED}\b|"
        rf"(?:ich )?(?:wohne|lebe(?! in der hoffnung)|arbeite|studiere|unterrichte|forsche|promoviere|schaffe|jobbe|"
        rf"lehre) {ADVERBS}(?:in|im|bei|bi|"
        rf"beim|als|für|an|am|aus|seit|mit|auf|von|nahe|nachts|halbtags|teilzeit|remote|allein|alleine|zusammen|"
        rf"informatik|medizin|"
        r"jura|bwl|lehramt|\w+bau|\w+wissenschaft\w*|[a-zäöü]+ologie|physik|mathe\w*|chemie|germanistik|anglistik|"
        r"architektur)\b"
        r"(?! (?:diese[rmn]?|einem? (?:skript|problem|bug))\b)|"
        r"(?:ich bin|bin ich|wir sind) .{0,60}\b(?:gezogen|umgezogen|gewechselt|ausgewandert)$|"
        r"(?:ich bin|bin ich) (?:jetzt |nun )?(?:bei (?!kapitel|seite|folge|level|punkt|schritt|aufgabe|frage|dir|"
        r"euch|\d|ein|der (?:sache|arbeit))|umgezogen |in rente )|(?:ich mache|ich bin in) (?:gerade |grad |"
        r"derzeit )?(?:eine|"
        r"meine|der|einer|ein|meinen) (?:\w+ )?(?:ausbildung|lehre|umschulung|fsj|referendariat|meister|"
        r"weiterbildung|elternzeit)",
        about_things=True,
    ),
    Form(
        "belonging",
        Category.FACT,
        0.6,
        rf"(?:ich |wir )?habe?n? (?!ich\b)(?!.* (?-i:(?:ge|ver|be|er|an|aus|ab|auf|ein)[a-zäöüß]+(?:t|"
        rf"en)$))(?:daheim |zuhause |zu hause |übrigens |selbst |ja )?(?:[\w.-]+ ){{0,4}}?{OWNED}\b"
        r"(?! (?:mit|von) \d+ (?:einträg|element|zeile))|"
        r"ich habe? (?:[\w-]+ ){0,3}jahre(?: lang)? (?:berufs)?erfahrung\b|ich habe am .{2,30} geburtstag|"
        r"ich am .{2,30} geburtstag habe|ich (?:besitze|fahre) (?:eine?n?|die|den|das) |"
        r"mein(?:e)? (?:beruf|job|hobby|wohnort|alter): \w|"
        rf"(?:ich|wir) habe?n? (?:eine?n?|nur eine?n?|unsere?n?|"
        rf"meine?n? eigene?n?) (?!{NOT_LASTING}\b)(?:(?!{NOT_LASTING}\b)[\w.-]+ )"
        rf"{{0,2}}(?!{NOT_LASTING}\b)(?-i:[A-ZÄÖÜ])[\w-]+(?! .*\b(?:bekommen|gesehen|gemacht|gehört|gefunden|"
        rf"geschrieben|gelesen|versucht|probiert|"
        rf"verloren|vergessen|bestellt|geschenkt|übrig)\b)|(?:ich|wir) habe?n? (?:mir |uns )?(?:eine?n?|unsere?n?|"
        rf"meine?n?) .{{3,60}} (?:gekauft|geholt|zugelegt|angeschafft|geerbt|adoptiert|gebaut|gegründet)$|"
        rf"(?:ich|wir) {LIVES}n?(?= |$|,)(?! (?:mit dem|gegen|hier|das|noch|damit|daran|es)\b)|wir (?:fahren|"
        rf"besitzen|halten|"
        r"vermieten|züchten|sammeln|betreiben) (?:eine?n?|zwei|drei|hühner|bienen|ziegen|schafe) ",
        about_things=True,
        weak=True,
    ),
    Form(
        "attribute",
        Category.FACT,
        0.65,
        r"mein(?:e)? (?:[\w-]+isch|niveau) ist (?:so |etwa |ungefähr |eher |noch ){0,4}(?:auf |bei )?[abc][12]|"
        r"mein(?:e)? (?:schichten?|arbeitszeiten|"
        r"dienste?|kurse?|vertrag|mietvertrag|schule) (?:wechseln?|rotieren|beginn\w*|end\w*|läuft|laufen|geht|sind|"
        r"ist) |(?:meine?|unsere?) (?!problem|frage|"
        r"kopf|handy|akku|code|ziel|plan|chef|meinung|tipp|vorschlag|idee|fehler|skript|test|text|entwurf|antwort|"
        r"punkt|traum|wunsch|flug|zug)"
        r"(?:\w+ )?\w+ ist (?:eine? (?!\w*(?:katastrophe|chaos|witz|problem|albtraum|traum|idiot))|"
        r"(?-i:[A-ZÄÖÜ])\w+ |aus |von \d|\d+(?! ?%))|"
        r"(?:meine?|unsere?) [\w-]+ (?:besteht aus|basiert auf|läuft (?:auf|mit|unter)) |bei uns (?:isst|trinkt|"
        r"raucht|spricht|redet) (?:keiner|niemand|jeder|man|jede) |(?:bei uns|sonntags|montags|dienstags|mittwochs|"
        r"donnerstags|freitags|samstags|abends|bei mir) (?:[\w-]+ ){0,4}?(?:gibt es|läuft|geht|ist|sind|wird|"
        r"habe?n?|gilt) (?!das|es|gerade|grad|heute)|(?:[\w-]+ ){1,4}(?:ist|läuft|wird|gibt es|sind|"
        r"kommt) bei (?:uns|mir) |"
        rf"(?:meine?|unsere?) (?:neue[rs]? |private |aktuelle |alte[rs]? )?{OWN_LIST} (?:für \w+ |fürs \w+ )?(?:ist|"
        rf"lautet|sind|liegt|"
        rf"beträgt|hat|geht)(?: jetzt| bei| am| bis| von| etwa| ca\.?)? "
        r"(?!nicht |kaputt|langsam|zu |weg|leer|voll|gut|schlecht|alle|offen|heute|gerade|grad|total|echt|so |sehr |"
        r"undicht|laut|noch |nur noch|\d+ ?%|gleich|bald)",
    ),
    Form(
        "tools",
        Category.FACT,
        0.6,
        rf"ich (?:benutze|verwende|nutze) {HERE}(?!eine?n? )|ich (?:bin auf|sitze an|arbeite (?:hier )?(?:mit|auf|"
        rf"unter|an)|programmiere (?:in|mit)|entwickle "
        rf"(?:in|mit|auf)|habe) {PLATFORMS}|ich (?:programmiere|code|entwickle) (?:[\w-]+ ){{0,2}}in \w|"
        r"wir (?:verwenden|benutzen|nutzen|deployen|hosten|entwickeln|betreiben|releasen|veröffentlichen|"
        rf"arbeiten mit|setzen auf|programmieren|speichern) {HERE}|"
        r"(?:unsere?n?|das|mein) (?:[\w-]+ ){0,2}(?:projekt|backend|frontend|datenbank|server|team|firma|app|"
        r"api|website|webseite|repo|repository|cluster|pipeline|code|software|produkt|hauptbranch|stack|dienst|seite|"
        r"büro) "
        r"(?:läuft (?:auf|in|mit|unter)|verwendet|nutzt|benutzt|basiert auf|liegt (?:auf|in|bei)|heißt|"
        r"ist in .{1,30} geschrieben|ist (?:auf|bei) |beginnt|startet|besteht aus|sitzt in) ",
        about_things=True,
        weak=True,
    ),
    Form(
        "doing",
        Category.FACT,
        0.5,
        rf"ich (?!{NO_HABIT}\b)(?!\w+te\b)[a-zäöüß]{{2,}}e (?!es\b|das(?=$|,| (?:so|nicht|gern|auch|mal))|dich\b|"
        rf"dir\b|mich nicht\b|dass\b|ob\b|wie\b|was\b|nicht[,.]|hier\b|"
        r"diese[nsrm]?\b|den fehler|die datei|damit\b|dazu\b|davon\b|daran\b|dabei\b|gefühlt|so\b|euch\b|ihnen\b|"
        r"auf dich|bis\b)\w|"
        r"wir (?!wollen|möchten|brauchen|suchen|müssen|können|sollen|haben|sind|werden|würden|hätten|denken|glauben|"
        r"wissen|finden|sehen|bekommen|kriegen|versuchen|fragen|"
        r"hoffen|gehen|kommen|nehmen|machen|planen|überlegen|warten|treffen|verstehen|hatten|waren|wollten|konnten|"
        r"sollten|mussten|bauen|nutzen|verwenden|benutzen|dürfen|teilen|bleiben|lassen|geben)"
        r"[a-zäöüß]{3,}(?:en|ern|eln) (?!das\b|es\b|uns (?:nicht|gern|auf)|diese|jetzt|dann|noch)\w|wir (?:teilen "
        r"uns|gehen|"
        r"fahren|kochen|spielen|treffen uns|wandern|zelten|bauen|züchten|halten|pflegen|heizen|singen|"
        r"trainieren) (?:[\w-]+ )"
        rf"{{0,4}}?(?:{OFTEN}|eine?n? |mit (?-i:[A-Z])|selbst|unser|zusammen)|ich schreibe (?:[\w-]+ ){{0,4}}?"
        rf"{PLATFORMS}|ich schreibe (?-i:[A-Z])[\w-]+(?= und| für| in|,|$)|ich bin (?:[\w-]+ ){{0,3}}(?:umgezogen|"
        rf"ausgezogen)",
        about_things=True,
        weak=True,
    ),
    Form(
        "answers",
        Category.PREFERENCE,
        0.7,
        rf"(?:bitte |und ){{0,4}}(?:ohne|keine?|nie|niemals|weniger|lass(?:e|t)? (?:bitte )?(?:die|das)?|"
        rf"verzichte(?: bitte)? auf|spare? dir "
        rf"(?:bitte )?(?:die|das)?|bloß keine?) (?:die |das |mehr |jegliche )?{STYLE}\b|ich (?:brauche?|will|mag|"
        rf"möchte) (?:\w+ )?(?:keine?n?) {STYLE}\b|(?:bitte )?(?:antworte?|schreibe?|rede?|sprich) (?:mir |"
        rf"mit mir )?(?:bitte |immer |nur |generell |grundsätzlich |künftig ){{0,4}}(?:auf (?:deutsch|englisch|"
        rf"\w+isch|"
        rf"(?-i:[A-Z])\w+)|in (?:ganzen|kurzen|einfache[rn])|kurz|knapp|einfach)\b|"
        r"(?:ich mag(?: es)?|ich habe (?:es )?|mir ist|mir wäre) ?(?:lieber|gerne?|nicht|"
        r"am liebsten)?,? ?wenn du (?!will|magst|kannst|zeit)\w|"
        r"(?:ich|mir) (?:mag|bevorzuge|will|sind|ist|brauche) (?:\w+ ){0,3}?(?:antworten|erklärungen|beispiele|"
        r"quellen|zusammenfassungen) (?!oben|von)\w|"
        r"gib mir (?:bitte )?(?:keine|nie|nur|immer) (?!das|die|den|mal)\w|ich will von dir (?:nur|immer|keine)|"
        r"immer (?:nur )?.{3,40}(?:als antwort|bitte)(?: bitte)?$|höre? (?:bitte |endlich |"
        r"mal ){0,4}auf,? .{3,60} zu \w|"
        r"(?:bitte )?(?:halte?|fasse?) (?:dich|deine antworten) (?:bitte )?(?:immer )?(?:kurz|knapp)|"
        r"(?:bitte )?(?:schlage?|empfiehl|empfehle?) mir (?:bitte )?(?:kein|nichts|nie)|(?:bitte )?(?:immer|nur|"
        r"stets) (?:in |mit )?"
        r"(?:metrisch\w*|gramm|celsius|euro|franken|einfacher sprache)|"
        rf"(?:wenn|immer wenn) (?:du|ich) .{{3,60}}, (?:dann )?(?:bitte )?(?:{VERBS}|bitte)\b",
    ),
)
