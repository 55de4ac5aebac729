"""Teach variants of the model without one source of labels at a time, and say what each makes of the source left out.

    PYTHONPATH=src python training/capture/variants.py --only ships    # on two cores: two hours
    PYTHONPATH=src python training/capture/variants.py --device cuda --processes 15

Only files that the elder networks never learnt tell anything: each is a source. No held-back file is read. Beside what
is right and found at some thresholds stands the line on which a network's scores are right as often as they say:
`refine.py` has it as `CERTAINTY`.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import torch
from holdfast.evaluation.capture import Labelled, read_labelled
from holdfast.facts.capture import sentence_classifier
from holdfast.facts.capture.fact_extraction import notice
from measure import Counts, count_message, sum_counts
from refine import ELDER, LAYERS, NETWORKS, PHRASES, SHIPS, WORDS, mean, prepare, teach
from samples import label_files
from train import write_weights

from sources import WORK

SOURCES = (("voices",), ("everyday",), ("projects",), ("replies", "tempters"), ("plans",))
VARIANTS = {  # the weights of several courses are averaged
    "ships": SHIPS,
    "layers": (LAYERS,),
    "lessons": (LAYERS._replace(waiting=True),),
    "even": (WORDS._replace(silent=1.0),),
    "words": (WORDS,),
    "stern": (WORDS._replace(silent=3.0),),
    "longer": (WORDS._replace(epochs=14),),
    "few lessons": (WORDS._replace(waiting=False),),
}
_AT = (0.6, 0.8, 0.9, 0.95)
_LEAST = 0.02  # the lowest score that is looked at
Scored = tuple[float, bool]
Measured = tuple[dict[float, Counts], list[Scored]]


def main() -> None:
    """Read once, teach beside each other, and print a line for each variant and threshold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", nargs="+", default=list(VARIANTS), help="these variants")
    given = parser.parse_args()
    torch.set_num_threads(1)
    prepare(ELDER, PHRASES, given.device)  # no process but those of the pool touches CUDA
    WORK.mkdir(parents=True, exist_ok=True)
    jobs = [(name, source) for name in given.only for source in SOURCES]
    total: dict[str, list[Measured]] = defaultdict(list)
    with get_context("fork").Pool(given.processes) as pool:
        for name, found in pool.imap_unordered(_measured, jobs, chunksize=1):
            total[name].append(found)
    for name, some in sorted(total.items()):
        tell(name, some)


def tell(name: str, some: list[Measured]) -> None:
    """Print what a variant makes of all sources, and the line of its certainty."""
    for score in _AT:
        print(f"{name:12} at {score}: {sum_counts([counts[score] for counts, _ in some])}")
    line = certainty([one for _, scored in some for one in scored])
    print("{:12} is as sure as it is right at {:.2f} times its logit {:+.2f}".format(name, *line))


def certainty(scored: list[Scored]) -> tuple[float, float]:
    """Return slope and offset of the logit at which a share of what is noted is right, by Newton's method."""
    scores = np.clip([score for score, _ in scored], _LEAST, 1 - 1e-6)
    right = np.array([is_right for _, is_right in scored], float)
    rows = np.column_stack((np.log(scores / (1 - scores)), np.ones(len(scores))))
    line = np.array([0.5, 0.0])
    for _ in range(50):
        share = 1 / (1 + np.exp(-rows @ line))
        line -= np.linalg.solve(rows.T @ (rows * (share * (1 - share))[:, None]), rows.T @ (share - right))
    return float(line[0]), float(line[1])


def scored_facts(message: Labelled) -> Iterator[Scored]:
    """Yield the score from which on each sentence is noted, and whether it is a fact; its category is not asked."""
    best: dict[int, float] = {}
    for clause in sentence_classifier.read_classifier().read(message.text)[1]:
        best[clause.part.sentence] = max(clause.keep, best.get(clause.part.sentence, _LEAST))
    known: set[str] = set()
    for score in sorted({*best.values()} - {_LEAST}, reverse=True):
        for found in notice(message.text, score):
            if found.rule == "classifier" and found.text not in known:
                yield score, any(fact._replace(categories=(found.category,)).fits(found) for fact in message.facts)
            known.add(found.text)


def _measured(job: tuple[str, tuple[str, ...]]) -> tuple[str, Measured]:
    """Teach a variant without a source, and look at what the product makes of that source."""
    name, source = job
    path = WORK / f"{name.replace(' ', '_')}-{source[0]}.bin"
    write_weights(
        [mean([teach(course, number, source) for course in VARIANTS[name]]) for number in range(NETWORKS)], path
    )
    return name, measure_source(path, source)


def measure_source(path: Path, source: tuple[str, ...]) -> Measured:
    """Return the counts at each threshold and the scores of what is noted with these weights in some files."""
    sentence_classifier.WEIGHTS = str(path)
    sentence_classifier.read_classifier.cache_clear()
    classifier = sentence_classifier.read_classifier()
    classifier.read = lru_cache(1)(classifier.read)  # one reading for all thresholds
    messages = read_labelled([str(label_files()[file]) for file in source])
    counts = {score: sum_counts([count_message(message, score) for message in messages]) for score in _AT}
    return counts, [one for message in messages for one in scored_facts(message)]


if __name__ == "__main__":
    main()
