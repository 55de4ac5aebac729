"""Fills a new space from a provider, and kills itself at the Nth commit where that is wanted."""

from __future__ import annotations

import json
import sys
from typing import Any

import httpx2  # noqa: F401 - so that the barrier stands behind the slow imports
import numpy as np  # noqa: F401
from faults._child_syncs import Bomb
from faults.children import report, wait_for_go

from holdfast import Memory


def main(home: str, settings: str, point: str, after: str) -> None:
    """Open, arm the bomb, sync."""
    bomb = Bomb(point, int(after))
    with Memory.open(home, settings=json.loads(settings)) as memory:

        def before_commit() -> bool:
            bomb.at("before commit")
            return False

        def after_commit(connection: Any, name: str, pages: int) -> int:
            bomb.at("after commit")
            return 0

        raw = memory.ctx.database.connection.raw
        raw.set_commit_hook(before_commit)
        raw.set_wal_hook(after_commit)
        wait_for_go()
        done = memory.sync()
        report({"pending": done.pending, "because": done.because})


if __name__ == "__main__":
    main(*sys.argv[1:])
