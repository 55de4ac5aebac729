"""Measure the same sets through the product: notes in a home, `Memory.search` with the settings as shipped.

Run: python training/product.py. What stands here is what a user gets, keyword analysis, pools and cuts included.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from holdfast import Memory

from sets import Collection, locomo, scifact, xquad

SETS: dict[str, Callable[[], Iterator[Collection]]] = {
    "LoCoMo": locomo,
    "SciFact, title as heading": partial(scifact, as_notes=True),
    "SciFact, one paragraph": scifact,
    "XQuAD": xquad,
}
RRF = {"memory.search_merge_strategy": "rrf"}
WAYS: dict[str, dict[str, object]] = {
    "keywords": {"memory.disable_rag": True},
    "vectors": {"memory.search.hybrid": False},
    "as shipped (linear)": {},
    "rrf, the seeds' weights": {**RRF, "memory.search.vector_weight": 0.7, "memory.search.text_weight": 0.3},
}


def home_of(collection: Collection, place: Path) -> Path:
    """A home in which each document is a note, named by its number."""
    (place / "memory").mkdir(parents=True)
    for number, text in enumerate(collection.texts):
        (place / f"memory/{number}.md").write_text(text, encoding="utf-8")
    return place


def gains(memory: Memory, collection: Collection) -> list[tuple[float, float]]:
    """nDCG@10 and R@10 of each query."""
    found: list[tuple[float, float]] = []
    for query, gold in collection.queries:
        hits = memory.search(query, max_results=30).results
        ids = list(dict.fromkeys(collection.ids[int(Path(hit.path).stem)] for hit in hits))[:10]
        gain = sum(1 / math.log2(place + 2) for place, one in enumerate(ids) if one in gold)
        ideal = sum(1 / math.log2(place + 2) for place in range(min(10, len(gold))))
        found.append((gain / ideal, len(gold & set(ids)) / len(gold)))
    return found


def main() -> None:
    """Print the table."""
    print("| nDCG@10 / R@10 | " + " | ".join(SETS) + " |\n|" + "---|" * (len(SETS) + 1))
    with tempfile.TemporaryDirectory() as scratch:
        homes = {
            name: [(one, home_of(one, Path(scratch) / f"{name}{n}")) for n, one in enumerate(load())]
            for name, load in SETS.items()
        }
        for label, settings in WAYS.items():
            cells = []
            for parts in homes.values():
                found: list[tuple[float, float]] = []
                for collection, home in parts:
                    with Memory.open(home, settings={**settings, "memory.sync.on_search": False}) as memory:
                        memory.sync()
                        found += gains(memory, collection)
                gain, recall = (sum(one[side] for one in found) / len(found) for side in (0, 1))
                cells.append(f"{gain:.3f} / {recall:.3f}")
            print(f"| {label} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
