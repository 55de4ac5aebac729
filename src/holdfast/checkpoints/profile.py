"""The only way to change USER.md: like a note, with a checkpoint first, but in a journal of its own.

USER.md belongs to the home and not to an agent. No tool of an agent reads this journal, so none can put an old profile
back or undo what the owner said.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress

from holdfast.checkpoints.change import Change
from holdfast.checkpoints.history import changes, stored_bytes
from holdfast.checkpoints.journal import Journal, Kind, Record, first_id, next_id
from holdfast.checkpoints.objects import Objects
from holdfast.checkpoints.place import Place
from holdfast.checkpoints.prune import Pruned, erase_in
from holdfast.checkpoints.receipts import add_receipt
from holdfast.clock import Clock
from holdfast.errors import CheckpointNotFound, HoldfastError, TooLarge
from holdfast.guard.origin import Origin
from holdfast.guard.paths import NotePath
from holdfast.notes.opening import shut
from holdfast.notes.replacing import ensure, sweep
from holdfast.notes.workspace import Workspace

__all__ = [
    "MAX_PROFILE_BYTES",
    "PROFILE",
    "change_profile",
    "erase_profile",
    "profile_changes",
    "read_profile",
    "undo_profile",
]

PROFILE = "USER.md"
MAX_PROFILE_BYTES = 64 * 1024
"""The most bytes USER.md may have: a profile, not a note."""

_PARTS = ("state", "checkpoints", "_user")  # no agent's id starts so


def read_profile(workspace: Workspace) -> bytes | None:
    """The bytes of USER.md; None when there is none."""
    return workspace.read_file(PROFILE, MAX_PROFILE_BYTES)


def change_profile(
    workspace: Workspace, edit: Callable[[bytes | None], bytes], *, origin: Origin, reason: str, clock: Clock
) -> Change | None:
    """Change or make USER.md; None where that changes nothing. On any error it is as it was."""
    with _opened(workspace) as place:
        old = read_profile(workspace)
        new = edit(old)
        if new == old:
            return None
        if len(new) > MAX_PROFILE_BYTES:
            raise TooLarge(PROFILE, len(new), MAX_PROFILE_BYTES)
        return _apply(place, old, new, origin, "user_profile", reason, clock, None)


def undo_profile(workspace: Workspace, *, origin: Origin, clock: Clock) -> Change:
    """Take back the last change of USER.md that still stands; NoteChangedOutside where it was edited since."""
    with _opened(workspace) as place:
        undone: set[str] = set()
        with closing(changes(place)) as newest_first:
            for change in newest_first:
                if change.undoes is not None:
                    undone.add(change.undoes)
                elif change.id not in undone:
                    break
            else:
                raise CheckpointNotFound(f"last change of {PROFILE}")
        old, reason = stored_bytes(place, change, change.before), f"undid {change.id}"
        now = read_profile(workspace)
        return _apply(place, now, old, origin, "undo", reason, clock, change.id, expected=change.after or "")


def profile_changes(workspace: Workspace, limit: int = 20) -> list[Change]:
    """What was changed in USER.md, newest first."""
    with _opened(workspace) as place, closing(changes(place)) as newest_first:
        return [change for _, change in zip(range(limit), newest_first, strict=False)]


def erase_profile(workspace: Workspace, holds: Callable[[bytes], bool]) -> Pruned:
    """Remove every checkpoint of USER.md whose bytes hold what must not be kept."""
    with _opened(workspace) as place:
        return erase_in(place, holds)


@contextmanager
def _opened(workspace: Workspace) -> Iterator[Place]:
    """The journal of USER.md, with what a dead writer left open settled."""
    disk = workspace.disk
    with workspace.profile_lock():
        fd = ensure(disk, workspace.home_fd, _PARTS, "state/checkpoints")
        try:
            sweep(disk, fd, notes=False)
            place = Place(workspace, Journal(disk, fd), Objects(disk, fd))
            place.journal.repair()
            last = place.journal.latest().record
            if last is not None and last.kind is Kind.change:
                reached = _hash(read_profile(workspace)) != last.before
                kind = Kind.done if reached else Kind.abandoned
                place.journal.append(Record(kind, last.seq, last.id), durable=False)
            yield place
        finally:
            shut(disk, fd)


def _apply(
    place: Place,
    old: bytes | None,
    new: bytes | None,
    origin: Origin,
    tool: str,
    reason: str,
    clock: Clock,
    undoes: str | None,
    *,
    expected: str | None = None,
) -> Change:
    place.workspace.gate.require(NotePath(PROFILE))
    last = place.journal.latest().record
    record = Record(
        Kind.change,
        1 if last is None else last.seq + 1,
        first_id() if last is None else next_id(last.id),
        PROFILE,
        place.objects.store(old),
        place.objects.store(new),
        str(origin),
        tool,
        reason,
        clock.now(),
        undoes,
    )
    place.journal.append(record, durable=True)
    seen = expected if expected is not None else _hash(old) or ""
    try:
        place.workspace.replace_file(PROFILE, new, expected_hash=seen)
    except BaseException:
        _take_back(place, old, new, record)
        raise
    with suppress(HoldfastError):
        place.journal.append(Record(Kind.done, record.seq, record.id), durable=False)
    return add_receipt(Change.of(record))


def _take_back(place: Place, old: bytes | None, new: bytes | None, record: Record) -> None:
    """Make an error mean that nothing changed: the rename may have gone through before the sync failed."""
    with suppress(HoldfastError):
        if new != old and read_profile(place.workspace) == new:
            place.workspace.replace_file(PROFILE, old, expected_hash=_hash(new) or "")
        place.journal.append(Record(Kind.abandoned, record.seq, record.id), durable=False)


def _hash(data: bytes | None) -> str | None:
    return None if data is None else hashlib.sha256(data).hexdigest()
