"""Many notes written and removed as one change, which the next search indexes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from holdfast.checkpoints.batch import apply_batch
from holdfast.checkpoints.change import Edit, digest_of
from holdfast.checkpoints.note_change import locked_store
from holdfast.context.context import Context
from holdfast.errors import BadArgument, NoteChangedOutside
from holdfast.guard.paths import NotePath
from holdfast.guard.text_rules import admit
from holdfast.operations.note_result import Written

__all__ = ["write_notes"]

NewBytes = Callable[[Context, str, bytes | None, str], bytes]
"""What a note becomes: its path, its bytes (None: there is no note) and the text for it → its new bytes."""


def write_notes(
    ctx: Context,
    texts: Mapping[NotePath, str | None],
    expected_hashes: Mapping[str, str],
    reason: str,
    new_bytes: NewBytes,
) -> tuple[Written, ...]:
    """Write each text to its note, or remove the note where there is none; all of it, or nothing."""
    for path, text in texts.items():
        if path.is_prompt_memory:
            raise BadArgument("texts", f"{path.text} can't be one of many: its owner decides on it. Write it by itself")
        if text is not None:
            admit(text, "content")
    sizes: dict[str, int] = {}

    def edit_of(path: NotePath, text: str | None) -> Edit:
        def edit(old: bytes | None) -> bytes | None:
            expected = expected_hashes.get(path.text)
            if expected is not None and expected != (found := digest_of(old) or ""):
                raise NoteChangedOutside(path.text, expected, found)
            if text is None:
                return None
            data = new_bytes(ctx, path.text, old, text)
            sizes[path.text] = len(data)
            return data

        return edit

    edits = {path: edit_of(path, text) for path, text in texts.items()}
    with locked_store(ctx.workspace) as store:
        changes = apply_batch(store, edits, ctx.authorship("notes_write", reason))
        owed = ctx.owe_changes(changes) if changes else ""
    if owed is None:
        late = ctx.notes_changed(changes)
    else:
        late = owed or ctx.prune_in_time(changes)
    return tuple(
        Written(change.path, change.after or "", sizes.get(change.path, 0), change.before is not None, change.id, late)
        for change in changes
    )
