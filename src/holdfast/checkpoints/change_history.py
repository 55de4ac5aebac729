"""List what was changed, when and by whom, newest first; and what each change did to the words."""

from __future__ import annotations

import hashlib
from collections.abc import Generator
from contextlib import closing

from holdfast.checkpoints.change import Change, has_happened
from holdfast.checkpoints.checkpoint_store import CheckpointStore, open_for_reading
from holdfast.checkpoints.journal import Kind, parse_record
from holdfast.errors import CheckpointDamaged, CheckpointNotFound, NoteNotFound, TooLarge, UnsafeFile
from holdfast.guard.paths import readable_path
from holdfast.notes.workspace import Workspace

__all__ = ["after_bytes", "before_bytes", "changes", "diff", "find_change", "history", "stored_bytes"]

_MIN_PREFIX_CHARACTERS = 4


def history(workspace: Workspace, *, path: str | None = None, limit: int = 20) -> list[Change]:
    """Return the last changes, of one note or of all, newest first."""
    with open_for_reading(workspace) as store:
        if store is None or limit <= 0:
            return []
        listed: list[Change] = []
        with closing(changes(store)) as newest_first:
            for change in newest_first:
                if path is None or change.path == path:
                    listed.append(change)
                    if len(listed) == limit:
                        break
        return listed


def changes(store: CheckpointStore, mark: bytes = b"") -> Generator[Change, None, None]:
    """Yield every change that happened, newest first.

    With `mark`, only those with these bytes in their line.
    """
    abandoned: set[str] = set()
    at_the_end = True
    with closing(store.journal.lines_backwards()) as lines:
        for line in lines:
            # Parsing is most of the cost, and in a long journal few lines are about what is sought.
            record = None
            if line and (at_the_end or mark in line):
                record = parse_record(line)
            if record is None:
                continue
            at_the_end = at_the_end and record.kind is Kind.change
            if record.kind is Kind.abandoned:
                abandoned.add(record.id)
            elif (
                record.kind is Kind.change
                and record.id not in abandoned
                # The changes at the end may still be under way, or their writer died.
                and (not at_the_end or has_happened(store.workspace, record))
                and mark in line
            ):
                yield Change.of(record)


def find_change(workspace: Workspace, id: str) -> Change:  # noqa: A002 - the name in the journal
    """Return the change with this id, or with the only id that starts with it.

    A prefix needs at least 4 characters.
    """
    with open_for_reading(workspace) as store:
        matches: list[Change] = []
        if store is not None and len(id) >= _MIN_PREFIX_CHARACTERS and id.isascii():
            with closing(changes(store, f'"id":"{id}'.encode())) as newest_first:
                for change in newest_first:
                    if change.id == id:
                        return change
                    if change.id.startswith(id):
                        matches.append(change)
        if len(matches) == 1:
            return matches[0]
    raise CheckpointNotFound(f"{id} (several start so)" if matches else id)


def before_bytes(workspace: Workspace, change: Change) -> bytes | None:
    """Return the note as it was before a change; None when there was none."""
    return _load_bytes(workspace, change, change.before)


def after_bytes(workspace: Workspace, change: Change) -> bytes | None:
    """Return the note as it was after a change; None when there was none."""
    return _load_bytes(workspace, change, change.after)


def diff(workspace: Workspace, id: str, *, against_now: bool = False) -> str:  # noqa: A002
    """Return a unified diff of a change; empty when nothing differs.

    With `against_now`, it goes from before the change to the note as it is now.
    """
    from holdfast.checkpoints.line_diff import render_diff

    change = find_change(workspace, id)
    old = before_bytes(workspace, change)
    if not against_now:
        new = after_bytes(workspace, change)
        return render_diff(old, new, f"{change.path} before {change.id}", f"{change.path} after {change.id}")
    try:
        new = workspace.read(readable_path(change.path)).data
    except NoteNotFound:
        new = None
    return render_diff(old, new, f"{change.path} before {change.id}", f"{change.path} now")


def stored_bytes(store: CheckpointStore, change: Change, digest: str | None) -> bytes | None:
    """Return the stored bytes of a change, checked against their hash."""
    if digest is None:
        return None
    try:
        data = store.objects.load(digest, change.group)
    except (UnsafeFile, TooLarge) as error:
        raise CheckpointDamaged(change.id, "its bytes are not in a plain file of ours") from error
    if data is None:
        raise CheckpointDamaged(change.id, "its bytes are missing")
    if hashlib.sha256(data).hexdigest() != digest:
        raise CheckpointDamaged(change.id, "its bytes are not those that were stored")
    return data


def _load_bytes(workspace: Workspace, change: Change, digest: str | None) -> bytes | None:
    with open_for_reading(workspace) as store:
        if store is None:
            if digest is None:
                return None
            raise CheckpointDamaged(change.id, "its bytes are missing")
        return stored_bytes(store, change, digest)
