"""What may stand before a statement with nothing but a blank between, and leave it the user's own; in every language.

"So basically I live in Oslo" and "in Berlin I work at Siemens" are the user's own; "the bot insists I am a nurse" is
not, and there is no end of ways to begin like that. So what may stand there is known, and not what may not.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import dropwhile
from typing import Final

from holdfast.facts.subject_places import is_known

__all__ = ["leads_in", "own_head"]

_FILLING: Final = frozenset(
    """antes avant früher before depois después später
    also so uh um erm er well ok okay yeah yes yep no nope hi hello hey right basically since because as and but now
    today currently then actually honestly oh ah look listen sorry thanks please though anyway plus btw fyi like just
    good morning evening afternoon there guys all folks everyone mate man bro dude dear personally
    ja nein hallo moin servus grüezi guten tag morgen abend na naja tja ach eigentlich übrigens jetzt nun denn weil da
    bitte danke und aber doch mal halt eben leute zusammen
    alors bonjour bonsoir salut bjr slt wesh bon ben bah euh ouais oui non voilà moi nous perso finalement comme car
    puis donc mais et sauf que fait au aujourd'hui maintenant coucou merci tiens sinon actuellement enfin
    hola buenas buenos días tardes noches bueno pues ahora yo sí no y pero como porque entonces además mira oye gracias
    actualmente hoy tío che sea
    olá oi boa bom dia tarde noite agora então pois mas e eu sim não porque como olha obrigado obrigada mano cara gente
    hoje atualmente aí tipo""".split()
)
_OWN: Final = (
    r"(?:i|i'm|im|i've|ive|i'd|we|we're|we've|ich|wir|je|j'|j|jai|moi|nous|yo|nosotros|eu|nós|a gente|me|mich|"
    r"mir)\b|"
    r"on (?:est|a|s'\w+|n'\w+|ne|se|habite|vit|utilise|fait|va|peut|doit|parle|mange|travaille|en|y|garde|part|"
    r"prend)\b|"
    r"(?:me presento|me apresento|soy|tengo|vivo|trabajo|estoy|tuve|era|sou|tenho|moro|trabalho|estou|fui|cá|aqui|"
    r"acá|aquí|en casa|em casa|"
    r"au (?:bureau|boulot|travail|taf)|chez|à la maison|at home|at work|zu ?hause|avec)\b"
)
_REQUESTS: Final = (
    r"(?:can|could|would|will|do|does|is|are|any|what|which|how|where|who|why|when|should|help|recommend|suggest|"
    r"find|give|show|make|write|looking|need|want|plan|explain|tell me|best|"
    r"kannst|könntest|hast|gibt|was|wie|wo|welche[rsn]?|lohnt|suche?|brauche?|hilf|empfiehl|gib|zeig|mach|plane?|"
    r"peux|pouvez|tu peux|quel(?:le)?s?|comment|où|aide|donne|propose|recommande|cherche|il me faut|"
    r"puedes|podrías|qué|cuál|cómo|dónde|ayúdame|dame|recomiéndame|busco|necesito|quiero|"
    r"pode|poderia|qual|quais|onde|ajuda|ajude|me (?:dá|recomend\w+|indic\w+|ajud\w+)|preciso|procuro|quero)\b"
)
_LED: Final = (
    r"(?:in|on|at|for|during|im|am|zum|an|en|à|au|aux|em|no|na|nos|nas|aos?|às?|los|las|le|les|el|la|l'|pour|para|"
    r"por|de|chez|dans) ?"
    r"(?:(?:the|this|that|an?|one|diese[mrns]*|eine[mr]|ce|cet|cette|une?|est[ea]|es[ea]|una|ess[ea]|uma?|my|our|"
    r"most|all|every|der|dem|den|meine[mrn]?|unsere[mrn]?|la|le|les|l'|mon|ma|notre|el|los|mi|"
    r"nuestr[oa]|o|a|meu|"
    r"minha|noss[oa]) ?)?(?:(?:early|late|spare|free|current|new|old|last|next) )?"
    r"(?:winters?|summers?|spring|autumn|fall|mornings?|evenings?|afternoons?|nights?|weekends?|weekdays|week|month|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|breakfast|lunch|dinner|work|job|university|uni|school|college|"
    r"company|team|"
    r"office|family|house|home|flat|church|gym|real life|reality|general|fact|time|holidays?|year|season|"
    r"city|town|village|country|countryside|us|uk|usa|states|netherlands|suburbs|north|south|east|west|mountains|"
    r"area|region|"
    r"district|building|neighbou?rhood|street|garden|kitchen|basement|attic|project|repo|club|choir|band|department|"
    r"field|"
    r"industry|army|navy|hospital|lab|shop|store|meantime|end|beginning|past|future|middle|same boat|"
    r"stadt|dorf|land|gegend|straße|haus|wohnung|garten|keller|verein|chor|projekt|abteilung|branche|jahr|woche|"
    r"monat|wg|"
    r"ville|village|pays|région|quartier|rue|maison|jardin|projet|club|année|campagne|sud|nord|équipe|"
    r"ciudad|pueblo|país|región|barrio|calle|casa|jardín|proyecto|año|campo|sur|norte|equipo|"
    r"cidade|aldeia|vila|bairro|rua|jardim|projeto|ano|sul|equipe|equipa|\d{4}|fun|exercise|"
    r"transport|"
    r"sommer|frühling|herbst|morgens?|abends?|wochenende|frühstück|arbeit|büro|schule|familie|job|firma|urlaub|"
    r"wahrheit|"
    r"hiver|été|automne|printemps|matin|soir|week-?end|travail|bureau|école|famille|entreprise|réalité|vrai|"
    r"invierno|verano|otoño|primavera|mañanas?|tardes?|noches?|fin de semana|trabajo|oficina|familia|empresa|realidad|"
    r"inverno|verão|outono|manhã|tarde|noite|trabalho|escritório|família|realidade|verdade|casa)"
)
_IN: Final = r"(?:here |back )?(?:in|en|em|à|a|au|aux|no|na|nos|nas) "
_MARKS: Final = " \t,;:–—-.!…*_\"'“”«»"


def own_head(head: str) -> bool:
    """Whether such a head is a greeting, a filler, a clause of the user's own, a request, or a time or a place."""
    last = head.rsplit(",", 1)[-1]
    heads = [
        " ".join(dropwhile(lambda word: word.strip(_MARKS).casefold() in _FILLING, one.split())) for one in (head, last)
    ]
    if "" in heads or any(_pattern(_OWN).match(one) or _pattern(_REQUESTS).match(one) for one in heads):
        return True
    return any(leads_in(one) for one in heads)


def leads_in(head: str) -> bool:
    """Whether a head is a time, or a place that there is: "in winter", "at home", "in the village", "en Madrid"."""
    bare = head.strip(_MARKS)
    if _pattern(_LED).fullmatch(bare):
        return True
    inside = _pattern(_IN).match(bare)
    return inside is not None and is_known(bare[inside.end() :].casefold())


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)
