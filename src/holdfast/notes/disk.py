"""Every call to the file system that the rooms notes and checkpoints make, one method each.

There is no logic here. A test's subclass counts the calls, logs their order and lets the Nth one fail.
"""

from __future__ import annotations

import fcntl
import os
import sys
import time

__all__ = ["Disk"]


class Disk:
    """The file system as it is."""

    def now_ns(self) -> int:
        """Return the time by which the kernel stamps files."""
        return time.time_ns()

    def open(self, name: str, flags: int, mode: int = 0o600, *, dir_fd: int | None = None) -> int:
        """Open a file or a directory."""
        return os.open(name, flags, mode, dir_fd=dir_fd)

    def close(self, fd: int) -> None:
        """Close an open file or directory."""
        os.close(fd)

    def fstat(self, fd: int) -> os.stat_result:
        """Return the status of an open file."""
        return os.fstat(fd)

    def lstat(self, name: str, *, dir_fd: int | None = None) -> os.stat_result:
        """Return the status of a name, symlinks not followed."""
        return os.stat(name, dir_fd=dir_fd, follow_symlinks=False)

    def access(self, name: str, mode: int, *, dir_fd: int | None = None) -> bool:
        """Say whether a file could be opened in this mode, without opening it."""
        return os.access(name, mode, dir_fd=dir_fd)

    def read(self, fd: int, size: int) -> bytes:
        """Read the next bytes."""
        return os.read(fd, size)

    def pread(self, fd: int, size: int, offset: int) -> bytes:
        """Read bytes at an offset."""
        return os.pread(fd, size, offset)

    def write(self, fd: int, data: bytes | memoryview) -> int:
        """Write some of the bytes, and return how many."""
        return os.write(fd, data)

    def fsync(self, fd: int) -> None:
        """Wait until an open file is on the disk."""
        os.fsync(fd)

    def start_writing_back(self, fd: int) -> None:
        """Ask the system to begin writing a file to the disk, without waiting for it."""
        if sys.platform == "linux":
            os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)

    def fchmod(self, fd: int, mode: int) -> None:
        """Set the permissions of an open file."""
        os.fchmod(fd, mode)

    def ftruncate(self, fd: int, size: int) -> None:
        """Cut an open file."""
        os.ftruncate(fd, size)

    def rename(self, source: str, target: str, *, src_dir_fd: int, dst_dir_fd: int) -> None:
        """Put one file in the place of another, at once."""
        os.replace(source, target, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

    def unlink(self, name: str, *, dir_fd: int) -> None:
        """Remove a file."""
        os.unlink(name, dir_fd=dir_fd)

    def mkdir(self, name: str, mode: int = 0o700, *, dir_fd: int | None = None) -> None:
        """Make a directory."""
        os.mkdir(name, mode, dir_fd=dir_fd)

    def rmdir(self, name: str, *, dir_fd: int) -> None:
        """Remove an empty directory."""
        os.rmdir(name, dir_fd=dir_fd)

    def names(self, fd: int) -> list[str]:
        """Return the names in an open directory."""
        return os.listdir(fd)

    def scandir(self, fd: int) -> list[os.DirEntry[str]]:
        """Return the entries of an open directory.

        Each can be asked for its stat while the directory is open.
        """
        with os.scandir(fd) as entries:
            return list(entries)

    def flock(self, fd: int, operation: int) -> None:
        """Take or release a lock that ends with the process."""
        fcntl.flock(fd, operation)
