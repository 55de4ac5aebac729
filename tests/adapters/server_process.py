"""A real server for the home of one test, forked from the warm process that all tests of a worker share.

Where the extra `server` is not installed, as beside CrewAI, SERVER_PYTHON names an interpreter that has it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest
from surfaces.http.serving import served

PYTHON = "SERVER_PYTHON"


@contextmanager
def server_of(home: Path) -> Iterator[str]:
    """The address of a server of this home, for a block; it must end well."""
    python = os.environ.get(PYTHON, "")
    if not python and (find_spec("uvicorn") is None or find_spec("mcp.server") is None):
        pytest.skip(f"holdfast[server] is not installed here; {PYTHON} may name a Python that has it")
    with served(home, "--no-watch", python=python) as running:
        yield running.url
