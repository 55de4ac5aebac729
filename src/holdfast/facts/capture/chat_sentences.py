"""A line of chat → its sentences, each with the sign it ends in, and whether it began inside a quotation."""

from __future__ import annotations

import re
from bisect import bisect_left

from holdfast.facts.capture.clauses import clauses
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

__all__ = ["LONGEST", "Sentence", "inside", "quotations", "sentences"]

LONGEST = 320
"""Characters; nobody says something to remember about themselves in more, and every pattern is tried on no more."""

_END = compile_late(r"(?<![.!?…;])[.!?…;]++[\"'»”“’)]{0,3}(?=\s|$)")
_SHORT = compile_late(
    r"(?:\b(?:[A-Za-z]|dr|mr|mrs|ms|prof|st|vs|etc|e\.g|i\.e|approx|no|nr|bzw|ca|usw|inkl|ggf|evtl|m|mme|sr|sra|ud|"
    r"p\.ej|"
    r"pág|av|tel|abs|str|exmos?|exmas?|sres|sras))\.$",
    re.IGNORECASE,
)
# "der 14. Juni", "in Linz, 3. Klasse"; not "Postgres 15. Le build".
_ORDINAL = compile_late(
    r"(?:(?:^|[,(] ?|\b(?:der|die|das|den|dem|des|am|im|vom|zum|zur|ins|bis|ab|seit|jede[nrsm]?|und|oder|"
    r"(?:mein|dein|unser|ihr|sein|ein|kein)(?:e[rsnm]?)?) )\d{1,2}\.(?= [A-Za-zÄÖÜäöü])|"
    r"\d{1,2}\.(?= (?:jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez)))",
    re.IGNORECASE,
)
_BEFORE_ORDINAL = 16  # characters: the longest word that may stand before one, a blank and two digits
_ELIDED = compile_late(r"'(?:cause|cos|coz|till?|em|n|bout|round|tis|twas|\d0s)\b", re.IGNORECASE)
_CLOSING = compile_late(r"(?<=\S)'(?!\w)")
_BEFORE_QUOTE = " ([{:,-–—"
_ANY_QUOTE = compile_late(r"[\"“„«»‚‹]|(?:^|[ (\[{:,–—-])'")  # no apostrophe inside a word: most lines have no other
_ANY_SIGN = compile_late(r"[,.;:!?…()\"–—-] | [–—-]|[，、；：（）]")  # who dictates says none of them
_PAIRS = {'"': '"', "“": "”", "„": "“”", "«": "»", "»": "«", "‚": "‘’", "‹": "›"}


class Sentence(NamedTuple):
    """The words without the sign at the end; `asked` where that was a question mark."""

    text: str
    asked: bool = False
    quoted: bool = False


def sentences(line: str) -> list[Sentence]:
    """The sentences of a line that are short enough to be looked at."""
    spans = quotations(line)
    found: list[Sentence] = []
    start = 0
    for end in (*(match.end() for match in _END.finditer(line)), len(line)):
        if end < len(line) and (
            _SHORT.search(line, max(start, end - 8), end) or inside(spans, end) or _ordinal(line, start, end)
        ):
            continue
        part = line[start:end].strip()
        for piece in _pieces(part):
            begin = line.index(piece, start)
            start = begin + len(piece)
            words = piece.rstrip(".!?…; ")
            asked = "?" in piece[len(words) :] or piece.startswith("¿")
            found.append(Sentence(" ".join(words.split()), asked, inside(spans, begin + 1)))
        start = end
    return found


def _pieces(part: str) -> list[str]:
    """Return a sentence that is short enough; one that was dictated without signs, cut before "and I" and the like."""
    if not part or len(part) <= LONGEST:
        return [part] if part else []
    if _ANY_SIGN.search(part):
        return []
    starts = [clause.start for clause in clauses(part) if clause.own]
    pieces = [part[start:end].strip() for start, end in zip(starts, [*starts[1:], len(part)], strict=True)]
    return [piece for piece in pieces if len(piece) <= LONGEST]


def _ordinal(line: str, start: int, end: int) -> bool:
    """Say whether a stop makes an ordinal of the number before it."""
    if not line[end - 2 : end - 1].isdigit():
        return False
    found = _ORDINAL.finditer(line, max(start, end - _BEFORE_ORDINAL), end + 4)
    return any(match.end() == end for match in found)


def quotations(line: str) -> list[tuple[int, int]]:
    """Return where quotations of more than two words stand; a shorter one is a name or a term."""
    if not _ANY_QUOTE.search(line):
        return []
    spans: list[tuple[int, int]] = []
    at = 0
    single = "'" in line
    while at < len(line):
        if single and line[at] == "'" and _opens(line, at):
            closed = _CLOSING.search(line, at + 2)
            single = closed is not None  # from here on there is none, and to look again would cost the square
            end = closed.start() if closed else -1
        else:
            closing = _PAIRS.get(line[at])
            if closing is None or (at and line[at] == '"' and line[at - 1].isalnum()):
                at += 1
                continue
            end = min((place for sign in closing if (place := line.find(sign, at + 1)) >= 0), default=-1)
        if end < 0:
            at += 1
            continue
        if line.count(" ", at, end) >= 2:
            spans.append((at, end + 1))
        at = end + 1
    return spans


def _opens(line: str, at: int) -> bool:
    """Say whether a straight single quote could begin a quotation, and is no apostrophe."""
    behind = line[at + 1 : at + 2]
    return (not at or line[at - 1] in _BEFORE_QUOTE) and not behind.isspace() and not _ELIDED.match(line, at)


def inside(spans: list[tuple[int, int]], at: int) -> bool:
    """Say whether a place lies within one of them; they stand in order, and none within another."""
    before = bisect_left(spans, (at,)) - 1
    return before >= 0 and at < spans[before][1]
