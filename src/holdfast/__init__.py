"""Long-term memory for AI agents, in Markdown files: the public names, nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.guard.origin import Origin
    from holdfast.memory import Memory
    from holdfast.surfaces.client.client import connect

__all__ = ["Memory", "Origin", "__version__", "connect"]

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Load a name when it is first asked for, so that `import holdfast` costs nothing."""
    if name == "Memory":
        from holdfast.memory import Memory

        return Memory
    if name == "Origin":
        from holdfast.guard.origin import Origin

        return Origin
    if name == "connect":
        from holdfast.surfaces.client.client import connect

        return connect
    raise AttributeError(f"module 'holdfast' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
