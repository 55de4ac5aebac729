"""What every driver does: questions from standard input, the hits to standard output, a line of JSON each.

A driver runs in the environment of one peer, and knows nothing but that peer and this file.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

__all__ = ["answer", "answer_async", "say"]

Hits = list[dict[str, Any]]
"""Each as the peer gives it; `peer_answers.py` knows what the fields are called."""


def say(reply: dict[str, Any]) -> None:
    """One line, to the real standard output: some peers print."""
    os.write(_OUT, (json.dumps(reply) + "\n").encode())


def answer(search: Callable[[str, int], Hits]) -> None:
    """Answer until standard input ends; the watch is here, so that the pipe is not counted."""
    say({"ready": True})
    for line in sys.stdin:
        asked = json.loads(line)
        began = time.perf_counter()
        hits = search(asked["query"], asked["limit"])
        say({"results": hits, "wall": time.perf_counter() - began})


async def answer_async(search: Callable[[str, int], Awaitable[Hits]]) -> None:
    """The same for a peer whose interface is asynchronous."""
    say({"ready": True})
    for line in sys.stdin:
        asked = json.loads(line)
        began = time.perf_counter()
        hits = await search(asked["query"], asked["limit"])
        say({"results": hits, "wall": time.perf_counter() - began})


_OUT = os.dup(1)
os.dup2(2, 1)
