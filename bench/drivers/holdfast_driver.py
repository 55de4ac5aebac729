"""Holdfast from its package: `holdfast_driver.py ask HOME STATE`; `holdfast index` has made the index."""

from __future__ import annotations

import sys
from typing import Any

from drive import answer

from holdfast import Memory


def main(home: str) -> None:
    """As a program would ask: the settings of the home, passage by passage."""
    with Memory.open(home) as memory:

        def search(query: str, limit: int) -> list[dict[str, Any]]:
            return [hit.to_json() for hit in memory.search(query, max_results=limit, by_passage=True).results]

        answer(search)


if __name__ == "__main__":
    main(sys.argv[2])
