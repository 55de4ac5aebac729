"""USER.md as a file of the home: where it lies, how large it may be, and its bytes.

Who only reads it loads nothing of what changes it, which is `checkpoints/profile_change`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.notes.workspace import Workspace

__all__ = ["MAX_PROFILE_BYTES", "PROFILE", "read_profile"]

PROFILE = "USER.md"
MAX_PROFILE_BYTES = 64 * 1024
"""The most bytes USER.md may have: a profile, not a note."""


def read_profile(workspace: Workspace) -> bytes | None:
    """Return the bytes of USER.md; None when there is none."""
    return workspace.read_file(PROFILE, MAX_PROFILE_BYTES)
