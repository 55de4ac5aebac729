"""ONNX models with real weights, against BERT written out in numpy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from holdfast.embeddings.embedder import Purpose
from holdfast.embeddings.embedder_contract import check_embedder
from holdfast.embeddings.local.onnx import OnnxEmbedder

TEXTS = [
    "The cat sat on the mat.",
    "An invoice for March, 1,240.50 EUR, is due on the 14th.",
    "naïve café — α-synuclein, 猫が座った, 🙂",
    "def embed(texts: list[str]) -> None: ...",
    "We moved the deploy to Thursday because the release notes were late. " * 6,
]


def vectors(embedder: OnnxEmbedder, texts: Sequence[str]) -> list[NDArray[np.float32]]:
    return [cast("NDArray[np.float32]", row) for row in embedder.embed(texts, Purpose.DOCUMENT).vectors]


def test_the_full_precision_graph_agrees_with_numpy(
    onnx_fp32: Path, reference: Callable[[str], NDArray[np.float64]]
) -> None:
    for text, row in zip(TEXTS, vectors(OnnxEmbedder(onnx_fp32), TEXTS), strict=True):
        assert float(reference(text) @ row) >= 0.9999


def test_the_quantised_graph_is_near_to_numpy(onnx_q8: Path, reference: Callable[[str], NDArray[np.float64]]) -> None:
    short = [text[:300] for text in TEXTS]  # its directory says no length but the tokenizer's 128
    cosines = [
        float(reference(text) @ row) for text, row in zip(short, vectors(OnnxEmbedder(onnx_q8), short), strict=True)
    ]
    assert float(np.mean(cosines)) >= 0.98 and min(cosines) >= 0.96, cosines


@pytest.mark.parametrize("which", ["onnx_fp32", "onnx_q8"])
def test_the_contract_is_kept(which: str, request: pytest.FixtureRequest) -> None:
    check_embedder(OnnxEmbedder(request.getfixturevalue(which), threads=2))
    check_embedder(OnnxEmbedder(request.getfixturevalue(which), threads=1, dimensions=128))


def test_the_space_is_known_from_the_directory(onnx_fp32: Path, onnx_q8: Path) -> None:
    full, small = OnnxEmbedder(onnx_fp32).space, OnnxEmbedder(onnx_q8).space
    assert full.model.startswith("all-MiniLM-L6-v2#") and full.dimensions == small.dimensions == 384
    assert full.model != small.model


def test_a_cut_vector_is_the_beginning_of_the_whole_one(onnx_fp32: Path) -> None:
    (whole,) = vectors(OnnxEmbedder(onnx_fp32), TEXTS[:1])
    (cut,) = vectors(OnnxEmbedder(onnx_fp32, dimensions=64), TEXTS[:1])
    assert cut == pytest.approx(whole[:64] / np.linalg.norm(whole[:64]), abs=1e-6)


def test_meaning_is_nearer_than_words(onnx_q8: Path) -> None:
    question, answer, other = vectors(
        OnnxEmbedder(onnx_q8),
        ["How do I get my money back?", "Refunds are paid within ten days.", "How do I get to the station?"],
    )
    assert float(question @ answer) > float(question @ other)
