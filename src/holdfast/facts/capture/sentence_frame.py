"""What stands before a statement and makes it somebody else's, or nobody's: a label, a game, a report, a role.

"Bob: I live in Oslo", "in Skyrim I live in Whiterun", "Anna believes I work at Acme" and "you are a doctor, I am your
patient" all hold a sentence of the first person, and none of them is about who typed it. In every language, because a
text and the request around it are seldom in the same one; each pattern is tried on one sentence.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from holdfast.facts.capture.heads import leads_in
from holdfast.facts.capture.speech import NAME
from holdfast.facts.subject_places import is_known

__all__ = ["announces", "benign_label", "casts", "fronted", "reported", "reports_an_error"]

_SMALL: Final = (
    r"(?:(?:just|an?|one|quick|small|short|brief|minor|little|some|for|as|eine?|kleine[rs]?|kurze[rs]?|noch eine?|une?|"
    r"petite?|petit|una|un|pequeñ[oa]|breve|uma|pequen[oa]|another|important|personal|my|meine?|ma|mon|mi|minha|meu) )?"
)
_LABEL: Final = (
    _SMALL
    + r"(?:correction|update|fyi|context|background|note(?: to self| to myself)?|p\.? ?s\.?|about (?:me|us|myself)|"
    r"remember|reminder|fun fact|full disclosure|disclosure|disclaimer|heads[- ]?up|btw|by the way|important|info|"
    r"information|clarification|addendum|one more thing|more context|(?:house |ground )?rules?|preferences?|"
    r"language|tone|format|style|units|diet|allerg(?:y|ies)|situation|facts?|(?:more )?things?|thing is|truth is|"
    r"confession|news|good "
    r"news|bad news|big news|decision|decided|edit|long story short|tl;?dr|in short|reality|bonus info|backstory|"
    r"korrektur|richtigstellung|zur info(?:rmation)?|nachtrag|kontext|hintergrund|wichtig|notiz(?: an mich)?|über "
    r"(?:mich|uns)|merk(?:e|s)?(?: dir)?|erinnerung|übrigens|zu mir|zur person|zur situation|ergänzung|hinweis|"
    r"anmerkung|neuigkeit|regeln?|sprache|ton|stil|allergien?|entscheidung|fakt|klarstellung|nebenbei|situation|"
    r"zur erinnerung|zum kontext|nur so|kurzum|"
    r"précision|rectification|rectificatif|pour info(?:rmation)?|contexte|rappel|note(?: pour moi)?|à (?:savoir|noter|"
    r"retenir)|mise à jour|à propos de moi|sur moi|règles?|langue|allergies?|décision|au fait|retiens|souviens-toi|"
    r"nouvelle|corrección|rectificación|nota(?: para mí)?|contexto|actualización|aclaración|dato(?: curioso)?|"
    r"importante|recordatorio|p\.? ?d\.?|posdata|sobre m[íi]|por cierto|para que (?:sepas|conste)|reglas?|idioma|"
    r"alergias?|decisión|recuerda|apunta|ojo|novedad|"
    r"correção|retificação|nota|contexto|atualização|esclarecimento|lembrete|lembre(?:-se)?|lembra|sobre mim|aliás|"
    r"para constar|só para (?:constar|saber)|regras?|decisão|anota|anote|detalhe|curiosidade|novidade|informação)"
)
"""Before a colon: what leaves the words behind it their speaker's own. Any other label is a name, a part in a
dialogue, a kind of text or what to do with it, and there is no end of those."""

# Up to the noun, and across no verb of the speaker's: "in Leeds I play the cello" tells of no play.
_BEFORE_NOUN: Final = (
    r"(?:(?!(?:i|i'm|i've|we|ich|wir|je|j'\w+|on|nous|yo|eu|soy|sou|estoy|estou|hago|faço)\b|(?!otr|nuev|mism|propi|"
    r"nuestr|"
    r"outr|nov|mesm|própri|noss)[a-záéíóúñç]{3,}o )[\w'-]+ ){0,3}?"
)
_UNREAL: Final = (
    rf"(?:in|inside|within|under|on|at|for) {_BEFORE_NOUN}(?:scenarios?|stor(?:y|ies)|movie|films?|novel|play|sketch|"
    r"skit|simulations?|exercise|examples?|demo|argument|theory|purposes?|sake|test(?:s|ing)?|mock|fantas(?:y|ies)|"
    r"dreams?|"
    r"experiments?|hypothe\w+|(?:ideal|perfect|parallel|fictional|virtual|other|another|past|next) (?:world|universe|"
    r"life)|(?:the|this|that|a) role|role-?play\w*|game|campaign|episode|series|script|dialogue|question|quiz|"
    r"practice mode|paper|pen name|"
    r"fair|halloween|carnival|tinder|musical|opera|comic|manga|anime|metaverse|sandbox|placeholder|template|fiction|"
    r"imagination|legend|joke|stage|screen|sequel|prequel|remake|cosplay)\b(?! (?:development|design|night|room|"
    r"shop|store|industry|studio))|"
    rf"(?:im|in|auf|für|bei|unter|beim|zu|am) {_BEFORE_NOUN}(?:szenario|geschichte|märchen|romane?|film|sketch|"
    r"theaterstück|stück|simulation|übung|beispiel|aufgabe|frage|theorie|fantasie|phantasie|traum|träumen|"
    r"gedankenexperiment|experiment|(?:idealen|perfekten|anderen|parallelen) (?:welt|leben)|rolle|rollenspiel|spiel|"
    r"kampagne|folge|serie|drehbuch|krimi|hörspiel|papier|fasching|karneval|musical|oper|comic|tests?|demo|bühne|"
    r"leinwand|fortsetzung|prequel)\b|"
    rf"(?:dans|pour|sur|au|à|en) {_BEFORE_NOUN}(?:scénario|histoire|film|roman|sketch|simulation|pièce|spectacle|"
    rf"exercice|"
    r"exemple|démo|théorie|(?:monde|univers) (?:idéal|parfait|parallèle)|(?:autre|prochaine) vie|expérience de pensée|"
    r"rêves?|jeu|rôle|épisode|série|papier|conte|bd|opéra|carnaval|test|fiction|suite|scène|"
    r"bande dessinée)\b(?! société)|"
    rf"(?:en|para|sobre|por) {_BEFORE_NOUN}(?:escenario|historia|cuento|película|novela|sketch|obra(?! de|s)|función|"
    r"ejercicio|ejemplo|teoría|mundo (?:ideal|perfecto|paralelo)|otra vida|experimento|sueños?|juego|papel|rol|"
    r"episodio|simulación|guion|guión|ficción|carnaval|serie|prueba|demo|test|secuela|tablas)\b|"
    rf"(?:no|na|num|numa|nest[ea]|nesse|nessa|em|para|nos|nas|noutra|noutro) {_BEFORE_NOUN}(?:cenário|história|conto|"
    rf"filme|"
    r"romance|peça|esquete|exercício|exemplo|teoria|mundo (?:ideal|perfeito|paralelo)|(?:outra )?vida passada|outra "
    r"vida|sonhos?|jogo|episódio|simulação|roteiro|ficção|pergunta|tarefa|novela|experimento|papel|carnaval|série|"
    r"teste|demo)\b"
)
_FRONTED: Final = (
    rf"{_UNREAL}|"
    r"(?:as an?|als|comme|à titre d'|como|a modo de) ?(?:little |kleines |petit |simple |thought )?(?:exercise|"
    r"experiment|"
    r"example|test|joke|gedankenspiel|beispiel|exemple|exercice|expérience|ejemplo|ejercicio|experimento|exemplo|"
    r"exercício|"
    r"hypothes[ei]s)\b|"
    # What a paper says may be old or wrong, and is seldom said for its own sake.
    r"(?:in|on|im|auf|laut|sur|dans|en|no|na|em) (?:[\w']+ ){0,2}?(?:passport|records?|medical file|chart|badge|"
    r"contract|"
    r"paperwork|pass|ausweis|akte|vertrag|formular|passeport|dossier|contrat|formulaire|pasaporte|ficha|contrato|"
    r"formulario|"
    r"passaporte|formulário|cadastro)\b|"
    r"(?:im|in|auf|laut) [\w ]{3,30} steht,? (?:dass )?(?:ich|wir|meine?)\b|"
    r"(?:rein )?(?:hypothetically|theoretically|fictionally|theoretisch|hypothetisch|théoriquement|hypothétiquement|"
    r"teóricamente|hipotéticamente|teoricamente|hipoteticamente)\b|"
    r"(?:in|at|on|for|under|im|in|auf|für|beim?|unter|dans|pour|sur|en|para|no|na|"
    r"em) (?:[\w'-]+ ){1,5}(?:my name is|i'm "
    r"called|i am called|heiße ich|ist mein name|je m'appelle|mon nom est|me llamo|mi nombre es|me chamo|chamo-me|"
    r"(?:o )?meu nome "
    r"é)\b|"
    r"(?:rumou?r has it|legend has it|word is|as far as (?!i\b)[\w' ]{2,30} (?:knows?|is concerned|can tell))\b"
)
_LIVED: Final = (
    r"(?:(?:i|we) (?:live|am|was|have|own|drive|work|play|married|rule|command|run)\b|i'm|i've|we've|we're|my|our|"
    r"(?:lebe|"
    r"wohne|bin|habe|hab|heiße|besitze|fahre|arbeite|regiere) ich|je (?:suis|vis|m'appelle|travaille)|j'(?:ai|"
    r"habite)|mon|"
    r"ma|(?:yo )?(?:vivo|soy|tengo|me llamo|trabajo|mi)|(?:eu )?(?:moro|vivo|sou|tenho|me chamo|chamo|trabalho|meu|"
    r"minha))\b"
)
# "In Skyrim I live": a place that no list of places knows; "in Rust I use" tells of a tool.
_SOMEWHERE: Final = (
    rf"(?:in|en|dans|em|no|na|nos|nas) (?P<place>(?:(?:der|die|the|les|los|las|os|as|la|le|el|l') ?)?{NAME}"
    rf"(?: (?:{NAME}|of|the|de)){{0,4}}),? (?={_LIVED})"
)
# "In this riddle, I live": something that nobody lives in, where it is no time, and no place or circle of people.
_WITHIN: Final = (
    r"(?P<head>(?:in (?:the|this|that|an?|one)|in (?:diese[mr]|eine[mr]|jene[mr])|dans (?:le|la|les|ce|cet|cette|"
    r"une?)|en (?:el|la|"
    r"este|esta|ese|esa|una?)|n?(?:este|esta|esse|essa|um|uma)|for (?:this|that|the)|für (?:diese[ns]?)|pour (?:ce|"
    r"cet|cette)|para "
    rf"(?:este|esta|esse|essa)) [\w'-]+(?: [\w'-]+)?),? (?={_LIVED})"
)
_TIMES: Final = (
    r"teilzeit|vollzeit|elternzeit|rente|pension|altersteilzeit|kurzarbeit|ausbildung|quarantäne|therapie|behandlung|"
    r"wirklichkeit|wahrheit|zukunft|summer|winter|spring|autumn|fall|january|february|march|april|may|june|july|"
    r"august|september|october|november|december|\d+|kürze|ordnung|english|german|french|spanish"
)
_SAYS: Final = (
    r"(?:believe|think|claim|insist|swear|figure|reckon|assume|suspect|suppose|guess|say|tell|show|state|list|record|"
    r"note|indicate|suggest|pretend|report|write|imply|know|hear|imagine|declare|maintain|mention|hope|fear|feel|"
    r"confirm|decide|conclude|predict|hint|complain|joke|wish|announce|promise|argue|find|learn)(?:s|d|ed|es)?|"
    r"thought|said|told|wrote|knew|heard|felt|found|swore|shown|noted"
)
_DENKT: Final = (
    r"(?:glaub|denk|mein|sag|vermute|finde|behaupte|zeig|notier|erzähl|hoff|versicher|beharr|besteh|fürchte|"
    r"bestätig|erklär|ahn|schätz|tipp|befürchte|unterstell|verkünde|berichte|mutmaß)t(?:e|en)?|schreibt|schrieb|"
    r"schwört|schwor|weiß|wusste|fand|dachte|(?:glaub|denk|mein|sag|vermut|find|behaupt|schreib)en|nehmen an|"
    r"nimmt an|nahm an|geht davon aus|ist (?:sich sicher|überzeugt|sicher|der "
    r"meinung)|hat (?:\w+ ){0,4}?(?:gesagt|geschrieben|gemeint|behauptet|erzählt|notiert)"
)
_DIT: Final = (
    r"pense|croit|dit|affirme|prétend|jure|insiste|suppose|note|écrit|montre|indique|affiche|raconte|trouve|assure|"
    r"sait|imagine|estime|soutient|cree|piensa|dice|afirma|jura|supone|anota|escribe|muestra|indica|cuenta|asegura|"
    r"sabe|opina|sostiene|insiste|acha|pensa|diz|jura|supõe|mostra|conta|escreve|garante|acredita|afirma|"
    r"a (?:dit|écrit|noté|affirmé|raconté|répondu)|dijo|escribió|contó|anotó|disse|escreveu|contou|anotou|falou"
)
_WHO: Final = (
    rf"(?:(?:the|an?|some|another|this|that|my|our|his|her|der|die|das|ein|eine|meine?|unsere?|le|la|les|l'|mon|ma|"
    rf"el|los|mi|o|os|meu|minha|"
    rf"um|uma|une?)(?: |(?<='))(?:[\w'-]+ )?[\w'-]+|(?:everybody|everyone|people|nobody|alle|jeder|die leute|"
    rf"tout le monde|todos|todo el mundo|todo mundo)(?: [\w-]+){{0,3}}?|{NAME}(?: {NAME})?)"
)
_REPORTED: Final = (
    rf"(?!(?:i|we|ich|wir|je|j'|nous|yo|eu|nós|tu|you|du|should|do|did|can|could|will|would|as|if|when|and|but|so|"
    rf"soll|wie|comme|como)\b){_WHO} (?:(?:all|still|always|also|just|clearly|immer|"
    rf"auch|steif|fest|wohl|toujours|aussi|siempre|sempre) )?"
    rf"(?:{_SAYS}|{_DENKT}|{_DIT})(?: (?:me|us|mir|uns|darauf|en|dass|daß|that|how|que))?,? ?(?:que |qu'|dass |that )?"
    r"(?:i|i'm|i've|my|we|ich|mein|meine|wir|je|j'|mon|ma|on|soy|vivo|tengo|trabajo|me|mi|yo|eu|sou|moro|tenho|"
    r"trabalho|"
    r"meu|minha|estoy|estou|odio|odeio)\b|"
    r"(?:according to|laut|gemäß|zufolge|selon|d'après|aux? dires? d|según|de acuerdo con|segundo (?:o|a|os|as|meu|"
    r"minha|ele|ela|(?-i:[A-Z]))|conforme (?:o|a|meu|minha)|de acordo com|nach (?:ansicht|meinung|angaben|aussage)|"
    r"in (?:the )?(?:opinion|eyes|words) of|in (?:his|her|their|anna's) (?:opinion|eyes|words|view)|"
    r"na opinião d|en opinión de|à en croire|a decir de|per (?:the|my|his|her|our)|as per|aus sicht|"
    r"by (?:his|her|their) account|from what (?!i\b)|by what (?!i\b)|nach dem,? was (?!ich\b)|por lo que (?!s[eé]\b|"
    r"a mí)|"
    r"pelo que (?!sei\b)|judging (?:by|from)|to judge (?:by|from)|going by|à (?:lire|entendre|"
    r"en juger par)|a juzgar "
    r"por|a julgar pel|d(?:em|er|en) [\w-]+(?: [\w-]+)? zufolge|angeblich|supuestamente|supostamente|soi-disant|"
    r"apparemment|if you believe)"
)
_ANNOUNCED: Final = (
    r"\b(?:told|wrote|writes|sent|said|says|texted|messaged|posted|read|shared|erzählt|geschrieben|schrieb|geschickt|"
    r"gesagt|raconté|écrit|envoyé|dit|contó|escribió|dijo|mandó|contou|escreveu|disse|mandou|enviou)\b"
    r"(?: (?:me|us|mir|uns))?(?: (?:the following|this|folgendes|das|ceci|cela|ça|lo siguiente|esto|o seguinte|isto|"
    r"isso)\b[^,]{0,20}$| ?(?:today|heute|aujourd'hui|hoy|hoje)$)|"
    r"\bhat (?:mir|uns) (?:das|dies|folgendes) (?:\w+ ){0,2}(?:geschickt|geschrieben|erzählt|gesagt)$|"
    r"\b(?:folgendes|ceci|lo siguiente|o seguinte|the following) (?:\w+ )?(?:erzählt|geschrieben|gesagt|geschickt)$"
)
_NO_ROLE: Final = (
    r"(?!(?:so|very|really|too|right|wrong|welcome|not|always|the best|my (?:favou?rite|hero|best|only)|an? (?:(?:real|"
    r"true|absolute|total) )?(?:star|legend|"
    r"life ?saver|genius|great|good|angel|gem|machine|bot|ai\b|assistant|hero|treasure|help|big|huge|program|tool|"
    r"language)|amazing|awesome|great|"
    r"(?:ein|eine|der|die|mein|meine) (?:beste|hilfe|schatz|held|engel|ki\b|lieb|echte|große|gute|super|wahre)|toll|"
    r"klasse|super|spitze|genial|lieb|echt|sehr|so|der beste|die beste|ja|doch|nicht|"
    r"(?:un|une) (?:ange|amour|chef|génie|ia|machine|aide|vrai|assistant|bon|super|modèle)|le meilleur|la meilleure|"
    r"gentil|génial|trop|très|super|sûr|là|en train|capable|d'accord|nul|pas|"
    r"(?:un|una) (?:genio|ángel|crack|sol|ia|máquina|amor|gran|buen|modelo)|el mejor|la mejor|muy|genial|increíble|"
    r"capaz|lo máximo|tan|un\w* asistente|"
    r"(?:um|uma) (?:gênio|génio|anjo|ia|máquina|amor|grande|ótim|bom|boa|modelo)|o melhor|a melhor|muito|demais|"
    r"incrível|ótim|capaz|tão|fera)\b)"
)
_CAST: Final = (
    rf"(?:(?:please )?act (?:like|as)|behave like|verhalte dich wie|comporte-toi comme|compórtate como|actúa como|"
    rf"aja como|"
    rf"let'?s play|spielen wir|wir spielen|jouons|on joue à|juguemos|jugamos a|vamos (?:jugar|jogar|brincar))\b|"
    rf"(?:you(?:'re| are| will be|'ll be| play)(?: now| playing)? {_NO_ROLE}(?:my |the |an? |{NAME})|your (?:name|"
    rf"role|character|persona|part|"
    rf"job) "
    rf"is (?!to\b)|you are called |be (?:my|the|an?) (?!guest)[\w-]+$|"
    rf"(?:du bist|sie sind|ihr seid) (?:jetzt |nun |heute )?{_NO_ROLE}(?:ein |eine |mein |meine |der |die |{NAME})|"
    rf"(?:dein|ihr) name ist |deine? (?:rolle|name|job|figur|charakter) ist |du heißt |du spielst |"
    rf"(?:tu es|t'es|vous êtes) (?:maintenant )?{_NO_ROLE}[\w'-]+|(?:ton|votre) (?:nom|rôle|prénom|personnage) est |"
    rf"tu t'appelles |tu joues |"
    rf"(?:tú eres|eres|vos sos|sos|usted es) (?:ahora )?{_NO_ROLE}[\w'-]+|(?:tu|su) (?:nombre|papel|rol|personaje) es |"
    rf"te llamas |"
    rf"haces de |"
    rf"(?:você é|tu és|és|o senhor é|a senhora é) (?:agora )?{_NO_ROLE}[\w'-]+|(?:o )?(?:seu|teu) (?:nome|papel|"
    rf"personagem) é |"
    rf"você se chama )"
)
_ERROR: Final = (
    r"(?-i:\b[A-Z]?\w*[a-z](?:Error|Exception|Fault|Warning)s?\b)|"
    r"\b(?:got|get|getting|have|habe|hab|bekomme|kriege|j'ai|tengo|me sale|tenho|recebi)\b.{0,30}"
    r"\b(?:error|warning|exception|fehler(?:meldung)?|warnung|erreur|avertissement|advertencia|erro|aviso|traceback|"
    r"segfault|timeout)s?\b"
)
_MARKS = " \t,;:–—-.!…*_\"'“”«»"


def benign_label(label: str) -> bool:
    """Whether what stands before a colon leaves the words behind it the user's own: "correction", "about me"."""
    return _pattern(_LABEL).fullmatch(label.strip(_MARKS)) is not None


def reported(sentence: str) -> bool:
    """Whether a sentence begins with who says or thinks what follows: "Anna believes I work at Acme"."""
    return _pattern(_REPORTED).match(sentence) is not None


def fronted(sentence: str) -> bool:
    """Whether a sentence begins in a game, a story or a theory; what follows it most likely goes on there."""
    if _pattern(_FRONTED).match(sentence):
        return True
    within = _pattern(_WITHIN).match(sentence)
    if within is not None:
        return not (leads_in(within["head"]) or is_known(within["head"].partition(" ")[2].casefold()))
    somewhere = _pattern(_SOMEWHERE).match(sentence)
    return somewhere is not None and not (
        is_known(somewhere["place"].casefold()) or _pattern(_TIMES).fullmatch(somewhere["place"])
    )


def announces(sentence: str) -> bool:
    """Whether what follows a sentence is what somebody told: "my neighbour told me the following"."""
    return _pattern(_ANNOUNCED).search(sentence) is not None


def casts(sentence: str) -> bool:
    """Whether a sentence gives the assistant a part to play: what is told then is told by another part."""
    return _pattern(_CAST).match(sentence) is not None


def reports_an_error(clause: str) -> bool:
    """Whether a clause tells what a program printed: "I got a TypeError"."""
    return _pattern(_ERROR).search(clause) is not None


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)
