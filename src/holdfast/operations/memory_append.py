"""Adding to a note without being asked: the rules of memory_save, and nothing that the note has already."""

from __future__ import annotations

from holdfast.approval.prompt_gate import NeedsApproval, PromptGate
from holdfast.checkpoints.change import earlier_changes, note_before, put_note
from holdfast.checkpoints.note_change import locked_store
from holdfast.context.context import Context
from holdfast.context.save_target import target
from holdfast.context.session_visibility import require_readable
from holdfast.errors import BadArgument, TooLarge
from holdfast.guard.paths import NotePath
from holdfast.guard.text_rules import MAX_NOTE_BYTES, MAX_WRITE_BYTES, admit, without_secrets
from holdfast.markdown.novelty import below, only_new
from holdfast.operations.memory_save import Saved, add_to_note, new_lines, save_aside, with_true_marks

__all__ = ["append_new"]


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
    try:
        return _add(ctx, path, text, gate, tool)
    except NeedsApproval as held:
        return save_aside(ctx, text, held.why, tool)


def _add(ctx: Context, path: NotePath, text: str, gate: PromptGate, tool: str) -> Saved | None:
    with locked_store(ctx.workspace) as store:
        added = b""
        earlier = earlier_changes(store)
        if earlier:
            change = earlier[0]
        else:
            note = note_before(store, path)
            # Under the lock: what another process added or captured a moment ago is not added again.
            added = _new_text(ctx, path, note.data, text)
            if not added:
                return None
            new = with_true_marks(ctx, path.text, note.data, add_to_note(ctx, path, note.data, added, gate))
            if len(new) > MAX_NOTE_BYTES:
                raise TooLarge(f"note {path.text}", len(new), MAX_NOTE_BYTES)
            gate.check(note.data, new)
            change = put_note(store, note, new, ctx.authorship(tool, "append"))
    return Saved(change.path, len(added), change.id, ctx.note_changed(change))


def _new_text(ctx: Context, path: NotePath, old: bytes | None, text: str) -> bytes:
    """Return the part of a text that neither the note nor a fact says already, as it goes below the note."""
    note = (old or b"").decode("utf-8", "replace")
    news, _ = new_lines(ctx, path, text)
    if news.strip():
        news = only_new(note, news)
    else:
        news = ""
    if not news:
        return b""
    return below(note, news).encode()
