"""Measure a model on LoCoMo (turns), full SciFact and XQuAD English: dense, keywords, and fused in every way tried.

Run: python training/evaluate.py [--model FILE] [--sweep], or with --languages TABLE.npz... for the mean of tables
of sixteen languages: XQuAD across and within, LoCoMo and SciFact, by vectors alone. None of these is ever trained on.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from holdfast.embeddings.embedder import Purpose
from holdfast.embeddings.static.static_embedder import CURRENT, ModelPart, StaticEmbedder, StaticModel

import across
import english
from pack import averaged
from scoring import FUSIONS, Scores, keyword_scores, mean, worth
from sets import Collection, locomo, scifact, xquad
from sources import WORK
from table import Table

WEIGHTS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
RECOMMENDED = {("cosine", 0.4), ("headroom", 0.4), ("median", 0.6)}
SETS = {"LoCoMo": locomo, "SciFact": scifact, "XQuAD": xquad}
Measured = list[tuple[Collection, Scores, Scores]]


def dense_scores(model: StaticEmbedder, collection: Collection) -> Scores:
    """Cosines of every query with every document; -1 where either has no vector."""
    sides = []
    queries = [query for query, _ in collection.queries]
    for texts, purpose in ((queries, Purpose.QUERY), (collection.texts, Purpose.DOCUMENT)):
        rows = np.full((len(texts), model.space.dimensions), np.nan)
        for number, vector in enumerate(model.embed(texts, purpose).vectors):
            if vector is not None:
                rows[number] = vector
        sides.append(rows)
    return np.asarray(np.nan_to_num(sides[0] @ sides[1].T, nan=-1.0))


def measured(model: StaticEmbedder) -> dict[str, Measured]:
    """Keyword and dense scores of every set."""
    return {
        name: [(one, keyword_scores(one), dense_scores(model, one)) for one in load()] for name, load in SETS.items()
    }


def line(label: str, found: list[tuple[float, float]]) -> str:
    """A row of the table: nDCG@10 / R@10 of each set."""
    return f"| {label} | " + " | ".join(f"{gain:.3f} / {recall:.3f}" for gain, recall in found) + " |"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, nargs="+", default=[Path(part.path) for part in CURRENT.parts])
    parser.add_argument("--sweep", action="store_true", help="every weight and every normalisation")
    parser.add_argument("--languages", type=Path, nargs="+", metavar="TABLE")
    parser.add_argument("--floor", type=float, default=3.5)
    options = parser.parse_args()
    if options.languages:
        rows, scales = averaged(options.languages, 7)
        values = (rows * scales[:, None]).astype(np.float32)
        one = Table(values, WORK / "languages" / "subset.model", options.floor)
        label = " + ".join(path.stem for path in options.languages)
        print(across.report(label, across.measure(one.embed)), flush=True)
        print(label, english.report(one.embed))
        return
    parts = tuple(ModelPart(path) for path in options.model)
    sets = measured(StaticEmbedder(StaticModel("measured", parts)))
    print("| nDCG@10 / R@10 | " + " | ".join(sets) + " |\n|" + "---|" * (len(sets) + 1))
    keywords = [[value for one, given, _ in parts for value in worth(one, given)] for parts in sets.values()]
    print(line("keywords (FTS5)", [mean(values) for values in keywords]))
    dense = [[value for one, _, given in parts for value in worth(one, given + 2)] for parts in sets.values()]
    print(line("dense", [mean(values) for values in dense]))
    for name, fusion in FUSIONS.items():
        for weight in WEIGHTS:
            if options.sweep or (name, weight) in RECOMMENDED:
                fused = [
                    [value for one, given, near in parts for value in worth(one, fusion(given, near, weight))]
                    for parts in sets.values()
                ]
                print(line(f"{name}, {weight} keywords", [mean(values) for values in fused]))


if __name__ == "__main__":
    main()
