"""A cross-encoder small enough to be made in a test, as a directory with its graph and its tokenizer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

__all__ = ["cross_encoder"]

WORDS = ["[UNK]", "[CLS]", "[SEP]", "key", "mat", "car"]
FLAGS = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}


def tokenizer(longest: int) -> dict[str, Any]:
    """Words to numbers, and a pair as `[CLS] A [SEP] B [SEP]` with the types of its halves."""
    special = {name: {"id": name, "ids": [WORDS.index(name)], "tokens": [name]} for name in ("[CLS]", "[SEP]")}

    def mark(name: str, kind: int) -> dict[str, Any]:
        return {"SpecialToken": {"id": name, "type_id": kind}}

    single = [mark("[CLS]", 0), {"Sequence": {"id": "A", "type_id": 0}}, mark("[SEP]", 0)]
    pair = [*single, {"Sequence": {"id": "B", "type_id": 1}}, mark("[SEP]", 1)]
    return {
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": longest, "strategy": "LongestFirst", "stride": 0},
        "padding": None,
        "added_tokens": [{"id": n, "content": WORDS[n], "special": True} | FLAGS for n in (1, 2)],
        "normalizer": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": {"type": "TemplateProcessing", "single": single, "pair": pair, "special_tokens": special},
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": {word: n for n, word in enumerate(WORDS)}, "unk_token": "[UNK]"},
    }


def cross_encoder(
    root: Path, *, labels: int = 1, inputs: Sequence[str] = ("input_ids", "attention_mask", "token_type_ids"),
    length: int | str = "length", pooled: bool = True, weights: Sequence[float] = (0, 0, 0, 1, 4, -3),
) -> Path:  # fmt: skip
    """A graph whose logit is the sum of a weight for each token, with more labels one below the other."""
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    pytest.importorskip("tokenizers")
    helper, kinds = onnx.helper, onnx.TensorProto
    table = np.array([[weight * (label + 1) for label in range(labels)] for weight in weights], np.float32)
    constants = [
        onnx.numpy_helper.from_array(table, "table"),
        onnx.numpy_helper.from_array(np.array([1], np.int64), "axis"),
    ]
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["tokens"])]
    nodes.append(helper.make_node("ReduceSum", ["tokens", "axis"], ["logits"], keepdims=0))
    shape: list[int | str] = ["batch", labels] if pooled else ["batch", length, labels]
    outputs = [helper.make_tensor_value_info("logits" if pooled else "tokens", kinds.FLOAT, shape)]
    taken = [helper.make_tensor_value_info(name, kinds.INT64, ["batch", length]) for name in inputs]
    graph = helper.make_graph(nodes if pooled else nodes[:1], "tiny", taken, outputs, constants)
    root.mkdir(parents=True, exist_ok=True)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9), root / "model.onnx")
    (root / "tokenizer.json").write_text(json.dumps(tokenizer(16)), encoding="utf-8")
    return root
