"""Counts up in the state of one session, next to others that do the same, by compare-and-set alone."""

from __future__ import annotations

import os
import sys

from faults.children import report, wait_for_go

from holdfast import Memory


def main(home: str, count: str) -> None:
    """Report which numbers were won; each is acknowledged on a line of its own before that."""
    won: list[int] = []
    with Memory.open(home) as memory, memory.session("shared") as session:
        wait_for_go()
        while len(won) < int(count):
            now = session.state.get("race", "counter")
            following = (now or 0) + 1
            if session.state.compare_and_set("race", "counter", now, following):
                won.append(following)
                os.write(1, f"{following}\n".encode())
    report(won)


if __name__ == "__main__":
    main(*sys.argv[1:])
