"""The line that every measured page has: when, with which version and by which command. `python bench/stamp.py COMMAND`

`tests/docs/test_measured_pages.py` reads it, and fails when a page is older than the release before the last.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime

from holdfast import __version__

__all__ = ["stamp"]


def stamp(command: str, day: str = "", version: str = __version__) -> str:
    """Return the line for a page that was measured by a command, today unless another day is named."""
    return f"Measured {day or datetime.now(UTC).date().isoformat()} with version {version} by `{command}`."


if __name__ == "__main__":
    sys.stdout.write(stamp(" ".join(sys.argv[1:])) + "\n")
