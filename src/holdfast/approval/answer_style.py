"""Recognise a wish about how to answer or address the user: the only order that may enter every prompt unseen.

What begins with "answer", "use" or "start" may ask for anything: to answer yes when a tool asks, to use a stranger's
mirror, to start by reading a key. So a wish is taken for one only where every word of it is known: a language, a tone,
a length, a form, a unit, or what to call somebody. What has one word more waits for the owner.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

__all__ = ["is_wish"]

_LONGEST: Final = 120  # characters; a longer one says something else too
_LEAD: Final = (
    r"(?:(?:please|pls|always|never|also|just|do not|don't|dont|from now on|in (?:the )?future|going forward|"
    r"you (?:should|must|can|may)|i(?:'d| would)? (?:like|want|prefer)(?: it)?(?: that| if| when)? you(?: to)?|"
    r"make sure to|remember to|de ahora en adelante|dorénavant|doravante|"
    r"bitte|immer|nie|niemals|ab jetzt|künftig|in zukunft|du (?:sollst|kannst|darfst)|"
    r"s'il (?:te|vous) plaît|toujours|jamais|n'|ne |désormais|à partir de maintenant|tu (?:peux|dois)|"
    r"vous (?:pouvez|devez)|por favor|siempre|nunca|no|a partir de ahora|puedes|debes|sempre|não|a partir de agora|"
    r"você (?:pode|deve)|pode|podes) ?,? ?){0,4}"
)
_CALLED: Final = (
    r"(?:(?:call|address) me(?: as| by)?(?: my (?:first |last |full )?name,?)?|"
    r"use (?:the name|my (?:first |last )?name)|"
    r"nenn(?:e|t|en sie)? mich(?: bitte)?|(?:mich )?(?:duz|siez)\w{1,3}(?: mich)?|"
    r"sprich mich (?:mit|als)|sprechen sie mich (?:mit|als)|"
    r"appel(?:le|ez)-moi|m'appeler|me tutoyer|me vouvoyer|(?:tuto|vouvo)(?:ie[sz]?|yez)-moi|"
    r"ll[aá]m[ae](?:me|rme)|tutéame|trát[ae]me de|me cham[ea]|cham[ea](?:r)?-me|me tratar? por|trate-me por)"
    r"(?:(?: (?:immer|toujours|siempre|sempre|de|por|doctor|dr\.?|du|sie|tú|usted|você|you))*"
    r"(?: (?-i:[^\W\d_a-zß-ÿ][\w'-]*\.?)){0,3}"
    r"(?:,? (?:not|nicht|statt|pas|et pas|no|y no|não) (?-i:[^\W\d_a-zß-ÿ][\w'-]*))?(?: an)?)?"
)
_TAIL: Final = (
    r"(?:,? (?:please|pls|thanks|always|from now on|btw|by the way|ever again|bitte|immer|ab jetzt|danke|toujours|"
    r"désormais|s'il (?:te|vous) plaît|stp|svp|merci|por favor|siempre|a partir de ahora|gracias|sempre|"
    r"a partir de agora|obrigad[oa])){1,2}$"
)
_ASKED: Final = (
    r"(?:answer|reply|respond|write|speak|talk|use|keep|explain|format|be|sign|start|begin|end|give|show|include|avoid|"
    r"summari[sz]e|"
    r"antwort\w*|schreib\w*|sprich|sprechen|rede|benutz\w*|nutze?|verwend\w*|erklär\w*|halte?|fass\w*|sei|vermeide?|"
    r"répond\w*|écri\w*|parle[rz]?|utilise[rz]?|explique[rz]?|évite[rz]?|sois|soyez|"
    r"escrib\w*|cont[eé]st\w*|resp[oó]nd\w*|h[aá]bl\w*|us[ae]\w*|utili[cz]\w*|explic\w*|explique\w*|evit\w*|sé|sea|"
    r"escrev\w*|fal[ae]\w*|utilize\w*|seja)\b"
)
_KNOWN: Final = frozenset(
    # What stands between, in five languages
    """me my your deine tes vos tus sus suas
    i i'm it a an the in with without as to at of on for and or not no only all any every each when if unless
    asked ask possible it's than rather instead by this that them things thing you write writing send everything
    something anything whenever while even full out one two three five ten most maximum under below
    mir mich ein eine einen einer der die das den dem mit ohne in im auf als zu bei für und oder nicht kein keine keinen
    nur alle jede wenn möglich statt immer bitte nie wieder auch ich du schreibe schreib schreibst schreiben mal
    generell grundsätzlich höchstens maximal zehn ganzen ganze aus
    moi un une des le la les du de d'un d'une en avec sans à au aux pour et ou pas ne que seulement si plutôt toujours
    jamais tu écris m'écris quand dix moins dans
    mí uno una unos unas el los las con sin al para y o no sólo solo cuando sea posible siempre nunca por favor tú usted
    escribas escribes diez máximo
    mim um uma uns umas os as do da dos das com sem ao para e ou não só quando possível sempre em você escreve escreves
    escrever dez no na
    """
    # What is asked for
    """answer answers answering reply replies response responses respond question questions message messages text texts
    sentence sentences word words paragraph paragraphs explanation explanations example examples summary summaries
    antwort antworten erklärung erklärungen frage fragen satz sätze sätzen text texte texten wörter beispiel beispiele
    beispielen zusammenfassung
    réponse réponses explication explications question questions phrase phrases texte exemple exemples mots résumé
    respuesta respuestas explicación explicaciones pregunta frase frases texto ejemplo ejemplos palabras resumen
    resposta respostas explicação explicações pergunta exemplo exemplos palavras resumo
    """
    # Languages
    """english german french spanish portuguese italian dutch polish swedish danish norwegian turkish russian japanese
    chinese korean arabic hindi greek czech welsh irish catalan basque finnish hungarian
    ukrainian british american plain simple language languages us uk spelling
    englisch deutsch französisch spanisch portugiesisch italienisch niederländisch einfacher einfache sprache
    hochdeutsch platt plattdeutsch schwyzerdütsch sie englische
    anglais anglicismes allemand français espagnol portugais italien langue
    inglés anglicismos alemán francés español portugués italiano lengua idioma castellano
    inglês alemão francês espanhol português língua brasileiro
    """
    # Tone and length
    """brief briefly short shorter shortly long longer concise concisely terse tersely succinct succinctly detail
    details detailed depth polite politely formal formally informal informally casual casually friendly direct directly
    blunt bluntly honest honestly clear clearly simple simply precise precisely kind neutral tone style humour humor
    jokes sarcasm sarcastic professional professionally warm very more most less too so quite bit step steps point
    quickly slowly fluff filler small talk apologies apology flattery praise
    kurz kürzer knapp lang länger ausführlich ausführlicher genau höflich förmlich formell locker freundlich direkt
    ehrlich klar einfach sachlich ton stil humor witze sehr mehr weniger schritt details stichpunkten stichworten
    prägnant
    bref brève brèves brièvement court courte courtes longs longue longues concis concise détaillé détaillée poli
    poliment formel formelle amical direct directe honnête clair clairement simplement ton humour très plus moins étape
    par façon manière
    breve breves brevemente corto corta cortas largo larga largas conciso concisa detallado detallada detalle formal
    formales informal amable directo directa honesto claro clara claramente sencillo sencilla tono humor muy más menos
    paso manera forma
    curto curta curtas longa longas detalhado detalhada detalhe educado amigável direto direta honesta simples tom muito
    mais menos passo maneira
    """
    # Form
    """bullet bullets points list lists table tables markdown plaintext prose heading headings header headings emoji
    emojis emoticons comment comments code block blocks snippet snippets jargon abbreviations acronyms exclamation mark
    marks dash dashes em hyphens oxford comma commas quotes bold italics caps capitals numbers numbered semicolons
    contractions passive active voice tabs spaces snake_case camelcase latex html json yaml line lines
    aufzählung aufzählungen liste listen tabelle tabellen überschriften smileys kommentare fachbegriffe abkürzungen
    ausrufezeichen fließtext gedankenstriche gedankenstrich gendersternchen zahlen
    tableau tableaux listes puces titres émojis émoji tirets lignes ligne chiffres commentaires jargon abréviations
    lista listas tabla tablas viñetas títulos emoticonos rayas guiones líneas línea números comentarios jerga
    abreviaturas
    tabela tabelas tópicos travessões linhas linha números comentários jargão abreviaturas
    """
    # Names and units
    """name first last surname metric imperial units unit celsius fahrenheit kelvin kilometres kilometers miles metres
    meters feet inches kilograms kilos pounds litres liters gallons hour 24-hour 12-hour 24h clock iso date dates time
    times format formats euros euro dollars currency decimal system
    metrische metrischen einheiten grad kilometer meter kilogramm uhrzeit datum
    unités métriques système métrique degrés heures
    unidades métricas métrico sistema grados kilómetros metros
    unidade métricas quilômetros quilómetros graus
    """.split()
)
_WORDS: Final = re.compile(r"[\w'-]+")
_PLAIN: Final = re.compile(r"[\w ,.'’()-]*")


def is_wish(flat: str) -> bool:
    """Say whether all that a flattened line says is how to be answered or called."""
    if len(flat) > _LONGEST or _PLAIN.fullmatch(flat) is None:
        return False
    wish = re.sub(_TAIL, "", flat.rstrip(" ."), flags=re.IGNORECASE)
    if re.search(r"\.\w|[.] ", wish.replace("Dr. ", "Dr ")):
        return False  # a second sentence, or a name of the net
    called, asked = _patterns()
    if called.fullmatch(wish):
        return True
    match = asked.match(wish)
    return match is not None and all(word in _KNOWN for word in _WORDS.findall(wish[match.end() :].casefold()))


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    called = re.compile(_LEAD + _CALLED, re.IGNORECASE)
    return called, re.compile(_LEAD + _ASKED, re.IGNORECASE)
