"""How often a fault test repeats: short in `make test`, in full in `make faults`."""

from __future__ import annotations

import os


def counted(short: int, full: int) -> int:
    """The number of rounds for this run."""
    return full if os.environ.get("HOLDFAST_FAULTS") == "full" else short
