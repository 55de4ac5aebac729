"""`memory.notes`: whole notes for programs that keep files of their own here: listed, read, written, renamed, removed.

A model has memory_save and memory_get, which show and add a little at a time. A program that edits a note must have
read all of it, and must not lose what another wrote meanwhile: so every reading has a hash, and every change may ask
for the one that was read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Annotated

from holdfast.approval.prompt_gate import NeedsApproval, PromptGate, refuse_moving
from holdfast.checkpoints.change import Change, digest_of, earlier_changes, sent_before
from holdfast.checkpoints.change_history import after_bytes
from holdfast.checkpoints.deltas import common_prefix
from holdfast.checkpoints.note_change import change_note, locked_store
from holdfast.context.context import Context
from holdfast.context.memory_backend import MemoryPart
from holdfast.context.note_list import NoteSeen
from holdfast.context.save_target import target
from holdfast.context.session_visibility import caller_sight, can_read, require_readable, require_shared
from holdfast.errors import (
    BadArgument,
    HoldfastError,
    NoteChangedOutside,
    NoteNotFound,
    NotPermitted,
    SecretFound,
    TooLarge,
)
from holdfast.guard.argument_types import check_arguments
from holdfast.guard.operation import Method, declare
from holdfast.guard.origin import Origin
from holdfast.guard.paths import INBOX, NotePath, readable_path
from holdfast.guard.text_rules import MAX_NOTE_BYTES, MAX_WRITE_BYTES, admit, decode, keep_bom, without_secrets
from holdfast.markdown.lines import split_lines
from holdfast.notes.note import Note
from holdfast.operations.inbox_deposit import WAITS_ALREADY, put_aside, read_bytes, waiting_reason, waits_because
from holdfast.operations.memory_delete import Deleted
from holdfast.operations.memory_save import with_true_marks
from holdfast.operations.note_result import NotesPage, NoteText, Written

__all__ = ["Notes"]

_Path = Annotated[str, "MEMORY.md or memory/<name>.md."]
_MOST = 1000  # notes of one page: each is read for its hash


class Notes(MemoryPart):
    """The notes of one agent as files. `expected_hash` is the hash of what was read, "" where nothing may be there."""

    prefix = "notes."

    @check_arguments
    def by(self, origin: Origin, *, client: str = "") -> Notes:
        """The same notes, changed in the name of another, as of an agent."""
        return Notes(self.backend.for_origin(origin, self.backend.session, client=client))

    @declare(reads=True)
    def page(
        self,
        prefix: Annotated[str, "Only paths that begin so."] = "",
        *,
        limit: Annotated[int, "How many, 1 to 1000."] = 100,
        offset: Annotated[int, "How many to skip."] = 0,
    ) -> NotesPage:
        """Return notes by path, each with its hash, those outside the workspace too."""
        ctx = self.ctx
        require_readable(ctx)
        if not 1 <= limit <= _MOST:
            raise BadArgument("limit", f"{limit} is not between 1 and {_MOST}")
        if offset < 0:
            raise BadArgument("offset", f"{offset} is less than 0")
        listed = [
            note for note in ctx.workspace.walk().found if note.path.startswith(prefix) and can_read(ctx, note.path)
        ]
        notes: list[NoteSeen] = []
        with ctx.workspace.reader() as read:
            for note in listed[offset : offset + limit]:
                try:
                    held = read(note).hash
                except NoteNotFound:
                    continue  # removed since
                except HoldfastError:
                    held = ""
                notes.append(NoteSeen(note.path, note.size, note.mtime_ns / 1e9, note.source, held))
        return NotesPage(tuple(notes), len(listed), offset)

    @declare(reads=True)
    def hash_of(self, path: str) -> str:
        """The hash of a note, as a change may expect it; "" where there is none."""
        require_readable(self.ctx, path)
        try:
            return self.ctx.workspace.read(path).hash
        except NoteNotFound:
            return ""

    @declare(reads=True)
    def list(self, prefix: str = "", *, limit: int | None = None, after: str = "") -> list[NoteSeen]:
        """The notes of the workspace whose path starts with the prefix, by path; `after` goes on behind a path.

        Among hundreds of notes, an edit by hand may show a quarter of a second later.
        """
        require_readable(self.ctx)
        if limit is not None and limit < 1:
            raise BadArgument("limit", f"{limit} notes can't be listed; ask for at least 1")
        ctx = self.ctx
        notes = [note for note in ctx.note_list.below(prefix) if note.path > after]
        if caller_sight(ctx) is not None:
            notes = [note for note in notes if can_read(ctx, note.path)]
        return notes[:limit]

    @declare(reads=True)
    def read(self, path: str) -> NoteText:
        """The whole note; NoteNotFound where there is none."""
        require_readable(self.ctx, path)
        return _text_of(self.ctx.workspace.read(path))

    @declare(reads=True)
    def read_all(self, paths: Iterable[str]) -> dict[str, NoteText]:
        """The notes at these paths, whole, each by its path; what is not there is left out."""
        texts: dict[str, NoteText] = {}
        workspace = self.ctx.workspace
        wanted = list(paths)
        with workspace.reader() as read_beside:
            for path in wanted:
                require_readable(self.ctx, path)
                is_beside = len(wanted) > 1 and not path.startswith("/")  # for one, a directory need not stay open
                with suppress(NoteNotFound):
                    texts[path] = _text_of(read_beside(readable_path(path)) if is_beside else workspace.read(path))
        return texts

    @Method
    def write(
        self,
        path: _Path,
        text: Annotated[str, "The whole text; of it, at most 50 KB may be new."],
        *,
        expected_hash: str | None = None,
        reason: str = "replace",
    ) -> Written:
        """Put this text in the place of a note, or make one; the limit for a write counts only the lines that are new.

        Nothing is added to the text: a note may be empty, or end without a line end. What must be approved before it
        may go into MEMORY.md waits for that instead, and MEMORY.md stays as it is.
        """
        ctx, to = self.ctx, self._target(path)
        admit(text, "content")
        earlier = sent_before(ctx.workspace)
        if earlier:
            return self._written_before(earlier[0], to.text, text)
        gate = PromptGate(ctx, to)
        gate.prepare(text)
        size, added = 0, ""

        def edit(old: bytes | None) -> bytes:
            nonlocal size, added
            new = _becomes(ctx, to.text, old, text)
            size, added = len(new), _added_lines(old, new) if gate.closed else ""
            gate.check(old, new)
            return new

        try:
            checkpoint = change_note(
                ctx.workspace, to, edit, ctx.authorship("notes_write", reason), expected_hash=expected_hash
            )
        except NeedsApproval as held:
            deposit = put_aside(ctx, added, held.why, "notes_write")
            if deposit is None:
                return Written(INBOX, digest_of(read_bytes(ctx)) or "", 0, True, "", WAITS_ALREADY, True)
            checkpoint, size = deposit, len(added.encode())
        return self._written(checkpoint, size)

    @declare(slow=True)
    def write_all(
        self,
        texts: Mapping[str, str | None],
        *,
        expected_hashes: Mapping[str, str] | None = None,
        reason: str = "replace",
    ) -> tuple[Written, ...]:
        """Put these texts in the place of notes, as `write` does, and remove those whose text is None.

        All of it is one change: it happens whole or not at all, and one undo takes it back. A note that is to be
        removed and is not there is left out of what is given. MEMORY.md is written by itself. Of the paths in
        `expected_hashes`, each note must have the hash it has there.
        """
        from holdfast.operations.notes_batch import write_notes

        if not isinstance(texts, Mapping) or not all(
            isinstance(path, str) and isinstance(text, str | None) for path, text in texts.items()
        ):
            raise BadArgument("texts", "give a mapping of paths to texts, or to None where the note is to go")
        targets = {self._target(path): text for path, text in texts.items()}
        return write_notes(self.ctx, targets, expected_hashes or {}, reason, _becomes)

    @Method
    def delete(self, path: _Path, *, expected_hash: str | None = None, reason: str = "delete file") -> Deleted:
        """Remove a note; the checkpoint brings it back."""
        ctx, to = self.ctx, self._target(path)

        def edit(old: bytes | None) -> None:
            if old is None:
                raise NoteNotFound(to.text)
            PromptGate(ctx, to).check(old, None)

        checkpoint = change_note(
            ctx.workspace, to, edit, ctx.authorship("notes_delete", reason), expected_hash=expected_hash
        )
        return Deleted(checkpoint.path, True, 0, checkpoint.id, ctx.note_changed(checkpoint))

    @Method
    def rename(
        self,
        path: _Path,
        new_path: Annotated[str, "The path it is to have."],
        *,
        expected_hash: str | None = None,
    ) -> Written:
        """Give a note another name; both steps are one change, and are undone as one."""
        from holdfast.checkpoints.group import Step, apply_group

        ctx, old_path, to = self.ctx, self._target(path), self._target(new_path)
        refuse_moving(ctx, old_path)
        with locked_store(ctx.workspace) as store:
            earlier = earlier_changes(store)
            if earlier:
                return self._renamed(earlier)
            note = ctx.workspace.read(old_path)
            if expected_hash is not None and expected_hash != note.hash:
                raise NoteChangedOutside(old_path.text, expected_hash, note.hash)
            if ctx.workspace.exists(to):
                raise NoteChangedOutside(to.text, "", ctx.workspace.read(to).hash)
            data = with_true_marks(ctx, to.text, None, note.data)
            try:
                PromptGate(ctx, to).check(None, data)
            except NeedsApproval as held:
                raise NotPermitted(f"MEMORY.md is not made of another note: {held.why}. Save to it instead.") from held
            # First where it goes to: whoever looks in between finds it twice, never not at all.
            steps = [Step(to.text, data, ""), Step(old_path.text, None, note.hash)]
            named = f"rename {path} to {new_path}"
            changes = apply_group(store, steps, ctx.authorship("notes_rename", named))
        return self._renamed(changes)

    def _renamed(self, changes: Sequence[Change]) -> Written:
        ctx, made = self.ctx, changes[0]
        late = ctx.notes_changed(changes)
        ids = tuple(change.id for change in changes)
        size = len(after_bytes(ctx.workspace, made) or b"")
        return Written(made.path, made.after or "", size, False, ids[0], late, checkpoint_ids=ids)

    def _written(self, change: Change, size: int) -> Written:
        """Return what a change made of a note, or that the new lines wait for the owner."""
        why = waiting_reason(change)
        waits = "" if why is None else waits_because(why)
        because = "; ".join(filter(None, (waits, self.ctx.note_changed(change))))
        return Written(
            change.path, change.after or "", size, change.before is not None, change.id, because, why is not None
        )

    def _written_before(self, change: Change, meant: str, text: str) -> Written:
        """Say the same of a change that this very request made when it came first."""
        ctx = self.ctx
        if waiting_reason(change) is None:
            return self._written(change, len(after_bytes(ctx.workspace, change) or b""))
        memory = self.read_all([meant]).get(meant)
        added = _added_lines(None if memory is None else memory.text.encode(), text.encode())
        return self._written(change, len(added.encode()))

    def _target(self, path: str) -> NotePath:
        require_readable(self.ctx)
        require_shared(self.ctx, path)
        return target(self.ctx, path)


def _text_of(note: Note) -> NoteText:
    text = "\n".join(split_lines(decode(note.data)))
    return NoteText(note.path, text, note.hash, note.size, note.mtime_ns / 1e9)


def _becomes(ctx: Context, path: str, old: bytes | None, text: str) -> bytes:
    """The bytes of the note with this text: in its own kind of line ends, without secrets and forged marks."""
    before = split_lines(decode(old)) if old else []
    lines = split_lines(text)
    first = common_prefix(before, lines)
    last = common_prefix(before[first:][::-1], lines[first:][::-1])
    new = "\n".join(lines[first : len(lines) - last])
    if (size := len(new.encode())) > MAX_WRITE_BYTES:
        raise TooLarge("content", size, MAX_WRITE_BYTES)
    # Only what is new: a secret that the owner typed into the note must not keep it from being edited elsewhere.
    try:
        kept = split_lines(without_secrets(new, ctx.settings.memory.secrets))
    except SecretFound as error:  # in the line of the whole text, which is what the caller sees
        raise SecretFound(error.what, error.kinds, first + (error.line or 1)) from None
    whole = "\n".join(
        [*lines[:first], *(kept if new else lines[first : len(lines) - last]), *lines[len(lines) - last :]]
    )
    data = whole.encode()
    if old and b"\r\n" in old:
        data = data.replace(b"\n", b"\r\n")
    data = with_true_marks(ctx, path, old, keep_bom(old, data))
    if len(data) > MAX_NOTE_BYTES:
        raise TooLarge(f"note {path}", len(data), MAX_NOTE_BYTES)
    return data


def _added_lines(old: bytes | None, new: bytes) -> str:
    """The lines that a note has now and had not before, in their order."""
    if old:
        before = Counter(split_lines(decode(old)))
    else:
        before = Counter[str]()
    lines: list[str] = []
    for line in split_lines(decode(new)):
        if before[line]:
            before[line] -= 1
        else:
            lines.append(line)
    return "\n".join(lines)
