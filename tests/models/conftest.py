"""Real models as fixtures, each made once a session and skipped where its package is not installed."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from models.carried import MINILM, MINILM_Q8, SMOLLM, carried, load_safetensors
from models.reference import mean_pooled
from models.write_gguf import write_gguf
from models.write_onnx import write_onnx
from numpy.typing import NDArray

Reference = Callable[[str], NDArray[np.float64]]


def needed(package: str, name: str) -> Path:
    """A file that a package carries; the test is skipped where it is not installed."""
    path = carried(package, name)
    if path is None:
        pytest.skip(f"{package} is not installed; `make test-models` does it")
    return path


@pytest.fixture(scope="session")
def minilm() -> Path:
    """The directory of all-MiniLM in full precision, without a graph."""
    return needed(*MINILM).parent


@pytest.fixture(scope="session")
def weights(minilm: Path) -> dict[str, NDArray[np.float32]]:
    return load_safetensors(minilm / "model.safetensors")


@pytest.fixture(scope="session")
def reference(minilm: Path, weights: dict[str, NDArray[np.float32]]) -> Reference:
    """The vector of a text by numpy; only the tokenizer is shared with the ONNX embedder."""
    tokenizer = pytest.importorskip("tokenizers").Tokenizer.from_file(str(minilm / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)

    def vector(text: str) -> NDArray[np.float64]:
        ids: Sequence[int] = tokenizer.encode(text).ids
        return mean_pooled(weights, ids)

    return vector


@pytest.fixture(scope="session")
def onnx_fp32(minilm: Path, weights: dict[str, NDArray[np.float32]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """all-MiniLM as the hub lays it out, with a graph built here."""
    pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    root = tmp_path_factory.mktemp("models") / "all-MiniLM-L6-v2"
    shutil.copytree(minilm, root, ignore=shutil.ignore_patterns("*.safetensors", "data_config.json"))
    write_onnx(root / "onnx" / "model.onnx", weights)
    return root


@pytest.fixture(scope="session")
def onnx_q8() -> Path:
    """The quantised graph with a tokenizer and nothing else."""
    pytest.importorskip("onnxruntime")
    pytest.importorskip("tokenizers")
    return needed(*MINILM_Q8).parent


@pytest.fixture(scope="session", params=["f32", "f16", "q8_0"])
def gguf_minilm(
    request: pytest.FixtureRequest,
    minilm: Path,
    weights: dict[str, NDArray[np.float32]],
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    pytest.importorskip("xllamacpp")
    pytest.importorskip("gguf")
    vocabulary = (minilm / "vocab.txt").read_text(encoding="utf-8").split("\n")[: len(weights[_WORDS])]
    path = tmp_path_factory.mktemp("gguf") / f"all-MiniLM-L6-v2-{request.param}.gguf"
    return write_gguf(path, weights, vocabulary, request.param)


_WORDS = "embeddings.word_embeddings.weight"


@pytest.fixture(scope="session")
def smollm() -> Path:
    pytest.importorskip("xllamacpp")
    return needed(*SMOLLM)
