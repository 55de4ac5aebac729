"""All notes of an agent by path, with size and time of change and without a look into them: for who shows a tree.

A walk of ten thousand notes takes a tenth of a second. Where a watcher of this process listens, and neither it nor the
journal tells of a change since the last walk, that one is shown again.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from holdfast.checkpoints.checkpoint_store import journal_stamp
from holdfast.notes.watch_registry import last_event
from holdfast.value import Value

if TYPE_CHECKING:
    from holdfast.context.context import Context

__all__ = ["NoteTree", "Tree"]


class Tree(Value):
    """Rows of path, bytes, whole seconds since 1970 and source, by path; `generation` is another after any change."""

    generation: str
    rows: tuple[tuple[str, int, int, str], ...]

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        return {"generation": self.generation, "total": len(self.rows), "notes": self.rows}


class NoteTree:
    """The last walk, for as long as nothing is heard."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._heard: object = None
        self._tree: Tree | None = None

    def now(self) -> Tree:
        """All notes as they are now."""
        workspace = self._ctx.workspace
        events = last_event(workspace.home, workspace.agent)
        heard = (events, journal_stamp(workspace))  # before the walk: what changes meanwhile is walked again
        # A watcher does not follow what lies outside the home.
        trusted = events is not None and not self._ctx.settings.memory.extra_paths
        if self._tree is None or not trusted or heard != self._heard:
            self._tree, self._heard = _tree(self._ctx), heard
        return self._tree


def _tree(ctx: Context) -> Tree:
    digest = sha256()
    rows: list[tuple[str, int, int, str]] = []
    for note in ctx.workspace.walk().found:
        digest.update(f"{note.path}\0{note.size}\0{note.mtime_ns}\0".encode("utf-8", "surrogatepass"))
        rows.append((note.path, note.size, note.mtime_ns // 1_000_000_000, note.source))
    return Tree(digest.hexdigest()[:32], tuple(rows))
