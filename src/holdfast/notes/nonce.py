"""Random names from the system, which nobody could know before."""

from __future__ import annotations

import os

__all__ = ["new_nonce"]


def new_nonce() -> str:
    """Return a random name for the fences of one prompt."""
    return os.urandom(6).hex()  # as `secrets` has it, which takes longer to load than a hook has for it
