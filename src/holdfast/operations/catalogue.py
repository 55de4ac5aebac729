"""The operations that are methods of the library, by name; each is imported when it is first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from holdfast.context.session_list import session_list
    from holdfast.operations.checkpoint_purge import purge_note
    from holdfast.operations.checkpoint_restore import checkpoint_restore, undo_last
    from holdfast.operations.facts_forget import archive_fact, forget_fact, restore_fact
    from holdfast.operations.facts_list import fact_stats, list_facts
    from holdfast.operations.facts_recall import fact_history, recall
    from holdfast.operations.facts_store import store
    from holdfast.operations.memory_delete import memory_delete
    from holdfast.operations.memory_save import memory_save
    from holdfast.operations.memory_search import memory_search
    from holdfast.operations.memory_status import status
    from holdfast.operations.undo_origin import undo_origin
    from holdfast.operations.vector_spaces import drop_space, spaces

__all__ = [
    "archive_fact",
    "checkpoint_restore",
    "drop_space",
    "fact_history",
    "fact_stats",
    "forget_fact",
    "list_facts",
    "memory_delete",
    "memory_save",
    "memory_search",
    "purge_note",
    "recall",
    "restore_fact",
    "session_list",
    "spaces",
    "status",
    "store",
    "undo_last",
    "undo_origin",
]

_MODULES: Final = {
    "archive_fact": "operations.facts_forget",
    "drop_space": "operations.vector_spaces",
    "fact_history": "operations.facts_recall",
    "fact_stats": "operations.facts_list",
    "forget_fact": "operations.facts_forget",
    "list_facts": "operations.facts_list",
    "purge_note": "operations.checkpoint_purge",
    "recall": "operations.facts_recall",
    "restore_fact": "operations.facts_forget",
    "session_list": "context.session_list",
    "spaces": "operations.vector_spaces",
    "status": "operations.memory_status",
    "store": "operations.facts_store",
    "undo_last": "operations.checkpoint_restore",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"there is no operation {name!r}")
    # The others have the name of their module.
    return getattr(import_module(f"holdfast.{_MODULES.get(name, f'operations.{name}')}"), name)
