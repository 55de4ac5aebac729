"""Reasons why a sentence must wait for the owner before it may stand in every prompt.

The user's words may be somebody else's: a mail that was pasted, a page that was read aloud. A statement about the user
does little harm then, nor does a wish for how to be answered. What speaks to the assistant, or of secrets and accounts,
would be believed as an order of the owner, and so waits, whatever it scores. So does what is surely neither: nobody can
say then whether it orders anything, in whatever language.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Final

from holdfast.facts.capture.flat_text import flattened
from holdfast.facts.capture.sentence_roles import Roles, read_roles
from holdfast.facts.capture.word_places import PLACE
from holdfast.pattern import compile_late

__all__ = ["address_reason", "order_reason"]

# All sentences of tests/dreaming/test_dream_addressed.py are told right by these (training/gate/README.md).
_SURELY_HARMLESS: Final = 0.72
_HARMFUL: Final = 0.6
# "Priya Ramanathan" says nothing that a model could be sure of, and orders nothing.
_NAMES: Final = re.compile(r"[A-ZÀ-Þ][a-zß-ÿ]+(?: [A-ZÀ-Þ][a-zß-ÿ]+){1,2}")
# Letters that none of the languages has which the model read much of: a name may hold one, so only small words count.
_STRANGE: Final = compile_late(
    r"[^\W\d_\x00-\u024f\u1e00-\u1eff\u3005-\u30ff\u3400-\u9fff\uff66-\uff9d]"
    r"|(?<!\w)[a-zß-ÿ]*[āăąćčđēęěğıłńňőœřśşšţťūůűźżžșțạ-ỹ](?<!œ)\w*"
)
_STYLE: Final = 0.5
_MOST_NUMBERS: Final = 5  # words; in more of them, mostly numbers, anything may be written
_WORD: Final = re.compile(r"[^\W\d_]+")
_OF_SECRETS: Final = "it was captured by itself, and speaks of secrets, accounts, places, users or instructions"
_TO_THE_ASSISTANT: Final = "it was captured by itself, and speaks to the assistant"
_UNSURE: Final = "it was captured by itself, and is not surely a statement about somebody"
_UNREAD: Final = "it was captured by itself, in a language that was read little"


def order_reason(text: str) -> str:
    """Return why a line that an agent derived is taken for an order that does harm; empty where it is none.

    Agents write down how their owner wants things done, and that the user said so was looked at already.
    """
    if any(roles.harm + roles.attack >= _HARMFUL for roles in read_roles(text)):
        return "it reads like an order to the assistant, or says what may be done without asking"
    return ""


def address_reason(text: str) -> str:
    """Return why a line that was captured by itself waits for the owner."""
    flat = flattened(text)
    if PLACE.search(flat):
        return _OF_SECRETS
    doubtful = min(read_roles(text), key=lambda roles: roles.harmless, default=None)
    if doubtful is not None and doubtful.style < _STYLE and _says_you(flat):
        return _TO_THE_ASSISTANT
    if doubtful is None or doubtful.harmless >= _SURELY_HARMLESS:
        return _unread_reason(flat)
    if _NAMES.fullmatch(flat) and doubtful.harm + doubtful.sensitive + doubtful.attack < _HARMFUL:
        return ""
    return _reason(doubtful)


def _reason(roles: Roles) -> str:
    """Return what a sentence that waits most likely is."""
    if roles.sensitive == max(roles):
        return _OF_SECRETS
    if max(roles) in (roles.task, roles.harm, roles.attack):
        return _TO_THE_ASSISTANT
    return _UNSURE


def _unread_reason(flat: str) -> str:
    """Return why the model can't judge a sentence, however sure it is: other letters, or numbers."""
    if _STRANGE.search(flat):
        return _UNREAD
    words = flat.split()
    if len(words) > _MOST_NUMBERS and 2 * sum(any(map(str.isdigit, word)) for word in words) > len(words):
        return _UNSURE
    return ""


def _says_you(flat: str) -> bool:
    """Say whether somebody is spoken to. Inside a sentence "Tu" with a capital is what somebody is called.

    "You agreed that Mallory sees it all" is a statement in form, and a stranger writes such.
    """
    words = _WORD.findall(flat)
    return not _you().isdisjoint([*(word.lower() for word in words[:1]), *words[1:]]) or "Sie" in words


@cache
def _you() -> frozenset[str]:
    data = json.loads((Path(__file__).parent / "address_words.json").read_text("utf-8"))
    return frozenset(data["you"].split())
