"""Measure a table on English search by vectors alone: LoCoMo's turns, SciFact, nDCG@10; neither is trained on."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing import get_context
from os import cpu_count
from typing import Any

import numpy as np
import torch
from holdfast.embeddings.embedder import Purpose
from holdfast.embeddings.static.embedder import StaticEmbedder

from scoring import mean, worth
from sets import locomo, scifact
from sources import SHARED

__all__ = ["report", "vectors"]


def _embedded(texts: list[str]) -> Any:
    rows = np.zeros((len(texts), 256), np.float16)
    for number, vector in enumerate(StaticEmbedder().embed(texts, Purpose.QUERY).vectors):
        if vector is not None:
            rows[number] = vector
    return rows


def vectors(texts: list[str]) -> torch.Tensor:
    """What the English table of before makes of texts: a second teacher of what is alike in English."""
    parts = [texts[first : first + 5_000] for first in range(0, len(texts), 5_000)]
    with get_context("spawn").Pool(cpu_count()) as workers:
        return torch.from_numpy(np.concatenate(workers.map(_embedded, parts)))


def report(embed: Callable[..., Any]) -> str:
    """nDCG@10 / R@10 of both sets; documents with the evidence floor, queries without."""
    parts = []
    for name, load in (("LoCoMo", locomo), ("SciFact", scifact)):
        if not (SHARED / name.lower()).is_dir():
            continue
        found = []
        for one in load():
            near = embed([query for query, _ in one.queries]) @ embed(one.texts, floor=True).T
            found += worth(one, near + 2)
        gain, recall = mean(found)
        parts.append(f"{name} {gain:.3f} / {recall:.3f}")
    return ", ".join(parts)
