"""The callback by which long work tells how far it is."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Progress"]

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many are done, and how many there are."""
