"""The reader of a GGUF file's keys: what it finds in a good one, and that a damaged one only ever gets a refusal."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from counts import counted
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdfast.embeddings.local.gguf import GgufEmbedder
from holdfast.embeddings.local.gguf_header import GgufHeader, GgufPooling, read_header
from holdfast.errors import ProviderFailed, ProviderMissing, ProviderRefused

UINT32, FLOAT32, BOOL, STRING, ARRAY, UINT64 = 4, 6, 7, 8, 9, 10


def text(value: str) -> bytes:
    data = value.encode("utf-8")
    return struct.pack("<Q", len(data)) + data


def uint32(key: str, value: int) -> bytes:
    return text(key) + struct.pack("<II", UINT32, value)


def string(key: str, value: str) -> bytes:
    return text(key) + struct.pack("<I", STRING) + text(value)


def strings(key: str, values: list[str]) -> bytes:
    return text(key) + struct.pack("<IIQ", ARRAY, STRING, len(values)) + b"".join(map(text, values))


def gguf(*keys: bytes, version: int = 3, count: int | None = None) -> bytes:
    return b"GGUF" + struct.pack("<IQQ", version, 1, len(keys) if count is None else count) + b"".join(keys)


KEYS = (
    string("general.architecture", "bert"),
    string("general.name", "Tiny Embedder"),
    uint32("bert.block_count", 6),
    text("bert.attention.layer_norm_epsilon") + struct.pack("<If", FLOAT32, 1e-12),
    text("bert.attention.causal") + struct.pack("<I?", BOOL, False),
    text("bert.context_length") + struct.pack("<IQ", UINT64, 512),
    strings("tokenizer.ggml.tokens", ["[PAD]", "##s", "the"]),
    text("tokenizer.ggml.scores") + struct.pack("<IIQ3f", ARRAY, FLOAT32, 3, 0, 0, 0),
    string("tokenizer.chat_template", "x" * 70_000),
    uint32("bert.embedding_length", 384),
    uint32("bert.pooling_type", 2),
)
GOOD = gguf(*KEYS)


def read(tmp_path: Path, data: bytes) -> GgufHeader:
    path = tmp_path / "model.gguf"
    path.write_bytes(data)
    return read_header(path)


def test_a_header_is_read_in_any_order_of_its_keys(tmp_path: Path) -> None:
    expected = GgufHeader("bert", "Tiny Embedder", 384, 512, GgufPooling.CLS)
    assert read(tmp_path, GOOD) == expected
    assert read(tmp_path, gguf(*KEYS[::-1])) == expected
    assert read(tmp_path, gguf(*KEYS, version=2) + bytes(100)) == expected


def test_what_a_chat_model_leaves_out_is_left_open(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        gguf(
            string("general.architecture", "llama"),
            uint32("llama.embedding_length", 64),
            uint32("llama.embedding_length_out", 32),
            uint32("llama.context_length", 2048),
        ),
    )
    assert found == GgufHeader("llama", "model.gguf", 32, 2048, None)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "ends in the middle"),
        (b"PK\x03\x04" + bytes(100), "does not begin"),
        (gguf(*KEYS, version=1), "version is 1"),
        (struct.pack(">4sIQQ", b"GGUF", 3, 1, 1), "version is"),
        (gguf(*KEYS, count=2**63), "announces"),
        (gguf(*KEYS, count=len(KEYS) + 1).replace(b"bert.pooling_type", b"bert.poolinx_type"), "ends in the middle"),
        (gguf(string("general.name", "x")), "what kind of model"),
        (gguf(*KEYS[:-2]), "length of its vectors"),
        (gguf(*KEYS[:-2], uint32("bert.embedding_length", 10**9)), "length of its vectors can't be"),
        (gguf(*KEYS[:-1], uint32("bert.pooling_type", 77)), "pooling 77"),
        (gguf(text("k") + struct.pack("<IQ", STRING, 2**64 - 1)), "longer than those of any model"),
        (gguf(struct.pack("<Q", 2**62)), "longer than it may be"),
        (gguf(text("k") + struct.pack("<IIQ", ARRAY, STRING, 2**64 - 1)), "ends in the middle"),
        (gguf(text("k") + struct.pack("<IIQ", ARRAY, UINT64, 2**61)), "longer than those of any model"),
        (gguf(text("k") + struct.pack("<IIQ", ARRAY, ARRAY, 1)), "unknown type 9"),
        (gguf(text("k") + struct.pack("<I", 99)), "unknown type 99"),
    ],
)
@pytest.mark.promise("P13")
def test_a_damaged_file_is_refused_with_a_reason(tmp_path: Path, data: bytes, why: str) -> None:
    with pytest.raises(ProviderFailed, match=why):
        read(tmp_path, data)


def test_a_file_that_is_not_there_is_missing(tmp_path: Path) -> None:
    with pytest.raises(ProviderMissing, match=r"none\.gguf can't be read"):
        read_header(tmp_path / "none.gguf")
    with pytest.raises(ProviderMissing):
        read_header(tmp_path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=counted(12, 1_200))
@given(cut=st.integers(0, len(GOOD)), at=st.integers(0, 400), byte=st.integers(0, 255), more=st.binary(max_size=30))
@pytest.mark.promise("P13")
def test_damage_anywhere_is_a_header_or_a_refusal(tmp_path: Path, cut: int, at: int, byte: int, more: bytes) -> None:
    damaged = bytearray(GOOD)
    damaged[at % len(damaged)] = byte
    try:
        found = read(tmp_path, bytes(damaged[:cut]) + more)
    except ProviderFailed:
        return
    assert 0 < found.dimensions <= 65_536 and found.name.isprintable()


def test_the_space_is_known_from_the_header_and_changes_with_the_weights(tmp_path: Path) -> None:
    spaces = []
    for number, weights in enumerate((bytes(300_000), bytes(150_000) + b"\1" * 150_000)):
        path = tmp_path / str(number) / "tiny.gguf"
        path.parent.mkdir()
        path.write_bytes(GOOD + weights)
        spaces.append(GgufEmbedder(path).space)
        assert GgufEmbedder(path).space == spaces[-1]
    assert spaces[0].model.startswith("tiny.gguf#") and spaces[0].dimensions == 384
    assert spaces[0] != spaces[1]
    assert GgufEmbedder(path, dimensions=128).space == spaces[1]._replace(dimensions=128)


def test_what_can_not_be_asked_of_a_file_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "tiny.gguf"
    path.write_bytes(GOOD)
    with pytest.raises(ProviderRefused, match="can't become 385"):
        GgufEmbedder(path, dimensions=385)
    path.write_bytes(gguf(*KEYS[:-1], uint32("bert.pooling_type", 4)))
    with pytest.raises(ProviderRefused, match="reranker"):
        GgufEmbedder(path)
