"""A disk that fails on demand: the fake that fault tests use in place of Disk."""

from __future__ import annotations

import os
from collections.abc import Callable
from errno import EIO
from typing import Any

from holdfast.named_tuple import NamedTuple
from holdfast.notes.disk import Disk

__all__ = ["Call", "FaultyDisk"]

_CALL_NAMES = (
    "open",
    "close",
    "fstat",
    "lstat",
    "access",
    "read",
    "pread",
    "write",
    "fsync",
    "start_writing_back",
    "fchmod",
    "ftruncate",
    "rename",
    "unlink",
    "mkdir",
    "rmdir",
    "names",
    "scandir",
    "flock",
)


class Call(NamedTuple):
    """One call to the file system: its name, and the name of the file that it was about."""

    name: str
    subject: str


class FaultyDisk(Disk):
    """A disk that logs every call and lets the call number `fail_at` fail with `code`.

    Counting starts at 1 with the first call, and each call is shown to `before`. `lasting` lets every later call fail
    as well; `short_writes` lets each write take one byte only.
    """

    def __init__(
        self,
        fail_at: int = 0,
        code: int = EIO,
        *,
        lasting: bool = False,
        short_writes: bool = False,
        before: Callable[[int, Call], None] | None = None,
    ) -> None:
        self.fail_at, self.code, self.lasting, self.short_writes = fail_at, code, lasting, short_writes
        self.before = before
        self.log: list[Call] = []
        self.failed = 0
        self._opened: dict[int, str] = {}

    def call(self, name: str, real: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Make one call, or let it fail."""
        first = args[0]
        call = Call(name, first if isinstance(first, str) else self._opened.get(first, str(first)))
        self.log.append(call)
        number = len(self.log)
        if self.before is not None:
            self.before(number, call)
        fails = number == self.fail_at or (self.lasting and 0 < self.fail_at <= number)
        if fails:
            self.failed += 1
            # The kernel closes a file even when it reports an error.
            if name == "close":
                real(self, *args, **kwargs)
            raise OSError(self.code, os.strerror(self.code))
        if name == "write" and self.short_writes:
            args = (args[0], args[1][:1])
        result = real(self, *args, **kwargs)
        if name == "open":
            self._opened[result] = first
        return result


def _faulty_method(name: str) -> Callable[..., Any]:
    real = getattr(Disk, name)

    def method(self: FaultyDisk, *args: Any, **kwargs: Any) -> Any:
        return self.call(name, real, *args, **kwargs)

    return method


for _name in _CALL_NAMES:
    setattr(FaultyDisk, _name, _faulty_method(_name))
