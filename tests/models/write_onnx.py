"""all-MiniLM's weights as an ONNX graph, with the `onnx` package: plain operators and no pooling, as exporters do."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from models.reference import HEADS, LAYERS
from numpy.typing import NDArray

__all__ = ["write_onnx"]


class _Graph:
    """Nodes and constants as they come; every step returns the name of its result."""

    def __init__(self, weights: dict[str, NDArray[np.float32]]) -> None:
        self._onnx = import_module("onnx")
        self._weights = weights
        self.nodes: list[Any] = []
        self.constants: dict[str, Any] = {}

    def constant(self, name: str, values: NDArray[Any]) -> str:
        if name not in self.constants:
            self.constants[name] = self._onnx.numpy_helper.from_array(np.ascontiguousarray(values), name)
        return name

    def weight(self, name: str, *, turned: bool = False) -> str:
        values = self._weights[name]
        return self.constant(name, values.T if turned else values)

    def step(self, operator: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        output = output or f"{operator}_{len(self.nodes)}"
        self.nodes.append(self._onnx.helper.make_node(operator, list(inputs), [output], **attributes))
        return output

    def linear(self, x: str, name: str) -> str:
        product = self.step("MatMul", x, self.weight(f"{name}.weight", turned=True))
        return self.step("Add", product, self.weight(f"{name}.bias"))

    def norm(self, x: str, name: str, output: str = "") -> str:
        weight, bias = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        return self.step("LayerNormalization", x, weight, bias, output=output, axis=-1, epsilon=1e-12)

    def layer(self, x: str, name: str, mask: str, output: str) -> str:
        split = self.constant("split", np.array([0, 0, HEADS, 384 // HEADS], np.int64))
        joined = self.constant("joined", np.array([0, 0, 384], np.int64))
        heads = {}
        for part, order in (("query", [0, 2, 1, 3]), ("key", [0, 2, 3, 1]), ("value", [0, 2, 1, 3])):
            shaped = self.step("Reshape", self.linear(x, f"{name}.attention.self.{part}"), split)
            heads[part] = self.step("Transpose", shaped, perm=order)
        scale = self.constant("scale", np.array((384 // HEADS) ** -0.5, np.float32))
        scores = self.step("Mul", self.step("MatMul", heads["query"], heads["key"]), scale)
        shares = self.step("Softmax", self.step("Add", scores, mask), axis=-1)
        mixed = self.step("Transpose", self.step("MatMul", shares, heads["value"]), perm=[0, 2, 1, 3])
        mixed = self.linear(self.step("Reshape", mixed, joined), f"{name}.attention.output.dense")
        x = self.norm(self.step("Add", x, mixed), f"{name}.attention.output.LayerNorm")
        inner = self.step("Gelu", self.linear(x, f"{name}.intermediate.dense"))
        inner = self.linear(inner, f"{name}.output.dense")
        return self.norm(self.step("Add", x, inner), f"{name}.output.LayerNorm", output)


def write_onnx(path: Path, weights: dict[str, NDArray[np.float32]]) -> Path:
    """Write the graph; it takes ids, mask and types, and gives `last_hidden_state`."""
    onnx = import_module("onnx")
    graph = _Graph(weights)
    x = graph.step("Gather", graph.weight("embeddings.word_embeddings.weight"), "input_ids")
    types = graph.step("Gather", graph.weight("embeddings.token_type_embeddings.weight"), "token_type_ids")
    length = graph.step("Shape", "input_ids", start=1, end=2)
    begin = graph.constant("begin", np.array([0], np.int64))
    positions = graph.step("Slice", graph.weight("embeddings.position_embeddings.weight"), begin, length, begin)
    x = graph.step("Add", graph.step("Add", x, types), positions)
    x = graph.norm(x, "embeddings.LayerNorm")
    one = graph.constant("one", np.array(1, np.float32))
    far = graph.constant("far", np.array(-10_000, np.float32))
    spread = graph.constant("spread", np.array([1, 2], np.int64))
    seen = graph.step("Cast", graph.step("Unsqueeze", "attention_mask", spread), to=onnx.TensorProto.FLOAT)
    mask = graph.step("Mul", graph.step("Sub", one, seen), far)
    for number in range(LAYERS):
        x = graph.layer(x, f"encoder.layer.{number}", mask, "last_hidden_state" if number == LAYERS - 1 else "")
    make = onnx.helper.make_tensor_value_info
    names = ("input_ids", "attention_mask", "token_type_ids")
    inputs = [make(name, onnx.TensorProto.INT64, ["batch", "length"]) for name in names]
    outputs = [make("last_hidden_state", onnx.TensorProto.FLOAT, ["batch", "length", 384])]
    whole = onnx.helper.make_graph(graph.nodes, "minilm", inputs, outputs, list(graph.constants.values()))
    model = onnx.helper.make_model(whole, opset_imports=[onnx.helper.make_opsetid("", 20)], ir_version=9)
    path.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(model, path)
    return path
