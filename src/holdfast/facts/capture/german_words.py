"""The words that the German patterns choose from: trades, kin, pets, illnesses, habits, things that people own."""

from __future__ import annotations

from holdfast.facts.capture.speech import any_of

__all__ = [
    "ANIMALS",
    "DOES",
    "ILL",
    "JOBS",
    "KIN",
    "LACKED",
    "LIVES",
    "MEDICINE",
    "NOT_LASTING",
    "NO_HABIT",
    "OFTEN",
    "OWNED",
    "OWN_LIST",
    "ROLES",
    "STYLE",
    "TRADE",
    "TRAITS",
    "VERBS",
]

NO_HABIT = any_of(
    "schaue|gucke|schulde|recherchiere|vergleiche|betrachte|google|will|möchte|brauche|suche|denke|glaube|meine|finde|weiß|kann|soll|muss|darf|würde|hätte|könnte|habe|bin|war|"
    "hatte|wurde|wäre",
    "verstehe|sehe|bekomme|kriege|versuche|frage|sage|erinnere|hoffe|wünsche|freue|bitte|danke|mache|gehe|komme|"
    "nehme|gebe|klicke",
    "öffne|starte|installiere|schicke|sende|bestelle|warte|stehe|sitze|bleibe|verliere|vergesse|probiere|rufe|lade|"
    "lösche|ändere",
    "teste|schreibe|lese|kaufe|plane|überlege|wundere|ärgere|langweile|verspreche|schwöre|wette|rate|empfehle|"
    "schlage|tue",
    "führe|erhalte|merke|höre|fühle|spüre|kenne|vermisse|bereue|zweifle|fürchte|vermute|gestehe|bezweifle|stelle|"
    "setze|lege",
    "drücke|tippe|kopiere|füge|ziehe|schiebe|rendere|kompiliere|lasse|werde|starte|beende|fange|höre|drehe|hole|"
    "bringe|zeige|treffe",
    "mag|liebe|hasse|bevorzuge|verabscheue|heiße|lüge|sterbe|checke|raffe|peile|check|scheitere|bewerbe|wechsle|"
    "steige|melde|nenne",
    "und|oder|aber|auch|nicht|nur|noch|schon|da|so|ja|es|das|dich|dir|dann|würd|wollte|sollte|konnte|musste|dachte|"
    "brauchte|arsch",
    "entschuldige|korrigiere|wiederhole|bedanke|gratuliere|verbinde|importiere|iteriere|definiere|rechne|addiere|"
    "teile dir|spring\\w*",
)
JOBS = any_of(
    r"\w*(?:entwickler|programmierer|lehrer|ingenieur|informatiker|designer|berater|architekt|techniker|mechaniker|"
    r"manager|leiter|pfleger|arbeiter|trainer|fahrer|händler|verkäufer|künstler|schreiber|elektriker|handwerker|"
    r"bäcker|gärtner|übersetzer|dolmetscher|forscher|wissenschaftler|mathematiker|physiker|chemiker|musiker|fotograf|"
    r"schreiner|tischler|maler|metzger|fleischer|friseur|installateur|schlosser|zimmerer|dachdecker|maurer|klempner|"
    r"förster|imker|winzer|schweißer|dreher|fräser|richter|pfarrer|lektor|kellner|mediziner|therapeut|assistent|"
    r"sachbearbeiter|buchhalter|administrator|tester|analytiker|consultant|sozialarbeiter|hausmeister|optiker|"
    r"logopäde)"
    r"(?:in|e)?",
    r"\w*(?:arzt|ärztin|student|studentin|professor|professorin|doktorandin?|journalist|journalistin|polizist|"
    r"polizistin|jurist|juristin|anwalt|anwältin|apotheker|apothekerin|psychologin?|biologin?|historikerin?|koch|"
    r"köchin|"
    r"krankenschwester|hebamme|erzieher|erzieherin|azubi|rentner|rentnerin|beamter|beamtin|freiberufler|"
    r"freiberuflerin|unternehmer|unternehmerin|gründer|gründerin|freelancer|redakteur|redakteurin|autor|autorin|"
    r"landwirt|"
    r"landwirtin|bauer|bäuerin|pilot|pilotin|logopädin|pädagogin?|kauffrau|kaufmann|hausfrau|hausmann|lehrling|"
    r"fachkraft|fachfrau|fachmann|assistenz|dirigentin?|sekretärin?|notarin?|steuerfachangestellte|mfa|mta|pta|"
    r"devops|cto|ceo)",
    "witwer?|single|sternzeichen \\w+|pendler(?:in)?|wirt(?:in)?|schäfer(?:in)?|matrose|soldat(?:in)?|hobby\\w+|"
    "anfänger(?:in)?",
)
TRAITS = any_of(
    "selbstständig|selbständig|freiberuflich|verheiratet|geschieden|verwitwet|ledig|schwanger|pensioniert|arbeitslos",
    "vegetarier|vegetarierin|vegan|veganer|veganerin|vegetarisch|diabetiker|diabetikerin|linkshänder|linkshänderin|"
    "getrennt",
    "alleinerziehend|querschnittsgelähmt|blind|gehbehindert|nichtraucher|nichtraucherin|berufstätig|zweisprachig|"
    "schwul",
    "farbenblind|rot-grün-blind|legastheniker|legasthenikerin|schwerhörig|gehörlos|laktoseintolerant|lesbisch|"
    "nichtbinär",
    r"allergisch|\w*allergiker(?:in)?|christ|christin|muslim|muslima|jüdisch|katholisch|evangelisch|vater|mutter|oma|"
    r"opa",
    r"sikh|hindu|buddhist(?:in)?|atheist(?:in)?|moslem|jude|jüdin|minderjährig|volljährig|verlobt|verrentet|in rente|"
    r"im ruhestand|in elternzeit|in altersteilzeit|frühaufsteher(?:in)?",
    r"taub|stumm|gelähmt|kleinwüchsig|ansässig|kurzsichtig|weitsichtig|sehbehindert|autistisch|autist(?:in)?|"
    r"epileptiker(?:in)?|asthmatiker(?:in)?|bluter|"
    r"adoptiert",
    r"nierenkrank|herzkrank|zuckerkrank|schwerbehindert|dialysepflichtig|hochsensibel|pescetarier(?:in)?|"
    r"glutenintolerant",
    r"deutsche?r?\b|österreicher(?:in)?|schweizer(?:in)?|türk(?:e|in)|pol(?:e|in)|ukrainer(?:in)?|ital\w+|franzose|"
    r"französin",
    r"\w+(?:suchend|tätig|berechtigt|intolerant|behindert|pflichtig|jährig|süchtig|gläubig|sprachig|geimpft)|"
    r"nachteule|morgenmensch|linkshändig|angestellt|verbeamtet|gelernte[r]? \w+|ausgebildete[r]? \w+|"
    r"studierte[r]? \w+",
)
KIN = any_of(
    "frau|mann|partner|partnerin|freundin|freund|ehefrau|ehemann|mutter|mama|mutti|vater|papa|schwester|bruder|sohn|"
    "tochter",
    "kind|kleine[rn]?|große[rn]?|älteste[rn]?|jüngste[rn]?|mittlere[rn]?|tante|onkel|cousin|cousine|nichte|neffe|oma|"
    "opa|zwillinge",
    "großmutter|großvater|chef|chefin|kollege|kollegin|mitbewohner|mitbewohnerin|vermieter|vermieterin|nachbar|"
    "nachbarin",
    "hausarzt|hausärztin|ärztin|arzt|zahnarzt|zahnärztin|anwalt|anwältin|steuerberater|steuerberaterin|betreuer|"
    "betreuerin",
    r"\w+jähriger?|mentor|mentorin|kunde|kundin|(?:schwieger|stief|enkel|paten|groß|pflege|adoptiv)(?:mutter|vater|"
    r"sohn|tochter|kind(?:er)?|"
    r"eltern|bruder|schwester|mama|papa)|enkelin|enkel|kinder|eltern|geschwister|jungs|mädels|söhne|töchter|schwager|"
    r"schwägerin|verlobter?|ex|exfrau|exmann|baby|teenager|patenonkel|patentante|putzfrau|mieter|babysitterin|wg",
)
ANIMALS = any_of(
    r"(?:pflege|renn|hof|zwerg|zucht|haus|jagd|hüte)?(?:hunde?|katzen?|pferde?|schafe?)|hündin|kater|pferde?|pony|"
    r"papagei(?:en)?|wellensittiche?|kanarienvogel|hamster|kaninchen|hasen?|"
    r"meerschweinchen|ratten?|schildkröten?|hühner|henn?en|enten|ziegen?|schafe?|kühe|bienen|bienenvölker|bienenvolk|"
    r"dackel|labrador|schäferhund|mops|pudel|terrier|retriever|husky|beagle|dogge|collie|mischling|border collie|"
    r"spitz|"
    r"fische|aquarium|terrarium|gecko|schlange|esel|alpakas?|haustiere?|welpen?|frettchen|windhund|chihuahua|rüde",
)
# In German a noun has a capital: "ich bin Tischlerin" needs no list of trades.
TRADE = (
    r"(?-i:(?!Meinung|Kunde|Fan|Sicher|Gast|Opfer|Bewerber|Käufer|Anrufer)[A-ZÄÖÜ][a-zäöüß-]{2,30}(?:er|erin|ist|"
    r"istin|ent|"
    r"entin|eur|eurin|ant|antin|or|orin|mann|frau|wirt|wirtin|loge|login|kraft|hilfe|pfleger|päde|pädin|ologin|iker|"
    r"ikerin|"
    r"graf|grafin|arzt|ärztin|schwester))\b"
)
ILL = any_of(
    r"diabetes|asthma|migräne|zöliakie|heuschnupfen|bluthochdruck|rheuma|epilepsie|neurodermitis|depressionen|adhs|"
    r"adh?s",
    r"\w*allergie|\w*allergien|\w*unverträglichkeit|\w*intoleranz|rücken|arthrose|tinnitus|höhenangst|flugangst|"
    r"platzangst",
    r"laktoseintoleranz|reizdarm|morbus \w+|hashimoto|gicht|arthritis|osteoporose|psoriasis|schuppenflechte|"
    r"endometriose|ms",
    r"multiple sklerose|parkinson|krebs|schlafapnoe|reflux|autismus|legasthenie|dyskalkulie|bandscheibenvorfall|"
    r"skoliose|hiv",
    r"herzschrittmacher|künstliche[sn]? (?:knie|hüfte|hüftgelenk)|plattfüße|zucker|schilddrüsenunterfunktion|lipödem|"
    r"copd",
    r"demenz|alzheimer|angststörung|depression|burnout|thrombose|herzfehler|herzinsuffizienz|hepatitis|akne|rosazea|"
    r"vitiligo|anämie|eisenmangel|"
    r"fibromyalgie|sehschwäche|hörschaden|gallensteine|nierensteine|glaukom|grauen star|polyarthritis|colitis|"
    r"hypertonie|lungenemphysem|down-?syndrom",
    r"neue hüfte|knieprothese|hörgeräte?|long covid|ptbs|borderline|\w*phobie|blutgruppe|nur eine niere|hypothyreose",
)
MEDICINE = (
    r"(?:marcumar|insulin|die pille|blutverdünner|betablocker|antidepressiva|cortison|kortison|ritalin|metformin|"
    r"l-?thyroxin|"
    r"thyroxin|lithium|blutdrucktabletten|schilddrüsentabletten|[a-zäöü]{3,}(?:pril|sartan|olol|prazol|statin|formin|"
    r"oxetin|"
    r"pram|azepam|parin|xaban|cillin|zin)|antihistaminika|eliquis|xarelto|ozempic|immunsuppressiva)\b"
)
OFTEN = any_of(
    r"jede[ns]? (?:zweiten? |dritten? |ersten? |letzten? )?(?:tag|morgen|abend|nacht|woche|monat|jahr|wochenende|"
    r"sommer|winter|"
    r"herbst|frühling|mittag|\w+tag(?:e)?)|täglich|wöchentlich|monatlich",
    r"\w+(?:mal| mal| stunden| kilometer| km| bücher| tage| abende) (?:am tag|die woche|in der woche|pro (?:tag|"
    r"woche|monat|jahr)|"
    r"im (?:jahr|monat)|wöchentlich)",
    r"(?:mon|diens|donners|frei|sams|sonn)tag(?:s|abends|nachmittags|vormittags|morgens)|mittwochs|(?:morgen|abend|"
    r"nacht|"
    r"vormittag|nachmittag|mittag)s|unter der woche|am wochenende|immer (?:am |mon|diens|mitt|donn|frei|sams|sonn)\w*",
)
LACKED = (
    r"(?:auto|führerschein|garten|balkon|smartphone|fernseher|backofen|mikrowelle|drucker|keller|aufzug|kinder|"
    r"spülmaschine)"
)
NOT_LASTING = any_of(
    r"hunger|durst|fieber|kopfschmerzen|schnupfen|termin|problem|frage|keine? (?:ahnung|zeit|lust|idee|netz|plan)|"
    r"liste|datei",
    r"array|string|tabelle|spalte|zeile|funktion|klasse|variable|button|seite|formular|skript|code|abfrage|csv|json|"
    r"objekt|schleife",
    r"log|server|komponente|branch|commit|konflikt|entwurf|text|absatz|satz|brief|aufsatz|hausaufgabe|flug|zug|"
    r"minute|stunde|pause",
    r"vorstellungsgespräch|prüfung|klausur|gespräch|meeting|\w*tag|gefühl|eindruck|verdacht|bitte|anliegen|wunsch|"
    r"bier|kater|dings",
    r"huhn|ei|zwiebel|lauch|kartoffel|tomate|kürbis|zucchini|kohl|rezept|nachricht|mail|anruf|paar|bisschen|"
    r"möglichkeit|chance|wahl",
    r"\w*(?:furchtbar|schrecklich|schlecht|stressig)\w*|sache|ding|kleine frage|andere|neue|tipp|rat|link|lösung|"
    r"ausgabe|wert|zahl",
    r"idee|besuch|urlaub|bock|stress|angst|recht|glück|pech|zeit|fehler|grippe|erkältung|doppelt so viele?|mir|"
    r"gesagt|gefragt",
)
DOES = any_of(
    "wohnt|lebt|arbeitet|liebt|mag|isst|trinkt|spielt|studiert|spricht|raucht|verträgt|hasst|bevorzugt|leidet (?:an|"
    "unter)",
    r"leben|wohnen|arbeiten|haben (?:zwei|drei|kein|beide|eine?)|sprechen|essen|mögen|sind beide|lernt|unterrichtet|"
    r"darf (?:\w+ ){0,2}keine?n?|kommt (?:\w+ ){0,3}(?:in die|aus)|geht (?:in|auf) (?:die|den|eine?)|wird \d+",
    r"braucht (?:einen rollstuhl|eine brille|insulin)|hat (?:" + ILL + "|" + ANIMALS + r"|"
    r"(?:\w+ ){0,2}?(?:" + ILL + "|"
    r"eine? \w+allergie|adhs)|(?:am \S+ (?:\w+ )?)?geburtstag|zwei |drei |vier |keine?n? )|sitzt im rollstuhl|"
    r"sieht (?:kaum|schlecht|"
    r"nicht)|hört (?:kaum|schlecht|nicht)|ist allergisch|trägt|nimmt|fährt (?:eine?n?|nur|kein)|frisst (?:nur|kein)",
)
ROLES = any_of(
    r"\w*(?:leiter|leitung|führer|betreuer|verantwortliche|chef|entwickler|designer|architekt|ansprechpartner|"
    r"manager|kollege|kollegin|inhaber|gründer|mitarbeiter|berater|lehrer|trainer|vermieter|nachbar)(?:in|r)?",
    r"ceo|cto|cfo|\w*lead|product owner|scrum master|po|pm|ärztin|arzt|frau|mann|schwester|bruder|sohn|tochter|"
    r"mutter|vater",
)
OWNED = any_of(
    ANIMALS,
    ILL,
    r"\w*kind|\w*kinder|sohn|söhne|tochter|töchter|zwillinge|drillinge|geschwister|bruder|brüder|schwestern?|enkel|"
    r"enkelin|"
    r"jungs|mädchen|dreijährige\w*|neugeborenes|säugling|\w+jährige[nrs]?|baby",
    r"\w*(?:heizung|wärmepumpe|kamin|ofen|herd|garten|balkon|haus|wohnung|terrasse|gewächshaus|pool|sauna|werkstatt|"
    r"garage|"
    r"keller|solaranlage|photovoltaik|pv-anlage|küche)",
    r"\w*(?:auto|wagen|bus|bulli|roller|motorrad|fahrrad|(?<!g)rad|e-?bike|wohnmobil|wohnwagen|traktor|anhänger|boot|"
    r"duster|golf|"
    r"polo|passat|octavia|corsa|fiesta|tesla|kombi)",
    r"\w*(?:laptop|thinkpad|macbook|iphone|ipad|tablet|drucker|kamera|konsole|fritzbox|nas|raspberry pi|pc|kindle|"
    r"smartwatch)",
    r"bahncard(?: \d+)?|führerschein|deutschlandticket|monatskarte|behindertenausweis|schwerbehindertenausweis|"
    r"jahreskarte",
    r"klavier|gitarre|geige|cello|schlagzeug|saxophon|nähmaschine|siebträger|thermomix|dampfgarer|induktionsherd|"
    r"teleskop",
    r"\w*(?:firma|laden|café|praxis|betrieb|hof|bauernhof|podcast|blog|kanal|onlineshop|verein|abitur|abi|ausbildung|"
    r"studium)",
    r"locken|trockene haut|empfindliche haut|fettige haut|brille|zahnspange|staatsangehörigkeit|pass|kündigungsfrist",
)
LIVES = any_of(
    "wohne|lebe|arbeite|studiere|unterrichte|forsche|promoviere|sammle|züchte|spiele|spreche|lerne|singe|tanze|reite|"
    "klettere",
    "angele|segele|bastele|häkele|radele|schwimme|jogge|wandere|male|zeichne|stricke|häkle|nähe|backe|braue|imkere|"
    "gärtnere|angle|jage|segle|fotografiere|koche",
    "meditiere|bete|faste|rudere|turne|boxe|trainiere|pendle|pendel|vermiete|verdiene|wiege|programmiere|entwickle|"
    "coache",
    "halte (?:den|die|das) (?:sabbat|ramadan|fastenzeit|diät)|ernähre mich|engagiere mich|leite|betreibe|besitze|"
    "führe|moderiere|halte (?:hühner|bienen|ziegen|schafe|kaninchen)|baue",
    "fahre (?:rollstuhl|beruflich|privat|seit|gern|viel|täglich|ein|eine|einen|nur|immer|rad|fahrrad|motorrad|"
    "rennrad|mit|zweigleisig)|mache (?:eine ausbildung|gerade "
    "(?:meinen?|eine)|(?:\\w+ )?(?:sport|triathlon|yoga|judo|karate|pilates|crossfit|musik|theater|krafttraining|"
    "ballett|leichtathletik)|schichtarbeit|schichtdienst|mein(?:en)? (?:abi|master|bachelor|meister))",
)
VERBS = any_of(
    "benutze?|verwende|nutze?|antworte|schreibe?|nimm|mache?|gib|führe?|lasse?|committe|pushe?|frage?|teste|formatiere",
    "erkläre?|zeige?|sprich|vermeide|füge?|setze?|starte|lösche?|ändere|prüfe?|nenne?|rechne|deploye|merge|begründe|"
    "halte?",
    "runde|sei|bleib|verlinke|rede|duze?|sieze?|empfiehl|schlage?|liste|kürze?|übersetze?|zitiere|sage?|gebt?|fasse?|"
    "bleibe?|achte|spare?",
)
OWN_LIST = (
    r"(?:name|vorname|nachname|spitzname|geburtstag|zeitzone|adresse|telefonnummer|handynummer|e-?mail(?:-adresse)?|"
    r"beruf|muttersprache|schuhgröße|\w*größe|blutgruppe|arbeitgeber|github-name|arbeitszeit|arbeitszeiten|"
    r"hochzeitstag|alter|"
    r"heimatstadt|betriebssystem|tastatur|editor|browser|firma|kennzeichen|pronomen|auto|wagen|fahrrad|rad|e-bike|"
    r"laptop|rechner|handy|"
    r"drucker|kamera|budget\w*|wohnung|haus|garten|balkon|küche|heizung|herd|studium|masterarbeit|bachelorarbeit|"
    r"abgabe|prüfung|"
    r"hochzeit|schicht|arbeitstag|hobby|hobbys|religion|sternzeichen|gewicht|job|ausbildung|schule|uni|verein|"
    r"instrument|setup|"
    r"konto|bank|krankenkasse|stundenlohn|gehalt|miete|pass|nationalität|staatsangehörigkeit|stellplatz|urlaub|team|"
    r"sprache)"
)
STYLE = any_of(
    r"emojis?|smileys?|aufzählungen|aufzählungszeichen|stichpunkte?|bulletpoints?|listen|tabellen|markdown|"
    r"überschriften|fettdruck",
    r"fachbegriffe|fachchinesisch|fremdwörter|anglizismen|floskeln|einleitung(?:en)?|geschwafel|drumherum|"
    r"small ?talk|disclaimer",
    r"warnhinweise|rückfragen|ausrufezeichen|gendersternchen|gendern|abkürzungen|belehrungen|moralpredigten|"
    r"entschuldigungen|lob",
    r"lange[n]? (?:texte|erklärungen|antworten|sätze)|romane|metaphern|denglisch|kommentare im code|ironie|"
    r"gedankenstriche",
)
