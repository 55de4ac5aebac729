"""Pairs of `data/relation_topics.txt`, and those that follow from them; and what people said together in one message.

What replaces one topic stands beside the others of its block. Some kinds tell of the same things in every language, so
that a sentence of one language is replaced by one of another. Facts of one message stand beside each other.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from holdfast.facts.capture.chat_sentences import sentences

from relation_frames import BESIDE, REPLACES, Pair

__all__ = ["Topics", "read_topics", "told_together"]

EACH = 2  # other topics of a block that each new sentence is put beside
NEAREST = 2  # sentences of the same message
LEVEL = ("habit", "preference", "date", "device")  # kinds whose first lines tell the same in these languages
LEVEL_LANGUAGES = ("fr", "es", "pt", "it", "nl", "zh", "ja")
LEVEL_LINES = 5
_MARK = re.compile(r" ([>|]) ")
_WIDE_STOP = re.compile(r"(?<=[。！？])")


class Topic(NamedTuple):
    """A known sentence, what replaces it, and what stands beside it."""

    known: str
    replaced: list[str]
    beside: list[str]


class Block(NamedTuple):
    """The topics of one kind in one language; `apart` where each is about something else."""

    language: str
    kind: str
    apart: bool
    topics: list[Topic]


class Topics(NamedTuple):
    """The pairs as they were written, those across the topics of a block, and those across languages."""

    written: list[Pair]
    crossed: list[Pair]
    abroad: list[Pair]


def read_topics(path: Path, seed: int) -> Topics:
    """Return all pairs that the topics make."""
    chance, blocks = random.Random(seed), list(_blocks(path))
    written = [
        Pair(topic.known, said, then)
        for block in blocks
        for topic in block.topics
        for then, texts in ((REPLACES, topic.replaced), (BESIDE, topic.beside))
        for said in texts
    ]
    crossed = [pair for block in blocks for pair in _crossed(block, chance)]
    return Topics(written, crossed, list(_abroad(blocks, chance)))


def told_together(paths: Sequence[Path], near: Callable[[str, str], float]) -> list[Pair]:
    """Return facts of one message, each with those of its message that are nearest to it."""
    pairs: list[Pair] = []
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            later: dict[str, list[str]] = {}
            for first, second in combinations(_facts_of(json.loads(line)), 2):
                later.setdefault(first, []).append(second)
            for first, others in later.items():
                nearest = sorted(others, key=lambda other, first=first: -near(first, other))[:NEAREST]
                pairs += [Pair(first, second, BESIDE) for second in nearest]
    return pairs


def _blocks(path: Path) -> Iterator[Block]:
    block: Block | None = None
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("@ "):
            if block is not None:
                yield block
            language, kind, *marks = line.split()[1:]
            block = Block(language, kind, "apart" in marks, [])
        elif block is not None:
            known, *rest = _MARK.split(line)
            said = list(zip(rest[::2], rest[1::2], strict=True))
            block.topics.append(
                Topic(known, [text for mark, text in said if mark == ">"], [text for mark, text in said if mark == "|"])
            )
    if block is not None:
        yield block


def _crossed(block: Block, chance: random.Random) -> Iterator[Pair]:
    for at, topic in enumerate(block.topics):
        if block.kind == "stay":
            yield from (Pair(first, second, BESIDE) for first, second in combinations(topic.beside, 2))
        if not block.apart:
            continue
        others = [other.known for other in (*block.topics[:at], *block.topics[at + 1 :])]
        for said in topic.replaced:
            yield from (Pair(known, said, BESIDE) for known in chance.sample(others, min(EACH, len(others))))


def _abroad(blocks: Sequence[Block], chance: random.Random) -> Iterator[Pair]:
    by_place = {(block.language, block.kind): block.topics[:LEVEL_LINES] for block in blocks}
    for kind in LEVEL:
        for language in LEVEL_LANGUAGES:
            for at, topic in enumerate(by_place[language, kind]):
                other = chance.choice([name for name in LEVEL_LANGUAGES if name != language])
                there = by_place[other, kind]
                yield Pair(topic.known, chance.choice(there[at].replaced), REPLACES)
                apart = chance.choice([place for place in range(len(there)) if place != at])
                yield Pair(topic.known, chance.choice(there[apart].replaced), BESIDE)


def _facts_of(message: dict[str, object]) -> list[str]:
    """Return the sentences of a labelled message that tell the facts it was labelled with."""
    lines = str(message["text"]).splitlines()
    said = [part.strip() for line in lines for made in sentences(line) for part in _WIDE_STOP.split(made.text)]
    found: list[str] = []
    facts = message["facts"]
    assert isinstance(facts, list)
    for fact in facts:
        words = fact.get("words") or []
        wanted = [word.casefold() for word in (words if isinstance(words, list) else [words]) if isinstance(word, str)]
        held = next((text for text in said if wanted and all(word in text.casefold() for word in wanted)), "")
        if held and held not in found:
            found.append(held)
    return found
