"""The operations of the harness that were done, so that one that is sent again is not done again.

A receipt is begun before the note changes and ended after it. Where a process died in between, the journal of changes
knows: the reason of a change names its operation.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from holdfast.errors import SecretFound
from holdfast.memory import Memory
from holdfast.surfaces.adapters.json_redaction import redact_json
from holdfast.transcripts.state import BoundState

if TYPE_CHECKING:
    from pydantic_ai_harness.memory import MemoryMutation, MemoryOperation


__all__ = ["Receipts"]

_SESSION = "adapter-pydantic-ai"
_RECEIPTS, _WRITTEN = "receipts", "written"
_MOST = 1024  # as many as the stores of the harness itself keep
_SPARE = 128
_LOOK_BACK = 50  # changes of one note: a receipt that was left open is nearly always the last of them

_Result = TypeVar("_Result")


class Receipts:
    """The receipts in the state of a session of their own, and who wrote the last version of each note."""

    def __init__(self, memory: Memory) -> None:
        self._memory, self._begun = memory, 0

    def find(self, operation: MemoryOperation) -> MemoryMutation | None:
        """Return what the operation did, or None; MemoryOperationConflictError where its id was another operation's."""
        from pydantic_ai_harness.memory import MemoryMutation, MemoryOperationConflictError

        held = self._with(lambda state: state.get(_RECEIPTS, _key(operation.id)))
        if held is None:
            return None
        if held["fingerprint"] != operation.fingerprint:
            raise MemoryOperationConflictError(f"operation id {operation.id!r} was reused with different arguments")
        if not held["done"]:
            # The writer died, or is still at it: the journal says whether the note has changed.
            reason = _reason(operation)
            made = [
                change for change in self._memory.history(held["path"], limit=_LOOK_BACK) if change.reason == reason
            ]
            if not made:
                return None
            held = {**held, "version": made[0].after, "done": True}
            self._with(lambda state: state.set(_RECEIPTS, _key(operation.id), held))
        return MemoryMutation(held["version"], replayed=True, existed=held["existed"])

    def begin(self, operation: MemoryOperation | None, note: str, *, existed: bool) -> str:
        """Note that an operation is about to be done; gives the reason that its change is to have."""
        if operation is None:
            return "harness"
        held = {"fingerprint": operation.fingerprint, "path": note, "version": None, "existed": existed, "done": False}
        self._with(lambda state: state.set(_RECEIPTS, _key(operation.id), held))
        self._begun += 1
        if self._begun % _SPARE == 1:
            self._with(_pruned)
        return _reason(operation)

    def end(
        self, operation: MemoryOperation | None, note: str, made: MemoryMutation, metadata: dict[str, str] | None
    ) -> None:
        """Note what it did, and what the note has become."""

        def ended(state: BoundState) -> None:
            if operation is not None:
                # Whole, because another process that tried the same may have dropped what was begun.
                done = {"path": note, "version": made.version, "existed": made.existed, "done": True}
                state.set(_RECEIPTS, _key(operation.id), {"fingerprint": operation.fingerprint, **done})
            if made.version is None:
                state.delete(_WRITTEN, _key(note))
                return
            by = None
            if operation is not None:
                by = operation.id
            written = {"path": note, "version": made.version, "operation": by, "metadata": metadata}
            try:
                state.set(_WRITTEN, _key(note), written)
            except SecretFound:
                state.set(_WRITTEN, _key(note), {**written, "metadata": redact_json(metadata)})

        self._with(ended)

    def drop(self, operation: MemoryOperation | None) -> MemoryMutation | None:
        """Forget an operation that was not done; where another process has done it meanwhile, gives what it did."""
        if operation is None:
            return None
        done = self.find(operation)
        if done is None:
            self._with(lambda state: state.delete(_RECEIPTS, _key(operation.id)))
        return done

    def written(self, note: str, version: str) -> tuple[str | None, dict[str, str] | None]:
        """The operation that made this version of a note, and its metadata; nothing where somebody else made it."""
        held = self._with(lambda state: state.get(_WRITTEN, _key(note)))
        if not isinstance(held, dict) or held.get("version") != version:
            return None, None
        return held.get("operation"), held.get("metadata")

    def _with(self, work: Callable[[BoundState], _Result]) -> _Result:
        with self._memory.session(_SESSION) as session:
            return work(session.state)


def _reason(operation: MemoryOperation) -> str:
    return f"harness {_key(operation.id)}"


def _key(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:40]


def _pruned(state: Any) -> None:
    held = sorted(state.list(_RECEIPTS), key=lambda receipt: receipt.updated)
    for receipt in held[: max(0, len(held) - _MOST)]:
        state.delete(_RECEIPTS, receipt.key)
