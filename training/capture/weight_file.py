"""Arrays of some networks → the file of weights that `holdfast.facts.capture.word_states` reads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

_LARGE = 5_000  # numbers of a matrix, from which on each has a byte


def write_arrays(stacked: Mapping[str, np.ndarray], path: Path) -> None:
    """Write arrays that have one row a network, the large ones with a byte a number."""
    made: dict[str, np.ndarray] = {}
    for name, whole in stacked.items():
        if whole.ndim == 3 and whole.size > _LARGE:
            scale = np.abs(whole).max(axis=1, keepdims=True) / 127
            made[name], made[f"{name}_scale"] = np.round(whole / scale).astype(np.int8), scale.astype(np.float32)
        else:
            made[name] = whole.astype(np.float16)
    heads = [(name, array.dtype.str, array.shape) for name, array in made.items()]
    with path.open("wb") as file:
        file.write(json.dumps(heads).encode() + b"\n")
        file.writelines(array.tobytes() for array in made.values())
