"""The parts that several English forms share: who speaks, in how many words, and what makes it talk about the task."""

from __future__ import annotations

from holdfast.facts.capture.english_words import ANIMALS, KIN
from holdfast.facts.capture.speech import NAME

__all__ = ["ADVERBS", "AT_HAND", "BOTH", "GIVEN", "HEAD", "IM", "NOT_TRAITED", "NUMBER", "WE", "WORDS"]

IM = r"(?:i'm|i've been)"
BOTH = rf"(?:my (?:[\w-]+ )?{KIN}(?: {NAME})? and (?:i|me)|(?:me|i) and my (?:[\w-]+ )?{KIN}(?: {NAME})?)"
WE = (
    r"(?:we|i|us|our (?:[\w-]+ )?(?:team|company|group|board|client|boss|cto|squad|firm|band|club|family)|my team|"
    r"(?:the )?(?:[\w-]+ )?(?:team|board|company|committee|squad|guild|group|boss|cto|devs)|management|leadership|"
    r"everyone|"
    rf"{BOTH})(?:'ve|'s| has| have| had)?"
)
ADVERBS = (
    r"(?:(?:really|just|also|still|generally|mostly|mainly|much|absolutely|personally|strongly|truly|do|currently|now|"
    r"typically|normally|only|always|usually|never|finally|recently|kinda|quite|very much|officially|already|"
    r"both|often|actually|sort of|kind of|mainly|primarily|basically|all|pretty much|regularly|exclusively) ){0,3}"
)
NUMBER = r"(?:an? |one |two |three |four |five |six |seven |no |some |my own |our own |the |these |\d{1,2} )?"
WORDS = r"(?:[\w'.-]+ )"
GIVEN = (
    r"(?:,? (?!never|always|just|also|already|still|who|that|and|really|only|now|often|is|are|has|was|doesn't|"
    r"don't)"
)
HEAD = (
    r"(?:(?:mum|mom|dad|grandad|granddad|grandpa|grandma|gran|granny|nan|nana|hubby|mother|father)(?= |'s)|"
    rf"(?:my|our) {WORDS}{{0,2}}?(?:{KIN}|{ANIMALS})){GIVEN}[\w-]+(?: \([^)]{{1,40}}\))?,?)?(?:,? who)?"
)
AT_HAND = (
    r"(?!.*\b(?:here|there|script|tests?|command|code|program|build|query|migration|linter|container|job|loop|state|"
    r"file|i\+1|function|\w+\(\))(?:\b|$))"
)
NOT_TRAITED = (
    r"(?:sorry|done|fine|sure|not|good|ok|okay|back|ready|also|really|just|still|here|happy|glad|so|very|"
    r"too)"
)
