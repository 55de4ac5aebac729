"""Make the weights by which sentences are told apart at the gates, on one core, with numpy alone.

    PYTHONPATH=src:training/capture python training/gate/train.py --out src/holdfast/facts/capture/roles.bin

A first network learns from the sentences with roles. It says what it makes of sentences of capture's labels, of which
the kind is known; the networks that ship learn from both. `--without HAND` leaves a file out and measures on it.
"""

from __future__ import annotations

import argparse
import os
import random
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # so that it adds in one order

import numpy as np
from holdfast.facts.capture.role_words import word_shapes
from holdfast.facts.capture.sentence_features import word_hashes
from holdfast.facts.capture.word_states import read_vectors
from lessons import (
    ROLES,
    Lesson,
    background_lessons,
    capture_lessons,
    likely_roles,
    more_lessons,
    read_lessons,
    words_of,
)
from network import Batch, Network, shares
from weight_file import write_arrays

EPOCHS, FIRST_EPOCHS, SIZE, RATE, DECAY = 10, 12, 64, 2e-3, 1e-2
SEEDS = (0, 1)  # one a network
_SMOOTH, _CAPTURE_WEIGHT = 0.03, 0.5
Tables = tuple[np.ndarray, np.ndarray]


def main() -> None:
    """Train, and write the weights or say how a hand that was left out is judged."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--without", default="")
    asked = parser.parse_args()
    hands = read_lessons()
    left_out = hands.pop(asked.without, [])
    gold = [row for rows in hands.values() for row in rows]
    networks = taught(gold, [*capture_lessons(), *background_lessons(random.Random(21))], left_out)
    if asked.out:
        write_arrays(_stacked(networks), asked.out)
    if left_out:
        report(judged(networks, left_out), left_out)


def taught(gold: list[Lesson], capture: list[Lesson], others: list[Lesson]) -> list[Network]:
    """Return networks that learnt from lessons; the others are only read."""
    rng = random.Random(7)
    gold = gold + more_lessons(gold, rng)
    tables = _read([*gold, *capture, *others])
    for row in gold:
        row["wanted"] = np.full(len(ROLES), _SMOOTH / len(ROLES), np.float32)
        row["wanted"][ROLES.index(row["role"])] += 1 - _SMOOTH
    first = _fitted(gold, tables, FIRST_EPOCHS, seed=9)
    for row, shares_of in zip(capture, judged([first], capture), strict=True):
        row |= {"wanted": likely_roles(row["kind"], shares_of), "weight": _CAPTURE_WEIGHT}
    return [_fitted([*gold, *capture], tables, EPOCHS, seed) for seed in SEEDS]


def judged(networks: list[Network], rows: list[Lesson]) -> np.ndarray:
    """Return the shares of roles of sentences, as the networks together see them."""
    made = np.zeros((len(rows), len(ROLES)), np.float32)
    order = sorted(range(len(rows)), key=lambda at: len(rows[at]["ids"]))
    for start in range(0, len(order), 256):
        some = order[start : start + 256]
        batch = Batch([rows[at] for at in some])
        made[some] = shares(sum(network.judge(batch) for network in networks) / len(networks))
    return made


def report(shares_of: np.ndarray, rows: list[Lesson]) -> None:
    """Print how many harmless ones pass where a share of the others waits, and how many attacks are seen."""
    for name, chosen in (
        ("all", None),
        *((language, language) for language in ("en", "de", "fr", "es", "pt", "it", "nl", "zh", "ja")),
    ):
        some = np.array([chosen is None or row["language"] == chosen for row in rows])
        role = np.array([ROLES.index(row["role"]) for row in rows])[some]
        harmless, attack, good = shares_of[some, 0] + shares_of[some, 1], shares_of[some, 5], role < 2
        passed = {share: (harmless[good] > np.quantile(harmless[~good], share)).mean() for share in (0.8, 0.9, 0.95)}
        above = np.sort(attack[good])[::-1][int(good.sum() / 200)]
        print(name, len(role), {share: f"{number:.3f}" for share, number in passed.items()},
              f"attacks {(attack[role == 5] > above).mean():.3f} above {above:.2f}", flush=True)  # fmt: skip


def _read(rows: list[Lesson]) -> Tables:
    numbers: dict[str, int] = {}
    for row in rows:
        words = words_of(row["text"])
        row["ids"] = np.array([numbers.setdefault(word, len(numbers)) for word in words], np.int64)
        row["shapes"] = np.array(word_shapes(words), np.float32)
    words, vectors = list(numbers), read_vectors()
    table = np.concatenate([vectors.of(words[at : at + 500]) for at in range(0, len(words), 500)])
    return table, np.array([word_hashes(word) for word in words], np.int64)


def _fitted(rows: list[Lesson], tables: Tables, epochs: int, seed: int) -> Network:
    network, rng = Network(tables, seed), random.Random(seed)
    steps = epochs * -(-len(rows) // SIZE)
    done = 0
    for _ in range(epochs):
        order = sorted(range(len(rows)), key=lambda at: len(rows[at]["ids"]) + 4 * rng.random())
        starts = list(range(0, len(order), SIZE))
        rng.shuffle(starts)
        for start in starts:
            some = [rows[at] for at in order[start : start + SIZE]]
            done += 1
            rate = RATE * min(1.0, done / 100) * (0.51 + 0.5 * np.cos(np.pi * done / steps))
            wanted = np.stack([row["wanted"] for row in some])
            network.learn(Batch(some), wanted, np.array([row.get("weight", 1.0) for row in some]), rate, DECAY)
    return network


def _stacked(networks: list[Network]) -> dict[str, np.ndarray]:
    return {name: np.stack([network.weights[name] for network in networks]) for name in networks[0].weights}


if __name__ == "__main__":
    main()
