"""Teach the classifier of sentences, all of it and fold by fold; see README.md.

    PYTHONPATH=src python training/capture/train.py                 # a GPU: eight minutes with all folds
    PYTHONPATH=src python training/capture/train.py --small         # a sliver, to try the scripts on a CPU
    PYTHONPATH=src python training/capture/train.py --folds         # only what ships: writes capture.npz

Labels teach two kinds of teachers; those label sixty thousand messages; a small network learns from both, joins the
teachers, and two more learn from all of them. These are what ships. The folds are taught beside each other, each in a
process of its own, and `measure.py` says what they reach. Everything is seeded; a GPU adds in no fixed order.
"""

from __future__ import annotations

import argparse
import random
import time
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - torch's own idiom
from holdfast.facts.capture import sentence_classifier
from holdfast.facts.capture.sentence_classifier import CATEGORIES
from networks import Batch, MiniTeacher, Student, UseTeacher
from samples import FOLDS, HELD_BACK, joined_samples, read_samples
from torch import nn

from sources import WORK

_SOFT_WEIGHT, _LABELLED_TIMES = 0.5, 3
_KINDS = slice(1, 1 + len(CATEGORIES))
_LONGEST = 500  # pieces that the English teacher reads
_START = time.monotonic()
Sample = dict[str, Any]


def main() -> None:
    """Train with everything, and beside it fold by fold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folds", type=int, nargs="*", default=range(len(FOLDS)), help="which to teach too; none")
    parser.add_argument("--only-folds", action="store_true", help="leave out what ships")
    parser.add_argument("--small", action="store_true", help="every sixtieth message, one epoch")
    parser.add_argument("--out", type=Path, help="where the weights go; else those of all files into the product")
    parser.add_argument("--processes", type=int, default=8)
    given = parser.parse_args()
    samples, vectors, hashes = read_samples(WORK, 60 if given.small else 1, 2 if given.small else given.processes)
    teachers = read_use(samples), read_mini()
    _say("read")
    out = given.out or WORK
    shipped = out / "capture.npz" if given.out or given.small else Path(sentence_classifier.WEIGHTS)
    jobs = [] if given.only_folds else [(set[str](), shipped)]
    jobs += [(set(FOLDS[number]), out / f"fold{number}.npz") for number in given.folds]
    # CUDA can't be begun before a fork: only the processes of the jobs touch it.
    beside = [
        get_context("fork").Process(target=_teach, args=(samples, held, teachers, (vectors, hashes), path, given.small))
        for held, path in jobs
    ]
    for process in beside:
        process.start()
    for process in beside:
        process.join()
    if any(process.exitcode for process in beside):
        raise SystemExit(1)


def _teach(
    samples: list[Sample],
    held: set[str],
    teachers: tuple[dict[str, np.ndarray], dict[str, np.ndarray]],
    tables: tuple[np.ndarray, np.ndarray],
    path: Path,
    small: bool,
) -> None:
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.set_num_threads(2)
    known = torch.tensor(tables[0]).to(device), torch.tensor(tables[1]).to(device)
    write_weights(taught(samples, held | set(HELD_BACK), teachers, known, device, small=small), path)
    _say(f"wrote {path.name}")


def _say(what: str) -> None:
    print(f"{time.monotonic() - _START:6.0f} s: {what}", flush=True)


def read_use(samples: list[Sample]) -> dict[str, np.ndarray]:
    """Return the weights of the teacher of many languages; the samples get the numbers of the pieces that are kept."""
    with np.load(WORK / "use.npz") as stored:
        used = stored["used"]
        table = stored["q"] * stored["scale"][used % 17][:, None] + stored["lo"][used % 17][:, None]
        layers = {name: stored[name].astype(np.float32) for name in stored.files}
    rows = np.zeros(int(used.max()) + 200_000, np.int64)
    rows[used] = np.arange(len(used))
    for one in samples:
        one["use"] = rows[one["use"][0]], one["use"][1]
    kept = {name: array for name, array in layers.items() if name not in ("used", "q", "scale", "lo")}
    return kept | {"table": table.astype(np.float32)}


def read_mini() -> dict[str, np.ndarray]:
    """Return the weights of the English teacher."""
    with np.load(WORK / "mini.npz") as stored:
        made = {name[2:]: stored[name].astype(np.float32) for name in stored.files if name[0] == "f"}
        for name in (name[2:] for name in stored.files if name[0] == "q"):
            made[name] = stored[f"q:{name}"].astype(np.float32) * stored[f"s:{name}"]
    return made


def taught(
    samples: list[Sample],
    held: set[str],
    teachers: tuple[dict[str, np.ndarray], dict[str, np.ndarray]],
    tables: tuple[torch.Tensor, torch.Tensor],
    device: str,
    *,
    small: bool,
) -> list[Student]:
    """Return the students of everything but some files."""
    labelled = [one for one in samples if one["file"] and not held & {one["file"], *one["made_of"]}]
    others = [one for one in samples if not one["file"]]
    said: list[list[np.ndarray | None]] = []
    for seed in range(1 if small else 2):
        use = fit(UseTeacher(teachers[0]), labelled, 1 if small else 6, 1e-3, seed, device, taught_rate=2e-4)
        said.append(judge(use, others, device))
    if not small:
        english = [one for one in labelled if one["language"] == "en" and one["size"]["mini"] < _LONGEST]
        mini = fit(MiniTeacher(teachers[1]), english, 4, 1e-3, 0, device, many=32, taught_rate=8e-5)
        read = [one["language"] == "en" and one["size"]["mini"] < _LONGEST for one in others]
        known = iter(judge(mini, [one for one, fits in zip(others, read, strict=True) if fits], device))
        said.append([next(known) if fits else None for fits in read])
    joined = joined_samples(labelled, random.Random(5))
    students = []
    for seed, epochs in ((7, 4), (0, 5), (1, 5)):
        lessons = labelled * _LABELLED_TIMES + soft_samples(others, said) + joined
        students.append(fit(Student(tables), lessons, 1 if small else epochs, 4e-3, seed, device, many=128))
        if seed == 7:  # the first one joins its teachers
            said.append(judge(students.pop(), others, device))
    return students


def soft_samples(others: list[Sample], said: list[list[np.ndarray | None]]) -> list[Sample]:
    """Return messages without labels with what the teachers say of them, averaged."""
    made = []
    for number, one in enumerate(others):
        out = np.mean([each[number] for each in said if each[number] is not None], 0)
        kinds = np.exp(out[:, _KINDS] - out[:, _KINDS].max(1, keepdims=True))
        known = {
            "keep": 1 / (1 + np.exp(-out[:, 0])),
            "kinds": kinds / kinds.sum(1, keepdims=True),
            "importance": 1 / (1 + np.exp(-out[:, -1])),
        }
        floats = {name: array.astype(np.float32) for name, array in known.items()}
        made.append(one | floats | {"soft": 1, "weight": _SOFT_WEIGHT})
    return made


def fit(
    network: Any,
    samples: list[Sample],
    epochs: int,
    rate: float,
    seed: int,
    device: str,
    *,
    many: int = 64,
    taught_rate: float = 0.0,
) -> Any:
    """Train a network; what it had been taught before changes at a rate of its own."""
    torch.manual_seed(seed)
    rng = random.Random(seed)
    network.to(device).train()
    parameters = [(name, one) for name, one in network.named_parameters() if one.requires_grad]
    old = [one for name, one in parameters if name.startswith("taught.")]
    new = [one for name, one in parameters if not name.startswith("taught.")]
    rates = [(new, rate), (old, taught_rate)] if old else [(new, rate)]
    optimizer = torch.optim.AdamW([{"params": some, "lr": each} for some, each in rates], weight_decay=0.02)
    order = sorted(samples, key=lambda one: one["size"][network.kind] + rng.uniform(0, 12))
    batches = [_batch(order[at : at + many], network.kind, device) for at in range(0, len(order), many)]
    scheduler = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, [each for _, each in rates], total_steps=epochs * len(batches) + 1, pct_start=0.15
    )
    for _ in range(epochs):
        rng.shuffle(batches)
        for batch in batches:
            optimizer.zero_grad(set_to_none=True)
            _loss(network(batch), batch).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            scheduler.step()
    return network.eval()


@torch.no_grad()
def judge(network: Any, samples: list[Sample], device: str) -> list[np.ndarray | None]:
    """Return what a network says of each clause of each message."""
    order = sorted(range(len(samples)), key=lambda at: samples[at]["size"][network.kind])
    made: list[np.ndarray | None] = [None] * len(samples)
    for first in range(0, len(order), 256):
        places = order[first : first + 256]
        out = network(_batch([samples[at] for at in places], network.kind, device)).float().cpu().numpy()
        ends = np.cumsum([len(samples[at]["keep"]) for at in places])
        for at, rows in zip(places, np.split(out, ends[:-1]), strict=True):
            made[at] = rows
    return made


def _batch(some: list[Sample], kind: str, device: str) -> Batch:
    longest = max(one["size"][kind] for one in some)
    ids = np.zeros((len(some), longest), np.int64)
    mask = np.zeros((len(some), longest), np.float32)
    shapes = np.zeros((len(some), longest, some[0]["shapes"].shape[1]), np.float32)
    spans = []
    for row, one in enumerate(some):
        size = one["size"][kind]
        pieces, starts = (one["ids"], np.arange(size + 1)) if kind == "words" else one[kind]
        ids[row, :size], mask[row, :size] = pieces, 1
        shapes[row, :size] = np.repeat(one["shapes"], np.diff(starts), 0)
        spans.append(np.column_stack((np.full(len(one["spans"]), row), starts[one["spans"][:, :4]])))
    made = {"ids": ids, "mask": mask, "shapes": shapes, "spans": np.concatenate(spans)}
    for name in ("part_shapes", "keep", "kinds", "importance"):
        made[name] = np.concatenate([one[name] for one in some])
    for name in ("weight", "soft"):
        made[name] = np.concatenate([np.full(len(one["keep"]), one[name], np.float32) for one in some])
    made["messages"] = np.array(len(some))
    return {name: torch.from_numpy(np.ascontiguousarray(array)).to(device) for name, array in made.items()}


def _loss(out: torch.Tensor, batch: Batch) -> torch.Tensor:
    """How far what a network says is from what is known, or from what the teachers say."""
    keep, weight = batch["keep"], batch["weight"]
    losses = F.binary_cross_entropy_with_logits(out[:, 0], keep.clamp(min=0), reduction="none")
    total = (losses * (keep >= 0) * weight).sum()
    shares = torch.log_softmax(out[:, _KINDS], -1)
    hard = (batch["soft"] == 0) & (keep > 0) & (batch["kinds"].sum(1) > 0)
    right = torch.logsumexp(shares[hard] + torch.log(batch["kinds"][hard].clamp(min=1e-9)), -1)
    soft = batch["soft"] > 0
    alike = (batch["kinds"][soft] * shares[soft]).sum(-1) * keep[soft]
    known = (batch["importance"] >= 0) & (keep > 0)
    off = torch.sigmoid(out[known, -1]) - batch["importance"][known]
    total = total - 0.6 * ((right * weight[hard]).sum() + (alike * weight[soft]).sum())
    return (total + 0.5 * (off * off * weight[known] * keep[known]).sum()) / batch["messages"]


def write_weights(students: list[Student], path: Path) -> None:
    """Write the arrays of some students side by side, the large ones with a byte a number."""
    made = {}
    for name in students[0].state_dict():
        arrays = [student.state_dict()[name].cpu().numpy() for student in students]
        short = (
            name.removeprefix("judge.").removesuffix(".weight").replace(".bias", "_bias").replace("layers.", "layer")
        )
        is_matrix = arrays[0].ndim > 1 and short != "hashes"
        whole = np.stack([array.T if is_matrix else array for array in arrays])
        if whole.ndim == 3 and whole.size > 5_000:
            scale = np.abs(whole).max(axis=1, keepdims=True) / 127
            made[short], made[f"{short}_scale"] = np.round(whole / scale).astype(np.int8), scale.astype(np.float32)
        else:
            made[short] = whole.astype(np.float16)
    np.savez_compressed(path, **made)


if __name__ == "__main__":
    main()
