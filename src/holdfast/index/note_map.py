"""Where notes lie by meaning: a point a note, from the vectors of one space, in groups that have names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from holdfast.index.projection import project
from holdfast.index.sqlite.quantization import ByteVectors
from holdfast.value import Value

if TYPE_CHECKING:
    from holdfast.index.sqlite.vectors import Vectors

__all__ = ["Group", "NoteMap", "note_map"]

_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_HIDDEN: Final = "sessions"  # transcripts are no notes that one could open
_AT_ONCE: Final = 4_096  # vectors


class Group(Value):
    """Notes that lie together: where their middle is, what they are called, and how many they are."""

    x: float
    y: float
    label: str
    count: int

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        return {name: getattr(self, name) for name in self.fields}


class NoteMap(Value):
    """Points as x, y, the place of the note in `notes`, and that of its group in `groups`."""

    notes: tuple[str, ...] = ()
    points: tuple[tuple[float, float, int, int], ...] = ()
    groups: tuple[Group, ...] = ()
    because: str = ""
    """Why there is nothing to draw."""

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        groups = [one.to_json() for one in self.groups]
        return {"notes": self.notes, "points": self.points, "groups": groups, "because": self.because}


def note_map(vectors: Vectors) -> NoteMap:
    """All notes of the index that have a vector in this space; the same index gives the same map."""
    import numpy as np

    titles: dict[str, str] = {}
    sums: list[Any] = []
    batch: list[tuple[int, bytes]] = []

    def add() -> None:
        rows = ByteVectors.of([vector for _, vector in batch], vectors.space.dimensions).floats()
        for (place, _), row in zip(batch, rows, strict=True):
            sums[place] += row
        batch.clear()

    for path, source, title, vector in vectors.of_notes():
        if source == _HIDDEN:
            continue
        if path not in titles:
            titles[path] = title
            sums.append(np.zeros(vectors.space.dimensions, dtype="<f4"))
        batch.append((len(sums) - 1, vector))
        if len(batch) == _AT_ONCE:
            add()
    if batch:
        add()
    if not sums:
        return NoteMap(because="No note has a vector in the space that answers searches.")
    rows = np.stack(sums)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    laid = project(rows)
    paths = tuple(titles)
    kept, groups = np.unique(laid.groups, return_inverse=True)
    labels = _labels([_words(path, titles[path]) for path in paths], groups.tolist(), len(kept))
    middles = [laid.places[groups == number].mean(axis=0).round(4).tolist() for number in range(len(kept))]
    sizes = Counter(groups.tolist())
    places = laid.places.round(4).tolist()
    return NoteMap(
        paths,
        tuple((x, y, place, group) for place, ((x, y), group) in enumerate(zip(places, groups.tolist(), strict=True))),
        tuple(
            Group(x, y, label, sizes[number])
            for number, ((x, y), label) in enumerate(zip(middles, labels, strict=True))
        ),
    )


def _words(path: str, title: str) -> set[str]:
    stem = path.rpartition("/")[2].removesuffix(".md")
    return {word.casefold() for word in _WORD.findall(f"{title} {stem}")}


def _labels(notes: Sequence[set[str]], groups: Sequence[int], count: int) -> list[str]:
    """For each group the two words of its titles that tell it best from the others; a number where it has none."""
    everywhere = Counter(word for words in notes for word in words)
    inside: list[Counter[str]] = [Counter() for _ in range(count)]
    for words, group in zip(notes, groups, strict=True):
        inside[group].update(words)
    taken: set[str] = set()
    labels = []
    for number, counts in enumerate(inside):
        best = _best(counts, everywhere, taken)
        taken.update(best)
        labels.append(", ".join(best) or f"{number + 1}")
    return labels


def _best(counts: Mapping[str, int], everywhere: Mapping[str, int], taken: Iterable[str]) -> list[str]:
    free = [word for word in counts if word not in taken]
    return sorted(free, key=lambda word: (-(counts[word] ** 2) / everywhere[word], word))[:2]
