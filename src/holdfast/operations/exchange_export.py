"""Everything that an agent remembers → one file; and such a file → the notes as they were.

Not a tool of a model's: which files of the machine are read and written is the owner's to say.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

from holdfast.approval.prompt_gate import NeedsApproval, PromptGate
from holdfast.checkpoints.change import change_unrecorded, note_to_change
from holdfast.checkpoints.note_change import change_note
from holdfast.context.context import Context
from holdfast.context.save_target import require_writable
from holdfast.errors import BadArgument, BadPath, HoldfastError, NoteChangedOutside, NoteNotFound, NotPermitted
from holdfast.facts.facts_book import today
from holdfast.guard.origin import Origin
from holdfast.guard.paths import readable_path
from holdfast.value import Value

if TYPE_CHECKING:
    from holdfast.progress import Progress

__all__ = ["PutBack", "SentOut", "export_memory", "index_once", "restore_export"]

_EMBEDDED_AT_ONCE = 4096
_SENT_AT_ONCE = 64


class SentOut(Value):
    """The file that was written, and what is in it."""

    path: str
    notes: int
    facts: int
    bytes_written: int
    left_out: tuple[tuple[str, str], ...] = ()
    """The notes that could not be read, and why."""

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        return {
            "exported": True,
            "path": self.path,
            "notes": self.notes,
            "facts": self.facts,
            "bytes_written": self.bytes_written,
            "left_out": [{"path": path, "why": reason} for path, reason in self.left_out],
        }


class PutBack(Value):
    """The notes of an export that are back, those that were there already, and those that differ and were left."""

    written: tuple[str, ...] = ()
    same: tuple[str, ...] = ()
    differing: tuple[str, ...] = ()
    checkpoint_ids: tuple[str, ...] = ()
    dry_run: bool = False
    because: str = ""

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        shown: dict[str, Any] = {
            "restored": not self.dry_run,
            "written": list(self.written),
            "same": len(self.same),
            "differing": list(self.differing),
            "checkpointIds": list(self.checkpoint_ids),
        }
        if self.because:
            return shown | {"because": self.because}
        return shown


def export_memory(
    ctx: Context,
    file: Annotated[str | os.PathLike[str], "The file to write: .zip (the notes as they are) or .jsonl."],
    *,
    replace: Annotated[bool, "Replace the file if it is there already."] = False,
) -> SentOut:
    """Write all notes and facts to one `.zip` or `.jsonl` file."""
    from holdfast.exchange.export_bundle import as_lines, as_zip, facts_of
    from holdfast.notes.export_file import write_export

    file = os.fspath(file)
    ways = {".jsonl": as_lines, ".zip": as_zip}
    way = next((maker for end, maker in ways.items() if file.lower().endswith(end)), None)
    if way is None:
        raise BadArgument("file", f"{file!r} ends neither in .jsonl nor in .zip")
    notes: dict[str, bytes] = {}
    walk = ctx.workspace.walk()
    left = [(note.path, note.why) for note in walk.skipped]
    for note in walk.found:
        if note.source != "memory":
            continue
        try:
            notes[note.path] = ctx.workspace.read(note.path).data
        except HoldfastError as error:
            left.append((note.path, str(error)))
    day = today(ctx)
    moment = datetime.fromtimestamp(ctx.clock.now(), UTC).isoformat(timespec="seconds")
    data = way(notes, ctx.workspace.agent, moment, day)
    path = write_export(file, data, replace=replace)
    return SentOut(path, len(notes), sum(1 for _ in facts_of(notes, day)), len(data), tuple(left))


def restore_export(ctx: Context, file: str | os.PathLike[str], *, preview: bool = False) -> PutBack:
    """Put the notes of your own export back as they were, MEMORY.md and every mark included; none is overwritten.

    The owner vouches for the file by asking for this: its marks are believed, as those of notes that are typed are.
    """
    from holdfast.exchange.bundle import open_bundle
    from holdfast.exchange.holdfast_bundle import notes_of

    with open_bundle(os.fspath(file)) as bundle:
        notes = notes_of(bundle)
    asker, ctx = ctx, ctx.for_origin(Origin.IMPORT, is_owner=ctx.workspace.gate.is_owner)
    for path in notes:
        require_writable(ctx, readable_path(path))
    written: list[str] = []
    same: list[str] = []
    differing: list[str] = []
    ids: list[str] = []
    late: list[str] = []
    for path, data in notes.items():
        held = _current_bytes(ctx, path)
        if held is not None:
            (same if held == data else differing).append(path)
            continue
        if reason := _refusal(asker, path, data):
            late.append(reason)
            continue
        if not preview:
            try:
                checkpoint_id = _make_note(ctx, path, data, late)
            except NoteChangedOutside:  # somebody wrote it this very moment
                differing.append(path)
                continue
            ids += [checkpoint_id] if checkpoint_id else []
        written.append(path)
    if written and not preview:
        late.append(index_once(ctx))
    because = "; ".join(dict.fromkeys(filter(None, late)))
    return PutBack(tuple(written), tuple(same), tuple(differing), tuple(ids), preview, because)


def _refusal(ctx: Context, path: str, data: bytes) -> str:
    """Return why a note is left out, where only the owner puts it back."""
    try:
        PromptGate(ctx, readable_path(path)).check(None, data)
    except (NeedsApproval, NotPermitted) as refused:
        return f"{path} is left out: only the owner puts it back. {refused}"
    return ""


def index_once(ctx: Context, progress: Progress | None = None) -> str:
    """Bring the index up to date once for all notes; says why not, where that failed.

    It makes a limited number of vectors at once, and fewer where another machine makes them: an import must not send
    more away than a search would. The rest follows later.
    """
    remote = ctx.chain is not None and ctx.chain.first.remote
    try:
        ctx.sync(embed_limit=_SENT_AT_ONCE if remote else _EMBEDDED_AT_ONCE, progress=progress)
    except HoldfastError as error:
        return f"the index could not be updated yet: {getattr(error, 'why', None) or error}"
    return ""


def _make_note(ctx: Context, path: str, data: bytes, late: list[str]) -> str:
    """Make a note that is not there; gives its checkpoint, "" where it has none."""
    try:
        target = note_to_change(ctx.workspace, path)
    except BadPath:
        # In a folder of the owner's own, where no tool writes: there was nothing, so there is nothing to keep.
        change_unrecorded(ctx.workspace, readable_path(path), data, expected_hash="")
        late.append(f"{path} is in a folder of your own, where changes are not recorded")
        return ""
    done = change_note(
        ctx.workspace, target, lambda _: data, ctx.authorship("import", "restore an export"), expected_hash=""
    )
    return done.id


def _current_bytes(ctx: Context, path: str) -> bytes | None:
    try:
        return ctx.workspace.read(readable_path(path)).data
    except NoteNotFound:
        return None
