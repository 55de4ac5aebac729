"""Opens a home that nobody has opened before, next to others that do the same."""

from __future__ import annotations

import sys

from faults.children import report, wait_for_go

from holdfast import Memory
from holdfast.embeddings.fake_embedder import FakeEmbedder


def main(home: str, word: str, with_embedder: str) -> None:
    """Report what one search finds; any error ends the process with a trace."""
    wait_for_go()
    with Memory.open(home, embedder=FakeEmbedder() if with_embedder == "yes" else None) as memory:
        synced = memory.sync()
        found = sorted({hit.path for hit in memory.search(word, max_results=100).results})
        report({"found": found, "skipped": len(synced.skipped), "set_aside": memory.ctx.database.set_aside})


if __name__ == "__main__":
    main(*sys.argv[1:])
