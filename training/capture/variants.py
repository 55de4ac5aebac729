"""Teach variants of the model without one source of labels at a time, and say what each makes of the source left out.

    PYTHONPATH=src python training/capture/variants.py --device cuda --processes 15      # an H200: some eight minutes
    PYTHONPATH=src python training/capture/variants.py --whole DIR/words.bin --only words    # one, with all lessons

Only files that the elder networks never learnt tell anything: each is a source. No held-back file is read. A variant
other than `ships` teaches the words too, with the lessons that wait.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from holdfast.evaluation.capture import read_labelled
from holdfast.facts.capture import sentence_classifier
from measure import Counts, count_message, sum_counts
from refine import ELDER, number_words, read_lessons, read_student
from samples import HELD_BACK, STRANGERS, WAITING, joined_samples, label_files
from train import fit, judge, network_arrays, soft_samples, write_weights

from sources import WORK

SOURCES = (("voices",), ("everyday",), ("projects",), ("replies", "tempters"), ("plans",))
_TIMES = {"voices": 2, "everyday": 2, "tempters": 2, "projects": 4, "replies": 4, "plans": 6}  # a lesson is shown
_WORDS = ("hashes", "writing", "vectors", "shape")  # what makes states of single words
_AT = (0.4, 0.6, 0.8, 0.9)
_JOINED, _NETWORKS = 3_000, 2
Sample = dict[str, Any]
_shared: dict[str, Any] = {}


class Variant(NamedTuple):
    """What a run is taught with."""

    word_rate: float = 1.5e-3
    epochs: int = 8
    silent: float = 2.0  # the weight of a message that tells nothing
    waiting: bool = True
    rate: float = 3e-3
    many: int = 128


VARIANTS = {
    "ships": Variant(word_rate=0.0, epochs=3, silent=1.0, waiting=False, rate=2e-3, many=64),
    "lessons": Variant(word_rate=0.0, epochs=3, silent=1.0, rate=2e-3, many=64),
    "even": Variant(silent=1.0),
    "words": Variant(),
    "stern": Variant(silent=3.0),
    "longer": Variant(epochs=14),
    "few lessons": Variant(waiting=False),
}


def main() -> None:
    """Read once, teach beside each other, and print a line for each variant and threshold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", nargs="+", default=list(VARIANTS), help="these variants")
    parser.add_argument("--whole", type=Path, help="where the weights of one variant go, taught with every source")
    given = parser.parse_args()
    torch.set_num_threads(1)
    labelled, others = read_lessons({*HELD_BACK, STRANGERS}, 600)
    tables = number_words(labelled + others)
    said = [judge(read_student(ELDER, number, tables), others, "cpu") for number in range(_NETWORKS)]
    _shared.update(labelled=labelled, soft=soft_samples(others, said), tables=tables, device=given.device)
    WORK.mkdir(parents=True, exist_ok=True)
    if given.whole:
        with get_context("fork").Pool(1) as pool:  # only a process of its own touches CUDA
            pool.apply(_teach, (given.only[0], (), given.whole))
        return
    jobs = [(name, source) for name in given.only for source in SOURCES]
    total: dict[tuple[str, float], list[Counts]] = defaultdict(list)
    with get_context("fork").Pool(given.processes) as pool:
        for name, counts in pool.imap_unordered(_measured, jobs, chunksize=1):
            for threshold, count in counts.items():
                total[name, threshold].append(count)
    for (name, threshold), some in sorted(total.items()):
        print(f"{name:12} at {threshold}: {sum_counts(some)}")


def _measured(job: tuple[str, tuple[str, ...]]) -> tuple[str, dict[float, Counts]]:
    """Teach a variant without a source, and count what the product makes of that source."""
    name, source = job
    path = WORK / f"{name.replace(' ', '_')}-{source[0]}.bin"
    _teach(name, source, path)
    sentence_classifier.WEIGHTS = str(path)
    sentence_classifier.read_classifier.cache_clear()
    classifier = sentence_classifier.read_classifier()
    classifier.read = lru_cache(1)(classifier.read)  # one reading for all thresholds
    messages = read_labelled([str(label_files()[file]) for file in source])
    counts = [[count_message(message, threshold) for threshold in _AT] for message in messages]
    return name, {
        threshold: sum_counts(list(some)) for threshold, some in zip(_AT, zip(*counts, strict=True), strict=True)
    }


def _teach(name: str, left_out: tuple[str, ...], path: Path) -> None:
    variant, device = VARIANTS[name], _shared["device"]
    tables = tuple(table.to(device) for table in _shared["tables"])
    lessons = _lessons(variant, {*left_out, *(() if variant.waiting else WAITING)})
    taught = []
    for number in range(_NETWORKS):
        student = read_student(ELDER, number, tables)
        if not variant.word_rate:
            for part in _WORDS:
                getattr(student, part).requires_grad_(False)
        rates = {"many": variant.many, "taught_rate": variant.word_rate, "taught": _WORDS}
        taught.append(network_arrays(fit(student, lessons, variant.epochs, variant.rate, number, device, **rates)))
    write_weights(taught, path)


def _lessons(variant: Variant, left_out: set[str]) -> list[Sample]:
    """Return the lessons of all other files, some of them several times, with what the elder networks say."""
    known = [one for one in _shared["labelled"] if not left_out & {one["file"], *one["made_of"]}]
    together = random.Random(7).sample(joined_samples(known, random.Random(5)), _JOINED)
    lessons = known + [one | {"file": "together"} for one in together]
    weighed = [one if _tells(one) else one | {"weight": one["weight"] * variant.silent} for one in lessons]
    return [one for one in weighed + _shared["soft"] for _ in range(_TIMES.get(one["file"], 1))]


def _tells(sample: Sample) -> bool:
    keep: np.ndarray = sample["keep"]
    return bool((keep != 0).any())


if __name__ == "__main__":
    main()
