"""Vectors → places on a plane and groups of near ones, always the same for the same vectors (PCA and k-means)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from holdfast.named_tuple import NamedTuple

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy as np

    Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

__all__ = ["Projected", "project"]

_DIMENSIONS: Final = 16  # of those that vary most; groups are found in these
_MOST_GROUPS: Final = 12
_A_GROUP: Final = 2  # its members grow with the square of their number
_ROUNDS: Final = 25
_STARTS: Final = 8
_MANY: Final = 20_000  # rows, of which one beginning is as good as another


class Projected(NamedTuple):
    """The place of each row, from 0 to 1 in both directions, and the number of its group."""

    places: Array
    groups: Array


def project(rows: Array) -> Projected:
    """Lay rows out on the two directions in which they vary most."""
    import numpy as np

    count = len(rows)
    if count < 3:
        return Projected(np.linspace(0.3, 0.7, max(count, 1))[:count, None].repeat(2, 1), np.zeros(count, dtype=int))
    centred = rows - rows.mean(axis=0)
    values, directions = np.linalg.eigh(centred.T @ centred)
    best = directions[:, np.argsort(values)[::-1][:_DIMENSIONS]]
    # The sign of a direction is nobody's: the largest number is made positive, so that a map does not flip.
    best = best * np.sign(best[np.abs(best).argmax(axis=0), np.arange(best.shape[1])])
    reduced = centred @ best
    plane = np.stack([_spread(reduced[:, 0]), _spread(reduced[:, min(1, reduced.shape[1] - 1)])], axis=1)
    return Projected(plane, _groups(reduced))


def _spread(values: Array) -> Array:
    """Spread values from 0 to 1, halfway between where values are and their order.

    A few far ones leave the others room.
    """
    import numpy as np

    span = float(np.ptp(values)) or 1.0
    order = np.argsort(np.argsort(values, kind="stable"), kind="stable") / max(1, len(values) - 1)
    found: Array = ((values - values.min()) / span + order) / 2
    return found


def _groups(rows: Array) -> Array:
    """Group rows by k-means from several beginnings, the best kept; the same numbers are drawn each time."""
    import numpy as np

    wanted = int(min(_MOST_GROUPS, max(1, round((len(rows) / _A_GROUP) ** 0.5))))
    chance = np.random.default_rng(1)
    tried = [_means(rows, _far_apart(rows, wanted, chance)) for _ in range(_STARTS if len(rows) < _MANY else 1)]
    return min(tried, key=lambda attempt: attempt[0])[1]


def _far_apart(rows: Array, wanted: int, chance: np.random.Generator) -> Array:
    """Draw rows to begin with, each drawn the likelier the further it is from those before it (k-means++)."""
    import numpy as np

    chosen = [int(chance.integers(len(rows)))]
    near = np.square(rows - rows[chosen[0]]).sum(axis=1)
    while len(chosen) < wanted and near.sum() > 0:
        chosen.append(int(chance.choice(len(rows), p=near / near.sum())))
        near = np.minimum(near, np.square(rows - rows[chosen[-1]]).sum(axis=1))
    return rows[chosen].copy()


def _means(rows: Array, centres: Array) -> tuple[float, Array]:
    """Return how far rows are from their centres in sum, and which is whose."""
    import numpy as np

    labels = np.full(len(rows), -1)
    lengths = np.square(rows).sum(axis=1)
    best = lengths
    for _ in range(_ROUNDS):
        distances = np.square(centres).sum(axis=1) - 2 * rows @ centres.T
        new = distances.argmin(axis=1)
        best = distances.min(axis=1) + lengths
        if np.array_equal(new, labels):
            break
        labels = new
        for place in np.unique(labels):
            centres[place] = rows[labels == place].mean(axis=0)
    return float(best.sum()), labels
