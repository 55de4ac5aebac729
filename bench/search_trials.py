"""What a constant of search is worth: `python bench/search_trials.py --data DIR SET … --try PLACE=NUMBER …`.

A PLACE is a module and the name in it, `holdfast.search.passage_context:WORDS`. Every question is asked as shipped and
with each trial, one after the other in one process, so that indexing is paid once and a busy machine hurts all alike.
Questions stand in a sample, always the same ones. A gain on the set that chose a constant is no gain: try many sets.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module

from holdfast.evaluation.configurations import SHIPPED, Way
from holdfast.evaluation.eval_memory import in_temporary_homes
from holdfast.evaluation.eval_run import go_to_question, search_question
from holdfast.evaluation.homes import Homes
from holdfast.evaluation.metrics import mean
from holdfast.evaluation.note_shapes import Shape
from holdfast.evaluation.ranked_ids import gold_ids, ranked_ids
from holdfast.evaluation.set_list import load_set
from holdfast.evaluation.sets import Collection, LabelledSet, Question, sampled
from holdfast.memory import Memory

METRICS = ("any@5", "any@10", "all@10", "nDCG@10")
_HITS = 30

Answers = list[tuple[list[str], frozenset[str]]]


@contextmanager
def trial(places: Sequence[str]) -> Iterator[None]:
    """Set constants for a while: `module:NAME=NUMBER`, each."""
    before = []
    for place in places:
        where, _, value = place.partition("=")
        module, _, name = where.partition(":")
        room = import_module(module)
        was = getattr(room, name)
        before.append((room, name, was))
        setattr(room, name, type(was)(float(value)))
    try:
        yield
    finally:
        for room, name, was in before:
            setattr(room, name, was)


def _ranked(memory: Memory, collection: Collection, question: Question, labelled: LabelledSet) -> list[str]:
    found = search_question(memory, question, go_to_question(memory, collection, question), _HITS)
    return ranked_ids(found.results, question, collection.turns, labelled.levels[0])


def try_all(labelled: LabelledSet, homes: Homes, trials: Mapping[str, Sequence[str]]) -> None:
    """Ask a set in every way and print what each finds, and its CPU."""
    answers: dict[str, Answers] = {name: [] for name in trials}
    spent = dict.fromkeys(trials, 0.0)
    opening = in_temporary_homes(homes, labelled.name, {})
    for collection in labelled.collections:
        asked = [question for question in collection.questions if question.gold]
        if not asked:
            continue
        with opening(collection, Way(SHIPPED, {})) as memory:
            memory.sync()
            memory.search(asked[0].text)
            for question in asked:
                for name, places in trials.items():
                    began = time.process_time()
                    with trial(places):
                        ranked = _ranked(memory, collection, question, labelled)
                    spent[name] += time.process_time() - began
                    answers[name].append((ranked, gold_ids(question, labelled.levels[0])))
    for name, ranked_and_gold in answers.items():
        scores, count = mean(ranked_and_gold), len(ranked_and_gold)
        figures = " ".join(f"{metric} {scores[metric]:.3f}" for metric in METRICS)
        print(f"{labelled.name:<18} {name:<60} {count:>5} {figures} CPU {spent[name] / count * 1000:.1f} ms")


def main() -> None:
    """Read the arguments and try every set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+")
    parser.add_argument("--data", required=True)
    parser.add_argument("--homes")
    parser.add_argument("--shape", default=Shape.BULLETS.value)
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--try", action="append", default=[], dest="trials", help="PLACE=NUMBER, several with a comma")
    arguments = parser.parse_args()
    trials = {SHIPPED: (), **{places: places.split(",") for places in arguments.trials}}
    with Homes(arguments.homes) as homes:
        for name in arguments.sets:
            labelled = load_set(name, arguments.data, Shape(arguments.shape))
            try_all(sampled(labelled, arguments.sample), homes, trials)


if __name__ == "__main__":
    main()
