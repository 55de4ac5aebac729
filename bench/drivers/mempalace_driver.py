"""MemPalace by its Python interface: `mempalace_driver.py ask HOME STATE`; `mempalace mine` has read the notes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from drive import answer
from mempalace.searcher import search_memories


def main(state: str) -> None:
    """What its MCP server calls too."""
    palace = str(Path(state, "palace"))

    def search(query: str, limit: int) -> list[dict[str, Any]]:
        found = search_memories(query, palace, n_results=limit)
        if "error" in found:
            sys.exit(str(found["error"]))
        return [{"text": hit["text"], "source_path": hit["source_path"]} for hit in found["results"]]

    answer(search)


if __name__ == "__main__":
    main(sys.argv[3])
