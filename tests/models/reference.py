"""BERT written out in numpy, as the paper has it, in double precision: what the runtimes must agree with."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["HEADS", "LAYERS", "mean_pooled"]

LAYERS, HEADS = 6, 12
_erf = np.vectorize(math.erf, otypes=[np.float64])
_Array = NDArray[np.float64]


def mean_pooled(weights: dict[str, NDArray[np.float32]], ids: Sequence[int]) -> _Array:
    """The mean of the last layer's vectors, at unit length: all-MiniLM's own recipe."""
    tensor = {name: values.astype(np.float64) for name, values in weights.items()}

    def linear(x: _Array, name: str) -> _Array:
        return np.asarray(x @ tensor[f"{name}.weight"].T + tensor[f"{name}.bias"])

    def norm(x: _Array, name: str) -> _Array:
        centred = x - x.mean(-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12)
        return np.asarray(scaled * tensor[f"{name}.weight"] + tensor[f"{name}.bias"])

    x = tensor["embeddings.word_embeddings.weight"][list(ids)]
    x = x + tensor["embeddings.position_embeddings.weight"][: len(ids)]
    x = norm(x + tensor["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for number in range(LAYERS):
        layer = f"encoder.layer.{number}"
        query, key, value = (
            linear(x, f"{layer}.attention.self.{part}").reshape(len(ids), HEADS, -1).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(query.shape[-1])
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (scores / scores.sum(-1, keepdims=True)) @ value
        mixed = mixed.transpose(1, 0, 2).reshape(len(ids), -1)
        x = norm(x + linear(mixed, f"{layer}.attention.output.dense"), f"{layer}.attention.output.LayerNorm")
        inner = linear(x, f"{layer}.intermediate.dense")
        inner = inner * 0.5 * (1.0 + _erf(inner / math.sqrt(2.0)))
        x = norm(x + linear(inner, f"{layer}.output.dense"), f"{layer}.output.LayerNorm")
    pooled = x.mean(0)
    return np.asarray(pooled / np.linalg.norm(pooled))
