"""Opens a memory, and at a sign asks it one question."""

from __future__ import annotations

import sys

from faults.children import report, wait_for_go

from holdfast import Memory
from holdfast.embeddings.fake_embedder import FakeEmbedder


def main(home: str, query: str) -> None:
    """Report in how many notes the words were found."""
    with Memory.open(home, embedder=FakeEmbedder()) as memory:
        wait_for_go()
        report(len({hit.path for hit in memory.search(query, max_results=100).results}))


if __name__ == "__main__":
    main(*sys.argv[1:])
