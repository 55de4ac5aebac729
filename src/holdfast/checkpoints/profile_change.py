"""The only way to change USER.md, and `[user]` with it: like a note, with a checkpoint first, in a journal of its own.

What the user says of themselves stands in both; the two changes are a group, and one undo takes both back. USER.md
belongs to the home and not to an agent. No tool of an agent reads this journal, so no agent can restore an old profile
or undo what the owner said.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress

from holdfast.checkpoints.change import Authorship, Change, GroupStep, digest_of, next_record
from holdfast.checkpoints.change_history import changes, stored_bytes
from holdfast.checkpoints.checkpoint_store import CheckpointStore, open_for_reading, open_for_writing
from holdfast.checkpoints.group import authorship_of_rest, unreverted_changes
from holdfast.checkpoints.journal import Kind, Record
from holdfast.checkpoints.receipts import add_receipt
from holdfast.checkpoints.retention import Pruned, erase_in
from holdfast.checkpoints.revert import revert_change
from holdfast.clock import Clock
from holdfast.errors import CheckpointNotFound, HoldfastError, NoteChangedOutside, Refused, TooLarge, UnsafeFile
from holdfast.guard.origin import Origin
from holdfast.guard.paths import NotePath
from holdfast.named_tuple import NamedTuple
from holdfast.notes.profile_file import MAX_PROFILE_BYTES, PROFILE, read_profile
from holdfast.notes.workspace import Workspace
from holdfast.settings.loader import FILE_NAME, settings_file

__all__ = [
    "PROFILE_STORE",
    "ProfileChange",
    "UserSetting",
    "change_profile",
    "erase_profile",
    "profile_changes",
    "undo_profile",
]

_FORCED_UNDO = "forced_undo"  # as a tool in the journal: an undo that can itself be taken back
PROFILE_STORE = "_user"  # no agent's id starts so


class UserSetting(NamedTuple):
    """A field of [user] in holdfast.toml, and the value that it is to have."""

    field: str
    value: str


class ProfileChange(NamedTuple):
    """A change of USER.md; `refused` says why it is as it was, where it is nothing to edit."""

    change: Change | None
    refused: HoldfastError | None = None


def change_profile(
    workspace: Workspace,
    edit: Callable[[bytes | None], bytes] | None,
    authorship: Authorship,
    *,
    setting: UserSetting | None = None,
) -> ProfileChange:
    """Change or make USER.md, and set a field of [user] with it: one change, and one undo takes both back.

    On any error both stay as they were, with one exception: where USER.md can't be edited, the field is set all the
    same.
    """
    with _open_store(workspace) as store:
        steps: list[_Step] = []
        refused = None
        if edit is not None:
            try:
                steps += _profile_steps(workspace, edit)
            except (Refused, UnsafeFile) as error:  # it is no profile, and stays what it is
                if setting is None:
                    raise
                refused = error
        if setting is not None:
            steps += _setting_steps(workspace, setting)
        applied = _apply_together(store, steps, authorship)
        return ProfileChange(next((each for each in applied if each.path == PROFILE), None), refused)


class _Step(NamedTuple):
    """One of two places of the profile, with its bytes now and the bytes that it is to have."""

    path: str
    old: bytes | None
    new: bytes | None


def _profile_steps(workspace: Workspace, edit: Callable[[bytes | None], bytes]) -> list[_Step]:
    old = read_profile(workspace)
    new = edit(old)
    if new == old:
        return []
    if len(new) > MAX_PROFILE_BYTES:
        raise TooLarge(PROFILE, len(new), MAX_PROFILE_BYTES)
    return [_Step(PROFILE, old, new)]


def _setting_steps(workspace: Workspace, setting: UserSetting) -> list[_Step]:
    old, new = _user_setting(workspace, setting.field), _setting_bytes(*setting)
    return [] if new == old else [_Step(FILE_NAME, old, new)]


def _apply_together(store: CheckpointStore, steps: list[_Step], authorship: Authorship) -> list[Change]:
    """Make all these changes, USER.md first, or none."""
    applied: list[Change] = []
    try:
        for number, step in enumerate(steps, 1):
            part = None
            if len(steps) > 1:
                part = GroupStep(applied[0].id if applied else "", number, len(steps))
            applied.append(_apply(store, step, authorship, part=part))
    except BaseException:
        with suppress(HoldfastError):  # if this fails too, the next writer settles it
            _undo_half(store)
        raise
    return applied


def _undo_half(store: CheckpointStore) -> None:
    """Take USER.md back where its writer failed or died before [user] was set; no change is open.

    A journal of an earlier version has [user] first, and may have nothing after that by intent.
    """
    last, change = store.journal.latest()
    if last is None or change is None or last.id != change.id or change.steps != 2:
        return
    if (change.path, change.step) not in ((PROFILE, 1), (FILE_NAME, 2)) or (
        last.kind is Kind.done and change.step == 2
    ):
        return
    for half in unreverted_changes(store, change.group):
        before, after = stored_bytes(store, half, half.before), stored_bytes(store, half, half.after)
        if _current_bytes(store.workspace, half.path, before or after) == after:  # else somebody has edited it since
            _apply(store, _Step(half.path, after, before), authorship_of_rest(half), undoes=half.id)


def undo_profile(workspace: Workspace, *, origin: Origin, clock: Clock, force: bool = False) -> list[Change]:
    """Take back the last change that still stands, in USER.md and in [user]; the newest comes first.

    What was edited beside it stays. Raises NoteChangedOutside, and takes nothing back, where what it made was edited
    since, unless `force`: then all is put back as it was before, and the next undo takes that back.
    """
    with _open_store(workspace) as store:
        steps = [_undo_step(store, change) for change in _last_unreverted(store)]
        edited = [step for step in steps if step.is_edited]
        if edited and not force:
            first = edited[0]
            raise NoteChangedOutside(first.change.path, first.change.after or "", digest_of(first.now) or "")
        applied: list[Change] = []
        for number, step in enumerate(steps, 1):
            first_id = applied[0].id if applied else ""
            part = None
            if edited:
                part = GroupStep(first_id, number, len(steps))
            tool = _FORCED_UNDO if edited else "undo"
            authorship = Authorship(origin, tool, clock, f"undid {step.change.id}")
            back = _Step(step.change.path, step.now, step.back)
            applied.append(_apply(store, back, authorship, undoes=step.change.id, part=part))
        return applied


class _UndoStep(NamedTuple):
    """One change that is to be taken back: the bytes now, and the bytes to put there."""

    change: Change
    now: bytes | None
    back: bytes | None
    is_edited: bool
    """True when somebody has edited what the change made, so that taking it back takes theirs as well."""


def _undo_step(store: CheckpointStore, change: Change) -> _UndoStep:
    before, after = stored_bytes(store, change, change.before), stored_bytes(store, change, change.after)
    now = _current_bytes(store.workspace, change.path, before)
    if now in (before, after) or change.path != PROFILE:
        return _UndoStep(change, now, before, is_edited=now not in (before, after))
    whole, rest = revert_change(after, before, after), revert_change(now, before, after)
    if (rest.gone, rest.back, rest.kept) == (whole.gone, whole.back, 0):
        return _UndoStep(change, now, rest.data, is_edited=False)
    return _UndoStep(change, now, before, is_edited=True)


def _last_unreverted(store: CheckpointStore) -> list[Change]:
    """Return the last change that nobody took back, with its group."""
    undone: set[str] = set()
    standing: list[Change] = []
    with closing(changes(store)) as newest_first:
        for change in newest_first:
            if change.id in undone:
                continue
            if change.undoes is not None:
                undone.add(change.undoes)
                if change.tool != _FORCED_UNDO:  # which has taken away what somebody wrote by hand
                    continue
            if not standing or (change.group and change.group == standing[0].group):
                standing.append(change)
    if not standing:
        raise CheckpointNotFound("last change")
    return standing


def profile_changes(workspace: Workspace, limit: int = 20) -> list[Change]:
    """Return the changes of USER.md, newest first."""
    with _open_store(workspace) as store, closing(changes(store)) as newest_first:
        return [change for _, change in zip(range(limit), newest_first, strict=False)]


def erase_profile(workspace: Workspace, holds: Callable[[bytes], bool]) -> Pruned:
    """Remove every checkpoint of USER.md whose bytes hold what must not be kept."""
    with open_for_reading(workspace, PROFILE_STORE) as kept:
        if kept is None:
            return Pruned(0, 0, 0)
    with _open_store(workspace) as store:
        return erase_in(store, holds)


@contextmanager
def _open_store(workspace: Workspace) -> Iterator[CheckpointStore]:
    """Open the journal of USER.md, and settle what a dead writer left open."""
    with workspace.home_lock(), open_for_writing(workspace, PROFILE_STORE) as store:
        store.journal.repair()
        last = store.journal.latest().record
        if last is not None and last.kind is Kind.change:
            stored = None
            if last.path != PROFILE:
                stored = store.objects.load(last.before or last.after or "")
            reached = digest_of(_current_bytes(workspace, last.path, stored)) != last.before
            kind = Kind.done if reached else Kind.abandoned
            store.journal.append(Record(kind, last.seq, last.id), durable=False)
        _undo_half(store)
        yield store


def _apply(
    store: CheckpointStore,
    step: _Step,
    authorship: Authorship,
    *,
    undoes: str | None = None,
    part: GroupStep | None = None,
) -> Change:
    path, old, new = step
    store.workspace.gate.require(NotePath(PROFILE))
    last = store.journal.latest().record
    objects = (store.objects.store(old), store.objects.store(new))
    record = next_record(store, last, path, objects, authorship, undoes=undoes, part=part)
    store.journal.append(record, durable=True)
    try:
        _write(store.workspace, path, old, new)
    except BaseException:
        _take_back(store, old, new, record)
        raise
    with suppress(HoldfastError):
        store.journal.append(Record(Kind.done, record.seq, record.id), durable=False)
    return add_receipt(Change.of(record))


def _take_back(store: CheckpointStore, old: bytes | None, new: bytes | None, record: Record) -> None:
    """Make an error mean that nothing changed: the rename may have gone through before the sync failed."""
    with suppress(HoldfastError):
        if new != old and _current_bytes(store.workspace, record.path, old) == new:
            _write(store.workspace, record.path, new, old)
        store.journal.append(Record(Kind.abandoned, record.seq, record.id), durable=False)


def _write(workspace: Workspace, path: str, old: bytes | None, new: bytes | None) -> None:
    """Put new bytes in the place of USER.md, or new values in that of a field of [user]."""
    if path == PROFILE:
        workspace.replace_file(PROFILE, new, expected_hash=digest_of(old) or "")
        return
    # Imported here: every command loads this module, and few write settings.
    from holdfast.settings.toml_edit import set_value, unset_value

    data = workspace.read_file(FILE_NAME)
    file, changed = settings_file(workspace.home), (data or b"").decode("utf-8", "replace")
    for field, value in json.loads(new or b"{}").items():
        key = f"user.{field}"
        if value is None:
            changed = unset_value(changed, key, file=file, with_table=True)
        else:
            changed = set_value(changed, key, value, file=file)
    # An editor holds no lock of ours: what it wrote a moment ago must not be lost.
    workspace.replace_file(FILE_NAME, changed.encode("utf-8"), expected_hash=digest_of(data) or "")


def _current_bytes(workspace: Workspace, path: str, stored: bytes | None) -> bytes | None:
    """Return the bytes of USER.md now, or of the field of [user] that was stored."""
    if path == PROFILE:
        return read_profile(workspace)
    field = next(iter(json.loads(stored or b"{}")), "")
    return _user_setting(workspace, field)


def _user_setting(workspace: Workspace, field: str) -> bytes:
    from holdfast.settings.document import read_tables

    text = (workspace.read_file(FILE_NAME) or b"").decode("utf-8", "replace")
    user = read_tables(text.removeprefix("\ufeff"), settings_file(workspace.home)).get("user")
    return _setting_bytes(field, user.get(field) if isinstance(user, dict) else None)


def _setting_bytes(field: str, value: object) -> bytes:
    return json.dumps({field: value}, ensure_ascii=False).encode()
