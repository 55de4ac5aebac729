"""Appends lines to one note, next to others that do the same."""

from __future__ import annotations

import sys

from faults.children import report, wait_for_go

from holdfast import Memory
from holdfast.errors import HoldfastError


def main(home: str, who: str, count: str) -> None:
    """Report what could not be saved, and what could not be found right after it was saved."""
    errors: list[str] = []
    unseen: list[str] = []
    with Memory.open(home) as memory:
        wait_for_go()
        for number in range(int(count)):
            token = f"w{who}n{number}z"
            try:
                memory.save(f"- the token {token}", file="memory/shared.md")
                if not memory.search(token, max_results=1).results:
                    unseen.append(token)
            except HoldfastError as error:
                errors.append(f"{token}: {error}")
    report({"errors": errors, "unseen": unseen})


if __name__ == "__main__":
    main(*sys.argv[1:])
