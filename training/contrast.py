"""The second stage: pairs against the rest of their batch, towards the teacher's own similarities.

Two things are ours. Conversation batches: the student sees "NAME: text" with few names a batch, the teacher sees no
names, so the table learns that a name says little about meaning (keywords find names better). Hard batches: rows
are drawn as neighbourhoods of the teacher's space, so that a batch looks like one conversation or one subject.
"""

from __future__ import annotations

import dataclasses
import time
from collections import defaultdict
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812 - torch's own idiom

from bags import Bags
from plan import parse_plan

__all__ = ["Contrast", "Settings"]


@dataclasses.dataclass
class Settings:
    """What one variant of the contrast is made with."""

    name: str = "model"
    steps: int = 5000
    size: int = 4096
    rate: float = 1e-3
    teacher_heat: float = 0.05
    kl: float = 1.0
    nce: float = 0.2
    lexical: float = 0.0  # how much keyword score the InfoNCE term already has: what it finds need not be learned
    hard: float = 0.0
    names: float = 0.0  # share of conversation batches with names that only the student sees
    floor: float = 0.0  # of evidence, in median piece norms; 0 is plain cosine
    chat: float = 0.4
    power: float = 0.75  # of a piece's count in its text
    drop: float = 0.0  # share of the pieces that the student does not see, other ones every time
    skip: str = ""  # sources left out, joined by +, for ablations
    seed: int = 7

    @classmethod
    def parse(cls, text: str, small: bool) -> Settings:
        """NAME,key=value,... as given on the command line."""
        settings = parse_plan(cls, text)
        if small:
            settings.steps, settings.size = 60, 256
        return settings


class Contrast:
    """The pairs by source, with the teacher's vectors of both sides, on the device."""

    def __init__(
        self,
        bags: Bags,
        targets: torch.Tensor,
        pairs: list[tuple[str, int, int]],
        names: list[list[int]],
        chat: frozenset[str],
    ) -> None:
        self.bags, self.targets, self.device = bags, targets, bags.device
        rows: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for source, query, passage in pairs:
            rows[source].append((query, passage))
        self.rows = {source: torch.tensor(found, device=self.device) for source, found in sorted(rows.items())}
        self.chat = chat
        width = max(map(len, names))
        padded = [pieces + [-1] * (width - len(pieces)) for pieces in names]
        self.names = torch.tensor(padded, device=self.device)
        pieces = int(bags.ids.max()) + 1
        seen = torch.zeros(max(pieces, 30522), device=self.device).index_add_(
            0, bags.ids, torch.ones_like(bags.weights)
        )
        self.idf = torch.log((len(bags.starts) + 1) / (seen + 1))

    def fit(self, table: torch.Tensor, settings: Settings) -> torch.Tensor:
        """A table fitted from `table` by one variant's settings."""
        torch.manual_seed(settings.seed)
        norm = table.norm(dim=1).median()
        table = (table / norm).clone().requires_grad_()
        scale = torch.tensor(3.0, device=self.device, requires_grad=True)
        groups: list[dict[str, Any]] = [{"params": [table]}, {"params": [scale], "lr": 1e-2}]
        adam = torch.optim.Adam(groups, lr=settings.rate)
        rates = [settings.rate, 1e-2]
        schedule = torch.optim.lr_scheduler.OneCycleLR(adam, rates, total_steps=settings.steps, pct_start=0.05)
        self.bags.weights = self.bags.counts**settings.power
        kept = [source for source in self.rows if source not in settings.skip.split("+")]
        chats = [source for source in kept if source in self.chat]
        others = [source for source in kept if source not in self.chat]
        draw = torch.Generator().manual_seed(settings.seed)
        began = time.time()
        for step in range(settings.steps):
            is_chat = torch.rand((), generator=draw).item() < settings.chat
            batch, names = self._batch(chats if is_chat else others, is_chat, settings, draw)
            loss = self._loss(table, scale, batch, names, settings)
            adam.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            adam.step()
            schedule.step()
            if step % 1000 == 0 or step == settings.steps - 1:
                print(f"{settings.name} {step} loss {loss.item():.4f} scale {scale.exp().item():.1f} "
                      f"{time.time() - began:.0f}s", flush=True)  # fmt: skip
        return table.detach()

    def _batch(
        self, sources: list[str], is_chat: bool, settings: Settings, draw: torch.Generator
    ) -> tuple[torch.Tensor, tuple[torch.Tensor, torch.Tensor] | None]:
        # Square roots let small sources speak without letting them repeat themselves all day.
        shares = torch.tensor([len(self.rows[source]) ** 0.5 for source in sources])
        pool = self.rows[sources[int(torch.multinomial(shares, 1, generator=draw))]]
        size = min(settings.size, len(pool))
        if torch.rand((), generator=draw).item() < settings.hard and len(pool) > size:
            each = 2 ** int(torch.randint(4, 10, (), generator=draw))
            anchors = torch.randint(len(pool), (max(1, size // each),), generator=draw).to(self.device)
            near = self.targets[pool[anchors, 1]] @ self.targets[pool[:, 1]].T
            chosen = near.topk(min(each, len(pool)), dim=1).indices.flatten().unique()  # type: ignore[no-untyped-call]
        else:
            chosen = torch.randint(len(pool), (size,), generator=draw).to(self.device).unique()  # type: ignore[no-untyped-call]
        batch = pool[chosen]
        if not is_chat or torch.rand((), generator=draw).item() >= settings.names:
            return batch, None
        few = torch.randint(len(self.names), (2 ** int(torch.randint(1, 7, (), generator=draw)),), generator=draw)
        who = few[torch.randint(len(few), (len(batch),), generator=draw)].to(self.device)
        passages = self.names[who]
        asks = torch.rand(len(batch), generator=draw).to(self.device) < 0.7
        queries = torch.where(asks[:, None], passages, torch.full_like(passages, -1))
        return batch, (queries, passages)

    def _loss(
        self,
        table: torch.Tensor,
        scale: torch.Tensor,
        batch: torch.Tensor,
        names: tuple[torch.Tensor, torch.Tensor] | None,
        settings: Settings,
    ) -> torch.Tensor:
        left, right = batch[:, 0], batch[:, 1]
        query, asked = self.bags.sums(table, left, names[0] if names else None, settings.drop)
        passage, said = self.bags.sums(table, right, names[1] if names else None, settings.drop)
        lengths = passage.norm(dim=1, keepdim=True)
        if settings.floor:
            lengths = lengths.clamp(min=settings.floor * float(table.detach().norm(dim=1).median()))
        student = F.normalize(query, dim=1) @ (passage / (lengths + 1e-9)).T
        logits = student * scale.exp()
        with torch.no_grad():
            teacher = (self.targets[left] @ self.targets[right].T).float() / settings.teacher_heat
        loss = torch.zeros((), device=self.device)
        if settings.kl:
            for wanted, given in ((teacher, logits), (teacher.T, logits.T)):
                target = F.softmax(wanted, dim=1)
                loss = loss + 0.5 * settings.kl * F.kl_div(F.log_softmax(given, dim=1), target, reduction="batchmean")
        if settings.nce:
            same = (right[:, None] == right[None, :]) | (left[:, None] == left[None, :])
            same.fill_diagonal_(False)
            fused = logits
            if settings.lexical:
                fused = fused + settings.lexical * self._keywords(asked, said, len(batch))
            fused = fused.masked_fill(same, -1e4)
            own = torch.arange(len(batch), device=self.device)
            loss = loss + settings.nce * 0.5 * (F.cross_entropy(fused, own) + F.cross_entropy(fused.T, own))
        return loss

    @torch.no_grad()
    def _keywords(
        self,
        asked: tuple[torch.Tensor, torch.Tensor, torch.Tensor],
        said: tuple[torch.Tensor, torch.Tensor, torch.Tensor],
        size: int,
    ) -> torch.Tensor:
        """What keywords make of the batch: shared pieces by rarity, 1 for a query's best passage."""
        sides = []
        for (ids, weights, row), rare in ((asked, False), (said, True)):
            dense = torch.zeros(size, len(self.idf), device=self.device, dtype=torch.bfloat16)
            values = self.idf[ids] if rare else torch.ones_like(weights)
            dense[row, ids] = values.to(torch.bfloat16)
            sides.append(dense)
        scores = (sides[0] @ sides[1].T).float()
        return scores / (scores.max(dim=1, keepdim=True).values + 1e-6)
