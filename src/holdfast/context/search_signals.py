"""A search that was answered → one line for dreaming about which lines answered it; never a reason for it to fail.

This runs in every search, so it imports nothing but the place where the line goes, looks nothing up, and takes no text
apart that was not shown. The line holds checksums of the question and of what answered it; `dreaming/dream_counts.py`
looks up what they stand for when dreaming runs.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Final
from unicodedata import normalize
from zlib import crc32

from holdfast.context.context import Context

if TYPE_CHECKING:
    from holdfast.search.hit import Results

__all__ = ["answering_lines", "line_checksum", "notice_answers", "telling_words"]

_LEAST_SCORE: Final = 0.2  # the answer's own score; what has nothing to do with a question scores below .05
_FULL_SCORE: Final = 0.5  # the own score of the best possible answer
_MOST_HITS: Final = 6
_PARAGRAPH: Final = 280  # characters; a longer one counts sentence by sentence, as in `dreaming.claim`
_MOST_LINES: Final = 2  # of one hit: a chunk of a daily note holds many, and one or two of them answered
_LONGEST: Final = 4000  # characters of a question
_ACCENTS: Final = dict.fromkeys(range(0x300, 0x370))
_BULLETS: Final = ("-", "*", "+")


def notice_answers(ctx: Context, results: Results) -> None:
    """Leave a line about the best hits of a search, where that is wanted."""
    settings = ctx.settings
    if not settings.dreaming.enabled or settings.memory.style.stops_memory or not results.results:
        return
    # What stands in an image is in no note: nothing of it may be promoted.
    notes = [hit for hit in results.results[:_MOST_HITS] if hit.source == "memory" and not hit.media]
    hits = [hit for hit in notes if hit.own_score >= _LEAST_SCORE]
    words = telling_words(results.query) if hits else ()
    answers = [
        [hit.path, round(min(1.0, hit.own_score / _FULL_SCORE), 4), names]
        for hit in hits
        if (names := answering_lines(words, hit.snippet))
    ]
    if answers:
        from holdfast.index.sqlite.read_counts import leave, spool_beside

        asked = f"{crc32(' '.join(sorted(words)).encode('utf-8', 'surrogatepass')):08x}"
        line = json.dumps([asked, int(ctx.clock.now()), answers], separators=(",", ":"))
        leave(spool_beside(ctx.index_path), line)


def telling_words(query: str) -> frozenset[str]:
    """The words that say what a question is about, as the index knows them; all where there are no such."""
    from holdfast.index.analyzer import SHARED_ANALYSER
    from holdfast.search.small_words import SMALL_WORDS

    typed = SHARED_ANALYSER.query(query[:_LONGEST])
    found_words = frozenset(word for raw, words in typed if raw.lower() not in SMALL_WORDS for word in words)
    return found_words or frozenset(word for _, words in typed for word in words)


def answering_lines(words: Collection[str], snippet: str) -> list[int]:
    """The names of the lines that answer: those with most of the question's words, or the only one there is."""
    pieces = list(_pieces(snippet))
    if len(pieces) <= 1:
        return [line_checksum(first) for first, _ in pieces]
    # These are stems: most words begin with theirs as it is, and others change its last letter (city, cities).
    roots = {word[:-1] if len(word) > 3 and word[-1] in "eiy" else word for word in words}
    texts = [text if text.isascii() else _strip_accents(text) for _, text in pieces]
    held = [sum(_has_word_start(root, text) for root in roots) for text in texts]
    best = max(held)
    # Where no word is common, the vectors of the whole chunk answered, and nobody can say for which of its lines.
    if best:
        best_lines = [first for number, (first, _) in zip(held, pieces, strict=True) if number == best]
    else:
        best_lines = []
    return [line_checksum(first) for first in best_lines[:_MOST_LINES]]


def line_checksum(line: str) -> int:
    """Return what a line is called in the meantime: a checksum of its words, without a mark."""
    return crc32(" ".join(line.partition("<!--")[0].split()).encode("utf-8", "surrogatepass"))


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """Each bullet and paragraph, with its first line; of a long paragraph each sentence."""
    block: list[str] = []
    code = False
    for line in [*text.split("\n"), ""]:
        bare = line.strip()
        ends = not bare or bare[0] in "#|>" or bare.startswith("<!--")
        if bare.startswith(("```", "~~~")):
            code, ends = not code, True
        if block and (ends or code or _is_bullet(bare)):
            yield from _piece(block)
            block = []
        if not ends and not code:
            block.append(bare)


def _piece(block: list[str]) -> Iterator[tuple[str, str]]:
    first, whole = block[0], " ".join(block)
    if first.lstrip("-*+ ").startswith("~~"):
        return
    if len(whole) <= _PARAGRAPH or _is_bullet(first):
        yield first, whole.lower()
        return
    sentence: list[str] = []
    for word in whole.split():
        sentence.append(word)
        if word[-1] in ".!?…":
            yield " ".join(sentence), " ".join(sentence).lower()
            sentence = []
    if sentence:
        yield " ".join(sentence), " ".join(sentence).lower()


def _is_bullet(bare: str) -> bool:
    mark, space, _ = bare.partition(" ")
    return bool(space) and (mark in _BULLETS or (mark[-1:] in (".", ")") and mark[:-1].isdecimal()))


def _strip_accents(text: str) -> str:
    """Without accents, which stems do not have either."""
    return normalize("NFKD", text).translate(_ACCENTS)


def _has_word_start(root: str, text: str) -> bool:
    """Say whether a word of a text begins so."""
    at = text.find(root)
    while at > 0 and root.isascii() and text[at - 1].isalnum():
        at = text.find(root, at + 1)
    return at >= 0
