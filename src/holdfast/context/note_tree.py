"""All notes of an agent by path, with size and time of change, for a tree of them; none of them is read.

A walk of ten thousand notes takes a tenth of a second. Where a watcher of this process listens, `tree_stamp` says
whether the last walk still holds.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from holdfast.checkpoints.checkpoint_store import journal_stamp
from holdfast.notes.watch_registry import last_event
from holdfast.value import Value

if TYPE_CHECKING:
    from holdfast.context.context import Context

__all__ = ["Tree", "tree_of", "tree_stamp"]


class Tree(Value):
    """Rows of path, bytes, whole seconds since 1970 and source, by path; `generation` is another after any change."""

    generation: str
    rows: tuple[tuple[str, int, int, str], ...]

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        return {"generation": self.generation, "total": len(self.rows), "notes": self.rows}


def tree_of(ctx: Context) -> Tree:
    """Return all notes as they are now."""
    digest = sha256()
    rows: list[tuple[str, int, int, str]] = []
    for note in ctx.workspace.walk().found:
        digest.update(f"{note.path}\0{note.size}\0{note.mtime_ns}\0".encode("utf-8", "surrogatepass"))
        rows.append((note.path, note.size, note.mtime_ns // 1_000_000_000, note.source))
    return Tree(digest.hexdigest()[:32], tuple(rows))


def tree_stamp(ctx: Context) -> object | None:
    """Return what is another as soon as a change of any note is heard of; None where nobody listens to all of them."""
    workspace = ctx.workspace
    events = last_event(workspace.home, workspace.agent)
    # A watcher does not follow what lies outside the home.
    if events is None or ctx.settings.memory.extra_paths:
        return None
    return events, journal_stamp(workspace)
