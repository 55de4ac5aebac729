"""Answer searches from standard input in a warm process: `warm.py floor DB` or `warm.py holdfast HOME`."""

from __future__ import annotations

import json
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path


def _peak() -> int | None:
    """Peak RSS of this process alone; `ru_maxrss` would count the process that started it as well."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(status.split("VmHWM:")[1].split()[0]) * 1024


def _floor(database: str) -> Callable[[str], list[str]]:
    import floor

    db = sqlite3.connect(database)
    return lambda query: floor.search(db, query)


def _holdfast(home: str) -> Callable[[str], list[str]]:
    from holdfast import Memory

    memory = Memory.open(home)
    return lambda query: [hit.path for hit in memory.search(query).results]


def _serve(search: Callable[[str], list[str]]) -> None:
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        message = json.loads(line)
        if "query" not in message:
            print(json.dumps({"cpu": time.process_time(), "rss": _peak()}), flush=True)
            continue
        wall, cpu = time.perf_counter(), time.process_time()
        paths = search(message["query"])
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        print(json.dumps({"paths": paths, "wall": wall, "cpu": cpu}), flush=True)


if __name__ == "__main__":
    _serve({"floor": _floor, "holdfast": _holdfast}[sys.argv[1]](sys.argv[2]))
