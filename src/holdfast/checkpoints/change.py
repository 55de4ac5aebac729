"""The only way to change a note: its bytes before and after are stored, the journal says so, then the note changes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress

from holdfast.checkpoints.change_id import given_id, given_request, refuse_other_request, take_given_id
from holdfast.checkpoints.checkpoint_store import CheckpointStore, open_for_reading
from holdfast.checkpoints.journal import Kind, Record
from holdfast.checkpoints.receipts import add_receipt
from holdfast.clock import Clock
from holdfast.errors import (
    BadPath,
    HoldfastError,
    NoteChangedOutside,
    NoteNotFound,
    TooLarge,
    UnsafeFile,
)
from holdfast.guard.origin import Origin
from holdfast.guard.paths import NotePath, changeable_path, owner_writable_path, readable_path
from holdfast.guard.text_rules import MAX_NOTE_BYTES
from holdfast.named_tuple import NamedTuple
from holdfast.notes.workspace import Workspace

__all__ = [
    "Authorship",
    "Change",
    "Edit",
    "GroupStep",
    "NoteBefore",
    "change_unrecorded",
    "digest_of",
    "earlier_changes",
    "has_happened",
    "next_record",
    "note_before",
    "note_to_change",
    "permitted_path",
    "put_note",
    "read_if_any",
    "sent_before",
]

Edit = Callable[[bytes | None], bytes | None]
"""Takes a note's bytes (None: there is no note) and gives the new ones (None: there shall be none)."""


class Authorship(NamedTuple):
    """The authorship of a change: who makes it, by which operation and clock, and why."""

    origin: Origin
    tool: str
    clock: Clock
    reason: str = ""
    author: str = ""
    """Whose words it brings, where that is not who makes it: an approval is the owner's, of an agent's words."""


class GroupStep(NamedTuple):
    """The place of a change in its group: step `step` of `steps`.

    `group` is the id of the first change, "" where this is the first.
    """

    group: str
    step: int
    steps: int


class NoteBefore(NamedTuple):
    """A note before a change: its name on disk, its bytes (None: there is no note) and their hash ("" then)."""

    path: NotePath
    data: bytes | None
    hash: str


class Change(NamedTuple):
    """One change of one note. `before` and `after` are hashes, None where there was no note."""

    id: str
    seq: int
    path: str
    before: str | None
    after: str | None
    origin: str
    tool: str
    reason: str
    at: float
    undoes: str | None = None
    group: str = ""
    """The changes with the same one are one to the user; "" for a change that stands alone."""
    step: int = 0
    steps: int = 0
    author: str = ""
    """Whose words it brought, where that is not who made it."""

    @property
    def words_of(self) -> str:
        """The origin of the words that it brought."""
        return self.author or self.origin

    @classmethod
    def of(cls, record: Record) -> Change:
        """Return the change that a record of the journal describes."""
        return cls(
            record.id,
            record.seq,
            record.path,
            record.before,
            record.after,
            record.origin,
            record.tool,
            record.reason,
            record.at,
            record.undoes,
            record.group,
            record.step,
            record.steps,
            record.author,
        )


def change_unrecorded(workspace: Workspace, path: NotePath, data: bytes | None, *, expected_hash: str) -> None:
    """Change a note in a folder of the owner's own, where changes have no checkpoints; None removes it."""
    workspace.gate.require(path)
    with workspace.lock():
        if data is None:
            workspace.remove(path, expected_hash=expected_hash)
            return
        workspace.refuse_unsafe(path)
        workspace.replace(path, data, expected_hash=expected_hash)


def next_record(
    store: CheckpointStore,
    last: Record | None,
    path: str,
    objects: tuple[str | None, str | None],
    authorship: Authorship,
    *,
    undoes: str | None = None,
    part: GroupStep | None = None,
    request: str = "",
) -> Record:
    """Return the line of the journal after `last`, for a change between two objects: before it, and after it.

    `request` is the digest of the request, for a change whose request has given its id to another.
    """
    request = request or given_request()  # before the id is taken: from then on the request has none
    own_id = store.journal.new_id(last)
    before, after = objects
    if part is None:
        group, step, steps = "", 0, 0
    else:
        group, step, steps = part.group or own_id, part.step, part.steps
    return Record(
        Kind.change,
        1 if last is None else last.seq + 1,
        own_id,
        path,
        before,
        after,
        str(authorship.origin),
        authorship.tool,
        authorship.reason,
        authorship.clock.now(),
        undoes,
        group,
        step,
        steps,
        request,
        authorship.author,
    )


def note_before(
    store: CheckpointStore, path: NotePath, *, expected_hash: str | None = None, is_known: bool = False
) -> NoteBefore:
    """Read a note that is about to be changed; the caller holds the lock.

    Raises where the holder of the workspace may not change it, and where it has another hash than was expected.
    """
    path = permitted_path(store.workspace, path, is_known=is_known)
    data = read_if_any(store.workspace, path)
    found_hash = digest_of(data) or ""
    if expected_hash is not None and expected_hash != found_hash:
        raise NoteChangedOutside(path.text, expected_hash, found_hash)
    return NoteBefore(path, data, found_hash)


def put_note(
    store: CheckpointStore,
    note: NoteBefore,
    new: bytes | None,
    authorship: Authorship,
    *,
    undoes: str | None = None,
    part: GroupStep | None = None,
) -> Change:
    """Record a change of a note and make it: these bytes are its new ones, None removes it."""
    workspace, path, old = store.workspace, note.path, note.data
    if new is not None and len(new) > MAX_NOTE_BYTES:
        raise TooLarge("note", len(new), MAX_NOTE_BYTES)
    if new is not None and new != old:
        workspace.refuse_unsafe(path)
    last, recent = store.journal.latest()
    durable = () if recent is None else (recent.before, recent.after)
    objects = (store.objects.store(old, durable), store.objects.store(new, durable, onto=old))
    record = next_record(store, last, path.text, objects, authorship, undoes=undoes, part=part)
    store.journal.append(record, durable=True)
    try:
        if new is None and old is not None:
            workspace.remove(path, expected_hash=note.hash)
        elif new is not None and new != old:
            workspace.replace(path, new, expected_hash=note.hash)
    except BaseException:
        _take_back(store, path, old, new, record)
        raise
    # Without this line the next writer finds out by looking at the note, so it may fail.
    with suppress(HoldfastError):
        store.journal.append(Record(Kind.done, record.seq, record.id), durable=False)
    return add_receipt(Change.of(record))


def earlier_changes(store: CheckpointStore) -> list[Change]:
    """Return the changes that this very request made before, where the caller gave it an id and its answer was lost.

    The next change of the request is a new one then. KeyUsed where another request made them.
    """
    found = _found_before(store)
    if found:
        take_given_id()
    return [add_receipt(change) for change in found]


def sent_before(workspace: Workspace) -> list[Change]:
    """Return the same without the lock, to look before what would refuse a request that was carried out already."""
    if given_id() is None:
        return []
    with open_for_reading(workspace) as store:
        if store is None:
            return []
        return _found_before(store)


def _found_before(store: CheckpointStore) -> list[Change]:
    given = given_id()
    if given is None:
        found = []
    else:
        found = store.journal.find(given)
    if found:
        refuse_other_request(found[0].request)
    return [Change.of(record) for record in found]


def note_to_change(workspace: Workspace, text: str, *, is_known: bool = False) -> NotePath:
    """Return the path of a note that the holder of the workspace may change, or raise BadPath.

    The owner changes every note that is there, whatever an editor called it; a new one gets a name that is safe.
    """
    if not workspace.gate.is_owner:
        return changeable_path(text)
    path = readable_path(text)
    if is_known or workspace.exists(path):
        return path
    return owner_writable_path(text)


def permitted_path(workspace: Workspace, path: NotePath, *, is_known: bool = False) -> NotePath:
    """Return the name on disk of a note that is to be changed, or raise where the gate or the name does not allow it.

    memory.md may stand in for MEMORY.md: from here on the note has the name it has on disk.
    """
    path = note_to_change(workspace, path.text, is_known=is_known)
    path = note_to_change(workspace, workspace.spot(path).path, is_known=is_known)
    workspace.gate.require(path)
    return path


def has_happened(workspace: Workspace, record: Record) -> bool:
    """Say whether an open change reached its note.

    If someone edited the note since, it is taken to have.
    """
    try:
        now = digest_of(read_if_any(workspace, readable_path(record.path)))
    except (BadPath, TooLarge, UnsafeFile):
        return True
    return now == record.after or now != record.before


def _take_back(store: CheckpointStore, path: NotePath, old: bytes | None, new: bytes | None, record: Record) -> None:
    """Make an error mean that nothing changed.

    The rename may have gone through before the sync of the directory failed. The caller will see an error and try
    again, and an append that is tried again must not be there twice. If this fails too, the next writer settles it.
    """
    with suppress(HoldfastError):
        if read_if_any(store.workspace, path) == new:
            try:
                if old is None:
                    store.workspace.remove(path, expected_hash=digest_of(new))
                else:
                    store.workspace.replace(path, old, expected_hash=digest_of(new) or "")
            except HoldfastError:
                # The bytes may be back although the disk still fails to sync; look again.
                if read_if_any(store.workspace, path) == new:
                    return
        store.journal.append(Record(Kind.abandoned, record.seq, record.id), durable=False)


def read_if_any(workspace: Workspace, path: NotePath) -> bytes | None:
    """Return the bytes of a note; None where there is none."""
    try:
        return workspace.read(path).data
    except NoteNotFound:
        return None


def digest_of(data: bytes | None) -> str | None:
    """Return the name of an object by its bytes; None where there is none."""
    if data is None:
        return None
    return hashlib.sha256(data).hexdigest()
