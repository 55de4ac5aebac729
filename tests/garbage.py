"""Python's search for garbage, which takes longer than the work itself where millions of objects are made at once."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["garbage_kept"]


@contextmanager
def garbage_kept() -> Iterator[None]:
    """Search for no garbage inside the block."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
