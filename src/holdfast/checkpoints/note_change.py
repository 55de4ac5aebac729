"""One change of one note, under the lock, after what a dead writer left open is settled."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from holdfast.checkpoints.change import (
    Authorship,
    Change,
    Edit,
    earlier_changes,
    has_happened,
    note_before,
    put_note,
)
from holdfast.checkpoints.checkpoint_store import CheckpointStore, open_for_writing
from holdfast.checkpoints.journal import Kind, Record
from holdfast.guard.paths import NotePath
from holdfast.notes.workspace import Workspace

__all__ = ["change_note", "locked_store", "settle"]


def change_note(
    workspace: Workspace,
    path: NotePath,
    edit: Edit,
    authorship: Authorship,
    *,
    expected_hash: str | None = None,
) -> Change:
    """Change, make or delete a note; on any error it is as it was.

    `expected_hash` is the hash of what the caller read, "" when the note must not exist; None asks for nothing.
    """
    with locked_store(workspace) as store:
        earlier = earlier_changes(store)
        if earlier:
            return earlier[0]
        note = note_before(store, path, expected_hash=expected_hash)
        return put_note(store, note, edit(note.data), authorship)


@contextmanager
def locked_store(workspace: Workspace) -> Iterator[CheckpointStore]:
    """Take the lock of the notes, and open their checkpoints with what a dead writer left open settled."""
    with workspace.lock(), open_for_writing(workspace) as store:
        settle(store)
        yield store


def settle(store: CheckpointStore) -> None:
    """Finish the changes that a dead writer left open; the caller holds the lock."""
    store.journal.repair()
    last, latest = store.journal.latest()
    if last is not None and last.kind is Kind.change:
        open_changes = store.journal.open_changes()
        for record in open_changes:
            store.workspace.sweep_beside(record.path)
        if len(open_changes) > 1:
            from holdfast.checkpoints.batch import settle_batch

            settle_batch(store, open_changes)
        else:
            if has_happened(store.workspace, last):
                kind = Kind.done
            else:
                kind = Kind.abandoned
            store.journal.append(Record(kind, last.seq, last.id), durable=False)
    if latest is not None and latest.group:
        from holdfast.checkpoints.group import undo_unfinished_group

        undo_unfinished_group(store)
