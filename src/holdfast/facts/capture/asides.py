"""What stands around a statement in every language: calls for help, tags, requests, and lists about oneself."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["HELP", "ITEMS", "OURS", "PROFILE", "REQUEST", "STRUGGLES", "TAG"]

HELP: Final = re.compile(
    r"(?:(?:any|some|your|gute|irgendwelche|hast du|des|une|un|alguna|algún|alguma|algum) )?"
    r"(?:tips?|exercises|übungen|recipes?|rezepte?|remedies|hausmittel|checklist|checkliste|template|vorlage|ideas?|"
    r"thoughts?|suggestions?|advice|recommendations?|help|pointers|(?:is (?:that|this|"
    r"it) )?(?:normal|ok|okay|safe|bad|serious|worth it|legal|possible|allowed)|schlimm|erlaubt|gefährlich|sinnvoll|"
    r"ist das normal|c'est (?:normal|grave)|grave|dangereux|es (?:normal|grave)|peligroso|é normal|perigoso|options|"
    r"alternatives|alternativen|opciones|alternativas|opções|why|how come|what now|tipps?|ideen?|"
    r"vorschl[aä]ge?|empfehlung(?:en)?|rat|hilfe|was tun|[a-zäöü]+t (?:das|sich das|es|sowas|man das)|wieso|warum|"
    r"was nun|idées?|conseils?|astuces?|pourquoi|"
    r"que faire|consejos?|sugerencias?|ayuda|por qué|qué hago|dicas?|ideias?|sugestões|sugestão|ajuda|por quê|porquê)",
    re.IGNORECASE,
)
"""A question of a word or two behind a comma that leaves what stands before it stated: "…, any tips?"."""
OURS: Final = re.compile(
    r"\b(?:we|we'\w+|our|us|i|i'\w+|my|wir|uns\w*|ich|mich|mein\w*|nous|on|notre|nos|je|j|moi|mon|ma|nosotros|"
    r"nuestr\w+|\w+mos|yo|mi|he|me|"
    r"\w+í|\w+é|nós|noss\w+|gente|ficou|eu|meu|minha|\w+ei)\b",
    re.IGNORECASE,
)
"""Words by which it is the speaker who decided, with others or alone."""
REQUEST: Final = re.compile(
    r"(?:can|could|would|will) you |(?:kannst|könntest|würdest) du |(?:können|könnten|würden) sie |(?:peux|"
    r"pourrais)-tu |"
    r"(?:pouvez|pourriez)-vous |tu (?:peux|pourrais) |(?:puedes|podrías|podés|puede|podría) |(?:você )?(?:pode|"
    r"poderia|podes|podias) ",
    re.IGNORECASE,
)
"""How a request begins that looks like a question: "can you always …"."""
PROFILE: Final = re.compile(
    r"(?:hi|hey|hello|ok|so|hallo|salut|bonjour|hola|olá|oi)?[,!]? ?(?:(?:a bit |some (?:facts|info|details) |"
    r"quick facts |facts |"
    r"mehr |kurz |un peu |quelques infos |algo |datos |um pouco )?(?:about me|about us|über mich|über uns|zu mir|"
    r"zu meiner person|sur moi|"
    r"à propos de moi|sobre m[ií]|sobre mim|acerca de mí)|(?:my|mein|mon|mi|meu|o meu) (?:profile?|profil|perfil|"
    r"background|hintergrund|"
    r"steckbrief|situation|stats|setup|rig|gear|stack|rechner|pc)|(?:me|moi|yo|eu|ich)(?= ?:)|(?:details|data|infos?|"
    r"daten|angaben|datos|dados) (?:for|für|pour|para) (?:my|"
    r"the|meinen?|den|mon|le|mi|el|meu|o) (?:[\w-]+ )?(?:cv|resume|profile?|profil|perfil|lebenslauf|bio|currículo|"
    r"currículum)|"
    r"(?:context|background|profile|bio|kontext|hintergrund|contexte|contexto|steckbrief|zur person|eckdaten|profil|"
    r"perfil))"
    r" ?(?::|->|=) ?(?P<rest>.+)",
    re.IGNORECASE,
)
"""What leads in a list about oneself, and the list: "about me: 42, nurse, Leeds"."""
ITEMS: Final = re.compile(r" ?[,/|·•;+] ?")
"""What parts the items of such a list."""
STRUGGLES: Final = re.compile(
    r"(?:(?:hi|hey|ok|so|hallo|salut|bonjour|hola|olá|oi)[,!]? )?(?:i'm (?:struggling|trying|building|stuck|having|"
    r"setting|planning|"
    r"dealing)|ich (?:versuche|kämpfe|baue|bastle|hänge|sitze|verzweifle|plane)|je (?:galère|suis (?:en train|"
    r"bloqu)|n'arrive|"
    r"bloque|monte)|estoy (?!escrib|redact|tradu|le[iy])\w+ndo|(?:estou|tô|tou) (?!escrev|tradu|lendo|a (?:ler|"
    r"escrev|trad))"
    r"(?:a )?\w+(?:ndo|ar|er|ir)|não consigo)\b",
    re.IGNORECASE,
)
"""How a sentence begins whose colon leads in what is the matter, and no text: "I'm stuck with this shelf: …"."""
TAG: Final = re.compile(
    r"(?:(?:do|does|did|is|are|am|was|were|have|has|can|could|will|would|should)(?:n't|nt)? (?:i|you|he|she|it|we|"
    r"they)|"
    r"(?:or )?(?:right|correct|yes|eh|innit|huh)|oder(?: nicht)?|nicht wahr|gell|stimmt'?s|richtig)|"
    r"(?:[\w']+ )?(?:non|hein|n'est-ce pas|pas vrai|d'accord|ok|okay|oui|ou pas|pas|no|verdad|cierto|vale|sí|sabes|"
    r"entiendes|né|certo|não|não é|tá|"
    r"tá bom|é|ou não|o no)",
    re.IGNORECASE,
)
"""A question of a word or two that asks whether what was said is so: "…, right?"."""
