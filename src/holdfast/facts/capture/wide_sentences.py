"""The sentences and quotations of a line, also of Chinese and Japanese, whose stops the product does not read."""

from __future__ import annotations

import re

from holdfast.facts.capture.chat_sentences import Sentence, inside, quotations, sentences

__all__ = ["wide_quotations", "wide_sentences"]

_STOPS = "。！？； "
_END = re.compile(r"(?<![。！？；])[。！？；]++[」』”’）]{0,3}")
# A shorter one is a name or a term. No mark opens another inside: what many of them open would be read as often.
_QUOTE = re.compile(r"「[^「」]{8,}」|『[^『』]{8,}』|“(?=[^“”]*[^“”\x00-\x7f])[^“”]{8,}”")


def wide_sentences(line: str) -> list[Sentence]:
    """The sentences of a line; a stop of Chinese or Japanese needs no gap behind it."""
    spans = wide_quotations(line)
    found: list[Sentence] = []
    start = 0
    for end in (*(match.end() for match in _END.finditer(line)), len(line)):
        if end < len(line) and inside(spans, end):
            continue
        piece = line[start:end].strip()
        words = piece.rstrip(_STOPS)
        asked = "？" in piece[len(words) :]
        made = sentences(words)
        if made and asked:
            made[-1] = made[-1]._replace(asked=True)
        found += [
            sentence._replace(quoted=sentence.quoted or inside(spans, line.find(sentence.text, start) + 1))
            for sentence in made
        ]
        start = end
    return found


def wide_quotations(line: str) -> list[tuple[int, int]]:
    """Return where quotations stand, in order."""
    return sorted({*quotations(line), *(match.span() for match in _QUOTE.finditer(line))})
