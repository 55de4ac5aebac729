"""Fit the token table to the teacher: start from its word vectors, regress on its text vectors, then contrast.

Run: python training/fit.py [--small] [--languages] [--variant name,key=value,...]... --out FOLDER. The heavy step:
minutes on a GPU, hours on a CPU without --small. Writes one int8 table a variant (FOLDER/NAME.npz). Seeded.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import time
from collections.abc import Callable
from itertools import accumulate, chain
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - torch's own idiom
from numpy.typing import NDArray

import across
import english
import spm
import vocabulary
from bags import Bags, pieces_of
from collect import CHAT
from contrast import Contrast, Settings
from multilingual import LANGUAGES
from sources import GRANITE, NAMES, USE_PIECES, USE_WEIGHTS, VOCABULARY, WORK
from table import FIRST, Table, subset_rows
from teacher import Teacher
from use_teacher import UseTeacher

DIMENSIONS = 255  # and one more for the evidence makes 256
# The model that ships is the mean of these three; each alone is weaker on one set or another.
RECIPE = ("plain,steps=4000", "floor,steps=4000,floor=3.5", "heat,steps=4000,teacher_heat=0.08")

RECIPE_MANY = (
    "plain,steps=4000,many=0.5",
    "second,steps=4000,many=0.5,second=1",
    "floor,steps=4000,many=0.5,second=1,floor=3.5",
    "half,steps=4000,many=0.5,second=0.5",
    "near,steps=4000,many=0.6,second=1,nce=0.5,teacher_heat=0.08",
    "long,steps=8000,many=0.6,second=1",
)


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
    drawn: Callable[[int, torch.Generator], torch.Tensor],
) -> torch.Tensor:
    """Turn the table so that a text's sum points where the teacher's projected vector points."""
    mean, basis = axes
    table = table.clone().requires_grad_()
    adam = torch.optim.Adam([table], lr=2e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(adam, 2e-3, total_steps=steps, pct_start=0.05)
    draw = torch.Generator(device=bags.device).manual_seed(1)
    started = time.time()
    for step in range(steps):
        rows = drawn(size, draw)
        wanted = F.normalize((targets[rows].to(bags.device).float() - mean) @ basis, dim=1)
        loss = 1 - F.cosine_similarity(bags.sums(table, rows)[0], wanted).mean()
        adam.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        adam.step()
        schedule.step()
        if step % 1000 == 0 or step == steps - 1:
            print(f"regress {step} loss {loss.item():.4f} {time.time() - started:.0f}s", flush=True)
    return table.detach()


def quantised(table: torch.Tensor, most: int = 127) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Rows as whole numbers up to `most`, with one float32 scale each: 127 for eight bits, 7 for four."""
    values = table.float().cpu().numpy()
    scales = np.abs(values).max(1) / most
    rows = np.rint(values / np.maximum(scales, 1e-12)[:, None]).astype(np.int8)
    return rows, scales.astype(np.float32)


def balanced(languages: NDArray[np.int8], device: str) -> Callable[[int, torch.Generator], torch.Tensor]:
    """Draws rows so that every language counts by the square root of what there is of it."""
    order = torch.from_numpy(np.argsort(languages, kind="stable")).to(device)
    counts = torch.from_numpy(np.bincount(languages)).to(device)
    starts = torch.cumsum(counts, 0) - counts
    shares = counts.double().sqrt().float()

    def draw(size: int, generator: torch.Generator) -> torch.Tensor:
        which = torch.multinomial(shares, size, replacement=True, generator=generator)
        at = torch.rand(size, generator=generator, device=device) * counts[which]
        return order[starts[which] + torch.minimum(at.long(), counts[which] - 1)]

    return draw


def read_words(path: Path, small: bool) -> dict[str, tuple[list[str], list[float]]]:
    """By language: its words and their shares."""
    found: dict[str, tuple[list[str], list[float]]] = {}
    with lzma.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        for line in lines:
            language, word, share = line[:-1].split("\t")
            mine = found.setdefault(language, ([], []))
            if not small or len(mine[0]) < 200:
                mine[0].append(word)
                mine[1].append(float(share))
    return found


def fit_many(options: argparse.Namespace, device: str) -> None:
    """The table of sixteen languages."""
    began = time.time()
    folder = WORK / ("small-languages" if options.small else "languages")
    model = folder / "subset.model"
    vocabulary.choose(USE_PIECES, model)
    texts, spans, pairs = read(folder)
    rows = np.load(folder / "rows.npz")
    tongue = dict(zip(texts, rows["languages"].tolist(), strict=True))
    tongues = list(rows["languages"])
    for row, first, last in rows["spans"].tolist():
        tongue.setdefault(texts[row][first:last], tongues[row])
    words = read_words(folder / "words.xz", options.small)
    draw = random.Random(3)
    for language, (known, shares) in words.items():
        joint = "" if language in {"ja", "th", "zh"} else " "
        rarer = list(accumulate(share**0.5 for share in shares))
        count = 50 if options.small else options.soups
        more = (joint.join(draw.choices(known, cum_weights=rarer, k=draw.randint(2, 7))) for _ in range(count))
        for text in chain(known, more):
            if text not in tongue:
                tongue[text] = LANGUAGES.index(language)
                spans.append(text)
    every = texts + spans
    languages = np.array([tongue[text] for text in every], np.int8)
    print(f"{len(pairs)} pairs, {len(texts)} texts, {len(spans)} spans, read in {time.time() - began:.0f}s", flush=True)
    teacher = UseTeacher(USE_WEIGHTS, USE_PIECES, device)
    targets = teacher.embed(every).to(device)
    print(f"teacher done at {time.time() - began:.0f}s", flush=True)
    bags = Bags(subset_rows(every, model), device)
    print(f"bags done at {time.time() - began:.0f}s", flush=True)
    drawn = balanced(languages, device)
    sample = drawn(400_000, torch.Generator(device=device).manual_seed(0))
    axes = projection(targets[sample], device)
    numbers = {piece: number for number, piece in enumerate(spm.pieces(USE_PIECES)[0])}
    kept = [numbers[piece] for piece in spm.pieces(model)[0][FIRST:]]
    alone = teacher.embed_ids([[number] for number in kept]).to(device).float()
    # The teacher's own frequencies: those of our text, which is about programs, lose five points.
    scores = torch.tensor(spm.pieces(model)[1][FIRST:], device=device)
    share = torch.exp(scores)
    table = ((alone - axes[0]) @ axes[1]) * (1e-4 / (1e-4 + share))[:, None]

    def put(name: str, fitted: torch.Tensor) -> None:
        stored, scales = quantised(fitted, 7)
        if name != "start":
            np.savez_compressed(options.out / f"{name}.npz", rows=stored, scales=scales)
        if options.measure:
            one = Table(stored.astype(np.float32) * scales[:, None], model, 3.5)
            print(across.report(name, across.measure(one.embed)), flush=True)
            print(name, english.report(one.embed), f"at {time.time() - began:.0f}s", flush=True)

    if options.measure:

        def taught(texts: list[str], **_: bool) -> NDArray[np.float32]:
            return teacher.embed(texts).float().numpy()

        print(across.report("teacher", across.measure(taught)))
        print("teacher", english.report(taught), f"at {time.time() - began:.0f}s", flush=True)
        put("start", table)
    steps = options.steps or (60 if options.small else 6000)
    table = regress(table, bags, targets, axes, steps, 256 if options.small else 8192, drawn)
    put("regress", table)
    second = torch.zeros(len(texts), 256, dtype=torch.float16)
    mine = [number for number, one in enumerate(tongues) if LANGUAGES[one] == "en"]
    second[mine] = english.vectors([texts[number] for number in mine])
    print(f"second teacher done at {time.time() - began:.0f}s", flush=True)
    contrast = Contrast(bags, targets, pairs, [[0]], CHAT, second.to(device))
    for variant in options.variant or RECIPE_MANY:
        settings = Settings.parse(variant, options.small)
        put(settings.name, contrast.fit(table, settings))
        print(f"{settings} written at {time.time() - began:.0f}s", flush=True)


def main() -> None:
    """Teach once, then fit every variant asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--out", type=Path, default=WORK / "tables")
    parser.add_argument("--variant", action="append", default=[], help="NAME,key=value,...; see contrast.Settings")
    parser.add_argument("--steps", type=int, default=0, help="regression steps")
    parser.add_argument("--languages", action="store_true", help="the table of sixteen languages")
    parser.add_argument("--soups", type=int, default=60_000, help="strings of random words, for each language")
    parser.add_argument("--measure", action="store_true", help="measure each table where it is made")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.set_float32_matmul_precision("high")
    if options.languages:
        fit_many(options, device)
        return
    began = time.time()
    folder = WORK / ("small" if options.small else "carry")
    texts, spans, pairs = read(folder)
    numbered = json.loads(VOCABULARY.read_text(encoding="utf-8"))["model"]["vocab"]
    words = sorted(numbered, key=numbered.__getitem__)
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

    def drawn(size: int, draw: torch.Generator) -> torch.Tensor:
        return torch.randint(len(targets), (size,), generator=draw, device=device)

    table = regress(table, bags, targets, axes, steps, 256 if options.small else 4096, drawn)
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
