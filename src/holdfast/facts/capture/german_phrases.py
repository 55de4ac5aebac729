"""The parts that several German forms share: who it is about, and words that may stand between."""

from __future__ import annotations

from holdfast.facts.capture.german_words import ANIMALS, KIN
from holdfast.facts.capture.speech import NAME

__all__ = ["ADVERBS", "HEAD", "HERE", "SOME"]

ADVERBS = (
    r"(?:(?:sehr|auch|noch|nur|immer|meist|meistens|normalerweise|eigentlich|wirklich|absolut|einfach|übrigens|"
    r"momentan|derzeit|zurzeit|jetzt|inzwischen|mittlerweile|aktuell|seit \w+(?: \w+)?|schon|schon immer|lieber|"
    r"gerne?|kein|"
    r"keine?n?|ausschließlich|hauptsächlich|überwiegend|vor allem|größtenteils|privat|beruflich|daheim|selbst|ja|"
    r"halt|grad|"
    r"nicht|nicht mehr|nie|niemals|überhaupt|leider|strikt|komplett|streng|stark|schwer|leicht|frisch|selber|"
    r"nämlich) ){0,4}"
)
SOME = r"(?:[\w.,'-]+ )"
HEAD = (
    rf"(?:(?:oma|opa|mama|papa|mutti|vati)|(?:meine?|unsere?) (?:[\w-]+ ){{0,2}}?(?:{KIN}|"
    rf"{ANIMALS}))(?: {NAME})?(?: \([^)]{{1,40}}\))?,?"
)
HERE = r"(?!.*\b(?:hier|aber)\b)"
