"""all-MiniLM's weights as a GGUF file, with the `gguf` package: the names and keys that llama.cpp gives a BERT."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Literal

import numpy as np
from models.reference import HEADS, LAYERS
from numpy.typing import NDArray

__all__ = ["Kind", "write_gguf"]

Kind = Literal["f32", "f16", "q8_0"]

_LAYER = {
    "attention.self.query": "attn_q",
    "attention.self.key": "attn_k",
    "attention.self.value": "attn_v",
    "attention.output.dense": "attn_output",
    "attention.output.LayerNorm": "attn_output_norm",
    "intermediate.dense": "ffn_up",
    "output.dense": "ffn_down",
    "output.LayerNorm": "layer_output_norm",
}


def write_gguf(path: Path, weights: dict[str, NDArray[np.float32]], vocabulary: list[str], kind: Kind) -> Path:
    """Write the file; `kind` is how the matrices are kept, as files on the hub name it."""
    gguf = import_module("gguf")
    writer = gguf.GGUFWriter(path, "bert")
    writer.add_name("all-MiniLM-L6-v2")
    words = weights["embeddings.word_embeddings.weight"]
    writer.add_context_length(len(weights["embeddings.position_embeddings.weight"]))
    writer.add_embedding_length(words.shape[1])
    writer.add_feed_forward_length(len(weights["encoder.layer.0.intermediate.dense.bias"]))
    writer.add_block_count(LAYERS)
    writer.add_head_count(HEADS)
    writer.add_layer_norm_eps(1e-12)
    writer.add_causal_attention(False)
    writer.add_pooling_type(gguf.PoolingType.MEAN)
    files = gguf.LlamaFileType
    writer.add_file_type({"f32": files.ALL_F32, "f16": files.MOSTLY_F16, "q8_0": files.MOSTLY_Q8_0}[kind])
    writer.add_tokenizer_model("bert")
    writer.add_token_type_count(2)
    writer.add_token_list([_as_llama_writes_it(piece) for piece in vocabulary])
    control = [piece.startswith("[") and piece.endswith("]") and len(piece) > 2 for piece in vocabulary]
    kinds = gguf.TokenType
    writer.add_token_types([kinds.CONTROL if special else kinds.NORMAL for special in control])
    writer.add_unk_token_id(vocabulary.index("[UNK]"))
    writer.add_sep_token_id(vocabulary.index("[SEP]"))
    writer.add_pad_token_id(vocabulary.index("[PAD]"))
    writer.add_bos_token_id(vocabulary.index("[CLS]"))
    writer.add_mask_token_id(vocabulary.index("[MASK]"))
    eight_bits = gguf.GGMLQuantizationType.Q8_0
    for name, tensor in _tensors(weights):
        if tensor.ndim < 2 or name in ("position_embd.weight", "token_types.weight"):
            writer.add_tensor(name, np.ascontiguousarray(tensor, np.float32))
        elif kind == "q8_0":
            writer.add_tensor(name, gguf.quants.quantize(tensor, eight_bits), raw_dtype=eight_bits)
        else:
            writer.add_tensor(name, np.ascontiguousarray(tensor, np.float16 if kind == "f16" else np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _as_llama_writes_it(piece: str) -> str:
    """The beginning of a word is marked instead of its continuation."""
    if piece.startswith("[") and piece.endswith("]"):
        return piece
    return piece[2:] if piece.startswith("##") else "\u2581" + piece


def _tensors(weights: dict[str, NDArray[np.float32]]) -> list[tuple[str, NDArray[np.float32]]]:
    found = [
        ("token_embd.weight", weights["embeddings.word_embeddings.weight"]),
        ("position_embd.weight", weights["embeddings.position_embeddings.weight"]),
        ("token_types.weight", weights["embeddings.token_type_embeddings.weight"]),
    ]
    found += [(f"token_embd_norm.{part}", weights[f"embeddings.LayerNorm.{part}"]) for part in ("weight", "bias")]
    for number in range(LAYERS):
        for theirs, ours in _LAYER.items():
            for part in ("weight", "bias"):
                found.append((f"blk.{number}.{ours}.{part}", weights[f"encoder.layer.{number}.{theirs}.{part}"]))
    return found
