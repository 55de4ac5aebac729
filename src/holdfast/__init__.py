"""Long-term memory for AI agents, in Markdown files: the public names, nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast import errors, testing
    from holdfast.checkpoints.change import Change
    from holdfast.clock import Clock
    from holdfast.dreaming.report import Dream
    from holdfast.embeddings.embedder import Embedder
    from holdfast.errors import HoldfastError
    from holdfast.facts.fact import Fact
    from holdfast.guard.origin import Origin
    from holdfast.llm.chat_model import ChatModel
    from holdfast.memory import Memory
    from holdfast.operations.checkpoint_restore import Restored
    from holdfast.operations.memory_delete import Deleted
    from holdfast.operations.memory_save import Saved
    from holdfast.operations.memory_status import Status
    from holdfast.operations.toolbox import Toolbox
    from holdfast.search.hit import Hit, Results
    from holdfast.sessions.conversation import Session
    from holdfast.settings.settings import Settings
    from holdfast.surfaces.client.client import connect

__all__ = [
    "Change",
    "ChatModel",
    "Clock",
    "Deleted",
    "Dream",
    "Embedder",
    "Fact",
    "Hit",
    "HoldfastError",
    "Memory",
    "Origin",
    "Restored",
    "Results",
    "Saved",
    "Session",
    "Settings",
    "Status",
    "Toolbox",
    "__version__",
    "connect",
    "errors",
    "testing",
]

__version__ = "0.2.0"

# Where each name is kept, below the package; a module stands for itself.
_PLACES = {
    "Change": "checkpoints.change",
    "ChatModel": "llm.chat_model",
    "Clock": "clock",
    "Deleted": "operations.memory_delete",
    "Dream": "dreaming.report",
    "Embedder": "embeddings.embedder",
    "Fact": "facts.fact",
    "Hit": "search.hit",
    "HoldfastError": "errors",
    "Memory": "memory",
    "Origin": "guard.origin",
    "Restored": "operations.checkpoint_restore",
    "Results": "search.hit",
    "Saved": "operations.memory_save",
    "Session": "sessions.conversation",
    "Settings": "settings.settings",
    "Status": "operations.memory_status",
    "Toolbox": "operations.toolbox",
    "connect": "surfaces.client.client",
    "errors": "errors",
    "testing": "testing",
}


def __getattr__(name: str) -> object:
    """Load a name when it is first asked for, so that `import holdfast` costs nothing."""
    place = _PLACES.get(name)
    if place is None:
        raise AttributeError(f"module 'holdfast' has no attribute {name!r}")
    from importlib import import_module

    module = import_module(f"holdfast.{place}")
    if place == name:
        return module
    return getattr(module, name)


def __dir__() -> list[str]:
    return sorted(__all__)
