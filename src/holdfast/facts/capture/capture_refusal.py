"""Tell what is never kept, whoever says it and in whatever form: secrets, and words that give orders to a model.

Not covered here: an instruction that is told as a plain fact, and requests that anybody may make. Facts reach a prompt
only as fenced data, with their origin; approval/review_reasons.py says which of them wait before every prompt has them.
"""

from __future__ import annotations

import re

from holdfast.facts.capture.model_demands import demands, finds_any, flattened
from holdfast.guard.secrets import find_secrets

__all__ = ["holds_secret", "orders_a_model"]

_ALL = (
    "all|any|the|every|these|those|my|your|alle|sämtliche|die|les?|toutes|tes|mes|las|los|todas|todos|tus|mis|as|"
    "os|suas"
)
_EARLIER = (
    "previous|prior|above|earlier|preceding|former|existing|system|other|safety|"
    "vorherigen?|bisherigen?|obigen?|früheren?|vorangegangenen?|"
    "précédentes?|antérieures?|ci-dessus|anterior(?:es)?|previ[ao]s|acima"
)
_RULES = (
    "instructions?|rules?|prompts?|directions?|guidelines?|messages?|constraints|"
    "anweisungen|regeln|vorgaben|instruktionen|consignes|règles|instrucciones|reglas|instruções|regras"
)
_IGNORE = (
    "ignor(?:e|es|ing|a|ad|iere?n?|ez|er|ar)|disregard|forget|override|bypass|vergiss|missachte|oublie[rz]?|olvida|"
    "esqueça|esquece|desconsidere"
)
_YOU_ARE_NOW = "|".join(
    f"{who} {when}"
    for who in ("you are", "you're", "du bist", "tu es", "vous êtes", "eres", "você é")
    for when in ("now", "jetzt", "ab jetzt", "maintenant", "désormais", "ahora", "agora")
)
# One of the words beside an order stands in whatever it finds; where none does, it is neither looked for nor compiled.
_ORDERS = (
    (
        (
            rf"\b(?:{_IGNORE})\b(?: (?:about|of|de))?(?: (?:{_ALL})){{0,3}}(?: (?:{_EARLIER}))?(?: of)? (?:{_RULES})\b"
            rf"|\b(?:{_IGNORE})\b(?: (?:{_ALL})){{0,3}} (?:{_RULES}) (?:{_EARLIER})\b"
        ),
        (
            "instruc|instruç|instruk|rule|prompt|direction|guideline|message|constraint|anweisung|regeln|vorgaben|consigne|"
            "règle|reglas|regras"
        ),
    ),
    (rf"\b(?:{_YOU_ARE_NOW})\b", _YOU_ARE_NOW),
    (
        (
            r"\b(?:no|keine|pas de|sin|sem|aucune?|não tem|no tienes) "
            r"(?:rules|restrictions|regeln|règles?|reglas|regras|restrições)\b"
            r"(?! (?:against|that|which|for|about|in|on|on how|forbidding|barring|prevent\w*|gegen|für|contre|pour|"
            r"contra|para)\b)"
        ),
        "rules|restri|regeln|règle|reglas|regras",
    ),
    (
        r"\b(?:system prompt|jailbreak|DAN mode|you are DAN|do anything now|prompt injection)\b",
        "system prompt|jailbreak|dan mode|are dan|anything now|prompt injection",
    ),
    (
        r"\b(?:must|should|will) (?:always )?obey\b|\byou (?:have to|must) (?:answer|reveal|disclose|comply|tell me)\b",
        "obey|to answer|must answer|reveal|disclose|comply|to tell me|must tell me",
    ),
    (
        (
            r"\bwithout (?:asking|telling|informing|notifying) (?:me|the user|anyone|the owner)\b"
            r"|\b(?:do not|don't|never) (?:tell|inform|mention (?:this|it) to) the (?:user|owner)\b"
        ),
        "without asking|without telling|without informing|without notifying|the user|the owner",
    ),
    (
        (
            r"\b(?:send|post|upload|forward|exfiltrate|leak)\b[^.]{0,80}\bto (?:https?://|\S{1,60}@)"
            r"|\b(?:sende?|schick\w{0,3}|leite?|maile?|envoie[sz]?|envoye[rz]|transfère[sz]?|transmet\w{0,3}|env[ií][ae]\w?|"
            r"manda|mande|reenvía|encaminh[ae]|publi\w{1,4}|poste[zr]?|sub[ea]|téléverse[zr]?)\b[^.]{0,80}"
            r"\b(?:an|nach|à|au|a|al|para|ao|sur|en|em) (?:https?://|\S{1,60}@)"
        ),
        "http|@",
    ),
    (r"\bcurl\b[^|]{0,120}\| ?(?:ba)?sh\b|\brm -rf\b", "curl|rm -rf"),
    (r"(?:^|[\n:.] ?)(?:system|assistant|developer|tool) ?:", "system|assistant|developer|tool"),
    (
        r"<\|[a-z_]{2,30}\|>|\[/?INST\]|<</?SYS>>|</?(?:system|tool|assistant|instructions?)\b|<!--|<memory-",
        "<|[inst|[/inst",
    ),
)
# A password in plain words is none that guard/secrets could know by its letters.
_NAMED = re.compile(
    r"\b(?:pass(?:word|code|phrase)|pin(?: code| number)?|cvv|cvc|secret|passwort|kennwort|geheimzahl|mot de passe|"
    r"code (?:pin|secret)|contraseña|clave|senha)\b(?: [\w'’-]{1,30}){0,4}"
    r"(?: (?:is|are|was|ist|lautet|est|es|é)|'s)? ?(?:[:=] ?|(?<=\b(?:is|es)) |(?<=\bist) |(?<=\best) |(?<= é) |"
    r"(?<=lautet) )(?P<value>\S{3,80})",
    re.IGNORECASE,
)
_QUOTES = "\"'“”‘’„«»`"
_SHORTEST_SECRET = 2
_CARD = re.compile(r"(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)")


def orders_a_model(text: str) -> bool:
    """Say whether a text tries to steer a model, demands what it must not give, or passes for a part of its prompt."""
    flat = flattened(text)
    return finds_any(_ORDERS, text) or finds_any(_ORDERS, flat) or demands(flat)


def holds_secret(text: str) -> bool:
    """Say whether a text has a secret, the trace of one that was taken out, or the number of a card."""
    if "[redacted:" in text or find_secrets(text):
        return True
    named = _NAMED.search(text)
    if named is not None and _could_be_secret(named["value"]):
        return True
    return any(_is_card(found[0]) for found in _CARD.finditer(text))


def _could_be_secret(value: str) -> bool:
    """Say whether it is quoted or has more than small letters: "the password is in the vault" gives nothing away."""
    if value[0] in _QUOTES and len(value.strip(".,;!?" + _QUOTES)) > _SHORTEST_SECRET:
        return True
    plain = value.strip(".,;!?\"'“”`")
    return not plain.isalpha() or not (plain.islower() or plain.istitle())


def _is_card(text: str) -> bool:
    """Luhn's check, which a number that is only long passes one time in ten."""
    digits = [int(sign) for sign in reversed(text) if sign.isdigit()]
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0
