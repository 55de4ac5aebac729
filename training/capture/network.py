"""The network of `CaptureModel`, for training: batches, loss, and the arrays that are left of it."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import torch
from capture_model import CATEGORIES, DILATIONS
from message_features import BUCKETS, CLAUSE_SHAPE, WORD_SHAPE
from samples import Sample
from torch import nn
from word_vectors import WORD_DIMENSIONS

WIDTH, NARROW, HIDDEN = 64, 16, 64
BATCH = 64
_LOW = -1e4
_cross_entropy = nn.functional.binary_cross_entropy_with_logits


class Network(nn.Module):
    """The same as `CaptureModel.judge`."""

    def __init__(self) -> None:
        super().__init__()
        self.hashes = nn.Embedding(BUCKETS, NARROW)
        nn.init.normal_(self.hashes.weight, std=0.05)
        self.writing = nn.Linear(NARROW, WIDTH, bias=False)
        self.vectors = nn.Linear(WORD_DIMENSIONS, WIDTH, bias=False)
        nn.init.normal_(self.vectors.weight, std=0.125)
        self.shape = nn.Linear(WORD_SHAPE, WIDTH)
        self.layers = nn.ModuleList([nn.Linear(3 * WIDTH, WIDTH) for _ in DILATIONS])
        self.head = nn.Linear(6 * WIDTH + CLAUSE_SHAPE, HIDDEN)
        self.out = nn.Linear(HIDDEN, 2 + len(CATEGORIES))
        self.drop = nn.Dropout(0.25)

    def forward(self, batch: dict[str, torch.Tensor], tables: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
        """What is said of each clause: keep, categories, importance."""
        vectors, hashes = tables
        words, mask = batch["words"], batch["mask"]
        hashed = self.hashes(hashes[words]).sum(2)
        meant = vectors[words]
        if self.training:  # a word's meaning or its writing is taken away now and then
            meant = meant * (torch.rand(words.shape) > 0.1)[..., None]
            hashed = hashed * (torch.rand(words.shape) > 0.5)[..., None]
        states = self.vectors(meant) + self.writing(hashed) + self.shape(batch["shapes"])
        states = self.drop(states) * mask[..., None]
        for layer, step in zip(self.layers, DILATIONS, strict=True):
            pad = nn.functional.pad(states, (0, 0, step, step))
            around = torch.cat((pad[:, : -2 * step], states, pad[:, 2 * step :]), -1)
            states = (states + self.drop(torch.relu(layer(around)))) * mask[..., None]
        low = torch.where(mask[..., None] > 0, states, torch.full_like(states, _LOW))
        whole = torch.cat((low.max(1).values, states.sum(1) / mask.sum(1, keepdim=True)), -1)
        owner, first, last, begin, end = batch["spans"].T
        of_part, mean = _pooled(states, owner, first, last)
        of_sentence, _ = _pooled(states, owner, begin, end)
        row = torch.cat((of_part, mean, states[owner, first], of_sentence, whole[owner], batch["part_shapes"]), -1)
        return self.out(self.drop(torch.relu(self.head(self.drop(row)))))


def train(samples: list[Sample], tables: tuple[np.ndarray, np.ndarray], seed: int, epochs: int) -> Network:
    """A network, trained."""
    torch.manual_seed(seed)
    rng = random.Random(seed)
    network = Network()
    known = torch.tensor(tables[0]), torch.tensor(tables[1])
    optimizer = torch.optim.AdamW(network.parameters(), lr=2e-3, weight_decay=0.02)
    steps = epochs * -(-len(samples) // BATCH)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 3e-3, total_steps=steps + 1, pct_start=0.15)
    network.train()
    for _ in range(epochs):
        # Messages of about the same length together, which ones differs each time.
        order = sorted(samples, key=lambda one: len(one.words) + rng.uniform(0, 12))
        batches = [order[at : at + BATCH] for at in range(0, len(order), BATCH)]
        rng.shuffle(batches)
        for some in batches:
            batch = _batch(some)
            optimizer.zero_grad()
            _loss(network(batch, known), batch).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            scheduler.step()
    return network.eval()


def stacked_weights(networks: list[Network]) -> dict[str, np.ndarray]:
    """The arrays of some networks, as `CaptureModel` has them."""
    made = {}
    for name in networks[0].state_dict():
        arrays = [network.state_dict()[name].numpy() for network in networks]
        short = name.removesuffix(".weight").replace(".bias", "_bias").replace("layers.", "layer")
        is_matrix = arrays[0].ndim > 1 and short != "hashes"
        made[short] = np.stack([array.T if is_matrix else array for array in arrays])
    return made


def _pooled(states: torch.Tensor, owner: torch.Tensor, first: torch.Tensor, last: torch.Tensor) -> tuple[Any, Any]:
    at = first[:, None] + torch.arange(int((last - first).max()))
    inside = (at < last[:, None])[..., None]
    taken = states[owner[:, None], at.clamp(max=states.shape[1] - 1)]
    high = torch.where(inside, taken, torch.full_like(taken, _LOW)).max(1).values
    return high, (taken * inside).sum(1) / inside.sum(1)


def _batch(samples: list[Sample]) -> dict[str, torch.Tensor]:
    """Some messages as arrays of one size."""
    longest = max(len(one.words) for one in samples)
    words = np.zeros((len(samples), longest), np.int64)
    shapes = np.zeros((len(samples), longest, WORD_SHAPE), np.float32)
    mask = np.zeros((len(samples), longest), np.float32)
    spans, part_shapes = [], []
    for number, one in enumerate(samples):
        size = len(one.words)
        words[number, :size], shapes[number, :size], mask[number, :size] = one.words, one.message.shapes, 1
        for part in one.message.parts:
            spans.append((number, part.first, part.last, *one.message.bounds[part.sentence]))
            part_shapes.append(part.shape)
    floats = {
        "shapes": shapes, "mask": mask, "part_shapes": part_shapes,
        "keep": np.concatenate([one.keep for one in samples]),
        "kinds": np.concatenate([one.kinds for one in samples]),
        "importance": np.concatenate([one.importance for one in samples]),
        "weight": np.concatenate([np.full(len(one.keep), one.weight) for one in samples]),
        "whole": [one.whole for one in samples], "whole_weight": [one.weight for one in samples],
    }  # fmt: skip
    made = {name: torch.tensor(np.asarray(array, np.float32)) for name, array in floats.items()}
    return made | {"words": torch.tensor(words), "spans": torch.tensor(spans)}


def _loss(out: torch.Tensor, batch: dict[str, torch.Tensor]) -> torch.Tensor:
    """How far what the network says is from what is known."""
    keep, weight = batch["keep"], batch["weight"]
    losses = _cross_entropy(out[:, 0], keep.clamp(min=0.0), reduction="none")
    total = (losses * (keep >= 0) * weight).sum()
    told = (keep > 0) & (batch["kinds"].sum(1) > 0)
    if told.any():
        chances = torch.log_softmax(out[told, 1:-1], -1)
        right = torch.logsumexp(chances + torch.log(batch["kinds"][told].clamp(min=1e-9)), -1)
        known = told & (batch["importance"] >= 0)
        off = torch.sigmoid(out[known, -1]) - batch["importance"][known]
        total = total - 0.6 * (right * weight[told]).sum() + 0.5 * (off * off).sum()
    weak = batch["whole"] >= 0
    if weak.any():  # the clause that is surest of being kept stands for its message
        top = torch.full((len(weak),), _LOW).scatter_reduce(0, batch["spans"][:, 0], out[:, 0], "amax")
        losses = _cross_entropy(top[weak], batch["whole"][weak], reduction="none")
        total = total + (losses * batch["whole_weight"][weak]).sum()
    return total / len(weak)
