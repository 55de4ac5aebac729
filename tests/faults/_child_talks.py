"""Talks in one session on and on, with session search on, resets it now and then, and exports it, until killed."""

from __future__ import annotations

import os
import sys

from faults.children import wait_for_go

from holdfast import Memory
from holdfast.embeddings.fake_embedder import FakeEmbedder

SETTINGS: dict[str, object] = {
    "memory.sources": ["memory", "sessions"],
    "memory.sync.sessions.delta_messages": 3,
    "user.timezone": "UTC",
}


def main(home: str, start: str) -> None:
    """Say what was acknowledged, a line each."""
    with Memory.open(home, settings=SETTINGS, embedder=FakeEmbedder()) as memory:
        session = memory.session()
        wait_for_go()
        number = int(start)
        while True:
            number += 1
            session.append("assistant" if number % 2 else "user", f"message {number} of a long talk")
            os.write(1, f"{number}\n".encode())
            if number % 11 == 0:
                session.export()
            if number % 17 == 0:
                session.reset()


if __name__ == "__main__":
    main(*sys.argv[1:])
