"""Raise BadArgument unless a number is within its bounds.

Of what kind an argument is, the schema of a tool checks for a model and `guard.fitting` for a program. Neither knows
how large a number may be.
"""

from __future__ import annotations

from holdfast.errors import BadArgument
from holdfast.guard.argument_types import display_value

__all__ = ["check_number", "check_whole_number"]


def check_number(name: str, value: object, low: float = 0.0, high: float = 1.0) -> None:
    """Raise BadArgument unless value is left out or a number in [low, high]."""
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadArgument(name, f"{display_value(value)} is no number; it must be between {low:g} and {high:g}")
    if not low <= value <= high:
        raise BadArgument(name, f"{display_value(value)} is not between {low:g} and {high:g}")


def check_whole_number(name: str, value: object, low: int, high: int | None = None) -> None:
    """Raise BadArgument unless value is an int in [low, high]; without `high` there is no upper end."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadArgument(name, f"{display_value(value)} is no whole number")
    if value < low or (high is not None and value > high):
        reason = (
            f"it can't be less than {low}"
            if high is None
            else f"{display_value(value)} is not between {low} and {high}"
        )
        raise BadArgument(name, reason)
