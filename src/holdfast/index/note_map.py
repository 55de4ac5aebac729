"""The map of notes by meaning: a point for each note, from the vectors of one space, in named groups."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from holdfast.index.projection import project
from holdfast.index.sqlite.quantization import ByteVectors
from holdfast.value import Shown, Value

if TYPE_CHECKING:
    from holdfast.index.sqlite.vectors import Vectors

__all__ = ["Group", "NoteMap", "note_map"]

_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_HIDDEN: Final = "sessions"  # transcripts are no notes that one could open
_AT_ONCE: Final = 4_096  # vectors
_SHARED: Final = 3  # titles that a word must be in before it names a group
_IN_A_NAME: Final = 2
_LONGEST: Final = 28  # characters of a title in a name


class Group(Shown):
    """Notes that lie together: where their middle is, what they are called, and how many they are."""

    x: float
    y: float
    label: str
    count: int


class NoteMap(Value):
    """Points as x, y, the place of the note in `notes`, and that of its group in `groups`."""

    notes: tuple[str, ...] = ()
    points: tuple[tuple[float, float, int, int], ...] = ()
    groups: tuple[Group, ...] = ()
    because: str = ""
    """Why there is nothing to draw."""

    def to_json(self) -> dict[str, Any]:
        """Return the shape that every surface shows."""
        groups = [group.to_json() for group in self.groups]
        return {"notes": self.notes, "points": self.points, "groups": groups, "because": self.because}


def note_map(vectors: Vectors) -> NoteMap:
    """Return all notes of the index that have a vector in this space; the same index gives the same map."""
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
    inside = [_nearest_first(rows, groups == number) for number in range(len(kept))]
    labels = _labels([_words(path, titles[path]) for path in paths], [titles[path] for path in paths], inside)
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


def _nearest_first(rows: Any, members: Any) -> list[int]:
    """Return the rows of a group, those nearest to its middle first."""
    import numpy as np

    places = np.flatnonzero(members)
    middle = rows[places].mean(axis=0)
    found: list[int] = places[np.argsort(-(rows[places] @ middle), kind="stable")].tolist()
    return found


def _labels(words: Sequence[set[str]], titles: Sequence[str], inside: Sequence[Sequence[int]]) -> list[str]:
    """Return a name for each group.

    Names are words that several of its titles share and others do not, else its middle's titles.
    """
    everywhere = Counter(word for each in words for word in each)
    labels: list[str] = []
    for members in inside:
        counts = Counter(word for place in members for word in words[place])
        shared = [word for word in counts if counts[word] >= _SHARED and 2 * counts[word] > everywhere[word]]
        telling = sorted(shared, key=lambda word: (-counts[word], word))[:_IN_A_NAME]
        named = telling or list(dict.fromkeys(_short(titles[place]) for place in members if titles[place]))
        labels.append(", ".join(named[:_IN_A_NAME]) or f"{len(labels) + 1}")
    return labels


def _short(title: str) -> str:
    line = " ".join(title.split())
    if len(line) <= _LONGEST:
        return line
    return f"{line[: _LONGEST - 1].rstrip()}…"
