"""What was changed, when and by whom, newest first; and what each change did to the words."""

from __future__ import annotations

import hashlib
from collections.abc import Generator
from contextlib import closing

from holdfast.checkpoints.change import Change, happened
from holdfast.checkpoints.checkpoint_store import Place, for_reading
from holdfast.checkpoints.journal import Kind, parse
from holdfast.errors import CheckpointDamaged, CheckpointNotFound, NoteNotFound, TooLarge, UnsafeFile
from holdfast.guard.paths import readable
from holdfast.notes.workspace import Workspace

__all__ = ["after_bytes", "before_bytes", "changes", "diff", "find", "history", "stored_bytes"]

_SHORTEST_PREFIX = 4


def history(workspace: Workspace, *, path: str | None = None, limit: int = 20) -> list[Change]:
    """The last changes, of one note or of all, newest first."""
    with for_reading(workspace) as place:
        if place is None or limit <= 0:
            return []
        listed: list[Change] = []
        with closing(changes(place)) as newest_first:
            for each in newest_first:
                if path is None or each.path == path:
                    listed.append(each)
                    if len(listed) == limit:
                        break
        return listed


def changes(place: Place, mark: bytes = b"") -> Generator[Change, None, None]:
    """Every change that happened, newest first; with `mark`, only those with these bytes in their line."""
    abandoned: set[str] = set()
    at_the_end = True
    with closing(place.journal.lines_backwards()) as lines:
        for line in lines:
            # Parsing is most of the cost, and in a long journal few lines are about what is sought.
            record = parse(line) if line and (at_the_end or mark in line) else None
            if record is None:
                continue
            at_the_end = at_the_end and record.kind is Kind.change
            if record.kind is Kind.abandoned:
                abandoned.add(record.id)
            elif (
                record.kind is Kind.change
                and record.id not in abandoned
                # The changes at the end may still be under way, or their writer died.
                and (not at_the_end or happened(place.workspace, record))
                and mark in line
            ):
                yield Change.of(record)


def find(workspace: Workspace, id: str) -> Change:  # noqa: A002 - the name in the journal
    """The change with this id, or with the only id that starts so (4 characters at least)."""
    with for_reading(workspace) as place:
        matches: list[Change] = []
        if place is not None and len(id) >= _SHORTEST_PREFIX and id.isascii():
            with closing(changes(place, f'"id":"{id}'.encode())) as newest_first:
                for each in newest_first:
                    if each.id == id:
                        return each
                    if each.id.startswith(id):
                        matches.append(each)
        if len(matches) == 1:
            return matches[0]
    raise CheckpointNotFound(f"{id} (several start so)" if matches else id)


def before_bytes(workspace: Workspace, change: Change) -> bytes | None:
    """The note as it was before a change; None when there was none."""
    return _load(workspace, change, change.before)


def after_bytes(workspace: Workspace, change: Change) -> bytes | None:
    """The note as it was after a change; None when there was none."""
    return _load(workspace, change, change.after)


def diff(workspace: Workspace, id: str, *, against_now: bool = False) -> str:  # noqa: A002
    """A unified diff of a change, or from before it to the note as it is now; empty when nothing differs."""
    from holdfast.checkpoints.line_diff import unified

    change = find(workspace, id)
    old = before_bytes(workspace, change)
    if not against_now:
        new = after_bytes(workspace, change)
        return unified(old, new, f"{change.path} before {change.id}", f"{change.path} after {change.id}")
    try:
        new = workspace.read(readable(change.path)).data
    except NoteNotFound:
        new = None
    return unified(old, new, f"{change.path} before {change.id}", f"{change.path} now")


def stored_bytes(place: Place, change: Change, digest: str | None) -> bytes | None:
    """The stored bytes of a change, checked against their hash."""
    if digest is None:
        return None
    try:
        data = place.objects.load(digest, change.group)
    except (UnsafeFile, TooLarge) as error:
        raise CheckpointDamaged(change.id, "its bytes are not in a plain file of ours") from error
    if data is None:
        raise CheckpointDamaged(change.id, "its bytes are missing")
    if hashlib.sha256(data).hexdigest() != digest:
        raise CheckpointDamaged(change.id, "its bytes are not those that were stored")
    return data


def _load(workspace: Workspace, change: Change, digest: str | None) -> bytes | None:
    with for_reading(workspace) as place:
        if place is None:
            if digest is None:
                return None
            raise CheckpointDamaged(change.id, "its bytes are missing")
        return stored_bytes(place, change, digest)
