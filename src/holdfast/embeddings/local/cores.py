"""The number of cores that a model may use."""

from __future__ import annotations

import os

__all__ = ["available"]

_MOST = 8  # small models gain nothing beyond


def available() -> int:
    """Return the cores that this process may run on, where the system can say."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, min(_MOST, len(os.sched_getaffinity(0))))
    return max(1, min(_MOST, os.cpu_count() or 1))
