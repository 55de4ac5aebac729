"""Phrases of a language → labelled messages: the same words told by the user, and asked, supposed or said of others.

`training/data/capture/phrases/LANGUAGE.txt` has lists ("V: one/its other form | another") and frames with slots for
them, by what they tell: f a fact, p a preference, d a decision, e an entity; n, s and g tell nothing, and g is what
stands in books, papers and manuals. So a network learns that it is the frame that tells, whatever rare word it holds.
"""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

PHRASES = Path(__file__).resolve().parents[1] / "data" / "capture" / "phrases"
_CATEGORIES = {"f": "fact", "p": "preference", "d": "decision", "e": "entity"}
_IMPORTANCE = {"f": 0.6, "p": 0.6, "d": 0.7, "e": 0.7}
_MESSAGES = 1_000  # of a language
_TOLD = 0.55  # of those that are said
_BOOKISH = 0.15  # of all
_SLOT = re.compile(r"\{([A-Z])(2?)\}")
_WIDE = ("zh", "ja")
Row = dict[str, Any]
Frames = dict[str, list[str]]


def phrase_rows(rng: random.Random, many: int = _MESSAGES) -> list[Row]:
    """Return so many messages of each language."""
    made: list[Row] = []
    for path in sorted(PHRASES.glob("*.txt")):
        lists, frames = read_phrases(path)
        made += [_message(path.stem, lists, frames, rng) for _ in range(many)]
    return [row | {"row": number} for number, row in enumerate(made)]


def bookish_rows(rng: random.Random, many: int) -> list[Row]:
    """Return so many messages of each language as books have them."""
    made: list[Row] = []
    for path in sorted(PHRASES.glob("*.txt")):
        lists, frames = read_phrases(path)
        made += [_page(path.stem, lists, frames, rng) for _ in range(many)]
    return made


def read_phrases(path: Path) -> tuple[dict[str, list[list[str]]], Frames]:
    """Return the lists of a file, each entry with its forms, and its frames by what they tell."""
    lists: dict[str, list[list[str]]] = {}
    frames: Frames = {}
    for line in path.read_text("utf-8").splitlines():
        if line[1:3] == ": ":
            lists[line[0]] = [entry.split("/") for entry in line[3:].split(" | ")]
        elif line.strip():
            frames[line[0]] = line[2:].split(" ; ")
    return lists, frames


def _message(language: str, lists: dict[str, list[list[str]]], frames: Frames, rng: random.Random) -> Row:
    """Return one to three sentences, of which one or two tell something or none does."""
    if rng.random() < _BOOKISH:
        return _page(language, lists, frames, rng)
    tells = rng.random() < _TOLD
    more = rng.choice((0, 0, 1, 1, 2))
    kinds = [_telling_kind(frames, rng) if tells else rng.choice("ns"), *(rng.choice("nnss") for _ in range(more))]
    if tells and more and rng.random() < 0.4:
        kinds[1] = _telling_kind(frames, rng)
    rng.shuffle(kinds)
    sentences, facts = [], []
    for kind in kinds:
        sentence, words = _filled(rng.choice(frames[kind]), lists, rng)
        sentences.append(_written(sentence, language, rng, last=len(sentences) == len(kinds) - 1))
        if kind in _CATEGORIES:
            facts.append({"words": [words], "category": _CATEGORIES[kind], "importance": _IMPORTANCE[kind]})
    text = ("" if language in _WIDE else " ").join(sentences)
    if rng.random() < 0.2:
        text = text.lower()
    return {"language": language, "kind": "phrase", "text": text, "facts": facts, "file": "phrases", "made_of": ()}


def _page(language: str, lists: dict[str, list[list[str]]], frames: Frames, rng: random.Random) -> Row:
    """Return a sentence as books have it, or some of them."""
    chosen = rng.sample(frames["g"], rng.choice((1, 1, 2, 3, 6)))
    texts = [_written(_filled(frame, lists, rng)[0], language, rng, last=False) for frame in chosen]
    text = ("" if language in _WIDE else " ").join(texts)
    return {"language": language, "kind": "phrase", "text": text, "facts": [], "file": "phrases", "made_of": ()}


def _telling_kind(frames: Frames, rng: random.Random) -> str:
    """Return a kind that tells something, the plain facts more often."""
    return rng.choices([kind for kind in "fpde" if kind in frames], [12, 3, 2, 3][: sum(k in frames for k in "fpde")])[
        0
    ]


def _filled(frame: str, lists: dict[str, list[list[str]]], rng: random.Random) -> tuple[str, str]:
    """Return a frame with something in its slots, and words of it by which its clause is known."""
    chosen = {name: rng.choice(lists[name]) for name, _ in _SLOT.findall(frame)}
    sentence = _SLOT.sub(lambda slot: chosen[slot[1]][-1 if slot[2] else 0], frame)
    fillers = [chosen[name][-1 if other else 0] for name, other in _SLOT.findall(frame)]
    return sentence, max(fillers, key=len, default=frame[-10:].strip(" !.。"))


def _written(sentence: str, language: str, rng: random.Random, *, last: bool) -> str:
    """Return a sentence with a capital letter and a stop, where it does not end a message without one."""
    sentence = sentence[:1].upper() + sentence[1:]
    if sentence[-1] in "?!？":
        return sentence
    stop = "。" if language in _WIDE else "."
    return sentence if last and rng.random() < 0.4 else sentence + stop
