"""Teach the elder networks, which `refine.py` begins with, on all labels and fold by fold; see README.md.

    PYTHONPATH=src python training/capture/train.py                 # a GPU: some eight minutes with all folds
    PYTHONPATH=src python training/capture/train.py --small         # a sliver, to try the scripts on a CPU
    PYTHONPATH=src python training/capture/train.py --folds         # only with all labels: writes elder.bin

Labels teach two kinds of teachers; those label sixty thousand messages; two small networks learn from both, join the
teachers, and two more learn from all of them. The folds are taught beside each other, and so are the networks of each,
and `measure.py` says what they reach. Everything is seeded; a GPU adds in no fixed order.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - torch's own idiom
from holdfast.facts.capture.sentence_classifier import CATEGORIES
from networks import Batch, MiniTeacher, Student, UseTeacher
from samples import FOLDS, joined_samples, read_samples, unheard
from torch import nn
from weight_file import write_arrays

from sources import WORK

_SOFT_WEIGHT, _LABELLED_TIMES = 0.5, 3
_TEACHERS = (("use", 0), ("use", 1), ("use", 2), ("use", 3), ("mini", 0), ("mini", 1))
_FIRST, _FIRST_EPOCHS = (7, 8), 4
_LAST, _LAST_EPOCHS = (0, 1), 8
_PROCESSES = 3  # of a job, beside each other
_KINDS = slice(1, 1 + len(CATEGORIES))
_LONGEST = 500  # pieces that the English teacher reads
_START = time.monotonic()
Sample = dict[str, Any]
_state: dict[str, Any] = {}  # what the processes of a job are forked with


def main() -> None:
    """Train with everything, and beside it fold by fold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folds", type=int, nargs="*", default=range(len(FOLDS)), help="which to teach too; none")
    parser.add_argument("--only-folds", action="store_true", help="leave out that of all labels")
    parser.add_argument("--small", action="store_true", help="every sixtieth message, one epoch")
    parser.add_argument("--out", type=Path, default=WORK, help="where the weights go")
    parser.add_argument("--processes", type=int, default=8)
    given = parser.parse_args()
    samples, vectors, hashes = read_samples(WORK, 60 if given.small else 1, 2 if given.small else given.processes)
    teachers = read_use(samples), read_mini()
    _say("read")
    given.out.mkdir(parents=True, exist_ok=True)
    jobs = [] if given.only_folds else [(set[str](), given.out / "elder.bin")]
    jobs += [(set(FOLDS[number]), given.out / f"fold{number}.bin") for number in given.folds]
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
    write_weights(taught(samples, held | unheard(), teachers, tables, small=small), path)
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
    tables: tuple[np.ndarray, np.ndarray],
    *,
    small: bool,
) -> list[dict[str, np.ndarray]]:
    """Return the weights of the students of everything but some files."""
    labelled = [one for one in samples if one["file"] and not held & {one["file"], *one["made_of"]}]
    english = [one for one in labelled if one["language"] == "en" and one["size"]["mini"] < _LONGEST]
    others = [one for one in samples if not one["file"]]
    _state.update(labelled=labelled, english=english, others=others, teachers=teachers, tables=tables, small=small)
    said = _beside(_ask_teacher, [("use", 0)] if small else _TEACHERS)
    _say(f"{len(said)} teachers of {len(labelled)} messages")
    hard = labelled * _LABELLED_TIMES + joined_samples(labelled, random.Random(5))
    _state["lessons"] = hard + soft_samples(others, said)
    said += _beside(_ask_student, [7] if small else _FIRST)  # these join their teachers
    _say("first students")
    _state["lessons"] = hard + soft_samples(others, said)
    return _beside(_teach_student, _LAST)


def _beside(work: Callable[[Any], Any], tasks: Sequence[Any]) -> list[Any]:
    """Do tasks in a few processes, which know what is in the state."""
    with get_context("fork").Pool(min(len(tasks), _PROCESSES)) as pool:
        return pool.map(work, tasks, chunksize=1)


def _ask_teacher(task: tuple[str, int]) -> list[np.ndarray | None]:
    """Teach a teacher, and return what it says of the messages without labels."""
    (kind, seed), others, device = task, _state["others"], _device()
    use, mini = _state["teachers"]
    if kind == "use":
        epochs = 1 if _state["small"] else 6
        taught = fit(UseTeacher(use), _state["labelled"], epochs, 1e-3, seed, device, taught_rate=2e-4)
        return judge(taught, others, device)
    taught = fit(MiniTeacher(mini), _state["english"], 4, 1e-3, seed, device, many=32, taught_rate=8e-5)
    read = [one["language"] == "en" and one["size"]["mini"] < _LONGEST for one in others]
    known = iter(judge(taught, [one for one, fits in zip(others, read, strict=True) if fits], device))
    return [next(known) if fits else None for fits in read]


def _ask_student(seed: int) -> list[np.ndarray | None]:
    return judge(_fit_student(seed, _FIRST_EPOCHS), _state["others"], _device())


def _teach_student(seed: int) -> dict[str, np.ndarray]:
    return network_arrays(_fit_student(seed, _LAST_EPOCHS))


def _fit_student(seed: int, epochs: int) -> Student:
    device = _device()
    vectors, hashes = (torch.tensor(table).to(device) for table in _state["tables"])
    epochs = 1 if _state["small"] else epochs
    student: Student = fit(Student((vectors, hashes)), _state["lessons"], epochs, 4e-3, seed, device, many=128)
    return student


def _device() -> str:
    torch.set_num_threads(2)
    torch.set_float32_matmul_precision("high")
    return "cuda" if torch.cuda.is_available() else "cpu"


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
    taught: tuple[str, ...] = ("taught.",),
) -> Any:
    """Train a network; what it had been taught before, by the beginnings of names, changes at a rate of its own."""
    torch.manual_seed(seed)
    rng = random.Random(seed)
    network.to(device).train()
    parameters = [(name, one) for name, one in network.named_parameters() if one.requires_grad]
    old = [one for name, one in parameters if name.startswith(taught)]
    new = [one for name, one in parameters if not name.startswith(taught)]
    rates = [(new, rate), (old, taught_rate)] if old else [(new, rate)]
    optimizer = torch.optim.AdamW(
        [{"params": some, "lr": each} for some, each in rates], weight_decay=0.02, fused=device == "cuda"
    )
    order = sorted(samples, key=lambda one: one["size"][network.kind] + rng.uniform(0, 12))
    batches = [_batch(order[at : at + many], network.kind, device) for at in range(0, len(order), many)]
    scheduler = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, [each for _, each in rates], total_steps=epochs * len(batches) + 1, pct_start=0.15
    )
    for _ in range(epochs):
        rng.shuffle(batches)
        for batch in batches:
            optimizer.zero_grad(set_to_none=True)
            clause_loss(network(batch), batch).backward()
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


def clause_loss(out: torch.Tensor, batch: Batch) -> torch.Tensor:
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


def network_arrays(student: Student) -> dict[str, np.ndarray]:
    """Return the weights of a student by name."""
    return {name: tensor.cpu().numpy() for name, tensor in student.state_dict().items()}


def write_weights(students: list[dict[str, np.ndarray]], path: Path) -> None:
    """Write the arrays of some students side by side, the large ones with a byte a number."""
    made = {}
    for name in students[0]:
        arrays = [student[name] for student in students]
        short = (
            name.removeprefix("judge.").removesuffix(".weight").replace(".bias", "_bias").replace("layers.", "layer")
        )
        is_matrix = arrays[0].ndim > 1 and short != "hashes"
        whole = np.stack([array.T if is_matrix else array for array in arrays])
        made[short] = whole
    write_arrays(made, path)


if __name__ == "__main__":
    main()
