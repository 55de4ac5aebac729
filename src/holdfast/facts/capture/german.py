"""How people speak in German: what leads in, asks to remember, doubts, and what is a text to work on."""

from __future__ import annotations

from holdfast.facts.capture.german_forms import FORMS
from holdfast.facts.capture.german_life import LIFE
from holdfast.facts.capture.german_ways import WAYS
from holdfast.facts.capture.german_words import KIN, VERBS
from holdfast.facts.capture.speech import NO_THING, Speech, any_of

__all__ = ["GERMAN"]

_TEXTS = (
    r"(?:\w*geschichte|gedicht|lied|dialog|szene|roman|tweet|witz|aufsatz|rede|märchen|post|rezension|steckbrief|"
    r"haiku|limerick|"
    r"monolog|sketch|slogan|spruch|überschrift|songtext|personas?|tagebuch\w*|commit-?message|bildunterschrift|"
    r"werbetext|fabel)"
)
_WORK_ON = (
    r"(?:verbesser|kürz|korrigier|überarbeit|fass|bewert|formulier|ergänz|vervollständig|setz|führ|mach|schreib|prüf|"
    r"lektorier|vereinfach|analysier|erklär|interpretier|beend|lies)\w*"
)
_SUBJECT = r"(?:ich|i|wir|mein|meine|unser|unsere|unsre) "
# A clause about the speaker begins without any sign, but not behind these: "wenn ich habe", "was ich bin".
_NOT_BEHIND = """
    so dass wenn ob falls was wie wo als und aber oder weil da habe bin kann soll muss werde möchte die der das
    den für mit sagt meint glaube denke warum hab
"""
_BEFORE = "".join(rf"(?<!\b{word} )" for word in _NOT_BEHIND.split())

_BECAUSE = (
    r"weil|da|zumal|nachdem|angesichts dessen, dass|wenn man bedenkt, dass|vor allem weil|gerade weil|"
    r"dadurch,? dass|wo|obwohl"
)

GERMAN = Speech(
    code="de",
    words="""ich mir mich mein meine meinen meiner wir uns unser unsere du dir dich dein deine ist sind war bin bist das
    der die den dem des ein eine einen einem und oder aber nicht kein keine mit für auf von zu im in am an bei
    aus nach wie was wo wenn dass als auch noch nur schon bitte danke kannst habe haben hat hab wird werden
    würde soll es er sie man mal sehr mehr immer nie jetzt sofort merk merke wohne heiße arbeite mag gern lieber
    verwenden benutze nutze hier gerade stell übersetze schreib nenn unserem diese dieser dieses zum zur über um
    da weil ne nen unsre grad brauch such gibt gibts ja also esse welche welcher sie""",
    fillers=any_of(
        "ach|also|ok|okay|so|und|auch|übrigens|nebenbei|nur zur info|zur info|zur information|fyi|btw|eigentlich|"
        "nein|nee|ja|doch|aber|naja|na ja|tja|äh+m?|öh+m?|hm+|sag mal|du(?=,)",
        "hallo|hi|hey|sorry|entschuldigung|tatsächlich|korrektur|wie gesagt|(?:nur )?(?:damit|dass) du(?: es|'s|"
        "s)? weißt|"
        "beachte|zur erinnerung|kurze info|kleine info|kurz vorweg|vorweg|vorab|kurze frage|frage|nur so|wisse",
        "beachte bitte|bitte beachte|denk daran|denk dran|noch was|noch etwas|genau genommen|grundsätzlich|generell|"
        "privat|guten (?:tag|morgen|abend)|grüß gott|grüezi|hoi|tach|mahlzeit|nämlich|außerdem|ich wollte mal fragen",
        "im allgemeinen|moin|servus|danke|gut|super|kurz zu mir|zu mir|hintergrund|kontext|ehrlich gesagt|persönlich|"
        "wichtig|zum hintergrund|zum kontext|info|liebes team|also ja|ja also|(?:vor allem |gerade )?weil|"
        "da(?= (?:ich|wir|mein|unser))|denn|zumal|obwohl|nachdem|wo(?= (?:ich|wir)\\b)|wenn man bedenkt,",
        "zuhause|auf der arbeit|beruflich|inzwischen|mittlerweile|update|zu hause|daheim|in der arbeit|im büro|"
        "in der firma|bei der arbeit|dazu muss man wissen|du musst wissen|man muss wissen|es ist so|die sache ist",
    )
    + r"(?:,|:|;| -| –| —|!|\.\.\.|…)?(?: dass)? ",
    explicit=r"(?:bitte |und |also |ok |hey |kannst du |könntest du |du sollst |dir ){0,3}(?:"
    + any_of(
        r"merke? dir(?: bitte| mal| doch| das| folgendes| für \w+){0,4}(?:,|:)?(?: dass)?|merke:|"
        r"merken sie sich(?: bitte)?(?:,|:)?(?: dass)?|"
        r"(?:bitte )?merken(?:,|:)(?: dass)?",
        r"(?:dir )?(?:bitte )?merken,(?: dass)|vergiss(?: bitte| mir)?(?: nicht| nie)(?:,|:)?(?: dass)?|"
        r"nicht vergessen(?:,|:)(?: dass)?|vergessen sie (?:bitte )?nicht(?:,|:)?(?: dass)?",
        r"behalte?(?: bitte)?(?: im kopf| im gedächtnis| im hinterkopf)(?:,|:)?(?: dass)?|"
        r"speichere?(?: dir)?(?: bitte)?(?: ab)?(?:,|:)(?: dass)?",
        r"notiere?n?(?: dir| sie(?: sich)?)?(?: bitte| mal){0,4}(?:,|:)(?: dass)?|schreibe? dir (?:bitte )?auf(?:,|"
        r":|(?= dass))(?: dass)?|"
        r"notiz an mich(?: selbst)?(?:,|:)?|schreibe? dir hinter die ohren(?:,|:)?(?: dass)?",
        r"für(?:s| das)? nächste mal(?:,|:)|für (?:später|die zukunft|nächstes mal)(?:,|:)|fürs protokoll(?:,|:)|"
        r"zum merken(?:,|:)|notiz:|"
        r"denke? (?:bitte |immer |einfach ){0,4}(?:dran|daran)(?:,|:)?(?: dass)",
    )
    + ") ",
    explicit_after=r"(?:,| -|;|\.|:| und) (?:bitte |das |kannst du dir das |"
    r"könntest du dir das ){0,4}(?:merke? dir das|"
    r"nicht vergessen|"
    r"vergiss das nicht|behalte? das im (?:kopf|hinterkopf)|merken|notiere? dir das|notieren|schreibe? dir das auf|"
    r"im kopf behalten|"
    r"gut merken|speichere? das|abspeichern)(?: bitte| gut)?$",
    no_memory=r"(?:wie|was|wann|warum|wer|wo|das$|dies$|es$|bitte$|zu\b|alles$|du (?:bist|musst|hast)|den fehler|"
    r"diesen|ob\b)",
    standing=r"(?!(?:er|sie|es|das|der|die)\b).{0,200}\b(?:ab (?:sofort|jetzt|heute)|von (?:jetzt|nun|heute) an|"
    r"künftig|zukünftig|in zukunft|fortan|bis auf weiteres|das gilt immer|gilt (?:generell|immer|grundsätzlich))\b",
    orders=rf"(?:kannst|könntest|würdest) du (?:mir |bitte ){{0,4}}.{{2,60}}\b(?:immer|nie|grundsätzlich|stets)\b|"
    rf"(?:bitte )?{VERBS}\b.{{0,80}}\b(?:immer|nie|niemals|stets|"
    rf"grundsätzlich)\b(?!.*\b(?:diese[rsnm]?) (?:funktion|datei|methode))|"
    r"(?:bitte )?(?:immer|nie|niemals|grundsätzlich) .{2,80} (?-i:[a-zäöüß]+(?:en|ern|eln))$",
    forms=(*FORMS, *LIFE, *WAYS),
    at_hand=r"(?:auch |sehr |nur |total |echt )?(?:diese[rsnm]?\b|dies\b|es\b|dich\b|euch\b|deine?[nrms]?\b|"
    r"ihre?n?\b|wie\b|"
    r"dass\b|wenn\b|beide\b|"
    r"(?:die|der|das|den) (?:erste|zweite|dritte|vierte|letzte|andere|neue|alte|obere|untere|vorige|kürzere|längere|"
    r"idee|version|variante|lösung|vorschlag|ansatz|antwort|funktion|datei|code|schluss|anfang|titel|ton|stil|"
    r"entwurf|einstieg|"
    r"absatz|text|satz|farbe|überschrift)n?\b|das(?=$|,| (?:so|nicht|sehr|wirklich|lieber|besser|auch|gar))|"
    r"(?:gerade |grad |hier )?eine? (?:schleife|funktion|skript|liste|regex|variable|klasse|filter|array|tabelle)\b|"
    r"so\b(?! ?viel)|variante\b|option\b|alles\b|einen (?:filter|fehler|befehl)\b)",
    dangling=r"\b(?:damit|dafür|davon|darüber|daran|diese[rsnm]?|solche[rsn]?)\b(?! (?:jahr|monat|woche|projekt|"
    r"repo|team|rechner|semester))",
    doubtful=r"^(?:z\. ?b\.|zum beispiel|etwa so),? ich\b|^(?:wenn|falls|angenommen|stell dir vor|gesetzt den fall|"
    r"hätte|wäre|würde)\b"
    r"(?! (?:du|ich) .{3,60}, (?:dann )?(?:bitte|immer|nimm|antworte|schreib|gib|verwende|nutze))|"
    r"\b(?:endet nie|traceback)\b|\bliebe es\b|\bliebe .{2,30} ja\b|\b(?:noch nie behauptet|nie gesagt|"
    r"habe ich das gesagt)\b|"
    r"^(?:na|ja|oh|ach)? ?(?:toll|super|klasse|prima|wunderbar|großartig|klar|herrlich|spitze)[,!.]* (?:ich (?:liebe|"
    r"mag|freu)|"
    r"noch|schon wieder|mein|d(?:er|ie|as) .{3,60}\bliebe\b)",
    unsure=rf"\b(?:als (?:wärs?t?|hättes?t?) (?:du|ich)|(?:er|sie) so(?=$|,| ich)|(?<!auch )(?<!immer )wenn(?! man "
    rf"bedenkt| man,? wie ich)(?! du (?:mir|für|"
    rf"immer|kurz|deine|"
    rf"auf))(?! (?:du|ich) .{{3,60}}, (?:dann )?(?:bitte )?{VERBS}\b)|falls|würden?(?! gern)|würde?st|(?<!mir )wäre?|"
    rf"hätte(?! gern)|hätt|könnten?|müsste|eventuell|vielleicht|"
    r"ich glaube?|ich denke?|ich vermute|ich finde|ich hoffe|ich meine|ich weiß nicht|keine ahnung|möglicherweise|"
    r"wahrscheinlich|"
    r"vermutlich|angenommen|stell dir vor|nehmen wir an|wünschte|nicht sicher|unsicher|sagt|sagte|sagen(?! sie\b)|"
    r"meint|meinte|"
    r"behauptet|behauptete|schrieb|schreibt|erzählt|erzählte|fragt|fragte|laut meine[rm]|denkt|angeblich|früher|"
    r"damals|als ich noch|"
    r"mal in|ewig her|war mal|vor jahren|heute "
    r"morgen|gerade im|gerade am|down|ich meinte|irgendwann|mein traum|scheinbar)\b",
    technical=r"\b(?:fehler|fehlermeldung|absturz|stürzt|abgestürzt|bugs?|exception|kaputt|funktioniert nicht|"
    r"geht nicht|"
    r"klappt nicht|läuft nicht|startet nicht|nix passiert|nichts passiert|probleme?|warnung|hängt|timeout|"
    r"null (?:zurück|pointer)|"
    r"tests|jedem push|(?:der|in) ci|commits?|localhost|kompilier\w*|trace|schleife|funktion|filter|einträgen?|"
    r"konflikte?|"
    r"branch|nan|summe|nullen|pandas|numpy|datensatz|spalten|csv|liste mit|krieg\w* (?:ich )?(?:aber |immer |"
    r"dann ){0,4}(?:eine?n?|0|nur|nix)|button|login|spinnt|\w+\(\)|40[0-9]|50[0-9])(?!\w)",
    passing=r"\b(?:nochmals?|noch mal|gestern|grad|gerade|eben|gleich|nachher|heute?|heut|morgen(?!s)|übermorgen|"
    r"jetzt|momentan|"
    r"in \d+ min\w*|nur kurz|noch \d|schon wieder|"
    r"gefühlt|nächste[nr]? (?:woche|monat|jahr)|am (?:mon|diens|mitt|donners|frei|sams|sonn)\w*tag|nix passiert|"
    r"nichts passiert|versuche?|praktisch|quasi)\b",
    wishing=r"\bmöchte\b|\bhätte gern|\bwürde gern|\bhätt(?:e)? (?:so |da )?(?:mal |gern)|\bwill (?:mal |irgendwann|"
    r"unbedingt|mir|"
    r"nächstes)|\bwürd(?:e)? (?:so )?gern|\bhab(?:e)? vor\b|\büberlege?\b|\bheute\b|\bgleich noch\b|\bgeschenkt\b|"
    r"\bbin heut",
    asking=r"(?!habe? (?:mir|mich)\b)(?:kann|kannst|könntest|können|soll|sollte|muss|darf|bin|bist|ist|sind|habe|"
    r"hast|hat|was|wo|wann|warum|"
    r"wieso|wie|wer|welche[rsn]?|erinnerst|weißt|wohin|woher|hab|brauche?|gibts|gibt|reicht|lohnt|taugt) (?:ich|du|"
    r"wir|ihr|sie|er|"
    r"es|das|man|mir|dir|mein|ist|sind|habe|hast|kann|soll|viel|sich)\b(?! .*\b(?:gezogen|umgezogen)$)",
    material=rf"^sehr geehrte|^liebe[rs]? (?:frau|herr|team|kolleg)|\bwann sind wir (?:zusammen|gemeinsam)|"
    rf"\bübersetz|\bkorrigier(?:e|en)?{NO_THING}|\bkorrektur ?les|\bformulier\w* .{{0,200}}\bum(?=[.:!?]|$)|"
    rf"\bumformulier|\bstell dir vor|"
    rf"\btu so\b|\brollenspiel|\bangenommen\b|\bnehmen wir an\b|\bwir spielen\b|\blass uns .{{0,30}}spielen\b|"
    rf"\bspiel(?:e|st)? (?:mal )?"
    rf"(?:den|die|einen|eine|du)\b|\b(?:ab jetzt|jetzt|nun) bist du\b|\bdu bist \w+ und ich bin\b|"
    rf"\bdu bist (?:jetzt |nun )?(?:ein|eine|mein|meine|der|die) (?!beste|hilfe|schatz|held|engel|ki\b|lieb)|"
    rf"\bschreibe?(?: mir| uns)? (?:eine?n? |ne |nen |ein paar |drei )?(?:[\w-]+ ){{0,2}}{_TEXTS}\b|"
    rf"\b{_WORK_ON} (?:mir |uns |bitte |mal ){{0,4}}(?:den|die|das|diesen?|dieses|diese|meinen?|unseren?|"
    rf"folgenden?) (?:[\w-]+ )?{_TEXTS}\b|"
    r"\bwie sagt man\b|\bbeispielsatz|\bich-perspektive\b|\bwie (?:geht|lautet) der text\b|\bvon wem (?:ist|"
    r"stammt)\b|\bursprung von\b|"
    rf"\bfür (?:meine?n?|eine?n?) (?:{KIN}|kumpel|kollegen|kunden)\b.{{0,80}}: |\bklingt (?:die|der|das|"
    rf"diese[rs]?) \w+\b|"
    r"\bwas hältst du von (?:dem|der|diese[mr]) (?:slogan|spruch|text|satz|titel)\b|\bfülle? .{0,30}\b(?:formular|"
    r"fragebogen)\b|"
    r"\bwie viele? (?:\w+ )?(?:habe|hat|haben|bleiben|sind) (?:ich|er|sie|wir|es)?\b.{0,20}\b(?:noch|übrig|zusammen|"
    r"insgesamt|dann)\b|"
    r"\b(?:dieser|folgender?|diesen|folgenden) satz\b|\b(?:der|den) satz(?: [„\"“]| ?:)|\bgrammati|(?<!schweizer "
    r")(?<!alte )(?<!neue )\brechtschreib|"
    r"\bmein(?:e|em|er)? (?:roman|figur|protagonist)",
    joking=r"\b(?:scherz|nur spaß|war (?:nur )?(?:ein )?(?:spaß|witz|scherz)|kleiner scherz|ironie|spässle)\b",
    laughing=r"\b(?:haha\w*|hihi|lol)\b|[😂🤣😜😝😛🙃😏]",
    leads=r"(?:immer|jedes ?mal),? wenn (?:ich|du) [^,]{3,60}|(?:(?:es|das|jetzt|nun|also|so) )?(?:steht (?:jetzt |"
    r"nun )?fest|ist (?:jetzt |nun )?(?:entschieden|"
    r"beschlossen|fix|amtlich|offiziell|durch)|"
    r"(?:mein )?entschluss (?:steht(?: fest)?|gefasst)|endgültig entschieden|ich habe? mich (?:jetzt |"
    r"nun )?entschieden|(?:also )?(?:beschlossen|entschieden|abgemacht|ausgemacht))(?:,|:| -)?(?: |$)",
    given=rf"(?:{_BECAUSE}) |wenn man,? wie ich|für (?:jemanden|leute|einen), (?:der|die),? wie ich|(?:meine?n?m?r?|"
    rf"unsere?n?m?r?) (?:[\w-]+ )?{KIN}, (?:die|der|das) ",
    joints=r"(?=[ ,;()])(?:"
    r"(?:,|;| –| —| -)? (?=wenn man,? wie ich|für (?:jemanden|leute|einen), (?:der|die),? wie ich)|(?:,|;| –| —|"
    r" -)? und (?=jetzt |nun |dann )|"
    rf"(?:,|;| –| —| -)? (?=(?:{_BECAUSE}) {_SUBJECT})|"
    rf"(?:,|;| –| —| -)? (?:und|aber|doch|außerdem|denn|deshalb|sodass|&|u\.?) (?!ich (?:sind|haben|"
    rf"[a-zäöü]+en)\b)(?={_SUBJECT})|"
    r"(?:,|;| –| —| -)? (?:also|deshalb|daher|deswegen) (?:bitte )?(?=bitte |keine? |kein |nichts )|"
    r"(?:,|;| –| —| -)? und (?=bitte |ohne )|"
    r"(?:,|;| –| —| -) ?(?=(?:bei (?:uns|mir)|in (?:meiner|unserer) familie|zu ?hause|daheim) )|"
    r"(?:,|;| –| —| -)? (?:und|aber) (?=(?:habe?|bin|wohne?|arbeite?|esse?|trinke?|fahre?|nehme?|gehe?|lebe?|"
    r"studiere?|such|suche|"
    r"brauche?|check|kriege?|leide?|nutze?|spreche?|mag|schaffe?|steh|stehe|ständig|dauernd|jeder|alle|keiner|"
    r"kommen aus|hätte?|würde?|möchte|will|der|"
    r"die|das|er|sie|es|mein|wie|was) )|"
    rf"(?:,|;| –| —| -|\(|\)) ?(?={_SUBJECT}|(?:kannst|könntest|hast|weißt|können|könnten) (?:du|sie) |bitte |was |"
    rf"wie |welche|wo |wann |gibt|"
    r"soll|darf|hab |habe |bin |nutze |esse |wohne? |arbeite? |lebe? |fahre? |nehme? |studiere? |trinke? |hast |"
    r"suche? |brauche? |leg |mach |die machen|aber |jetzt |nun |will jetzt |will mal |will nun )|"
    r" (?=(?:brauche?|suche?|bräuchte) ich )|"
    rf" (?=(?:ich (?:habe?|bin|wohne?|arbeite?|esse|lebe?|studiere?|heiße?|komme aus)|mein(?:e)? (?:{KIN}|auto|"
    rf"name) (?:ist|hat|heißt))\b|"
    r"(?:was|wie|wo|welche[rsn]?) (?:kann|soll|muss|mach|geht|brauch|nehm|ist|sind|mache?|"
    r"könnte)\w* )" + _BEFORE + ")",
    about_me=r"\b(?:über mich|zu mir|zu meiner person|merk\w*|meine vorlieben|mein setup|unser stack|über uns|"
    r"zum merken|meine situation|zur situation|hintergrund|folgende situation)\b",
    states=r"^(?:ich|meine?|wir|unsere?)\b|\b(?:ist|sind|war|hat|haben|läuft|laufen|geht|gehen|kommt|kommen|heißt|"
    r"liegt|wohnt|braucht|beginnt|"
    r"endet|kostet|muss|kann|wird|werden|gilt|steht|schließt|öffnet|macht|gehört|abgelesen|abgeholt|fährt|bekommt)\b",
)
