"""The beginning of an item of a list.

A dash, a star, a plus, or a number with a point or a bracket, and a task's box.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["BULLET", "ITEM", "ITEM_SIGN"]

ITEM_SIGN: Final = r"(?:[-*+]|[0-9]{1,9}[.)])"
"""The sign alone, for patterns that want something else behind it."""

ITEM: Final = re.compile(rf"[ \t]*(?P<sign>{ITEM_SIGN})(?:[ \t]+|$)(?P<box>\[[ xX]\][ \t]+)?")
"""A line that begins an item, with its indentation and up to its words."""

BULLET: Final = re.compile(r"^[-*+](?:[ \t]+|$)")
"""An item at the margin without a number: `1. ` may be a date or a club."""
