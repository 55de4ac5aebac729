"""Fit what `search/confidence.py` makes of the evidence for a hit, and say how well it is calibrated.

Run: python training/confidence.py [DATA]. Every set is asked its own questions, and questions of the others, to which
nothing in it can be the answer. A hit's features are those that a search has anyway: how much of the question's words
it holds, by their rarity, and how far its cosine stands above the background. Each set counts the same.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import holdfast.search.search as searching
import numpy as np
from holdfast.evaluation.catalogue import load_set
from holdfast.evaluation.data import data_directory
from holdfast.evaluation.homes import Homes
from holdfast.evaluation.opening import in_temporary_homes
from holdfast.evaluation.ranking import holds
from holdfast.evaluation.sets import Collection, LabelledSet, Question
from holdfast.evaluation.ways import Way
from holdfast.search.confidence import evidence

SETS = ("locomo", "scifact", "docs", "xquad")
OWN, OTHERS, HITS = 120, 40, 5


class Seen(NamedTuple):
    """One hit: the set, whether the question was the set's own, its place, whether it answers, and its features."""

    name: str
    own: bool
    place: int
    right: bool
    held: float
    near: float
    by_vectors: bool


def collected(directory: str) -> list[Seen]:
    """The first hits of each set for its own questions and for those of the others."""
    rng = Random(3)
    loaded = {name: load_set(name, directory) for name in SETS}
    asked = {name: [q for one in _few(each) for q in one.questions] for name, each in loaded.items()}
    features: list[tuple[float, float, bool]] = []

    def spy(parts, ideal, background, *, by_vectors):  # type: ignore[no-untyped-def]
        held = min(1.0, parts.get("bm25", 0.0) / ideal) if ideal > 0 else float("bm25" in parts)
        near = max(0.0, parts.get("cosine", background) - background) / max(1e-6, 1.0 - background)
        features.append((held, near, by_vectors))
        return evidence(parts, ideal, background, by_vectors=by_vectors)

    searching.evidence = spy  # type: ignore[assignment]
    found: list[Seen] = []
    with Homes() as homes:
        for name, each in loaded.items():
            opening = in_temporary_homes(homes, name, {})
            for collection in _few(each):
                own = rng.sample(collection.questions, min(len(collection.questions), OWN // 3))
                others = [q for other in SETS if other != name for q in rng.sample(asked[other], OTHERS // 3)]
                with opening(collection, Way("shipped", {})) as memory:
                    memory.sync()
                    for question, is_own in [*((q, True) for q in own), *((q, False) for q in others)]:
                        features.clear()
                        hits = memory.search(question.text, max_results=HITS).results
                        for place, (hit, told) in enumerate(zip(hits, features, strict=True)):
                            right = is_own and _answers(hit, question)
                            found.append(Seen(name, is_own, place, right, *told))
    return found


def _few(labelled: LabelledSet) -> Sequence[Collection]:
    """A few collections; of many languages, the one that the model knows and two that it does not."""
    chosen = [one for one in labelled.collections if one.name.endswith("en")]
    return [*chosen, *(one for one in labelled.collections if one not in chosen)][:3]


def _answers(hit, question: Question) -> bool:  # type: ignore[no-untyped-def]
    return any(holds(hit, gold) for gold in question.gold)


def fitted(features: np.ndarray, right: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Logistic regression by Newton's method, with a touch of ridge."""
    rows = np.c_[np.ones(len(features)), features]
    found = np.zeros(rows.shape[1])
    for _ in range(50):
        likely = 1 / (1 + np.exp(-rows @ found))
        slope = rows.T @ (weights * (right - likely)) - 1e-3 * found
        bend = (rows * (weights * likely * (1 - likely))[:, None]).T @ rows + 1e-3 * np.eye(len(found))
        found += np.linalg.solve(bend, slope)
    return found


def main() -> None:
    """Print the constants, the calibration, and what abstaining costs."""
    every = collected(data_directory(sys.argv[1] if len(sys.argv) > 1 else None))
    for label, columns in (("_BOTH", [0, 1]), ("_WORDS", [0])):
        seen = [one for one in every if one.by_vectors or label == "_WORDS"]
        names = np.array([one.name for one in seen])
        right = np.array([one.right for one in seen], float)
        weights = np.array([1000 / (names == one.name).sum() for one in seen])
        features = np.array([(one.held, one.near) for one in seen])
        found = fitted(features[:, columns], right, weights)
        print(label, "=", tuple(float(round(value, 2)) for value in found), f"from {len(seen):,} hits")
        likely = 1 / (1 + np.exp(-np.c_[np.ones(len(seen)), features[:, columns]] @ found))
        for low, high in ((0, 0.05), (0.05, 0.1), (0.1, 0.2), (0.2, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 1.01)):
            inside = (likely >= low) & (likely < high)
            if inside.any():
                share = np.average(right[inside], weights=weights[inside])
                print(f"  said {low:.2f} to {high:.2f}: {inside.sum():5} hits, {share:.3f} of them right")
        if label == "_BOTH":
            first, own = (np.array(column) for column in zip(*((one.place == 0, one.own) for one in seen), strict=True))
            for least, held in ((0.03, 0.15), (0.04, 0.15), (0.05, 0.2)):
                told = (likely >= least) | (features[:, 0] >= held)
                print(
                    f"  telling from {least} or held {held}: other sets' questions answered "
                    f"{told[first & ~own].mean():.2f}, own {told[first & own].mean():.3f}, "
                    f"right first hits kept {told[first & own & (right > 0)].mean():.3f}"
                )


if __name__ == "__main__":
    main()
