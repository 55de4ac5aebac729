"""Many notes changed as one at the cost of few: all of it or nothing, and taken back with one command.

A group of `group.py` makes one change after another. This module first puts the bytes of all notes on the disk and
records all changes in one write to the journal; then it puts the notes in place, and one line says that the last change
is done. Where a writer died in between, the next one finds several changes open at the end of the journal: if all of
them reached their notes they are done, else those that did are put back, and none has happened.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.checkpoints.change import (
    Authorship,
    Change,
    Edit,
    GroupStep,
    digest_of,
    earlier_changes,
    has_happened,
    next_record,
    note_to_change,
    permitted_path,
    read_if_any,
)
from holdfast.checkpoints.change_id import given_request
from holdfast.checkpoints.checkpoint_store import CheckpointStore
from holdfast.checkpoints.group import Step, apply_group
from holdfast.checkpoints.journal import Kind, Record
from holdfast.checkpoints.receipts import add_receipt
from holdfast.errors import HoldfastError, NoteChangedOutside, NoteNotFound, TooLarge
from holdfast.guard.paths import NotePath
from holdfast.guard.text_rules import MAX_NOTE_BYTES
from holdfast.guard.write_gate import OWNER
from holdfast.named_tuple import NamedTuple
from holdfast.notes.workspace import Workspace

if TYPE_CHECKING:
    from holdfast.progress import Progress

__all__ = ["apply_batch", "settle_batch"]


def apply_batch(
    store: CheckpointStore, edits: Mapping[NotePath, Edit], authorship: Authorship, progress: Progress | None = None
) -> list[Change]:
    """Make these changes, or none; the caller holds the lock and has settled the journal.

    An edit that returns None for a missing note is not a change.
    """
    earlier = earlier_changes(store)
    if earlier:
        return earlier
    planned = _plan(store.workspace, edits)
    if len(planned) < 2:
        steps = [Step(path.text, new, digest_of(old) or "") for path, old, new in planned]
        return apply_group(store, steps, authorship)
    records = _records(store, planned, authorship)
    _put_in_place(store, planned, records, progress)
    return [add_receipt(Change.of(record)) for record in records]


class _NoteEdit(NamedTuple):
    """The bytes of a note before and after; None where there is no note."""

    path: NotePath
    old: bytes | None
    new: bytes | None


def _plan(workspace: Workspace, edits: Mapping[NotePath, Edit]) -> list[_NoteEdit]:
    """Read all notes, and let the edits say what becomes of them."""
    planned: list[_NoteEdit] = []
    with workspace.reader() as read:
        for requested, edit in edits.items():
            path = permitted_path(workspace, requested)
            try:
                old = read(path).data
            except NoteNotFound:
                old = None
            new = edit(old)
            if new is not None and len(new) > MAX_NOTE_BYTES:
                raise TooLarge("note", len(new), MAX_NOTE_BYTES)
            if old is not None or new is not None:
                planned.append(_NoteEdit(path, old, new))
    return planned


def _records(store: CheckpointStore, planned: Sequence[_NoteEdit], authorship: Authorship) -> list[Record]:
    """Return the lines of the journal that tell of all changes, as one group."""
    last, request = store.journal.latest().record, given_request()
    records: list[Record] = []
    for number, (path, old, new) in enumerate(planned, 1):
        part = GroupStep(records[0].id if records else "", number, len(planned))
        objects = digest_of(old), digest_of(new)
        last = next_record(store, last, path.text, objects, authorship, part=part, request=request)
        records.append(last)
    return records


def _put_in_place(
    store: CheckpointStore, planned: Sequence[_NoteEdit], records: Sequence[Record], progress: Progress | None
) -> None:
    """Write all notes aside, then the journal, then have the notes take their places."""
    replaced = [(path, new, digest_of(old) or "") for path, old, new in planned if new != old]
    blobs = [data for _, *both in planned for data in both if data is not None]
    with store.workspace.replacement(replaced, progress) as put_in_place:
        store.objects.store_all(blobs, records[0].id)
        store.journal.append(*records, durable=True)
        try:
            put_in_place()
        except BaseException:
            # If this fails too, the next writer settles it.
            with suppress(HoldfastError):
                _undo_open_changes(store, records, died=False)
            raise
    # Without this line the next writer finds out by looking at the notes, so it may fail.
    with suppress(HoldfastError):
        store.journal.append(Record(Kind.done, records[-1].seq, records[-1].id), durable=False)


def settle_batch(store: CheckpointStore, records: Sequence[Record]) -> None:
    """Finish the changes that a dead writer left open at the end of the journal; the caller holds the lock."""
    if all(has_happened(store.workspace, record) for record in records):
        store.journal.append(Record(Kind.done, records[-1].seq, records[-1].id), durable=False)
    else:
        _undo_open_changes(store, records, died=True)


def _undo_open_changes(store: CheckpointStore, records: Sequence[Record], *, died: bool) -> None:
    """Make open changes not have happened; a note that a person has edited since is left as it is.

    Where a note has other bytes than those before and after, a writer that `died` may have changed it before that
    person did; a writer that lives to report its failure has not.
    """
    # The next writer only takes back what a dead one left, and adds nothing of its own, so no gate stops it.
    workspace = store.workspace.with_gate(OWNER)
    outcomes: list[Record] = []
    for record in reversed(records):
        path = note_to_change(workspace, record.path, is_known=True)
        if record.before != record.after and digest_of(read_if_any(store.workspace, path)) == record.after:
            with suppress(NoteChangedOutside):  # edited in this very moment
                if record.before is None:
                    workspace.remove(path, expected_hash=record.after)
                else:
                    old = store.objects.load(record.before, record.group)
                    if old is not None and digest_of(old) == record.before:
                        workspace.replace(path, old, expected_hash=record.after or "")
        now = digest_of(read_if_any(store.workspace, path))
        is_done = now != record.before and (died or now == record.after)
        outcomes.append(Record(Kind.done if is_done else Kind.abandoned, record.seq, record.id))
    # In one write, the line of the last change last: the next change goes on counting from it.
    store.journal.append(*reversed(outcomes), durable=False)
