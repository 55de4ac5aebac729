"""Adds messages to one session, next to others that do the same, until it has said enough or is killed."""

from __future__ import annotations

import os
import sys

from faults.children import report, wait_for_go

from holdfast import Memory


def main(home: str, who: str, count: str, log: str) -> None:
    """Write each message's words to the log once it was acknowledged."""
    acknowledged = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with Memory.open(home) as memory, memory.session("shared") as session:
        wait_for_go()
        for number in range(int(count)):
            # Of many lengths, so that kills meet writes of many pages as well as of one.
            text = f"w{who}n{number} " + "x" * (number * 7919 % 70_000)
            session.append("user", text)
            os.write(acknowledged, f"w{who}n{number}\n".encode())
            if number == 0:
                os.write(1, b"first\n")
    report({"done": True})


if __name__ == "__main__":
    main(*sys.argv[1:])
