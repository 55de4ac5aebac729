"""Model directories as the hub lays them out: what is taken from which file, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from counts import counted
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdfast.embeddings.local.model_prompts import Prompts
from holdfast.embeddings.local.onnx_directory import Pooling, read_directory
from holdfast.errors import ProviderFailed, ProviderMissing


def place(root: Path, graph: Any = "onnx/model.onnx", **files: Any) -> Path:
    """A directory; `a__b` stands for the file a/b.json."""
    (root / graph).parent.mkdir(parents=True, exist_ok=True)
    (root / graph).write_bytes(b"graph")
    for name, content in {"tokenizer": {"truncation": None}, **files}.items():
        path = root / (name.replace("__", "/") + ".json")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    return root


def test_a_whole_directory_is_read(tmp_path: Path) -> None:
    found = read_directory(
        place(
            tmp_path / "some-model",
            config={"hidden_size": 384, "max_position_embeddings": 512, "model_type": "bert"},
            sentence_bert_config={"max_seq_length": 256},
            tokenizer_config={"model_max_length": 1000000000000000019884624838656},
            modules=[
                {"path": "", "type": "sentence_transformers.models.Transformer"},
                {"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
            ],
            **{"1_Pooling__config": {"word_embedding_dimension": 384, "pooling_mode_cls_token": True}},
            config_sentence_transformers={"prompts": {"query": "ask: ", "document": "tell: "}},
        )
    )
    assert (found.name, found.dimensions, found.max_length) == ("some-model", 384, 256)
    assert (found.pooling, found.prompts, found.dense) == (Pooling.CLS, Prompts("ask: ", "tell: "), False)
    assert [path.name for path in found.files] == ["model.onnx", "tokenizer.json"]


def test_a_graph_and_a_tokenizer_are_enough(tmp_path: Path) -> None:
    tokenizer = {"version": "1.0", "truncation": {"direction": "Right", "max_length": 128}}
    found = read_directory(place(tmp_path, "model_quantized.onnx", tokenizer=tokenizer))
    assert (found.pooling, found.prompts, found.max_length) == (Pooling.MEAN, Prompts(), 128)
    assert found.dimensions is None


def test_a_graph_may_be_named_itself_and_its_weights_may_lie_beside_it(tmp_path: Path) -> None:
    place(tmp_path, "onnx/model.onnx")
    (tmp_path / "onnx" / "model_q4.onnx").write_bytes(b"graph")
    (tmp_path / "onnx" / "model_q4.onnx_data").write_bytes(b"weights")
    found = read_directory(tmp_path / "onnx" / "model_q4.onnx")
    assert [path.name for path in found.files] == ["model_q4.onnx", "model_q4.onnx_data", "tokenizer.json"]


@pytest.mark.parametrize(
    ("pooling", "expected"),
    [
        ({"pooling_mode_mean_tokens": True}, Pooling.MEAN),
        ({"pooling_mode_mean_sqrt_len_tokens": True}, Pooling.MEAN),
        ({"pooling_mode_lasttoken": True, "pooling_mode_cls_token": False}, Pooling.LAST),
        ({"pooling_mode_max_tokens": True}, Pooling.MAX),
        ({"pooling_mode": "lasttoken"}, Pooling.LAST),
        ({"include_prompt": True}, Pooling.MEAN),
    ],
)
def test_pooling_is_what_the_directory_says(tmp_path: Path, pooling: dict[str, Any], expected: Pooling) -> None:
    assert read_directory(place(tmp_path, **{"1_Pooling__config": pooling})).pooling is expected


@pytest.mark.parametrize(
    "pooling",
    [
        {"pooling_mode_weightedmean_tokens": True},
        {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True},
        {"pooling_mode": ["mean", "max"]},
    ],
)
def test_pooling_that_is_not_known_is_refused(tmp_path: Path, pooling: dict[str, Any]) -> None:
    with pytest.raises(ProviderFailed, match="pools in a way"):
        read_directory(place(tmp_path, **{"1_Pooling__config": pooling}))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"prompts": {"query": "Instruct: x\nQuery:"}}, Prompts("Instruct: x\nQuery:", "")),
        ({"prompts": {"query": "", "document": ""}}, Prompts("query: ", "passage: ")),
        ({"prompts": {"a": "b: "}, "default_prompt_name": "a"}, Prompts("b: ", "b: ")),
        ({}, Prompts("query: ", "passage: ")),
        ({"prompts": ["query"]}, Prompts("query: ", "passage: ")),
    ],
)
def test_prompts_are_what_the_directory_says_or_what_its_family_needs(
    tmp_path: Path, given: dict[str, Any], expected: Prompts
) -> None:
    root = place(tmp_path / "e5-small-v2", config_sentence_transformers=given)
    assert read_directory(root).prompts == expected


def test_the_hub_s_own_cache_gives_the_repository_s_name(tmp_path: Path) -> None:
    root = tmp_path / "models--intfloat--e5-small-v2" / "snapshots" / ("0" * 40)
    assert read_directory(place(root)).name == "e5-small-v2"


def test_positions_behind_the_padding_are_not_counted(tmp_path: Path) -> None:
    config = {"max_position_embeddings": 514, "model_type": "xlm-roberta"}
    assert read_directory(place(tmp_path, config=config)).max_length == 512


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(ProviderMissing, match="no ONNX model"):
        read_directory(tmp_path)
    with pytest.raises(ProviderMissing, match="no ONNX model"):
        read_directory(tmp_path / "none")
    place(tmp_path)
    (tmp_path / "tokenizer.json").unlink()
    with pytest.raises(ProviderMissing, match=r"no tokenizer\.json"):
        read_directory(tmp_path)


def test_settings_that_are_not_json_are_refused(tmp_path: Path) -> None:
    place(tmp_path)
    (tmp_path / "config.json").write_text("{", encoding="utf-8")
    with pytest.raises(ProviderFailed, match=r"config\.json is not JSON"):
        read_directory(tmp_path)
    (tmp_path / "config.json").write_bytes(b"[" * 100_000)
    with pytest.raises(ProviderFailed, match=r"config\.json is not JSON"):
        read_directory(tmp_path)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(
    "hidden_size max_position_embeddings model_type _name_or_path prompts default_prompt_name pooling_mode "
    "pooling_mode_cls_token word_embedding_dimension max_seq_length path type".split()
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=counted(7, 600), deadline=None)
@given(st.dictionaries(KEYS, ANYTHING, max_size=8), st.lists(st.dictionaries(KEYS, ANYTHING) | ANYTHING, max_size=3))
@pytest.mark.promise("P13")
def test_any_settings_are_a_model_or_a_refusal(tmp_path: Path, anything: dict[str, Any], modules: list[Any]) -> None:
    names = ("config", "1_Pooling__config", "config_sentence_transformers", "sentence_bert_config", "tokenizer_config")
    try:
        found = read_directory(place(tmp_path, modules=modules, **dict.fromkeys(names, anything)))
    except ProviderFailed:
        return
    assert 8 <= found.max_length <= 2048 and found.dimensions != 0
