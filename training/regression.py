"""The table of many languages: turned until a text's sum points where the teacher's vector points.

Real text counts beside made-up text (salads.py). A piece that text hardly has can lean on a prior: what the teacher
makes of the piece alone, by a map that all pieces share. Similarities across languages can be held to the teacher's.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - torch's own idiom
from numpy.typing import NDArray

from bags import Bags
from plan import parse_plan

__all__ = ["Plan", "Regression", "balanced", "quantised"]

Draw = Callable[[int, torch.Generator], torch.Tensor]


@dataclasses.dataclass
class Plan:
    """What one variant is made with."""

    name: str = "regress"
    steps: int = 3000
    size: int = 8192  # real texts a step
    salads: int = 8192  # made-up texts a step, where there are kinds of them
    kinds: str = ""  # of made-up texts, joined by +
    rate: float = 2e-3
    prior: int = 0  # 1: a line from the teacher's vector of a piece alone; 2: and two layers beside it
    decay: float = 0.3  # of what a piece has of its own, where there is a prior
    kl: float = 0.0  # weight of the similarities across languages
    kl_size: int = 2048
    heat: float = 0.05
    near: float = 0.5  # share of those batches that are neighbourhoods of the teacher's space
    whiten: float = 0.0  # 0 weighs the directions by what the teacher has in them, 1 all the same
    bits: int = 0  # 4: the last third is fitted as it will be rounded
    best: int = 0  # 1: as the best before it, but for steps, sizes and seed; 2: with each thing that helped alone
    seed: int = 1

    @classmethod
    def parse(cls, text: str, small: bool) -> Plan:
        """NAME,key=value,... as given on the command line."""
        plan = parse_plan(cls, text)
        if small:
            plan.steps, plan.size, plan.salads, plan.kl_size = 4, 256, 256, 128
        return plan


def quantised(table: torch.Tensor, most: int = 127) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Rows as whole numbers up to `most`, with one float32 scale each: 127 for eight bits, 7 for four."""
    values = table.float().cpu().numpy()
    scales = np.abs(values).max(1) / most
    rows = np.rint(values / np.maximum(scales, 1e-12)[:, None]).astype(np.int8)
    return rows, scales.astype(np.float32)


def balanced(languages: NDArray[np.int8], device: str) -> Draw:
    """Draws rows so that every language counts by the square root of what there is of it."""
    order = torch.from_numpy(np.argsort(languages, kind="stable")).to(device)
    counts = torch.from_numpy(np.bincount(languages)).to(device)
    starts = torch.cumsum(counts, 0) - counts
    shares = counts.double().sqrt().float()

    def draw(size: int, generator: torch.Generator) -> torch.Tensor:
        which = torch.multinomial(shares, size, replacement=True, generator=generator)
        at = torch.rand(size, generator=generator, device=device) * counts[which]
        return order[starts[which] + torch.minimum(at.long(), counts[which] - 1)]

    return draw


class Regression:
    """Texts as bags with the teacher's projected vectors; made-up ones follow the real ones."""

    def __init__(
        self,
        alone: torch.Tensor,
        basis: torch.Tensor,
        weight: torch.Tensor,
        bags: Bags,
        wanted: torch.Tensor,
        real: Draw,
        kinds: dict[str, tuple[int, int]],
        pairs: torch.Tensor,
        targets: torch.Tensor,
    ) -> None:
        self.alone, self.basis, self.weight, self.bags, self.wanted = alone, basis, weight, bags, wanted
        self.start = (alone @ basis) * weight
        self.real, self.kinds, self.pairs, self.targets = real, kinds, pairs, targets
        self.device = bags.device
        self.spread = wanted[:: max(1, len(wanted) // 200_000)].float().var(0)  # by direction

    def fit(self, plan: Plan) -> torch.Tensor:
        """A table by one variant's plan."""
        torch.manual_seed(plan.seed)
        draw = torch.Generator(device=self.device).manual_seed(plan.seed)
        own = (torch.zeros_like(self.start) if plan.prior else self.start.clone()).requires_grad_()
        prior = _Prior(self.alone, self.basis, self.weight, plan.prior) if plan.prior else None
        scale = torch.tensor(3.0, device=self.device, requires_grad=True)
        groups: list[dict[str, Any]] = [{"params": [own], "weight_decay": plan.decay if prior else 0.0}]
        groups.append({"params": [scale], "lr": 1e-2, "weight_decay": 0.0})
        rates = [plan.rate, 1e-2]
        if prior is not None:
            groups.append({"params": list(prior.parameters()), "weight_decay": 0.0})
            rates.append(5e-4)
        adam = torch.optim.AdamW(groups, lr=plan.rate, fused=self.device.startswith("cuda"))
        schedule = torch.optim.lr_scheduler.OneCycleLR(adam, rates, total_steps=plan.steps, pct_start=0.05)
        stretch = (self.spread.clamp(min=1e-9) / self.spread.max()) ** (-plan.whiten / 2)
        began = time.time()
        for step in range(plan.steps):
            table = own if prior is None else own + prior()
            if plan.bits and step >= plan.steps * 2 // 3:
                table = table + (_rounded(table.detach(), plan.bits) - table.detach())
            rows = self._rows(plan, draw)
            aim = self.wanted[rows].float() * stretch
            loss = 1 - F.cosine_similarity(self.bags.sums(table, rows)[0], aim).mean()
            shown = f"{loss.item():.4f}" if _told(step, plan) else ""
            if plan.kl:
                loss = loss + plan.kl * self._across(table, scale, plan, draw)
            adam.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            adam.step()
            schedule.step()
            if shown:
                print(f"{plan.name} {step} loss {shown} of {loss.item():.4f} {time.time() - began:.0f}s", flush=True)
        with torch.no_grad():
            return (own if prior is None else own + prior()).detach().clone()

    def _rows(self, plan: Plan, draw: torch.Generator) -> torch.Tensor:
        parts = [self.real(plan.size, draw)]
        kinds = plan.kinds.split("+") if plan.kinds else []
        for kind in kinds:
            first, last = self.kinds[kind]
            parts.append(torch.randint(first, last, (plan.salads // len(kinds),), generator=draw, device=self.device))
        return torch.cat(parts)

    def _across(self, table: torch.Tensor, scale: torch.Tensor, plan: Plan, draw: torch.Generator) -> torch.Tensor:
        """How far similarities are from the teacher's: of pairs in two languages, or of neighbourhoods in many."""
        size = plan.kl_size
        among = torch.rand((), generator=draw, device=self.device).item() < plan.near
        if among:
            some = self.real(size * 24, draw)
            close = (self.targets[some[: max(1, size // 64)]] @ self.targets[some].T).topk(64, dim=1).indices
            left = right = some[close.flatten()].unique()  # type: ignore[no-untyped-call]
        else:
            chosen = torch.randint(len(self.pairs), (size,), generator=draw, device=self.device)
            left, right = self.pairs[chosen].T
        same = left[:, None] == right[None, :] if among else torch.zeros((), dtype=torch.bool, device=self.device)
        asked, said = (F.normalize(self.bags.sums(table, one)[0], dim=1) for one in (left, right))
        given = asked @ said.T
        wanted = (self.targets[left] @ self.targets[right].T).float() / plan.heat
        given, wanted = (one.masked_fill(same, -1e4) for one in (given * scale.exp(), wanted))
        loss = torch.zeros((), device=self.device)
        for target, mine in ((wanted, given), (wanted.T, given.T)):
            loss = loss + 0.5 * F.kl_div(
                F.log_softmax(mine, dim=1), F.log_softmax(target, dim=1), reduction="batchmean", log_target=True
            )
        return loss


class _Prior(torch.nn.Module):
    """A row from what the teacher makes of the piece alone, by a map that begins as the table's start."""

    def __init__(self, alone: torch.Tensor, basis: torch.Tensor, weight: torch.Tensor, layers: int) -> None:
        super().__init__()
        self.alone, self.weight = alone, weight
        self.line = torch.nn.Parameter(basis.clone())
        self.deep = None
        if layers > 1:
            hidden = 2 * alone.shape[1]
            first, last = torch.nn.Linear(alone.shape[1], hidden), torch.nn.Linear(hidden, basis.shape[1])
            torch.nn.init.zeros_(last.weight)
            torch.nn.init.zeros_(last.bias)
            self.deep = torch.nn.Sequential(first, torch.nn.GELU(), last).to(alone.device)
            self.even = alone.norm(dim=1).mean() / alone.shape[1] ** 0.5  # so that the layers see numbers about one

    def forward(self) -> torch.Tensor:
        """Every row."""
        rows = self.alone @ self.line
        if self.deep is not None:
            rows = rows + self.deep(self.alone / self.even)
        return rows * self.weight


def _rounded(table: torch.Tensor, bits: int) -> torch.Tensor:
    scales = (table.abs().amax(1, keepdim=True) / (2 ** (bits - 1) - 1)).clamp(min=1e-12)
    return torch.round(table / scales) * scales


def _told(step: int, plan: Plan) -> bool:
    return step % 1000 == 0 or step == plan.steps - 1
