"""Tell how long work tells whoever waits for it how far it is."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Progress"]

# Called with what is being done, how many are done, and how many there are.
Progress = Callable[[str, int, int], None]
