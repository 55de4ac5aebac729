"""Stores vectors and makes files of them, and kills itself when it does the Nth thing that another could see."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

from faults.children import wait_for_go
from vector_shelf import Shelf, made


def main(path: str, after: str) -> None:
    """Open, arm, store."""
    shelf = Shelf(Path(path))
    left = int(after)

    def step() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def before_commit() -> bool:
        step()
        return False

    def after_commit(connection: Any, name: str, pages: int) -> int:
        step()
        return 0

    def audited(event: str, values: tuple[Any, ...]) -> None:
        if event in ("os.rename", "os.remove") and ".space" in str(values[0]):
            step()

    shelf.connection.raw.set_commit_hook(before_commit)
    shelf.connection.raw.set_wal_hook(after_commit)
    sys.addaudithook(audited)
    wait_for_go()
    shelf.put(made(0), made(10_000, 5), made(20_000))
    shelf.vectors.tidy()
    shelf.put(made(30_000))
    shelf.vectors.tidy()


if __name__ == "__main__":
    main(*sys.argv[1:])
