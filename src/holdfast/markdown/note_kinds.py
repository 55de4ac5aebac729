"""The notes that are kept a line at a time, so that each bullet of theirs stands by itself."""

from __future__ import annotations

from holdfast.guard.paths import EXPORTS, INBOX
from holdfast.pattern import compile_late

__all__ = ["kept_by_hand"]

_NAMES = frozenset(("MEMORY.md", "memory.md", "USER.md"))
_DAILY = compile_late(r"\d{4}-\d{2}-\d{2}")


def kept_by_hand(path: str) -> bool:
    """Say whether a note is prompt memory, a daily note, an exported conversation or the inbox."""
    name = path.rpartition("/")[2]
    return path == INBOX or name in _NAMES or path.startswith(EXPORTS) or _DAILY.match(name) is not None
