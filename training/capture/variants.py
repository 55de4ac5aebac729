"""Teach variants of the model without one source of labels at a time, and say what each makes of the source left out.

    PYTHONPATH=src python training/capture/variants.py --only mean    # on two cores: two hours
    PYTHONPATH=src python training/capture/variants.py --device cuda --processes 15
    PYTHONPATH=src python training/capture/variants.py --whole DIR/mean.bin --only mean --certainty .6 .15
    PYTHONPATH=src python training/capture/variants.py --whole DIR/words.bin --only words    # two cores: a quarter hour
    PYTHONPATH=src python training/capture/variants.py --distilled FILE --device cuda --processes 8    # a quarter hour
    PYTHONPATH=src python training/capture/variants.py --distilled FILE --small    # a sliver, to try it: two minutes

Only files that the elder networks never learnt tell anything: each is a source. No held-back file is read. Beside what
is right and found at some thresholds stands the line on which a network's scores are right as often as they say.
`--whole` makes the weights of one variant with all lessons, put on such a line; on a CPU, the same bytes each time.
`--distilled` makes weights as they ship: a committee of eight networks says what it makes of twelve thousand messages
without labels, and two networks learn from that as well; on a GPU, which adds in no fixed order, others each time.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from holdfast.evaluation.capture import Labelled, read_labelled
from holdfast.facts.capture import sentence_classifier
from holdfast.facts.capture.fact_extraction import notice
from measure import Counts, count_message, sum_counts, use_weights
from networks import Student
from refine import ELDER, number_words, read_lessons, read_student
from samples import CROWD, EVENING, PAGES, WAITING, held_back, joined_samples, label_files
from train import fit, judge, network_arrays, soft_samples, write_weights

from sources import WORK

_FEW = ("commonplaces", *CROWD)
SOURCES = (("voices",), ("everyday",), ("projects",), ("replies", "tempters"), ("plans",), *((name,) for name in _FEW))
_TIMES = {"voices": 2, "everyday": 2, "tempters": 2, "projects": 4, "replies": 4, "plans": 6}
_TIMES |= dict.fromkeys((*_FEW, *PAGES, *EVENING), 3)
"""How often a lesson is shown."""
_WORDS = ("hashes", "writing", "vectors", "shape")  # what makes states of single words
_JOINED, _NETWORKS, _PHRASES = 3_000, 2, 600
_COMMITTEE = 8
_POOL = {"en": 3_000, "": 9_000}  # messages without labels that the committee judges
_HEARD = {"en": 400, "": 2_000}  # of these, what the elder networks say to the committee
_SMALL = 60  # every so many
_AT = (0.6, 0.8, 0.9, 0.95)
_LEAST = 0.02  # the lowest score that is looked at
Scored = tuple[float, bool]
Measured = tuple[dict[float, Counts], list[Scored]]
Sample = dict[str, Any]
_shared: dict[str, Any] = {}


class Course(NamedTuple):
    """How a network is taught."""

    word_rate: float = 1.5e-3  # at which single words are taught; at none they stay as they are
    epochs: int = 8
    silent: float = 2.0  # the weight of a message that tells nothing
    waiting: bool = True
    rate: float = 3e-3
    many: int = 128


LAYERS, WORDS, LAST = (
    Course(word_rate=0.0, epochs=3, silent=1.0, waiting=False, rate=2e-3, many=64),
    Course(),
    Course(epochs=13),
)
VARIANTS = {  # the weights of several courses are averaged
    "layers": (LAYERS,),  # as what shipped first was taught
    "mean": (LAYERS, WORDS),
    "lessons": (LAYERS._replace(waiting=True),),
    "even": (WORDS._replace(silent=1.0),),
    "words": (WORDS,),
    "stern": (WORDS._replace(silent=3.0),),
    "longer": (WORDS._replace(epochs=14),),
    "on": (WORDS._replace(word_rate=5e-4, epochs=2, rate=1e-3),),  # what a whole run taught, with more lessons
    "few lessons": (WORDS._replace(waiting=False),),
}


def main() -> None:
    """Read once, teach beside each other, and print a line for each variant and threshold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", nargs="+", default=list(VARIANTS), help="these variants")
    parser.add_argument("--whole", type=Path, help="where the weights of one variant go, taught with every source")
    parser.add_argument("--distilled", type=Path, help="where weights go that learn from a committee too")
    parser.add_argument("--small", action="store_true", help="with a sliver of the lessons, to try the script")
    parser.add_argument("--begin", type=Path, default=ELDER, help="weights to teach on")
    parser.add_argument("--certainty", type=float, nargs=2, default=(1.0, 0.0), help="of the whole one")
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(given.device == "cpu")
    prepare(given.device, given.begin, _SMALL if given.small else 1)  # no process but those of the pool touches CUDA
    WORK.mkdir(parents=True, exist_ok=True)
    if given.distilled:
        write_distilled(given.distilled, given.processes)
        return
    if given.whole:
        write_whole(VARIANTS[given.only[0]], given.certainty, given.whole, given.processes)
        return
    jobs = [(name, source) for name in given.only for source in SOURCES]
    total: dict[str, list[Measured]] = defaultdict(list)
    with get_context("fork").Pool(given.processes) as pool:
        for name, found in pool.imap_unordered(_measured, jobs, chunksize=1):
            total[name].append(found)
    for name, some in sorted(total.items()):
        tell(name, some)


def write_whole(courses: tuple[Course, ...], line: tuple[float, float], path: Path, processes: int) -> None:
    """Teach with everything, average and write."""
    tasks = [(course, number) for course in courses for number in range(_NETWORKS)]
    with get_context("fork").Pool(processes) as pool:
        taught = pool.starmap(teach, tasks, chunksize=1)
    means = [mean(taught[number::_NETWORKS]) for number in range(_NETWORKS)]
    write_weights([put_on_line(one, *line) for one in means], path)


def write_distilled(path: Path, processes: int) -> None:
    """Teach a committee, then two networks that learn from what it says as well, and write these."""
    with get_context("fork").Pool(processes) as pool:
        said = pool.map(_member, range(_COMMITTEE), chunksize=1)
    _shared["soft"] = [one | {"weight": 1.0} for one in soft_samples(_shared["pool"], said)]
    with get_context("fork").Pool(processes) as pool:  # forked anew: these know what the committee says
        taught = pool.starmap(teach, [(LAST, number) for number in range(_NETWORKS)], chunksize=1)
    write_weights(taught, path)


def _member(number: int) -> list[np.ndarray | None]:
    """Return what one of the committee, taught with everything, says of messages without labels."""
    student = taught_student(WORDS, number, set())
    return judge(student, _shared["pool"], _shared["device"])


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
        [mean([teach(course, number, source) for course in VARIANTS[name]]) for number in range(_NETWORKS)], path
    )
    return name, measure_source(path, source)


def measure_source(path: Path, source: tuple[str, ...]) -> Measured:
    """Return the counts at each threshold and the scores of what is noted with these weights in some files."""
    use_weights(path)
    messages = read_labelled([str(label_files()[file]) for file in source])
    counts = {score: sum_counts([count_message(message, score) for message in messages]) for score in _AT}
    return counts, [one for message in messages for one in scored_facts(message)]


def prepare(device: str, begun: Path = ELDER, step: int = 1) -> None:
    """Read all lessons, or every so many, with what the elder networks say of messages without labels."""
    labelled, pool = (some[::step] for some in read_lessons(set(held_back()), _PHRASES, _POOL))
    tables = number_words(labelled + pool)
    english = _POOL["en"] // step
    heard = pool[: _HEARD["en"] // step] + pool[english : english + _HEARD[""] // step]
    said = [judge(read_student(ELDER, number, tables), heard, "cpu") for number in range(_NETWORKS)]
    _shared.update(labelled=labelled, pool=pool, soft=soft_samples(heard, said), tables=tables)
    _shared.update(device=device, begun=begun, joined=_JOINED // step)


def teach(course: Course, number: int, left_out: tuple[str, ...] = ()) -> dict[str, np.ndarray]:
    """Return the weights of one of the networks to begin with, taught with everything but some files."""
    return network_arrays(taught_student(course, number, set(left_out)))


def taught_student(course: Course, number: int, left_out: set[str]) -> Student:
    """Return one of the networks to begin with, taught in an order of its own with everything but some files."""
    torch.set_num_threads(1)
    device = _shared["device"]
    tables = tuple(table.to(device) for table in _shared["tables"])
    student = read_student(_shared["begun"], number % _NETWORKS, tables)
    if not course.word_rate:
        for part in _WORDS:
            getattr(student, part).requires_grad_(False)
    lessons = _lessons(course, {*left_out, *(() if course.waiting else WAITING)})
    rates = {"many": course.many, "taught_rate": course.word_rate, "taught": _WORDS}
    return fit(student, lessons, course.epochs, course.rate, number, device, **rates)


def _lessons(course: Course, left_out: set[str]) -> list[Sample]:
    """Return the lessons of all other files, some of them several times, with what the elder networks say."""
    known = [one for one in _shared["labelled"] if not left_out & {one["file"], *one["made_of"]}]
    together = random.Random(7).sample(joined_samples(known, random.Random(5)), _shared["joined"])
    lessons = known + [one | {"file": "together"} for one in together]
    weighed = [one if _tells(one) else one | {"weight": one["weight"] * course.silent} for one in lessons]
    return [one for one in weighed + _shared["soft"] for _ in range(_TIMES.get(one["file"], 1))]


def _tells(sample: Sample) -> bool:
    keep: np.ndarray = sample["keep"]
    return bool((keep != 0).any())


def mean(taught: list[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """Return the mean of the weights of one network, taught in several ways."""
    return {name: np.mean([one[name] for one in taught], axis=0) for name in taught[0]}


def put_on_line(network: dict[str, np.ndarray], slope: float, offset: float) -> dict[str, np.ndarray]:
    """Return a network that is as sure of what it keeps as it is right: its first answer, on another line.

    The line goes through the numbers as they are stored, so that it can be moved without teaching again.
    """
    out = {name: network[name].astype(np.float16).astype(np.float32) for name in ("judge.out.weight", "judge.out.bias")}
    out["judge.out.weight"][0] *= slope
    out["judge.out.bias"][0] = slope * out["judge.out.bias"][0] + offset
    return network | out


if __name__ == "__main__":
    main()
