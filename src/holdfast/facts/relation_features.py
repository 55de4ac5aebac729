"""Two sentences → the numbers by which their relation is judged: what they share, what each has alone, how near it is.

No word is listed here. Words are compared by the vectors of the embedded model, so what is learnt of one language
tells of others; short runs of words and letters are counted in buckets, so that words of change can be learnt.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING, Final
from zlib import crc32

import numpy as np

from holdfast.embeddings.embedder import Purpose
from holdfast.named_tuple import NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holdfast.embeddings.static.static_embedder import StaticEmbedder

__all__ = [
    "BUCKETS",
    "PART",
    "Side",
    "Sides",
    "are_of_one_form",
    "bucket",
    "buckets_of",
    "compare",
    "cut_words",
    "dense",
    "differ_in_a_word",
    "meanings",
    "read_sides",
    "says_less",
    "word_vectors",
]

BUCKETS: Final = 4096
PART: Final = 255  # numbers of a part of the embedded model; the one behind them is for evidence
_WORD: Final = re.compile(
    r"[\u3040-\u309f]+|[\u30a0-\u30ff]+|[\u3400-\u9fff]|\d+(?:[.,:]\d+)*|[^\W\d_\u3040-\u30ff\u3400-\u9fff]+(?:['-][^\W_]+)*"
)
_LONGEST: Final = 60  # words; of a longer fact, the beginning
_ONE_FORM: Final = 0.6  # of the words of the longer one


class Side(NamedTuple):
    """A sentence as words, how telling each is, which look like names and which are numbers; and its vectors."""

    text: str
    words: tuple[str, ...]
    weights: NDArray[np.float64]
    names: NDArray[np.bool_]
    numbers: NDArray[np.bool_]
    vectors: NDArray[np.float64]
    """A row a word, both parts of the model, each of length one."""
    whole: NDArray[np.float64]


class Sides(NamedTuple):
    """Holds what is known of two sentences, and how near each word of one comes to each of the other, in both parts."""

    old: Side
    new: Side
    near: NDArray[np.float64]
    alone_old: NDArray[np.bool_]
    alone_new: NDArray[np.bool_]


def bucket(kind: str, words: str, many: int = BUCKETS) -> int:
    """Return the place where a run of words is counted."""
    return crc32(f"{kind}\0{words}".encode()) % many


def cut_words(text: str) -> list[tuple[str, bool]]:
    """Return the words of a sentence in small letters, and whether each is written as a name is."""
    flat = unicodedata.normalize("NFKC", text).replace("’", "'")[:2000]
    found: list[tuple[str, bool]] = []
    for match in _WORD.finditer(flat):
        word = match[0]
        # A sentence begins with a capital, whatever its first word is.
        capital = any(map(str.isupper, word[not found :]))
        found.append((word.lower(), capital and len(word) > 1))
    return found[:_LONGEST]


def read_sides(
    texts: Sequence[str], embedder: StaticEmbedder, weights: Sequence[float] | NDArray[np.float64]
) -> list[Side]:
    """Return sentences, taken apart. `weights` say by bucket how telling a word is.

    The vectors of all are asked for at once: ten lots take ten times as long.
    """
    cut = [cut_words(text) for text in texts]
    runs = [(*(word for word, _ in found), text) for found, text in zip(cut, texts, strict=True)]
    vectors = word_vectors(list(chain.from_iterable(runs)), embedder)
    ends = accumulate(map(len, runs))
    return [
        _side(text, found, vectors[end - len(found) - 1 : end], weights)
        for text, found, end in zip(texts, cut, ends, strict=True)
    ]


def _side(
    text: str,
    found: Sequence[tuple[str, bool]],
    vectors: NDArray[np.float64],
    weights: Sequence[float] | NDArray[np.float64],
) -> Side:
    words = tuple(word for word, _ in found)
    return Side(
        text,
        words,
        np.array([weights[bucket("w", word, len(weights))] for word in words], np.float64),
        np.array([name for _, name in found], np.bool_),
        np.array([word[0].isdigit() for word in words], np.bool_),
        vectors[:-1],
        vectors[-1],
    )


_MOST_KEPT: Final = 5_000
_kept: dict[str, NDArray[np.float64]] = {}


def word_vectors(words: Sequence[str], embedder: StaticEmbedder) -> NDArray[np.float64]:
    """Return the vectors of some words, both parts of each of length one.

    Those of facts are asked for again and again.
    """
    if len(_kept) > _MOST_KEPT:
        _kept.clear()
    known = {word: _kept.get(word) for word in words}
    missing = [word for word, vector in known.items() if vector is None]
    if missing:
        for word, vector in zip(missing, embedder.embed(missing, Purpose.DOCUMENT).vectors, strict=True):
            known[word] = _kept[word] = _of_length_one(vector)
    return np.array([known[word] for word in words], np.float64).reshape(len(words), 2, PART)


def _of_length_one(vector: Sequence[float] | None) -> NDArray[np.float64]:
    if vector is None:
        return np.zeros((2, PART))
    parts = np.asarray(vector, np.float64).reshape(2, PART + 1)[:, :PART]
    lengths = np.sqrt((parts * parts).sum(1, keepdims=True))
    made: NDArray[np.float64] = parts / np.maximum(lengths, 1e-9)
    return made


def compare(old: Side, new: Side) -> Sides:
    """Return two sentences side by side."""
    near = np.einsum("ipd,jpd->pij", old.vectors, new.vectors)
    same = np.array([[word == other for other in new.words] for word in old.words], np.bool_)
    same = same.reshape(len(old.words), len(new.words))
    shared_old: NDArray[np.bool_] = np.any(same, axis=1)
    shared_new: NDArray[np.bool_] = np.any(same, axis=0)
    return Sides(old, new, np.where(same[None], 1.0, near), ~shared_old, ~shared_new)


def dense(sides: Sides) -> NDArray[np.float64]:
    """Return what can be said of two sentences in a few dozen numbers."""
    old, new = sides.old, sides.new
    features: list[float] = [float(cosine) for cosine in (old.whole * new.whole).sum(1)]
    both = np.maximum(sides.near[0], sides.near[1]) if sides.near.size else sides.near[0]
    for near in (sides.near[1], both):
        features += _covered(near, old.weights, axis=1) + _covered(near, new.weights, axis=0)
    features += _covered(both, old.weights, axis=1, among=sides.alone_old)
    features += _covered(both, new.weights, axis=0, among=sides.alone_new)
    features += _rest(both, sides)
    shared_old, shared_new = ~sides.alone_old, ~sides.alone_new
    mass_old, mass_new = max(old.weights.sum(), 1e-9), max(new.weights.sum(), 1e-9)
    kept_old, kept_new = old.weights[shared_old].sum(), new.weights[shared_new].sum()
    features += [kept_old / mass_old, kept_new / mass_new, (kept_old + kept_new) / (mass_old + mass_new)]
    features += [float(max(old.weights[shared_old], default=0.0)), float(sides.alone_old.sum() == 0)]
    features += [
        float(sides.alone_new.sum() == 0),
        min(1.0, sides.alone_old.sum() / 8),
        min(1.0, sides.alone_new.sum() / 8),
    ]
    for kind_old, kind_new in ((old.names, new.names), (old.numbers, new.numbers)):
        features += _kinds(kind_old, kind_new, shared_old, shared_new)
    features += _order(old.words, new.words)
    features += [np.log1p(len(old.words)) / 4, np.log1p(len(new.words)) / 4]
    features += [float(len(new.words) > 2 * len(old.words)), float(len(old.words) > 2 * len(new.words))]
    features += [float("?" in old.text or "？" in old.text), float("?" in new.text or "？" in new.text)]
    return np.array(features)


def _covered(
    near: NDArray[np.float64], weights: NDArray[np.float64], *, axis: int, among: NDArray[np.bool_] | None = None
) -> list[float]:
    """Return how well the words of one side are met by the other.

    On the whole, the least of the telling ones, the best.
    """
    if not near.size or (among is not None and not among.any()):
        return [0.0, 0.0, 0.0]
    best = near.max(axis)
    if among is not None:
        best, weights = best[among], weights[among]
    mean = float((best * weights).sum() / max(weights.sum(), 1e-9))
    telling = best[weights >= 0.6 * weights.max()]
    return [mean, float(telling.min()), float(telling.max())]


def _rest(near: NDArray[np.float64], sides: Sides) -> list[float]:
    """Return how near the words that each side has alone come to each other.

    Tuesday and Friday are near, Anna and tea not.
    """
    rest = near[np.ix_(sides.alone_old, sides.alone_new)]
    if not rest.size:
        return [0.0, 0.0, float(sides.alone_old.any()), float(sides.alone_new.any())]
    weights = np.sqrt(np.outer(sides.old.weights[sides.alone_old], sides.new.weights[sides.alone_new]))
    return [float((rest * weights).max()), float(rest.max()), 1.0, 1.0]


def _kinds(
    old: NDArray[np.bool_], new: NDArray[np.bool_], shared_old: NDArray[np.bool_], shared_new: NDArray[np.bool_]
) -> list[float]:
    """Of names or numbers: whether there are any, are shared, or stand on one side alone."""
    shared, gone, come = (old & shared_old).any(), (old & ~shared_old).any(), (new & ~shared_new).any()
    signs = (old.any(), new.any(), shared, gone, come, gone and come, gone and come and not shared, shared and come)
    return [float(sign) for sign in signs]


def differ_in_a_word(old: str, new: str) -> bool:
    """Say whether two sentences are word for word the same but for one."""
    words, others = ([word for word, _ in cut_words(text)] for text in (old, new))
    return len(words) == len(others) and sum(word != other for word, other in zip(words, others, strict=True)) == 1


def says_less(old: str, new: str) -> bool:
    """Say whether all words of the new sentence stand in the old one, in their order: it adds nothing."""
    words = iter([word for word, _ in cut_words(old)])
    return all(word in words for word, _ in cut_words(new))


def are_of_one_form(old: str, new: str) -> bool:
    """Say whether most of their words are the same, as in "The hammer of bench 7 is new", said of every bench."""
    words, others = (Counter(word for word, _ in cut_words(text)) for text in (old, new))
    return (words & others).total() >= _ONE_FORM * max(words.total(), others.total(), 1)


def _order(old: Sequence[str], new: Sequence[str]) -> list[float]:
    """Return how much both begin and end alike, and how much is between."""
    least = min(len(old), len(new))
    head = next((at for at in range(least) if old[at] != new[at]), least)
    tail = next((at for at in range(least - head) if old[-1 - at] != new[-1 - at]), least - head)
    left_old, left_new = len(old) - head - tail, len(new) - head - tail
    longest = max(len(old), len(new), 1)
    return [
        head / longest,
        tail / longest,
        float(head > 0),
        float(head > 1),
        float(tail > 0),
        float(left_old == 1 and left_new == 1),
        float(left_old == 0),
        float(left_new == 0),
        min(1.0, left_old / 6),
        min(1.0, left_new / 6),
    ]


def meanings(sides: Sides, basis: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what each side means as a whole, alone and in what is shared, in a few directions of the vectors."""
    old, new = sides.old, sides.new
    parts = [
        _mean(old, np.ones(len(old.words), np.bool_)),
        _mean(new, np.ones(len(new.words), np.bool_)),
        _mean(old, sides.alone_old),
        _mean(new, sides.alone_new),
        _mean(new, ~sides.alone_new),
        _first(old),
        _first(new),
    ]
    flat = np.array([part @ basis for part in parts])
    return np.concatenate((flat.ravel(), flat[0] * flat[1], flat[2] * flat[3], np.abs(flat[2] - flat[3])))


def _mean(side: Side, among: NDArray[np.bool_]) -> NDArray[np.float64]:
    if not among.any():
        return np.zeros(PART)
    weights = np.sqrt(side.weights[among])
    total = weights @ side.vectors[among, 1]
    made: NDArray[np.float64] = total / max(float(np.sqrt(total @ total)), 1e-9)
    return made


def _first(side: Side) -> NDArray[np.float64]:
    """Return whom it is about is said at the beginning, in most languages."""
    made: NDArray[np.float64] = side.vectors[:2, 1].sum(0) if len(side.words) else np.zeros(PART)
    return made


def buckets_of(sides: Sides) -> list[int]:
    """Return the buckets of the runs of words and letters of each side, and of what it has alone."""
    found = [bucket("o", run) for run in _runs(sides.old.words)]
    found += [bucket("n", run) for run in _runs(sides.new.words)]
    found += [bucket("O", word) for word in _only(sides.old, sides.alone_old)]
    found += [bucket("N", word) for word in _only(sides.new, sides.alone_new)]
    first = f"{_shape(sides.old, 0)} {_shape(sides.new, 0)}"
    found += [bucket("f", first), bucket("o1", _shape(sides.old, 0))]
    found.append(bucket("n1", _shape(sides.new, 0)))
    return sorted(set(found))


def _only(side: Side, alone: NDArray[np.bool_]) -> list[str]:
    return [word for word, is_alone in zip(side.words, alone, strict=True) if is_alone]


def _shape(side: Side, at: int) -> str:
    if len(side.words) > at:
        return side.words[at]
    return ""


def _runs(words: Sequence[str]) -> Iterator[str]:
    """Yield words, pairs of words, and the beginnings of long words, by which forms of one word are alike."""
    yield from words
    yield from (f"{word} {other}" for word, other in pairwise(words))
    yield from (f"{word[:5]}~" for word in words if len(word) > 5)
