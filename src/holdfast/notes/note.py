"""The values of the workspace: notes, and the files that a walk found or skipped."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from holdfast.named_tuple import NamedTuple

__all__ = ["Note", "NoteFile", "NotePart", "SkippedFile", "Walk", "as_note_file", "note_file"]


class Note(NamedTuple):
    """One note as it was read, whole.

    `settled` is False when the file is so young that a later edit could carry the same times: such a note must be
    hashed again at the next sync.
    """

    path: str
    data: bytes
    hash: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    settled: bool


class NoteFile(NamedTuple):
    """A file that a walk found. `source` is "memory" or "extra"; an extra note's path is absolute."""

    path: str
    source: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


as_note_file: Callable[[Iterable[Any]], NoteFile] = partial(tuple.__new__, NoteFile)
"""What makes all its parts a `NoteFile`, without a call of Python: thousands in every look."""


def note_file(path: str, status: os.stat_result, source: str = "memory") -> NoteFile:
    """Return the file at a path, from its status."""
    return NoteFile(path, source, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


class NotePart(NamedTuple):
    """Some bytes of a note, under the name it has on disk, with the size of the whole."""

    path: str
    data: bytes
    size: int


class SkippedFile(NamedTuple):
    """A file or directory that a walk left out, and why."""

    path: str
    why: str


class Walk(NamedTuple):
    """Everything a walk saw, in the order of the paths. `directories` are absolute; a watcher listens to them."""

    found: list[NoteFile]
    skipped: list[SkippedFile]
    directories: list[str]
    media: Sequence[NoteFile] = ()
    """Images, where somebody wants them."""
    temps: Sequence[str] = ()
    """Temps of writers below memory/, living or dead."""
