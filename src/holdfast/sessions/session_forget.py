"""Forgetting a session leaves nothing to be had of it: not in its exports' checkpoints, nor in the log of the hooks.

The exports are known by their stamp, so what was removed long ago is found as well.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from holdfast.context.context import Context
from holdfast.context.index_repair import heal_once
from holdfast.context.session_export import exports_of
from holdfast.errors import Busy, StorageFailed, TooLarge, UnsafeFile
from holdfast.guard.paths import NotePath
from holdfast.qmd.index_removal import remove_index
from holdfast.transcripts.session_key import file_name
from holdfast.transcripts.session_note import session_hash, stamp_of

if TYPE_CHECKING:
    from holdfast.sessions.conversation import Session

__all__ = ["FORGOTTEN", "erase_traces", "is_forgotten", "leaves_traces", "require_erasable"]

FORGOTTEN: Final = "the session was forgotten, and nothing of it is kept"
"""What is told to whoever hands over what was said in it."""

_HOOKS: Final = "hooks.log"
_TELLING: Final = 8  # characters of a client's own id; a shorter one may be part of anything


def is_forgotten(session: Session) -> bool:
    """Say whether the owner wanted this session forgotten.

    Then nobody may keep a record of it without being asked to.
    """
    with suppress(StorageFailed, Busy):  # the log beside the transcripts is asked first, and is enough
        return session.ctx.state_store.forgotten(session.agent, session.key)
    return False


def leaves_traces(ctx: Context, key: str) -> bool:
    """Say whether there is an export of a session, or a checkpoint has one."""
    return bool(exports_of(ctx, key)) or bool(_exports_in_checkpoints(ctx, key))


def require_erasable(ctx: Context, key: str) -> None:
    """Raise WriteModeRefused where a session has exports that the caller may not change, before anything is removed."""
    for path in {*exports_of(ctx, key), *_exports_in_checkpoints(ctx, key)}:
        ctx.workspace.gate.require(NotePath(path))


def erase_traces(ctx: Context, key: str, exports: Collection[str]) -> None:
    """Remove the checkpoints of these exports and of earlier ones, and what the hooks wrote down about them."""
    from holdfast.checkpoints.retention import erase

    known = {*exports, *_exports_in_checkpoints(ctx, key)}
    # The checkpoints last: by them the session is known still, and whoever is killed on the way just asks again.
    _clear_log(ctx, [key, file_name(key), *known, *_own_id(key)])
    remove_index(ctx.workspace)
    if os.path.exists(ctx.index_path):
        from holdfast.dreaming.dream_counts import forget_counts

        # Words of its exports, in free pages and in the log of writes.
        heal_once(ctx, lambda: ctx.index.on_disk().scrub())
        forget_counts(ctx)
    if known:
        # The names of exports are made of what was said, and stand in the journal as well. One that is there again by
        # now is another session's.
        gone = frozenset(path for path in known if not ctx.workspace.exists(path))
        erase(ctx.workspace, lambda data: _is_of(ctx, key, data), paths=gone)


def _exports_in_checkpoints(ctx: Context, key: str) -> set[str]:
    """The notes that hold an export of the session in some checkpoint."""
    from holdfast.checkpoints.change_history import changes
    from holdfast.checkpoints.checkpoint_store import open_for_reading

    with open_for_reading(ctx.workspace) as store:
        if store is None:
            return set()
        held: set[str] = set()
        for digest in store.objects.sizes():
            with suppress(TooLarge, UnsafeFile):
                held |= {digest} if _is_of(ctx, key, store.objects.load(digest) or b"") else set()
        if held:
            return {change.path for change in changes(store) if not held.isdisjoint((change.before, change.after))}
        return set()


def _is_of(ctx: Context, key: str, data: bytes) -> bool:
    stamp = stamp_of(data)
    return stamp is not None and stamp.session == session_hash(ctx.workspace.agent, key)


def _own_id(key: str) -> list[str]:
    """Return what a client calls the session itself, where that is long enough to be nothing else."""
    client_id = key.partition(":")[2]
    if len(client_id) >= _TELLING:
        return [client_id]
    return []


def _clear_log(ctx: Context, words: Collection[str]) -> None:
    wanted = [word.encode("utf-8", "surrogatepass") for word in words]
    with ctx.workspace.local.log(("state",), _HOOKS).exclusive() as still:
        if still is None:
            return
        lines = still.read().splitlines(keepends=True)
        left = [line for line in lines if not any(word in line for word in wanted)]
        if len(left) < len(lines):
            still.rewrite(b"".join(left))
