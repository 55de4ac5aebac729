"""Texts as bags of word pieces on a device: what the student sees of a text."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - torch's own idiom
from tokenizers import Tokenizer

__all__ = ["Bags", "pieces_of"]

POWER = 0.75
MOST = 1 << 17  # more than any vocabulary has pieces


def pieces_of(texts: list[str], tokenizer_file: Path) -> list[list[int]]:
    """The word-piece ids of every text, without special tokens."""
    tokenizer = Tokenizer.from_file(str(tokenizer_file))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    out: list[list[int]] = []
    for start in range(0, len(texts), 100_000):
        batch = tokenizer.encode_batch_fast(texts[start : start + 100_000], add_special_tokens=False)
        out += [encoding.ids for encoding in batch]
    return out


class Bags:
    """Distinct pieces and count^0.75 of many texts, in one flat array; rows are gathered on the device."""

    def __init__(self, ids: torch.Tensor, counts: torch.Tensor, starts: torch.Tensor) -> None:
        self.ids, self.counts, self.starts = ids, counts, starts
        self.weights = counts**POWER
        self.device = str(ids.device)

    @classmethod
    def read(cls, pieces: list[list[int]], device: str) -> Bags:
        """Bags of texts given as lists of piece ids."""
        lengths = np.fromiter((len(row) for row in pieces), np.int64, len(pieces))
        flat = np.fromiter(chain.from_iterable(pieces), np.int64, int(lengths.sum()))
        row = np.repeat(np.arange(len(pieces), dtype=np.int64), lengths)
        keys, counts = np.unique(row * MOST + flat, return_counts=True)
        starts = np.searchsorted(keys, np.arange(len(pieces) + 1, dtype=np.int64) * MOST)
        parts = (torch.from_numpy(part).to(device) for part in (keys % MOST, counts.astype(np.float32), starts))
        return cls(*parts)

    @classmethod
    def flat(cls, ids: torch.Tensor, lengths: torch.Tensor) -> Bags:
        """Bags of texts whose piece ids lie one after the other on the device."""
        row = torch.repeat_interleave(torch.arange(len(lengths), device=ids.device), lengths)
        keys, counts = torch.unique(row * MOST + ids, return_counts=True)  # type: ignore[no-untyped-call]
        starts = torch.searchsorted(keys, torch.arange(len(lengths) + 1, device=ids.device) * MOST)
        return cls(keys % MOST, counts.float(), starts)

    @classmethod
    def joined(cls, parts: list[Bags]) -> Bags:
        """The texts of several, in order."""
        starts = [torch.zeros(1, dtype=torch.int64, device=parts[0].device)]
        for part in parts:
            starts.append(part.starts[1:] + starts[-1][-1])
        return cls(torch.cat([part.ids for part in parts]), torch.cat([part.counts for part in parts]),
                   torch.cat(starts))  # fmt: skip

    def rows(self, wanted: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """(ids, weights, row of each) of the wanted texts, flat."""
        first = self.starts[wanted]
        lengths = self.starts[wanted + 1] - first
        row = torch.repeat_interleave(torch.arange(len(wanted), device=self.device), lengths)
        ends = torch.cumsum(lengths, 0)
        at = torch.arange(int(ends[-1]), device=self.device) - (ends - lengths)[row] + first[row]
        return self.ids[at], self.weights[at], row

    def sums(
        self, table: torch.Tensor, wanted: torch.Tensor, extra: torch.Tensor | None = None, drop: float = 0.0
    ) -> tuple[torch.Tensor, tuple[torch.Tensor, torch.Tensor, torch.Tensor]]:
        """The weighted sums of the wanted texts; `extra` adds pieces to each row (-1: none), `drop` takes some away."""
        ids, weights, row = self.rows(wanted)
        if drop:
            weights = weights * (torch.rand_like(weights) >= drop)
        if extra is not None:
            known = extra >= 0
            more = torch.arange(len(wanted), device=self.device)[:, None].expand_as(extra)[known]
            ids, row = torch.cat([ids, extra[known]]), torch.cat([row, more])
            weights = torch.cat([weights, torch.ones(len(more), device=self.device)])
            row, order = torch.sort(row, stable=True)
            ids, weights = ids[order], weights[order]
        offsets = torch.searchsorted(row, torch.arange(len(wanted), device=self.device))
        bags = F.embedding_bag(ids, table, offsets, mode="sum", per_sample_weights=weights)
        return bags, (ids, weights, row)
