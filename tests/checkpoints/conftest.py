"""The notes of a home, as most tests of changes take them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast.notes.file_workspace import FileWorkspace


@pytest.fixture
def workspace(home: Path) -> Iterator[FileWorkspace]:
    """Open the notes of the test's home."""
    with FileWorkspace.open(home) as opened:
        yield opened
