"""Adding to a note without being asked: the rules of memory_save, and nothing that the note has already."""

from __future__ import annotations

from holdfast.approval.prompt_gate import NeedsApproval, PromptGate
from holdfast.checkpoints.note_change import change_note
from holdfast.context.context import Context
from holdfast.context.save_target import target
from holdfast.context.session_visibility import require_readable
from holdfast.errors import BadArgument, HoldfastError, TooLarge
from holdfast.guard.text_rules import MAX_NOTE_BYTES, MAX_WRITE_BYTES, admit, without_secrets
from holdfast.markdown.novelty import below, only_new
from holdfast.operations.memory_save import Saved, add_to_note, new_lines, save_aside, with_true_marks

__all__ = ["append_new"]


class _NothingNew(HoldfastError):
    """Ends a change before it is made."""


def append_new(ctx: Context, content: str, file: str, *, tool: str) -> Saved | None:
    """Add a text to the end of a note; None where all of it is there already, and nothing is changed then.

    Paths, write modes, sizes, secrets, checkpoints and the index are as with memory_save, which can also replace.
    """
    path = target(ctx, file)
    require_readable(ctx, path.text)
    if not content.strip():
        raise BadArgument("content", "it is empty; say what to remember")
    text = without_secrets(admit(content, "content"), ctx.settings.memory.secrets)
    if (size := len(text.encode())) > MAX_WRITE_BYTES:
        raise TooLarge("content", size, MAX_WRITE_BYTES)
    gate = PromptGate(ctx, path)
    gate.prepare(text)
    added = 0

    def edit(old: bytes | None) -> bytes:
        nonlocal added
        # Under the lock: what another process added or captured a moment ago is not added again.
        held = (old or b"").decode("utf-8", "replace")
        new_text, _ = new_lines(ctx, path, text)
        left = only_new(held, new_text) if new_text.strip() else ""
        if not left:
            raise _NothingNew("there is nothing new to add")
        new = below(held, left).encode()
        after = with_true_marks(ctx, path.text, old, add_to_note(ctx, path, old, new, gate))
        if len(after) > MAX_NOTE_BYTES:
            raise TooLarge(f"note {path.text}", len(after), MAX_NOTE_BYTES)
        gate.check(old, after)
        added = len(new)
        return after

    try:
        checkpoint = change_note(
            ctx.workspace, path, edit, origin=ctx.origin, tool=tool, reason="append", clock=ctx.clock
        )
    except _NothingNew:
        return None
    except NeedsApproval as held:
        return save_aside(ctx, text, held.why, tool)
    return Saved(checkpoint.path, added, checkpoint.id, ctx.note_changed(checkpoint))
