"""Check whether a change can still be taken out of its notes without touching what was changed since."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.checkpoints.change import Change, digest_of, read_if_any
from holdfast.checkpoints.change_history import stored_bytes
from holdfast.checkpoints.checkpoint_store import CheckpointStore
from holdfast.checkpoints.revert import revert_change
from holdfast.context.context import Context
from holdfast.errors import HoldfastError
from holdfast.guard.paths import readable_path

__all__ = ["UndoCheck"]


class UndoCheck:
    """The notes as they are now, each read once, for as many changes as are asked about."""

    def __init__(self, ctx: Context, store: CheckpointStore) -> None:
        """Read nothing yet."""
        self._ctx = ctx
        self._store = store
        self._held: dict[str, tuple[bytes | None, str | None]] = {}
        self.compared = 0
        """How many bytes were compared so far."""

    def changed_since(self, together: Sequence[Change]) -> list[Change]:
        """Return those of these changes (made as one, oldest first) whose note is no longer what they made it."""
        # The last of these changes of a note made it what it is.
        return [member for member in {each.path: each for each in together}.values() if not self._is_current(member)]

    def why_not(self, together: Sequence[Change]) -> str:
        """Return why changes that were made as one, oldest first, can't be taken out; empty where they can."""
        paths = [member.path for member in together]
        for member in self.changed_since(together):
            if paths.count(member.path) > 1:
                return f"{member.path} was changed since."
            if because := self._why_it_stays(member):
                return because
        return ""

    def _why_it_stays(self, change: Change) -> str:
        try:
            now, _ = self._now(change.path)
            before = stored_bytes(self._store, change, change.before)
            self.compared += len(now or b"") + len(before or b"")
            reversal = revert_change(now, before, stored_bytes(self._store, change, change.after))
        except HoldfastError as error:
            return str(error)
        if reversal.kept:
            return f"The same lines of {change.path} were changed since."
        return "" if reversal.data != now else f"Nothing of it is left in {change.path}."

    def _is_current(self, change: Change) -> bool:
        try:
            return self._now(change.path)[1] == change.after
        except HoldfastError:
            return False  # whatever stands there, no change of ours made it

    def _now(self, path: str) -> tuple[bytes | None, str | None]:
        """The bytes of a note, and their hash; nothing where there is no note."""
        if path not in self._held:
            data = read_if_any(self._ctx.workspace, readable_path(path))
            self._held[path] = data, digest_of(data)
        return self._held[path]
