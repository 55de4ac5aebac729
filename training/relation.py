"""Make `src/holdfast/facts/relation.npz`: `python training/relation.py [--report]`, a minute on one core, seeded.

Numpy alone. It learns from our pairs (`data/relation_pairs.jsonl`, `tests/data/facts/pairs.jsonl`), from topics
(`data/relation_topics.txt`), from what was said together in one message (`data/capture`), from frames
(`data/relation_frames.txt`), from two thirds of letta-facts (by the people that the facts are about) and from pairs of
unrelated sentences. With `--report` it measures as well: our pairs in five parts, no known sentence in two of them,
each judged by networks that did not see it; and the last third of letta-facts. Of
`tests/data/facts/contradictions.jsonl`, which was written before any of this, nothing is learnt, nor from the messages
of `data/capture/talk_more.jsonl`.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import random
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from holdfast.embeddings.static.static_embedder import StaticEmbedder
from holdfast.facts.relation import WEIGHTS, RelationModel, is_of_somebody_else
from holdfast.facts.relation_features import (
    BUCKETS,
    Side,
    bucket,
    buckets_of,
    compare,
    cut_words,
    dense,
    meanings,
    read_sides,
    word_vectors,
)
from numpy.typing import NDArray

from relation_frames import BESIDE, REPLACES, SAME, Pair, framed
from relation_topics import read_topics, told_together

ROOT = Path(__file__).parents[1]
DATA = Path(__file__).parent / "data"
SETS = ROOT.parent / "shared" / "data" / "sets"
THEN = {
    "same": SAME,
    "is the same": SAME,
    "replaces": REPLACES,
    "takes its place": REPLACES,
    "beside": BESIDE,
    "stands beside it": BESIDE,
}
SEED, NETS, NETS_MEASURED, HIDDEN, MIXED, BASIS, TELLING = 1, 4, 2, 40, 6, 40, 16_384
EPOCHS, BATCH, RATE, DROP, DECAY, DECAY_RUNS, SMOOTH = 30, 256, 3e-3, 0.5, 0.3, 0.1, 0.05
# What a pair of each source counts for: those that a person wrote as people speak count most.
OURS, RULES, LETTA, FRAMES, UNRELATED, TURNED = 1.0, 0.5, 0.8, 0.3, 0.25, 0.5
TOPICS, CROSSED, ABROAD, TOGETHER = 1.0, 0.25, 0.3, 0.3
PARTS = 5
Numbers = NDArray[np.float32]


class Rows(NamedTuple):
    """Pairs as numbers, the buckets of their runs of words, what they are, and what they count for."""

    numbers: Numbers
    runs: list[NDArray[np.int64]]
    then: NDArray[np.int64]
    weight: Numbers


class Space:
    """Pairs → numbers: how telling words are and the main directions of their vectors, learnt without any label."""

    def __init__(self, texts: Sequence[str], common: Iterable[str]) -> None:
        self._embedder = StaticEmbedder()
        self._sides: dict[str, Side] = {}
        counts = np.zeros(TELLING)
        many = 0
        for text in common:
            many += 1
            for place in {bucket("w", word, TELLING) for word, _ in cut_words(text)}:
                counts[place] += 1
        told = np.clip(np.log((many + 1) / (counts + 3)), 1, None)
        self.telling = (told / told.max()).astype(np.float32)
        words = sorted({word for text in texts for word, _ in cut_words(text)})
        weights = np.array([self.telling[bucket("w", word, TELLING)] for word in words])
        vectors = word_vectors(words, self._embedder)[:, 1] * weights[:, None]
        directions = np.linalg.eigh(vectors.T @ vectors)[1][:, ::-1][:, :BASIS]
        signs = np.sign(directions[np.abs(directions).argmax(0), np.arange(BASIS)])
        self.basis = (directions * signs).astype(np.float16).astype(np.float32)
        self.mean = self.spread = np.zeros(0, np.float32)

    def side(self, text: str) -> Side:
        """A sentence, taken apart once."""
        if text not in self._sides:
            [self._sides[text]] = read_sides([text], self._embedder, self.telling)
        return self._sides[text]

    def near(self, one: str, other: str) -> float:
        """How near two sentences are, in the part of the model where they are nearer."""
        return float((self.side(one).whole * self.side(other).whole).sum(1).max())

    def rows(self, pairs: Sequence[Pair], weight: float) -> Rows:
        """Pairs as numbers; the first ones say what is usual."""
        plain, meant, runs = [], [], []
        for pair in pairs:
            sides = compare(self.side(pair.known), self.side(pair.said))
            plain.append(dense(sides))
            meant.append(2.0 * meanings(sides, self.basis))
            runs.append(np.array(buckets_of(sides), np.int64))
        held = np.array(plain, np.float32)
        if not len(self.mean):
            self.mean, self.spread = held.mean(0), held.std(0) + np.float32(0.05)
        numbers = np.concatenate(((held - self.mean) / self.spread, np.array(meant, np.float32)), 1)
        then = np.array([pair.then for pair in pairs], np.int64)
        return Rows(numbers.astype(np.float32), runs, then, np.full(len(pairs), weight, np.float32))


def joined(parts: Sequence[Rows]) -> Rows:
    """Rows of several sources as one."""
    return Rows(
        np.concatenate([part.numbers for part in parts]),
        [runs for part in parts for runs in part.runs],
        np.concatenate([part.then for part in parts]),
        np.concatenate([part.weight for part in parts]),
    )


def taken(rows: Rows, places: NDArray[np.bool_]) -> Rows:
    """Some of the rows."""
    chosen = np.flatnonzero(places)
    return Rows(rows.numbers[chosen], [rows.runs[at] for at in chosen], rows.then[chosen], rows.weight[chosen])


class Net:
    """One network: runs of words count straight and through few hidden numbers, all else straight and through many."""

    def __init__(self, width: int, seed: int) -> None:
        chance = np.random.default_rng(seed)
        normal = lambda scale, *shape: chance.normal(0, scale, shape).astype(np.float32)  # noqa: E731
        self.chance = chance
        self.weights: dict[str, Numbers] = {
            "first": normal(width**-0.5, width, HIDDEN),
            "first_bias": np.zeros(HIDDEN, np.float32),
            "last": normal(HIDDEN**-0.5, HIDDEN, 3),
            "last_bias": np.zeros(3, np.float32),
            "direct": np.zeros((width, 3), np.float32),
            "runs": np.concatenate((np.zeros((BUCKETS, 3), np.float32), normal(0.05, BUCKETS, MIXED)), 1),
            "mixed": normal(0.3, MIXED, HIDDEN),
        }

    def gradients(self, rows: Rows, chosen: NDArray[np.int64]) -> dict[str, Numbers]:
        """Where the loss of some rows falls, with parts of the network left out by chance."""
        held, chance = self.weights, self.chance
        many = np.array([len(rows.runs[at]) for at in chosen])
        columns = np.concatenate([rows.runs[at] for at in chosen])
        owners = np.repeat(np.arange(len(chosen)), many)
        scale = (_kept(chance, len(columns), DROP) / np.sqrt(many + 1)[owners]).astype(np.float32)
        numbers = rows.numbers[chosen] * _kept(chance, (len(chosen), rows.numbers.shape[1]), DROP * 0.6)
        starts = np.concatenate(([0], np.cumsum(many)[:-1]))
        runs = np.add.reduceat(held["runs"][columns] * scale[:, None], starts, axis=0)
        inner = numbers @ held["first"] + held["first_bias"] + runs[:, 3:] @ held["mixed"]
        kept = _kept(chance, inner.shape, DROP)
        hidden = np.maximum(inner, 0) * kept
        out = hidden @ held["last"] + held["last_bias"] + numbers @ held["direct"] + runs[:, :3]
        wanted = np.eye(3, dtype=np.float32)[rows.then[chosen]] * (1 - 1.5 * SMOOTH) + SMOOTH / 2
        wrong = (_shares(out) - wanted) * rows.weight[chosen][:, None] / len(chosen)
        back = (wrong @ held["last"].T) * kept * (inner > 0)
        through = np.concatenate((wrong, back @ held["mixed"].T), 1)[owners] * scale[:, None]
        return {
            "first": numbers.T @ back,
            "first_bias": back.sum(0),
            "last": hidden.T @ wrong,
            "last_bias": wrong.sum(0),
            "direct": numbers.T @ wrong,
            "runs": np.stack([np.bincount(columns, one, BUCKETS) for one in through.T], 1).astype(np.float32),
            "mixed": runs[:, 3:].T @ back,
        }


def _kept(chance: np.random.Generator, shape: Any, drop: float) -> Numbers:
    kept = chance.random(shape, dtype=np.float32) > drop
    made: Numbers = kept.astype(np.float32) / np.float32(1 - drop)
    return made


def _shares(out: Numbers) -> Numbers:
    raised = np.exp(out - out.max(1, keepdims=True))
    made: Numbers = raised / raised.sum(1, keepdims=True)
    return made


def fit(rows: Rows, seed: int) -> dict[str, Numbers]:
    """The weights of one network (Adam with decay)."""
    net = Net(rows.numbers.shape[1], seed)
    moment = {name: np.zeros_like(one) for name, one in net.weights.items()}
    square = {name: np.zeros_like(one) for name, one in net.weights.items()}
    many, step = len(rows.then), 0
    last = EPOCHS * -(-many // BATCH)
    for _ in range(EPOCHS):
        order = net.chance.permutation(many)
        for begin in range(0, many, BATCH):
            step += 1
            rate = RATE * min(1, step / 50) * (1 - step / (last + 1))
            for name, slope in net.gradients(rows, order[begin : begin + BATCH]).items():
                moment[name] = 0.9 * moment[name] + 0.1 * slope
                square[name] = 0.99 * square[name] + 0.01 * slope * slope
                decay = {"runs": DECAY_RUNS, "first_bias": 0.0, "last_bias": 0.0}.get(name, DECAY)
                turn = moment[name] / (1 - 0.9**step) / (np.sqrt(square[name] / (1 - 0.99**step)) + 1e-5)
                net.weights[name] -= (rate * (turn + decay * net.weights[name])).astype(np.float32)
    return net.weights


def model_of(space: Space, rows: Rows, nets: int) -> dict[str, NDArray[Any]]:
    """All that is kept: the networks side by side, in half precision."""
    fitted = [fit(rows, SEED + number) for number in range(nets)]
    made = {name: np.stack([one[name] for one in fitted]).astype(np.float16) for name in fitted[0]}
    known = {"basis": space.basis.astype(np.float16), "telling": space.telling.astype(np.float16)}
    return made | known | {"mean": space.mean, "spread": space.spread}


def judge_rows(weights: dict[str, NDArray[Any]], rows: Rows) -> NDArray[np.float64]:
    """What a model says of rows, as the product would."""
    counted = np.zeros((len(rows.then), BUCKETS), np.float32)
    for row, places in enumerate(rows.runs):
        counted[row, places] = 1 / np.sqrt(len(places) + 1)
    total = np.zeros((len(rows.then), 3))
    held = {name: one.astype(np.float32) for name, one in weights.items()}
    for net in range(len(held["first"])):
        runs = counted @ held["runs"][net]
        inner = rows.numbers @ held["first"][net] + held["first_bias"][net] + runs[:, 3:] @ held["mixed"][net]
        out = np.maximum(inner, 0) @ held["last"][net] + held["last_bias"][net]
        total += _shares(out + rows.numbers @ held["direct"][net] + runs[:, :3])
    return total / len(held["first"])


def read_pairs(path: Path) -> list[Pair]:
    """A file of pairs that a person labelled."""
    told = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return [Pair(one["known"], one["said"], THEN[one["then"]]) for one in told]


def groups_of(sets: Sequence[Sequence[Hashable]]) -> list[Hashable]:
    """For each set the name of the group that it is joined to by what it shares with others."""
    above: dict[Hashable, Hashable] = {}

    def top(one: Hashable) -> Hashable:
        while above.setdefault(one, one) != one:
            one = above[one]
        return one

    for members in sets:
        for member in members[1:]:
            above[top(member)] = top(members[0])
    return [top(members[0]) for members in sets]


def part_of(group: Hashable, parts: int) -> int:
    """Which part a group belongs to, whatever else there is."""
    return crc32(str(group).encode()) % parts


def read_letta() -> tuple[list[Pair], NDArray[np.bool_], list[int]]:
    """The pairs of letta-facts, which of them are held back, and the row that each is of."""
    with lzma.open(SETS / "letta-facts" / "supersession.jsonl.xz", "rt", encoding="utf-8") as file:
        told = [json.loads(line) for line in file]
    groups = groups_of([(*one["old"], *one["keep"]) for one in told])
    pairs, held, rows = [], [], []
    for number, (one, group) in enumerate(zip(told, groups, strict=True)):
        for then, texts in ((REPLACES, one["old"]), (BESIDE, one["keep"])):
            pairs += [Pair(text, one["new"], then) for text in texts]
            held += [part_of(group, 3) == 0] * len(texts)
            rows += [number] * len(texts)
    return pairs, np.array(held), rows


def hard_ones(space: Space, pairs: Sequence[Pair], held: NDArray[np.bool_], rows: Sequence[int]) -> list[Pair]:
    """Of what is not held back: all that is replaced, and of each row what is nearest of those that stay."""
    chosen = [pair for pair, is_held in zip(pairs, held, strict=True) if not is_held and pair.then == REPLACES]
    stay: dict[int, list[Pair]] = {}
    for pair, is_held, row in zip(pairs, held, rows, strict=True):
        if not is_held and pair.then == BESIDE:
            stay.setdefault(row, []).append(pair)
    for some in stay.values():
        chosen += sorted(some, key=lambda pair: -space.near(pair.known, pair.said))[:1]
    return chosen


def unrelated(
    space: Space, pairs: Sequence[Pair], groups: Sequence[Hashable], many: int
) -> list[tuple[Pair, int, int]]:
    """Sentences of different pairs that are far from each other, with the parts that they are of."""
    chance = random.Random(SEED)
    found: list[tuple[Pair, int, int]] = []
    while len(found) < many:
        one, other = chance.randrange(len(pairs)), chance.randrange(len(pairs))
        pair = Pair(pairs[one].known, pairs[other].said, BESIDE)
        if groups[one] != groups[other] and space.near(pair.known, pair.said) < 0.25:
            found.append((pair, part_of(groups[one], PARTS), part_of(groups[other], PARTS)))
    return found


def common_texts() -> list[str]:
    """What people write, without labels, to count how telling a word is."""
    with lzma.open(SETS / "capture" / "capture.jsonl.xz", "rt", encoding="utf-8") as file:
        texts = [json.loads(line)["text"] for line in file]
    random.Random(SEED).shuffle(texts)
    return texts[:40_000]


def report(name: str, judged: NDArray[np.float64], then: NDArray[np.int64], other: NDArray[np.bool_]) -> None:
    """How much is replaced right, and how many of what is replaced should stay, by threshold."""
    replaces = np.where(other, 0.0, judged[:, REPLACES])
    for least in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95):
        chosen = replaces >= least
        kinds = Counter(then[chosen].tolist())
        found = kinds[REPLACES] / max(1, int((then == REPLACES).sum()))
        touched = kinds[BESIDE] / max(1, int((then == BESIDE).sum()))
        right = kinds[REPLACES] / max(1, kinds.total())
        harmless = 1 - kinds[BESIDE] / max(1, kinds.total())
        told = f"right {right:.3f}, not harmful {harmless:.3f}, of what stays touched {touched:.3f}"
        print(f"{name} at {least:.2f}: replaced {found:.3f}, {told}", flush=True)


def others_of(pairs: Sequence[Pair]) -> NDArray[np.bool_]:
    """Which pairs tell of two people."""
    return np.array([is_of_somebody_else(pair.said, pair.known) for pair in pairs])


def main() -> None:
    """Read, fit, write; and report where that is asked for."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--report", action="store_true")
    given = asked.parse_args()
    ours = read_pairs(DATA / "relation_pairs.jsonl")
    rules = read_pairs(ROOT / "tests" / "data" / "facts" / "pairs.jsonl")
    frames = framed(DATA / "relation_frames.txt", SEED)
    topics = read_topics(DATA / "relation_topics.txt", SEED)
    letta, held, of_row = read_letta()
    texts = [text for pair in (*ours, *rules, *frames, *topics.written) for text in pair[:2]]
    space = Space([*texts, *(pair.known for pair in letta)], [*common_texts(), *texts[: 2 * len(ours)]])
    groups = groups_of([(pair.known.casefold(), pair.said.casefold()) for pair in ours])
    parts = np.array([part_of(group, PARTS) for group in groups])
    far = unrelated(space, ours, groups, 1_500)
    is_same = np.array([pair.then == SAME for pair in ours])
    turned = [Pair(pair.said, pair.known, SAME) for pair in ours if pair.then == SAME]
    own = space.rows(ours, OURS)
    messages = [path for path in sorted((DATA / "capture").glob("*.jsonl")) if not path.stem.startswith("held_back")]
    more = [
        space.rows(rules, RULES),
        space.rows(frames, FRAMES),
        space.rows(hard_ones(space, letta, held, of_row), LETTA),
        space.rows(topics.written, TOPICS),
        space.rows(topics.crossed, CROSSED),
        space.rows(topics.abroad, ABROAD),
        space.rows(told_together(messages, space.near), TOGETHER),
    ]
    apart, back = space.rows([pair for pair, _, _ in far], UNRELATED), space.rows(turned, TURNED)
    first, second = (np.array([one[at] for one in far]) for at in (1, 2))
    weights = model_of(space, joined([own, back, apart, *more]), NETS)
    np.savez_compressed(WEIGHTS, **weights)
    print(f"{Path(WEIGHTS).name}: {os.path.getsize(WEIGHTS):,} bytes")
    if given.report:
        rest = [pair for pair, is_held in zip(letta, held, strict=True) if is_held]
        talk = told_together([DATA / "capture" / "talk_more.jsonl"], space.near)
        written = read_pairs(ROOT / "tests" / "data" / "facts" / "contradictions.jsonl")
        for name, pairs in (("letta, held back", rest), ("contradictions", written), ("said together", talk)):
            rows = space.rows(pairs, 1.0)
            report(name, judge_rows(weights, rows), rows.then, others_of(pairs))
        _check_product(weights, written[0])
        judged = np.zeros((len(ours), 3))
        for part in range(PARTS):
            seen = [taken(own, parts != part), taken(back, parts[is_same] != part)]
            seen.append(taken(apart, (first != part) & (second != part)))
            some = model_of(space, joined([*seen, *more]), NETS_MEASURED)
            judged[parts == part] = judge_rows(some, taken(own, parts == part))
        print(f"ours: {(judged.argmax(1) == own.then).mean():.3f} of {len(ours)} pairs right")
        report("ours", judged, own.then, others_of(ours))


def _check_product(weights: dict[str, NDArray[Any]], pair: Pair) -> None:
    held = {name: one.astype(np.float32) for name, one in weights.items()}
    sample = RelationModel(held, StaticEmbedder()).judge(pair.said, [pair.known])[0]
    print(f"as the product judges the first: {sample}")


if __name__ == "__main__":
    main()
