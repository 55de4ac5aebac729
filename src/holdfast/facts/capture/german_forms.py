"""How a German clause begins that says what was decided, who is who and what somebody is, who and verb first."""

from __future__ import annotations

from typing import Final

from holdfast.facts.capture.german_phrases import ADVERBS, HEAD, SOME
from holdfast.facts.capture.german_words import ANIMALS, DOES, ILL, JOBS, KIN, MEDICINE, ROLES, TRADE, TRAITS
from holdfast.facts.capture.speech import NAME, Form
from holdfast.markdown.fact_row import Category

__all__ = ["FORMS"]

FORMS: Final = (
    Form(
        "decision",
        Category.DECISION,
        0.7,
        r"(?:wir haben|ich habe|(?:[\w-]+ ){0,6}habe?n? (?:wir|ich)|(?:das |unser |mein )?team hat|wir hatten|"
        r"(?:(?:der|die|das|unsere?|meine?) )(?:vorstand|ausschuss|verein|leitung|firma|chefetage|mehrheit|gruppe|"
        r"familie|chefin|chef|betriebsrat|elternbeirat|klasse|band|wg|geschäftsführung|"
        r"gremium) hat) .{0,120}\b(?:entschieden|"
        r"beschlossen|festgelegt|vereinbart|geeinigt|abgemacht|verworfen|abgesegnet|genehmigt|freigegeben|zugestimmt|"
        r"verständigt|abgestimmt|ausgemacht|verabschiedet)\b|"
        r"(?:wir haben|ich habe) (?:die entscheidung getroffen|beschlossen|entschieden)|"
        r"(?:(?:es|das|jetzt|nun|also) )?(?:steht (?:jetzt |nun )?fest|ist (?:jetzt |nun )?(?:entschieden|"
        r"beschlossen|fix|amtlich|offiziell|durch))(?:,|:) |"
        r"(?:(?:mein )?entschluss (?:steht(?: fest)?|gefasst)|endgültig entschieden|ich habe mich entschieden)(?:,|"
        r":) |wir nehmen (?:jetzt |nun |doch )?(?-i:[A-Z])\w+(?=$|,|\.| statt| für)|(?-i:[A-Z])\w+ ist raus\b|"
        r"(?:die )?(?:entscheidung|beschluss)(?: ist|:| steht)|(?:wir|ich) \w+ .{2,100}, (?:das )?(?:ist|"
        r"steht) (?:jetzt |nun |"
        r"so )?(?:entschieden|beschlossen|fix|abgemacht|fest|gesetzt)\b|(?:ich|wir) \w+ .{2,100}, das habe?n? (?:ich|"
        r"wir) (?:so |jetzt |gestern )?(?:entschieden|beschlossen)|(?:[\w-]+ ){0,3}?(?:ergebnis|beschluss|"
        r"fazit)(?: \w+){0,4}: |"
        r"(?:es ist )?(?:also )?(?:beschlossen|entschieden|abgemacht|ausgemacht|fix)"
        r"(?: ist)?(?:,|:) (?:dass )?|es ist (?:beschlossen|entschieden)|wir (?:steigen|stellen|wechseln|"
        r"migrieren) .{2,80}"
        r"\b(?:um|auf|zu|nach)\b|wir (?:bleiben|setzen) (?:jetzt |künftig |weiterhin )?(?:bei|auf) (?!m\b|dem|der)\w|"
        r"wir (?:gehen|nehmen) (?:jetzt |nun )?(?:mit )?(?-i:[A-Z])\w+ (?:statt|und nicht)|die wahl (?:ist|fiel) auf ",
    ),
    Form(
        "project",
        Category.ENTITY,
        0.6,
        r"(?:ich|wir) (?:gründen?|bauen?|baue|entwickeln?|entwickle|schreiben?|machen?|starten?|betreiben?|eröffnen?|"
        r"arbeiten? an|haben?|organisieren?|planen?) "
        r"(?:gerade |grad |derzeit |nebenbei |zusammen |in [\w-]+ ){0,4}(?:eine?n?|einem|einer|unsere?n?|meine?n?|"
        r"so eine?n?) .{3,70}\b(?:namens|heißt|genannt|mit namen|mit dem namen)\b|"
        r"(?:meine?|unsere?) (?:[\w-]+ )?(?:band|projekt|startup|firma|verein|chor|podcast|blog|spiel|app|laden|café|"
        r"buch|roman|masterarbeit|bachelorarbeit|kanal|"
        r"genossenschaft|agentur|hof|marke|newsletter)(?: \w+)? (?:heißt|nennt sich|ist eine? .{3,60} (?:namens|"
        r"heißt)) |(?:meine?|unsere?) (?:band|firma|laden|verein|chor|podcast|startup|café|agentur|praxis|"
        r"genossenschaft) (?-i:[A-ZÄÖÜ])\w+ \w",
    ),
    Form(
        "named person",
        Category.ENTITY,
        0.6,
        rf"{HEAD},? (?:die|der|das) .{{2,50}} (?:ist|hat|heißt|mag|liebt|hasst|verträgt|wohnt|lebt|arbeitet|wird)\b|"
        rf"{HEAD} (?:heißt|heisst|(?:ist|sind) (?:(?:auch|jetzt|schon|fast|gerade|erst|beide|"
        rf"seit \w+ \w+) ){{0,4}}(?:(?:die |der )?{NAME}(?! sein)(?! ?idiot)|eine? (?!idiot|arsch|depp|trottel|engel|"
        rf"schatz|problem|albtraum|held)|\d|"
        rf"{JOBS}\b|{TRAITS}\b|von beruf|aus |gegen |im \d\.? ?monat|in der \d+\. (?:klasse|woche)|"
        rf"(?:[\w.-]+ ){{1,3}}(?:{TRAITS}|{JOBS})\b)|(?:(?:auch|beide|leider|nur|im \w+) )?{DOES}(?: |$|,))|"
        rf"(?:meine?|unsere?) (?:\w+ )?(?:{KIN}|{ANIMALS}) (?!und\b){NAME},? [\w(]|"
        rf"(?:meine?|unsere?) (?:\w+ )?(?:{KIN}|{ANIMALS}),? {NAME},? \w|"
        rf"(?:meine?|unsere?) (?:\w+ )?{KIN} (?:kommt|geht|wird|hat|hört|sieht) (?:\w+ ){{0,3}}(?:in die (?:schule|"
        rf"kita|erste)|"
        rf"zur schule|\d+ (?:jahre)?|aufs gymnasium|auf die|geburtstag|in den kindergarten)|"
        rf"meine? (?:\w+ )?{KIN} und ich sind |wir sind (?:seit \w+ )?(?:verheiratet|geschieden|getrennt|zu (?:dritt|"
        rf"viert))|"
        rf"(?:unsere?|der|die|meine?) (?:[\w-]+ ){{0,3}}{ROLES} (?:ist|heißt) (?:jetzt )?(?:herr |frau |die |"
        rf"der )?{NAME}|"
        rf"(?!(?:das|es|dies|er|sie|hier|wer|was)\b){NAME}(?: {NAME})? ist (?:jetzt )?(?:meine?|unsere?|die|der|"
        rf"eine?) (?:[\w-]+ ){{0,3}}(?:{ROLES}|{KIN}|{ANIMALS})\b|"
        rf"(?!(?:das|es|dies|er|sie|hier|wer|was|\w+tag|heute|morgen)\b){NAME}(?: {NAME})? ist (?:mein|meine|unser|"
        rf"unsere) (?!Problem|Ziel|Traum|Meinung|Frage|Lieblings|Favorit|Muttersprache|Zweitsprache|Name|Tag|Leben|"
        rf"Ding|Fall|Alltag|Hobby|Beruf|"
        rf"Leidenschaft|Idee|Plan|Vorschlag)(?-i:[A-ZÄÖÜ])\w+|{NAME}(?: {NAME})?, (?:meine?|"
        rf"unsere?) [\w -]{{3,30}}, \w|{NAME}(?: {NAME})? (?:leitet|ist verantwortlich für|ist zuständig für) |"
        rf"(?:ich|wir) habe?n? {SOME}{{0,4}}(?:{ANIMALS}|{KIN}),? (?:namens|die heißen|der heißt|die heißt|heißt) ",
    ),
    Form(
        "favourite",
        Category.PREFERENCE,
        0.6,
        r"meine? (?:absolute[rs]? )?(?:lieblings[\w-]+|bevorzugte[rsn]? [\w-]+) (?:ist|sind|heißt|bleibt) |"
        r"am liebsten \w+ (?:ich|wir) |(?:ich|wir) \w+ .{0,30}am liebsten|(?:(?:bei|für|"
        r"zum) [\w-]+ )?lieber [\w-]+ (?:[\w-]+ )?(?:als|statt) \w|[\w-]+ reicht (?:mir|uns)\b|"
        r"ich habe [\w-]+ (?:noch )?nie (?:runter|gemocht|vertragen|leiden|ausstehen)|"
        r"(?!(?:das|dies|es|diese[rs]?|was|wer)\b)[\w' -]{2,40} (?:ist|sind) (?:meine? (?:absolute[rs]? )?lieblings|"
        r"(?:so |gar |überhaupt |echt )?(?:nicht |nix )(?:mein "
        r"ding|meins|für mich|mein fall)|nichts für mich|(?:für mich |mir )?(?:ein muss|pflicht|ein no-?go|"
        r"wichtig)\b)|"
        r"für mich (?:nur|immer|bitte nur|kommt nur) \w|ich will (?:[\w-]+ ){0,4}immer \w",
    ),
    Form(
        "form of address",
        Category.PREFERENCE,
        0.7,
        rf"(?:bitte )?(?:nenne?(?:n sie)?|nennt) mich (?:bitte |einfach |ruhig |nur ){{0,4}}{NAME}|"
        rf"(?:bitte )?sage?n?(?: sie)? (?:bitte |"
        rf"einfach |ruhig ){{0,4}}(?:{NAME}|du|sie) zu mir|(?:du kannst|ihr könnt|sie können|sie dürfen|"
        rf"du darfst) (?:ruhig |gerne? |einfach ){{0,4}}"
        r"(?:mich|zu mir) .{2,40} (?:nennen|sagen)|mir (?:wäre?|ist) (?:es )?lieber,? (?:wenn )?(?:du|sie) |"
        r"duzen (?:ist|geht|passt|wäre) |alle (?:nennen mich|sagen \w+ zu mir)|"
        r"(?:bitte )?(?:duze?|duzt|sieze?|siezt|duzen sie|siezen sie) mich\b|(?:wir können uns|lass uns|"
        r"wir duzen uns|wir können (?:gern |ruhig ){0,4}beim (?:du|sie) bleiben|bleiben wir (?:bitte )?beim|"
        r"gern (?:per )?du\b)(?: bitte| "
        r"ruhig| gern)?(?: duzen)?|(?:du kannst|sie können|sie dürfen) mich (?:ruhig |gerne? )?(?:duzen|siezen)|"
        r"(?:bitte )?(?:sprich|sprechen sie|reden sie|rede|redet) mich (?:bitte )?(?:immer )?(?:mit|als|per) ",
    ),
    Form(
        "name",
        Category.FACT,
        0.8,
        r"ich heiße? (?!das\b)|(?:meine? (?:\w+ )?|der )(?:vor|nach|spitz)?name (?:ist|lautet) |"
        rf"(?:ich bin|hier ist|hier spricht|hier schreibt) (?:der |die |da |de |übrigens )?(?!(?:Dein|"
        rf"Ihr)){NAME} (?:aus|von|vom)\b|"
        rf"(?:hier ist|hier spricht|hier schreibt) (?:der |die |da )?{NAME}|{NAME}(?: {NAME})? (?:hier|mein name|"
        rf"ist mein name)(?=,|$)|es heißt (?:frau|herr|dr\.?) .{{2,40}} nicht |ich werde {NAME} (?:genannt|"
        rf"geschrieben)|ich bin (?:der|die|da) "
        rf"{NAME}(?=$|,| und)",
    ),
    Form(
        "trait",
        Category.FACT,
        0.65,
        rf"(?:ich bin|bin ich|bin) (?:(?!beim|bei|zum|vom|am|im|in)\w+ ){{0,2}}{TRADE}(?! gewesen)|(?:ich )?(?:habe|"
        rf"leide an|leide unter) "
        rf"(?:(?!vielleicht)\w+ ){{0,3}}?{ILL}\b|(?:ich bin|bin ich) .{{0,60}}\b(?:angestellt|beschäftigt|tätig)$|"
        rf"als (?:[\w.-]+ ){{0,2}}(?:[\w-]{{1,30}}-)?(?:{JOBS}|{TRAITS}|{TRADE})(?: (?:in|von|bei|mit|an|"
        rf"im) [\w -]{{2,30}}?)? [\w-]+ "
        rf"(?:ich|mir|mich|wir)\b|"
        rf"(?:ich bin|bin(?: ich)?|ich arbeite als) {ADVERBS}(?!dein|ihr|euer)(?:eine? |der |die |"
        rf"ne )?(?:(?!beim|bei|zum|zur|vom)[\w.-]+ ){{0,3}}?(?:{JOBS}|"
        rf"{TRAITS})\b(?! gewesen)|(?:ich bin|bin ich|wir sind) (?:\w+ )?\d{{1,3}}(?: jahre|$|,| und| mit|\))|"
        r"(?:ich bin|bin ich) .{0,60}\b(?:geboren|aufgewachsen|allergisch)\b|(?:ich )?.{2,60} allergisch bin$|"
        r"wir sind (?:[\w-]+ )?(?:geschwister|kinder|eltern|personen)\b|(?:ich|wir) (?:verstehe|verstehen|spreche|"
        r"sprechen|rede|reden|kann) (?:[\w-]+ ){0,2}?\w{3,}isch\b|"
        r".{0,40}\bbei mir .{2,40} (?:festgestellt|diagnostiziert)|ich bin in der \d+\. ?klasse|ich gehe in die \d|"
        r"ich bin (?:\w+ )?\d\d geworden|"
        r"(?:ich|wir) (?:kommen?|stammen?) (?:ursprünglich |eigentlich |gebürtig |"
        r"selbst )?aus(?:m)? (?!der (?:dusche|arbeit)|dem (?:bett|urlaub))|"
        rf"ich nehme (?:(?:seit|täglich|jeden|regelmäßig) )?(?:[\w-]+ ){{0,3}}?{MEDICINE}|"
        rf"(?:ich bin )?allergisch (?:gegen|auf|ge\w*n) \w|"
        r"ich (?:wurde|bin) .{2,50} operiert|ich hatte (?:[\w.-]+ ){0,4}(?:schlaganfall|herzinfarkt|op|operation|"
        r"bandscheibenvorfall|krebs|hüft-op|knie-op|unfall)\b|"
        r"(?:der|die|mein|meine) \w*(?:arzt|ärztin|orthopäde|therapeutin?) hat (?:bei )?mir .{2,40} (?:verschrieben|"
        r"verordnet|diagnostiziert|festgestellt)|ich bin in der zeitzone|"
        r"mir (?:wurden?|haben sie) .{2,60} (?:entfernt|eingesetzt|diagnostiziert|amputiert|transplantiert|"
        r"rausgenommen)|"
        r"ich (?:höre|sehe) (?:nur )?(?:sehr |ziemlich |auf einem \w+ |mit einem \w+ )?(?:schlecht|kaum|nichts|nix|"
        r"auf einem|mit einem)|ich werde (?:im \w+ |am \S+ |bald |dieses jahr |nächstes jahr )?"
        r"\d\d(?: jahre)?(?=$|,| und)|ich (?:sitze|bin|hocke) (?:gerade |hier |oben |unten )?in (?!der|dem|einer?m?|"
        r"meine[mr]|eurer|rente|eile|not|sorge|zug)"
        rf"{NAME}|(?:hier|da) in {NAME} |(?:wenn man|für (?:jemanden|leute|einen), (?:der|die)),? wie ich,? \w|"
        rf"ich bin (?!(?:Fan|Gast|Kunde|Opfer|Zeuge|Laie|Feuer|Schuld|Team|Mitte)\b){NAME}(?= und|,|$| aus| in| bei)|"
        rf"ich bin der einzige |ich bin die einzige |ich bin (?:doch |gut |fast )?\d[.,]\d\d|"
        rf"ich bin (?:\w+ )?(?:native|muttersprachler\w*) |"
        r"ich (?:kann|darf) (?:[\w-]+ ){0,5}?(?:nicht mehr|kein\w*|nicht) (?:[\w-]+ ){0,4}(?:heben|laufen|gehen|"
        r"fahren|"
        r"sehen|hören|essen|"
        r"trinken|schwimmen|lesen|stehen|sitzen|knien|arbeiten|fliegen)$|ich sitze im rollstuhl|"
        r"ich bin im \d+\. ?(?:semester|monat|"
        r"lehrjahr)|(?:deutsch|englisch|\w+isch) ist (?:nicht )?meine (?:mutter|zweit|erst)sprache|"
        r"ich habe einen grad der|"
        r"ich ernähre mich |ich (?:trage|brauche) (?:eine brille|kontaktlinsen|hörgeräte|ein hörgerät|größe \d+)|"
        rf"wir sind (?:\w+ )?(?:{TRAITS}|{JOBS})\b|wir sind (?:eine?|"
        r"zu (?:zweit|dritt|viert|fünft)|beide|alle) ",
    ),
)
