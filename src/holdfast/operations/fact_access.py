"""`memory.facts`: what is known about the user, the project and people, for programs."""

from __future__ import annotations

from holdfast.context.memory_backend import MemoryPart
from holdfast.guard.operation import Operation
from holdfast.operations import catalogue

__all__ = ["Facts"]


class Facts(MemoryPart):
    """The facts of one agent."""

    prefix = "facts."

    store = Operation(lambda: catalogue.store)
    recall = Operation(lambda: catalogue.recall, reads=True)
    forget = Operation(lambda: catalogue.forget_fact)
    list = Operation(lambda: catalogue.list_facts, reads=True)
    history = Operation(lambda: catalogue.fact_history, reads=True)
    archive = Operation(lambda: catalogue.archive_fact)
    restore = Operation(lambda: catalogue.restore_fact)
    undo_supersession = Operation(lambda: catalogue.restore_fact)
    stats = Operation(lambda: catalogue.fact_stats, reads=True)
    reindex = Operation(lambda: catalogue.rebuild_index, slow=True)
