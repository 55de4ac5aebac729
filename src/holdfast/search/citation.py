"""Citations: `Source: path#line`, when the settings want them."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.settings.memory_settings import Citations

__all__ = ["citation", "wanted"]


def citation(path: str, line: int) -> str:
    """Return the line that tells a reader where a text stands."""
    return f"Source: {path}#{line}"


def wanted(mode: Citations, paths: Sequence[str]) -> bool:
    """Say whether to cite; `auto` does when hits come from more than one note.

    With a single note, there is nothing to tell apart.
    """
    return mode is Citations.ON or (mode is Citations.AUTO and len(set(paths)) > 1)
