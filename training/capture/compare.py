"""Say whether some weights are better than those that ship, on messages that taught neither; needs numpy alone.

    PYTHONPATH=src python training/capture/compare.py WEIGHTS --files held_back_travellers
    PYTHONPATH=src python training/capture/compare.py WEIGHTS --leave held_back_visitors    # all others together

Precision, recall and the share of silent messages noted, by both, and the difference with its standard error: that of
both weights on the same messages, drawn anew with replacement. Then the sentences noted of pasted paragraphs (XQuAD).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from holdfast.evaluation.capture import Labelled, read_labelled
from holdfast.facts.capture import sentence_classifier
from holdfast.facts.capture.fact_extraction import THRESHOLD, notice
from measure import Counts, count_message, use_weights
from samples import held_back, label_files

from sources import SHARED

_DRAWS, _SEED = 2_000, 1
_PASTED = ("es", "zh", "de", "en")
_SHOWN = ("precision", "recall", "silent noted")


def main() -> None:
    """Print the figures of both weights and their differences."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--shipped", type=Path, default=Path(sentence_classifier.WEIGHTS), help="the other weights")
    parser.add_argument("--files", nargs="+", default=held_back())
    parser.add_argument("--leave", nargs="*", default=[], help="of these files")
    parser.add_argument("--at", type=float, default=THRESHOLD)
    parser.add_argument("--paragraphs", type=int, default=60, help="of XQuAD, in each of four languages")
    given = parser.parse_args()
    files = [name for name in given.files if name not in given.leave]
    messages = read_labelled([str(label_files()[name]) for name in files])
    both = []
    for path in (given.shipped, given.weights):
        use_weights(path)
        both.append(np.array([count_message(message, given.at) for message in messages], float))
        print(f"{path.name}: sentences noted of {given.paragraphs} paragraphs {pasted(given.paragraphs, given.at)}")
    for row in differences(*both):
        print("{:14} {:.3f} -> {:.3f}   {:+.4f}, standard error {:.4f}".format(*row))
    for language in sorted({message.language for message in messages}):
        print(language, *(shares(counts[_of(messages, language)].sum(axis=0)).round(3) for counts in both))


def shares(counts: np.ndarray) -> np.ndarray:
    """Return precision, recall and the share of silent messages noted; sums of `Counts` in the last axis."""
    summed = Counts(*np.moveaxis(counts, -1, 0))
    return np.array([summed.right / summed.noted, summed.found / summed.told, summed.broken / summed.silent])


def differences(before: np.ndarray, after: np.ndarray) -> list[tuple[str, float, float, float, float]]:
    """Return of each share both values, the difference and its standard error."""
    drawn = np.random.default_rng(_SEED).multinomial(len(before), np.full(len(before), 1 / len(before)), _DRAWS)
    errors = (shares(drawn @ after) - shares(drawn @ before)).std(axis=1)
    old, new = shares(before.sum(axis=0)), shares(after.sum(axis=0))
    return list(zip(_SHOWN, old, new, new - old, errors, strict=True))


def pasted(count: int, threshold: float) -> dict[str, int]:
    """Return how many sentences of the first paragraphs of XQuAD are noted, by language."""
    noted = {}
    for language in _PASTED:
        data = json.loads((SHARED / "xquad" / f"xquad.{language}.json").read_text("utf-8"))["data"]
        texts = [paragraph["context"] for article in data for paragraph in article["paragraphs"]]
        noted[language] = sum(len(notice(text, threshold)) for text in texts[:count])
    return noted


def _of(messages: list[Labelled], language: str) -> np.ndarray:
    return np.array([message.language == language for message in messages])


if __name__ == "__main__":
    main()
