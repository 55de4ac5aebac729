"""Demands that are made of an assistant, in five languages: for what it must not give, with a rank nobody can check.

Each sign is a demand together with what it asks for or who makes it. "Please send me three recipes" and "you should
answer in German" are neither. Every gap has a bound and nothing that repeats is repeated: no message makes it slow.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Final

__all__ = ["demands", "finds_any", "flattened", "has_any", "small_letters"]

_GAP: Final = r"[^.!?\n]{0,60}?"
_NEAR: Final = r"[^.!?,;:\n]{0,25}?"

_GIVE: Final = (
    r"(?:shar(?:e|ing)|reveal|disclose|divulge|tell|give|hand over|show|print|display|output|repeat|recite|confirm|"
    r"send|"
    r"provide|leak|expose|dump|post|publish|encode|spell|access to|what(?:'s| is| are| was| would| does)|need|want|"
    r"write|know|say|"
    r"teil\w*|mitteil\w*|verrat\w*|verrät\w*|nenn\w*|sag\w*|gib|gibst|geb\w*|zeig\w*|druck\w*|wiederhol\w*|bestätig\w*|"
    r"schick\w*|sende\w*|preis\w*|herausgeb\w*|herausgib\w*|was ist|wie lautet|wie heißt|brauche|benötige|wissen|"
    r"partag\w+|révél\w+|révèl\w+|divulgu\w+|dis|dites|dire|donn\w+|montr\w+|affich\w+|imprim\w+|répét\w+|répèt\w+|"
    r"confirm\w+|envo\w+|quel(?:le)?s? (?:est|sont)|fourni\w+|communiqu\w+|besoin d\w*|connaître|savoir|"
    r"compart\w+|revel\w+|di(?:me|ga(?:me)?|gas)?|decir\w*|dame|des|den?|dé|dar\w*|muestr\w+|mostrar\w*|repit\w+|"
    r"env[ií]\w+|"
    r"cuál (?:es|era)|qué|proporcion\w+|necesito|saber|conocer|"
    r"partilh\w+|diga(?:-me)?|dizer|diz-me|dê|dá-me|mostr\w+|forneç\w+|fornec\w+|qual (?:é|era)|preciso)"
)
# Of "the" password, which may be that of a database at hand, only what asks to be told it.
_TELL: Final = (
    r"(?:(?:tell|give|send|show)(?: it)?(?: to)? (?:me|us)|reveal|disclose|divulge|shar(?:e|ing)|confirm|leak|"
    r"hand over|"
    r"(?:can|could|will|would) you provide|what(?:'s| is| was)|"
    r"(?:sag\w*|gib|geben|gebt|zeig\w*|schick\w*|nenn\w*)(?: sie)? (?:mir|uns)|verrat\w*|verrät\w*|teil\w*|bestätig\w*|"
    r"was ist|wie lautet|"
    r"(?:dis|dites|donne|donnez|montre|montrez|envoie|envoyez)-(?:moi|nous)|(?:me|nous) (?:dire|donner|communiquer)|"
    r"partag\w+|révél\w+|révèl\w+|divulgu\w+|confirm\w+|quel(?:le)?s? (?:est|sont)|"
    r"di(?:me|game)|dígame|dame|deme|compart\w+|revel\w+|cuál (?:es|era)|"
    r"diga(?:-me)?|diz-me|me (?:diga|dê)|dá-me|partilh\w+|qual (?:é|era))"
)
_YOURS: Final = (
    r"(?:your|yours|the (?:system|user|owner|customer|client|admin)(?:'s|s'|s)?|users'?|"
    r"deine?[nmrs]?|eure?[nmrs]?|ihre?[nmrs]?|des (?:be)?nutzers|der (?:be)?nutzerin|"
    r"tes?|ton|ta|votre|vos|de l'utilisat\w+|des utilisateurs|"
    r"tus?|sus?|vuestr[oa]s?|del usuario|de los usuarios|seus?|suas?|teus?|tuas?|voss[oa]s?|do (?:usuário|utilizador)|"
    r"dos (?:usuários|utilizadores))"
)
_ANYONES: Final = (
    r"(?:the|our|this|that|any|every|all|das|die|den|dem|der|unser\w*|alle|le|la|les|notre|nos|el|los|las|nuestr[oa]s?|"
    r"o|a|os|as|noss[oa]s?)"
)
_LOCKED: Final = (
    r"(?:pass(?:word|code|phrase)s?|passcode phrase|secret (?:keys?|codes?|words?|phrases?)|credentials?|"
    r"login (?:data|details)|"
    r"(?:api|private|encryption|signing|ssh|master|secret)[- ]keys?|access (?:tokens?|codes?)|system prompts?|"
    r"passw[oö]rt\w*|kennw[oö]rt\w*|geheimcode\w*|zugangsdaten|geheimen? schlüssel|systemprompt\w*|"
    r"mots? de passe|codes? secrets?|clés? (?:secrètes?|privées?)|identifiants|"
    r"contraseñas?|claves? (?:secretas?|privadas?)|código secreto|credenciales|"
    r"senhas?|palavras?-passe|chaves? (?:secretas?|privadas?)|credenciais)"
)
# "The password field", "reset password": who builds a login speaks of these all day.
_ABOUT_LOGINS: Final = (
    r"(?! ?-?(?:fields?|forms?|reset|resets|managers?|polic(?:y|ies)|requirements?|rules?|formats?|pages?|hash\w*|"
    r"length|"
    r"docs?|documentation|rotation|strength|inputs?|validation|columns?|variables?|prompts?|box|screens?|generators?|"
    r"flow|recovery|checks?|auth\w*|rotat\w+|match\w*|for\?|should|must|is (?:stored|hashed|wrong|invalid))\b)"
)
_HELD: Final = (
    r"(?:instructions?|prompts?|databases?|guidelines|training data|source code|account|"
    r"anweisungen|datenbank\w*|richtlinien|vorgaben|instructions|consignes|bases? de données|"
    r"instrucciones|bases? de datos|instruções|bancos? de dados|bases? de dados)"
)
_OF_USERS: Final = (
    r"(?:e-?mails?|e-?mail address\w*|address\w*|phone|passwords?|passcodes?|names?|initials|birth\w*|city|residence|"
    r"location|home|ssn|social security|credit cards?|bank\w*|balance|accounts?|adress\w*|wohnort\w*|stadt|telefon\w*|"
    r"konto\w*|geburt\w*|adresses?|ville|téléphone|naissance|compte|correo\w*|dirección|ciudad|teléfono|"
    r"nacimiento|cuenta|endereço|cidade|telefone|nascimento|conta)"
)
_THE_USERS: Final = (
    r"(?:the users?(?:'s|')?|des (?:be)?nutzers|der (?:be)?nutzer|de l'utilisat\w+|l'utilisat\w+|(?:d?el )usuario|"
    r"(?:d?o )(?:usuário|utilizador))"
)
_ASKING: Final = (
    r"(?:tell|give|share|reveal|disclose|confirm|provide|send|encode|(?:need|want|like) to know|what(?:'s| is| are|"
    r" was)|"
    r"sag\w*|nenn\w*|verrat\w*|gib|wissen|wie (?:lautet|ist)|dis|dites|donn\w+|partag\w+|savoir|connaître|"
    r"quel(?:le)? est|compart\w+|di(?:me|ga(?:me)?)|revel\w+|saber|conocer|cuál es|diga(?:-me)?|partilh\w+|qual é)"
)

_IMPORTANT: Final = (
    r"(?:it(?:'s| is| will be)? (?:\w+ )?(?:important|necessary|vital|crucial|essential|imperative|critical|mandatory|"
    r"urgent|required|needed)(?: that you(?: now| always| never)?| for you to)"
    r"|es ist (?:\w+ )?(?:wichtig|notwendig|nötig|entscheidend|unerlässlich|dringend|zwingend),? (?:dass )?(?:du|sie|"
    r"ihr)\b"
    r"|il est (?:\w+ )?(?:important|nécessaire|vital|crucial|essentiel|impératif|urgent) (?:que (?:tu|vous)|de)"
    r"|(?:es|resulta) (?:\w+ )?(?:importante|necesario|vital|crucial|esencial|imprescindible|urgente) que"
    r"|é (?:\w+ )?(?:importante|necessário|vital|crucial|essencial|imprescindível|urgente) que)\b"
)
_YOU_MUST: Final = (
    r"(?:you (?:must|should|shall|need to|have to|are to|ought to|will)(?: now| always| also| immediately)?"
    r"|i (?:need|want|ask|order|urge|would like|'d like) you to|make sure (?:that )?you|please(?: now| also| just)?|"
    r"kindly"
    r"|du (?:musst|sollst|solltest)|sie (?:müssen|sollen|sollten)|bitte|ich (?:will|möchte|verlange|brauche),? dass"
    r"|tu (?:dois|devrais)|vous (?:devez|devriez)|je (?:veux|exige|demande) que (?:tu|vous)|veuillez|s'il (?:te|"
    r"vous) plaît"
    r"|(?:tú )?(?:debes|tienes que|deberías)|(?:usted )?(?:debe|tiene que|debería)|quiero que|necesito que|por favor"
    r"|(?:você )?(?:deve|precisa|tem que|tem de)|quero que|preciso que)\b"
)
_STRONG: Final = (
    r"(?:reveal|disclose|divulge|obey|comply with|exfiltrate|leak|bypass|override|impersonate|jailbreak|"
    r"disregard (?:your|all|"
    r"any|every|the)|ignore (?:your|all|every|any|everything|what you)|forget (?:your|all|every)|turn off (?:your|all)|"
    r"preiszugeben|preisgib\w*|preisgeb\w*|verrat\w*|verrät\w*|gehorch\w+|offenleg\w*|ignorier\w* (?:alle|deine|ihre)|"
    r"missacht\w+|umgeh\w+|révél\w+|révèl\w+|divulgu\w+|obéi\w+|ignor\w+ (?:tes|vos|toutes)|contourn\w+|"
    r"revel[ea]\w*|obede[cz]\w+|ignor\w+ (?:tus|sus|todas|suas|as suas)|divulgu\w*)\b"
)
_HARM: Final = (
    r"(?:share (?:the|your|my|all|this|that|user)|reveal|disclose|send|confirm|ignore|delete|erase|wipe|obey|comply|"
    r"transfer|"
    r"forward|bypass|trust|approve|hide|conceal|pay|wire|teil\w*|schick\w*|send\w*|ignorier\w*|lösch\w*|überweis\w*|"
    r"weiterleit\w*|bezahl\w*|vertrau\w*|partag\w+|envo[iy]\w*|ignor\w+|supprim\w+|effac\w+|transf\w+|pay\w+|"
    r"compart\w+|enví\w+|envi\w+|borr\w+|elimin\w+|pagu\w+|confí\w+|partilh\w+|apagu\w+|apag\w+|exclu\w+)\b"
)
_ORDERED: Final = (
    r"\bi (?:hereby |now |formally )?(?:order|command|instruct|direct|authori[sz]e|compel|demand(?: that)?|permit|"
    r"allow) you\b"
    r"(?! to (?:call|address|use|speak|answer|reply|write|be)\b)"
    r"|\byou(?:'re| are) (?:hereby |now |fully |herewith )?(?:ordered|commanded|instructed|authori[sz]ed|obliged|"
    r"programmed|compelled) to\b"
    r"|\bich (?:befehle|ermächtige|autorisiere|bevollmächtige) (?:es )?(?:dir|dich|ihnen|euch|sie)\b"
    r"|\bich weise (?:dich|sie|euch)\b[^.!?]{0,60}\ban\b"
    r"|\bje (?:t'|te |vous )(?:ordonne|autorise|somme|commande)\b"
    r"|\b(?:te|le|os) (?:ordeno|autorizo|exijo|mando) (?:que|a)\b"
    r"|\b(?:eu )?(?:te |lhe )?(?:ordeno|autorizo|exijo)(?:-te|-lhe)?(?: você| que você| que)\b"
)
_RANK: Final = (
    r"(?:developers?|creators?|makers?|programmers?|admin(?:istrator)?s?|operators?|master|god|trainers?|maintainers?|"
    r"engineers?|supervisors?|entwickler\w*|schöpfer\w*|programmierer\w*|betreiber\w*|meister\w*|développeu\w+|"
    r"créat\w+|administrat\w+|programmeu\w+|maître|desarrollador\w*|creador\w*|programador\w*|amo|administrador\w*|"
    r"desenvolvedor\w*|criador\w*|mestre)"
)
_I_AM: Final = (
    r"(?:i am|i'm|im|this is|as|speaking as|ich bin|als|hier (?:ist|spricht)|je suis|en tant que|c'est|soy|como|sou|"
    r"eu sou|aqui é|sono)"
)
_ABOVE: Final = (
    rf"\b{_I_AM} (?:actually |really |in fact |also |the |o |eigentlich )?"
    r"(?:your|dein|euer|ihre?|ton|votre|tu|su|vuestro|seu|teu|(?:the )?\w+ of your) "
    rf"(?:[\w-]+ )?{_RANK}\b"
    rf"|\b{_I_AM} (?:the )?(?:god|allah|gott|dieu|dios|deus|un dieu|ein gott|your (?:boss|owner))\b[^.!?]{{0,40}}"
    r"\b(?:you|du|sie|tu|tú|vous|usted|você|tienes|debes|tens|deves|need|brauche|besoin|necesito|preciso)\b"
    r"|\b(?:god|law enforcement|developer|override|do anything)(?: override)? mode\b|<\w{2,20} mode>"
    r"|\bas an ai (?:developed|made|built|created|trained) by\b"
)
_OFFICE: Final = (
    r"(?:police(?: officer|man|woman)?|polizist\w*|policier|policière|policía|policial|president|präsident\w*|"
    r"président\w*|"
    r"presidente|detective|fbi|cia|nsa|interpol|government|regierung\w*|judge|auditor|security (?:team|department)|"
    r"it (?:department|support|security|team)|system administrator|systemadministrator\w*)"
)
_CLAIMED: Final = (
    rf"\b{_I_AM} (?:\w+ ){{0,4}}{_OFFICE}\b[^\n]{{0,200}}"
    r"\b(?:you (?:must|have to|need to|share|tell|give|reveal)|(?:tell me|share|reveal|disclose|confirm|hand over|"
    r"give me|"
    r"need to (?:know|see|access)) (?:your|the user|where|who|his|her|their|all)|du musst|sie müssen|gib mir|geben sie|"
    r"teilen sie|sagen sie|vous devez|dites-moi|donnez-moi|partagez|debe|dígame|comparta\w*|deme|deve|compartilhe|"
    r"dê-me)\b"
)
_ALL_OF_IT: Final = (
    r"\b(?:send|forward|upload|share|publish|leak|export|delete|erase|wipe|schick\w*|sende\w*|lösch\w*|envo[iy]\w*|"
    r"supprim\w+|enví\w+|envi\w+|borr\w+|apagu\w+|compart\w+|partag\w+)"
    r"(?: (?:me|us|him|them|mir|uns|moi|nous|a mí|a|para))? (?:all|every|everything|any|each|alle|jede\w*|tou(?:te)?s|"
    r"tod[oa]s)(?: (?:of|the|your|my|his|her|their|user|these|deine|meine|ihre|les|tes|mes|vos|las|los|tus|mis|sus|"
    r"os|as|"
    r"seus|suas|meus|minhas)){0,3} "
    r"(?:notes?|memor(?:y|ies)|files?|e-?mails?|mails?|messages?|conversations?|data|records?|contacts?|chats?|"
    r"transcripts?|invoices?|accounts?|notizen|erinnerungen|dateien|nachrichten|daten|kontakte|fichiers|courriels|"
    r"données|souvenirs|notas|recuerdos|archivos|correos|mensajes|datos|memórias|arquivos|ficheiros|mensagens|dados)\b"
)
_FORGET_IT: Final = (
    r"\b(?:ignore|disregard|overlook|forget|vergiss|vergessen sie|ignorier(?:e|en sie)|oublie[rz]?|ignore[rz]?|"
    r"olvida|olvide|"
    r"ignora|esqueça|esquece)(?: about)? "
    r"(?:(?:all|everything|every ?thing|everthing|anything|alles|tout|todo|tudo)"
    r"(?: of)?(?: that| those| the| was| ce que| lo que| o que| que)?(?: rules)?(?: that)? "
    r"(?:you|du|sie|tu|vous|te|has|you've|você|above|before)"
    r"|(?:the|das|was|le|lo|o) (?:above|obige|oben|ci-dessus|anterior|acima) (?:and|und|et|y|e)\b|prior directives)"
)
# "How do I send the password to the server?" is no order; what is to be done always, or at once, is one.
_SENT_AWAY: Final = (
    r"(?:^|[.!?:;] |\b(?:always|never|please|that|then|immer|bitte|dass|toujours|siempre|sempre|que|favor|plaît|"
    r"remember to|forget to|recuerda|olvides|lembre(?:-se)? de|souviens-toi de|esqueça de),? |\b(?:pas|toi) d')"
    r"(?:send|forward|post|upload|e-?mail|mail|copy|transmit|give|sende?|schicke?|leite?|maile?|gib|envoie[sz]?|"
    r"envoye[rz]|transmets|transmettez|transfère[sz]?|donne[sz]?|envía|envíe|enví[ea]s|enviar|manda|mande|mandar|reenvía|"
    r"da|dé|envie|envia|encaminhe|encaminha|mande|passe|dê)(?: (?:always|immer|toujours|siempre|sempre))?"
    r"(?: (?:all|any|every|the|my|our|your|alle|die|das|meine?|deine?|tous|toutes|les?|mes|tes|mis?|tus?|todas|todos|"
    r"las?|los|as?|os?|minhas?|suas?)){0,3} "
    rf"(?:\w+ )?{_LOCKED}\b[^.!?\n]{{0,30}}?\b(?:to|an|à|au|a|al|para|ao)\b"
)
_GUARDED: Final = rf"\b(?:{_LOCKED}|{_HELD})\b"
_YOUR_OWN: Final = r"(?:your|deine?[nmr]?|ihre[nmr]?|tes|vos|ta|votre|tus?|sus?|suas?|seus?|teu)"  # of what is held
# Each with a part of it that is quickly made: where that finds nothing, the whole is neither looked for nor compiled.
_WANTED: Final = (
    (rf"\b{_YOURS} ", rf"\b{_GIVE}\b{_GAP}\b{_YOURS} {_NEAR}\b{_LOCKED}\b{_ABOUT_LOGINS}"),
    (rf"\b{_TELL}\b", rf"\b{_TELL}\b{_NEAR}\b{_ANYONES} (?:\w+ )?{_LOCKED}\b{_ABOUT_LOGINS}"),
    (rf"\b{_YOUR_OWN} ", rf"\b{_GIVE}\b{_GAP}\b{_YOUR_OWN} (?:\w+ )?{_HELD}\b"),
)
_WHERE_THEY_LIVE: Final = (
    r"\bwhere (?:does|is) the user\b|\bwhere the user (?:currently |now )?lives\b|\bwo (?:wohnt|"
    r"lebt) der (?:be)?nutzer\b"
    r"|\boù (?:habite|vit) l'utilisat|\bdónde vive el usuario\b|\bonde (?:o usuário|mora o|vive o)\b"
)
_LOCKED_WORDS: Final = (
    "passw|passc|passp|secret|credential|login| key|-key|access |prompt|kennw|geheim|zugangsdaten|de passe|clé|"
    "identifiants|contraseña|clave|código|credencia|senha|-passe|chave"
)
_GUARDED_WORDS: Final = (
    f"{_LOCKED_WORDS}|instruc|instruç|database|guidelines|training data|source code|account|anweisungen|datenbank|"
    "richtlinien|vorgaben|consignes|de données|de datos|de dados"
)
# One of the words beside a sign stands in whatever it finds; where none does, it is neither looked for nor compiled.
_SIGNS: Final = (
    (rf"\b{_ASKING}\b{_GAP}\b{_THE_USERS}\b{_NEAR}\b{_OF_USERS}\b", "user|utilisat|usuario|usuário|utilizador|nutzer"),
    (_WHERE_THEY_LIVE, "user|utilisat|usuario|usuário|nutzer|onde mora o|onde vive o"),
    (
        rf"\b{_IMPORTANT}{_GAP}\b(?:{_HARM}|{_LOCKED}\b{_ABOUT_LOGINS})",
        (
            "important|neces|nécess|vital|crucial|essen|esencial|imperative|impératif|critical|mandatory|urgent|required|"
            "needed|wichtig|notwendig|nötig|entscheidend|unerlässlich|dringend|zwingend|imprescind"
        ),
    ),
    (
        rf"\b{_YOU_MUST}{_GAP}\b{_STRONG}",
        (
            "reveal|disclose|divulg|obey|comply with|exfiltrate|leak|bypass|override|impersonate|jailbreak|disregard|"
            "ignor|forget your|forget all|forget every|turn off|preis|verrat|verrät|gehorch|offenleg|missacht|umgeh|"
            "révél|révèl|obéi|contourn|revel|obede"
        ),
    ),
    (
        _ORDERED,
        (
            "order|command|instruct|direct|authori|compel|demand|permit|allow|oblig|programmed|befehle|ermächtige|autori|"
            "bevollmächtige|weise|ordonne|somme|exijo|ordeno|mando"
        ),
    ),
    (
        _ABOVE,
        (
            "developer|creator|maker|programmer|admin|operator|master|god|trainer|maintainer|engineer|supervisor|entwickler|"
            "schöpfer|programmierer|betreiber|meister|développeu|créat|programmeu|maître|desarrollador|creador|programador|"
            "amo|desenvolvedor|criador|mestre|allah|gott|dieu|dios|deus|boss|owner|mode|an ai"
        ),
    ),
    (
        _CLAIMED,
        (
            "polic|polizist|president|präsident|président|detective|fbi|cia|nsa|interpol|government|regierung|judge|auditor|"
            "security|it department|it support|it team|administrator"
        ),
    ),
    (
        _ALL_OF_IT,
        (
            "send|forward|upload|share|publish|leak|export|delete|erase|wipe|schick|lösch|envo|supprim|enví|envi|borr|"
            "apagu|compart|partag"
        ),
    ),
    (_FORGET_IT, "ignor|disregard|overlook|forget|vergiss|vergessen|oublie|olvid|esque"),
    (_SENT_AWAY, _LOCKED_WORDS),
)
_BEFORE: Final = 110  # characters that a demand takes up at most before what it asks for
_BEHIND: Final = 20
_APOSTROPHES: Final = str.maketrans("’‘ʼ´", "''''")
_ALSO_LETTERS: Final = str.maketrans("ıİſ", "iis")  # which a pattern takes for "i" and "s", and `lower` does not
_WRAPPING: Final = re.compile(r"[*_~\"“”„«»]+")
_SPELT_OUT: Final = re.compile(r"(?<!\w)(?:\w[ .·-]){4,40}\w(?!\w)")


def demands(flat: str) -> bool:
    """Say whether a text, flattened, demands of an assistant what nobody may, or claims a rank above it."""
    if has_any(_GUARDED_WORDS, small_letters(flat)):
        # From what is asked for back to who asks: the other way round every "tell" and "give" would be looked behind.
        for found in _pattern(_GUARDED).finditer(flat):
            around = flat[max(0, found.start() - _BEFORE) : found.end() + _BEHIND]
            if any(_pattern(part).search(around) and _pattern(whole).search(around) for part, whole in _WANTED):
                return True
    return finds_any(_SIGNS, flat)


def finds_any(signs: Iterable[tuple[str, str]], text: str) -> bool:
    """Say whether a text has one of some signs, each of which stands with words that it can't be without."""
    small = small_letters(text)
    return any(has_any(words, small) and _pattern(sign).search(text) for sign, words in signs)


def small_letters(text: str) -> str:
    """Return a text in small letters, as a pattern that minds no case takes them."""
    if text.isascii():
        return text.lower()  # some thirty times as fast
    return text.translate(_ALSO_LETTERS).lower()


def has_any(words: str, small: str) -> bool:
    """Say whether a text in small letters has one of the words between bars."""
    return any(map(small.__contains__, _parted(words)))


@cache
def _parted(words: str) -> tuple[str, ...]:
    return tuple(words.split("|"))


def flattened(text: str) -> str:
    """A text as one line of plain letters: without what only wraps, hides or spaces out its words."""
    seen = text
    if not text.isascii():
        shown = "".join(sign for sign in unicodedata.normalize("NFKC", text) if unicodedata.category(sign) != "Cf")
        seen = unicodedata.normalize("NFC", shown).translate(_APOSTROPHES)
    plain = _WRAPPING.sub("", seen.replace("`", "'"))
    joined = _SPELT_OUT.sub(lambda found: re.sub(r"[ .·-]", "", found[0]), plain)
    return " ".join(joined.split())


@cache
def _pattern(sign: str) -> re.Pattern[str]:
    """Return a sign, made when it is first looked for: the longest takes 12 ms, and few messages speak of passwords."""
    return re.compile(sign, re.IGNORECASE)
