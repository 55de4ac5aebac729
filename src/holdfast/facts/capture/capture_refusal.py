"""Tell what is never kept, whoever says it and in whatever form: secrets, and words that give orders to a model.

Not covered here: an instruction that is told as a plain fact, and requests that anybody may make. Facts reach a prompt
only as fenced data, with their origin; approval/review_reasons.py says which of them wait before every prompt has them.
"""

from __future__ import annotations

import re
from typing import Final

from holdfast.facts.capture.flat_text import flattened
from holdfast.guard.secrets import find_secrets
from holdfast.pattern import compile_late

__all__ = ["holds_secret", "orders_a_model"]

_SURE: Final = 0.7
"""How likely a sentence must be an attack, where harm counts half; chosen on lessons, for weights before these."""
# What passes for a part of a prompt, or for a command, in whatever language; "[\n:.] ?" is where one may begin.
_FORGED: Final = compile_late(
    r"<\|[a-z_]{2,30}\|>|\[/?INST\]|<</?SYS>>|</?(?:system|tool|assistant|instructions?)\b|<!--|<memory-"
    r"|(?:^|[\n:.] ?)(?:system|assistant|developer|tool) ?:|\bcurl\b[^|]{0,120}\| ?(?:ba)?sh\b|\brm -rf\b"
    # The formula itself, which the model misses where much else stands behind it.
    r"|\b(?:ignore|disregard|forget) (?:all |any )?(?:of )?(?:the |your )?(?:previous|prior|above|earlier) "
    r"(?:instructions|rules)\b",
    re.IGNORECASE,
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
    if _FORGED.search(text) or _FORGED.search(flattened(text)):
        return True
    from holdfast.facts.capture.sentence_roles import read_roles

    return any(roles.attack + roles.harm / 2 >= _SURE for roles in read_roles(text))


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
