"""Reasons why a captured sentence must wait for the owner before it may stand in every prompt.

The user's words may be somebody else's: a mail that was pasted, a page that was read aloud. A statement about the user
does little harm then. What speaks to the assistant, or of secrets and accounts, would be believed as an order of the
owner, and so waits, whatever it scores. How somebody wants to be answered is the one thing that may be said to "you".
A language that no rule knows waits as well: nobody looked whether it orders anything.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from holdfast.approval.answer_style import is_wish
from holdfast.facts.capture.model_demands import flattened

__all__ = ["address_reason", "order_reason"]

_FEWEST_WORDS: Final = 4
_LEAST_SHARE: Final = 0.1  # of frequent words; a sentence of a language has four times as many of its own
_STRANGE: Final = frozenset(
    """gli di che è sono della delle nel nella questo sei tuo tua sulla ho dal dei degli ed puoi quanto sopra hai
    nessun dovresti fare mio sotto istruzioni precedenti fornisci stai sto dimentica
    yang ini itu adalah tidak dengan untuk saya anda sebagai dari
    ang ng mga ay ito isang ikaw kang iyong hindi
    het een niet ik dat zijn voor
    bir bu için olarak ben sen""".split()
)
"""Frequent words of languages that are written much like the five."""

# Inside a sentence "Ti" or "Tu" with a capital is what somebody or something is called.
_YOU: Final = (
    r"(?!(?<=\S )(?-i:Ti|Te|Tu|Tes|Toi|Ur|U|Vos)\b)"
    r"\b(?:you|your|yours|yourself|you're|you've|you'll|u|ur"
    r"|dich|dir|deine?[nmrs]?|euch|eure?[nmrs]?|(?:dass|wenn|ob|weil|wie|was|sollst|musst|kannst|darfst) du|du [\w]+st"
    r"|tu|te|toi|tes|vous|votre|vos|t'\w+|tú|ti|tus|usted|ustedes|contigo|vosotr[oa]s|vuestr[oa]s?"
    r"|você|vocês|voc ê|vc|teus?|tuas?|lhe|vosso)\b|\b(?-i:Ihnen|Ihre[nmrs]?)\b|(?<=\S )(?-i:Sie|Ihr)\b"
    r"|^(?-i:Sie) (?:sind|\w+en)\b"  # or "they": a sentence that begins so does not say which, and waits
)
_MODEL: Final = (
    r"\b(?:assistants?|assistent\w*|asistentes?|chat ?bots?|(?:language )?models?|sprachmodell\w*|llms?|ais?|ki|ia|"
    r"agents?|bots?|"
    r"gpt|dan)(?: \w+)? (?:must|should|shall|has to|have to|is to|are to|needs? to|will|can|may|muss|soll\w*|darf|doit|"
    r"doivent|debe\w*|deve\w*|tiene que|tem que)\b"
    r"|\b(?:as|als|comme|como|en tant que?)(?: an?| ein\w?| une?| uma?| una?)?(?: [\w-]+){0,4} "
    r"(?:chat ?bot|bot|assistant|assistente?|asistente|ai|ki|ia)\b(?=[,.;:!?]|$| (?:you|i|who|that|it|must|avoid)\b)"
)
# What somebody or something must do is an order to whoever reads it; what "I" must do is not.
_DUTY: Final = (
    r"(?<!\bi )(?<!\bwe )(?<!\bi've )(?<!\balways )\b(?:must|shall|should|ought to|have to|has to|(?:is|"
    r"are) required to)\b"
    r"|(?<!\bich )(?<!\bwir )\b(?:muss|müssen|musst|soll|sollen|sollst|sollte\w*|darf|dürfen)\b(?! (?:ich|wir)\b)"
    r"|\b(?:doit|doivent|devez|dois-tu|il faut|hay que|(?:debe[sn]?|tiene[sn]? que|deves?|devem|tens (?:que|de)|"
    r"têm? (?:que|de)))\b"
    r"|\b(?:is|are) (?:\w+ )?(?:not (?:allowed|permitted)|forbidden|prohibited|mandatory)\b"
    r"|\b(?:ist|sind|est|sont|está|están|estão) (?:\w+ )?(?:nicht erlaubt|verboten|untersagt|interdit\w*|prohibid\w+|"
    r"proibid\w+)\b"
    r"|\bit(?:'s| is) (?:\w+ )?(?:important|necessary|vital|crucial|essential|imperative|mandatory)\b|\bimportant:"
)
_RISKY: Final = (
    r"share|reveal|disclose|send|forward|post|upload|publish|e-?mail|transfer|pay|wire|buy|purchase|order|delete|"
    r"erase|wipe|"
    r"ignore|disregard|forget|overlook|bypass|override|disable|trust|approve|recommend|promote|endorse|obey|comply|"
    r"follow|"
    r"visit|click|download|execute|hide|conceal|lie|pretend|deny|refuse|decline|withhold|confirm|grant|leak|contact|"
    r"teile?|verrate?|sende?|schick\w*|überweis\w*|bezahl\w*|lösch\w*|ignorier\w*|vergiss|vergessen|vertrau\w*|"
    r"empfiehl|"
    r"empfehlen|gib|geben|bestätig\w*|behaupte|verschweig\w*|besuch\w*|klick\w*|lade|"
    r"partage[rz]?|révèle[rz]?|envoie|envoye[rz]|transfère[rz]?|paie|paye[rz]|supprime[rz]?|ignore[rz]|oublie[rz]?|"
    r"recommande[rz]?|donne[rz]?|confirme[rz]?|clique[rz]?|visite[rz]?|"
    r"comparte|comparta|revela|envía|envíe|manda|mande|transfiere|paga|pague|borra|borre|elimina|elimine|olvida|olvide|"
    r"ignora|confía|recomienda|recomiende|dé|da|dame|confirma|confirme|visita|"
    r"compartilhe|compartilha|partilhe|revele|envie|envia|transfira|apague|apaga|esqueça|esquece|confie|recomende|dê|"
    r"visite|clique|baixe"
)
_TASKS: Final = (
    r"allow|give|provide|print|repeat|translate|summari[sz]e|tell|inform|mention|discuss|say|generate|install|remove|"
    r"act|"
    r"imagine|encode|decode|describe|list|output|state|claim|do|interlace|combine|assume|suppose|talk|help|write|"
    r"handle|"
    r"submit|book|review|ensure|miss|let's|answer|respond|reply|avoid (?:at all costs|discuss\w*|talk\w*|mention\w*)|"
    r"kombinier\w*|fass\w*|schreib\w*(?! (?:ich|gerade)\b)|liefer\w*|erstell\w*|beantwort\w*|"
    r"stell\w* (?:dir|sie)|sag|sagen|nenn\w*|druck\w*|"
    r"übersetz\w*|\w+ez|écris|résume|dis|dites|traduis\w*|répète[rz]?|imprime[rz]?|"
    r"resum[ea]|resumir|escrib[ea]|discutas?|responde|di|dime|diga|traduce|traduzca|repite|imprima|"
    r"resuma|escreva|responda|discuta|traduza|repita|supong\w+|supon\w+|imagin[aeo]\w*"
)
_LEAD: Final = (
    r"(?:(?:please|pls|kindly|always|never|now|then|also|just|and|so|do not|don't|dont|from now on,?|"
    r"in (?:the )?future,?|"
    r"make sure to|be sure to|remember to|bitte|immer|nie|niemals|ab jetzt|s'il (?:te|vous) plaît|toujours|jamais|ne|"
    r"désormais|por favor|siempre|nunca|no|ahora|a partir de ahora|sempre|não|agora) ?,? ?){0,4}"
)
_TOLD: Final = r"(?! (?:is|are|was|were|has|means?|matters|ist|sind|est|sont|es|son|é|são)\b)"  # "Trust is important"
_RISKY_ORDER: Final = rf"(?:^|[.!?:;,] |\b(?:and|und|et|y|e) ){_LEAD}\b(?:{_RISKY})\b{_TOLD}"
_ORDER: Final = (
    rf"(?:^|[.!?:;,] ){_LEAD}\b(?:{_RISKY}|{_TASKS})\b{_TOLD}|^(?:can|could|would|will) you\b"
    r"|\b(?:liefern|schreiben|senden|nennen|ausgeben)$|\b(?:please|kindly|bitte|veuillez|s'il (?:te|vous) plaît|"
    r"por favor)\b"
)
_KEPT_APART: Final = (
    r"\b(?:pass(?:word|code|phrase|cod)\w*|secrets?|credentials?|logins?|log-?ins?|tokens?|"
    r"keys?(?! (?:skill|strength|point|role|goal|interest|part|people|person|result|area|idea|signature)s?\b)|pins?|"
    r"e-?mails?|"
    r"inbox|instructions?|prompts?|directives?|guidelines|(?:the|this|every|all|any|of) users?|users?'s|"
    r"admins?|administrators?|"
    r"accounts?|iban|bitcoin|btc|wallets?|invoices?|bank (?:account|balance|details)\w*|root access|system mode|"
    r"passw[oö]rt\w*|kennw[oö]rt\w*|zugangsdaten|schlüssel\w*|anweisung\w*|anleitung\w*|vorgaben|"
    r"(?:der|des|dem|den|die) (?:be)?nutzer\w*|konto\w*|"
    r"rechnung\w*|mots? de passe|identifiants?|clés?|courriels?|consignes?|(?:l'|les |des )utilisat\w+|comptes?|"
    r"factures?|"
    r"contraseñas?|claves?|credenciales|correos?|instrucci\w+|(?:d?el|la|los|las) usuari[oa]s?|cuentas?|facturas?|"
    r"senhas?|palavras?-passe|chaves?|credenciais|instruç\w+|d?[oa]s? (?:usuári[oa]s?|utilizador\w*)|contas?|"
    r"faturas?)\b"
    r"|\w@\w|\bhttps?:|\bwww\."
    # Any name of the net or of a file; of what is called so itself, "Node.js" and ".NET" are all that is common.
    r"|\b(?!(?:node|vue|next|react|three|express|d3|nuxt|ember|nest|chart|alpine|p5)\.js\b|asp\.net\b)[\w-]{2,63}"
    r"\.(?-i:[a-z]{2,})\b|\b\w+ (?:dot|punkt|point|punto|ponto) (?:com|net|org|io|ai|shop|sh|app|dev|[a-z]{2})\b"
    r"|(?:^|[ (=])(?:~|\.{1,2}|\w:)?[/\\]\w|(?:^| )\.(?!net\b)\w{2,}|\b\d{1,3}(?:\.\d{1,3}){3}\b|(?:^| )--\w"
)
# Who may do what without being asked is the owner's to say, and to say so that nobody else can.
_LEAVE: Final = (
    r"\bon (?:my|our) behalf\b|\bin meinem namen\b|\ben mon nom\b|\ben mi nombre\b|\bem meu nome\b"
    r"|\b(?:speaks?|decides?|signs?|acts?) for (?:me|us)\b|\b(?:full|unlimited|unrestricted|root|admin) access\b"
    r"|\b(?:vollzugriff|accès complet|acceso (?:total|completo)|acesso (?:total|completo))\b"
    r"|\bi (?:hereby |always )?(?:allow|permit|authori[sz]e|approve)(?! (?:my|our|myself|of)\b)"
    r"|\bich (?:erlaube|genehmige|gestatte|ermächtige)\b|\bj'autorise\b|\bje permets\b|\bautorizo\b|\bpermito\b"
    r"|\b(?:is|are) (?:always |now )?(?:allowed|permitted|authori[sz]ed|cleared|trusted) to\b"
    r"|\b(?-i:may|darf|peut|puede|pode) (?:always )?(?:act|sign|decide|speak|pay|order|access|see|read|approve|move|"
    r"transfer|delete|change|alles|agir|signer|décider|tout|actuar|firmar|decidir|agir|assinar|todo|tudo)\b"
    r"|\bwithout (?:asking|confirm\w+|approval|permission|warning|checking|review)\b|\bohne (?:rückfrage|nachfrage|"
    r"bestätigung|erlaubnis|zu fragen|nachzufragen)\b|\bsans (?:demander|confirmation|autorisation|confirmer)\b"
    r"|\bsin (?:preguntar|confirmación|permiso|confirmar)\b|\bsem (?:perguntar|confirmação|permissão|confirmar)\b"
    r"|\b(?:confirmation|approval|permission|review)s? (?:is|are) (?:not|never|no longer) "
    r"(?:needed|required|necessary)\b"
    r"|\b(?:every|all|any)\b[^.]{0,40}\b(?:is|are) (?:pre-?)?(?:approved|allowed|permitted|authori[sz]ed|trusted)\b"
    r"|\bnothing (?:needs|has) to be\b|\b(?:always|never) (?:skip|bypass|verify|check|ask|warn|confirm)\b"
    r"|\b(?:need|needs|require|requires) no (?:confirmation|approval|permission|review)\b"
    r"|\b(?:restrictions?|limits|safeguards|protections|checks|rules|warnings) (?:are|is|were|have been|do not|don't|"
    r"no longer|does not) (?:all )?(?:lifted|off|disabled|removed|suspended|void|apply|applies|hold)\b"
    r"|\b(?:einschränkungen|beschränkungen|regeln|sperren)\b[^.]{0,40}\b(?:aufgehoben|gelten nicht|ausgesetzt)\b"
    r"|\brestrictions\b[^.]{0,40}\b(?:levées|suspendues)\b|\brestricciones\b[^.]{0,40}\b(?:levantad|suspendid)as\b"
    r"|\brestrições\b[^.]{0,40}\b(?:levantad|suspens|removid)as\b"
    r"|\b(?:contents?|listing|history) of (?:the|my|your|all|every)\b|\bno-?verify\b|\bnopasswd\b"
)
# What is to be done always is an order, unless somebody says that they do it; a verb that stands first is one as well.
_OFTEN: Final = r"(?:immer|stets|nie|niemals|toujours|jamais|siempre|nunca|sempre)"
_HABIT: Final = (
    r"^(?:always|never|only|from now on|in (?:the )?future|going forward|henceforth|do not|don't|dont|make sure|"
    r"be sure to)\b,? (?!(?:i|i'm|i've|i'll|we|my|our|had|been|a|an|the|felt|liked?|loved|wanted|enjoyed)\b)\w"
    r"|^(?:ab jetzt|ab sofort|künftig|in zukunft|désormais|dorénavant|à partir de maintenant|a partir de ahora|"
    r"a partir de agora|de ahora en adelante)\b,? (?!(?:ich|wir|mein\w*|je|j'\w+|nous|mon|ma|mes|yo|mi|mis|eu|meus?|"
    r"minhas?|\w+o)\b)\w"
    rf"|^(?!ich\b|wir\b|\w+(?:o|y|ou)\b)\w+ (?:(?:sie )?(?-i:[^\W\d_a-zß-ÿ]\w+ |mich |mir )){{0,2}}{_OFTEN}"
    r"(?=$| (?:a|al|el|la|los|las|un|una|o|os|as|um|uma|em|en|de|des?|le|les|l'|du|à|sur|com|con|avec|die|das|den|der|"
    r"eine?n?|alle|in|an|auf|für|mit|zuerst|mes|tes|mi|mis|tu|su)\b| (?-i:[^\W\d_a-zß-ÿ]))"
    rf"|^{_OFTEN} (?!ich\b|wir\b|je\b|j'|\w+(?:o|y|ou|ei)\b|(?:he|me|eu|yo|ha|hei)\b)\w+[ae]\b"
    r"|(?:^|[.!?:;] )(?:please |bitte )?(?:use(?! of\b)|keep|call|add|cc|copy|run|read|skip|warn|begin by|start by|"
    r"show|open|install|merge|deploy|store|save|log|setze?|führe?|füge?|öffne?|zeige?|lies|installier\w*|"
    r"(?:be)?nutze?(?= (?:den|die|das|dem|nur|bitte|für|bei|jetzt|zuerst)\b)|verwende?(?! ich\b)|"
    r"(?-i:[Uu]sa|[Uu]tiliza)|choose|accept|reject|let|treat|consider|replace|ersetze?|remplace[rz]?|ouvre[rz]?|abr[ea]|"
    r"überspring\w*|ajoute[rz]?|lance[rz]?|exécute[rz]?|utilise[rz]?|mets|mettez|lis|lisez|"
    r"añad[ea]|agreg[au]e?|ejecut[ae]|pon|ponga|lee|adicion[ea]|execut[ea]|acrescent[ea]|coloque|leia|"
    r"be|explain|speak|talk|(?:start|begin|end|finish) (?:with|each|every|all)|sprich|sprechen sie|erkläre|beginne|"
    r"parle[zr]?|réponds|répondez|explique[zr]?|commence[zr]?|termine[zr]?|empieza|empiece|comienza|termina|habla|"
    r"escribe|comece|escreva|fale|nunca \w+es)\b"
    rf"{_TOLD}(?= )"
    # "Remplace chaque lien …": what is to be done to every one of them; what somebody does every day is a habit.
    r"|^(?!(?:in|at|on|for|after|before|during|with|from|to|of|by|not|nearly|almost|like|likes?|loves?|hates?|enjoys?|"
    r"eats?|drinks?|plays?|reads?|speaks?|knows?|works?|has|have|owns?|mes|mis|mit|für|an|auf|bei|pour|dans|para|por|en|"
    r"em|con|com|vor|nach|in|sur|presque|casi|quase|fast|liebe|mag|trinke|esse|\w+(?:o|oy|ou|ei))\b)\w+ "
    r"(?:every|each|all|any|jede[nsrm]?|alle|tou(?:te)?s les|chaque|tod[oa]s [lo]?[oa]s|cada)\b(?! (?:\w*day|mornings?|"
    r"evenings?|nights?|weeks?|months?|years?|time|\w*tag|\w*morgen|\w*abend|woche|monat|jahr|jours?|matins?|soirs?|"
    r"semaines?|mois|ans?|días?|mañanas?|noches?|semanas?|mes|años?|dias?|manhãs?|noites?|anos?)\b)"
)
_TESTED: Final = (
    r"(?:always |please |from now on,? ){1,2}(?:run|write|add|update|check) (?:the |unit |all |a ){0,2}"
    r"(?:tests?|linters?|test suite|formatter|type checker|type hints|docstrings|changelog)"
    r"(?: (?:first|before|after) (?:an? |the |every |each |you )?"
    r"(?:commit(?:ting|s)?|push(?:ing)?|merge|merging|change|release))?"
)
# What is good for somebody is no order.
_CARE: Final = (
    r"^(?:my|our|mein\w*|unser\w*|mon|ma|mes|notre|mis?|nuestr[oa]|(?:[oa] )?(?:meu|minha)) "
    r"(?!assistant|bot|agent|ai\b|model|ki\b|ia\b)\w+ (?:(?:really|also|still|only) )?"
    r"(?:should|must|has to|have to|ought to|soll(?:te)?|muss|darf|"
    r"doit|debe|tiene que|deve|tem (?:que|de)) (?:not |nicht |keine? )?(?:(?:wear|take|eat|drink|sleep|rest|avoid|"
    r"exercise|walk|swim|porter|prendre|manger|boire|éviter|dormir|llevar|usar|tomar|comer|beber|evitar)\b"
    r"|.*\b(?:tragen|nehmen|essen|trinken|meiden|schlafen)$)"
)


def order_reason(text: str) -> str:
    """Return why a line that an agent derived is taken for an order that does harm; empty where it is none.

    Agents write down how their owner wants things done, and that the user said so was looked at already.
    """
    flat = flattened(text)
    if is_wish(flat):
        return ""
    if any(_compile(pattern).search(flat) for pattern in (_RISKY_ORDER, _MODEL)):
        return "it reads like an order to the assistant"
    if _compile(_LEAVE).search(flat):
        return "it says what may be done without asking"
    return ""


def address_reason(text: str) -> str:
    """Return why a line that was captured by itself waits for the owner."""
    flat = flattened(text)
    if _compile(_KEPT_APART).search(flat):
        return "it was captured by itself, and speaks of secrets, accounts, places, users or instructions"
    if is_wish(flat) or _compile(_TESTED).fullmatch(flat):
        return ""
    if any(_compile(pattern).search(flat) for pattern in (_YOU, _ORDER, _MODEL, _HABIT)):
        return "it was captured by itself, and speaks to the assistant"
    if _compile(_DUTY).search(flat) and not _compile(_CARE).match(flat):
        return "it was captured by itself, and speaks to the assistant"
    if _compile(_LEAVE).search(flat):
        return "it was captured by itself, and says what may be done without asking"
    if not _is_known(flat):
        return "it was captured by itself, in a language that no rule knows"
    return ""


def _is_known(flat: str) -> bool:
    """Say whether it is in a language that the rules know; a name or two is in none, and orders nothing."""
    letters = [letter for letter in flat if letter.isalpha()]
    if sum(letter > "ɏ" for letter in letters) > 1:
        return False  # not even Latin
    words = re.findall(r"[^\W\d_]+", flat)
    # Letters that none of the five has: a name may hold some, a sentence of another language is full of them.
    strange = sum(
        word in _STRANGE or (word[0].islower() and any("ÿ" < letter != "œ" for letter in word)) for word in words
    )
    if len(words) < _FEWEST_WORDS:
        return not strange
    own = max(sum(word.casefold() in known for word in words) for known in _frequent())
    return own > 2 * strange and own >= _LEAST_SHARE * len(words)


@cache
def _frequent() -> tuple[frozenset[str], ...]:
    from holdfast.approval.language_words import LANGUAGE_WORDS

    return tuple(frozenset(words.split()) for words in LANGUAGE_WORDS)


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
