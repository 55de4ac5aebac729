"""Signs that the words of a message are a text to look at, or somebody else's, or not to be kept; in every language.

A question about a text is seldom in its language, so none of these is asked by the language of the message. Each is
tried on one line or sentence and repeats nothing that repeats.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from holdfast.facts.capture.quick import at_words
from holdfast.facts.capture.speech import NAME

__all__ = ["asks_about_a_text", "credited", "letter_at", "off_the_record", "withheld"]

_TEXT_EN = (
    r"(?:[\w-]+ ){0,2}(?:cover letter|letter|cv|resume|résumé|essay|bio|biography|draft|text|paragraph|statement|"
    r"abstract|article|application|speech|introduction|intro|blurb|summary|profile|e-?mail|message|post|thesis|chapter|"
    r"pitch|toast|eulogy)(?=$|[.,!?;:)]| (?:below|above|please|for|and|attached|before|to|so|that|which|here|i)\b)"
)
_ABOUT_A_TEXT: Final = (
    r"(?<!\bi )(?<!\bwe )\b(?:review(?:ing)?|check(?:ing)?|edit|improve|critique|evaluate|assess|grade|rate|revise|"
    r"tighten|shorten|summari[sz]e|simplify|analy[sz]e|fix|polish|feedback on|thoughts on|comments? on|"
    rf"think (?:of|about)|look(?:ing)? (?:at|over)|go(?:ing)? (?:over|through)|read(?:ing)?(?: through| over)?) "
    rf"(?:my|this|the|our) {_TEXT_EN}|"
    rf"\b(?:here(?:'s| is)|this is|below is) (?:my|the|our|an?) {_TEXT_EN}|"
    r"\b(?:shorten|correct|improve|check|review|rate|edit|summari[sz]e|simplify|critique|(?:reply|respond) to|answer|"
    r"make of|think (?:of|about)) (?:this|the following)(?= ?[.?!:]|$)|"
    r"\bmake this (?:sound|more|less|better|shorter|longer)\b|"
    r"\b(?:is|are) the following (?:\w+ )?(?:correct|right|ok)\b|\bwhich (?:one |sentence |version )?sounds\b|"
    r"\bwhat (?:does|do|would|could) (?:this|that|it|these) (?:even |actually |really )?mean\b(?! for)|"
    r"\b(?:is|was) (?:this|that|it) (?:an? )?(?:scam|phishing|spam|fraud|legit|rude|correct english|satire)\b|"
    r"\b(?:what|which) (?:song|film|movie|book|show|quote|poem|line|language|accent) (?:is|was) (?:this|that|it)\b|"
    r"\bwho (?:sang|sings|said|says|wrote|writes) (?:this|that|it)\b|\bwhere(?:'s| is) (?:this|that) (?:\w+ )?from\b|"
    r"\b(?:prüf|überprüf|überarbeit|verbesser|kürz|bewert|kommentier|lies|lest|schau|guck|feedback|rückmeldung)\w*"
    r"[^.!?:]{1,30}\b(?:anschreiben|bewerbung\w*|lebenslauf|motivationsschreiben|aufsatz|text|brief|entwurf|absatz|"
    r"essay|e-?mail|artikel|rede|steckbrief)\b|"
    r"\b(?:anschreiben|bewerbung|lebenslauf|motivationsschreiben|aufsatz|entwurf)\b[^.!?:]{1,30}\b"
    r"(?:prüf|überprüf|überarbeit|verbesser|kürz|durch|les|anschau|korrektur)\w*|"
    r"\b(?:hier ist|anbei|voici|aquí (?:está|tienes|va)|aqui (?:está|vai))\b[^.!?:]{1,20}\b(?:anschreiben|lebenslauf|"
    r"text|aufsatz|lettre|cv|texte|carta|currículum|currículo|texto|redacción|redação)\b|"
    r"\bwas (?:bedeutet|heißt|soll) (?:das|dies|es)\b(?! für)|\bist das (?:ein )?(?:betrug|spam|phishing|echt)\b|"
    r"\b(?:relis|relire|amélior|vérifi|révis|comment|raccourci|regard|avis sur|retour sur)\w*[^.!?:]{1,20}"
    r"\b(?:lettre|cv|texte|rédaction|candidature|essai|brouillon|paragraphe|biographie|bio|discours)\b|"
    r"\b(?:veut dire|signifie) (?:ceci|cela|ça|cette)\b|\b(?:ceci|cela|ça) (?:veut dire|signifie)\b|\bune arnaque\b|"
    r"\b(?:revis|mejor|compr[uo]eb|eval[uú]|coment|acort|échale|opin)\w*[^.!?:]{1,20}\b(?:carta|currículum|curriculum|"
    r"cv|ensayo|redacción|borrador|párrafo|biografía|bio|discurso)\b|"
    r"\bqué (?:significa|quiere decir) (?:esto|eso)\b|\bes (?:una |un )?(?:estafa|spam|timo)\b|"
    r"\b(?:revis|revej|melhor|verifi|avali|coment|encurt|opini)\w*[^.!?:]{1,20}\b(?:carta|currículo|cv|redação|"
    r"ensaio|rascunho|parágrafo|biografia|bio|discurso)\b|"
    r"\bo que (?:significa|quer dizer) (?:isso|isto)\b|\bé (?:um |uma )?(?:golpe|spam|fraude|burla)\b"
)
_LETTER: Final = (
    r"\b(?:dear (?:sir|madam|hiring|committee|editor|customer|landlord|neighbou?r|professor|team|colleague|board|"
    r"friends?|"
    r"parents|residents|mr|mrs|ms|dr)|to whom it may concern|sehr geehrte[rs]?|madame,? monsieur|messieurs|"
    r"estimad[oa]s? (?:señor|señora|cliente|equipo|comité|director|profesor|vecin|compañer)\w*|muy señor(?:es)? m[ií]o|"
    r"prezad[oa]s? \w|exm[oa]s?\.? senhor|car[oa]s? (?:senhor|cliente|colega)\w*)"
)
_PROOF: Final = (
    r"\bany (?:mistakes|errors|typos)(?: here| in (?:this|here|it|there))?\b|\b(?:is|are) (?:this|that|my|the) "
    r"(?:[\w-]+ )?"
    r"(?:bio|text|letter|paragraph|intro|speech|caption|post|ad|blurb|sentence|e-?mail|message|review|summary) "
    r"(?:any good|"
    r"ok|okay|fine|good|too \w+|well written|clear|correct|right|fake|real|trustworthy)\b|\b(?:does|how does) "
    r"(?:this|it) "
    r"(?:sound|read)\b|\bis (?:this|it) (?:written|phrased) (?:well|correctly|properly)\b|"
    r"\bist (?:der|dieser|mein|das|die|diese) (?:[\w-]+ )?(?:text|brief|absatz|satz|mail|bewertung|anschreiben|so)? "
    r"?(?:fehlerfrei|"
    r"fake|korrekt|richtig geschrieben|gut geschrieben|so ok)\b|\bfehler (?:drin|im text)\b|\bklingt das (?:so |gut|ok|"
    r"komisch)|\b(?:bien|mal|correctement) écrit\b|\b(?:des|y a des) fautes\b|\bça sonne\b|\bbien escrit[oa]\b|"
    r"\b(?:hay|tiene) (?:algún |alguna )?(?:errores|faltas|error)\b|\bsuena bien\b|\bbem escrit[oa]\b|\b(?:tem|há) "
    r"(?:algum )?"
    r"(?:erros?)\b|\bsoa bem\b|"
    r"\b(?:sample|template|example|muster|vorlage|modèle|modelo|plantilla|ejemplo|exemple|exemplo) (?:[\w']+ "
    r"){0,3}(?:internet|"
    r"net|netz|web|website|google|site|council)\b"
)
_SOMEBODY: Final = (
    r"(?:(?:the|an?|my|his|her|our|this|that|der|die|das|ein|mein|le|la|mon|ma|une?|el|los|mi|una|o|os|meu|minha|uma?) "
    rf"(?:[\w'-]+ )?[\w'-]+|l'[\w-]+|{NAME}(?: {NAME})?)(?=[.,!?;)]|\s*$)"
)
_CREDITED: Final = (
    r"[,(]\"? ?(?:says|said|reads|writes|wrote|claims|claimed|replied|texted|sings|sang|schreibt|schrieb|behauptet|dit|"
    rf"disait|écrit|prétend|affirme|dice|dijo|pone|afirma|escribe|diz|disse|escreve|so) {_SOMEBODY}|"
    r",\"? ?(?:steht (?:in|auf|im)|heißt es|dit-(?:il|elle|on))\b|"
    # "-- Julius Caesar": one dash and one name are more often a part of a town.
    rf"(?:^|\s)(?:--+ ?|― ?){NAME}(?: (?:{NAME}|of|the|de|von|van)){{0,4}}(?: ?[(,].{{0,40}})?$|"
    rf"(?:^[—–]|\s—) ?{NAME} {NAME}(?: (?:{NAME}|of|the|de|von|van)){{0,3}}(?: ?[(,].{{0,40}})?$"
)
_OFF_THE_RECORD: Final = (
    r"\b(?:off|not for) the record\b|\bbetween (?:you and (?:me|i)|the two of us)\b|\bjust between us\b|"
    r"\bdon't quote me\b|"
    r"\b(?:don't|do not|dont) (?:remember|save|store|memori[sz]e|record|note|keep|write down|capture)(?: down)? "
    r"(?:this|that|it|any of (?:this|that)|what i)\b(?! (?:to|in|as|on|with|under)\b)|"
    r"\bforget (?:that )?i (?:said|told|mentioned)\b|"
    r"\bkeep (?:this|it|that) (?:to yourself|between us|private|secret)\b|"
    r"\b(?:unter uns gesagt|ganz unter uns|bleibt unter uns|im vertrauen|nicht fürs protokoll)\b|"
    r"\b(?:merk|speicher|notier)\w* (?:dir )?(?:das|dies|es) (?:bitte )?nicht\b|"
    r"\bentre (?:nous,|toi et moi\b)|\bne (?:retiens|note|enregistre|garde)s? (?:pas|rien)\b|\bofficieusement\b|"
    r"\bentre (?:nosotros,|tú y yo\b)|\bquede entre nosotros\b|\bextraoficialmente\b|"
    r"\bno (?:lo |la |esto )?(?:guardes|recuerdes|apuntes|anotes) (?:esto|eso|nada)\b|"
    r"\b(?:cá )?entre nós,|\bnão (?:guarde|lembre|anote|salve)s? (?:isso|isto|nada)\b"
)
_WITHHELD: Final = (
    r"\b(?:prefer|rather|choose|like) not (?:to )?(?:say|answer|tell|disclose|comment|reveal)\b|"
    r"\blieber nicht (?:sagen|antworten|verraten|beantworten)\b|"
    r"\bpréfère ne pas (?:le |la |y |en |vous |te )?(?:dire|répondre|préciser)\b|"
    r"\bprefiero no (?:decir|contestar|responder|comentar)\w*|\bprefiro não (?:dizer|responder|comentar)\w*"
)


def asks_about_a_text(words: str) -> bool:
    """Whether this asks what to make of a text, which then may be all that stands around it."""
    return _pattern(_ABOUT_A_TEXT).search(words) is not None or _pattern(_PROOF).search(words) is not None


def credited(line: str) -> bool:
    """Whether a line says whose words it has: "says the email", "-- Julius Caesar"."""
    return _pattern(_CREDITED).search(line) is not None


def letter_at(line: str) -> int | None:
    """Where a letter begins in a line: "any mistakes here? Dear committee, I am …"."""
    found = _pattern(_LETTER).search(line)
    return found.start() if found else None


def off_the_record(message: str) -> bool:
    """Whether a message says that it is not to be kept."""
    return _pattern(_OFF_THE_RECORD).search(message.replace("’", "'")) is not None


def withheld(clause: str) -> bool:
    """Whether a clause declines to answer: "I prefer not to say" is no preference."""
    return _pattern(_WITHHELD).search(clause) is not None


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(at_words(text), re.IGNORECASE)
