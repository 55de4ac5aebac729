"""The lines that searches left (`usage.leave`), to be read and taken away whole.

Nobody waits for anybody: a count may get lost where a writer and a reader meet or the disk is full, a line may be torn,
and the oldest go when nobody takes them. Nothing that matters depends on one search.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

__all__ = ["Spool"]

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_MOST_BYTES = 4 * 1024 * 1024


class Spool:
    """One such file, and what is left of earlier ones."""

    def __init__(self, path: str) -> None:
        self._path = path

    def touched(self) -> float:
        """Return when a line was last left that nobody has taken; 0 where there is none."""
        try:
            return os.stat(self._path).st_mtime
        except OSError:
            return 0.0

    @contextmanager
    def taken(self) -> Iterator[list[str]]:
        """Yield all lines, which are gone afterwards.

        A process that is killed over them leaves them to the next one.
        """
        with suppress(OSError):
            os.rename(self._path, f"{self._path}.taken.{os.getpid()}.{id(self)}")
        paths = self._leftover_files()
        try:
            yield [line for path in paths for line in _lines(path)]
        finally:
            for path in paths:
                with suppress(OSError):
                    os.unlink(path)

    def _leftover_files(self) -> list[str]:
        """Return the older file, and those that were taken; what two of them read counts once all the same."""
        folder, name = os.path.split(self._path)
        try:
            names = os.listdir(folder)
        except OSError:
            return []
        return sorted(
            f"{folder}/{entry}" for entry in names if entry == f"{name}.old" or entry.startswith(f"{name}.taken.")
        )


def _lines(path: str) -> list[str]:
    try:
        with open(os.open(path, _READ), "rb") as file:
            data = file.read(_MOST_BYTES)
    except OSError:
        return []
    return [line for line in data.decode("utf-8", "replace").split("\n") if line]
