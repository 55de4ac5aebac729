"""Make the weights that shipped until 18 November 2026: teach the layers of the elder networks anew, on one core.

    PYTHONPATH=src python training/capture/refine.py --out FILE    # needs numpy and torch, no GPU

`training/data/capture/elder.npz` is what `train.py` made on a GPU. What its networks make of a single word stays as it
is, and is reckoned once; the layers and the head learn from all labels, from messages made of phrases, from pages of
books that tell nothing, and from what the elder ones say of messages without labels.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import time
from collections.abc import Mapping
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - torch's own idiom
from augmentation import beside_pages, cut_pages, made_rows
from holdfast.facts.capture.sentence_features import word_hashes
from holdfast.facts.capture.word_states import DILATIONS, read_arrays
from holdfast.facts.capture.word_vectors import WordVectors
from networks import Batch, Head, Student
from phrases import bookish_rows, phrase_rows
from samples import ROOT, joined_samples, label_files, read_alone, unheard
from torch import nn
from train import clause_loss, network_arrays, soft_samples, write_weights

from sources import WORK, document_rows, foreign_rows, write_messages

ELDER = ROOT / "training" / "data" / "capture" / "elder.npz"
_WIDTH, _DROPOUT, _NETWORKS = 128, 0.15, 2
_NEW, _NEW_TIMES = ("voices", "everyday"), 2  # the labels that the elder ones never saw, and how often they are shown
_TALK, _TALK_TIMES = ("projects",), 4  # talk about something that goes on for weeks; the others know little of it
_SOFT = {"en": 400, "": 2_000}  # messages without labels; the elder ones hear little of what is told in English talk
_JOINED = 3_000  # messages out of several
_ASIDES = {"en": 500, "": 90}  # statements beside a page, in English and in each other language
_EPOCHS, _RATE, _MANY, _DECAY = 3, 2e-3, 64, 0.02
_PHRASES = 600  # messages of a language
_START = time.process_time()
Sample = dict[str, Any]
_shared: dict[str, Any] = {}  # what the processes begin with


class Upper(nn.Module):
    """The layers and the head of a student, over words that are known."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3 * _WIDTH, _WIDTH) for _ in DILATIONS])
        self.judge = Head(_WIDTH, 128, _DROPOUT)
        self.drop = nn.Dropout(_DROPOUT)

    def forward(self, batch: Batch) -> torch.Tensor:
        """What is said of each clause."""
        states, mask = self.drop(batch["states"]), batch["mask"][..., None]
        for layer, step in zip(self.layers, DILATIONS, strict=True):
            padded = F.pad(states, (0, 0, step, step))
            around = torch.cat((padded[:, : -2 * step], states, padded[:, 2 * step :]), -1)
            states = (states + self.drop(torch.relu(layer(around)))) * mask
        return self.judge(states, batch)


def main() -> None:
    """Read, teach and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--elder", type=Path, default=ELDER, help="weights of train.py to begin with")
    parser.add_argument("--leave", nargs="*", default=[], help="files of labels that teach nothing, to measure by them")
    parser.add_argument("--epochs", type=int, default=_EPOCHS)
    parser.add_argument("--phrases", type=int, default=_PHRASES, help="messages of a language made of phrases")
    given = parser.parse_args()
    torch.set_num_threads(1)  # sums in one order, on any machine of this kind
    torch.use_deterministic_algorithms(True)
    labelled, others = read_lessons({*unheard(), *given.leave}, given.phrases)
    tables = number_words(labelled + others)
    together = random.Random(7).sample(joined_samples(labelled, random.Random(5)), _JOINED)
    labelled += [one | {"file": "together"} for one in together]
    _say(f"read {len(labelled)} messages with labels, {len(others)} without")
    elders = [read_student(given.elder, number, tables) for number in range(_NETWORKS)]
    below = [[word_states(elder, one) for one in labelled + others] for elder in elders]
    uppers = [upper_part(elder) for elder in elders]
    said = [judge(upper, others, known[len(labelled) :]) for upper, known in zip(uppers, below, strict=True)]
    lessons = labelled + soft_samples(others, said)
    _say("reckoned what stays")
    taught = [(upper, list(zip(lessons, known, strict=True))) for upper, known in zip(uppers, below, strict=True)]
    with get_context("fork").Pool(_NETWORKS, _receive, (taught, given.epochs)) as pool:
        for elder, learned in zip(elders, pool.map(_fitted, range(_NETWORKS)), strict=True):
            replace_upper(elder, learned)
    write_weights([network_arrays(elder) for elder in elders], given.out)


def _receive(taught: list[tuple[Upper, list[tuple[Sample, torch.Tensor]]]], epochs: int) -> None:
    torch.set_num_threads(1)
    _shared.update(taught=taught, epochs=epochs)


def _fitted(seed: int) -> dict[str, np.ndarray]:
    """Teach one of the networks in a process of its own."""
    upper, lessons = _shared["taught"][seed]
    fit(upper, lessons, seed, _shared["epochs"])
    _say(f"taught network {seed}")
    return {name: tensor.numpy() for name, tensor in upper.state_dict().items()}


def _say(what: str) -> None:
    print(f"{time.process_time() - _START:6.0f} s of a core: {what}", flush=True)


def read_lessons(
    held: set[str], phrases: int, others_of: Mapping[str, int] = _SOFT
) -> tuple[list[Sample], list[Sample]]:
    """Return the messages with labels but those of some files, and so many without, in English and not."""
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
    if "pages" not in held:
        rows += _page_rows(labels, random.Random(23))
    unlabelled = WORK / "unlabelled.jsonl.xz"
    if not unlabelled.exists():
        WORK.mkdir(parents=True, exist_ok=True)
        write_messages(unlabelled)
    with lzma.open(unlabelled, "rt", encoding="utf-8") as lines:
        others = [json.loads(line) | {"file": "", "row": number} for number, line in enumerate(lines)]
    random.Random(11).shuffle(others)
    english = [row for row in others if row["lang"] == "en"]
    rest = [row for row in others if row["lang"] != "en"]
    return read_alone(rows), read_alone(english[: others_of["en"]] + rest[: others_of[""]])


def _page_rows(labels: list[dict[str, Any]], rng: random.Random) -> list[dict[str, Any]]:
    """Return pages in other languages than English, and statements before and behind such pages."""
    written = [row for row in labels if row.get("kind") == "pages"]
    pages = foreign_rows(rng) + cut_pages(written, rng)
    return pages + beside_pages(labels, written + rng.sample(pages, len(written)), rng)


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


@torch.no_grad()
def word_states(student: Student, sample: Sample) -> torch.Tensor:
    """Return what the words of a message are by themselves."""
    vectors, hashes = student.tables
    words = torch.from_numpy(sample["ids"])
    hashed = student.hashes(hashes[words]).sum(1)
    shapes = student.shape(torch.from_numpy(sample["shapes"]))
    states: torch.Tensor = student.vectors(vectors[words]) + student.writing(hashed) + shapes
    return states


def upper_part(student: Student) -> Upper:
    """Return the rest of a student, to be taught."""
    upper = Upper()
    upper.layers.load_state_dict(student.layers.state_dict())
    upper.judge.load_state_dict(student.judge.state_dict())
    return upper.eval()


@torch.no_grad()
def replace_upper(student: Student, learned: dict[str, np.ndarray]) -> None:
    """Give a student what its upper part has learned."""
    for name, tensor in student.state_dict().items():
        if name in learned:
            tensor.copy_(torch.from_numpy(learned[name]))


@torch.no_grad()
def judge(upper: Upper, samples: list[Sample], states: list[torch.Tensor]) -> list[np.ndarray | None]:
    """Return what is said of each clause of each message."""
    pairs = zip(samples, states, strict=True)
    return [upper(_batch([pair])).numpy() for pair in pairs]


def fit(upper: Upper, lessons: list[tuple[Sample, torch.Tensor]], seed: int, epochs: int) -> None:
    """Teach the upper part of a network."""
    torch.manual_seed(seed)
    rng = random.Random(seed)
    upper.train()
    shown = lessons + [lesson for lesson in lessons if lesson[0]["file"] in _NEW] * (_NEW_TIMES - 1)
    shown += [lesson for lesson in lessons if lesson[0]["file"] in _TALK] * (_TALK_TIMES - 1)
    shown.sort(key=lambda lesson: len(lesson[0]["ids"]) + rng.uniform(0, 8))
    batches = [shown[at : at + _MANY] for at in range(0, len(shown), _MANY)]
    optimizer = torch.optim.AdamW(upper.parameters(), lr=_RATE, weight_decay=_DECAY)
    steps = epochs * len(batches) + 1
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, total_steps=steps, pct_start=0.15)
    for _ in range(epochs):
        rng.shuffle(batches)
        for some in batches:
            batch = _batch(some)
            optimizer.zero_grad(set_to_none=True)
            clause_loss(upper(batch), batch).backward()
            nn.utils.clip_grad_norm_(upper.parameters(), 1.0)
            optimizer.step()
            scheduler.step()
    upper.eval()


def _batch(some: list[tuple[Sample, torch.Tensor]]) -> Batch:
    samples = [sample for sample, _ in some]
    states = nn.utils.rnn.pad_sequence([known for _, known in some], batch_first=True)
    mask = torch.zeros(states.shape[:2])
    for row, (_, known) in enumerate(some):
        mask[row, : len(known)] = 1
    spans = [np.column_stack((np.full(len(one["spans"]), row), one["spans"][:, :4])) for row, one in enumerate(samples)]
    made = {name: np.concatenate([one[name] for one in samples]) for name in ("part_shapes", "keep", "kinds")}
    made["importance"] = np.concatenate([one["importance"] for one in samples])
    for name in ("weight", "soft"):
        made[name] = np.concatenate([np.full(len(one["keep"]), one[name], np.float32) for one in samples])
    made |= {"spans": np.concatenate(spans).astype(np.int64), "messages": np.array(len(some))}
    return {"states": states, "mask": mask} | {name: torch.from_numpy(array) for name, array in made.items()}


if __name__ == "__main__":
    main()
