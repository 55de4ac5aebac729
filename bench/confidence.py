"""What the mark "unlikely" is worth in a home, and what any could be: `python bench/confidence.py --data DIR [SET …]`.

Six homes are asked their own questions and some without an answer: of the same set in another home (the nearest there
are), of another set where there is one home, and household's own. Beside the share that is marked of questions without
an answer and of right first hits stands what the best threshold for this very home would mark that costs three of a
hundred right hits, and how often a right first hit has more evidence than that of a question without an answer.
"""

from __future__ import annotations

import argparse
from typing import NamedTuple

from holdfast.evaluation.configurations import SHIPPED, Way
from holdfast.evaluation.eval_memory import in_temporary_homes
from holdfast.evaluation.homes import Homes
from holdfast.evaluation.ranked_ids import gold_ids, ranked_ids
from holdfast.evaluation.set_list import load_set
from holdfast.evaluation.sets import LabelledSet, sampled, with_foreign

# A set, and the one whose questions have no answer in it; None where it has such questions of its own.
HOMES = (
    ("locomo", "locomo"),
    ("friendsqa", "locomo"),
    ("covid-faq-en", "mtrag-un"),
    ("ikat-ptkb", "ikat-ptkb"),
    ("prefeval-memory", "prefeval-memory"),
    ("bench/data/household", None),
)
_MAY_LOSE = 0.03  # of the right first hits


class First(NamedTuple):
    """The first hit of a question: whether there is an answer, whether it is one, its evidence and its mark."""

    answerable: bool
    right: bool
    evidence: float
    marked: bool


def first_hits(labelled: LabelledSet, homes: Homes) -> list[First]:
    """Return the first hit of every question."""
    found: list[First] = []
    opening = in_temporary_homes(homes, labelled.name, {})
    level = labelled.levels[0]
    for collection in labelled.collections:
        if not collection.questions:
            continue
        with opening(collection, Way(SHIPPED, {})) as memory:
            memory.sync()
            for question in collection.questions:
                hits = memory.search(question.text, max_results=1, by_passage=True).results
                if not hits:
                    found.append(First(bool(question.gold), right=False, evidence=0.0, marked=True))
                    continue
                ids = ranked_ids(hits, question, collection.turns, level) if question.gold else []
                right = bool(ids) and ids[0] in gold_ids(question, level)
                first = hits[0]
                found.append(First(bool(question.gold), right, first.explain["evidence"], not first.likely))
    return found


def report(name: str, found: list[First]) -> str:
    """Say in a line what is marked, and what could be."""
    right = sorted(first.evidence for first in found if first.right)
    without = [first for first in found if not first.answerable]
    threshold = right[int(_MAY_LOSE * len(right))]
    best = sum(first.evidence < threshold for first in without) / len(without)
    above = sum(own > other.evidence for own in right for other in without) / (len(right) * len(without))
    marked = sum(first.marked for first in without) / len(without)
    lost = sum(first.marked for first in found if first.right) / len(right)
    return (
        f"{name:<22} without an answer {len(without)}, marked {marked:.2f}; right {len(right)}, marked {lost:.2f}; "
        f"best threshold marks {best:.2f}; more evidence in {above:.2f} of the pairs"
    )


def main() -> None:
    """Read the arguments and ask the six homes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", default=[name for name, _ in HOMES], help="some of the six")
    parser.add_argument("--data", required=True)
    parser.add_argument("--homes")
    parser.add_argument("--sample", type=int, default=600)
    arguments = parser.parse_args()
    with Homes(arguments.homes) as homes:
        for name in arguments.sets:
            foreign = dict(HOMES)[name]
            labelled = sampled(load_set(name, arguments.data), arguments.sample)
            asked = tuple(collection for collection in labelled.collections if collection.questions)
            labelled = labelled._replace(collections=asked)
            if foreign is not None:
                labelled = with_foreign(labelled, load_set(foreign, arguments.data))
            print(report(labelled.name, first_hits(labelled, homes)), flush=True)


if __name__ == "__main__":
    main()
