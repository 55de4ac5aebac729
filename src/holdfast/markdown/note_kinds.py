"""The notes whose lines or sections stand by themselves: those kept a line at a time, and those of a store's items."""

from __future__ import annotations

from holdfast.guard.paths import EXPORTS, INBOX
from holdfast.pattern import compile_late

__all__ = ["ITEM_NOTES", "STORE", "holds_items", "kept_by_hand"]

STORE = "memory/store@"
"""What the paths of all notes begin with that a framework's store keeps its items in."""

ITEM_NOTES = f"{STORE}*@[0-9]*.md"
"""The paths of notes that hold many of a store's items, as SQLite matches names."""

_NAMES = frozenset(("MEMORY.md", "memory.md", "USER.md"))
_DAILY = compile_late(r"\d{4}-\d{2}-\d{2}")
_ITEMS = compile_late(r".*@[0-9]+\.md")


def kept_by_hand(path: str) -> bool:
    """Say whether a note is prompt memory, a daily note, an exported conversation or the inbox."""
    name = path.rpartition("/")[2]
    return path == INBOX or name in _NAMES or path.startswith(EXPORTS) or _DAILY.match(name) is not None


def holds_items(path: str) -> bool:
    """Say whether a note holds many items of a store, each in a section of its own."""
    return path.startswith(STORE) and _ITEMS.fullmatch(path, len(STORE)) is not None
