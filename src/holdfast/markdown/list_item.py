"""The beginning of an item of a list.

A dash, a star, a plus, or a number with a point or a bracket, and a task's box.
"""

from __future__ import annotations

from typing import Final

from holdfast.pattern import compile_late

__all__ = ["BULLET", "ITEM", "ITEM_SIGN"]

ITEM_SIGN: Final = r"(?:[-*+]|[0-9]{1,9}[.)])"
"""The sign alone, for patterns that want something else behind it."""

ITEM: Final = compile_late(rf"[ \t]*(?P<sign>{ITEM_SIGN})(?:[ \t]+|$)(?P<box>\[[ xX]\][ \t]+)?")
"""A line that begins an item, with its indentation and up to its words."""

BULLET: Final = compile_late(r"^[-*+](?:[ \t]+|$)")
"""An item at the margin without a number: `1. ` may be a date or a club."""
