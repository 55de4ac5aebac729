"""A file of another program, read and replaced: its configuration, to which its owner wants us added.

The directory that its owner named, their home or a project, may itself be a link. Nothing below it is followed, and
what stands there is replaced whole, or not at all.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from holdfast.errors import NoteChangedOutside
from holdfast.notes.atomic_write import ensure, put, take_away
from holdfast.notes.disk import Disk
from holdfast.notes.safe_open import DIRECTORY, again, descend, failing, read_whole, shut

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MAX_BYTES", "Elsewhere", "read_elsewhere", "write_elsewhere"]

MAX_BYTES = 8 * 1024 * 1024
"""The largest configuration that is changed; Claude Code keeps a history of prompts in its own."""


class Elsewhere(NamedTuple):
    """A file below a directory that the owner named."""

    base: str
    parts: tuple[str, ...]

    @property
    def path(self) -> str:
        """The whole of it, to show."""
        return os.path.join(self.base, *self.parts)


def read_elsewhere(place: Elsewhere, disk: Disk | None = None) -> bytes | None:
    """The bytes of a plain file; None when there is none. A link in its place is refused."""
    disk = disk or Disk()
    try:
        with _base(disk, place) as top:
            folder = descend(disk, top, place.parts[:-1], place.path)
            try:
                return read_whole(disk, folder, place.parts[-1], place.path, MAX_BYTES).data
            finally:
                if folder != top:
                    shut(disk, folder)
    except FileNotFoundError:
        return None


def write_elsewhere(
    place: Elsewhere, before: bytes | None, after: bytes | None, *, mode: int = 0o600, disk: Disk | None = None
) -> None:
    """Put other bytes in place of those that were read; None means no file. NoteChangedOutside if it is another now.

    `mode` is for a new file; one that is there keeps its own.
    """
    disk = disk or Disk()

    def look() -> None:
        # The program may be running, and writes this file itself.
        try:
            found: bytes | None = read_whole(disk, folder, name, place.path, MAX_BYTES).data
        except FileNotFoundError:
            found = None
        if found != before:
            raise NoteChangedOutside(place.path, "what was read", "something else")

    *above, name = place.parts
    with _base(disk, place) as top:
        folder = ensure(disk, top, above, place.path)
        try:
            if after is not None:
                put(disk, folder, name, after, place.path, mode=mode, last_look=look)
            elif before is not None:
                take_away(disk, folder, name, place.path, look)
        finally:
            if folder != top:
                shut(disk, folder)


@contextmanager
def _base(disk: Disk, place: Elsewhere) -> Iterator[int]:
    with failing(place.base, "open", missing=True):
        top = again(disk.open, place.base, DIRECTORY & ~os.O_NOFOLLOW)
    try:
        yield top
    finally:
        shut(disk, top)
