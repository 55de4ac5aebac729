"""Some of many paths → the few patterns that match them and none of the others.

A question of an earlier day leaves out the notes of later days, hundreds at a time; their names begin alike.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable

__all__ = ["cover"]


def cover(wanted: Collection[str], others: Iterable[str]) -> tuple[str, ...]:
    """Return beginnings with a `*` after them, or whole paths, that stand for every wanted path and no other."""
    kept = sorted(others)
    patterns: dict[str, None] = {}
    for path in sorted(wanted):
        at = bisect_left(kept, path)
        # Of all others in their order, the two beside it share the longest beginning with a path.
        shared = max((_shared_length(path, neighbour) for neighbour in kept[max(0, at - 1) : at + 1]), default=0)
        patterns[f"{path[: shared + 1]}*" if shared < len(path) else path] = None
    return tuple(patterns)


def _shared_length(first: str, second: str) -> int:
    """Return how many characters two paths begin with that are the same."""
    count = 0
    for left, right in zip(first, second, strict=False):
        if left != right:
            break
        count += 1
    return count
