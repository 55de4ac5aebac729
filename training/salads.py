"""Made-up text for the teacher to label: words thrown together, sentences spliced, reworded or glossed word by word.

All of it on the device by numbers: a unit is a word (or, where words are written together, a piece), cut once by the
teacher and once by the table. A made-up text is a row of units, so that millions cost seconds. Seeded.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - torch's own idiom
from sentencepiece import SentencePieceProcessor

from bags import Bags
from table import FIRST
from use_teacher import BEGIN, END, UseTeacher

__all__ = ["GLUED", "KINDS", "Salads"]

KINDS = ("words", "topic", "crop", "splice", "mixed", "gloss")
GLUED = frozenset({"ja", "th", "zh", "zh-tw"})  # written without spaces
_MARKS = "\"'“”„«»()[]{}.,;:!?…—–-،؟。、！？；："
Drawn = tuple[torch.Tensor, torch.Tensor]  # what lies one after the other, and how many each text has


class Flat:
    """Lists of numbers of many lengths, in one array on the device."""

    def __init__(self, rows: Iterable[list[int]], device: str) -> None:
        kept = list(rows)
        lengths = np.fromiter(map(len, kept), np.int64, len(kept))
        self.values = torch.from_numpy(np.fromiter((one for row in kept for one in row), np.int64, lengths.sum()))
        self.values = self.values.to(device)
        self.lengths = torch.from_numpy(lengths).to(device)
        self.starts = torch.cumsum(self.lengths, 0) - self.lengths

    def taken(self, first: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """The values from each `first` on, `lengths` of them."""
        ends = torch.cumsum(lengths, 0)
        row = torch.repeat_interleave(torch.arange(len(lengths), device=lengths.device), lengths)
        return self.values[torch.arange(int(ends[-1]), device=lengths.device) - (ends - lengths - first)[row]]

    def spelt(self, units: torch.Tensor, sizes: torch.Tensor) -> Drawn:
        """The lists of units, joined for each text."""
        lengths = self.lengths[units]
        ends = F.pad(torch.cumsum(lengths, 0), (1, 0))
        last = torch.cumsum(sizes, 0)
        return self.taken(self.starts[units], lengths), ends[last] - ends[last - sizes]


class Salads:
    """The words and sentences of every language as units, and texts made of them."""

    def __init__(
        self,
        teacher: UseTeacher,
        model: str,
        words: dict[str, tuple[list[str], list[float]]],
        texts: dict[str, list[str]],
        seed: int,
    ) -> None:
        self.teacher, self.device = teacher, teacher.device
        self.draw = torch.Generator(device=self.device).manual_seed(seed)
        self.cuts = (teacher.tokenizer, SentencePieceProcessor(model_file=model))
        self.names = [name for name in sorted(words) if name in texts]
        size = teacher.tokenizer.get_piece_size()
        pieces = [teacher.tokenizer.id_to_piece(number) for number in range(size)]
        self.blank = teacher.tokenizer.piece_to_id("▁")
        spelt = [[number] for number in range(size)], self._whole(pieces)
        known = {name: self._added(spelt, words[name][0], name) for name in self.names}
        self.words = {name: torch.tensor(known[name], device=self.device) for name in self.names}
        self.shares = {name: torch.tensor(words[name][1], device=self.device) for name in self.names}
        self.texts = {name: Flat(self._units(spelt, texts[name], name), self.device) for name in self.names}
        self.spelt = tuple(Flat(one, self.device) for one in spelt)
        self._relate(words)

    # ---- units ----------------------------------------------------------------------------------------------------

    def _cut(self, cut: SentencePieceProcessor, some: list[str], glued: bool) -> list[list[int]]:
        """The ids of words; where words are glued, as they are cut inside a text: after a comma, which is dropped."""
        rows = cut.encode([f",{one}" if glued else one for one in some], num_threads=-1)
        if not glued:
            return rows
        comma = {cut.piece_to_id(","), cut.piece_to_id("▁,")}
        return [row[2 if row[0] not in comma and len(row) > 1 and row[1] in comma else 1 :] for row in rows]

    def _whole(self, pieces: list[str]) -> list[list[int]]:
        """The table's rows of each of the teacher's pieces; one that it lacks is cut anew."""
        own = self.cuts[1]
        plain = [one if one != "▁" else "" for one in pieces]
        inner = self._own(self._cut(own, [one.replace("▁", " ").strip() for one in plain], True))
        outer = self._own(self._cut(own, [one.replace("▁", " ").strip() for one in plain], False))
        found = []
        for number, piece in enumerate(pieces):
            row = own.piece_to_id(piece)
            at = outer[number] if piece.startswith("▁") else inner[number]
            found.append([row - FIRST] if row >= FIRST else at)
        return found

    @staticmethod
    def _own(rows: list[list[int]]) -> list[list[int]]:
        return [[number - FIRST for number in row if number >= FIRST] for row in rows]

    def _added(self, spelt: tuple[list[list[int]], list[list[int]]], some: list[str], language: str) -> list[int]:
        """New units for words; their numbers."""
        first = len(spelt[0])
        spelt[0].extend(self._cut(self.cuts[0], some, language in GLUED))
        spelt[1].extend(self._own(self._cut(self.cuts[1], some, language in GLUED)))
        return list(range(first, len(spelt[0])))

    def _units(
        self, spelt: tuple[list[list[int]], list[list[int]]], texts: list[str], language: str
    ) -> list[list[int]]:
        if language in GLUED:
            rows = self.cuts[0].encode(texts, num_threads=-1)
            return [row[1:] if row[0] == self.blank else row for row in rows if len(row) > 2]
        split = [text.split() for text in texts]
        every = list(dict.fromkeys(word for row in split for word in row))
        numbers = dict(zip(every, self._added(spelt, every, language), strict=True))
        if language == "en":
            self.english = numbers
        return [[numbers[word] for word in row] for row in split if row]

    def _relate(self, words: dict[str, tuple[list[str], list[float]]]) -> None:
        """By language: each word's nearest in the language, and those of each English word in it."""
        vectors = {}
        for name in self.names:
            known = [self._labelled(part, torch.ones_like(part)) for part in self.words[name].split(20_000)]
            one = torch.cat(known)
            vectors[name] = F.normalize(one - one.mean(0), dim=1)
        self.near = {name: self._nearest(vectors[name], vectors[name], 48) for name in self.names}
        self.glosses = {name: self._nearest(vectors["en"], vectors[name], 3) for name in self.names}
        numbers = {word: number for number, word in enumerate(words["en"][0])}
        said = torch.full((len(self.spelt[0].lengths),), -1, device=self.device)
        for word, unit in self.english.items():
            said[unit] = numbers.get(word.strip(_MARKS).lower(), -1)
        self.said = said

    @staticmethod
    def _nearest(some: torch.Tensor, others: torch.Tensor, count: int) -> torch.Tensor:
        count = min(count, len(others))
        return torch.cat([(part @ others.T).topk(count, dim=1).indices for part in some.split(8192)])

    # ---- texts ----------------------------------------------------------------------------------------------------

    def _between(self, low: int, high: int, count: int) -> torch.Tensor:
        return torch.randint(low, high + 1, (count,), generator=self.draw, device=self.device)

    def _chance(self, share: float, count: int) -> torch.Tensor:
        return torch.rand(count, generator=self.draw, device=self.device) < share

    def _known(self, language: str, count: int, power: float) -> torch.Tensor:
        """Words of a language, by their place in its list."""
        sums = torch.cumsum(self.shares[language].double() ** power, 0)
        at = torch.rand(count, generator=self.draw, device=self.device, dtype=torch.float64) * sums[-1]
        return torch.searchsorted(sums, at).clamp(max=len(sums) - 1)

    def _crops(self, language: str, low: int, high: int, count: int) -> Drawn:
        texts = self.texts[language]
        which = torch.randint(len(texts.lengths), (count,), generator=self.draw, device=self.device)
        sizes = torch.minimum(self._between(low, high, count), texts.lengths[which])
        at = torch.rand(count, generator=self.draw, device=self.device) * (texts.lengths[which] - sizes + 1)
        return texts.taken(texts.starts[which] + at.long(), sizes), sizes

    def made(self, kind: str, language: str, count: int) -> Drawn:
        """Texts of a kind: their units, and how many each has."""
        words = self.words[language]
        if kind == "gloss" and language == "en":
            kind = "crop"
        if kind in {"words", "topic"}:
            sizes = self._between(2, 14, count)
            whole = int(sizes.sum())
            common = words[self._known(language, whole, 1.0)]
            if kind == "words":
                return torch.where(self._chance(0.25, whole), common, words[self._known(language, whole, 0.5)]), sizes
            seeds = torch.repeat_interleave(self._known(language, count, 0.5), sizes)
            near = self.near[language]
            about = words[near[seeds, self._between(0, near.shape[1] - 1, whole)]]
            return torch.where(self._chance(0.35, whole), common, about), sizes
        if kind == "crop":
            return self._crops(language, 3, 30, count)
        if kind == "splice":
            (left, lefts), (right, rights) = (self._crops(language, 2, 12, count) for _ in range(2))
            row = torch.arange(count, device=self.device)
            rows = torch.cat([torch.repeat_interleave(row, lefts), torch.repeat_interleave(row, rights)])
            return torch.cat([left, right])[torch.sort(rows, stable=True).indices], lefts + rights
        if kind == "mixed":
            units, sizes = self._crops(language, 4, 24, count)
            other = words[self._known(language, len(units), 0.5)]
            return torch.where(self._chance(0.4, len(units)), other, units), sizes
        units, sizes = self._crops("en", 4, 24, count)
        said = self.said[units]
        which = (self._between(0, 5, len(units)) // 2).clamp(max=self.glosses[language].shape[1] - 1)
        gloss = words[self.glosses[language][said.clamp(min=0), which]]
        stay = torch.where(self._chance(0.5, len(units)), units, words[self._known(language, len(units), 0.5)])
        return torch.where(said >= 0, gloss, stay), sizes

    def _labelled(self, units: torch.Tensor, sizes: torch.Tensor) -> torch.Tensor:
        """The teacher's vectors."""
        ids, lengths = self.spelt[0].spelt(units, sizes)
        out = torch.full((len(ids) + 2 * len(lengths),), BEGIN, device=self.device)
        row = torch.repeat_interleave(torch.arange(len(lengths), device=self.device), lengths)
        out[torch.arange(len(ids), device=self.device) + 2 * row + 1] = ids
        out[torch.cumsum(lengths + 2, 0) - 1] = END
        return self.teacher.forward(out, lengths + 2)

    def labelled(self, kind: str, language: str, count: int) -> tuple[torch.Tensor, Bags]:
        """(the teacher's vectors, the table's bags) of new texts."""
        units, sizes = self.made(kind, language, count)
        if language in GLUED:  # a text begins with a blank
            first = torch.cumsum(sizes + 1, 0) - sizes - 1
            row = torch.repeat_interleave(torch.arange(count, device=self.device), sizes)
            longer = torch.full((len(units) + count,), self.blank, device=self.device)
            longer[torch.arange(len(units), device=self.device) + row + 1] = units
            assert bool((longer[first] == self.blank).all())
            units, sizes = longer, sizes + 1
        return self._labelled(units, sizes), Bags.flat(*self.spelt[1].spelt(units, sizes))

    def shown(self, kind: str, language: str, count: int) -> list[str]:
        """New texts, to be looked at."""
        units, sizes = self.made(kind, language, count)
        ids, lengths = self.spelt[0].spelt(units, sizes)
        return [self.cuts[0].decode(row.tolist()) for row in ids.split(lengths.tolist())]
