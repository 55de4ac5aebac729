"""The networks, for training: the small one that ships, and its two teachers, with one kind of head."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - torch's own idiom
from holdfast.facts.capture.sentence_classifier import CATEGORIES
from holdfast.facts.capture.sentence_features import BUCKETS, CLAUSE_SHAPE, WORD_SHAPE
from holdfast.facts.capture.word_states import DILATIONS
from torch import nn

_LOW = -1e4
_USE_WIDTH, _USE_NARROW, _ORDERS = 1280, 256, ((2, 0), (3, 1), (5, 2))
_MINI_WIDTH, _MINI_LAYERS, _MINI_LONGEST = 384, 6, 512
Batch = dict[str, torch.Tensor]


class Head(nn.Module):
    """States of words → keep, categories and importance of each clause."""

    def __init__(self, width: int, inner: int, dropout: float, between: int = 0) -> None:
        super().__init__()
        self.between = nn.Linear(width, between) if between else None
        self.head = nn.Linear(6 * (between or width) + CLAUSE_SHAPE, inner)
        self.out = nn.Linear(inner, 2 + len(CATEGORIES))
        self.drop = nn.Dropout(dropout)

    def forward(self, states: torch.Tensor, batch: Batch) -> torch.Tensor:
        """What is said of each clause."""
        mask = batch["mask"]
        if self.between is not None:
            states = self.between(states) * mask[..., None]
        low = torch.where(mask[..., None] > 0, states, torch.full_like(states, _LOW))
        whole = torch.cat((low.max(1).values, states.sum(1) / mask.sum(1, keepdim=True)), -1)
        owner, first, last, begin, end = batch["spans"].T
        high, mean = _pooled(states, owner, first, last)
        sentence, _ = _pooled(states, owner, begin, end)
        row = torch.cat((high, mean, states[owner, first], sentence, whole[owner], batch["part_shapes"]), -1)
        return self.out(self.drop(torch.relu(self.head(self.drop(row)))))


class Student(nn.Module):
    """The same as `SentenceClassifier.judge`."""

    kind = "words"

    def __init__(self, tables: tuple[torch.Tensor, torch.Tensor]) -> None:
        super().__init__()
        width, narrow, dropout = 128, 24, 0.18
        self.tables = tables
        self.hashes = nn.Embedding(BUCKETS, narrow)
        nn.init.normal_(self.hashes.weight, std=0.05)
        self.writing = nn.Linear(narrow, width, bias=False)
        self.vectors = nn.Linear(tables[0].shape[1], width, bias=False)
        nn.init.normal_(self.vectors.weight, std=0.125)
        self.shape = nn.Linear(WORD_SHAPE, width)
        self.layers = nn.ModuleList([nn.Linear(3 * width, width) for _ in DILATIONS])
        self.judge = Head(width, 128, dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, batch: Batch) -> torch.Tensor:
        """What is said of each clause."""
        vectors, hashes = self.tables
        words, mask = batch["ids"], batch["mask"][..., None]
        hashed, meant = self.hashes(hashes[words]).sum(2), vectors[words].float()
        if self.training:  # a word's meaning or its writing is taken away now and then
            meant = meant * (torch.rand(words.shape, device=words.device) > 0.1)[..., None]
            hashed = hashed * (torch.rand(words.shape, device=words.device) > 0.4)[..., None]
        states = self.drop(self.vectors(meant) + self.writing(hashed) + self.shape(batch["shapes"])) * mask
        for layer, step in zip(self.layers, DILATIONS, strict=True):
            padded = F.pad(states, (0, 0, step, step))
            around = torch.cat((padded[:, : -2 * step], states, padded[:, 2 * step :]), -1)
            states = (states + self.drop(torch.relu(layer(around)))) * mask
        return self.judge(states, batch)


class UseTeacher(nn.Module):
    """The layers over n-grams of Universal Sentence Encoder multilingual v3, below a head."""

    kind = "use"

    def __init__(self, weights: dict[str, np.ndarray]) -> None:
        super().__init__()
        self.table = nn.Embedding.from_pretrained(torch.tensor(weights["table"]), freeze=True)
        layers = {name: nn.Parameter(torch.tensor(array)) for name, array in weights.items() if name != "table"}
        self.taught = nn.ParameterDict(layers)
        self.judge = Head(_USE_WIDTH, 128, 0.3, between=128)
        self.drop = nn.Dropout(0.2)
        self.shape = _silent_layer(_USE_WIDTH)

    def forward(self, batch: Batch) -> torch.Tensor:
        """What is said of each clause."""
        held, mask = self.taught, batch["mask"][..., None]
        words = self.drop(self.table(batch["ids"])) * mask
        joined = {
            kind: torch.cat([held[f"{kind}{size}"] for size, _ in _ORDERS], int(kind == "proj"))
            for kind in ("proj", "proj_b", "ln_g", "ln_b")
        }
        mixed = words @ joined["proj"] + joined["proj_b"]
        mixed = F.layer_norm(mixed, mixed.shape[-1:], joined["ln_g"], joined["ln_b"], 1e-12) * mask
        parts = [words]
        for number, (size, left) in enumerate(_ORDERS):
            states = mixed[..., number * _USE_NARROW : (number + 1) * _USE_NARROW]
            for layer in (1, 2):
                padded = F.pad(states, (0, 0, left, size - 1 - left))
                window = torch.cat([padded[:, at : at + states.shape[1]] for at in range(size)], -1)
                made = window @ held[f"w{layer}_{size}"] + held[f"b{layer}_{size}"]
                states = (states + F.relu(made)) * mask
            parts.append(states)
        found = F.layer_norm(torch.cat(parts, -1), (_USE_WIDTH,), held["ln_g"], held["ln_b"], 1e-12)
        return self.judge(self.drop((found + self.shape(batch["shapes"])) * mask), batch)


class MiniTeacher(nn.Module):
    """all-MiniLM-L6-v2 below a head; it reads English."""

    kind = "mini"

    def __init__(self, weights: dict[str, np.ndarray]) -> None:
        super().__init__()
        tensors = {name: torch.tensor(array) for name, array in weights.items()}
        self.taught = nn.ModuleDict()
        for name in ("word", "position"):
            table = tensors[f"embeddings.{name}_embeddings.weight"]
            self.taught[name] = nn.Embedding.from_pretrained(table, freeze=False)
        self.taught["norm"] = _given(nn.LayerNorm(_MINI_WIDTH, 1e-12), tensors, "embeddings.LayerNorm")
        layers = [_MiniLayer(tensors, f"encoder.layer.{number}.") for number in range(_MINI_LAYERS)]
        self.taught["layers"] = nn.ModuleList(layers)
        self.register_buffer("kind_of_text", tensors["embeddings.token_type_embeddings.weight"][0])
        self.judge = Head(_MINI_WIDTH, 128, 0.2, between=128)
        self.drop = nn.Dropout(0.1)
        self.shape = _silent_layer(_MINI_WIDTH)

    def forward(self, batch: Batch) -> torch.Tensor:
        """What is said of each clause."""
        ids, mask = batch["ids"], batch["mask"]
        places = torch.arange(ids.shape[1], device=ids.device).clamp(max=_MINI_LONGEST - 1)
        states = self.taught["word"](ids) + self.taught["position"](places) + self.kind_of_text
        states = self.drop(self.taught["norm"](states + self.shape(batch["shapes"])))
        for layer in self.taught["layers"]:
            states = layer(states, mask[:, None, None, :] > 0)
        return self.judge(states * mask[..., None], batch)


class _MiniLayer(nn.Module):
    def __init__(self, tensors: dict[str, torch.Tensor], prefix: str) -> None:
        super().__init__()
        width, wide = _MINI_WIDTH, 4 * _MINI_WIDTH
        own = f"{prefix}attention.self."
        self.query, self.key, self.value = (
            _given(nn.Linear(width, width), tensors, own + name) for name in ("query", "key", "value")
        )
        self.mixed = _given(nn.Linear(width, width), tensors, f"{prefix}attention.output.dense")
        self.first_norm = _given(nn.LayerNorm(width, 1e-12), tensors, f"{prefix}attention.output.LayerNorm")
        self.up = _given(nn.Linear(width, wide), tensors, f"{prefix}intermediate.dense")
        self.down = _given(nn.Linear(wide, width), tensors, f"{prefix}output.dense")
        self.last_norm = _given(nn.LayerNorm(width, 1e-12), tensors, f"{prefix}output.LayerNorm")
        self.drop = nn.Dropout(0.1)

    def forward(self, states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        many, count, width = states.shape
        heads = [one(states).view(many, count, 12, -1).transpose(1, 2) for one in (self.query, self.key, self.value)]
        seen = F.scaled_dot_product_attention(*heads, attn_mask=mask).transpose(1, 2).reshape(many, count, width)
        states = self.first_norm(states + self.drop(self.mixed(seen)))
        return self.last_norm(states + self.drop(self.down(F.gelu(self.up(states)))))


def _given(layer: Any, tensors: dict[str, torch.Tensor], name: str) -> Any:
    layer.weight.data, layer.bias.data = tensors[f"{name}.weight"], tensors[f"{name}.bias"]
    return layer


def _silent_layer(width: int) -> nn.Linear:
    """Return a layer for the shapes of words that says nothing until it has learned."""
    layer = nn.Linear(WORD_SHAPE, width)
    nn.init.zeros_(layer.weight)
    nn.init.zeros_(layer.bias)
    return layer


def _pooled(states: torch.Tensor, owner: torch.Tensor, first: torch.Tensor, last: torch.Tensor) -> tuple[Any, Any]:
    at = first[:, None] + torch.arange(int((last - first).max()), device=states.device)
    inside = (at < last[:, None])[..., None]
    taken = states[owner[:, None], at.clamp(max=states.shape[1] - 1)]
    high = torch.where(inside, taken, torch.full_like(taken, _LOW)).max(1).values
    return high, (taken * inside).sum(1) / inside.sum(1)
