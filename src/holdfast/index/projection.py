"""Vectors → places on a plane and groups of near ones, always the same for the same vectors (PCA and k-means)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy as np

    Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

__all__ = ["Projected", "project"]

_DIMENSIONS: Final = 16  # of those that vary most; groups are found in these
_MOST_GROUPS: Final = 12
_A_GROUP: Final = 5  # its members grow with the square of their number
_ROUNDS: Final = 25


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
    """From 0 to 1, halfway between where values are and their order: a few far ones leave the others room."""
    import numpy as np

    span = float(np.ptp(values)) or 1.0
    order = np.argsort(np.argsort(values, kind="stable"), kind="stable") / max(1, len(values) - 1)
    found: Array = ((values - values.min()) / span + order) / 2
    return found


def _groups(rows: Array) -> Array:
    """K-means that begins with rows far from each other; no chance is in it."""
    import numpy as np

    wanted = int(min(_MOST_GROUPS, max(1, round((len(rows) / _A_GROUP) ** 0.5))))
    centres = rows[[int(np.square(rows).sum(axis=1).argmin())]]
    near = np.square(rows - centres[0]).sum(axis=1)
    while len(centres) < wanted:
        centres = np.vstack([centres, rows[int(near.argmax())]])
        near = np.minimum(near, np.square(rows - centres[-1]).sum(axis=1))
    labels = np.zeros(len(rows), dtype=int)
    for _ in range(_ROUNDS):
        distances = np.square(centres).sum(axis=1) - 2 * rows @ centres.T
        new = distances.argmin(axis=1)
        if np.array_equal(new, labels):
            break
        labels = new
        held = [place for place in range(len(centres)) if (labels == place).any()]
        for place in held:
            centres[place] = rows[labels == place].mean(axis=0)
    return labels
