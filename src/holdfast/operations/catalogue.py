"""The operations that are methods of the library, by name; each is imported when it is first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from holdfast.context.session_list import session_list
    from holdfast.forgetting.forget_everywhere import forget_memory
    from holdfast.operations.checkpoint_purge import prune_checkpoints, purge_note
    from holdfast.operations.checkpoint_restore import checkpoint_restore, undo_last
    from holdfast.operations.checkpoints_list import diff_change, list_changes
    from holdfast.operations.exchange_export import export_memory, restore_export
    from holdfast.operations.exchange_import import import_from
    from holdfast.operations.facts_forget import archive_fact, forget_fact, restore_fact
    from holdfast.operations.facts_list import fact_stats, list_facts
    from holdfast.operations.facts_recall import fact_history, recall
    from holdfast.operations.facts_store import store
    from holdfast.operations.index_watch import rebuild_index, sync_index, watch
    from holdfast.operations.memory_delete import memory_delete
    from holdfast.operations.memory_get import memory_get
    from holdfast.operations.memory_save import memory_save
    from holdfast.operations.memory_search import memory_search
    from holdfast.operations.memory_status import status
    from holdfast.operations.undo_origin import undo_origin
    from holdfast.operations.vector_spaces import drop_space, spaces

__all__ = [
    "archive_fact",
    "checkpoint_restore",
    "diff_change",
    "drop_space",
    "export_memory",
    "fact_history",
    "fact_stats",
    "forget_fact",
    "forget_memory",
    "import_from",
    "list_changes",
    "list_facts",
    "memory_delete",
    "memory_get",
    "memory_save",
    "memory_search",
    "prune_checkpoints",
    "purge_note",
    "rebuild_index",
    "recall",
    "restore_export",
    "restore_fact",
    "session_list",
    "spaces",
    "status",
    "store",
    "sync_index",
    "undo_last",
    "undo_origin",
    "watch",
]

_MODULES: Final = {
    "archive_fact": "operations.facts_forget",
    "diff_change": "operations.checkpoints_list",
    "drop_space": "operations.vector_spaces",
    "export_memory": "operations.exchange_export",
    "fact_history": "operations.facts_recall",
    "fact_stats": "operations.facts_list",
    "forget_fact": "operations.facts_forget",
    "forget_memory": "forgetting.forget_everywhere",
    "import_from": "operations.exchange_import",
    "list_changes": "operations.checkpoints_list",
    "list_facts": "operations.facts_list",
    "prune_checkpoints": "operations.checkpoint_purge",
    "purge_note": "operations.checkpoint_purge",
    "rebuild_index": "operations.index_watch",
    "recall": "operations.facts_recall",
    "restore_export": "operations.exchange_export",
    "restore_fact": "operations.facts_forget",
    "session_list": "context.session_list",
    "spaces": "operations.vector_spaces",
    "status": "operations.memory_status",
    "store": "operations.facts_store",
    "sync_index": "operations.index_watch",
    "undo_last": "operations.checkpoint_restore",
    "watch": "operations.index_watch",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"there is no operation {name!r}")
    # The others have the name of their module.
    return getattr(import_module(f"holdfast.{_MODULES.get(name, f'operations.{name}')}"), name)
