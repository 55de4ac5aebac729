"""Forgets a text everywhere, lets others in, and then goes on to keep what its session must remember."""

from __future__ import annotations

import os
import sys

from faults.children import wait_for_go

from holdfast import Memory


def main(home: str, text: str, count: str) -> None:
    """Say `kept` after each value that was acknowledged, and wait to be killed."""
    with Memory.open(home) as memory, memory.session("work") as session:
        session.append("user", "We go on.")
        session.state.set("plan", "before", 1)
        memory.save(f"- {text}\n", file="memory/secret.md")
        memory.search(text)
        memory.forget(text=text, everywhere=True)
        wait_for_go()
        for number in range(int(count)):
            session.state.set("plan", f"k{number}", number)
            memory.save(f"- Heron {number} waits.\n", file="memory/birds.md")
            assert memory.search(f"heron {number}").results[0].text_score is not None
            os.write(1, b"kept\n")
        sys.stdin.readline()


if __name__ == "__main__":
    main(*sys.argv[1:])
