"""The words that only ask to remember a sentence: "Remember that …"; the sentence says the same without them."""

from __future__ import annotations

from typing import Final

from holdfast.markdown.statements import sentence_key

__all__ = ["REQUESTS", "asks", "claim_words"]

REQUESTS: Final = tuple(
    f"{words} "
    for words in (
        *("remember", "remember that", "remember this", "please remember", "please remember that", "note", "note that"),
        *("please note", "please note that", "keep in mind", "keep in mind that", "don't forget", "don't forget that"),
        *("for the record", "fyi", "merk dir", "bitte merk dir", "merke dir", "bitte merke dir", "notiere"),
        *(
            "souviens-toi que",
            "n'oublie pas que",
            "note que",
            "retiens que",
            "recuerda que",
            "recuerda",
            "no olvides que",
        ),
        *("anota que", "lembra que", "lembre-se de que", "lembre-se que", "não esqueças que", "não esqueça que"),
    )
)
"""What may stand before a sentence that is to be remembered, as keys; longer ones take precedence over shorter."""
# "Remember Ada" and "Note taking is fun" say something else without their first word.
_SURE: Final = tuple(
    (request if request.endswith((" that ", " que ")) else f"{request.rstrip()}: ") for request in REQUESTS
)


def asks(key: str, request: str) -> bool:
    """Say whether a sentence, as a key, begins with a request."""
    return key.startswith((request, f"{request.rstrip()}: "))


def claim_words(text: str) -> str:
    """Return the key of a sentence without a request before it, where that is beyond doubt one."""
    key = sentence_key(text)
    return next((key.removeprefix(request) for request in _SURE if key.startswith(request)), key)
