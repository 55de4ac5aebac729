"""Write what a run of dreaming changes: all of its notes as one change, which carries the run's name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from holdfast.checkpoints.change import Change, digest_of
from holdfast.checkpoints.checkpoint_store import CheckpointStore
from holdfast.checkpoints.group import Step, apply_group
from holdfast.checkpoints.note_change import locked_store
from holdfast.context.context import Context
from holdfast.errors import NoteNotFound
from holdfast.guard.paths import changeable_path, writable_path
from holdfast.named_tuple import NamedTuple

__all__ = ["TOOL", "NoteWrite", "apply_run", "bytes_of", "memory_bytes", "reason_of", "write_run"]

TOOL: Final = "dream"


class NoteWrite(NamedTuple):
    """Says what becomes of a note that was read; None where there was none, or shall be none."""

    path: str
    old: bytes | None
    new: bytes | None


def reason_of(run: str) -> str:
    """Return what the checkpoints of a run say."""
    return f"dream {run}"


def memory_bytes(ctx: Context) -> bytes | None:
    """MEMORY.md as it is now."""
    return bytes_of(ctx, ctx.workspace.spot(writable_path("MEMORY.md")).path)


def bytes_of(ctx: Context, path: str) -> bytes | None:
    """A note as it is now; None where there is none."""
    try:
        return ctx.workspace.read(changeable_path(path)).data
    except NoteNotFound:
        return None


def write_run(ctx: Context, run: str, writings: Sequence[NoteWrite]) -> tuple[list[Change], str]:
    """Write the notes that change, all or none, where each is still what was read; and what is to be said about it."""
    if all(writing.new == writing.old for writing in writings):
        return [], ""
    with locked_store(ctx.workspace) as store:
        changes = apply_run(ctx, store, run, writings)
    return changes, ctx.notes_changed(changes)


def apply_run(ctx: Context, store: CheckpointStore, run: str, writings: Sequence[NoteWrite]) -> list[Change]:
    """Do the same under the lock of the notes, with the journal settled."""
    steps = [
        Step(writing.path, writing.new, digest_of(writing.old) or "")
        for writing in writings
        if writing.new != writing.old
    ]
    if not steps:
        return []
    return apply_group(store, steps, ctx.authorship(TOOL, reason_of(run)))
