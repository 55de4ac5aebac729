"""Collect the training text: spans to regress on and natural pairs to contrast, as texts and numbers.

Run: python training/collect.py [--small] [--languages]. Writes training/.work/carry/{texts.xz,rows.npz}, seeded; with
--languages the text of sixteen languages, into training/.work/languages, with words.xz and the vocabulary beside it.
A conversation's lines carry no speaker: fit.py puts names before them, different ones in every batch.
"""

from __future__ import annotations

import argparse
import lzma
import random
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from itertools import chain, pairwise

import numpy as np

import multilingual
import vocabulary
from readers import Pair, conversations, definitions, facts, pages, questions, sentences, synonyms
from sources import USE_PIECES, WORK, fetch

LONGEST = 1200  # characters; the teacher reads 256 tokens
CHAT = frozenset({"topical", "persona", "personamem", "qmsum", "fact", "asked", "qmsum-query", "qmsum-answer"})
_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'(])")
_END_ANY = re.compile(r"(?<=[.!?؟])\s+|(?<=[。！？])|\n+")
# Tenths of English pairs, and of what is large and all about programs; what is everyday or encyclopaedic stays.
_ENGLISH = {"wiki": 6, "topical": 2, "persona": 3, "wordnet": 1, "pubmed": 3}
_ALIGNED = {"office": 1, "packages": 1, "handbook": 2, "signs": 5}
_ALONE = frozenset({"cookies", "skies", "kenet", "timeqa", "drcd-dev"})  # no pairs of their parts
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]+")
_ASKING = (
    "What did {} say about", "What does {} like about", "When did", "Where did", "How does", "Why did", "Who", "Does",
    "How many", "What kind of", "What is", "Which", "Has {} ever", "How did {} feel about", "What are {}'s", "When is",
)  # fmt: skip
COMMON = frozenset(
    "a about after all also am an and any are as at be because been but by can could did do does for from get go going "
    "good great had has have he her him his how i if in into is it it's its i'm just know like lot me more my new no "
    "not now of on one or our out really she so some that that's the their them then there they this to too up us very "
    "was we well were what when where which who will with would yeah yes you your".split()
)


def pseudo_question(said: str, near: dict[str, list[str]], draw: random.Random) -> str | None:
    """What somebody might ask to be reminded of `said`: a few of its words, some said otherwise."""
    words = [word for word in dict.fromkeys(_WORD.findall(said)) if word.lower() not in COMMON]
    if len(words) < 3:
        return None
    kept = sorted(draw.sample(range(len(words)), k=min(len(words), draw.randint(2, 5))))
    asked = []
    for at in kept:
        others = near.get(words[at].lower())
        asked.append(draw.choice(others) if others and draw.random() < 0.35 else words[at].lower())
    return f"{draw.choice(_ASKING).replace('{}', draw.choice(('they', 'he', 'she')))} {' '.join(asked)}?"


def chat_pairs(draw: random.Random, near: dict[str, list[str]]) -> Iterator[Pair]:
    """Turn and reply, question and turn, fact and turn."""
    for source, turns in conversations():
        for (_, said), (_, reply) in pairwise(turns):
            if len(said.split()) >= 5 and len(reply.split()) >= 5:
                yield Pair(source, said, reply)
        for _, said in turns:
            for _ in range(2):
                asked = pseudo_question(said, near, draw)
                if asked is not None:
                    yield Pair("asked", asked, said)
    for known, said_by in facts():
        for fact in known:
            wanted = {word.lower() for word in _WORD.findall(fact)} - COMMON
            shared = [(len(wanted & {word.lower() for word in _WORD.findall(said)}), said) for _, said in said_by]
            best = max(shared, default=(0, ""))
            if best[0] >= min(2, len(wanted)):
                yield Pair("fact", _third_person(fact), best[1])


def _third_person(fact: str) -> str:
    fact = re.sub(r"\b[Ii] am\b|\b[Ii]'m\b", "is", fact)
    fact = re.sub(r"\b[Ii] have\b|\b[Ii]'ve\b", "has", fact)
    return re.sub(r"\b[Mm]y\b", "their", re.sub(r"^[Ii]\s+", "", fact))


def page_pairs(draw: random.Random, near: dict[str, list[str]]) -> Iterator[Pair]:
    """Title and first paragraph, heading and section, sentence and the rest of its paragraph."""
    for source, title, sections in pages():
        if title and sections:
            yield Pair(source + "-title", title, sections[0].paragraphs[0])
        for section in sections:
            whole = " ".join(section.paragraphs)
            if section.heading and len(whole) > 80:
                yield Pair(source + "-heading", f"{title}: {section.heading}", whole[:2000])
            for paragraph in section.paragraphs:
                parts = _END.split(paragraph)
                if len(parts) >= 2 and len(paragraph) > 120:
                    at = draw.randrange(len(parts))
                    yield Pair(source, parts[at], " ".join(parts[:at] + parts[at + 1 :])[:1500])
                    asked = pseudo_question(paragraph, near, draw)
                    if asked is not None and draw.random() < 0.5:
                        yield Pair(source, asked, paragraph[:1500])


def windows(text: str, draw: random.Random) -> Iterator[tuple[int, int]]:
    """Where pieces of a longer text lie, at several lengths, so that no length is strange to the model."""
    ends = [found.start() for found in _END.finditer(text)]
    starts = [0, *(found.end() for found in _END.finditer(text))]
    ends.append(len(text))
    if len(starts) >= 3:
        for size in (1, 2, 4):
            if len(starts) > size:
                at = draw.randrange(len(starts) - size + 1)
                yield starts[at], ends[at + size - 1]


def many_pairs(draw: random.Random) -> Iterator[tuple[Pair, str, str]]:
    """Pairs in two languages or one, with both languages: the same said twice, or a sentence and what is around it."""
    for source, said in multilingual.aligned():
        names = sorted(said)
        kept = zlib.crc32(said[names[0]].encode()) % 10
        if kept >= _ALIGNED.get(source, 10) or names == ["en"]:
            continue
        if len(names) == 1:
            yield Pair("", said[names[0]], said[names[0]]), names[0], names[0]
            continue
        draw.shuffle(names)
        if "en" in said:
            yield from ((Pair(source, said[name], said["en"]), name, "en") for name in names if name != "en")
        yield from ((Pair(source, said[one], said[two]), one, two) for one, two in pairwise(names))
    for source, language, text in multilingual.documents():
        parts = [part for part in _END_ANY.split(text) if len(part) > 12]
        yield Pair("", text, text), language, language
        if source in _ALONE:
            continue
        for at in draw.sample(range(len(parts)), k=min(3, len(parts))) if len(parts) > 1 else ():
            yield Pair(f"{source}-{language}", parts[at], " ".join(parts[:at] + parts[at + 1 :])), language, language


def collect_many(small: bool, seed: int) -> None:
    """The text of sixteen languages, English thinned to what the others can stand beside."""
    draw = random.Random(seed)
    near = synonyms()
    texts: dict[str, int] = {}
    tongues: list[int] = []
    found: dict[tuple[int, int], str] = {}

    def put(text: str, language: str) -> int:
        if text not in texts:
            tongues.append(multilingual.LANGUAGES.index(language))
        return texts.setdefault(text, len(texts))

    def english() -> Iterator[tuple[Pair, str, str]]:
        for pairs in (chat_pairs(draw, near), page_pairs(draw, near), questions(), sentences(), definitions()):
            for pair in pairs:
                # GitHub's pages measure search now; of the rest a share, by its own number, so that runs agree.
                number = zlib.crc32(pair.passage.encode()) % 10
                if not pair.source.startswith("github") and number < _ENGLISH.get(pair.source, 0):
                    yield pair, "en", "en"

    for pair, one, two in chain(many_pairs(draw), english()):
        query, passage = " ".join(pair.query.split())[:500], " ".join(pair.passage.split())[:700]
        if len(query) < 2 or len(passage) < 2 or (small and zlib.crc32(passage.encode()) % 400):
            continue
        numbers = put(query, one), put(passage, two)
        if query != passage and pair.source:
            found.setdefault(numbers, pair.source)
    spans = [
        (row, *where) for text, row in texts.items() for where in windows(text, draw) if where[1] - where[0] < len(text)
    ]
    target = WORK / ("small-languages" if small else "languages")
    target.mkdir(exist_ok=True)
    sources = sorted(set(found.values()))
    with lzma.open(target / "texts.xz", "wt", encoding="utf-8", preset=9 | lzma.PRESET_EXTREME) as lines:
        lines.writelines(text + "\n" for text in texts)
    words = list(multilingual.words())
    with lzma.open(target / "words.xz", "wt", encoding="utf-8", preset=6) as lines:
        lines.writelines(f"{language}\t{word}\t{share:.3g}\n" for language, word, share in words)
    np.savez_compressed(
        target / "rows.npz",
        sources=np.array(sources),
        languages=np.array(tongues, np.int8),
        pairs=np.array([(sources.index(source), *numbers) for numbers, source in found.items()], np.int32),
        spans=np.array(spans, np.int32),
    )
    by_language = Counter(tongues)
    for number, language in enumerate(multilingual.LANGUAGES):
        size = sum(len(text) for text, tongue in zip(texts, tongues, strict=True) if tongue == number)
        print(f"{language:6} {by_language[number]:8} texts {size:10} characters")
    for source, count in sorted(Counter(found.values()).items()):
        print(f"{source:16} {count:8}")
    print(f"{len(found)} pairs, {len(texts)} texts, {len(spans)} further spans, {len(words)} words")
    print(f"{vocabulary.choose(USE_PIECES, target / 'subset.model')} pieces kept")


def main() -> None:
    """Collect, drop repeats, write: texts in the order found (like near like compresses), the rest by number."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="a sliver of the text, to try the scripts in minutes")
    parser.add_argument("--seed", type=int, default=20261115)
    parser.add_argument("--languages", action="store_true", help="the text of sixteen languages")
    options = parser.parse_args()
    fetch(many=options.languages)
    if options.languages:
        collect_many(options.small, options.seed)
        return
    draw = random.Random(options.seed)
    near = synonyms()
    texts: dict[str, int] = {}
    found: dict[tuple[int, int], str] = {}
    for pairs in (chat_pairs(draw, near), page_pairs(draw, near), questions(), sentences(), definitions()):
        for pair in pairs:
            query, passage = " ".join(pair.query.split())[:600], " ".join(pair.passage.split())[:LONGEST]
            if len(query) < 3 or len(passage) < 12 or query == passage:
                continue
            if options.small and zlib.crc32(passage.encode()) % 400:
                continue
            numbers = (texts.setdefault(query, len(texts)), texts.setdefault(passage, len(texts)))
            found.setdefault(numbers, pair.source)
    spans = [(row, *where) for text, row in texts.items() for where in windows(text, draw)]
    target = WORK / ("small" if options.small else "carry")
    target.mkdir(exist_ok=True)
    sources = sorted(set(found.values()))
    with lzma.open(target / "texts.xz", "wt", encoding="utf-8", preset=6) as lines:
        lines.writelines(text + "\n" for text in texts)
    pairs_found = [(sources.index(source), *numbers) for numbers, source in found.items()]
    np.savez_compressed(
        target / "rows.npz",
        sources=np.array(sources),
        pairs=np.array(pairs_found, np.int32),
        spans=np.array(spans, np.int32),
    )
    for source, count in sorted(Counter(found.values()).items()):
        print(f"{source:16} {count:8}")
    print(f"{len(pairs_found)} pairs, {len(texts)} texts in them, {len(spans)} further spans")


if __name__ == "__main__":
    main()
