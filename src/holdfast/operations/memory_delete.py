"""memory_delete: remove exact text from a note, or the whole note."""

from __future__ import annotations

from typing import Annotated, Any

from holdfast.approval.prompt_gate import NeedsApproval, PromptGate
from holdfast.checkpoints.change_history import before_bytes
from holdfast.checkpoints.note_change import change_note
from holdfast.context.context import Context
from holdfast.context.save_target import target
from holdfast.errors import BadArgument, NoteNotFound, NotPermitted, TextNotFound
from holdfast.markdown.text_removal import remove_text
from holdfast.operations.tool_schema import FOR_PROGRAMS
from holdfast.value import Value

__all__ = ["Deleted", "memory_delete"]

_WHOLE = "an agent takes out whole sentences and bullets, and no part of one; give all of it as `text`"


class Deleted(Value):
    """The result of a deletion: what was removed, and the checkpoint that brings it back."""

    path: str
    file_deleted: bool
    matches_removed: int
    checkpoint_id: str
    because: str = ""

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        shown: dict[str, Any] = {
            "deleted": True,
            "path": self.path,
            "file_deleted": self.file_deleted,
            "matches_removed": self.matches_removed,
            "checkpointId": self.checkpoint_id,
        }
        if self.because:
            shown["because"] = self.because
        return shown


def memory_delete(
    ctx: Context,
    file: Annotated[str, "MEMORY.md or memory/<name>.md."],
    *,
    text: Annotated[str | None, "The exact text to remove. Required unless delete_file is true."] = None,
    all_matches: Annotated[bool, "Remove every exact match instead of only the first."] = False,
    delete_if_empty: Annotated[bool, "Delete the file if only white space is left."] = True,
    delete_file: Annotated[bool, "Delete the whole file instead of removing text."] = False,
    expected_hash: Annotated[str | None, "Only if the note still has this hash.", FOR_PROGRAMS] = None,
) -> Deleted:
    """Remove exact text from a note, or the whole note. checkpointId brings it back with checkpoint_restore."""
    path = target(ctx, file)
    if delete_file and text is not None:
        raise BadArgument("text", "it can't be given together with delete_file")
    if not delete_file and not text:
        raise BadArgument("text", "give the exact text to remove, or set delete_file")
    removed = 0
    gate = PromptGate(ctx, path)

    def edit(old: bytes | None) -> bytes | None:
        if old is None:
            raise NoteNotFound(path.text)
        new = cut(old)
        try:
            gate.check(old, new)
        except NeedsApproval as held:
            raise NotPermitted(f"{path.text} is not changed: {_WHOLE}.") from held
        return new

    def cut(old: bytes) -> bytes | None:
        nonlocal removed
        if text is None:
            return None
        new, removed = _note_without(old, path.text, text, every=all_matches)
        if delete_if_empty and not new.strip():
            return None
        return new

    checkpoint = change_note(
        ctx.workspace,
        path,
        edit,
        origin=ctx.origin,
        tool="memory_delete",
        reason="delete file" if delete_file else "delete text",
        expected_hash=expected_hash,
        clock=ctx.clock,
    )
    if not removed and not delete_file:
        # The same request did it when it came first: how much went is found by doing it again to what was there.
        cut(before_bytes(ctx.workspace, checkpoint) or b"")
    return Deleted(checkpoint.path, checkpoint.after is None, removed, checkpoint.id, ctx.note_changed(checkpoint))


def _note_without(old: bytes, path: str, text: str, *, every: bool) -> tuple[bytes, int]:
    """Return a note without a text, and how often it went; a bullet that says just that goes whole."""
    new, removed = _bullets_without(old, path, text, every=every)
    if not removed:
        new, removed = remove_text(old, text, every=every)
    if not removed:
        raise TextNotFound(path)
    return new, removed


def _bullets_without(old: bytes, path: str, text: str, *, every: bool) -> tuple[bytes, int]:
    """A note of facts without the bullets that say exactly this, each with its mark; others are not looked at."""
    from holdfast.markdown.fact_row import category_of

    if category_of(path) is None or "<!--" in text:
        return old, 0
    from holdfast.facts.ledger import entries, removed

    wanted = text.replace("\r\n", "\n").strip()
    lines = [entry.fact.line for entry in entries(old, path) if wanted in (entry.fact.text, entry.bare.strip())]
    chosen = lines if every else lines[:1]
    for line in reversed(chosen):
        old = removed(old, path, line)
    return old, len(chosen)
