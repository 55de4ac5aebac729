"""Loops of real clients take minutes, and need what `make test-clients` installs: it alone runs them."""

from __future__ import annotations

from pathlib import Path

import pytest

_HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent == _HERE and item.path.name.endswith("_loop.py"):
            item.add_marker(pytest.mark.clients)
