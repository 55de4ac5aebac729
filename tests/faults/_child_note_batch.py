"""Writes many notes as one change, and kills itself before the Nth call that changes something on the disk."""

from __future__ import annotations

import json
import sys

from faults._child_facts import NOON, DeadlyDisk
from faults.children import report, wait_for_go

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.context.context import Context
from holdfast.guard.origin import Origin
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.settings.loader import load


def main(home: str, texts: str, left: str) -> None:
    """Do it, and say how many calls it took."""
    disk = DeadlyDisk(0)
    settings = load(home, arguments={"memory.disable_rag": True}).settings
    with Memory(Context(settings, FileWorkspace.open(home, disk=disk), FakeClock(NOON), Origin.AGENT)) as memory:
        wait_for_go()
        disk.left, disk.seen = int(left), 0
        memory.notes.write_all(json.loads(texts))
    report(disk.seen)


if __name__ == "__main__":
    main(*sys.argv[1:])
