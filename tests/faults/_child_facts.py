"""Does one thing to the facts of a home, and kills itself before the Nth call that changes something on the disk."""

from __future__ import annotations

import os
import signal
import sys

from faults.children import report, wait_for_go

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.context.context import Context
from holdfast.guard.origin import Origin
from holdfast.notes.disk import Disk
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.settings.loader import load

NOON = 1_780_000_000.0


class DeadlyDisk(Disk):
    """Counts what would change the disk, and lets the process die before one of these."""

    def __init__(self, left: int) -> None:
        self.left, self.seen = left, 0

    def _about_to(self) -> None:
        self.seen += 1
        if self.seen == self.left:
            os.kill(os.getpid(), signal.SIGKILL)

    def write(self, fd: int, data: bytes | memoryview) -> int:
        """Write some of the bytes."""
        self._about_to()
        return super().write(fd, data)

    def rename(self, source: str, target: str, *, src_dir_fd: int, dst_dir_fd: int) -> None:
        """Put one file in the place of another."""
        self._about_to()
        super().rename(source, target, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

    def unlink(self, name: str, *, dir_fd: int) -> None:
        """Remove a file."""
        self._about_to()
        super().unlink(name, dir_fd=dir_fd)

    def fsync(self, fd: int) -> None:
        """Wait until it is on the disk."""
        self._about_to()
        super().fsync(fd)


def main(home: str, what: str, left: str) -> None:
    """Do it, and say how many calls it took."""
    settings = load(home, arguments={"facts.max": 10 if what == "make room" else 100}).settings
    disk = DeadlyDisk(0)
    workspace = FileWorkspace.open(home, disk=disk)
    with Memory(Context(settings, workspace, FakeClock(NOON), Origin.USER)) as memory:
        ids = {fact.text: fact.id for fact in memory.facts.list(state="all").facts}
        wait_for_go()
        disk.left, disk.seen = int(left), 0
        if what == "supersede":
            memory.facts.store("I moved to Munich", category="other")
        elif what == "make room":
            memory.facts.store("I collect maps", category="entity")
        elif what == "archive":
            memory.facts.archive(ids["I like plums"])
        elif what == "restore":
            memory.facts.restore(ids["I like figs"])
        elif what == "forget":
            memory.facts.forget(ids["I live in Berlin"])
        else:
            memory.undo()
    report(disk.seen)


if __name__ == "__main__":
    main(*sys.argv[1:])
