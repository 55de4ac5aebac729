"""Make the weights that ship: teach the elder networks anew in two ways and average, the same bytes each time.

    PYTHONPATH=src python training/capture/refine.py         # writes capture.bin; needs numpy and torch, no GPU

`training/data/capture/elder.npz` is what `train.py` made on a GPU. They learn from all labels, from messages made of
phrases, from pages of books that tell nothing, and from what they themselves say of messages without labels: once in
their layers and head alone, briefly, and once with what they make of single words, at length. What ships is the mean
of both, with the certainty that `variants.py` fits.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import time
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from augmentation import beside_pages, made_rows
from holdfast.facts.capture import sentence_classifier
from holdfast.facts.capture.sentence_classifier import read_arrays
from holdfast.facts.capture.sentence_features import word_hashes
from holdfast.facts.capture.word_vectors import WordVectors
from networks import Student
from phrases import bookish_rows, phrase_rows
from samples import HELD_BACK, ROOT, STRANGERS, WAITING, joined_samples, label_files, read_alone
from train import fit, judge, network_arrays, soft_samples, write_weights

from sources import WORK, document_rows, write_messages

ELDER = ROOT / "training" / "data" / "capture" / "elder.npz"
NETWORKS = 2
_TIMES = {"voices": 2, "everyday": 2, "tempters": 2, "projects": 4, "replies": 4, "plans": 6}  # a lesson is shown
_WORDS = ("hashes", "writing", "vectors", "shape")  # what makes states of single words
_SOFT = {"en": 400, "": 2_000}  # messages without labels; the elder ones hear little of what is told in English talk
_JOINED = 3_000  # messages out of several
_ASIDES = {"en": 500, "": 90}  # statements beside a page, in English and in each other language
CERTAINTY = (0.6, 0.15)  # slope and offset of the logit, by `variants.py`: what is said as .8 is right in 8 of 10
PHRASES = 600  # messages of a language
_START = time.process_time()
Sample = dict[str, Any]
_shared: dict[str, Any] = {}  # what the processes begin with


class Course(NamedTuple):
    """How a network is taught."""

    word_rate: float = 1.5e-3  # at which single words are taught; at none they stay as they are
    epochs: int = 8
    silent: float = 2.0  # the weight of a message that tells nothing
    waiting: bool = True
    rate: float = 3e-3
    many: int = 128


LAYERS, WORDS = Course(word_rate=0.0, epochs=3, silent=1.0, waiting=False, rate=2e-3, many=64), Course()
SHIPS = (LAYERS, WORDS)


def main() -> None:
    """Read, teach, average and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path(sentence_classifier.WEIGHTS))
    parser.add_argument("--elder", type=Path, default=ELDER, help="weights of train.py to begin with")
    parser.add_argument("--phrases", type=int, default=PHRASES, help="messages of a language made of phrases")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    torch.set_num_threads(1)  # sums in one order, on any machine of this kind
    torch.use_deterministic_algorithms(True)
    prepare(given.elder, given.phrases, "cpu")
    with get_context("fork").Pool(given.processes) as pool:
        taught = pool.starmap(teach, [(one, number) for one in SHIPS for number in range(NETWORKS)], chunksize=1)
    write_weights([sure(mean(taught[number::NETWORKS]), *CERTAINTY) for number in range(NETWORKS)], given.out)


def prepare(elder: Path, phrases: int, device: str) -> None:
    """Read all lessons, with what the elder networks say of messages without labels, for processes that teach."""
    labelled, others = read_lessons({*HELD_BACK, STRANGERS}, phrases)
    tables = number_words(labelled + others)
    said = [judge(read_student(elder, number, tables), others, "cpu") for number in range(NETWORKS)]
    soft = soft_samples(others, said)
    _shared.update(labelled=labelled, soft=soft, tables=tables, elder=elder, device=device)
    _say(f"read {len(labelled)} messages with labels, {len(others)} without")


def teach(course: Course, number: int, left_out: tuple[str, ...] = ()) -> dict[str, np.ndarray]:
    """Return the weights of one of the elder networks, taught with everything but some files."""
    torch.set_num_threads(1)
    device = _shared["device"]
    student = read_student(_shared["elder"], number, tuple(table.to(device) for table in _shared["tables"]))
    if not course.word_rate:
        for part in _WORDS:
            getattr(student, part).requires_grad_(False)
    lessons = _lessons(course, {*left_out, *(() if course.waiting else WAITING)})
    rates = {"many": course.many, "taught_rate": course.word_rate, "taught": _WORDS}
    fit(student, lessons, course.epochs, course.rate, number, device, **rates)
    _say(f"taught network {number} for {course.epochs} epochs" + " without ".join(("", *left_out)))
    return network_arrays(student)


def _lessons(course: Course, left_out: set[str]) -> list[Sample]:
    """Return the lessons of all other files, some of them several times, with what the elder networks say."""
    known = [one for one in _shared["labelled"] if not left_out & {one["file"], *one["made_of"]}]
    together = random.Random(7).sample(joined_samples(known, random.Random(5)), _JOINED)
    lessons = known + [one | {"file": "together"} for one in together]
    weighed = [one if _tells(one) else one | {"weight": one["weight"] * course.silent} for one in lessons]
    return [one for one in weighed + _shared["soft"] for _ in range(_TIMES.get(one["file"], 1))]


def _tells(sample: Sample) -> bool:
    keep: np.ndarray = sample["keep"]
    return bool((keep != 0).any())


def mean(taught: list[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """Return the mean of the weights of one network, taught in several ways."""
    return {name: np.mean([one[name] for one in taught], axis=0) for name in taught[0]}


def sure(network: dict[str, np.ndarray], slope: float, offset: float) -> dict[str, np.ndarray]:
    """Return a network that is as sure of what it keeps as it is right: its first answer, on another line."""
    weight, bias = network["judge.out.weight"].copy(), network["judge.out.bias"].copy()
    weight[0], bias[0] = slope * weight[0], slope * bias[0] + offset
    return network | {"judge.out.weight": weight, "judge.out.bias": bias}


def _say(what: str) -> None:
    print(f"{time.process_time() - _START:6.0f} s of a core: {what}", flush=True)


def read_lessons(held: set[str], phrases: int) -> tuple[list[Sample], list[Sample]]:
    """Return the messages with labels but those of some files, and some of those without."""
    rows = [
        json.loads(line) | {"file": name, "row": number}
        for name, path in label_files().items()
        if name not in held
        for number, line in enumerate(path.read_text("utf-8").split("\n"))
        if line.strip()
    ]
    labels, pages = rows, document_rows(random.Random(17))
    rows = labels + made_rows(labels, random.Random(9)) + phrase_rows(random.Random(13), phrases) + pages
    rng = random.Random(19)
    books = [row for row in bookish_rows(rng, _ASIDES[""]) if row["language"] != "en"]
    rows += beside_pages(labels, rng.sample(pages, _ASIDES["en"]) + books, rng)
    unlabelled = WORK / "unlabelled.jsonl.xz"
    if not unlabelled.exists():
        WORK.mkdir(parents=True, exist_ok=True)
        write_messages(unlabelled)
    with lzma.open(unlabelled, "rt", encoding="utf-8") as lines:
        others = [json.loads(line) | {"file": "", "row": number} for number, line in enumerate(lines)]
    random.Random(11).shuffle(others)
    english = [row for row in others if row["lang"] == "en"]
    rest = [row for row in others if row["lang"] != "en"]
    return read_alone(rows), read_alone(english[: _SOFT["en"]] + rest[: _SOFT[""]])


def number_words(samples: list[Sample]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the vectors and hashes of all words; the samples get their numbers."""
    numbers: dict[str, int] = {}
    for one in samples:
        one["ids"] = np.array([numbers.setdefault(word, len(numbers)) for word in one.pop("words")], np.int64)
        one["size"] = {"words": len(one["ids"])}
    words, vectors = list(numbers), WordVectors()
    table = np.concatenate([vectors.of(words[at : at + 500]) for at in range(0, len(words), 500)])
    return torch.from_numpy(table), torch.tensor([word_hashes(word) for word in words])


def read_student(path: Path, number: int, tables: tuple[torch.Tensor, torch.Tensor]) -> Student:
    """Return one of the networks of a file of weights: what `write_weights` does, undone."""
    student, stored = Student(tables), _stored(path)
    for name, tensor in student.state_dict().items():
        short = name.removeprefix("judge.").removesuffix(".weight").replace(".bias", "_bias")
        short = short.replace("layers.", "layer")
        array = stored[short][number].astype(np.float32)
        if f"{short}_scale" in stored:
            array = array * stored[f"{short}_scale"][number]
        is_matrix = tensor.ndim > 1 and short != "hashes"
        tensor.copy_(torch.from_numpy(array.T.copy() if is_matrix else array))
    return student.eval()


def _stored(path: Path) -> dict[str, np.ndarray]:
    """Return the arrays of a file of weights; those that shipped first are an archive of numpy's."""
    if path.suffix != ".npz":
        return dict(read_arrays(str(path)))
    with np.load(path) as stored:
        return {name: stored[name] for name in stored.files}


if __name__ == "__main__":
    main()
