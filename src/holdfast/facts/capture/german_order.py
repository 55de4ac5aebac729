"""German clauses as they would stand alone: after "dass" the verb waits at the end, and after "eigentlich" it leads."""

from __future__ import annotations

import re

from holdfast.facts.capture.german_words import ANIMALS, KIN

__all__ = ["main_clause", "readings"]

_PRONOUNS = frozenset("ich wir".split())
# Verbs that no prefix was split from: "ich um acht aufstehe" can't be put right by moving its last word.
_VERBS = frozenset(
    """bin sind war habe haben hatte wohne wohnen arbeite arbeiten heiße mag mögen trinke trinken esse essen nutze
    nutzen benutze benutzen verwende verwenden lebe leben hasse liebe bevorzuge bevorzugen kann können muss
    müssen will wollen darf dürfen soll sollen spreche lerne studiere brauche komme hasse vertrage rauche fahre
    leite spiele hab ess nehme nehm gehe geh mache mach""".split()
)
_SPELLED = (
    ("ich", r"(?:\bick|\bisch|^i(?= (?:bin|hab|wohn|arbeit|mog|mag|kumm|kimm|iss|trink))|(?<= )i(?= bin| hab))\b"),
    ("habe", r"\bhab\b"),
    ("haben", r"\bham\b"),
    ("eine", r"\bne\b"),
    ("einen", r"\bnen\b"),
    ("einem", r"\bnem\b"),
    ("einer", r"\bner\b"),
    ("ein", r"(?<= )n(?= )"),
    ("unsere", r"\bunsre\b"),
    ("wir", rf"^(?:mein(?:e)? (?:[\w-]+ )?{KIN}(?: [A-Z]\w+)? und ich|ich und mein(?:e)? (?:[\w-]+ )?{KIN})\b"),
    ("allergisch", r"\bal+ergi[sc]+h\b"),
    ("gibt es", r"\bgib(?:t'?|)s\b"),
    ("ist", r"\b(?:is|isch)\b(?! bin)"),
    ("auf dem", r"\baufm\b"),
    ("in", r"(?<=wohne )z\b"),
)
_CLIPPED = """
    geb fang teil geh fahr nehm ess trink wohn studier such brauch nutz benutz lern spiel schlaf steh les kauf
    koch lauf leb lieb hass trag rauch leid zahl verdien unterricht leit betreib programmier tanz sing jogg
    schwimm reit vertrag mach komm heiß schaff sprech frier pfeif seh imker gärtner wander kletter fotografier
    angel segel bastel häkel radel ernähr host hol pfleg putz versteh werd sitz bau restaurier schreib sag treib
    helf kümmer engagier betreu verkauf vermiet zücht forsch übersetz trainier organisier
    pendel sammel arbeit verwend schau hör back näh strick mal bet fast wieg red bleib flieg reis halt
""".split()
_ANY = re.compile("|".join(f"({pattern})" for _, pattern in _SPELLED), re.IGNORECASE)
_SHORT = "|".join(sorted(_CLIPPED, key=len, reverse=True))
# A capital is a noun's, "Koch" and "Bau", but where the sentence begins.
_CLIP = re.compile(rf"\b(?:{_SHORT})(?= |$)|^(?:{_SHORT.title()})(?= )")
_SUBORDINATE = re.compile(
    r"(?:und |aber )?(?:weil|da|dass|obwohl|zumal|nachdem|wo|indem) (?=(?:ich|wir|meine?|unsere?)\b)", re.I
)
_SUBJECT = re.compile(
    rf"(?:ich|wir|(?:meine?|unsere?) (?:[\w-]+ )?(?:{KIN}|{ANIMALS}))(?= )(?: und ich)?", re.IGNORECASE
)
_ASKS = re.compile(
    r"(?:wie|was|wo|wann|warum|wieso|weshalb|wozu|wer|wen|wem|welche[rsnm]?|womit|woher|wohin|ob|wenn|falls|als)\b",
    re.I,
)
_INVERTED = re.compile(
    r" ((?:[a-zäöüß]{2,}e|bin|mag|kann|darf|muss|will|war|[a-zäöüß]{2,}en|sind)) (ich|wir)\b(?: |$)", re.I
)
_LED = re.compile(r"([a-zäöüß]{2,}en?|bin|mag) (ich|wir) ", re.IGNORECASE)
_DROPPED = re.compile(
    r"(?:bin|habe|hatte (?=vor|einen|eine|mal)|wohne|lebe|arbeite|studiere|esse|trinke|nehme|gehe|fahre|mag|liebe|"
    r"hasse|komme|spreche|lerne|rauche|"
    r"vertrage|stehe|schlafe|heiße|verdiene|unterrichte|leide|pendle|spiele|sammle|jogge|schwimme|lese|höre|"
    r"kann kein|hoste|betreibe|restauriere|züchte|leite|vermiete|hole|pflege|sammle|koche|backe|nähe|stricke|male|"
    r"singe|tanze|reite|klettere|trainiere|"
    r"fotografiere|forsche|promoviere|jobbe|schaffe|"
    r"schreibe(?= (?:gerade |grad )?an )|(?:nutze|benutze|verwende|programmiere|"
    r"entwickle)(?= (?:[a-z]+ )?(?-i:[A-Z])))\b"
    r"(?! (?:ich|du|wir|ihr|sie|er|es|man|bitte|mal|dir|dich)\b)",
    re.IGNORECASE,
)
_EARLY = re.compile(
    r"(?:dass |weil |da )?(ich|wir) ((?!bin|habe|sind|haben|wohne|arbeite|lebe)[\w.,-]+(?: [\w.,-]+){0,5}?) "
    r"(bin|habe|sind|haben|wohne|arbeite|lebe|nutze|esse|trinke|nehme)(?= und |,|$)",
    re.IGNORECASE,
)
_FURTHEST = 60  # characters before the verb; what stands further away belongs to another clause
_ENDINGS = {"ich": "e", "wir": "en"}


def readings(words: str) -> tuple[str, ...]:
    """A clause as it is, and with who and verb first: "freitags hab ich frei" as "ich habe freitags frei"."""
    plain = _ANY.sub(lambda found: _SPELLED[(found.lastindex or 1) - 1][0], words)
    plain = _CLIP.sub(r"\g<0>e", plain)
    moved = _verb_second(plain)
    early = _EARLY.match(plain)
    others = [moved] if moved is not None else []
    if early is not None:  # "(dass) ich blind bin und einen Screenreader nutze"
        others.append(f"{early[1]} {early[3]} {early[2]}{plain[early.end(3) :]}")
    return (plain, *others)


def _verb_second(words: str) -> str | None:
    if lead := _SUBORDINATE.match(words):
        return _from_the_end(words[lead.end() :])
    if _DROPPED.match(words):
        return f"ich {words}"
    if _ASKS.match(words):
        return None
    if led := _LED.match(words):  # "(zu Hause) schreibe ich"
        return f"{led[2]} {led[1]} {words[led.end() :]}"
    found = _INVERTED.search(words, 0, _FURTHEST + 20)
    if found is not None and 0 < found.start() <= _FURTHEST:
        before, after = words[: found.start()], words[found.end() :]
        return f"{found[2]} {found[1]} {before} {after}".rstrip()
    subject = _SUBJECT.match(words)
    if subject is not None and _waits(words[subject.end() :].split(), subject[0].casefold()):
        return _from_the_end(words)
    return None


def _waits(rest: list[str], subject: str) -> bool:
    """Whether the verb of a clause stands at its end and not behind its subject."""
    if len(rest) < 2:
        return False
    first, last = rest[0].casefold(), rest[-1].casefold().rstrip(",")
    if last in _VERBS and first not in _VERBS:
        return True
    ending = _ENDINGS.get(subject, "t")
    return last.endswith(ending) and not first.endswith(ending) and first not in _VERBS and rest[-1].islower()


def _from_the_end(words: str) -> str | None:
    """A clause whose verb waits at its end, with the verb behind its subject."""
    subject = _SUBJECT.match(words)
    words = words.rstrip(" ,")
    if subject is None or (" " not in words[subject.end() :].strip() and " " not in words):
        return None
    rest, _, verb = words[subject.end() :].strip().rpartition(" ")
    return f"{subject[0]} {verb} {rest}".rstrip() if verb else None


def main_clause(words: str) -> str:
    """The words in the order of a main clause, where "ich" or "wir" is who it is about; otherwise as they are."""
    parts = words.split()
    if len(parts) < 3:
        return words
    first, second, last = (parts[at].casefold() for at in (0, 1, -1))
    if first in _PRONOUNS and last in _VERBS and second not in _VERBS and "und" not in parts:
        return " ".join([parts[0], parts[-1], *parts[1:-1]])
    if second in _PRONOUNS and first in _VERBS:
        return " ".join([parts[1], parts[0].lower(), *parts[2:]])
    return words
