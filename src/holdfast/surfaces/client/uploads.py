"""The bytes of a file that came over the network → a file for those who read one, for a moment.

It has the name that it has where it came from: notes get theirs by it.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from holdfast.errors import BadArgument, HoldfastError

if TYPE_CHECKING:
    from holdfast.memory import Memory
    from holdfast.operations.exchange_export import PutBack
    from holdfast.operations.exchange_import import Imported

__all__ = ["import_upload", "restore_upload"]

_LONGEST_NAME: Final = 255  # bytes, of a file on every system that we run on


def import_upload(
    memory: Memory, data: bytes, place: str, source: str | None, *, preview: bool, known_as: str | None = None
) -> Imported:
    """Import a file that was sent; `place` is its path or name where it was sent from, and what it is known as."""
    from holdfast.operations.exchange_import import import_memory, plan_import

    with _temporary_file(data, place) as file:
        plan = plan_import(memory.ctx, file, source, known_as=known_as or place)
        if preview:
            return plan
        return import_memory(memory.ctx, plan)


def restore_upload(memory: Memory, data: bytes, place: str, *, preview: bool) -> PutBack:
    """Put back the notes of an export that was sent."""
    with _temporary_file(data, place) as file:
        return memory.restore_export(file, preview=preview)


@contextmanager
def _temporary_file(data: bytes, place: str) -> Iterator[str]:
    """A file with these bytes, for a block; an error in it names the file as its sender knows it."""
    from holdfast.notes.export_file import write_export

    name = place.replace("\\", "/").rpartition("/")[2]
    if name in ("", ".", "..") or "\0" in name or len(name.encode("utf-8", "surrogatepass")) > _LONGEST_NAME:
        raise BadArgument("name", f"{place[:200]!r} can't be the name of a file")
    with tempfile.TemporaryDirectory(prefix="holdfast-") as folder:
        file = write_export(os.path.join(folder, name), data)
        try:
            yield file
        except HoldfastError as error:
            # Where we keep it meanwhile is nothing to its sender, and tells of the machine.
            there = os.path.join(folder, "")
            error.args = tuple(
                argument.replace(there, "") if isinstance(argument, str) else argument for argument in error.args
            )
            for name, value in vars(error).items():
                if isinstance(value, str):
                    setattr(error, name, value.replace(there, ""))
            raise
