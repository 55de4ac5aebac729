"""`memory.facts`: what is known about the user, the project and people, for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.context.context import Context
from holdfast.guard.argument_types import check_arguments
from holdfast.operations import catalogue
from holdfast.operations.operation import Operation

if TYPE_CHECKING:
    from holdfast.index.sync import Synced

__all__ = ["Facts"]


class Facts:
    """The facts of one agent."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx

    store = Operation(lambda: catalogue.store)
    recall = Operation(lambda: catalogue.recall)
    forget = Operation(lambda: catalogue.forget_fact)
    list = Operation(lambda: catalogue.list_facts)
    history = Operation(lambda: catalogue.fact_history)
    archive = Operation(lambda: catalogue.archive_fact)
    restore = Operation(lambda: catalogue.restore_fact)
    undo_supersession = Operation(lambda: catalogue.restore_fact)
    stats = Operation(lambda: catalogue.fact_stats)

    @check_arguments
    def reindex(self, *, approved: bool = False) -> Synced:
        """Make the index anew, as after a change of provider; `approved` as in `Memory.sync`."""
        return self.ctx.sync(anew=True, approved=approved)
