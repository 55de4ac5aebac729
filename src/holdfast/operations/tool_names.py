"""The names of the tools that an agent is offered, from the settings alone: a server lists them before it loads any."""

from __future__ import annotations

from typing import Final

from holdfast.guard.write_gate import WriteGate
from holdfast.settings.memory_settings import Style

__all__ = ["WRITING_TOOLS", "is_offered"]

WRITING_TOOLS: Final = ("memory_save", "memory_forget", "memory_delete", "checkpoint_restore", "store", "forget")
"""Those that could only refuse where their caller may change no note."""


def is_offered(name: str, style: Style, gate: WriteGate) -> bool:
    """Say whether a tool of the memory is offered to whoever acts behind this gate."""
    return style.offers_tools and not (gate.is_shut and name in WRITING_TOOLS)
