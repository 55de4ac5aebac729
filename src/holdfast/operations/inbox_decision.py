"""The decision of an owner about an entry of the inbox."""

from __future__ import annotations

from typing import Any

from holdfast.approval.inbox_note import InboxEntry
from holdfast.value import Value

__all__ = ["Decided"]


class Decided(Value):
    """A decision: what the owner decided about an entry, and the checkpoints that undo it."""

    entry: InboxEntry
    outcome: str
    """approved, merged (MEMORY.md says so already), replaced (a question about a fact), edited or rejected."""
    checkpoint_ids: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        return {**self.entry.to_json(), "outcome": self.outcome, "checkpointIds": list(self.checkpoint_ids)}
