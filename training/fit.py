"""Fit the token table to the teacher: start from its word vectors, regress on its text vectors, then contrast.

Run: python training/fit.py [--small] [--variant name,key=value,...]... --out FOLDER. The heavy step: minutes on a
GPU, hours on a CPU without --small. Writes one int8 table a variant (FOLDER/NAME.npz). Seeded.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - torch's own idiom
from numpy.typing import NDArray

from bags import Bags, pieces_of
from collect import CHAT
from contrast import Contrast, Settings
from sources import GRANITE, NAMES, VOCABULARY, WORK
from teacher import Teacher

DIMENSIONS = 255  # and one more for the evidence makes 256
# The model that ships is the mean of these three; each alone is weaker on one set or another.
RECIPE = ("plain,steps=4000", "floor,steps=4000,floor=3.5", "heat,steps=4000,teacher_heat=0.08")


def read(folder: Path) -> tuple[list[str], list[str], list[tuple[str, int, int]]]:
    """(texts, further spans of them, pairs by the numbers of their texts) as collect.py wrote them."""
    with lzma.open(folder / "texts.xz", "rt", encoding="utf-8", newline="\n") as lines:
        texts = [line[:-1] for line in lines]
    rows = np.load(folder / "rows.npz")
    names = rows["sources"].tolist()
    spans = list(dict.fromkeys(texts[row][first:last] for row, first, last in rows["spans"].tolist()))
    return texts, spans, [(names[source], query, passage) for source, query, passage in rows["pairs"].tolist()]


def soups(words: list[str], count: int, draw: random.Random) -> list[str]:
    """Short strings of random words, so that no word of the vocabulary goes untrained."""
    return [" ".join(draw.choices(words, k=draw.randint(1, 5))) for _ in range(count)]


def projection(targets: torch.Tensor, device: str) -> tuple[torch.Tensor, torch.Tensor]:
    """The mean of the teacher's text vectors and their leading directions."""
    sample = targets[:: max(1, len(targets) // 400_000)].to(device).float()
    mean = sample.mean(0)
    _, vectors = torch.linalg.eigh((sample - mean).T @ (sample - mean))
    return mean, vectors.flip(1)[:, :DIMENSIONS].contiguous()


def start(teacher: Teacher, words: list[str], bags: Bags, mean: torch.Tensor, axes: torch.Tensor) -> torch.Tensor:
    """The teacher's vector of every piece, centred and projected, weighted by smooth inverse frequency."""
    device = bags.device
    vectors = teacher.embed([word.removeprefix("##") for word in words]).to(device).float()
    seen = torch.zeros(len(words), device=device).index_add_(0, bags.ids, bags.weights)
    weight = 1e-3 / (1e-3 + seen / seen.sum())
    return ((vectors - mean) @ axes) * weight[:, None]


def regress(
    table: torch.Tensor,
    bags: Bags,
    targets: torch.Tensor,
    axes: tuple[torch.Tensor, torch.Tensor],
    steps: int,
    size: int,
) -> torch.Tensor:
    """Turn the table so that a text's sum points where the teacher's projected vector points."""
    mean, basis = axes
    table = table.clone().requires_grad_()
    adam = torch.optim.Adam([table], lr=2e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(adam, 2e-3, total_steps=steps, pct_start=0.05)
    draw = torch.Generator(device=bags.device).manual_seed(1)
    started = time.time()
    for step in range(steps):
        rows = torch.randint(len(targets), (size,), generator=draw, device=bags.device)
        wanted = F.normalize((targets[rows].to(bags.device).float() - mean) @ basis, dim=1)
        loss = 1 - F.cosine_similarity(bags.sums(table, rows)[0], wanted).mean()
        adam.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        adam.step()
        schedule.step()
        if step % 1000 == 0 or step == steps - 1:
            print(f"regress {step} loss {loss.item():.4f} {time.time() - started:.0f}s", flush=True)
    return table.detach()


def quantised(table: torch.Tensor) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Rows as int8 with one float32 scale each."""
    values = table.float().cpu().numpy()
    scales = np.abs(values).max(1) / 127
    rows = np.rint(values / np.maximum(scales, 1e-12)[:, None]).astype(np.int8)
    return rows, scales.astype(np.float32)


def main() -> None:
    """Teach once, then fit every variant asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--out", type=Path, default=WORK / "tables")
    parser.add_argument("--variant", action="append", default=[], help="NAME,key=value,...; see contrast.Settings")
    parser.add_argument("--steps", type=int, default=0, help="regression steps")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.set_float32_matmul_precision("high")
    began = time.time()
    folder = WORK / ("small" if options.small else "carry")
    texts, spans, pairs = read(folder)
    vocabulary = json.loads(VOCABULARY.read_text(encoding="utf-8"))["model"]["vocab"]
    words = sorted(vocabulary, key=vocabulary.__getitem__)
    plain = [word for word in words if word.isalpha() and word.isascii() and len(word) > 2]
    spans += soups(plain, 500 if options.small else 400_000, random.Random(2))
    print(f"{len(pairs)} pairs, {len(texts)} texts, {len(spans)} spans, read in {time.time() - began:.0f}s", flush=True)
    teacher = Teacher(GRANITE, device)
    targets = teacher.embed(texts + spans).to(device)
    print(f"teacher done at {time.time() - began:.0f}s", flush=True)
    bags = Bags(pieces_of(texts + spans, VOCABULARY), device)
    print(f"bags done at {time.time() - began:.0f}s", flush=True)
    axes = projection(targets, device)
    table = start(teacher, words, bags, *axes)
    steps = options.steps or (60 if options.small else 8000)
    table = regress(table, bags, targets, axes, steps, 256 if options.small else 4096)
    names = [*NAMES.read_text(encoding="utf-8").split(), "User", "Assistant", "Agent"]
    named = pieces_of([name + ":" for name in names], VOCABULARY)
    contrast = Contrast(bags, targets, pairs, named, CHAT)
    for variant in options.variant or RECIPE:
        settings = Settings.parse(variant, options.small)
        fitted = contrast.fit(table, settings)
        rows, scales = quantised(fitted)
        np.savez(options.out / f"{settings.name}.npz", rows=rows, scales=scales)
        print(f"{settings} written at {time.time() - began:.0f}s", flush=True)


if __name__ == "__main__":
    main()
