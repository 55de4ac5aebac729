"""The tree of an agent's notes as it is sent: walked, written as JSON and packed once for as long as no note changes.

A page asks for it at each visit, and any of a server's open memories may answer; they share what is kept here.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from holdfast.context.note_tree import tree_of, tree_stamp
from holdfast.surfaces.http.responses import as_json, gzip_bytes
from holdfast.value import Value

if TYPE_CHECKING:
    from holdfast.context.context import Context

__all__ = ["SentTree", "TreeCache"]

_MOST_AGENTS: Final = 8  # whose trees are kept: that of 10,000 notes takes 1.4 MB


class SentTree(Value):
    """The bytes of a tree, plain and gzipped, and the generation that its ETag names."""

    generation: str
    plain: bytes
    packed: bytes


class TreeCache:
    """The trees that were sent last, by agent."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}
        self._kept: dict[str, tuple[object | None, SentTree]] = {}

    def now(self, ctx: Context) -> SentTree:
        """Return the tree of the notes as they are now. Who asks while another thread walks gets what that found."""
        agent = ctx.workspace.agent
        with self._lock:
            walk = self._locks.setdefault(agent, threading.Lock())
        with walk:
            stamp = tree_stamp(ctx)  # before the walk: what changes meanwhile is walked again
            before, kept = self._kept.get(agent, (None, None))
            if kept is not None and stamp is not None and stamp == before:
                return kept
            tree = tree_of(ctx)
            if kept is None or kept.generation != tree.generation:
                plain = as_json(tree.to_json())
                kept = SentTree(tree.generation, plain, gzip_bytes(plain))
            self._keep(agent, stamp, kept)
            return kept

    def _keep(self, agent: str, stamp: object | None, tree: SentTree) -> None:
        with self._lock:
            self._kept.pop(agent, None)
            self._kept[agent] = (stamp, tree)  # behind the others: it was asked for last
            while len(self._kept) > _MOST_AGENTS:
                oldest = next(iter(self._kept))
                del self._kept[oldest]
                self._locks.pop(oldest, None)
