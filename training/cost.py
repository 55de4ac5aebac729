"""What the model costs on one core: load, query, chunks of 400 pieces a CPU-second, memory above numpy.

Run: OPENBLAS_NUM_THREADS=1 python training/cost.py (in an environment that has holdfast).
"""

from __future__ import annotations

import resource
import sys
import time

import numpy as np
from holdfast.embeddings.embedder import Purpose
from holdfast.embeddings.static.static_embedder import StaticEmbedder

from sets import locomo, scifact


def resident() -> float:
    """Megabytes in memory now (Linux), or the most there ever were."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * resource.getpagesize() / 1e6
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def main() -> None:
    """Measure and print."""
    collections = list(locomo())
    queries = [query for collection in collections for query, _ in collection.queries]
    # About 400 pieces a chunk: talk has 1.3 of them a word, science 1.5.
    talk = chunks([text for collection in collections for text in collection.texts], 305)
    science = chunks(next(scifact()).texts, 258)
    np.ones((256, 256)) @ np.ones((256, 256))
    before = resident()
    started = time.process_time()
    model = StaticEmbedder()
    model.embed(["the first text"], Purpose.QUERY)
    print(f"load and first text: {(time.process_time() - started) * 1e3:.1f} ms, +{resident() - before:.1f} MB")
    for state in ("new words", "words seen before"):
        started = time.process_time()
        for query in queries:
            model.embed([query], Purpose.QUERY)
        print(f"query, {state}: {(time.process_time() - started) / len(queries) * 1e3:.4f} ms")
    for name, texts in (("talk", talk), ("science", science)):
        model = StaticEmbedder()
        started = time.process_time()
        for text in texts:
            model.embed([text], Purpose.DOCUMENT)
        spent = time.process_time() - started
        print(f"{name}: {len(texts) / spent:.0f} chunks of about 400 pieces a CPU-second ({len(texts)}, load included)")
    print(f"memory above numpy after all of it: {resident() - before:.1f} MB")


def chunks(texts: list[str], size: int) -> list[str]:
    """The words of the texts, `size` at a time."""
    words = " ".join(texts).split()
    return [" ".join(words[at : at + size]) for at in range(0, len(words) - size, size)]


if __name__ == "__main__":
    main()
