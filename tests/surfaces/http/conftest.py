"""One server for the tests of a file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from surfaces.http.serving import Served, served


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a home of its own."""
    with served(tmp_path_factory.mktemp("web") / "home", "--tools", "all") as running:
        yield running
