"""Temporary homes: the notes of a collection on disk, written once and searched in every way.

Written plainly, not through checkpoints: these are throw-away copies of text that lies elsewhere, thousands of files
at a time, and a set may need paths that an agent may not write to (`memory/sessions/…`).
"""

from __future__ import annotations

import hashlib
import os
from types import TracebackType
from typing import Self

from holdfast.errors import StorageFailed
from holdfast.evaluation.sets import Collection

__all__ = ["Homes", "put_file"]


class Homes:
    """Makes a home for each collection; those in a directory that the caller named are kept and used again."""

    def __init__(self, keep: str | None = None) -> None:
        import tempfile

        self._temporary = None
        if keep:
            self._place = os.path.abspath(keep)
        else:
            self._temporary = tempfile.TemporaryDirectory(prefix="holdfast-eval-")
            self._place = self._temporary.name
        self._made: set[str] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._temporary is not None:
            self._temporary.cleanup()

    def of(self, name: str, collection: Collection) -> str:
        """Return the home with exactly the notes of this collection.

        Its name tells the notes: other notes get another home, so that nothing ever has to be deleted from a directory
        that belongs to the user.
        """
        digest = hashlib.sha256(repr(sorted(collection.notes.items())).encode("utf-8", "surrogatepass")).hexdigest()
        home = os.path.join(self._place, name, f"{collection.name}-{digest[:12]}")
        if home not in self._made:
            for path, text in collection.notes.items():
                put_file(os.path.join(home, path), text)
            self._made.add(home)
        return home


def put_file(path: str, text: str) -> None:
    """Write a file whole, or leave the old one as it is; one that says the same already keeps its time stamps."""
    data = text.encode("utf-8")
    try:
        if _content(path) == data:
            return
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        beside = f"{path}.hf-tmp"
        with open(beside, "wb") as stream:
            stream.write(data)
        os.replace(beside, path)
    except OSError as error:
        raise StorageFailed(path, "write", error.strerror or str(error)) from None


def _content(path: str) -> bytes | None:
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except FileNotFoundError:
        return None
