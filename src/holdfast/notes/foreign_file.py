"""A file of another program, read and replaced: its configuration, to which its owner wants us added.

The directory that its owner named, their home or a project, may itself be a link. Nothing below it is followed, and
what stands there is replaced whole, or not at all.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from holdfast.errors import NoteChangedOutside
from holdfast.named_tuple import NamedTuple
from holdfast.notes.atomic_write import ensure_directory, remove_file, write_file
from holdfast.notes.disk import Disk
from holdfast.notes.safe_open import DIRECTORY, close_quietly, open_directory, read_whole, retry, storage_errors

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MAX_FOREIGN_BYTES", "ForeignFile", "read_foreign_file", "write_foreign_file"]

MAX_FOREIGN_BYTES = 8 * 1024 * 1024
"""The largest configuration that is changed; Claude Code keeps a history of prompts in its own."""


class ForeignFile(NamedTuple):
    """A file below a directory that the owner named."""

    base: str
    parts: tuple[str, ...]

    @property
    def path(self) -> str:
        """The absolute path, to show."""
        return os.path.join(self.base, *self.parts)


def read_foreign_file(place: ForeignFile, disk: Disk | None = None) -> bytes | None:
    """Return the bytes of a plain file; None when there is none.

    A link in its place is refused.
    """
    disk = disk or Disk()
    try:
        with _open_base(disk, place) as top:
            folder = open_directory(disk, top, place.parts[:-1], place.path)
            try:
                return read_whole(disk, folder, place.parts[-1], place.path, MAX_FOREIGN_BYTES).data
            finally:
                if folder != top:
                    close_quietly(disk, folder)
    except FileNotFoundError:
        return None


def write_foreign_file(
    place: ForeignFile, before: bytes | None, after: bytes | None, *, mode: int = 0o600, disk: Disk | None = None
) -> None:
    """Replace the bytes that were read; None means no file.

    Raises NoteChangedOutside if the file has other bytes by now.

    `mode` is for a new file; one that is there keeps its own.
    """
    disk = disk or Disk()

    def check_unchanged() -> None:
        # The program may be running, and writes this file itself.
        try:
            current: bytes | None = read_whole(disk, folder, name, place.path, MAX_FOREIGN_BYTES).data
        except FileNotFoundError:
            current = None
        if current != before:
            raise NoteChangedOutside(place.path, "what was read", "something else")

    *above, name = place.parts
    with _open_base(disk, place) as top:
        folder = ensure_directory(disk, top, above, place.path)
        try:
            if after is not None:
                write_file(disk, folder, name, after, place.path, mode=mode, last_look=check_unchanged)
            elif before is not None:
                remove_file(disk, folder, name, place.path, check_unchanged)
        finally:
            if folder != top:
                close_quietly(disk, folder)


@contextmanager
def _open_base(disk: Disk, place: ForeignFile) -> Iterator[int]:
    with storage_errors(place.base, "open", missing=True):
        top = retry(disk.open, place.base, DIRECTORY & ~os.O_NOFOLLOW)
    try:
        yield top
    finally:
        close_quietly(disk, top)
