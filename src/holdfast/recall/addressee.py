"""Recognise a message that asks what the assistant said, and not what the user did. Pure."""

from __future__ import annotations

import re

from holdfast.pattern import compile_late

__all__ = ["asks_assistant"]

# The assistant as the one who said something, in the languages that Holdfast is tested in. What it is asked to do now
# ("can you tell me …") is said of no past, and what it was told has the user before the verb.
_SAID = compile_late(
    r"\b(?:did|had|have) you\b|\byou(?:'ve| have| had)? (?:said|told|gave|given|wrote|written|advised|recommended|"
    r"suggested|explained|answered|mentioned|proposed|listed|showed|shown)\b|"
    r"\byour (?:\w+ )?(?:advice|answer|plan|reply|suggestions?|recommendations?|tips?|explanation|list|proposal)\b|"
    r"\b(?:hast|hattest) du\b|\bdu (?:\w+ ){0,4}(?:hast|hattest)\b|\b(?:haben|hatten) sie mir\b|"
    r"\bdein(?:e|er|en)? (?:rat|antwort|plan|vorschl\w+|empfehlung\w*|tipps?)\b|"
    r"\bas-tu\b|\btu (?:m'|m’)?(?:as|avais)\b|\bavez-vous\b|\bvous (?:m'|m’)?(?:avez|aviez)\b|"
    r"\b(?:dijiste|recomendaste|aconsejaste|sugeriste|explicaste|me has|me habías)\b|"
    r"\b(?:disseste|recomendaste|aconselhaste|sugeriste|você (?:me )?(?:disse|recomendou|sugeriu|aconselhou))\b|"
    r"\b(?:mi hai|hai detto|avevi detto)\b|\b(?:heb|had) je\b|\bzei je\b|\bje (?:\w+ ){0,3}(?:hebt|had|zei)\b|"
    r"\b(?:ты|вы) (?:\w+ ){0,2}(?:сказал|советовал|посоветовал|рекомендовал|предлож)\w*",
    re.IGNORECASE,
)
_SAID_CJK = (
    "你说",
    "你說",
    "你建议",
    "你建議",
    "你推荐",
    "你推薦",
    "你告诉",
    "你告訴",
    "言いましたか",
    "言ってた",
    "勧めて",
)


def asks_assistant(message: str) -> bool:
    """Say whether a message asks for something that the assistant said before."""
    return _SAID.search(message) is not None or any(phrase in message for phrase in _SAID_CJK)
