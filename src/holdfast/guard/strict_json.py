"""JSON as the standard defines it: Python also reads NaN and Infinity, which other programs refuse."""

from __future__ import annotations

from typing import NoReturn

__all__ = ["refuse_constant"]


def refuse_constant(name: str) -> NoReturn:
    """Refuse NaN and Infinity; for the `parse_constant` of `json`."""
    raise ValueError(f"{name} is not a number in JSON")
