"""One server for the tests of a file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from surfaces.http.serving import Page, Served, served


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a home of its own."""
    with served(tmp_path_factory.mktemp("web") / "home", "--no-watch") as running:
        yield running


@pytest.fixture(scope="module")
def page(web: Served) -> Page:
    """A browser that was let in."""
    return web.page()
