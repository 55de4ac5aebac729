"""Say what the product makes of labelled files with the weights that ship and those of `train.py`; needs numpy alone.

    PYTHONPATH=src python training/capture/measure.py                    # each file by the fold that did not learn it
    PYTHONPATH=src python training/capture/measure.py --at .6 .8 --by language --files held_back_lookalikes

Precision and recall, the same where a fact under another category counts as right, and silent messages noted.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from holdfast.evaluation.capture import Labelled, read_labelled
from holdfast.facts.capture import sentence_classifier
from holdfast.facts.capture.fact_extraction import notice
from samples import FOLDS, HELD_BACK, held_back, label_files

from sources import WORK


class Counts(NamedTuple):
    """What was noted and told, and how much of it is right and found, also under another category."""

    noted: int = 0
    right: int = 0
    loose: int = 0
    told: int = 0
    found: int = 0
    loosely: int = 0
    silent: int = 0
    broken: int = 0

    def __str__(self) -> str:
        parts = ((self.right, self.noted), (self.found, self.told), (self.loose, self.noted), (self.loosely, self.told))
        shares = " ".join(f"{part / whole:.3f}" if whole else "    -" for part, whole in parts)
        return f"{shares}   {self.broken} of {self.silent} silent"


def main() -> None:
    """Print a line for each file and threshold, and for all of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, default=WORK, help="where the weights of the folds lie")
    parser.add_argument("--shipped", type=Path, default=Path(sentence_classifier.WEIGHTS), help="weights of all files")
    parser.add_argument("--at", type=float, nargs="+", default=[0.6, 0.7, 0.8, 0.9])
    parser.add_argument("--files", nargs="+", help="only these")
    parser.add_argument("--by", choices=("file", "language"), default="file")
    given = parser.parse_args()
    total: dict[tuple[str, float], list[Counts]] = defaultdict(list)
    for path, names in ((given.weights / f"fold{number}.bin", names) for number, names in enumerate(FOLDS)):
        _measure(path, names, given, total)
    _measure(given.shipped, held_back(), given, total)
    for (name, threshold), counts in sorted(total.items()):
        print(f"{name:24} at {threshold}: {sum_counts(counts)}")


def _measure(
    path: Path, names: Iterable[str], given: argparse.Namespace, total: dict[tuple[str, float], list[Counts]]
) -> None:
    wanted = [name for name in names if not given.files or name in given.files]
    if not path.exists() or not wanted:
        return
    use_weights(path)
    for name in wanted:
        for message in read_labelled([str(label_files()[name])]):
            for threshold in given.at:
                counts = count_message(message, threshold)
                total[(message.language if given.by == "language" else name), threshold].append(counts)
                total["~ all held back" if name.startswith(HELD_BACK) else "~ all", threshold].append(counts)


def use_weights(path: Path) -> None:
    """Have the product judge with these weights, and read a message once for all thresholds."""
    sentence_classifier.WEIGHTS = str(path)
    sentence_classifier.read_classifier.cache_clear()
    classifier = sentence_classifier.read_classifier()
    classifier.read = lru_cache(1)(classifier.read)


def count_message(message: Labelled, threshold: float) -> Counts:
    """Count what the product makes of a message."""
    noted = notice(message.text, threshold)
    loose = [[fact._replace(categories=(found.category,)) for fact in message.facts] for found in noted]
    due = [fact for fact in message.facts if not fact.may]
    return Counts(
        noted=len(noted),
        right=sum(any(fact.fits(found) for fact in message.facts) for found in noted),
        loose=sum(any(fact.fits(found) for fact in facts) for found, facts in zip(noted, loose, strict=True)),
        told=len(due),
        found=sum(any(fact.fits(found) for found in noted) for fact in due),
        loosely=sum(any(fact._replace(categories=(found.category,)).fits(found) for found in noted) for fact in due),
        silent=not message.facts,
        broken=not message.facts and bool(noted),
    )


def sum_counts(counts: list[Counts]) -> Counts:
    """Add up counts."""
    return Counts(*map(sum, zip(*counts, strict=True)))


if __name__ == "__main__":
    main()
