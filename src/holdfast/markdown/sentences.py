"""A paragraph → its sentences, by place.

A cut in the wrong place would leave half a sentence behind, so wherever there is doubt (an abbreviation, an initial,
a small letter after the stop) the two stay one.
"""

from __future__ import annotations

import re

from holdfast.pattern import compile_late

__all__ = ["sentences"]

# After a stop of a spaced script there must be a gap; one of Chinese or Japanese is enough by itself.
# It begins only where a run of stops does, and is possessive, so that no run is looked at twice.
_STOP = compile_late(r"(?<![.!?…؟।])[.!?…؟।]++[\"'”’»)\]*_]*+(?=\s)|[。！？｡]++[」』”’）]*+")
_SHORT_FORMS = frozenset(
    "mr mrs ms dr prof st sr jr vs etc approx e.g i.e cf no nr vol pp ca bzw z.b d.h u.a usw str tel inc ltd co "
    "jan feb mar apr jun jul aug sep sept oct nov dec a.m p.m".split()
)
_ORDINAL = 2  # digits of a day or of a place in an order
_LAST_WORD = compile_late(r"[\w.]{1,20}$")
_LABEL = compile_late(r"[*_]{0,2}\w[\w .'/-]{0,40}:[*_]{0,2}(?:\s|$)")
# A line that was broken because it was full goes on in the next one; a shorter one was ended on purpose.
_FULL = 60
_FEWEST = 3  # lines of a list without marks: two may as well be one thought that somebody broke
_GOES_ON = compile_late(r"[^\w\s\"'”’»)\]*_`%€$]$|\b(?:a|an|the|and|or|but|of|to|in|on|at|by|for|from|with|is|are|as)$")
_GONE_ON = compile_late(
    r"\W|(?:and|or|but|because|so|of|to|in|on|at|by|for|from|with|is|are|as|than|that|which|who|when|where|while|if)\b"
)


def sentences(text: str) -> list[tuple[int, int]]:
    """Return where each sentence begins and ends, without white space around it."""
    ends = sorted(
        {*(stop.end() for stop in _STOP.finditer(text) if _is_end(text, stop)), *_statement_breaks(text), len(text)}
    )
    spans = []
    start = 0
    for end in ends:
        piece = text[start:end]
        left = start + len(piece) - len(piece.lstrip())
        right = start + len(piece.rstrip())
        if left < right:
            spans.append((left, right))
        start = end
    return spans


def _is_end(text: str, stop: re.Match[str]) -> bool:
    if stop[0][0] != ".":
        return True
    after = text[stop.end() : stop.end() + 40].lstrip()[:1]
    if not after or after.islower():
        return not after
    word = _LAST_WORD.search(text, max(0, stop.start() - 20), stop.start())
    last_word = word[0].lower() if word else ""
    if last_word in _SHORT_FORMS or (len(last_word) == 1 and last_word.isalpha()):
        return False
    # "am 3. Mai": a small number may be an ordinal, and one at the start of a line counts something.
    return not (
        last_word.isdigit() and (len(last_word) <= _ORDINAL or _starts_line(text, stop.start() - len(last_word)))
    )


def _starts_line(text: str, at: int) -> bool:
    """Say whether a number starts a line: there `1.` counts something and ends no sentence."""
    near = text[max(0, at - 16) : at]
    return near.rpartition("\n")[2].strip() == "" and ("\n" in near or at <= 16)


def _statement_breaks(text: str) -> list[int]:
    """Return the line breaks that end a statement.

    They are hard ones, and those between short lines or before a label.
    """
    ends = []
    start = 0
    listed = _is_list(text)
    while (at := text.find("\n", start)) >= 0:
        after = text[at + 1 : at + 65].lstrip(" \t")
        hard = text.endswith(("  ", "\\"), start, at)
        short = at - start < _FULL and (listed or after[:1].isupper() or after[:1].isdigit())
        if hard or short or _LABEL.match(after):
            ends.append(at + 1)
        start = at + 1
    return ends


def _is_list(text: str) -> bool:
    """Say whether these are several short lines of which none goes on in the next.

    Each was written down by itself.
    """
    lines = [line.strip() for line in text.strip().split("\n")]
    return (
        len(lines) >= _FEWEST
        and all(0 < len(line) < _FULL for line in lines)
        and not any(_GOES_ON.search(line) for line in lines)
        and not any(_GONE_ON.match(line) for line in lines[1:])
    )
