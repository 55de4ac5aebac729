"""How people speak about themselves in German."""

from __future__ import annotations

from holdfast.chunks.fact import Category
from holdfast.facts.capture.speech import NAME, NO_THING, Form, Speech, any_of

__all__ = ["GERMAN"]

_ADVERBS = (
    r"(?:(?:sehr|auch|noch|nur|immer|meist|meistens|normalerweise|eigentlich|wirklich|absolut|einfach|übrigens|"
    r"momentan|"
    r"derzeit|zurzeit|jetzt|inzwischen|mittlerweile|aktuell|seit \w+(?: \w+)?|schon|schon immer|lieber|gerne?|kein|"
    r"keine?n?|ausschließlich|hauptsächlich|überwiegend|vor allem|größtenteils|"
    r"nicht|nicht mehr|nie|niemals|überhaupt) ){0,4}"
)
_JOBS = any_of(
    r"\w*(?:entwickler|programmierer|lehrer|ingenieur|informatiker|designer|berater|architekt|techniker|mechaniker|"
    r"manager)"
    r"(?:in)?",
    r"\w*(?:leiter|pfleger|arbeiter|trainer|fahrer|händler|verkäufer|künstler|schreiber|elektriker|handwerker|"
    r"bäcker|gärtner|"
    r"übersetzer|dolmetscher|forscher|wissenschaftler|mathematiker|physiker|chemiker|musiker|fotografe?)(?:in)?",
    r"\w*(?:arzt|ärztin|student|studentin|professor|professorin|doktorandin?|journalist|journalistin|polizist|"
    r"polizistin|"
    r"jurist|juristin|anwalt|anwältin|apotheker|apothekerin|psychologin?|biologin?|historikerin?|koch|köchin|"
    r"krankenschwester|hebamme|erzieher|erzieherin|azubi|rentner|rentnerin|beamter|beamtin|freiberufler|"
    r"freiberuflerin|"
    r"unternehmer|unternehmerin|gründer|gründerin|freelancer|redakteur|redakteurin|autor|autorin|landwirt|bauer|"
    r"pilot)",
    "selbstständig|selbständig|freiberuflich|verheiratet|geschieden|verwitwet|ledig|schwanger|pensioniert|arbeitslos",
    "vegetarier|vegetarierin|vegan|veganer|veganerin|vegetarisch|diabetiker|diabetikerin|linkshänder|linkshänderin",
    "alleinerziehend|querschnittsgelähmt|blind|gehbehindert|nichtraucher|nichtraucherin|berufstätig|zweisprachig",
    r"farbenblind|rot-grün-blind|legastheniker|legasthenikerin|schwerhörig|gehörlos|laktoseintolerant|"
    r"allergisch gegen|"
    r"\w+allergiker(?:in)?|christ|christin|muslim|muslima|jüdisch|katholisch|evangelisch|vater|mutter|oma|opa",
)
_KIN = any_of(
    "frau|mann|partner|partnerin|freundin|freund|ehefrau|ehemann|mutter|mama|vater|papa|schwester|bruder|sohn|"
    "tochter|kind",
    "tante|onkel|cousin|cousine|nichte|neffe|oma|opa|großmutter|großvater|chef|chefin|kollege|kollegin|mitbewohner",
    "mitbewohnerin|vermieter|vermieterin|nachbar|nachbarin|hund|hündin|katze|kater|pferd|papagei|hausarzt|hausärztin|"
    "ärztin",
    "arzt|zahnarzt|zahnärztin|anwalt|anwältin|steuerberater|steuerberaterin|betreuer|betreuerin|mentor|mentorin|"
    r"kunde|kundin|(?:schwieger|stief|enkel|paten|groß)(?:mutter|vater|sohn|tochter|kind|eltern)|enkelin|enkel|kinder|"
    r"eltern",
)
# In German a noun has a capital: "ich bin Tischlerin" needs no list of trades.
_TRADE = (
    r"(?-i:(?!Meinung|Kunde|Fan|Sicher|Gast|Opfer)[A-ZÄÖÜ][a-zäöüß-]{2,30}(?:er|erin|ist|istin|ent|entin|eur|eurin|ant|"
    r"antin|or|orin|mann|frau|wirt|wirtin|loge|login|kraft|hilfe|pfleger))\b"
)
_ILL = any_of(
    r"diabetes|asthma|migräne|zöliakie|heuschnupfen|bluthochdruck|rheuma|epilepsie|neurodermitis|depressionen|adhs",
    r"\w*allergie|\w*unverträglichkeit|\w*intoleranz|rücken|arthrose|tinnitus|höhenangst|flugangst|platzangst",
)
_OFTEN = any_of(
    r"jede[ns]? (?:tag|morgen|abend|nacht|woche|monat|jahr|wochenende|sommer|winter|\w+tag)|täglich|wöchentlich",
    r"\w+(?:mal| stunden| kilometer| km| bücher) (?:am tag|die woche|in der woche|pro (?:tag|woche|monat|jahr)|"
    r"im (?:jahr|monat))",
    r"(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|morgen|abend)s",
)
_LACKED = r"(?:auto|führerschein|garten|balkon|smartphone|fernseher|backofen|mikrowelle|drucker|keller|aufzug)"
_DOES = any_of(
    "hat|wohnt|lebt|arbeitet|liebt|mag|isst|trinkt|spielt|studiert|spricht|raucht|verträgt|hasst|bevorzugt|leidet an",
    r"lernt|unterrichtet|darf keine?n?|kommt (?:\w+ ){0,3}(?:in die|aus)|geht (?:in|auf) (?:die|den|eine?)|wird \d",
)
_ROLES = any_of(
    r"\w*(?:leiter|leitung|führer|betreuer|verantwortliche|chef|entwickler|designer|architekt|ansprechpartner|"
    r"manager|kollege|"
    r"kollegin|inhaber|gründer|mitarbeiter|berater|lehrer|trainer|vermieter|nachbar)(?:in|r)?",
    r"ceo|cto|cfo|\w*lead|product owner|scrum master|po|pm|ärztin|arzt|frau|mann|schwester|bruder|sohn|tochter|"
    r"mutter|vater",
)
_OWNED = any_of(
    r"kind|kinder|sohn|söhne|tochter|töchter|zwillinge|geschwister|bruder|brüder|schwestern?|hunde?|hündin|katzen?|"
    r"kater|"
    r"pferde?|papagei(?:en)?|dackel|diabetes|asthma|adhs|migräne|zöliakie|legasthenie|epilepsie|rheuma|heuschnupfen",
    r"\w*allergie|\w*unverträglichkeit|enkel|enkelkinder",
)
_VERBS = any_of(
    "benutze?|verwende|nutze?|antworte|schreibe?|nimm|mache?|gib|führe?|lasse?|committe|pushe?|frage?|teste|formatiere",
    "erkläre?|zeige?|sprich|vermeide|füge?|setze?|starte|lösche?|ändere|prüfe?|nenne?|rechne|deploye|merge|begründe|"
    "verlinke",
)
_OWN_LIST = (
    r"(?:name|vorname|nachname|spitzname|geburtstag|zeitzone|adresse|telefonnummer|handynummer|e-?mail(?:-adresse)?|"
    r"beruf|"
    r"muttersprache|schuhgröße|blutgruppe|arbeitgeber|github-name|arbeitszeit|arbeitszeiten|hochzeitstag|alter|"
    r"heimatstadt|"
    r"betriebssystem|editor|browser|firma|kennzeichen|pronomen)"
)

GERMAN = Speech(
    code="de",
    words="""ich mir mich mein meine meinen meiner wir uns unser unsere du dir dich dein deine ist sind war bin bist das
    der die den dem des ein eine einen einem und oder aber nicht kein keine mit für auf von zu im in am an bei
    aus nach wie was wo wenn dass als auch noch nur schon bitte danke kannst habe haben hat hab wird werden
    würde soll es er sie man mal sehr mehr immer nie jetzt sofort merk merke wohne heiße arbeite mag gern lieber
    verwenden benutze nutze hier gerade stell übersetze schreib nenn unserem diese dieser dieses zum zur über um""",
    fillers=any_of(
        "ach|also|ok|okay|so|und|auch|übrigens|nebenbei|nur zur info|zur info|zur information|fyi|btw|eigentlich|"
        "nein|nee|ja|doch",
        "hallo|hi|hey|sorry|entschuldigung|tatsächlich|korrektur|wie gesagt|nur damit du es weißt|damit du es weißt|"
        "beachte",
        "beachte bitte|bitte beachte|denk daran|denk dran|noch was|noch etwas|genau genommen|grundsätzlich|generell|"
        "privat",
        "im allgemeinen|moin|servus|danke|gut|super|kurz zu mir|zu mir|hintergrund|kontext|ehrlich gesagt|persönlich|"
        "wichtig",
        "zuhause|auf der arbeit|beruflich|inzwischen|mittlerweile|update|zu hause|daheim|in der arbeit|im büro|"
        "in der firma|bei uns|bei der arbeit",
    )
    + r"(?:,|:|;| -| –| —|!|\.\.\.|…)?(?: dass)? ",
    explicit=r"(?:bitte |und |also |ok |hey |kannst du |könntest du |du sollst ){0,3}(?:"
    + any_of(
        r"merke? dir(?: bitte| mal)?(?:,|:)?(?: dass)?|merke:|merken sie sich(?: bitte)?(?:,|:)?(?: dass)?|"
        r"(?:bitte )?merken(?:,|:)(?: dass)?",
        r"(?:dir )?(?:bitte )?merken,(?: dass)|vergiss(?: bitte)?(?: nicht| nie)(?:,|:)?(?: dass)?|"
        r"nicht vergessen(?:,|:)(?: dass)?",
        r"behalte?(?: bitte)?(?: im kopf| im gedächtnis| im hinterkopf)(?:,|:)?(?: dass)?|"
        r"speichere?(?: dir)?(?: bitte)?(?:,|:)(?: dass)?",
        r"notiere?(?: dir)?(?: bitte| mal)*(?:,|:)(?: dass)?|schreibe? dir auf(?:,|:)(?: dass)?|"
        r"notiz an mich(?: selbst)?(?:,|:)?",
        r"für (?:später|die zukunft|das nächste mal)(?:,|:)|fürs protokoll(?:,|:)|zum merken(?:,|:)",
    )
    + ") ",
    explicit_after=r"(?:,| -|;) (?:bitte )?(?:merke? dir das|nicht vergessen|vergiss das nicht|behalte? das im kopf|"
    r"merken)(?: bitte)?$",
    no_memory=r"(?:wie|was|wann|warum|wer|wo|das$|dies$|es$|bitte$|zu\b|alles$|du (?:bist|musst|hast)|den fehler|"
    r"diesen)",
    standing=r"(?!(?:er|sie|es|das|der|die)\b).{0,200}\b(?:ab (?:sofort|jetzt|heute)|von (?:jetzt|nun|heute) an|"
    r"künftig|zukünftig|in zukunft|fortan|bis auf weiteres)\b",
    orders=rf"(?:bitte )?{_VERBS}\b.{{0,80}}\b(?:immer|nie|niemals|stets|"
    rf"grundsätzlich)\b(?!.*\b(?:diese[rsnm]?) (?:funktion|datei|methode))|"
    r"(?:bitte )?(?:immer|nie|niemals|grundsätzlich) .{2,80}(?:en|ern|eln)$",
    forms=(
        Form(
            "decision",
            Category.DECISION,
            0.7,
            r"(?:wir haben|ich habe|ich hab|(?:[\w-]+ ){0,6}hab(?:en|e)? (?:wir|ich)|das team hat|wir hatten) "
            r".{0,120}\b(?:entschieden|"
            r"beschlossen|festgelegt|"
            r"vereinbart|geeinigt|abgemacht|verworfen)\b|(?:wir haben|ich habe) (?:die entscheidung getroffen|"
            r"beschlossen|entschieden)|"
            r"(?:die )?entscheidung(?: ist|:) |"
            r"(?:wir|ich) \w+ .{2,100}, (?:das )?ist (?:jetzt )?(?:entschieden|beschlossen|fix|abgemacht)$|"
            r"es ist (?:beschlossen|entschieden)|wir (?:steigen|stellen|wechseln|"
            r"migrieren) .{2,80}"
            r"\b(?:um|auf|zu|nach)\b",
        ),
        Form(
            "named person",
            Category.ENTITY,
            0.6,
            rf"meine? (?:\w+ )?{_KIN} (?:heißt|heisst|(?:ist|sind) (?:{NAME}|eine? |\d|{_JOBS}\b)|{_DOES} )|"
            rf"meine? (?:\w+ )?{_KIN},? {NAME},? \w|"
            rf"(?:unsere?|der|die) (?:[\w-]+ ){{0,3}}{_ROLES} (?:ist|heißt) (?:jetzt )?(?:herr |frau )?{NAME}|"
            rf"(?!(?:das|es|dies|er|sie|hier|wer|was)\b){NAME}(?: {NAME})? ist (?:jetzt )?(?:meine?|unsere?|die|der|"
            rf"eine?) (?:[\w-]+ ){{0,3}}{_ROLES}\b|"
            rf"{NAME}(?: {NAME})? (?:leitet|ist verantwortlich für|ist zuständig für) ",
        ),
        Form(
            "favourite",
            Category.PREFERENCE,
            0.6,
            r"meine? (?:absolute[rs]? )?(?:lieblings[\w-]+|bevorzugte[rsn]? [\w-]+) (?:ist|sind|heißt|bleibt) |"
            r"am liebsten \w+ (?:ich|wir) |"
            r"(?!(?:das|dies|es|diese[rs]?|was|wer)\b)[\w' -]{2,40} (?:ist|sind) meine? (?:absolute[rs]? )?lieblings",
        ),
        Form(
            "likes",
            Category.PREFERENCE,
            0.6,
            rf"ich {_ADVERBS}(?:bevorzuge?|präferiere|mag|liebe?|hasse?|verabscheue|vermeide|meide|"
            rf"genieße) (?:{_ADVERBS})|"
            r"ich kann .{2,80} nicht (?:leiden|ausstehen|ab|riechen|vertragen)|ich (?:stehe|steh) (?:nicht )?auf |"
            r"ich bin (?:kein |ein |gar kein )?(?:großer |riesen)?fan von |ich vertrage keine?n? |mir (?:schmeckt|"
            r"schmecken) |hasse? (?!ich\b)\w|ich hab(?:e)? (?:\w+ ){0,2}angst vor (?!de[mrn] (?:\w+ )?(?:prüfung|"
            r"termin|test))",
            about_things=True,
        ),
        Form(
            "habit",
            Category.PREFERENCE,
            0.55,
            r"ich (?:esse?|trinke?|rauche?|benutze?|verwende|nutze?|nehme?|schreibe?|lese?|kaufe?|fahre?|fliege?|"
            r"trage?|"
            r"koche?|schaue?|höre?|stehe?|jogge?|reise?|laufe?|gehe?) "
            r"(?:[\w-]+ ){0,3}(?:jeden (?:tag|morgen|abend|\w+tag)|täglich|jede woche|nie|niemals|immer|meistens|"
            r"meist|gern|gerne|lieber|am liebsten|"
            r"keine?n?|nicht "
            r"mehr|ungern|nur|normalerweise|grundsätzlich|ausschließlich|nichts mit|um \d)\b|"
            rf"ich (?!bekomm|krieg|seh|versuch|hab|bin|war|muss|kann|will|verlier|vergess|brauch)\w+ "
            rf"(?:[\w-]+ ){{0,5}}?{_OFTEN}\b|"
            r"ich habe (?:\w+ ){0,3}(?:aufgehört|angefangen|begonnen) zu ",
            about_things=True,
        ),
        Form(
            "form of address",
            Category.PREFERENCE,
            0.7,
            rf"(?:bitte )?nenne?(?:n sie)? mich (?:bitte |einfach |"
            rf"nur )*{NAME}|"
            r"(?:du kannst|ihr könnt) mich .{2,40} nennen|alle nennen mich |"
            r"(?:bitte )?(?:duze?|duzt|sieze?) mich\b|(?:wir können uns|lass uns)(?: bitte| ruhig| gern)? duzen|"
            r"(?:du kannst|sie können) mich (?:ruhig |gerne? )?(?:duzen|siezen)",
        ),
        Form(
            "name",
            Category.FACT,
            0.8,
            r"ich (?:heiße?|heisse?) (?!das\b)|meine? (?:\w+ )?(?:vor|nach|spitz)?name (?:ist|"
            r"lautet) ",
        ),
        Form(
            "trait",
            Category.FACT,
            0.65,
            rf"(?:ich bin|bin ich|bin) (?:\w+ ){{0,2}}{_TRADE}(?! gewesen)|(?:ich )?(?:habe?|leide an|"
            rf"leide unter) (?:\w+ ){{0,3}}{_ILL}\b|"
            r"(?:ich bin|bin ich) .{0,60}\b(?:angestellt|beschäftigt|tätig)$|"
            rf"als (?:[\w.-]+ ){{0,2}}(?:[\w-]{{1,30}}-)?{_JOBS} [\w-]+ (?:ich|mir|mich|wir)\b|"
            rf"(?:ich bin|bin(?: ich)?) {_ADVERBS}(?!dein|ihr|euer)(?:eine? |der |die )?(?:[\w.-]+ ){{0,3}}{_JOBS}\b|"
            rf"(?:ich bin|bin ich) (?:\w+ )?\d{{1,3}} jahre|"
            r"(?:ich bin|bin ich) .{0,60}\b(?:geboren|aufgewachsen|allergisch)\b|(?:ich )?.{2,60} allergisch bin$|"
            r"ich (?:komme|stamme) (?:ursprünglich |eigentlich )?aus ",
        ),
        Form(
            "place or work",
            Category.FACT,
            0.65,
            rf"wir (?:wohnen|leben) {_ADVERBS}(?:in|im|am|auf|bei|mit|zu|zur|nahe)\b|wir mieten\b|"
            rf"(?:ich|wir) hab(?:e|en)? (?:[\w-]+ ){{0,4}}keine?n? {_LACKED}\b|"
            rf"(?:ich )?(?:wohne?|lebe?|arbeite?|studiere?|unterrichte?|forsche|promoviere) {_ADVERBS}(?:in|im|bei|"
            rf"beim|als|"
            rf"für|an|am|aus|seit|"
            r"mit|auf|von|nahe|nachts|halbtags|teilzeit|remote|allein|alleine|zusammen|informatik|medizin|jura|"
            r"[a-zäöü]+ologie)\b"
            r"(?! (?:diese[rmn]?|einem? (?:skript|problem|bug))\b)|"
            r"(?:ich bin|bin ich) .{0,60}\b(?:gezogen|umgezogen|gewechselt|ausgewandert)$|"
            r"(?:ich bin|bin ich) (?:jetzt |nun )?(?:bei|umgezogen|in rente) ",
        ),
        Form(
            "belonging",
            Category.FACT,
            0.6,
            rf"(?:ich )?(?:habe|hab) (?!ich\b)(?:\w+ ){{0,3}}{_OWNED}\b|"
            r"ich habe? (?:[\w-]+ ){0,3}jahre(?: lang)? (?:berufs)?erfahrung\b|ich habe am .{{2,30}} geburtstag|"
            rf"ich am .{{2,30}} geburtstag habe|"
            r"ich (?:spreche|lerne|spiele) (?!mit\b|gegen\b|hier\b|das\b|noch\b)|ich (?:leite|betreibe|"
            r"besitze) (?:eine?n?|die|den|das) ",
        ),
        Form(
            "attribute",
            Category.FACT,
            0.65,
            rf"meine? (?:neue |private |aktuelle )?{_OWN_LIST} (?:ist|lautet|"
            rf"sind)(?: jetzt)? "
            r"(?!nicht |kaputt|langsam|zu |weg)",
        ),
        Form(
            "tools",
            Category.FACT,
            0.6,
            r"ich (?:benutze|verwende|nutze) (?!.*\b(?:hier|aber)\b)|"
            r"wir (?:verwenden|benutzen|nutzen|deployen|hosten|entwickeln|betreiben|releasen|veröffentlichen|"
            r"arbeiten mit|"
            r"setzen auf|programmieren|speichern) (?!.*\b(?:hier|aber)\b)|"
            r"(?:unsere?n?|das|mein) (?:[\w-]+ ){0,2}(?:projekt|backend|frontend|datenbank|server|team|firma|app|"
            r"api|website|webseite|"
            r"repo|repository|cluster|pipeline|code|software|produkt|hauptbranch|stack|dienst|seite|büro) "
            r"(?:läuft (?:auf|in|mit|unter)|verwendet|nutzt|benutzt|basiert auf|liegt (?:auf|in|bei)|heißt|"
            r"ist in .{1,30} geschrieben|"
            r"ist (?:auf|bei) |beginnt|startet|besteht aus|sitzt in) ",
            about_things=True,
        ),
    ),
    at_hand=r"(?:auch |sehr |nur )?(?:diese[rsnm]?\b|dies\b|es\b|dich\b|euch\b|deine?[nrms]?\b|ihre?n?\b|wie\b|"
    r"dass\b|wenn\b|beide\b|"
    r"(?:die|der|das|den) (?:erste|zweite|dritte|vierte|letzte|andere|neue|alte|obere|untere|vorige|kürzere|längere|"
    r"idee|version|"
    r"variante|lösung|vorschlag|ansatz|antwort|funktion|datei|code)n?\b|das(?=$|,| (?:so|nicht|sehr|wirklich|lieber|"
    r"besser|auch|gar))|"
    r"eine? (?:schleife|funktion|skript|liste|regex|variable|klasse)\b|so\b(?! ?viel)|variante\b|option\b|alles\b)",
    dangling=r"\b(?:damit|dafür|davon|darüber|daran|diese[rsnm]?|solche[rsn]?)\b(?! (?:jahr|monat|woche|projekt|"
    r"repo|team|rechner))",
    doubtful=r"^(?:z\. ?b\.|zum beispiel|etwa so),? ich\b|\b(?:(?<!auch )wenn|falls|würden?(?! gern)|würde?st|wäre|"
    r"hätte(?! gern)|könnten?|müsste|eventuell|vielleicht|ich glaube|"
    r"ich denke|ich vermute|"
    r"ich finde|ich hoffe|ich meine|möglicherweise|wahrscheinlich|vermutlich|angenommen|stell dir vor|nehmen wir an|"
    r"wünschte|"
    r"sagt|sagte|sagen|meint|meinte|behauptet|behauptete|schrieb|erzählt|erzählte|fragt|fragte|laut meine[rm]|denkt|"
    r"fehler|fehlermeldung|absturz|stürzt|abgestürzt|bugs?|exception|kaputt|funktioniert nicht|geht nicht|"
    r"klappt nicht|läuft nicht|"
    r"probleme?|warnung|hängt|gestern|heute morgen|gerade im|gerade am|down|endet nie)\b|"
    r"\bliebe es\b|^(?:na|ja|oh|ach) (?:toll|super|klasse|prima|wunderbar|großartig|klar)\b",
    wishing=r"\bmöchte\b|\bhätte gern|\bwürde gern",
    asking=r"(?:kann|kannst|könntest|können|soll|sollte|muss|darf|bin|bist|ist|sind|habe|hast|hat|was|wo|wann|warum|"
    r"wieso|wie|wer|"
    r"welche[rsn]?|erinnerst|weißt|wohin|woher) (?:ich|du|wir|ihr|sie|er|es|das|man|mir|dir|mein|ist|sind|habe|hast|"
    r"kann|soll|viel)\b(?! .*\b(?:gezogen|umgezogen)$)",
    material=rf"\bübersetz|\bkorrigier\w*{NO_THING}|\bkorrektur ?les|\bformulier\w* .*\bum\b|\bumformulier|"
    rf"\bstell dir vor|"
    r"\btu so\b|"
    r"\brollenspiel|\bangenommen\b|\bnehmen wir an\b|\bschreibe?(?: mir)? (?:eine?n? )(?:[\w-]+ ){0,2}(?:geschichte|"
    r"gedicht|lied|dialog|"
    r"szene|roman|tweet|witz|aufsatz|rede|märchen|post|rezension|steckbrief)\b|\bwie sagt man\b|\bbeispielsatz|"
    r"\bfür (?:meine?n?|eine?n?) (?:freund(?:in)?|kumpel|cousine?|bruder|schwester|kolleg(?:en?|in)|kund(?:en?|in)|"
    r"onkel|tante|sohn|tochter|mutter|vater|frau|mann)\b.{0,80}: |"
    r"\b(?:der|dieser|folgende|den) satz\b|\bgrammati|\brechtschreib|\bmein(?:e|em|er)? (?:roman|figur|protagonist)",
    joking=r"\b(?:scherz|nur spaß|war (?:nur )?(?:ein )?(?:spaß|witz|scherz)|kleiner scherz|ironie|spässle)\b",
    laughing=r"\b(?:haha\w*|hihi|lol)\b|[😂🤣😜😝😛🙃😏]",
    joints=r"(?:,|;| –| —| -)? (?:und|aber|doch|außerdem) (?=(?:ich|wir|mein|meine|unser|unsere) )|"
    r"(?:,|;| –| —| -)? (?:also|deshalb|daher|deswegen) (?=bitte |keine? |kein |nichts )|"
    r"(?:,|;| –| —| -) (?=(?:ich|wir) |kannst du |könntest du |hast du |weißt du |bitte |was |wie |welche)",
    about_me=r"\b(?:über mich|zu mir|zu meiner person|merk\w*|meine vorlieben|mein setup|unser stack|über uns|"
    r"zum merken)\b",
    states=r"\b(?:ist|sind|war|hat|haben|läuft|laufen|geht|gehen|kommt|kommen|heißt|liegt|wohnt|braucht|beginnt|"
    r"endet|kostet|muss|kann|"
    r"wird|werden|gilt|steht)\b",
)
