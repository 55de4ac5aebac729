"""Saves until no file may grow any more, again and again with other limits; says what was kept and what was refused."""

from __future__ import annotations

import resource
import signal
import sys
from contextlib import suppress
from pathlib import Path

import apsw
from faults.children import report

from holdfast import Memory
from holdfast.errors import HoldfastError, StorageFailed
from holdfast.guard.origin import Origin


def main(home: str, rounds: str) -> None:
    """Each round has a lower or a higher limit; what was acknowledged must be found in each of them."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # else the first such write ends the process
    kept: list[str] = []
    refused, unfound, untyped = 0, list[str](), list[str]()
    for number in range(int(rounds)):
        largest = max(path.stat().st_size for path in Path(home).rglob("*") if path.is_file())
        limit = (512, 4_096, largest, largest + 5_000, 20_000)[number % 5]
        memory = Memory.open(home, origin=Origin.USER)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
        line = f"- the token w{number}z {'stands here ' * 60}"
        try:
            memory.save(line, file=f"memory/n{number % 3}.md")
            kept.append(f"w{number}z")
        except StorageFailed:
            refused += 1
        except HoldfastError as error:
            untyped.append(type(error).__name__)
        for token in kept[-1:]:
            found = memory.search(token, max_results=20)
            # Where the index can't be written, it may not know the newest line; then the answer has to say so.
            if not found.because and not any(token in hit.snippet for hit in found.results):
                unfound.append(token)
        with suppress(apsw.Error, HoldfastError):
            memory.close()
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    report({"kept": kept, "refused": refused, "unfound": unfound, "untyped": untyped})


if __name__ == "__main__":
    main(*sys.argv[1:])
