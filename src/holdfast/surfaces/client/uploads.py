"""The bytes of a file that came over the network → a file for those who read one, for a moment."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from holdfast.errors import HoldfastError

__all__ = ["uploaded"]


@contextmanager
def uploaded(data: bytes, ending: str) -> Iterator[str]:
    """A file with these bytes, for a block; an error in it names the file as its sender knows it."""
    from holdfast.notes.handing_out import hand_out

    with tempfile.TemporaryDirectory(prefix="holdfast-") as folder:
        file = hand_out(os.path.join(folder, f"upload{ending}"), data)
        try:
            yield file
        except HoldfastError as error:
            # Where we keep it meanwhile is nothing to its sender, and tells of the machine.
            there = os.path.join(folder, "")
            error.args = tuple(one.replace(there, "") if isinstance(one, str) else one for one in error.args)
            for name, value in vars(error).items():
                if isinstance(value, str):
                    setattr(error, name, value.replace(there, ""))
            raise
