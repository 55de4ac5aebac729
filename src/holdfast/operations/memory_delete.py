"""memory_delete: remove exact text from a note, or the whole note."""

from __future__ import annotations

from typing import Annotated, Any

from holdfast.approval.prompt_gate import NeedsApproval, PromptGate
from holdfast.checkpoints.change import earlier_changes, note_before, put_note
from holdfast.checkpoints.change_history import before_bytes
from holdfast.checkpoints.note_change import locked_store
from holdfast.context.context import Context
from holdfast.context.save_target import target
from holdfast.errors import BadArgument, NoteNotFound, NotPermitted, TextNotFound
from holdfast.guard.paths import NotePath
from holdfast.markdown.text_removal import remove_text
from holdfast.named_tuple import NamedTuple
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
    with locked_store(ctx.workspace) as store:
        earlier = earlier_changes(store)
        if earlier:
            change = earlier[0]
            # The same request did it when it came first: how much went is found by doing it again to what was there.
            old = before_bytes(ctx.workspace, change) or b""
            cut = _cut(old, path, text, every=all_matches, delete_if_empty=delete_if_empty)
        else:
            note = note_before(store, path, expected_hash=expected_hash)
            if note.data is None:
                raise NoteNotFound(path.text)
            cut = _cut(note.data, path, text, every=all_matches, delete_if_empty=delete_if_empty)
            _refuse_parts(ctx, path, note.data, cut.note)
            authorship = ctx.authorship("memory_delete", "delete file" if delete_file else "delete text")
            change = put_note(store, note, cut.note, authorship)
    return Deleted(change.path, change.after is None, cut.removed, change.id, ctx.note_changed(change))


class _Remainder(NamedTuple):
    """A note without a text, None where no note is left, and how often the text went."""

    note: bytes | None
    removed: int


def _cut(old: bytes, path: NotePath, text: str | None, *, every: bool, delete_if_empty: bool) -> _Remainder:
    if text is None:
        return _Remainder(None, 0)
    new, removed = _note_without(old, path.text, text, every=every)
    if delete_if_empty and not new.strip():
        return _Remainder(None, removed)
    return _Remainder(new, removed)


def _refuse_parts(ctx: Context, path: NotePath, old: bytes, new: bytes | None) -> None:
    """Raise NotPermitted where an agent would take a part of a sentence out of MEMORY.md."""
    try:
        PromptGate(ctx, path).check(old, new)
    except NeedsApproval as held:
        raise NotPermitted(f"{path.text} is not changed: {_WHOLE}.") from held


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
    from holdfast.facts.ledger import entries, remove_bullet

    wanted = text.replace("\r\n", "\n").strip()
    lines = [entry.fact.line for entry in entries(old, path) if wanted in (entry.fact.text, entry.bare.strip())]
    chosen = lines if every else lines[:1]
    for line in reversed(chosen):
        old = remove_bullet(old, path, line)
    return old, len(chosen)
