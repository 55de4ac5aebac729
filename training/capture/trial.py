"""Train the capture model and measure it on hands that it was not trained with; see README.md.

    PYTHONPATH=src python training/capture/trial.py --weak ../shared/data/sets/capture/capture.jsonl.xz
    PYTHONPATH=src python training/capture/trial.py --small                     # a sliver, in a minute
    PYTHONPATH=src python training/capture/trial.py --read "I live in Rome"     # with the weights of the last run

Seeded, on one thread of the CPU: the same sums in the same order. `third_hand_sealed` is never read.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path

import numpy as np
from capture_model import CaptureModel
from fact_assembly import assemble, facts_of
from samples import ROOT, Lexicon, Sample, hand_samples, weak_samples

OUT = ROOT / "training" / ".work" / "capture" / "capture.npz"
THRESHOLDS = (0.5, 0.7, 0.9)
# Hands that are left out together, as they were for the figures in README.md.
FOLDS = ("en_short,third,romance", "de_fr_nl_it,second,en_long,en_tempting", "es_pt_zh_ja,third,en_long,en_tempting")
SMALL_FOLDS = ("en_short,en_tempting",)
READERS = {"model": assemble, "with rules": facts_of}


def main() -> None:
    """Measure, then train with everything and write; or read."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--weak", type=Path, help="weak labels, of which --most-weak are drawn")
    parser.add_argument("--most-weak", type=int, default=6_000)
    parser.add_argument("--folds", nargs="*", help="hands to leave out together, with commas; none: only train")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--small", action="store_true", help="every third message, four epochs, one seed")
    parser.add_argument("--read", metavar="TEXT", help="show what the model makes of a message")
    given = parser.parse_args()
    if given.read is not None:
        show(CaptureModel.load(OUT), given.read)
        return
    import torch

    torch.set_num_threads(1)
    begun = time.monotonic()
    epochs, seeds, step = (4, 1, 3) if given.small else (given.epochs, given.seeds, 1)
    lexicon = Lexicon()
    hands = hand_samples(lexicon, step)
    weak = weak_samples(given.weak, lexicon, given.most_weak // step, random.Random(1)) if given.weak else []
    tables = lexicon.tables()
    print({name: len(some) for name, some in hands.items()}, f"{len(weak)} weak, {time.monotonic() - begun:.0f} s")
    usual = SMALL_FOLDS if given.small else FOLDS
    for fold in usual if given.folds is None else given.folds:
        left_out = fold.split(",")
        model = trained(without(hands, left_out) + weak, lexicon, tables, seeds, epochs)
        for hand in left_out:
            measure(model, hand, hands[hand])
    model = trained(without(hands, []) + weak, lexicon, tables, seeds, epochs)
    model.save(OUT)
    print(f"{OUT.relative_to(ROOT)}: {OUT.stat().st_size:,} bytes, {time.monotonic() - begun:.0f} s")
    show(CaptureModel.load(OUT), "My wife is vegetarian, so no meat please. Give me a dinner idea.")


def without(hands: dict[str, list[Sample]], left_out: list[str]) -> list[Sample]:
    """The samples of all hands but some."""
    return [one for name, some in hands.items() if name not in left_out for one in some]


def trained(
    samples: list[Sample], lexicon: Lexicon, tables: tuple[np.ndarray, np.ndarray], seeds: int, epochs: int
) -> CaptureModel:
    """A model of as many networks as there are seeds."""
    from network import stacked_weights, train

    networks = [train(samples, tables, seed, epochs) for seed in range(seeds)]
    return CaptureModel(stacked_weights(networks), lexicon.vectors)


def measure(model: CaptureModel, hand: str, samples: list[Sample]) -> None:
    """Show precision and recall by threshold, of the model by itself and with the rules around it."""
    judged = [model.judge(one.message) for one in samples]
    for name, reader in READERS.items():
        line = []
        for threshold in THRESHOLDS:
            total = np.zeros(6)
            for one, judgements in zip(samples, judged, strict=True):
                facts = one.labelled.facts if one.labelled else ()
                noticed = reader(one.message, judgements, threshold)
                due = [fact for fact in facts if not fact.may]
                right = sum(any(fact.fits(found) for fact in facts) for found in noticed)
                found = sum(any(fact.fits(other) for other in noticed) for fact in due)
                total += (len(noticed), right, len(due), found, not facts, not facts and bool(noticed))
            noted, right, due_count, found_count, silent, false = total
            scores = f"P {right / max(1, noted):.3f} R {found_count / max(1, due_count):.3f}"
            line.append(f"{threshold}: {scores}, silent noted {false:.0f}/{silent:.0f}")
        print(f"{hand} ({name})", " | ".join(line), flush=True)


def show(model: CaptureModel, text: str) -> None:
    """Print what the model makes of each clause, and what is noted."""
    message, judgements = model.read(text)
    for one in judgements:
        words = message.sentences[one.part.sentence][one.part.start : one.part.end]
        print(f"{one.keep:.2f} {one.category.value:10} {words}")
    for fact in facts_of(message, judgements, THRESHOLDS[-1]):
        print(f"noted: {fact.text} ({fact.category.value}, {fact.importance})")


if __name__ == "__main__":
    main()
